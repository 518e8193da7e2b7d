"""What values the placements of a position, and the field after each; knows no definition of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from emubot.explanation import DepthValue, Part
from emubot.games.colours.board.words import Cells, board_of, fill_cells, heights_of, settle, with_nuisance
from emubot.games.colours.explain.built import Trigger
from emubot.games.colours.rules import COLUMNS, NUISANCE, Rules
from emubot.games.colours.scoring import STORED_AT, Table, nuisance_falling, table_of
from emubot.games.colours.search.search import Position
from emubot.games.colours.search.two_plies import lock
from emubot.jit import Scalar, kernel

Place = tuple[int, int]  # orientation, column
LOST = "the game ends"


@dataclass(frozen=True, slots=True, eq=False)
class After:
    """The field after a placement, its chain and full rows of pending nuisance, and that chain."""

    cells: Cells
    chain: int
    points: int

    def dead(self, rules: Rules) -> bool:
        """Whether the next pair cannot appear."""
        return any(self.cells[row + rules.hidden_rows, column] for column, row in rules.death_cells)


@dataclass(frozen=True, slots=True)
class Valued:
    """What a value is made of; `next_name` is where it puts the next pair, None if nowhere."""

    parts: tuple[Part, ...]
    depths: tuple[DepthValue, ...]
    next_name: str | None = None


class Evaluator(Protocol):
    """What says how the search values placements. `unit` and `meaning` are those of Explanation.

    `field_unit` is the unit of the values of fields.
    """

    unit: str
    meaning: str
    field_unit: str

    def valued(self, place: Place, value: float, after: After) -> Valued:
        """Returns what the value of a placement, as the search found it, is made of."""

    def field_parts(self, after: After, place: Place, triggers: list[Trigger]) -> tuple[Part, ...]:
        """Returns what the value of the field after a placement is made of; nothing if it has no value of its own."""

    def chain_value(self, trigger: Trigger) -> float:
        """Returns how good a chain is that a field is ready for."""


def afterstate(position: Position, place: Place, rules: Rules) -> After:
    """Returns the field after a placement of the position's pair."""
    cells = np.ascontiguousarray(position.cells, dtype=np.uint8).copy()
    settle(cells)
    chain, points = lock_and_rain(cells, *place, *position.pair, position.pending, table_of(rules))
    return After(cells, int(chain), int(points))


@kernel
def lock_and_rain(
    cells: Cells,
    orientation: Scalar,
    column: Scalar,
    pivot: Scalar,
    satellite: Scalar,
    pending: Scalar,
    table: Table,
) -> tuple[Scalar, Scalar]:
    """Lock a piece on a settled field, in place, and let the full rows of pending nuisance fall, as the search does.

    Returns the chain's length and its points.
    """
    board = board_of(cells)
    board, _, chain, points = lock(board, heights_of(board), orientation, column, pivot, satellite, table)
    rows = nuisance_falling(table, pending, chain) // COLUMNS
    if rows:
        board = with_nuisance(board, rows, 0, NUISANCE, table[STORED_AT])
    fill_cells(board, cells)
    return chain, points
