"""Finds the bytes that hold the place of each of a piece's cells, where no byte names the piece, and its turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.board import Place
from emubot.discovery.lab import History
from emubot.discovery.pieces import TURN_SHOWS, PieceSpan
from emubot.discovery.pivots import lateness
from emubot.discovery.screens import STACK
from emubot.pad import Pad
from emubot.rammap.spaces import address_of

Cells = tuple[Place, ...]  # [row, column] of each cell, on the board or from a pivot

_AGREED: Final = 0.95  # of the locks in which a byte must be the place of a cell
_SEEN: Final = 2  # times that a turn must have been seen
_STEADY: Final = 2  # frames that a shape must stay to count


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A byte with the column or row of a cell: its number in the axis' direction, plus `offset`."""

    axis: Axis
    offset: int

    def of(self, images: History) -> NDArray[np.int64]:
        """Returns the column or row of each image."""
        return self.axis.of(images) * (1 if self.axis.step > 0 else -1) + self.offset


@dataclass(frozen=True, slots=True)
class Turned:
    """An orientation: its cells as [row, column] from the pivot, and what each button makes of it."""

    number: int
    piece: int
    cells: Cells
    after: Mapping[Pad, int]


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The column and row of each cell, and the orientations that were seen."""

    cells: tuple[tuple[Coordinate, Coordinate], ...]
    orientations: tuple[Turned, ...]
    in_order: bool = False  # whether orientations differ by which of the cells is where, too

    @property
    def turns(self) -> list[Pad]:
        """The buttons that turn a piece: one, or two that turn it different ways."""
        found: dict[tuple[int, ...], Pad] = {}
        for button in self.orientations[0].after:
            after = tuple(one.after[button] for one in self.orientations)
            if after != tuple(one.number for one in self.orientations):
                found.setdefault(after, button)
        return list(found.values())[:2]


def _places(cells: Sequence[tuple[Coordinate, Coordinate]], images: History) -> Iterator[Cells]:
    columns = np.array([column.of(images) for column, _ in cells]).T
    rows = np.array([row.of(images) for _, row in cells]).T
    for across, down in zip(columns.tolist(), rows.tolist(), strict=True):
        yield tuple(zip(down, across, strict=True))


def coordinates(
    spans: Sequence[PieceSpan],
    columns: Sequence[Axis],
    rows: Sequence[Axis],
    turns: Sequence[Pad],
    drawn: Set[int] = frozenset(),
) -> Coordinates | None:
    """Returns the bytes of all cells, and the orientations with their turns by these buttons; None if there are none.

    `drawn` are bytes of sprites, which only show what is elsewhere, too. Pieces of which some have fewer cells than
    others are not found.
    """
    locks = [span for span in spans if span.cells and min(span.cells)[0] > 0]
    if not locks:
        return None
    images = np.concatenate([span.frames[span.last : span.last + 1] for span in locks])
    cells = [frozenset(span.cells or ()) for span in locks]
    own = [
        _own([axis for axis in axes if address_of(axis.index) not in STACK and axis.index not in drawn], images, spans)
        for axes in (columns, rows)
    ]
    pairs = _pairs(own[0], own[1], images, cells)
    if not pairs:
        return None
    in_order = _unlike(_made(pairs, spans, turns, False)) > _unlike(_made(pairs, spans, turns, True))
    orientations = _orientations(_made(pairs, spans, turns, in_order), turns)
    return Coordinates(pairs, orientations, in_order) if orientations else None


def _own(axes: Sequence[Axis], images: History, spans: Sequence[PieceSpan]) -> list[Axis]:
    """Returns the axes without those that say the same of all images as another one, and only copy it.

    A copy has the next piece's place later. Of bytes that have it at once those in pixels are left out: they are often
    only drawn.
    """
    alike: dict[tuple[int, ...], dict[Axis, float]] = {}
    for axis in axes:
        numbers = Coordinate(axis, 0).of(images)
        wait, _ = lateness(axis, spans)
        alike.setdefault(tuple((numbers - numbers[0]).tolist()), {})[axis] = wait
    found: list[Axis] = []
    for group in alike.values():
        soonest = [axis for axis, waits in group.items() if waits == min(group.values())]
        found += [axis for axis in soonest if abs(axis.step) == 1] or soonest
    return found


def _fits(axis: Axis, images: History, allowed: Sequence[set[int]]) -> Coordinate | None:
    """Returns a byte as a coordinate, if one offset makes it one of the `allowed` numbers in nearly all images."""
    numbers = Coordinate(axis, 0).of(images).tolist()
    offsets = Counter(
        other - number for number, places in zip(numbers, allowed, strict=True) for other in places
    ).most_common(1)
    if not offsets or offsets[0][1] < _AGREED * len(numbers):
        return None
    return Coordinate(axis, offsets[0][0])


def _pairs(
    columns: Sequence[Axis], rows: Sequence[Axis], images: History, cells: Sequence[frozenset[Place]]
) -> tuple[tuple[Coordinate, Coordinate], ...]:
    """Returns the pairs of bytes that are all cells in nearly all images; none if there are no such pairs."""
    across = [found for axis in columns if (found := _fits(axis, images, [{c for _, c in one} for one in cells]))]
    down = [found for axis in rows if (found := _fits(axis, images, [{r for r, _ in one} for one in cells]))]
    size = Counter(map(len, cells)).most_common(1)[0][0]
    is_cell: dict[tuple[Coordinate, Coordinate], list[Place]] = {}
    for column in across:
        for row in down:
            places = list(zip(row.of(images).tolist(), column.of(images).tolist(), strict=True))
            if sum(place in one for place, one in zip(places, cells, strict=True)) >= _AGREED * len(cells):
                is_cell[column, row] = places
    chosen: list[tuple[Coordinate, Coordinate]] = []
    covered: list[set[Place]] = [set() for _ in cells]
    while len(chosen) < size and is_cell:
        gains = {
            pair: sum(place not in seen for place, seen in zip(places, covered, strict=True))
            for pair, places in is_cell.items()
        }
        best = max(is_cell, key=lambda pair: (gains[pair], -_apart(pair, chosen)))
        if gains[best] < _AGREED * len(cells):
            return ()
        for place, seen in zip(is_cell[best], covered, strict=True):
            seen.add(place)
        chosen.append(best)
    whole = sum(seen == set(one) for seen, one in zip(covered, cells, strict=True))
    return tuple(chosen) if whole >= _AGREED * len(cells) else ()


def _apart(pair: tuple[Coordinate, Coordinate], chosen: Sequence[tuple[Coordinate, Coordinate]]) -> int:
    """Returns how far a pair lies from those that were chosen: the cells of a piece lie side by side."""
    return sum(
        abs(one.axis.index - other.axis.index) for before in chosen for one, other in zip(pair, before, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """How often each form was seen under control, and what turns made of it.

    `turns` has the form, the button, the form after it, and how its corner moved.
    """

    seen: Counter[Cells]
    turns: Counter[tuple[Cells, Pad, Cells, Place]]

    @property
    def forms(self) -> list[Cells]:
        """Those that stayed."""
        return [form for form, times in self.seen.items() if times > _STEADY]


def _made(
    pairs: Sequence[tuple[Coordinate, Coordinate]], spans: Sequence[PieceSpan], turns: Sequence[Pad], in_order: bool
) -> _Made:
    made = _Made(Counter(), Counter())
    for span in spans:
        under = list(_places(pairs, span.frames[: span.last + 1]))
        forms = [_form(cells, in_order) for cells in under]
        for at, (form, corner) in enumerate(forms):
            made.seen[form] += 1
            if not at or form == forms[at - 1][0]:
                continue
            pressed = [turn for turn in turns if any(pad & turn for pad in span.pads[max(at - TURN_SHOWS, 0) : at + 1])]
            if len(pressed) == 1 and under[at : at + _STEADY] == [under[at]] * _STEADY:
                before, start = forms[at - 1]
                made.turns[before, pressed[0], form, (corner[0] - start[0], corner[1] - start[1])] += 1
    return made


def _unlike(made: _Made) -> int:
    """Returns how often a turn made something else of a form than most times."""
    most = Counter[tuple[Cells, Pad]]()
    for (form, button, _, _), times in made.turns.items():
        most[form, button] = max(most[form, button], times)
    return made.turns.total() - most.total()


def _orientations(made: _Made, turns: Sequence[Pad]) -> tuple[Turned, ...]:
    """Returns the orientations seen under control; a turn keeps the pivot, which is a cell's place in the first one."""
    forms = made.forms
    turned: dict[tuple[Cells, Pad], tuple[Cells, Place]] = {}
    for (form, button, after, by), times in made.turns.most_common():
        if times >= _SEEN and form in forms and after in forms:
            turned.setdefault((form, button), (after, by))
    numbers = {form: number for number, form in enumerate(forms)}
    corners, pieces = _placed(forms, turned)
    return tuple(
        Turned(
            numbers[form],
            pieces[form],
            tuple((row + corners[form][0], column + corners[form][1]) for row, column in form),
            {
                button: numbers[turned[form, button][0]] if (form, button) in turned else numbers[form]
                for button in turns
            },
        )
        for form in forms
    )


def _placed(
    forms: Sequence[Cells], turned: Mapping[tuple[Cells, Pad], tuple[Cells, Place]]
) -> tuple[dict[Cells, Place], dict[Cells, int]]:
    """Returns where each form's corner lies from its piece's pivot, and a number for its piece."""
    corners: dict[Cells, Place] = {}
    pieces: dict[Cells, int] = {}
    for first in forms:
        if first in corners:
            continue
        corners[first], pieces[first] = (0, 0), len({*pieces.values()})
        edge = [first]
        while edge:
            form = edge.pop()
            for (before, _), (after, by) in turned.items():
                if before == form and after not in corners:
                    corners[after] = (corners[form][0] + by[0], corners[form][1] + by[1])
                    pieces[after] = pieces[first]
                    edge.append(after)
    return corners, pieces


def _form(cells: Cells, in_order: bool) -> tuple[Cells, Place]:
    """Returns cells as seen from their upper left corner, and where that is; sorted if their order tells nothing."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    form = [(row - top, column - left) for row, column in cells]
    return tuple(form if in_order else sorted(form)), (top, left)
