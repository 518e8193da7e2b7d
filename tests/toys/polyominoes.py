"""Pieces of 1 to 5 cells with 1 to 4 orientations, drawn in boxes; knows no cartridge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]  # column, row downwards

TETROMINOES = {
    "I": ("....", "####", "....", "...."),
    "O": ("##", "##"),
    "T": ("...", "###", ".#."),
    "S": ("...", ".##", "##."),
    "Z": ("...", "##.", ".##"),
    "J": ("...", "###", "..#"),
    "L": ("...", "###", "#.."),
}
PENTOMINOES = {
    "F": (".##", "##.", ".#."),
    "I": (".....", ".....", "#####", ".....", "....."),
    "L": ("....", "...#", "####", "...."),
    "N": ("....", "##..", ".###", "...."),
    "P": ("##.", "###", "..."),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###", "..."),
    "V": ("#..", "#..", "###"),
    "W": ("#..", "##.", ".##"),
    "X": (".#.", "###", ".#."),
    "Y": ("....", ".#..", "####", "...."),
    "Z": ("##.", ".#.", ".##"),
}
SMALL = {"dot": ("#",), "two": ("##", ".."), "bar": ("...", "###", "..."), "corner": ("#.", "##"), **PENTOMINOES}
FOUR = 4


@dataclass(frozen=True)
class Polyomino:
    """A piece: the cells of each orientation from its pivot, in the order of clockwise turns."""

    name: str
    shapes: tuple[tuple[Cell, ...], ...]


def quarters(box: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Yields the cells of a square box after 0 to 3 quarters clockwise, from its top left corner."""
    side = len(box)
    cells = [(x, y) for y in range(side) for x in range(side) if box[y][x] == "#"]
    for _ in range(FOUR):
        yield tuple(cells)
        cells = [(side - 1 - y, x) for x, y in cells]


def drawn(boxes: Mapping[str, Sequence[str]], most: int = FOUR) -> tuple[Polyomino, ...]:
    """Returns the pieces in these boxes. Each has as many orientations as look different, at most `most`."""
    return tuple(Polyomino(name, tuple(_different(box))[:most]) for name, box in boxes.items())


def turned(boxes: Mapping[str, Sequence[str]], orientations: int) -> tuple[Polyomino, ...]:
    """Returns the pieces in these boxes, all with the same number of orientations."""
    return tuple(Polyomino(name, tuple(quarters(box))[:orientations]) for name, box in boxes.items())


def _different(box: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Yields the orientations that look different from all before them, wherever they stand in the box."""
    seen = set()
    for cells in quarters(box):
        left, top = min(x for x, _ in cells), min(y for _, y in cells)
        outline = frozenset((x - left, y - top) for x, y in cells)
        if outline not in seen:
            seen.add(outline)
            yield cells
