"""Measures the timing of a pairs game that planning needs, and checks the drop timer; presses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from emubot.learn import ClockWatch
from emubot.pad import Pad
from emubot.snapshot import Phase, Piece
from emubot.text import counted

_AGREED: Final = 30  # frames that the drop timer must count down, times one more than the frames in which it did not


class Clockwork:
    """Watches one player's pieces; `timing` returns what a map may state for the current level."""

    def __init__(self, drop: Pad) -> None:
        """`drop` is the button of the soft drop."""
        self.watch = ClockWatch(drop)
        self._drop = drop
        self._before: tuple[Piece, int] | None = None
        self._agreed = self._odd = 0
        self._level = 0

    def frame(self, phase: Phase, piece: Piece | None, level: int, timer: int | None, pad: Pad) -> None:
        """Add a frame as it was after the game used `pad`; `timer` is the map's drop timer, None if it has none."""
        self.watch.frame(phase, piece, level, pad)
        self._level = level
        if phase is not Phase.PLAYING or piece is None or timer is None:
            self._before = None
            return
        if self._before is not None and not pad & self._drop and self._before[0].row == piece.row:
            counted = timer == self._before[1] - 1
            self._agreed += counted
            self._odd += not counted
        self._before = (piece, timer)

    @property
    def is_open(self) -> bool:
        """Whether gravity at the current level is not known yet."""
        return self.watch.gravity(self._level) is None

    def timing(self) -> Mapping[str, Any] | None:
        """Returns gravity up to the current level, and the soft drop; None while they do not suffice for planning.

        A lower level that was not seen gets the value of the next level above it. The table ends with the current
        level, because its last entry is used for all levels above.
        """
        watch, level = self.watch, self._level
        known = watch.gravity(level)
        at_once = watch.shift_delay == 0 and watch.rotate_delay == 0
        timed = self._agreed >= _AGREED * (1 + self._odd)
        if known is None or watch.soft_drop is None or not timed or not at_once:
            return None
        gravity = [known]
        for lower in range(level - 1, -1, -1):
            gravity.insert(0, watch.gravity(lower) or gravity[0])
        return {"gravity": tuple(gravity), "soft_drop": watch.soft_drop}

    def evidence(self) -> Mapping[str, str]:
        """Returns a remark for each value of `timing`, by its dotted key."""
        levels = [f"level {level} on {counted(rows, 'row')}" for level, (_, rows) in self.watch.levels.items()]
        return {
            "timing.gravity": f"measured at {', '.join(levels)}; levels not named here were not seen",
            "timing.soft_drop": f"measured on {counted(self.watch.soft_rows, 'row')}",
        }
