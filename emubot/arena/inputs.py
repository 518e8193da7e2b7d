"""The buttons that a person holds, one pad for each frame; knows no key and no game."""

from __future__ import annotations

from collections import deque
from typing import Final

from emubot.arena.wire import Input
from emubot.pad import HORIZONTAL, VERTICAL, Pad

_MEANT: Final = Pad.A | Pad.B | HORIZONTAL | Pad.DOWN | Pad.UP  # START and SELECT would stop or leave the game
_MOST_WAITING: Final = 64  # more inputs than these in one frame come from no hand: the oldest are dropped


class InputQueue:
    """Inputs that wait for their frame. Each press is seen by at least one frame, however short it was."""

    def __init__(self) -> None:
        self.echo = 0  # the number of the last input that a frame has seen
        self._waiting: deque[Input] = deque(maxlen=_MOST_WAITING)
        self._held = Pad.NONE

    def put(self, one: Input) -> None:
        """Add an input; any thread may."""
        self._waiting.append(one)

    def clear(self) -> None:
        """Release all buttons and forget what waits, for example while the game is paused."""
        self._waiting.clear()
        self._held = Pad.NONE

    def next_pad(self) -> Pad:
        """Returns the pad of the next frame: it joins as many waiting inputs as it can without losing a press."""
        changed = Pad.NONE
        while self._waiting:
            change = _played(self._waiting[0].pad) ^ self._held
            if change & changed:  # a button changes once in a frame, or the game would miss a press or a release
                break
            self.echo = self._waiting.popleft().number
            self._held ^= change
            changed |= change
        return self._held


def _played(pad: Pad) -> Pad:
    """Returns the buttons that mean a move; of two opposite directions neither."""
    pad &= _MEANT
    for both in (HORIZONTAL, VERTICAL):
        if pad & both == both:
            pad &= ~both
    return pad
