"""Composes what experiments found of a colour game's piece into its findings; experiments with nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.findings import ColourPiece, Orientation, Part, Ruler, Turned
from emubot.discovery.colours.kinds import Kinds
from emubot.discovery.colours.landings import Image
from emubot.discovery.colours.spans import Span
from emubot.discovery.colours.turning import Turns
from emubot.discovery.lab import History
from emubot.pad import Pad

_ABOVE: Final = 4  # rows above the field in which a piece may appear: further up it is only put aside
_SEEN: Final = 2  # pieces that must have been seen in the row in which they appear
_NEGATIVE: Final = 0x80  # bytes from here on are rows above the field, where none of its rows has so high a number


@dataclass(frozen=True, slots=True)
class Experiments:
    """What they found: the area with its highest row, pieces, turns, parts, and the cells of each orientation's parts.

    `after` has what buttons make of each orientation, `colors` the colour of each number of a part; `entered` is memory
    when pieces had just come.
    """

    area: Area
    top: int
    spans: Sequence[Span]
    turns: Turns
    parts: Kinds
    cells: Mapping[int, tuple[Cell, ...]]
    after: Mapping[int, Mapping[Pad, Turned]]
    colors: Mapping[int, int]
    entered: Sequence[Image]


def composed(made: Experiments, upcoming: tuple[Part, ...]) -> ColourPiece:
    """Returns the piece. Cells count from the one that most orientations have."""
    area, often = made.area, Counter(cell for each in made.cells.values() for cell in each)
    x, y = max(often, key=lambda cell: (often[cell], cell[1], -abs(cell[0])))
    (column, column_step), (row, row_step) = area.column, area.row
    first = area.origin[1] - (y - made.top) * row_step
    lowest = first + (len(area.units) - 1 - made.top) * row_step
    orientations = tuple(
        Orientation(number, tuple((dx - x, dy - y) for dx, dy in made.cells[number]), made.after[number])
        for number in sorted(made.cells)
    )
    across = Ruler(column, area.origin[0] - x * column_step, column_step, signed=False)
    down = Ruler(row, first, row_step, signed=row_step > 0 and lowest < _NEGATIVE)
    spawn = _spawn(np.array(made.entered), made, across, down)
    return ColourPiece(
        column=across,
        row=down,
        turn=Part(made.turns.index),
        orientations=orientations,
        turns=_clockwise_first(orientations, made.turns),
        parts=made.parts.parts,
        codes=dict(made.colors),
        next_parts=upcoming,
        spawn=spawn,
    )


def _spawn(entered: History, made: Experiments, across: Ruler, down: Ruler) -> tuple[int, int, int]:
    """Returns the orientation, column and row in which pieces appear: the highest row in which some were seen there."""
    turned = entered[:, made.turns.index].tolist()
    turn, column = Counter(zip(turned, across.of(entered).tolist(), strict=True)).most_common(1)[0][0]
    images = np.concatenate([entered, [span.after for span in made.spans]])
    there = (images[:, made.turns.index] == turn) & (across.of(images) == column)
    rows = Counter(row for row in down.of(images[there]).tolist() if row >= -_ABOVE)
    return turn, column, min(row for row, times in rows.items() if times >= min(_SEEN, max(rows.values())))


def _clockwise_first(orientations: Sequence[Orientation], turns: Turns) -> tuple[Pad, ...]:
    """Returns the buttons that turn differently, the clockwise one first."""
    by_number = {one.number: one for one in orientations}
    ways: dict[int, Pad] = {}
    for button in turns.sequences:
        one = by_number[turns.first]
        made = one.after[button]
        other = by_number[made.to].cells
        then = tuple(other[(part - made.cycle) % len(other)] for part in range(len(other)))
        ways.setdefault(_way(one.cells, then), button)
    return tuple(ways[way] for way in sorted(ways, reverse=True))


def _way(cells: Sequence[Cell], then: Sequence[Cell]) -> int:
    """Returns 1 if parts turn clockwise, or move downwards in a column, otherwise -1."""
    (x, y), (later_x, later_y) = ((other[0] - one[0], other[1] - one[1]) for one, other in (cells[:2], then[:2]))
    if cross := x * later_y - y * later_x:
        return 1 if cross > 0 else -1
    below = sorted(cells, key=lambda cell: cell[1])
    return 1 if (below.index(then[0]) - below.index(cells[0])) % len(cells) == 1 else -1
