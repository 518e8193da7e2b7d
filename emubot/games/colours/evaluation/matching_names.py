"""The named features of a field by number, and what they measure; computes nothing.

Definitions change only together with FEATURE_VERSION. A new feature is added at the end; its weight is 0 in older
files. Words of the definitions: a *window* is a straight piece of the field of as many cells as a line needs, in a
direction in which lines are looked for. A *gap* is an empty cell of a window above the stack of its column, so that a
piece can fall there; it is *ripe* if it is the next cell to be filled in its column. A window counts if all that is
filled in it has one colour and all that is empty in it are gaps. The *room* of a column is by how many rows a piece
enters it above all stacks on its way and there (matching_entry.py); less than ROOM rows lack. The rows above a column's
line upright, with the run of one colour on its top, are those that a piece has not fallen yet when it gets there.

| feature | what it is |
|---|---|
| targets | targets on the field |
| filled | filled cells that are no targets |
| ready, target_ready | windows that lack one cell, and the gap is ripe; without and with a target in them |
| unripe, target_unripe | windows that lack one cell, and the gap is not ripe |
| begun, target_begun | windows that lack two cells |
| target_alone | windows of a target and three gaps |
| buried | for each target, the cells above it in its column that have another colour |
| covered | targets with such a cell above them |
| high_targets | the sum of the squares of the heights of all targets, in units of 16 |
| stifled | for each covered target, the square of its column's height, in units of 16 |
| shut | targets in columns that a piece cannot enter in time |
| changes_down, changes_across | neighbours of different colours, one above the other, and side by side |
| holes | empty cells below a filled one of their column |
| highest | rows from the floor to the highest filled cell |
| high | the sum of the squares of all columns' heights, in units of 16 |
| entry | the square of the height of the highest column of the entry, in units of 16 |
| roughness | the sum of the differences in height of neighbouring columns |
| closed | columns that a piece cannot enter in time |
| tight, narrow | for each column with a target, and each other one: the square of the rows that its room lacks |
| cleared | cells that vanished in the moves that led here |
| chain | steps after the first of the chains that led here |
| lines | lines that vanished in the moves that led here |
| sealed | targets in columns with too few rows above for a line upright |
| brink | for each column with a target: the square of the rows that lack until SPARE rows are spare for such a line |
| chance | a pseudo-random number from 0 to 1 from the cells alone: a player with only this feature is random |
"""

from __future__ import annotations

from typing import Final

GAME: Final = "matching"  # as in weights and maps
FEATURE_VERSION: Final = 1
FEATURE_NAMES: Final = (
    *("targets", "filled", "ready", "unripe", "begun", "target_ready", "target_unripe", "target_begun", "target_alone"),
    *("buried", "covered", "high_targets", "stifled", "shut", "changes_down", "changes_across", "holes", "highest"),
    *("high", "entry", "roughness", "closed", "cleared", "chain", "lines", "chance"),
    *("tight", "narrow", "sealed", "brink"),
)
FEATURES: Final = len(FEATURE_NAMES)
(
    TARGETS_AT,
    FILLED,
    READY,
    UNRIPE,
    BEGUN,
    T_READY,
    T_UNRIPE,
    T_BEGUN,
    T_ALONE,
    BURIED,
    COVERED,
    HIGH_TARGETS,
    STIFLED,
    SHUT,
) = range(14)
CHANGES_DOWN, CHANGES_ACROSS, HOLES, HIGHEST, HIGH, ENTRY, ROUGHNESS, CLOSED = range(14, 22)
CLEARED, CHAIN, LINES_AT, CHANCE, TIGHT, NARROW, SEALED, BRINK = range(22, FEATURES)
ROOM: Final = 6  # rows above a column of which none lacks
SPARE: Final = 4  # rows above a line upright of which none lacks
