"""What is known of a colour game's field and piece, and how images are read by it; finds nothing, and knows no rules.

Rows count downwards from the highest stored one, columns from the left. Colours are 1, 2, 3 ... in field and piece
alike. A finding that was not made is None or empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.lab import History
from emubot.discovery.pads import Hand
from emubot.discovery.units import Packing
from emubot.discovery.ways import Station
from emubot.pad import Pad

Numbers = NDArray[np.int64]
Offset = tuple[int, int]  # columns to the right and rows downwards, from the piece's place

EMPTY = 0
UNKNOWN = -1  # a cell whose code is no empty one and no colour's
SIDES = ("none", "left", "right", "up", "down")  # of a cell's other half


@dataclass(frozen=True, slots=True)
class Ruler:
    """A byte that says a column or a row: `first` in column 0 or in the highest stored row, `step` more in the next.

    Where the byte is between two of them, the lower number holds. `signed`: bytes from 0x80 on are below 0.
    """

    index: int
    first: int
    step: int
    signed: bool

    def of(self, images: History) -> Numbers:
        """Returns the column or row of each image."""
        raw = images[:, self.index]
        numbers = (raw.view(np.int8) if self.signed else raw).astype(np.int64) - self.first
        return (numbers if self.step > 0 else -numbers) // abs(self.step)

    @property
    def axis(self) -> Axis:
        """The byte as something that moves."""
        return Axis(self.index, self.step)


@dataclass(frozen=True, slots=True)
class Part:
    """A byte, or some bits of it, that says what a part of the piece is."""

    index: int
    mask: int = 0xFF

    @property
    def shift(self) -> int:
        """The lowest bit."""
        return (self.mask & -self.mask).bit_length() - 1

    def of(self, images: History) -> Numbers:
        """Returns the code in each image."""
        return ((images[:, self.index] & self.mask) >> self.shift).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Turned:
    """What a press makes of an orientation: the number of another one, and how often all parts then move on by one.

    Each part takes the cell of the next one, and the last part the first cell: with two parts they change places.
    """

    to: int
    cycle: int = 0


@dataclass(frozen=True, slots=True)
class Orientation:
    """A number of the orientation byte: the cell of each part from the piece's place, and what each button makes of it.

    Where the places of the cells are known instead of a byte, numbers are our own, and cells are from what turns leave
    in its place.
    """

    number: int
    cells: tuple[Offset, ...]
    after: Mapping[Pad, Turned]


@dataclass(frozen=True, slots=True)
class Links:
    """The bits of a cell that say on which side its other half is; `codes` are (masked) numbers for `SIDES`."""

    mask: int
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColourField:
    """Where the cells are: `units` of the packing by row and column, and what their numbers mean.

    `mask` are the bits of a unit that say what it is: other bits are links, or of chance. `colors` has the colour of
    each masked code that was seen in a lock. `moving` are masked codes of the piece in the air, where it stands in the
    field with codes of its own; `drawn` says that it stands there with those of what locks. `hidden` is how many of the
    highest rows the picture does not show; None if that was not seen.
    """

    packing: Packing
    units: tuple[tuple[int, ...], ...]
    empty: int
    colors: Mapping[int, int]
    mask: int = 0xFF
    links: Links | None = None
    moving: tuple[int, ...] = ()
    drawn: bool = False
    hidden: int | None = None

    @property
    def rows(self) -> int:
        """The number of stored rows."""
        return len(self.units)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.units[0])

    @property
    def bytes(self) -> set[int]:
        """The bytes in which the cells lie."""
        return {self.packing.byte(unit) for row in self.units for unit in row}

    def raw(self, images: History) -> NDArray[np.uint8]:
        """Returns the numbers of the cells: (frames, rows, columns)."""
        return self.packing.of(images)[:, np.array(self.units)]

    def codes(self, images: History) -> NDArray[np.uint8]:
        """Returns the masked numbers of the cells, moving ones as empty ones, in the same shape."""
        codes = (self.raw(images) & self.mask).astype(np.uint8)
        codes[np.isin(codes, self.moving)] = self.empty
        return codes

    def kinds(self, images: History) -> NDArray[np.int64]:
        """Returns 0 for empty cells, colours, and `UNKNOWN` for all other codes, in the same shape."""
        table = np.full(256, UNKNOWN, np.int64)
        table[self.empty] = EMPTY
        for code, color in self.colors.items():
            table[code] = color
        return table[self.codes(images)]

    def sides(self, images: History) -> NDArray[np.int64]:
        """Returns the place in `SIDES` of each cell's link, 0 without links, in the same shape."""
        raw = self.raw(images)
        found = np.zeros(raw.shape, np.int64)
        if self.links is not None:
            for side, code in enumerate(self.links.codes):
                found[(raw & self.links.mask) == code] = side
            found[(raw & self.mask) == self.empty] = 0
        return found


