"""Collects which cells each name of a piece fills and what turns make of it; drops more pieces for what is missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.board import Place
from emubot.discovery.drops import Dropper
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History
from emubot.discovery.naming import Name
from emubot.discovery.pieces import TURN_SHOWS, PieceSpan, pieces_of
from emubot.pad import Pad

Cells = frozenset[Place]  # [row, column] of each cell, from the pivot

_ENOUGH: Final = 2  # locks that must agree
_IN_USE: Final = 3  # frames in a row after which a name counts as one of the game's
_FURTHER: Final = 160  # pieces dropped for names of which too few locks were seen
_PIECES_SHOWN: Final = 40  # of these at least, as some pieces come late in a game
_TURNS: Final = 4
_BLOCKED: Final = 4  # times as often as it turns, a piece that can be turned had no room to
_MOST_CELLS: Final = 16  # numbers that a locked cell may have


@dataclass(frozen=True, slots=True)
class Orientation:
    """A name of a piece: its cells from the pivot, the piece's number, and what each button makes of it."""

    number: int
    piece: int
    cells: Cells
    after: Mapping[Pad, int]
    locks: int


@dataclass(frozen=True, slots=True)
class Shapes:
    """All orientations that were seen, the numbers of locked cells, and those of the piece in the air, if it is drawn.

    `orientations` is empty if too little was seen of one in use.
    """

    orientations: tuple[Orientation, ...]
    solid: tuple[int, ...]
    moving: tuple[int, ...]

    def unknown(self) -> Shapes:
        """Returns the same without orientations."""
        return replace(self, orientations=())


class Collector:
    """Collects the shapes of one cartridge from pieces that locked."""

    def __init__(self, column: Axis, row: Axis, name: Name, turns: Sequence[Pad], geometry: Geometry) -> None:
        self._column, self._row, self._name, self._turns = column, row, name, tuple(turns)
        self._geometry = geometry
        self._locks: dict[int, Counter[Cells]] = defaultdict(Counter)
        self._in_use = Counter[int]()
        self._turned: dict[tuple[int, Pad], Counter[int]] = defaultdict(Counter)
        self._stayed = Counter[tuple[int, Pad]]()  # taps that turned nothing
        self._solid, self._air = Counter[int](), Counter[int]()

    def add(self, span: PieceSpan) -> None:
        """Take a piece."""
        numbers = self._name.of(span.frames[: span.named + 1])
        changes = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
        for first, end in pairwise([0, *changes.tolist(), len(numbers)]):
            self._in_use[int(numbers[first])] = max(self._in_use[int(numbers[first])], end - first)
        for at in changes:
            lately = span.pads[max(int(at) - TURN_SHOWS, 0) : int(at) + 1]
            pressed = [turn for turn in self._turns if any(pad & turn for pad in lately)]
            if len(pressed) == 1:
                self._turned[int(numbers[at - 1]), pressed[0]][int(numbers[at])] += 1
        self._stay(span, numbers)
        if not span.cells or min(span.cells)[0] == 0:  # a piece may stand with some cells above the board
            return
        image = span.frames[span.last : span.last + 1]
        row = int(self._row.of(image)[0]) * (1 if self._row.step > 0 else -1)
        column = int(self._column.of(image)[0]) * (1 if self._column.step > 0 else -1)
        self._locks[int(numbers[-1])][frozenset((y - row, x - column) for y, x in span.cells)] += 1
        places = tuple(np.array(span.cells).T)
        units = self._geometry.units(span.frames)
        self._air.update(units[span.last][places].tolist())
        settled = units[-1][places] if not self._geometry.drawn else units[min(span.last + 2, len(units) - 1)][places]
        self._solid.update(settled.tolist())

    def _stay(self, span: PieceSpan, numbers: NDArray[np.int64]) -> None:
        """Note the taps after which a piece goes on as it was."""
        for at in range(1, len(numbers) - TURN_SHOWS):
            for turn in self._turns:
                tapped = span.pads[at] & turn and not span.pads[at - 1] & turn
                if tapped and (numbers[at - 1 : at + TURN_SHOWS] == numbers[at - 1]).all():
                    self._stayed[int(numbers[at - 1]), turn] += 1

    @property
    def missing(self) -> set[int]:
        """The names in use of which too few locks agree, or whose turns were not seen."""
        untried = {number for number in self._used for turn in self._turns if not self.was_tried(number, turn)}
        return untried | {number for number in self._used if self.is_unseen(number)}

    def was_tried(self, number: int, turn: Pad) -> bool:
        """Returns whether it was seen what a button makes of a name; with two buttons one may tell of the other."""
        others = [other for other in self._turns if other is not turn]
        back = any(self._turned[name, other][number] for name in self._used for other in others)
        return back or bool(self._turned[number, turn]) or self._stayed[number, turn] >= _ENOUGH

    def knows(self, number: int) -> bool:
        """Returns whether a name is in use."""
        return self._in_use[number] >= _IN_USE

    def is_unseen(self, number: int) -> bool:
        """Returns whether too few locks of a name agree."""
        return self._agreed(number) is None

    def number(self, images: History) -> int:
        """Returns the name in the last of these images."""
        return int(self._name.of(images[-1:])[0])

    def shapes(self) -> Shapes:
        """Returns what was collected."""
        solid = [code for code, _ in self._solid.most_common(_MOST_CELLS) if code != self._geometry.empty]
        moving = [code for code in self._air if self._geometry.drawn and code not in (*solid, self._geometry.empty)]
        if self.missing:
            return Shapes((), tuple(sorted(solid)), tuple(sorted(moving)))
        pieces = self._pieces()
        made = [
            Orientation(number, pieces[number], cells, self._after(number), self._locks[number][cells])
            for number in sorted(self._used)
            if (cells := self._agreed(number)) is not None
        ]
        return Shapes(tuple(made), tuple(sorted(solid)), tuple(sorted(moving)))

    @property
    def _used(self) -> list[int]:
        return [number for number, frames in self._in_use.items() if frames >= _IN_USE]

    def _agreed(self, number: int) -> Cells | None:
        """Returns the cells of a name, if enough locks agree and few do not."""
        cells, times = self._locks[number].most_common(1)[0] if self._locks[number] else (frozenset(), 0)
        return cells if times >= _ENOUGH and 2 * times > self._locks[number].total() else None

    def _after(self, number: int) -> dict[Pad, int]:
        used = set(self._used)
        after = {}
        for turn in self._turns:
            seen = [other for other, _ in self._turned[number, turn].most_common(1) if other in used]
            others = [other for other in self._turns if other is not turn]
            back = [name for name in used for other in others if self._turned[name, other][number]]
            stays = self._stayed[number, turn] > _BLOCKED * self._turned[number, turn].total()
            after[turn] = number if stays else (*seen, *back, number)[0]
        return after

    def _pieces(self) -> dict[int, int]:
        """Returns a number for the piece of each name: names that turn into each other are one piece."""
        pieces: dict[int, int] = {}
        for first in sorted(self._used):
            piece = pieces.setdefault(first, len({*pieces.values()}))
            for other in self._used:
                if first in self._after(other).values() or other in self._after(first).values():
                    before = pieces.get(other, piece)
                    pieces = {number: piece if owner == before else owner for number, owner in pieces.items()}
                    pieces[other] = piece
        order = list(dict.fromkeys(pieces[number] for number in sorted(pieces)))
        return {number: order.index(piece) for number, piece in pieces.items()}


