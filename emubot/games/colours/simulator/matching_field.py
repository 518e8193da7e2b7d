"""The events in a field between two pieces: lines, loose halves, targets, garbage; slow and simple, knows no frames.

A field is two uint8 arrays, cells and links, as in rules.py. The search has its own kernels for the same rules; tests
compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from emubot.games.colours.board.groups import Cells
from emubot.games.colours.matching_rules import (
    COLORS,
    DIAGONALS,
    EMPTY,
    GROUPS,
    LINK_STEP,
    NO_LINK,
    TARGET,
    VANISHING,
    Rules,
    color_of,
)
from emubot.games.colours.simulator.field import Cell, touching
from emubot.games.colours.simulator.generator import Generator

Line = list[Cell]
_DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))  # (row, column) from one cell of a line to the next
NEAR: Final = 2  # no target has the colour of another that is so many cells away in its row or column


def lines(cells: Cells, rules: Rules) -> list[Line]:
    """Returns all lines that vanish: first those in rows, from the top row down, then those in columns, and so on."""
    if rules.match == GROUPS:
        colors = np.where(cells > TARGET, cells - TARGET, cells)
        return touching(np.where(colors <= COLORS, colors, 0), rules.match_size)
    found = []
    for step in _DIRECTIONS if rules.match == DIAGONALS else _DIRECTIONS[:2]:
        for start in _all(cells) if step != (1, 0) else sorted(_all(cells), key=lambda cell: cell[1]):
            before = (start[0] - step[0], start[1] - step[1])
            if _color(cells, start) and _color(cells, before) != _color(cells, start):
                line = list(_run(cells, start, step))
                if len(line) >= rules.match_size:
                    found.append(line)
    return found


def _all(cells: Cells) -> Iterator[Cell]:
    rows, columns = cells.shape
    return ((row, column) for row in range(rows) for column in range(columns))


def _color(cells: Cells, cell: Cell) -> int:
    """Returns the colour of a cell, 0 for all that never matches and for what is outside."""
    row, column = cell
    inside = 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]
    return color_of(int(cells[cell])) if inside else 0


def _run(cells: Cells, start: Cell, step: Cell) -> Iterator[Cell]:
    row, column = start
    while _color(cells, (row, column)) == _color(cells, start):
        yield row, column
        row, column = row + step[0], column + step[1]


def mark(cells: Cells, links: Cells, vanishing: Sequence[Line]) -> int:
    """Mark the cells of the lines as vanishing, and cut their links; returns the number of targets among them."""
    targets = 0
    for cell in {cell for line in vanishing for cell in line}:
        targets += int(cells[cell] > TARGET)
        dx, dy = LINK_STEP[int(links[cell])]
        links[cell[0] + dy, cell[1] + dx] = NO_LINK
        cells[cell], links[cell] = VANISHING, NO_LINK
    return targets


def remove(cells: Cells) -> int:
    """Empty the cells that are marked as vanishing; returns their number."""
    gone = cells == VANISHING
    cells[gone] = EMPTY
    return int(gone.sum())


def fall_a_row(cells: Cells, links: Cells) -> bool:
    """Let everything loose fall one row; returns whether anything fell. The lowest rows are the first to fall."""
    fell = False
    for row in range(cells.shape[0] - 2, -1, -1):
        for column in range(cells.shape[1]):
            piece = _piece_of(links, (row, column))
            if all(_is_loose(cells, cell, piece) for cell in piece):
                for y, x in sorted(piece, reverse=True):
                    cells[y + 1, x], links[y + 1, x] = cells[y, x], links[y, x]
                    cells[y, x], links[y, x] = EMPTY, NO_LINK
                fell = True
    return fell


def _piece_of(links: Cells, cell: Cell) -> list[Cell]:
    """Returns the cell, and the other half that it is joined to."""
    dx, dy = LINK_STEP[int(links[cell])]
    other = (cell[0] + dy, cell[1] + dx)
    return [cell] if other == cell else [cell, other]


def _is_loose(cells: Cells, cell: Cell, piece: Sequence[Cell]) -> bool:
    """Returns whether a cell of the piece can fall, and has nothing below it but the piece itself."""
    below = (cell[0] + 1, cell[1])
    free = below in piece or (below[0] < cells.shape[0] and cells[below] == EMPTY)
    return EMPTY < cells[cell] <= COLORS and free


def plant(cells: Cells, rules: Rules, stage: int, number: int, generator: Generator) -> None:
    """Add target `number` (from 0) of a stage: the colours take turns, the generator draws the row and the column.

    If the cell is filled, or no colour suits it, the next cell in reading order is tried; a colour suits a cell if no
    target two cells away in its row or column has it. If no cell is left that a colour suits, the first free one after
    the drawn cell gets the target.
    """
    height = rules.stage_rows(stage)
    first = rules.stored_rows - height
    drawn = generator.below(height) * rules.columns + generator.below(rules.columns)
    places = [
        divmod((drawn + step) % (height * rules.columns), rules.columns) for step in range(height * rules.columns)
    ]
    free = [(first + row, column) for row, column in places if cells[first + row, column] == EMPTY]
    wanted = [(number + turn) % rules.colors + 1 for turn in range(rules.colors)]
    for cell in free:
        near = {_color(cells, (cell[0] + dy * NEAR, cell[1] + dx * NEAR)) for dx, dy in LINK_STEP[1:]}
        for color in wanted:
            if color not in near:
                cells[cell] = TARGET + color
                return
    cells[free[0]] = TARGET + wanted[0]


def garbage(cells: Cells, links: Cells, colors: Sequence[int], generator: Generator) -> None:
    """Put single halves into the top row, evenly spread from a drawn column on; one over a filled cell is lost."""
    columns = cells.shape[1]
    apart = columns // 2 if len(colors) <= 2 else columns // 4 if len(colors) <= 4 else 1
    start = generator.below(columns)
    for number, color in enumerate(colors):
        cell = (0, (start + number * apart) % columns)
        if cells[cell] == EMPTY:
            cells[cell], links[cell] = color, NO_LINK
