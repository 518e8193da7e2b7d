"""Measures a game's timing during play: frames per row by level, delays of inputs, frames between two pieces.

Reads the piece's position and the pads that the game used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from emubot.pad import HORIZONTAL, Pad
from emubot.snapshot import Phase, Piece

ENOUGH: Final = 3  # successive observations that must agree before a number is believed
_TURNS: Final = Pad.A | Pad.B
_LONGEST: Final = 64  # frames after which a press counts as without effect


class _Measure:
    """One number, believed when the last few observations agree."""

    def __init__(self) -> None:
        self.count = 0
        self._last: deque[int] = deque(maxlen=ENOUGH)

    def add(self, frames: int) -> None:
        self.count += 1
        self._last.append(frames)

    @property
    def value(self) -> int | None:
        agreed = len(self._last) == ENOUGH and len(set(self._last)) == 1
        return self._last[0] if agreed else None


class ClockWatch:
    """Call `frame` for every frame. The properties return what is known by then, None for what is not."""

    def __init__(self, drop: Pad = Pad.DOWN) -> None:
        """`drop` is the button that makes a piece fall faster."""
        self._drop = drop
        self._gravity: dict[int, _Measure] = {}
        self._soft, self._shift, self._turn = _Measure(), _Measure(), _Measure()
        self._shortest: int | None = None
        self._entries = 0
        self._before: Piece | None = None
        self._held = Pad.NONE
        self._fell: tuple[int, int, int] | None = None  # frames since the last row, those with DOWN, the level
        self._pressed: dict[Pad, int] = {}  # shift or turn -> frames since its press, until its effect is seen
        self._between: int | None = None  # frames since the lock

    def frame(self, phase: Phase, piece: Piece | None, level: int, pad: Pad) -> None:
        """Add a frame as it was after the game used `pad`. The orientation can be any number that identifies it."""
        piece = piece if phase is Phase.PLAYING else None
        new, self._held = pad & ~self._held, pad
        if phase.between_pieces:
            self._between = 1 if self._before is not None else self._between and self._between + 1
        elif piece is None:
            self._between = None
        if piece is None:
            self._forget()
            return
        if self._before is None:
            self._entered()
        else:
            self._effects(self._before, piece, new)
            self._fall(self._before, piece, pad, level)
        self._before = piece

    def gravity(self, level: int) -> int | None:
        """Returns the frames per row at a level with nothing pressed, None if not known."""
        measure = self._gravity.get(level)
        return measure.value if measure else None

    @property
    def levels(self) -> Mapping[int, tuple[int, int]]:
        """The known levels: level -> (frames per row, rows that were measured)."""
        return {
            level: (measure.value, measure.count)
            for level, measure in sorted(self._gravity.items())
            if measure.value is not None
        }

    @property
    def soft_drop(self) -> int | None:
        """Frames per row while the soft drop is held."""
        return self._soft.value

    @property
    def soft_rows(self) -> int:
        """The number of rows that `soft_drop` was measured on."""
        return self._soft.count

    @property
    def shift_delay(self) -> int | None:
        """Frames from the press of a direction to its effect, 0 for the same frame."""
        return self._shift.value

    @property
    def rotate_delay(self) -> int | None:
        """Frames from the press of a rotation to its effect, 0 for the same frame."""
        return self._turn.value

    @property
    def entry_delay(self) -> int | None:
        """The fewest frames seen from a lock to the next piece under control."""
        return self._shortest if self._entries >= ENOUGH else None

    def _forget(self) -> None:
        self._before, self._fell = None, None
        self._pressed.clear()

    def _entered(self) -> None:
        if self._between is not None:
            self._entries += 1
            self._shortest = min(self._between, self._shortest or self._between)
        self._between = None

    def _effects(self, before: Piece, piece: Piece, new: Pad) -> None:
        turned, moved = piece.orientation != before.orientation, abs(piece.column - before.column)
        for buttons, measure, happened in (
            (HORIZONTAL, self._shift, moved == 1 and not turned),
            (_TURNS, self._turn, turned),
        ):
            if new & buttons:
                self._pressed[buttons] = 0
            waited = self._pressed.pop(buttons, None)
            if waited is None:
                continue
            if happened:
                measure.add(waited)
            elif waited < _LONGEST:
                self._pressed[buttons] = waited + 1

    def _fall(self, before: Piece, piece: Piece, pad: Pad, level: int) -> None:
        if piece.orientation != before.orientation:  # a kick may lift the piece
            self._fell = None
            return
        down = int(bool(pad & self._drop))
        if self._fell is not None:
            frames, dropping, since = self._fell
            self._fell = (frames + 1, dropping + down, since)
        if piece.row == before.row:
            return
        if self._fell is not None and piece.row == before.row + 1:
            frames, dropping, since = self._fell
            if dropping == 0 and since == level:
                self._gravity.setdefault(level, _Measure()).add(frames)
            elif dropping == frames:
                self._soft.add(frames)
        self._fell = (0, 0, level)
