"""Pieces of 1 to 5 cells with 1 to 4 orientations, from drawings of boxes; knows no cartridge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.games.tetris.toy_blocks import Cell, orientations_of


@dataclass(frozen=True)
class Polyomino:
    """A piece: the cells of each orientation from its pivot, in the order of clockwise turns."""

    name: str
    shapes: tuple[tuple[Cell, ...], ...]


def drawn(boxes: Mapping[str, Sequence[str]]) -> tuple[Polyomino, ...]:
    """Returns the pieces in these boxes. Each has as many orientations as look different."""
    return tuple(Polyomino(name, tuple(_different(box))) for name, box in boxes.items())


def turned(boxes: Mapping[str, Sequence[str]], orientations: int) -> tuple[Polyomino, ...]:
    """Returns the pieces in these boxes, all with the same number of orientations."""
    return tuple(Polyomino(name, tuple(orientations_of(box)[:orientations])) for name, box in boxes.items())


def _different(box: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Yields the orientations that look different from all before them, wherever they stand in the box."""
    seen = set()
    for cells in orientations_of(box):
        left, top = min(x for x, _ in cells), min(y for _, y in cells)
        outline = frozenset((x - left, y - top) for x, y in cells)
        if outline not in seen:
            seen.add(outline)
            yield cells
