"""Where the entries of a board's tables are, among those of all tables; knows no values and no search.

Each table has an entry for every value of a few facts about the board, and the value is the sum of one entry of each:
- surfaces: for every five neighbouring columns but the last, the four height steps between them, each cut to -3..3;
- columns: a column's height, and which of the four cells below its topmost one are empty;
- well: the height of the rightmost column, and the ready rows;
- clearance: how much higher the stack may grow on the left and on the right before a vertical I no longer reaches the
  side column in time, and the highest column;
- holes: rows with holes and the highest column; holes and ready rows; one table each for the filled cells above holes,
  the wells, and the transitions along rows and down columns (features.py defines them);
- locks without a hole (surfaces.py): which pieces have one, and how long random pieces will have one, each with the
  highest column;
- volume: the heights of all columns but the last, summed, with the ready rows;
- lines: the lines of the course.
All but the last kind are kept for each phase of the course.
POINTS_VERSION is the version of this definition.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.tetris.board.columns import Stacks
from emubot.games.tetris.evaluation.course import MOST_LINES
from emubot.games.tetris.evaluation.surfaces import LOCKS, QUALITIES, STEP_VALUES
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.jit import Scalar, inlined

POINTS_VERSION: Final = 3
PHASE_STARTS: Final = (0, 100, 130, 170, 200, 230, 280)  # lines of the course

STEPS: Final = 4  # of a surface
SURFACES: Final = COLUMNS - 1 - STEPS
SURFACE_VALUES: Final = STEP_VALUES**STEPS
_BELOW: Final = 4  # cells below the topmost one
_PATTERNS: Final = 1 << _BELOW
_HEIGHTS: Final = ROWS + 1
_READY: Final = 9  # 0 to 8 ready rows, 8 and more
_LEAST_CLEARANCE: Final = -3
_CLEARANCES: Final = 12  # -3 and less to 8 and more
_HOLE_ROWS: Final = 12
_FITTING: Final = 1 << len(LOCKS)
_CELLS_OF_VOLUME: Final = 3
_VOLUMES: Final = (COLUMNS - 1) * ROWS // _CELLS_OF_VOLUME + 1
FEW: Final = 32
CHANGES: Final = 64

# The first entry of each table, within a phase and after all phases.
COLUMNS_AT: Final = SURFACES * SURFACE_VALUES
WELL_AT: Final = COLUMNS_AT + COLUMNS * _PATTERNS * _HEIGHTS
CLEARANCE_AT: Final = WELL_AT + _HEIGHTS * _READY
HOLE_ROWS_AT: Final = CLEARANCE_AT + _CLEARANCES * _CLEARANCES * _HEIGHTS
HOLES_AT: Final = HOLE_ROWS_AT + _HOLE_ROWS * _HEIGHTS
DEPTH_AT: Final = HOLES_AT + FEW * _READY
WELLS_AT: Final = DEPTH_AT + FEW
ROW_CHANGES_AT: Final = WELLS_AT + FEW
COLUMN_CHANGES_AT: Final = ROW_CHANGES_AT + CHANGES
FITS_AT: Final = COLUMN_CHANGES_AT + CHANGES
VOLUME_AT: Final = FITS_AT + _FITTING * _HEIGHTS
QUALITY_AT: Final = VOLUME_AT + _VOLUMES * _READY
PHASE: Final = QUALITY_AT + QUALITIES * _HEIGHTS
LINES_AT: Final = len(PHASE_STARTS) * PHASE
ENTRIES: Final = LINES_AT + MOST_LINES + 1
TERMS: Final = SURFACES + COLUMNS + 12  # entries of a sum
LINES_TERM: Final = TERMS - 1  # the entry of the lines is the last of a sum

_FIRST_OF_PHASE: Final = np.array(
    [PHASE * (sum(start <= lines for start in PHASE_STARTS) - 1) for lines in range(MOST_LINES + 1)], dtype=np.int64
)


@inlined
def first_of_phase(lines: Scalar) -> Scalar:
    """Returns the first entry of the phase in which these lines of the course are."""
    return _FIRST_OF_PHASE[lines]


@inlined
def column_entry(column: Scalar, stack: Scalar, height: Scalar) -> Scalar:
    """Returns the entry of a column within a phase. Cells below the floor count as filled."""
    empty = (~stack << _BELOW) >> max(height - 1, 0) & (_PATTERNS - 1) & ~((1 << max(_BELOW + 1 - height, 0)) - 1)
    return COLUMNS_AT + (column * _PATTERNS + empty) * _HEIGHTS + height


@inlined
def surface_entry(place: Scalar, surface: Scalar) -> Scalar:
    """Returns the entry of the last steps of a surface within a phase."""
    return place * SURFACE_VALUES + surface % SURFACE_VALUES


@inlined
def write_entries(
    found: Stacks,
    phase: Scalar,
    lines: Scalar,
    last: Scalar,
    ready_rows: Scalar,
    left: Scalar,
    right: Scalar,
    highest: Scalar,
    hole_rows: Scalar,
    holes: Scalar,
    depth: Scalar,
    wells: Scalar,
    row_changes: Scalar,
    column_changes: Scalar,
    fitting: Scalar,
    volume: Scalar,
    quality: Scalar,
) -> None:
    """Write the entries of the whole board's tables; a number beyond its table counts as the last in it."""
    ready_rows = min(ready_rows, _READY - 1)
    left = min(max(left - _LEAST_CLEARANCE, 0), _CLEARANCES - 1)
    right = min(max(right - _LEAST_CLEARANCE, 0), _CLEARANCES - 1)
    holes = min(holes, FEW - 1)
    at = SURFACES + COLUMNS
    found[at] = phase + WELL_AT + last * _READY + ready_rows
    found[at + 1] = phase + CLEARANCE_AT + (left * _CLEARANCES + right) * _HEIGHTS + highest
    found[at + 2] = phase + HOLE_ROWS_AT + min(hole_rows, _HOLE_ROWS - 1) * _HEIGHTS + highest
    found[at + 3] = phase + HOLES_AT + holes * _READY + ready_rows
    found[at + 4] = phase + DEPTH_AT + min(depth, FEW - 1)
    found[at + 5] = phase + WELLS_AT + min(wells, FEW - 1)
    found[at + 6] = phase + ROW_CHANGES_AT + min(row_changes // 2, CHANGES - 1)
    found[at + 7] = phase + COLUMN_CHANGES_AT + min((column_changes - COLUMNS) // 2, CHANGES - 1)
    found[at + 8] = phase + FITS_AT + fitting * _HEIGHTS + highest
    found[at + 9] = phase + VOLUME_AT + volume // _CELLS_OF_VOLUME * _READY + ready_rows
    found[at + 10] = phase + QUALITY_AT + quality * _HEIGHTS + highest
    found[LINES_TERM] = LINES_AT + lines