def collect(dropper: Dropper, state: bytes, collector: Collector, geometry: Geometry, turns: Sequence[Pad]) -> Shapes:
    """Returns the shapes; it drops more pieces from `state` on where too few were seen of a name in use."""
    if collector.missing:
        _add_more(dropper, state, collector, geometry, turns, _PIECES_SHOWN)
    return collector.shapes()


def collect_also(
    dropper: Dropper, state: bytes, collector: Collector, geometry: Geometry, turns: Sequence[Pad]
) -> Shapes:
    """Returns the shapes with that of the piece at a moment, which no piece before was."""
    _add_more(dropper, state, collector, geometry, turns, 1)
    return collector.shapes()


def _add_more(
    dropper: Dropper, state: bytes, collector: Collector, geometry: Geometry, turns: Sequence[Pad], least: int
) -> None:
    def wanted(here: bytes) -> list[Sequence[Pad]]:
        """Returns the taps that turn the piece at this moment to each name that is missing."""
        reached: dict[int, list[Pad]] = {}
        for turn in turns or (Pad.NONE,):
            for times in range(_TURNS if turns else 1):
                taps = dropper.tapped(turn, times)
                # A frame before them, as pieces are dropped: some games do not look at the pad in each frame.
                number = collector.number(dropper.lab.replay(here, [Pad.NONE, *taps, *[Pad.NONE] * TURN_SHOWS]))
                reached.setdefault(number, taps)
        missing = collector.missing
        ways: list[Sequence[Pad]] = []
        for number, taps in reached.items():
            if number in missing or not collector.knows(number):
                untried = [other for other in turns if not collector.was_tried(number, other)]
                ways += [taps] * _ENOUGH if collector.is_unseen(number) else []
                ways += [[*taps, *dropper.tapped(other)] for other in untried]
        return ways

    for count, span in enumerate(pieces_of(dropper, state, geometry, turns, seed=1, wanted=wanted)):
        collector.add(span)
        if count >= _FURTHER or (count >= least and not collector.missing):
            break
