"""The rules of the pairs games as data, each with its source and certainty; knows no memory, no kernel and no search.

The top visible row is row 0, and rows count downwards; the hidden row is -1, the ghost row -2. Columns are 0 to 5.
A pair has a pivot and a satellite. Its orientation is the satellite's direction from the pivot: 0 up, 1 right, 2 down,
3 left. Button A turns 0 -> 1 -> 2 -> 3 -> 0. The profiles are those of fields of 6 columns; a map may have others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from emubot.errors import MapError
from emubot.games.colours.field_rules import FieldRules, changed, is_inside, profile_of
from emubot.snapshot import Piece

COLUMNS: Final = 6
MOST_STORED_ROWS: Final = 14  # the capacity of a column of the bitboards
MOST_PREVIEWS: Final = 3

EMPTY: Final = 0
ENDLESS, VERSUS = 0, 2  # modes of play (facts: Famicom Puyo 1, $6F)
COLORS: Final = 6  # kinds 1 to 6
LETTERS: Final = "RGBYPO"  # of the colours in text: red, green, blue, yellow, purple, orange
NUISANCE: Final = 7
OBSTACLE: Final = 8  # a wall or an unknown code: solid, never pops, is not cleared by its neighbours
BIG: Final = 9  # only as a half of a piece: the Big Puyo, two by two cells, pivot at the bottom left
CARBUNCLE: Final = 10  # only as a half of a piece: one cell
ITEMS: Final = (BIG, CARBUNCLE)
POPPING: Final = 11  # only in a field: marked, and removed at the end of the pop

UP, RIGHT, DOWN, LEFT = range(4)
ORIENTATIONS: Final = 4
# (dx, dy) of the satellite from the pivot, dy downwards.
SATELLITE: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
BIG_CELLS: Final = ((0, 0), (1, 0), (0, -1), (1, -1))


class Size(NamedTuple):
    """The size of a field in cells; the hidden rows are stored above the visible ones."""

    columns: int
    visible_rows: int
    hidden_rows: int

    @property
    def has_words(self) -> bool:
        """Whether the bitboards, and so the kernels of the six columns, hold such a field."""
        stored = self.visible_rows + self.hidden_rows
        return self.columns == COLUMNS and 0 < self.hidden_rows <= 2 and stored <= MOST_STORED_ROWS


@dataclass(frozen=True, slots=True)
class Rules(FieldRules):
    """One release's rules. Points are as on the screen. The last entry of a table holds for all higher indices.

    Puyos in hidden rows fall later.
    """

    ghost_rows: int  # above the hidden ones; a puyo that locks there vanishes
    group_size: int  # puyos of one colour, linked orthogonally, that pop
    hidden_pops: bool  # whether the hidden row links and pops
    death_cells: tuple[tuple[int, int], ...]  # (column, row): the game ends if one is filled at the next spawn
    chain_power: tuple[int, ...]  # by step of the chain, from the first
    color_bonus: tuple[int, ...]  # by number of colours that pop at once, from one
    group_bonus: tuple[int, ...]  # by size of a group, from four
    least_multiplier: int
    most_multiplier: int
    quick_turn: bool  # a pair between two walls turns upside down
    wall_kick: bool  # a satellite that does not fit at the side pushes the pivot away
    floor_kick: bool  # a satellite that does not fit below pushes the pivot up
    nuisance_points: int  # points per nuisance puyo
    nuisance_cap: int  # maximum of one attack or one fall
    keeps_excess: bool  # whether nuisance above the cap waits for the next fall
    offset: bool  # whether an attack first cancels the player's own pending nuisance
    all_clear_points: int  # added to the next attack
    margin_frames: int  # frames until nuisance gets cheaper; 0: never
    item_every: int  # in endless play with items, one pair in this number is an item; 0: none

    @property
    def size(self) -> Size:
        """The size of the field."""
        return Size(self.columns, self.visible_rows, self.hidden_rows)


FAMICOM_1991: Final = Rules(
    name="famicom-1991",
    columns=COLUMNS,
    visible_rows=13,
    hidden_rows=1,
    ghost_rows=0,
    colors=5,
    group_size=4,
    hidden_pops=False,
    death_cells=((2, 0),),
    spawn=Piece(UP, 2, 0),
    chain_power=(0, 8, 16, 32, 64, 128, 256, 512, 999),
    color_bonus=(0, 3, 6, 12, 24, 48),
    group_bonus=(0, 2, 3, 4, 5, 6, 7, 10),
    least_multiplier=1,
    most_multiplier=999,
    quick_turn=False,
    wall_kick=True,
    floor_kick=True,
    nuisance_points=70,
    nuisance_cap=30,
    keeps_excess=False,
    offset=False,
    all_clear_points=0,
    margin_frames=0,
    previews=1,
    item_every=48,
)

TSU: Final = Rules(
    name="tsu",
    columns=COLUMNS,
    visible_rows=12,
    hidden_rows=1,
    ghost_rows=1,
    colors=4,
    group_size=4,
    hidden_pops=False,
    death_cells=((2, 0),),
    spawn=Piece(UP, 2, 0),
    chain_power=(0, 8, 16, *range(32, 513, 32)),
    color_bonus=(0, 3, 6, 12, 24, 48),
    group_bonus=(0, 2, 3, 4, 5, 6, 7, 10),
    least_multiplier=1,
    most_multiplier=999,
    quick_turn=True,
    wall_kick=True,
    floor_kick=True,
    nuisance_points=70,
    nuisance_cap=30,
    keeps_excess=True,
    offset=True,
    all_clear_points=2100,
    margin_frames=5760,
    previews=2,
    item_every=0,
)

PROFILES: Final[Mapping[str, Rules]] = MappingProxyType({rules.name: rules for rules in (FAMICOM_1991, TSU)})

# Certainties: stated (by a source), inferred (with the reason), unknown (to be measured on the running game).
_FACTS = "facts: Famicom Puyo"
_SERIES = "the whole series; nothing says otherwise for 1991"
_ARCADE = f"{_FACTS} 4, the arcade game of 1992, a hypothesis for 1991"
_WIKI = f"{_FACTS} 6"
SOURCES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = MappingProxyType(
    {
        "famicom-1991": MappingProxyType(
            {
                "name": ("our own name", "stated"),
                "visible_rows": (f"{_FACTS} 0: 14 stored rows, the top one hidden", "inferred"),
                "hidden_rows": (f"{_FACTS} 1", "stated"),
                "ghost_rows": ("no row is stored above the hidden one", "inferred"),
                "colors": (f"{_FACTS} 3: four to six by setting; five stands between", "stated"),
                "group_size": (f"{_FACTS} 3", "stated"),
                "hidden_pops": (_SERIES, "unknown"),
                "death_cells": (f"{_FACTS} 3: a puyo at the place of spawn ends the game", "unknown"),
                "spawn": (f"{_FACTS} 3: third column, pivot below; the row by the demo cartridge", "unknown"),
                "chain_power": (_ARCADE, "unknown"),
                "color_bonus": (_ARCADE, "unknown"),
                "group_bonus": (_ARCADE, "unknown"),
                "least_multiplier": (_ARCADE, "unknown"),
                "most_multiplier": (_ARCADE, "unknown"),
                "quick_turn": (f"{_FACTS} 3: absent in 1992, and 1991 is older", "inferred"),
                "wall_kick": (_SERIES, "unknown"),
                "floor_kick": (_SERIES, "unknown"),
                "nuisance_points": (_ARCADE, "unknown"),
                "nuisance_cap": (f"{_FACTS} 3", "stated"),
                "keeps_excess": (f"{_FACTS} 3: what is beyond the cap is discarded", "stated"),
                "offset": (f"{_FACTS} 3: none in 1992, it came with Tsu", "inferred"),
                "all_clear_points": (f"{_FACTS} 3: none in 1992, it came with Tsu", "inferred"),
                "margin_frames": ("nothing tells of it before Tsu", "inferred"),
                "previews": (f"{_FACTS} 3", "stated"),
                "item_every": (f"{_FACTS} 3: after a fixed number; 48 is the demo cartridge's", "unknown"),
                "columns": (f"{_FACTS} 3", "stated"),
            }
        ),
        "tsu": MappingProxyType(
            {
                "name": ("our own name", "stated"),
                "visible_rows": (_WIKI, "stated"),
                "hidden_rows": (_WIKI, "stated"),
                "ghost_rows": (_WIKI, "stated"),
                "colors": (f"{_WIKI}: three to five by setting, four where bots are compared", "stated"),
                "group_size": (_WIKI, "stated"),
                "hidden_pops": (_WIKI, "stated"),
                "death_cells": (_WIKI, "stated"),
                "spawn": ("pivot in the death cell, satellite above it", "stated"),
                "chain_power": (f"{_FACTS} 4", "stated"),
                "color_bonus": (f"{_FACTS} 4", "stated"),
                "group_bonus": (f"{_FACTS} 4", "stated"),
                "least_multiplier": (f"{_FACTS} 4", "stated"),
                "most_multiplier": (f"{_FACTS} 4", "stated"),
                "quick_turn": (_WIKI, "stated"),
                "wall_kick": ("the whole series", "stated"),
                "floor_kick": ("the whole series", "stated"),
                "nuisance_points": (_WIKI, "stated"),
                "nuisance_cap": (_WIKI, "stated"),
                "keeps_excess": (f"{_WIKI}: the rest is queued", "stated"),
                "offset": (_WIKI, "stated"),
                "all_clear_points": (f"{_WIKI}: 30 nuisance puyos", "stated"),
                "margin_frames": (f"{_WIKI}: 96 seconds", "stated"),
                "previews": (_WIKI, "stated"),
                "item_every": ("versus play has none", "stated"),
                "columns": (_WIKI, "stated"),
            }
        ),
    }
)


LIMITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "columns": (COLUMNS, COLUMNS),
        "spawn": (0, ORIENTATIONS - 1),
        "visible_rows": (4, MOST_STORED_ROWS - 1),
        "hidden_rows": (1, 2),
        "ghost_rows": (0, 2),
        "colors": (1, COLORS),
        "group_size": (2, COLUMNS * MOST_STORED_ROWS),
        "previews": (0, MOST_PREVIEWS),
        "least_multiplier": (1, 9999),
        "most_multiplier": (1, 9999),
        "nuisance_points": (1, 99_999),
        "nuisance_cap": (0, 999),
        "all_clear_points": (0, 99_999),
        "margin_frames": (0, 999_999),
        "item_every": (0, 9999),
    }
)
# Of a field that the bitboards do not hold.
OTHER_LIMITS: Final = {
    **LIMITS,
    "columns": (4, 12),
    "visible_rows": (6, 20),
    "hidden_rows": (0, 12),
    "group_size": (2, 12 * 32),
}


def rules_of(profile: str, overrides: Mapping[str, Any] = MappingProxyType({}), size: Size | None = None) -> Rules:
    """Returns a profile's rules with the `overrides` of a map or an option: numbers, booleans and lists by name.

    `spawn` is [orientation, column, row], `death_cells` is [column, row, ...]. `size` is that of a map's field: if the
    bitboards do not hold it, the rules take it over, and a pair spawns in the middle unless they say otherwise. Raises
    UsageError if the profile does not exist, MapError if a rule does not exist or cannot have this value.
    """
    base, limits = profile_of(profile, PROFILES), LIMITS
    if size is not None and not size.has_words:
        limits = OTHER_LIMITS
        middle = (size.columns - 1) // 2
        base = dataclasses.replace(base, **size._asdict(), spawn=Piece(UP, middle, 0), death_cells=((middle, 0),))
        for name, value in size._asdict().items():
            least, most = limits[name]
            if not least <= value <= most:
                words = name.replace("_", " ")
                raise MapError(f"Pairs are played on {least} to {most} {words}, and this grid has {value}: correct it.")
    rules = changed(base, overrides, limits)
    if limits is LIMITS and rules.stored_rows > MOST_STORED_ROWS:
        raise MapError(f"A field has at most {MOST_STORED_ROWS} stored rows, not {rules.stored_rows}: give fewer rows.")
    for column, row in (*rules.death_cells, (rules.spawn.column, rules.spawn.row)):
        if not is_inside(rules, column, row):
            raise MapError(f"Column {column}, row {row} is outside the field: give a cell of it.")
    return rules


def rules_in(rules: Rules, counters: Mapping[str, int]) -> Rules:
    """Returns the rules with the number of colours that a snapshot's counters state, if they state a possible one."""
    colors = counters.get("colors", rules.colors)
    return rules if colors == rules.colors or not 1 <= colors <= COLORS else dataclasses.replace(rules, colors=colors)
