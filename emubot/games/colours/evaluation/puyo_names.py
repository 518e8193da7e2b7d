"""The names of the features of pairs, in their order: of a field, and of what a chain is built on; computes nothing."""

from __future__ import annotations

from typing import Final

GAME: Final = "puyo"  # as in weights and maps
FEATURE_VERSION: Final = 1
FEATURE_NAMES: Final = (  # defined in features.py
    "colored_puyos",
    "nuisance_puyos",
    "edges",
    "spawn_distance",
    "color_runs",
    "color_variance",
    "links",
    "points",
    "potential",
    "room",
    "headroom",
    "access",
    "pillars",
    "total_height",
    "peak",
    "popped",
    "chance",
)
BUILDING_NAMES: Final = (  # defined in building.py
    "chain",  # steps of the best trigger's chain
    "trigger_height",  # row of that trigger, from the floor row
    "second_puyo",  # 1 if it takes two puyos
    "third_puyo",  # 1 if it takes three
    "second_chain",  # steps of the second best trigger's chain
    "chain_sum",  # steps of all triggers' chains
    "triggers",  # their number
    "link_pairs",  # groups of two
    "threes",  # groups of three
    "wells",  # rows by which columns are lower than both neighbours
    "roughness",  # squared differences of height between neighbours
    "column_1",  # height of each column above the mean
    "column_2",
    "column_3",
    "column_4",
    "column_5",
    "column_6",
    "diagonals_down",  # cells with the same colour one column to the right and one row lower
    "diagonals_up",  # the same one row higher
    "two_above",  # cells with the same colour two rows above
    "three_above",
    "across",  # cells with the same colour two columns to the right in the same row
    "building_puyos",  # coloured puyos
    "building_nuisance",  # nuisance puyos
    "spawn_height",  # squared rows of the spawn column above the eighth
    "torn",  # locks that tore the pair apart
    "cut_off",  # empty cells of columns that no pair enters in time, now and with stacks one or two rows higher
)
NAMES: Final = (*FEATURE_NAMES, *BUILDING_NAMES)
