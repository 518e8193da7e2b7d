"""The held buttons of a person's controller, never opposite directions."""

from __future__ import annotations

from collections.abc import Hashable

from emubot.pad import Pad, legal


class HeldButtons:
    """The sources that hold one controller's buttons; a source is the name of a key, a button or a stick's side.

    Of two opposite directions the last pressed one counts; when it is released, the older one counts again. A press
    that ends before it is read is kept for one reading, so that a quick tap is never lost between two frames.
    """

    def __init__(self) -> None:
        self._held: dict[Hashable, Pad] = {}  # in the order of pressing
        self._unread: set[Hashable] = set()
        self._ending: set[Hashable] = set()

    def press(self, source: Hashable, button: Pad) -> None:
        """Press a source."""
        self._held.pop(source, None)
        self._held[source] = button
        self._unread.add(source)
        self._ending.discard(source)

    def release(self, source: Hashable) -> None:
        """Release a source; harmless if it is not pressed."""
        if source in self._unread:
            self._ending.add(source)
        else:
            self._held.pop(source, None)

    def release_all(self) -> None:
        """Release all sources, for example when the window loses the keyboard focus."""
        self._held.clear()
        self._unread.clear()
        self._ending.clear()

    def read(self) -> Pad:
        """Returns the controller's pad for the next frame; never opposite directions."""
        pad = Pad.NONE
        for button in reversed(self._held.values()):
            if legal(pad | button):
                pad |= button
        for source in self._ending:
            del self._held[source]
        self._unread.clear()
        self._ending.clear()
        return pad
