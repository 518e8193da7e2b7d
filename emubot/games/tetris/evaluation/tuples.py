"""Value tables over tuples of board features: a board's value is the sum of one entry of each table; knows no game.

Each table is for one tuple, and has an entry for each of its values. The tables, in this order, by columns from the
left:
- for every five neighbouring columns: the four height steps between them, each clipped to -3..3;
- for every column: its height, and which of the four cells right below its topmost one are empty;
- the number of rows with holes, and the height of the highest column;
- one table each for the holes, the filled cells above them, the wells, the transitions along rows (without empty rows)
  and down columns, as features.py defines them, each up to a largest value.
TUPLES_VERSION is the version of this definition.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.bits import length
from emubot.games.tetris.evaluation.features import FEATURES, GROUPS, Stacks
from emubot.games.tetris.evaluation.names import FEATURE_NAMES
from emubot.jit import Scalar, kernel
from emubot.weights import TABLES_HEAD

TUPLES_VERSION: Final = 1
STEPS: Final = 4  # height steps in a tuple
STEEPEST: Final = 3
BELOW: Final = 4  # cells in a tuple, below a column's topmost one
MOST_FEW: Final = 31  # holes, cells above them, wells
MOST_CHANGES: Final = 63
FIRST_TABLE: Final = FEATURES + TABLES_HEAD  # index of the first entry in weights that hold tables

_STEP_VALUES: Final = 2 * STEEPEST + 1
_SURFACES: Final = _STEP_VALUES**STEPS
_PATTERNS: Final = 1 << BELOW
_FEW: Final = ("holes", "hole_depth", "cumulative_wells")
_CHANGES: Final = ("mf_row_transitions", "column_transitions")
_AT = {name: FEATURE_NAMES.index(name) for name in (*_FEW, *_CHANGES, "rows_with_holes")}
_HOLES, _DEPTH, _WELLS = (_AT[name] for name in _FEW)
_ROW_CHANGES, _COLUMN_CHANGES = (_AT[name] for name in _CHANGES)
_ROWS_WITH_HOLES: Final = _AT["rows_with_holes"]
_AFTER_COLUMNS: Final = 1 + len(_FEW) + len(_CHANGES)
# The groups of features that must be written before `entries_of`.
TUPLE_GROUPS: Final = int(np.bitwise_or.reduce([GROUPS[index] for index in _AT.values()]))

Values = NDArray[np.float64]


@kernel
def tuples(columns: Scalar) -> Scalar:
    """Returns the number of tables."""
    return max(columns - STEPS, 0) + columns + _AFTER_COLUMNS


def entries(columns: int, rows: int) -> int:
    """Returns the number of entries in all tables of such a board."""
    surfaces = max(columns - STEPS, 0) * _SURFACES
    heights = columns * _PATTERNS * (rows + 1)
    return surfaces + heights + (rows + 1) ** 2 + len(_FEW) * (MOST_FEW + 1) + len(_CHANGES) * (MOST_CHANGES + 1)


def check_tables(weights: Values) -> None:
    """Raise WeightsError if these weights (from Weights.vector) do not hold all tables of their board."""
    version, columns, rows = (int(cell) for cell in weights[FEATURES + 1 : FIRST_TABLE])
    if version != TUPLES_VERSION:
        raise WeightsError(
            f"The value tables are of version {version}, this emubot reads version {TUPLES_VERSION}: train them anew "
            "or use the emubot they were made with."
        )
    wanted, found = entries(columns, rows), len(weights) - FIRST_TABLE
    if wanted != found:
        raise WeightsError(
            f"The value tables of a board of {columns}x{rows} have {wanted:,} entries, these have {found:,}: correct "
            "the file or choose other weights."
        )


@kernel
def entries_of(stacks: Stacks, rows: Scalar, features: Values, found: Values) -> None:
    """Write the index of each table's entry for a board into found (tuples,).

    The board has no cell above the top row. `features` (FEATURES,) holds its features, at least those of TUPLE_GROUPS.
    """
    columns = len(stacks)
    surfaces = max(columns - STEPS, 0)
    at = surfaces * _SURFACES
    highest = code = 0
    before = length(stacks[0])
    for column in range(columns):
        height = length(stacks[column])
        highest = max(highest, height)
        step = min(max(height - before, -STEEPEST), STEEPEST) + STEEPEST
        code = code * _STEP_VALUES % _SURFACES + step
        if column >= STEPS:
            found[column - STEPS] = (column - STEPS) * _SURFACES + code
        before = height
        # Cells below the floor count as filled.
        below = (
            (~stacks[column] << BELOW) >> max(height - 1, 0)
            & (_PATTERNS - 1)
            & ~((1 << max(BELOW + 1 - height, 0)) - 1)
        )
        found[surfaces + column] = at + below * (rows + 1) + height
        at += _PATTERNS * (rows + 1)
    number = surfaces + columns
    found[number] = at + features[_ROWS_WITH_HOLES] * (rows + 1) + highest
    at += (rows + 1) * (rows + 1)
    found[number + 1] = at + min(features[_HOLES], MOST_FEW)
    at += MOST_FEW + 1
    found[number + 2] = at + min(features[_DEPTH], MOST_FEW)
    at += MOST_FEW + 1
    found[number + 3] = at + min(features[_WELLS], MOST_FEW)
    at += MOST_FEW + 1
    # A row's number of transitions is even, a column's is odd.
    found[number + 4] = at + min(features[_ROW_CHANGES] // 2, MOST_CHANGES)
    at += MOST_CHANGES + 1
    found[number + 5] = at + min((features[_COLUMN_CHANGES] - columns) // 2, MOST_CHANGES)


@kernel
def sum_of(values: Values, first: Scalar, found: Values, count: Scalar) -> float:
    """Returns the sum of the first `count` entries found; table entry 0 is values[first]."""
    total = 0.0
    for index in range(count):
        total += values[first + int(found[index])]
    return total
