"""The rules of the matching games as data, each with its source and certainty; knows no memory, kernel or search.

A field is two uint8 arrays (rows, columns): `cells` holds kinds, `links` the side on which a cell's other half is.
Row 0 is the highest stored row of an array. In snapshots, pieces and rules, row 0 is the highest visible row, and rows
count downwards; a hidden row is negative.

Kinds: 0 is empty, 1 to 6 are colours, 7 is an obstacle (a wall or an unknown code: it neither falls nor vanishes), 8 is
a cell that is shown vanishing, 11 to 16 are targets of the colours 1 to 6. Targets never fall.

A piece of two has four orientations in a box of two by two cells, whose bottom left cell, the pivot, is always filled.
Orientation 0 is flat with half 1 on the left; each clockwise turn adds one: 1 has half 1 above, 2 on the right, 3
below. A piece of three is upright, and its pivot is the lowest cell. Its button cycles the order: the orientation is
the number of presses from the piece's base order, and each press moves every cell one down, the lowest to the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final

from emubot.errors import MapError
from emubot.games.colours.field_rules import FieldRules, changed, is_inside, profile_of
from emubot.snapshot import Piece

EMPTY: Final = 0
COLORS: Final = 6  # kinds 1 to 6
OBSTACLE: Final = 7
VANISHING: Final = 8  # only in a field that is shown; it counts as filled
TARGET: Final = 10  # a target of colour n is kind TARGET + n
TARGETS: Final = range(TARGET + 1, TARGET + 1 + COLORS)

NO_LINK, LINK_LEFT, LINK_RIGHT, LINK_UP, LINK_DOWN = range(5)
# (dx, dy) of the other half, by link.
LINK_STEP: Final = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
OPPOSITE: Final = (NO_LINK, LINK_RIGHT, LINK_LEFT, LINK_DOWN, LINK_UP)

LINES, DIAGONALS, GROUPS = range(3)  # how cells match: in rows and columns; in diagonals, too; in touching groups
MATCHES: Final = ("lines", "diagonals", "groups")

ENDLESS, VERSUS = 0, 2  # modes of play
LEAST_COLUMNS, MOST_COLUMNS = 4, 12
LEAST_ROWS, MOST_ROWS = 6, 20  # stored rows
MOST_PREVIEWS: Final = 3
PACES: Final = ("slow", "medium", "fast")  # how fast a stage begins, by number as menus take them

# The cells of a piece by orientation: (dx, dy) from the pivot of half 1, half 2 (, half 3).
TURNED: Final = (((0, 0), (1, 0)), ((0, -1), (0, 0)), ((1, 0), (0, 0)), ((0, 0), (0, -1)))
CYCLED: Final = (((0, -2), (0, -1), (0, 0)), ((0, -1), (0, 0), (0, -2)), ((0, 0), (0, -2), (0, -1)))


ALL_TURNS: Final = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Rules(FieldRules):
    """One release's rules. The last entry of a table holds for all higher indices.

    Cells in hidden rows match like all others. A game is lost if one of a piece's cells is filled at its spawn.
    """

    of_the_map: ClassVar[tuple[str, ...]] = ("turns", "swaps")

    piece_cells: int  # 2 or 3
    joined: bool  # whether the halves of a piece of two stay joined
    match: int  # LINES, DIAGONALS or GROUPS
    match_size: int  # cells in a line, or that touch, that vanish
    kick_left: bool  # a blocked turn to flat tries one column to the left
    targets: tuple[int, ...]  # at the start of a stage, by stage; empty: there are no stages
    target_rows: tuple[int, ...]  # the lowest rows, by stage, that may hold targets
    pieces_per_speed_up: int  # gravity quickens after so many pieces
    garbage_from: int  # lines in one move, chains included, that send garbage to the opponent
    most_garbage: int  # cells that one move sends: as many as lines; 0: none
    turns: tuple[int, ...] = ALL_TURNS  # the orientations of a piece of two that there are, in the order of its turns
    swaps: bool = False  # whether memory shows only where the colours are: a half-turn makes the halves change places

    @property
    def shapes(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The cells of a piece by orientation: (dx, dy) from the pivot of each half, dy downwards."""
        return TURNED if self.piece_cells == len(TURNED[0]) else CYCLED

    @property
    def orientations(self) -> tuple[int, ...]:
        """The orientations of a piece, in the order of its clockwise turns."""
        return self.turns if self.piece_cells == len(TURNED[0]) else tuple(range(len(CYCLED)))

    @property
    def exchanges(self) -> bool:
        """Whether two turns exchange the halves of a piece, so that their order does not matter."""
        return len(self.orientations) == len(ALL_TURNS)

    def stage_targets(self, stage: int) -> int:
        """Returns the number of targets at the start of a stage; 0 if the game has no stages."""
        return _by_stage(self.targets, stage)

    def stage_rows(self, stage: int) -> int:
        """Returns the number of rows, from the lowest up, that may hold targets at the start of a stage."""
        return _by_stage(self.target_rows, stage)


def _by_stage(table: tuple[int, ...], stage: int) -> int:
    return table[min(stage, len(table) - 1)] if table else 0


CAPSULES: Final = Rules(
    name="capsules",
    columns=8,
    visible_rows=16,
    hidden_rows=0,
    colors=3,
    piece_cells=2,
    joined=True,
    match=LINES,
    match_size=4,
    spawn=Piece(0, 3, 0),
    kick_left=True,
    targets=tuple(range(4, 85, 4)),
    target_rows=(10,) * 15 + (11, 11, 12, 12, 13),
    pieces_per_speed_up=10,
    garbage_from=2,
    most_garbage=4,
    previews=1,
)

