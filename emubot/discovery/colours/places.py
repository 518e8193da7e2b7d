"""Finds the bytes of each cell's place where no byte says how a piece is turned; knows no kinds.

What it finds is one number of the piece's orientation for each way in which its cells lie. It is put behind all other
bytes, so that further experiments read it as a byte of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.findings import ColourPiece, Ruler
from emubot.discovery.colours.landings import Image
from emubot.discovery.colours.spans import Span
from emubot.discovery.colours.turning import Presses
from emubot.discovery.lab import History, Lab
from emubot.pad import Pad

_FILLED: Final = 0.5  # of the turned pieces must have filled cells where its bytes are: others fell further
_PAIR: Final = 2  # cells of a piece
_NO_NUMBER: Final = 0xFF  # of cells that do not lie as any piece did
_NEGATIVE: Final = 0x80  # bytes from here on are rows above the field, where none of its rows has so high a number

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Byte:
    """A byte that says a column or a row of the area: `first` in the first one, `step` more in the next."""

    index: int
    first: int
    step: int

    def of(self, images: History) -> Numbers:
        apart = (images[:, self.index].astype(np.int64) - self.first + 128) % 256 - 128
        return apart // self.step

    def ruler(self, begins: int, ends: int, can_be_signed: bool) -> Ruler:
        """Returns the byte as a ruler from the column or row `begins` on."""
        first, last = (self.first + at * self.step for at in (begins, ends))
        if can_be_signed and self.step > 0 and (last + 128) % 256 - 128 > (first + 128) % 256 - 128:
            first = (first + 128) % 256 - 128
            return Ruler(self.index, first, self.step, signed=first + (ends - begins) * self.step < _NEGATIVE)
        return Ruler(self.index, first % 256, self.step, signed=False)


@dataclass(frozen=True, slots=True)
class Places:
    """The bytes of the column and the row of each cell, and how the second one lies from the first, by its number."""

    cells: tuple[tuple[_Byte, _Byte], ...]
    ways: tuple[Cell, ...]

    def of(self, images: History) -> Numbers:
        """Returns the column and row of each cell: (frames, cells, 2)."""
        return np.stack([np.stack([x.of(images), y.of(images)], 1) for x, y in self.cells], 1)

    def numbers(self, images: History) -> NDArray[np.uint8]:
        """Returns the number of the orientation in each image."""
        places = self.of(images)
        apart = places[:, 1] - places[:, 0]
        found = np.full(len(images), _NO_NUMBER, np.uint8)
        for number, way in enumerate(self.ways):
            found[(apart == way).all(1)] = number
        return found

    def numbered(self, images: History) -> History:
        """Returns images with the number behind all other bytes."""
        return np.concatenate([images, self.numbers(images)[:, None]], axis=1)

    def span(self, span: Span) -> Span:
        """Returns a span with the number in its images."""

        def one(image: Image) -> Image:
            return np.asarray(self.numbered(image[None])[0], np.uint8)

        held = self.numbered(span.held)
        return replace(span, before=one(span.before), held=held, last=one(span.last), after=one(span.after))


class NumberedLab(Lab):
    """A console whose images have the number of the piece's orientation behind all other bytes."""

    def __init__(self, lab: Lab, places: Places) -> None:
        super().__init__(lab.bridge)
        self._places = places

    def play(self, pads: Iterable[Pad]) -> History:
        """Play a frame with each of these pads; returns the images after them."""
        return self._places.numbered(super().play(pads))


def turning(moments: Sequence[Sequence[Presses]], axes: Sequence[Axis]) -> list[Pad]:
    """Returns the buttons after which a byte that follows the piece is not as before, and is again in the end."""
    indices = [axis.index for axis in axes]
    found = []
    for each in zip(*moments, strict=True):
        seen = [one.images[:, indices] for one in each]
        if all((images[1] != images[0]).any() and (images[-1] == images[0]).all() for images in seen):
            found.append(each[0].button)
    return found


def places(
    columns: Sequence[Axis], rows: Sequence[Axis], spans: Sequence[Span], area: Area, sprites: Set[int]
) -> Places | None:
    """Returns the bytes by which each cell was filled where they said; None if there are none for each cell."""
    unturned = [span for span in spans if not span.times and span.locked]
    turned = [span for span in spans if span.times and span.locked]
    if not turned or not unturned or len(area.parts) != _PAIR:
        return None
    sides = [
        [*product(_bytes(columns, 0, cell, unturned, area, sprites), _bytes(rows, 1, cell, unturned, area, sprites))]
        for cell in area.parts
    ]
    rated = [
        (_filled(Places(cells, ()), turned), _beside(Places(cells, ()), turned), cells) for cells in product(*sides)
    ]
    filled, _, best = max(rated, key=lambda each: each[:2], default=(0.0, 0.0, ()))
    if filled < _FILLED:
        return None
    apart = np.diff(Places(best, ()).of(np.array([span.last for span in (*unturned, *turned)])), axis=1)[:, 0]
    ways = dict.fromkeys((int(x), int(y)) for x, y in apart if abs(x) + abs(y) == 1)
    return Places(best, tuple(ways))


