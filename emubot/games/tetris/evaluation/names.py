"""The names of the features of falling blocks, in their order, with what each is; computes nothing.

Board features look at the visible rows after lock and clears; hidden rows do not count. Heights count from 1 at the
floor. Definitions change only together with FEATURE_VERSION. Those that begin with `mf_` follow the Go and Lua bots of
meatfighter (2014, 2019) with their quirks.
"""

from __future__ import annotations

from typing import Final

GAME: Final = "tetris"  # as in weights and maps
FEATURE_VERSION: Final = 1
# Of one lock; those of several locks are summed.
PLACEMENT_FEATURES: Final = (
    "landing_height",  # middle of the placed piece: mean of its lowest and highest row, the floor row being 0
    "rows_removed",
    "eroded_cells",  # rows removed times the piece's own cells in them
    "scoring_lines",  # rows removed beyond the first
    "tetrises",  # 1 if four rows were removed at once
    "burned_lines",  # rows removed if fewer than four
    "landing_top_row",  # row of the placed piece's highest cell, counted from the top, 0: larger is lower
    "mf_lock_height",  # rows between the pivot and the lowest row it can have in this orientation
)
BOARD_FEATURES: Final = (
    "row_transitions",  # filled/empty changes along each row, walls filled: an empty row has 2
    "column_transitions",  # the same down each column, the floor filled, nothing above the top row
    "holes",  # empty cells with a filled one anywhere above in their column
    "cumulative_wells",  # a run of d empty cells with both sides filled (walls are) adds 1 + .. + d
    "hole_depth",  # filled cells in the unbroken run right above each hole, summed
    "rows_with_holes",
    "pattern_diversity",  # different values of height(j) - height(j + 1), of those from -2 to 2
    "max_height",
    "total_height",  # sum of the column heights
    "height_squares",  # sum of their squares
    "bumpiness",  # sum of the absolute differences of neighbouring column heights
    "has_valley",  # columns at least 3 lower than their neighbours (walls are high): none 0, exactly one 1, more -1
    "right_column",  # filled cells of the rightmost column
    "ready_rows",  # rows full but for the rightmost column, which is open above them
    "mf_wells",  # cells not covered from above, the topmost filled one included, with both sides filled
    "mf_holes",  # empty cells right below a filled one
    "mf_column_transitions",  # from the topmost filled cell of each column down, the floor not counted
    "mf_row_transitions",  # as row_transitions, of rows with a filled cell only
    "chance",  # a hash of the cells, from 0 to below 1; the only weight of random play
)
FEATURE_NAMES: Final = PLACEMENT_FEATURES + BOARD_FEATURES
