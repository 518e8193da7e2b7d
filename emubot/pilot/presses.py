"""Counts which buttons had their effect on the piece, from the frames of play; presses nothing and reads no memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from emubot.pad import Pad, describe
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece

_SHOWS: Final = 16  # frames in which a press must show
_ENOUGH: Final = 2  # presses without any effect, or with another one, before it is said

_SHIFTS: Final = {"left": -1, "right": 1}
_TURNS: Final = ("rotate_clockwise", "rotate_counterclockwise")


@dataclass(slots=True)
class _Press:
    before: Piece
    waited: int = 0


class Presses:
    """The presses of one player's pads. Call `frame` for each frame, with the pad that the game used in it."""

    def __init__(self, buttons: Buttons, press: int) -> None:
        """`press` is how long a press must last to be seen."""
        self._pads = {name: pad for name in (*_SHIFTS, *_TURNS) if (pad := getattr(buttons, name))}
        self._shows = _SHOWS + press
        self._held = Pad.NONE
        self._before: Piece | None = None
        self._waiting: dict[str, _Press] = {}
        self._pressed: Counter[str] = Counter()
        self._worked: Counter[str] = Counter()
        self._otherwise: Counter[str] = Counter()

    def frame(self, piece: Piece | None, pad: Pad) -> None:
        """Note a frame: the piece that is under control after it, None without one, and its pad."""
        new, self._held = pad & ~self._held, pad
        before, self._before = self._before, piece
        if piece is None or before is None or piece.row < before.row - 1:  # another piece
            self._waiting.clear()
            return
        for name, button in self._pads.items():
            if new & button:
                self._waiting.setdefault(name, _Press(before))
        moved = [self._judged(name, press, piece) for name, press in [*self._waiting.items()]]
        if any(moved):
            for press in self._waiting.values():  # the piece is elsewhere, but not by these
                press.before = piece

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yields the names of buttons that did not do what the map says, each with half a sentence."""
        for name, pad in self._pads.items():
            pressed, otherwise = self._pressed[name], self._otherwise[name]
            if pressed >= _ENOUGH and not self._worked[name]:
                does = "moved the piece otherwise" if otherwise else "had no effect"
                yield name, f"{describe(pad)} {does}, {pressed} times of {pressed}"

    def _judged(self, name: str, press: _Press, piece: Piece) -> bool:
        """Count a press if it had an effect, or if it has none for too long. Returns whether it moved the piece."""
        press.waited += 1
        way, aside = _SHIFTS.get(name, 0), piece.column - press.before.column
        works = way * aside > 0 if way else piece.orientation != press.before.orientation
        opposite = next((other for other, its_way in _SHIFTS.items() if its_way == -way), "")
        otherwise = way * aside < 0 and opposite not in self._waiting
        if works or otherwise or press.waited > self._shows:
            self._pressed[name] += 1
            self._worked[name] += works
            self._otherwise[name] += otherwise
            del self._waiting[name]
        return works or otherwise