def _bytes(
    axes: Sequence[Axis], side: int, cell: Cell, unturned: Sequence[Span], area: Area, sprites: Set[int]
) -> Iterator[_Byte]:
    """Yields the bytes that say where a cell of unturned pieces is; `side` is 0 for columns and 1 for rows."""
    own = (area.column, area.row)[side]
    images = np.array([span.last for span in unturned])
    there = np.array([area.place(span.last)[side] + cell[side] for span in unturned])
    for index in dict.fromkeys([own[0], *(axis.index for axis in axes)]):
        first = (images[:, index].astype(np.int64) - there * own[1]) % 256
        if index not in sprites and (first == first[0]).all():
            yield _Byte(index, int(first[0]), own[1])


def _filled(places: Places, spans: Sequence[Span]) -> float:
    """Returns the share of the pieces whose cells lie side by side or one on the other, and were filled there."""
    found = places.of(np.array([span.last for span in spans]))
    beside = abs(np.diff(found, axis=1)).sum((1, 2)) == 1
    filled = [all((int(x), int(y)) in span.locked for x, y in cells) for cells, span in zip(found, spans, strict=True)]
    return float((beside & np.array(filled)).mean())


def _beside(places: Places, spans: Sequence[Span]) -> float:
    """Returns the share of images in which the cells lie side by side or one on the other: a late copy lacks some."""
    found = places.of(np.concatenate([span.held for span in spans]))
    return float((abs(np.diff(found, axis=1)).sum((1, 2)) == 1).mean())


def with_places(
    piece: ColourPiece,
    found: Places,
    cells: Mapping[int, Sequence[Cell]],
    first: int,
    presses: Sequence[Presses],
    area: Area,
    top: int,
) -> ColourPiece:
    """Returns a piece that was found by its number, by the places of its cells.

    `cells` are those of each number in the order of the parts, `first` is the number of a piece that was not turned.
    `presses` show which part stays where it is in a turn.
    """
    order = [area.parts.index(cell) for cell in cells[first]]
    columns, rows = area.units.shape[1], len(area.units)
    by_part = tuple(
        (x.ruler(0, columns - 1, can_be_signed=False), y.ruler(top, rows - 1, can_be_signed=True))
        for x, y in (_paired(found, cells, order, area)[number] for number in order)
    )
    pivot = _pivot(by_part, presses)
    orientations = tuple(
        replace(one, cells=tuple((x - one.cells[pivot][0], y - one.cells[pivot][1]) for x, y in one.cells))
        for one in piece.orientations
    )
    spawn = (piece.spawn[0], *piece.cells_at(*piece.spawn)[0])
    return replace(
        piece,
        column=by_part[0][0],
        row=by_part[0][1],
        turn=None,
        orientations=orientations,
        places=by_part,
        spawn=spawn,
    )


def _paired(
    found: Places, cells: Mapping[int, Sequence[Cell]], order: Sequence[int], area: Area
) -> tuple[tuple[_Byte, _Byte], ...]:
    """Returns the bytes of each cell: the column of one and the row of the other lie in the same cells, taken together.

    `cells` say which part is where.
    """
    sign = 1 if order[0] < order[1] else -1
    apart = {number: (other[0] - one[0], other[1] - one[1]) for number, (one, other) in cells.items()}
    if all(apart[number] == (sign * x, sign * y) for number, (x, y) in enumerate(found.ways) if number in apart):
        return found.cells
    (x, y), (other_x, other_y) = found.cells
    is_upright = area.parts[0][0] == area.parts[1][0]
    return ((other_x, y), (x, other_y)) if is_upright else ((x, other_y), (other_x, y))


def _pivot(places: Sequence[tuple[Ruler, Ruler]], presses: Sequence[Presses]) -> int:
    """Returns the part that turns leave in its place, or most often; the first one of equals."""
    images = [one.images for one in presses]
    moved = [sum(int(_moved(place, turned).sum()) for turned in images) for place in places]
    return moved.index(min(moved))


def _moved(place: tuple[Ruler, Ruler], images: History) -> NDArray[np.bool_]:
    x, y = (ruler.of(images) for ruler in place)
    return np.asarray((x[1:] != x[:-1]) | (y[1:] != y[:-1]), np.bool_)