COLUMNS: Final = Rules(
    name="columns",
    columns=6,
    visible_rows=13,
    hidden_rows=0,
    colors=6,
    piece_cells=3,
    joined=False,
    match=DIAGONALS,
    match_size=3,
    spawn=Piece(0, 2, 2),
    kick_left=False,
    targets=(),
    target_rows=(),
    pieces_per_speed_up=10,
    garbage_from=2,
    most_garbage=0,
    previews=1,
)

PROFILES: Final[Mapping[str, Rules]] = MappingProxyType({rules.name: rules for rules in (CAPSULES, COLUMNS)})

# Certainties: stated (by a public document), inferred (with the reason), unknown (to be measured on the running game).
_WIKI = "wiki.drmar.io, Mechanics (NES); tetris.wiki, Dr. Mario"
_COLUMNS = "the games' public descriptions (FAQs of Columns)"
_NONE = "no public document tells; our own choice"
SOURCES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = MappingProxyType(
    {
        "capsules": MappingProxyType(
            {
                "name": ("our own name", "stated"),
                "columns": (_WIKI, "stated"),
                "visible_rows": (_WIKI, "stated"),
                "hidden_rows": ("the half of an upright piece above the top row is not stored", "inferred"),
                "colors": (_WIKI, "stated"),
                "piece_cells": (_WIKI, "stated"),
                "joined": (_WIKI, "stated"),
                "match": (_WIKI, "stated"),
                "match_size": (_WIKI, "stated"),
                "spawn": (f"{_WIKI}: thrown flat to the middle columns of the top row", "stated"),
                "kick_left": ("tetris.wiki, Dr. Mario: upright to flat kicks left, flat to upright never", "stated"),
                "targets": ("tetris.wiki, Dr. Mario: four times the level plus one, 84 from level 20", "stated"),
                "target_rows": ("tetris.wiki, Dr. Mario, virus generation", "stated"),
                "pieces_per_speed_up": (f"{_WIKI}; the first step comes after 8 or 9 pieces there", "stated"),
                "garbage_from": (f"{_WIKI}: two lines, at once or in a chain", "stated"),
                "most_garbage": (_WIKI, "stated"),
                "previews": ("tetris.wiki, Dr. Mario", "stated"),
            }
        ),
        "columns": MappingProxyType(
            {
                "name": ("our own name", "stated"),
                "columns": (_COLUMNS, "stated"),
                "visible_rows": (_COLUMNS, "stated"),
                "hidden_rows": (_NONE, "unknown"),
                "colors": (_COLUMNS, "stated"),
                "piece_cells": (_COLUMNS, "stated"),
                "joined": (_COLUMNS, "stated"),
                "match": (_COLUMNS, "stated"),
                "match_size": (_COLUMNS, "stated"),
                "spawn": (f"{_COLUMNS}: the third column; the row is ours", "inferred"),
                "kick_left": ("an upright piece has no turn to flat", "stated"),
                "targets": ("the endless game has none", "stated"),
                "target_rows": ("the endless game has none", "stated"),
                "pieces_per_speed_up": (_NONE, "unknown"),
                "garbage_from": (_NONE, "unknown"),
                "most_garbage": (f"{_NONE}: none is sent", "unknown"),
                "previews": (_COLUMNS, "stated"),
            }
        ),
    }
)

LIMITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "columns": (LEAST_COLUMNS, MOST_COLUMNS),
        "visible_rows": (LEAST_ROWS, MOST_ROWS),
        "hidden_rows": (0, 4),
        "colors": (2, COLORS),
        "spawn": (0, 2),
        "piece_cells": (2, 3),
        "match_size": (3, 8),
        "pieces_per_speed_up": (1, 999),
        "garbage_from": (1, 99),
        "most_garbage": (0, MOST_COLUMNS),
        "previews": (0, MOST_PREVIEWS),
        "targets": (1, 255),
        "target_rows": (1, MOST_ROWS),
    }
)


def rules_of(profile: str, overrides: Mapping[str, Any] = MappingProxyType({})) -> Rules:
    """Returns a profile's rules with the `overrides` of a map or an option: numbers, booleans, words, lists by name.

    `spawn` is [orientation, column, row], `match` one of MATCHES. Raises UsageError if the profile does not exist,
    MapError if a rule does not exist or cannot have this value.
    """
    rules = changed(profile_of(profile, PROFILES), overrides, LIMITS, {"match": MATCHES})
    if rules.stored_rows > MOST_ROWS:
        raise MapError(f"A field has at most {MOST_ROWS} stored rows, not {rules.stored_rows}: give fewer rows.")
    if rules.joined and rules.piece_cells != len(TURNED[0]):
        raise MapError("Only pieces of two cells stay joined: set joined to false, or piece_cells to 2.")
    if len(rules.targets) and not len(rules.target_rows):
        raise MapError("Targets need rows: give target_rows, the number of rows that may hold targets.")
    for column, row in entry_cells(rules):
        if not is_inside(rules, column, row):
            raise MapError(f"A piece at {rules.spawn} is outside the field: correct the rule spawn.")
    return rules


def entry_cells(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Returns (column, row) of each cell of a piece at its entry, half 1 first."""
    spawn = rules.spawn
    return tuple((spawn.column + dx, spawn.row + dy) for dx, dy in rules.shapes[spawn.orientation])


def color_of(kind: int) -> int:
    """Returns the colour of a kind: 1 to 6 for cells and targets, 0 for all that never matches."""
    if kind in TARGETS:
        return kind - TARGET
    return kind if EMPTY < kind <= COLORS else 0
