"""Finds where the cells of a colour game's field lie, from pieces that landed unturned; knows no codes and no parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.landings import Landing
from emubot.discovery.units import BYTES, Packing, Units

MOST_PARTS: Final = 4  # of a piece
_PACKINGS: Final = (BYTES, Packing(4), Packing(4, False))  # of equal explanations the first one is taken
_MOST_ACROSS: Final = 40  # units from a column to the next
_MOST_DOWN: Final = 130  # units from a row to the next, or over as many rows as two pieces on each other differ
_HITS: Final = 0.7  # of the landings must have filled the cell that they should have: in others it vanished or fell
_CLEAN: Final = 0.5  # of the cells must be left alone by pieces that landed elsewhere
_LEFT: Final = 0.3  # of the landings must have left something in the cell: others only passed it, or it vanished
_EVERYWHERE: Final = 0.7  # of the columns: what changes in more of them is no cell
_KEPT: Final = 0.6  # of the cells must stay as they are when the next piece lands on them
_CHANCE_BITS: Final = 3  # of a code may differ from cell to cell
_PASSING: Final = 0.15  # so much worse is what counts cells that a piece only passed, where it is drawn into the field
_VARIETY: Final = 0.03  # so much worse is each code: what is of chance beside a cell has more of them
_TRIED: Final = 12  # steps with most hits that are looked at closely


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where a cell is: units of `packing`, `across` to the next column and `down` to the next row downwards.

    `row_step` is what a row downwards adds to the byte of the row. `parts` are the units of the cells in which the
    reference landing left its parts, the first in memory first.
    """

    packing: Packing
    across: int
    down: int
    row_step: int
    parts: tuple[int, ...]
    reference: Landing

    @property
    def bytes(self) -> set[int]:
        """The bytes in which the reference landing left its parts."""
        return {self.packing.byte(part) for part in self.parts}

    def cells(self, landing: Landing) -> tuple[int, ...]:
        """Returns the units in which a landing left its parts."""
        rows = (landing.down - self.reference.down) // self.row_step
        by = (landing.across - self.reference.across) * self.across + rows * self.down
        return tuple(part + by for part in self.parts)

    def fits(self, landings: Sequence[Landing]) -> bool:
        """Returns whether memory has room for the cells of the landings: cells of a few may have fallen further."""
        size = self.packing.of(self.reference.before[None]).shape[1]
        cells = np.array([self.cells(one) for one in landings])
        return bool(((cells >= 0) & (cells < size)).all(1).mean() >= _HITS)


class _Seen:
    """What changed in the units of one packing by each landing."""

    def __init__(self, landings: Sequence[Landing], packing: Packing, meanwhile: bool) -> None:
        """`meanwhile`: what was another number in any frame since the piece was moved aside counts as changed."""
        self.packing = packing
        self.before: Units = packing.of(np.array([one.before for one in landings]))
        self.after: Units = packing.of(np.array([one.after for one in landings]))
        self.changed = self.before != self.after
        if meanwhile:
            self.changed |= np.array(
                [
                    (packing.of(one.drop.frames[one.drop.aside :]) != packing.of(one.before[None])).any(0)
                    for one in landings
                ]
            )
        numbers = np.array([one.number for one in landings])
        self.first = numbers == 0
        self.changed &= self.changed[self.first].mean(0) <= _EVERYWHERE
        self.follows = [
            (at - 1, at)
            for at in range(1, len(landings))
            if numbers[at - 1] and landings[at].across == landings[at - 1].across
        ]


def lattices(landings: Sequence[Landing], way: int) -> list[Lattice]:
    """Returns the lattices that explain the landings, the best first; no two leave a part in the same cell.

    `way` is 1 if the row's byte grows as a piece falls, otherwise -1.
    """
    rated: list[tuple[float, Lattice]] = []
    for packing in _PACKINGS:
        for meanwhile in (False, True):
            for found, hits in _lattices(landings, _Seen(landings, packing, meanwhile), way):
                share = hits / len(landings) - (_PASSING if meanwhile else 0.0) - _VARIETY * _codes(found, landings)
                if found.fits(landings):
                    rated.append((share, found))
    best: list[Lattice] = []
    for _, found in sorted(rated, key=lambda each: -each[0]):
        if not any(other.bytes & found.bytes for other in best):
            best.append(found)
    return best