@dataclass(frozen=True, slots=True)
class ColourPiece:
    """The piece: the bytes of its place, orientation and parts. `codes` has the colour of each code of a part.

    `column` and `row` are those of the place that an orientation's cells count from; with `places` they are those of
    the first part, `places` has them for each part, and `turn` is None. `turns` are the buttons that turn it, the
    clockwise one first. `spawn` is the orientation's number, column and row in which pieces appear.
    """

    column: Ruler
    row: Ruler
    turn: Part | None
    orientations: tuple[Orientation, ...]
    turns: tuple[Pad, ...]
    parts: tuple[Part, ...]
    codes: Mapping[int, int]
    next_parts: tuple[Part, ...]
    spawn: tuple[int, int, int]
    places: tuple[tuple[Ruler, Ruler], ...] = ()

    @property
    def bytes(self) -> set[int]:
        """All bytes of the piece and of the next one."""
        rulers = {
            ruler.index for ruler in (self.column, self.row, *(ruler for place in self.places for ruler in place))
        }
        return rulers | {part.index for part in (*self.parts, *self.next_parts, *([self.turn] if self.turn else []))}

    def numbers(self, images: History) -> Numbers:
        """Returns the orientation's number in each image; -1 where the cells are no orientation's."""
        if self.turn is not None:
            return self.turn.of(images)
        (x, y), *others = [(column.of(images), row.of(images)) for column, row in self.places]
        found = np.full(len(images), -1, np.int64)
        for one in self.orientations:
            (first_x, first_y), *rest = one.cells
            same = np.ones(len(images), np.bool_)
            for (other_x, other_y), (dx, dy) in zip(others, rest, strict=True):
                same &= (other_x - x == dx - first_x) & (other_y - y == dy - first_y)
            found[same] = one.number
        return found

    def cells(self, images: History) -> Numbers:
        """Returns the column and row of each part: (frames, parts, 2); far outside where there is no orientation."""
        numbers, places = self.numbers(images), np.stack([self.column.of(images), self.row.of(images)], 1)
        found = np.full((len(images), len(self.parts), 2), -1000, np.int64)
        for one in self.orientations:
            chosen = numbers == one.number
            found[chosen] = (places[chosen] - self._aside(one))[:, None, :] + np.array(one.cells)
        return found

    def cells_at(self, number: int, column: int, row: int) -> tuple[Offset, ...]:
        """Returns the column and row of each part in this orientation, where the bytes of the place say this."""
        one = self.orientation(number)
        x, y = self._aside(one)
        return tuple((column - x + dx, row - y + dy) for dx, dy in one.cells)

    def orientation(self, number: int) -> Orientation:
        """Returns the orientation of this number. Raises StopIteration if there is none."""
        return next(one for one in self.orientations if one.number == number)

    def _aside(self, one: Orientation) -> Offset:
        """Returns how far the bytes of the place are from what the orientation's cells count from."""
        return one.cells[0] if self.places else (0, 0)

    def kinds(self, images: History, upcoming: bool = False) -> Numbers:
        """Returns the colour of each part, 0 for codes of no colour: (frames, parts)."""
        table = np.zeros(256, np.int64)
        for code, color in self.codes.items():
            table[code] = color
        return np.stack([table[part.of(images)] for part in (self.next_parts if upcoming else self.parts)], 1)


@dataclass(frozen=True, slots=True)
class ColourFindings:
    """A colour game so far: how to press, its field and piece, the moment at which play begins and the way there.

    `sprites` are bytes of the picture, which mean nothing by themselves.
    """

    hand: Hand
    field: ColourField
    piece: ColourPiece
    play: bytes
    stations: tuple[Station, ...]
    sprites: frozenset[int]
