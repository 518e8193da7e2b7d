"""Tables of values to begin with, from weights of features: what learning moves away from; plays nothing.

They lie below what a good player really earns. Boards that were never seen keep these values, so that play does not
prefer them to boards which it knows better.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.bounds import SCORE
from emubot.games.tetris.evaluation import layout
from emubot.games.tetris.evaluation.course import MOST_LINES, rewards_of
from emubot.games.tetris.evaluation.layout import ENTRIES, PHASE_STARTS, SURFACES
from emubot.games.tetris.evaluation.surfaces import STEEPEST, STEP_VALUES
from emubot.games.tetris.rules import COLUMNS, ROWS

SHARE_OF_FEATURES: Final = 0.75
SHARE_OF_BOUND: Final = 0.4  # of the points that Tetrises alone would bring
_TETRIS: Final = 4


def first_tables(features: Mapping[str, float], stop_lines: int, aim: str = SCORE) -> NDArray[np.float32]:
    """Returns tables, float32 (ENTRIES,), for games that end after `stop_lines` lines.

    `features` are weights by the names of features.py; those of locks and `pattern_diversity` have no part in them, and
    `bumpiness` counts without the last step and with steps cut to 3.
    """
    values = np.zeros(ENTRIES, dtype=np.float32)
    rewards = rewards_of(aim)
    share = SHARE_OF_FEATURES * rewards[_TETRIS, 0] / rewards_of(SCORE)[_TETRIS, 0]  # their unit is the score's
    for phase in range(len(PHASE_STARTS)):
        own = values[phase * layout.PHASE : (phase + 1) * layout.PHASE]
        _fill_phase(own, {name: share * weight for name, weight in features.items()})
    to_go = np.zeros(MOST_LINES + 1)
    for lines in range(min(stop_lines, MOST_LINES) - 1, -1, -1):
        after = min(lines + _TETRIS, MOST_LINES)
        to_go[lines] = rewards[_TETRIS, after] + to_go[after]
    values[layout.LINES_AT :] = SHARE_OF_BOUND * to_go
    return values


def _fill_phase(own: NDArray[np.float32], features: Mapping[str, float]) -> None:
    """Write the tables of one phase, (PHASE,), in place."""

    def weight(name: str) -> float:
        return features.get(name, 0.0)

    heights, few, changes = np.arange(ROWS + 1), np.arange(layout.FEW), 2 * np.arange(layout.CHANGES)
    steps = np.abs(np.indices((STEP_VALUES,) * layout.STEPS) - STEEPEST).sum(axis=0).ravel()
    surfaces = own[: layout.COLUMNS_AT].reshape(SURFACES, -1)
    surfaces[0] += weight("bumpiness") * steps
    surfaces[-1] += weight("bumpiness") * steps
    columns = own[layout.COLUMNS_AT : layout.WELL_AT].reshape(COLUMNS, -1, ROWS + 1)
    columns += weight("height_squares") * heights**2 + weight("total_height") * heights
    well = own[layout.WELL_AT : layout.CLEARANCE_AT].reshape(ROWS + 1, -1)
    well += weight("right_column") * heights[:, None] + weight("ready_rows") * np.arange(well.shape[1])
    hole_rows = own[layout.HOLE_ROWS_AT : layout.HOLES_AT].reshape(-1, ROWS + 1)
    hole_rows += weight("rows_with_holes") * np.arange(len(hole_rows))[:, None] + weight("max_height") * heights
    hole_rows += 2 * weight("row_transitions") * (ROWS - heights)  # of the empty rows
    own[layout.HOLES_AT : layout.DEPTH_AT].reshape(layout.FEW, -1)[:] += weight("holes") * few[:, None]
    own[layout.DEPTH_AT : layout.WELLS_AT] += weight("hole_depth") * few
    own[layout.WELLS_AT : layout.ROW_CHANGES_AT] += weight("cumulative_wells") * few
    own[layout.ROW_CHANGES_AT : layout.COLUMN_CHANGES_AT] += weight("row_transitions") * changes
    own[layout.COLUMN_CHANGES_AT : layout.FITS_AT] += weight("column_transitions") * (changes + COLUMNS)
