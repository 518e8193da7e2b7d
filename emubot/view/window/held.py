"""Which buttons of a person's controller are down, opposite directions sorted out; knows no keyboard and no console."""

from __future__ import annotations

from collections.abc import Hashable

from emubot.pad import Pad, legal


class HeldButtons:
    """Keys, sticks and pads that hold buttons of one controller. A source is any name of a key, button or stick side.

    Of two opposite directions the one pressed last counts, and the older one again when the newer is let go. A press
    that ends before it was read is kept for one reading, so that a quick tap is never lost between two frames.
    """

    def __init__(self) -> None:
        self._held: dict[Hashable, Pad] = {}  # in the order of pressing
        self._unread: set[Hashable] = set()
        self._ending: set[Hashable] = set()

    def press(self, source: Hashable, button: Pad) -> None:
        """The source goes down."""
        self._held.pop(source, None)
        self._held[source] = button
        self._unread.add(source)
        self._ending.discard(source)

    def release(self, source: Hashable) -> None:
        """The source goes up; harmless for one that is not down."""
        if source in self._unread:
            self._ending.add(source)
        else:
            self._held.pop(source, None)

    def release_all(self) -> None:
        """Everything goes up, as when the window loses the keyboard."""
        self._held.clear()
        self._unread.clear()
        self._ending.clear()

    def read(self) -> Pad:
        """The controller for the next frame; never opposite directions."""
        pad = Pad.NONE
        for button in reversed(self._held.values()):
            if legal(pad | button):
                pad |= button
        for source in self._ending:
            del self._held[source]
        self._unread.clear()
        self._ending.clear()
        return pad
