"""The part of memory in which a colour game's cells are, from the floor to where pieces enter; knows no kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.landings import Image, Landing
from emubot.discovery.colours.lattices import MOST_PARTS, Lattice
from emubot.discovery.lab import History
from emubot.discovery.units import Packing
from emubot.errors import NotDiscovered

Cell = tuple[int, int]  # column from the left, and row downwards from the highest one that is looked at

_ABOVE: Final = 3  # rows above those that pieces enter at
_BELOW: Final = 32  # by which a row's byte may go on below the place of a piece on the floor
_MOSTLY: Final = 0.8  # of the pieces in the air must be seen in the cells, where a game draws them there
_STAYS: Final = 0.15  # of the landings in which a part of a piece is where it landed: others fell further or vanished
_NEW: Final = 0.5  # of them, for a cell beside those parts
_SELDOM: Final = 0.05  # of the cells may be misread


@dataclass(frozen=True, slots=True)
class Area:
    """Cells by row and column. `chance` are bits of a cell that mean nothing; `drawn`: the piece in the air is in them.

    `moving` is the code that it has there, if it is not that of what locks.

    `column` and `row` are the bytes of the piece's place with their steps; the cells of a piece that was not turned are
    `parts`, where these bytes are `origin`.
    """

    packing: Packing
    units: NDArray[np.int64]
    empty: int
    chance: int
    drawn: bool
    moving: int | None
    column: tuple[int, int]
    row: tuple[int, int]
    origin: tuple[int, int]
    parts: tuple[Cell, ...]

    def with_chance(self, codes: Sequence[int]) -> Area:
        """Returns the area by more numbers of cells that were empty: bits in which they vary mean nothing."""
        chance = self.chance | (_varies(np.array(codes, np.int64)) & ((1 << self.packing.bits) - 1))
        return replace(self, chance=chance, empty=self.empty & ~chance)

    def place(self, image: Image) -> Cell:
        """Returns how many columns and rows the piece is away from `origin`."""
        (column, across), (row, down) = self.column, self.row
        lower = _lower(int(image[row]), self.origin[1], down)
        return _apart(int(image[column]), self.origin[0]) // across, lower // down

    def codes(self, image: Image) -> NDArray[np.uint8]:
        """Returns the numbers of the cells, without the bits of chance and what is only drawn there."""
        return np.asarray(self._codes(self.raw(image[None]))[0], np.uint8)

    def _codes(self, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
        codes = raw & (0xFF - self.chance)
        return np.asarray(codes if self.moving is None else np.where(codes == self.moving, self.empty, codes), np.uint8)

    def unturned(self, image: Image) -> set[Cell]:
        """Returns the cells of a piece that has not been turned."""
        x, y = self.place(image)
        return {(column + x, row + y) for column, row in self.parts}

    def raw(self, images: History) -> NDArray[np.uint8]:
        """Returns the numbers of the cells with all bits: (frames, rows, columns)."""
        return np.asarray(self.packing.of(images)[:, self.units], np.uint8)

    def locked(self, frames: History, gone: int) -> tuple[Mapping[Cell, int], int]:
        """Returns the cells that a piece filled, with their numbers, and the first frame in which it had.

        `frames` are memory from before it was moved until the next one obeys; in `gone` it is elsewhere. Cells that
        fell further at once are where they fell to.
        """
        raw = self.raw(frames)
        codes = self._codes(raw)
        if self.drawn and self.moving is None:  # it is in its cells since it fell for the last time
            falls = np.flatnonzero(np.diff(frames[:gone, self.row[0]]))
            at = int(falls[-1]) + 1 if falls.size else gone - 1
            blank = codes[0].copy()
            for column, row in self.unturned(frames[0]):
                if 0 <= row < blank.shape[0] and 0 <= column < blank.shape[1]:
                    blank[row, column] = self.empty
            changed = (codes[at] != blank) & (codes[at] != self.empty)
        else:
            changes = (codes != codes[0]) & (codes != self.empty)
            at = int(changes.any((1, 2)).argmax())
            changed = changes[at]
        return {(int(column), int(row)): int(raw[at, row, column]) for row, column in np.argwhere(changed)}, at


def area(lattice: Lattice, landings: Sequence[Landing], column: tuple[int, int], row: int) -> Area:
    """Returns the area. `column` is the byte of the column with its step, `row` that of the row."""
    step, reference, first = lattice.row_step, lattice.reference, lattice.parts[0]
    offsets = [_offset(part - first, lattice) for part in lattice.parts]
    shifts = [(one.across - reference.across, (one.down - reference.down) // step) for one in landings]
    falls = [_lower(int(one.after[row]), reference.down, step) for one in landings]
    down = [y for _, y in offsets]
    top, lowest = min(fall // step for fall in falls) + min(down) - _ABOVE, max(y for _, y in shifts) + max(down)
    across = [x + shift for shift, _ in shifts for x, _ in offsets]
    left, right = min(across), max(across)
    if top > lowest:
        raise NotDiscovered("Cells fill where pieces land, but pieces do not enter above them.")
    rows, columns = np.mgrid[top : lowest + 1, left : right + 1]
    units = np.asarray(first + rows * lattice.down + columns * lattice.across, np.int64)
    last = len(lattice.packing.of(reference.before[None])[0])
    inside = (units >= 0).all(1) & (units < last).all(1)
    if not inside.any():
        raise NotDiscovered("Cells fill where pieces land, but memory has no room for rows of them.")
    units, top = units[inside], top + int(inside.argmax())
    cells = np.array([lattice.cells(one) for one in landings]) % last
    before = np.array(
        [lattice.packing.of(one.before[None])[0][each] for one, each in zip(landings, cells, strict=True)]
    )
    chance = _varies(before)
    empty = Counter(int(code) & ~chance & 0xFF for code in before.ravel()).most_common(1)[0][0]
    blank = [
        lattice.packing.of(one.before[None])[0][units] & (0xFF - chance) == empty for one in landings if not one.number
    ]
    cut = next((row + 1 for row in reversed(range(_ABOVE)) if not np.all([each[row] for each in blank])), 0)
    while np.isin(units[cut], units[cut + 1 :]).any():  # above a column that follows another one is that one's floor
        cut += 1
    units, top = units[cut:], top + cut
    units = np.concatenate([units, *_covered(units, lattice, landings, chance, empty)])
    # A row's byte may count on while a piece waits in a row: the numbers of a row begin with that in which one enters.
    entry = min(falls) if step > 0 else max(falls)
    place = int(reference.drop.moved[0, column[0]]), reference.down - (-entry) % step
    parts = tuple((x - left, y - top) for x, y in offsets)
    found = Area(lattice.packing, units, empty, chance, False, None, column, (row, step), place, parts)
    found = replace(found, parts=_parts(found, landings, shifts))
    shown = [_shown(found, one.after) for one in landings]
    drawn = float(np.mean([bool(codes) and found.empty not in codes for codes in shown])) >= _MOSTLY
    codes = Counter(code for each in shown for code in each)
    moving = codes.most_common(1)[0][0] if drawn and codes.most_common(1)[0][1] >= _MOSTLY * codes.total() else None
    return replace(found, drawn=drawn, moving=moving)


def _covered(
    units: NDArray[np.int64], lattice: Lattice, landings: Sequence[Landing], chance: int, empty: int
) -> Iterator[NDArray[np.int64]]:
    """Yields the rows below the lowest one in which a piece landed: targets of a stage may cover them.

    Such a row holds what rows above hold; or it has empty cells, and others under all pieces that lie above it.
    """
    codes = lattice.packing.of(landings[0].before[None])[0] & (0xFF - chance)
    known = {*codes[units[len(units) // 2 :]].ravel().tolist()}  # the highest rows may be above the field
    row = units[-1:] + lattice.down
    while (row >= 0).all() and (row < len(codes)).all():
        held = {*codes[row].ravel().tolist()}
        if held == {empty} or np.isin(row, units).any():
            return
        if not held <= known and not (empty in held and _carries(row, lattice, landings, chance, empty)):
            return
        yield row
        row = row + lattice.down


def _carries(row: NDArray[np.int64], lattice: Lattice, landings: Sequence[Landing], chance: int, empty: int) -> bool:
    """Returns whether pieces lie on what is in a row: on a cell that is not empty each, and in at least two places."""
    lying = set[tuple[int, ...]]()
    for one in landings:
        below = tuple(cell + lattice.down for cell in lattice.cells(one) if cell + lattice.down in row)
        if below and (lattice.packing.of(one.before[None])[0][[*below]] & (0xFF - chance) == empty).all():
            return False
        lying |= {below} if below else set()
    return len(lying) > 1


def _parts(found: Area, landings: Sequence[Landing], shifts: Sequence[Cell]) -> tuple[Cell, ...]:
    """Returns the cells of a piece by those that landings fill and leave filled; some may have fallen further."""
    near = {(x + dx, y + dy) for x, y in found.parts for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}
    hits: Counter[Cell] = Counter()
    for one, by in zip(landings, shifts, strict=True):
        old, new = found.codes(one.before), found.codes(one.after)
        for x, y in near:
            column, row = x + by[0], y + by[1]
            if 0 <= row < old.shape[0] and 0 <= column < old.shape[1]:
                hits[x, y] += int(old[row, column] == found.empty != new[row, column])
    least = {cell: _STAYS if cell in found.parts else _NEW for cell in near}
    return tuple(sorted(cell for cell in near if hits[cell] >= least[cell] * len(landings)))


def _shown(found: Area, image: Image) -> list[int]:
    """Returns what the cells hold in which a piece is that was not turned."""
    codes = found.codes(image)
    cells = found.unturned(image)
    return [int(codes[y, x]) for x, y in cells if 0 <= y < codes.shape[0] and 0 <= x < codes.shape[1]]


def _apart(number: int, other: int) -> int:
    """Returns how much a byte is more than another one, from -128 on."""
    return (number - other + 128) % 256 - 128


def _lower(number: int, other: int, step: int) -> int:
    """Returns how much the byte of a row is more than that of a piece on the floor: most pieces are higher than that.

    Where a byte holds pixels, a field may be more than half of its numbers high.
    """
    way = 1 if step > 0 else -1
    return way * ((way * (number - other) - _BELOW - 1) % 256 - 255 + _BELOW)


def _offset(units: int, lattice: Lattice) -> Cell:
    """Returns how many columns and rows apart two parts of a piece are, one of which is so many units further."""
    aside = abs(units // lattice.across) if units % lattice.across == 0 else MOST_PARTS + 1
    downwards = abs(units // lattice.down) if units % lattice.down == 0 else aside + 1
    if aside <= min(downwards, MOST_PARTS):  # in a narrow field, a row is as far as a few columns
        return units // lattice.across, 0
    return 0, units // lattice.down


def _varies(codes: NDArray[np.uint8]) -> int:
    """Returns the bits that are not the same in all codes, but for a few of them."""
    ones = [(int(bit), int(((codes >> bit) & 1).sum())) for bit in range(8)]
    least = max(_SELDOM * codes.size, 2)
    return sum(1 << bit for bit, count in ones if least < count < codes.size - least)