def _codes(found: Lattice, landings: Sequence[Landing]) -> int:
    """Returns how many different codes the landings left in their cells."""
    after = found.packing.of(np.array([one.after for one in landings]))
    cells = np.array([found.cells(one) for one in landings]) % after.shape[1]
    return len(np.unique(np.take_along_axis(after, cells, 1)))


def _lattices(landings: Sequence[Landing], seen: _Seen, way: int) -> Iterator[tuple[Lattice, float]]:
    """Yields lattices, and how many landings they explain by each of their parts on average."""
    reference = landings[0]
    aside = np.array([one.across - reference.across for one in landings])
    falls = np.array([one.down - reference.down for one in landings])
    fallen = gcd(*map(int, falls))
    if not fallen:
        return
    falls = falls // fallen * way
    cells = np.flatnonzero(seen.changed[0])
    for across, down, hits in _steps(seen, cells, aside, falls):
        shifts = aside * across + falls * down
        whole = {
            int(cell): int(count)
            for cell, count in zip(cells, hits, strict=True)
            if count >= _HITS * len(landings) and _is_cell(int(cell), seen, shifts)
        }
        for parts, rows in _parts(whole, across, down):
            if fallen % rows == 0 and down % rows == 0:
                step = fallen // rows * way
                found = Lattice(seen.packing, across, down // rows, step, parts, reference)
                yield found, float(np.mean([whole[part] for part in parts]))


def _steps(
    seen: _Seen, cells: NDArray[np.int64], aside: NDArray[np.int64], falls: NDArray[np.int64]
) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
    """Yields the steps aside and downwards by which most cells of most landings changed, with the hits of each cell."""
    limit = _MOST_ACROSS if seen.packing == BYTES else 1
    downs = np.array([way * step for step in range(1, _MOST_DOWN + 1) for way in (1, -1)])
    least = _HITS * len(aside)
    found: list[tuple[int, int, int, NDArray[np.int64]]] = []
    numbers, units = np.arange(len(aside)), seen.changed.shape[1]
    for across in (way * step for step in range(1, limit + 1) for way in (1, -1)):
        there = cells[None, :, None] + (aside * across)[None, None] + (falls[None] * downs[:, None])[:, None]
        hits = seen.changed[numbers, there % units].sum(2)
        scores = np.where(hits >= least, hits, 0).sum(1)
        found += [(int(scores[at]), across, int(downs[at]), hits[at]) for at in np.flatnonzero(scores)]
    found.sort(key=lambda each: -each[0])
    yield from ((across, down, hits) for _, across, down, hits in found[:_TRIED])


def _is_cell(cell: int, seen: _Seen, shifts: NDArray[np.int64]) -> bool:
    """Returns whether a unit is left alone where the piece landed elsewhere, keeps its code, and has always one."""
    there = (cell + shifts) % seen.changed.shape[1]
    first, numbers = seen.first, np.arange(len(shifts))
    elsewhere = there[first][None] != there[first][:, None]
    if not elsewhere.any() or seen.changed[first][:, there[first]][elsewhere].mean() > 1 - _CLEAN:
        return False
    stays = seen.before[numbers, there] != seen.after[numbers, there]
    if stays.mean() < _LEFT:
        return False
    kept = [
        seen.before[later, there[before]] == seen.after[later, there[before]]
        for before, later in seen.follows
        if stays[before] and stays[later]  # otherwise they vanished, or others below them
    ]
    if kept and np.mean(kept) < _KEPT:
        return False
    codes = seen.after[numbers, there][first & stays]  # others only passed it, or fell further
    varies = int(np.bitwise_or.reduce(codes) & ~np.bitwise_and.reduce(codes))
    return varies.bit_count() <= _CHANCE_BITS


def _parts(cells: dict[int, int], across: int, down: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yields cells that are the parts of one piece, side by side or one on the other, and the rows of a fall."""
    for first in sorted(cells):
        if len(beside := _row_of(first, abs(across), cells)) > 1:
            yield beside, 1
        for rows in range(1, MOST_PARTS + 1):
            if down % rows == 0 and len(upright := _row_of(first, abs(down) // rows, cells)) > 1:
                yield upright, rows


def _row_of(first: int, step: int, cells: dict[int, int]) -> tuple[int, ...]:
    """Returns a cell and those that follow it at a step; only it, if it follows one itself or there are too many."""
    found = [first]
    while step and found[-1] + step in cells:
        found.append(found[-1] + step)
    return tuple(found) if first - step not in cells and len(found) <= MOST_PARTS else (first,)
