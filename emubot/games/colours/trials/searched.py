"""Games of pairs whose placements any search chooses, a turn at a time; knows no frames, no items, no RAM and no file.

The rules of a turn, of a game and of a battle are those of untimed.py and battle.py, whose kernels play two plies.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board import nuisance
from emubot.games.colours.board.nuisance import Exchange, Order
from emubot.games.colours.board.words import Cells, board_of, fill_cells
from emubot.games.colours.rules import COLUMNS, Rules
from emubot.games.colours.scoring import Table, table_of
from emubot.games.colours.search.battle_sense import room_of
from emubot.games.colours.search.search import Position, Search, placements
from emubot.games.colours.search.two_plies import lock_cells
from emubot.games.colours.trials import battle
from emubot.games.colours.trials.untimed import FIGURES, Pairs
from emubot.jit import Scalar, kernel


@dataclass(frozen=True, slots=True)
class PairsCourse:
    """What a game is played by: `left_known` is whether the search knows when the game ends.

    The game also ends with a chain of `stop_points` or more; 0: it does not.
    """

    rules: Rules
    limits: int
    left_known: bool = True
    stop_points: int = 0


@dataclass(slots=True)
class Side:
    """A player in the middle of a game: search, field, pending nuisance and the bonus of an all-clear."""

    search: Search
    course: PairsCourse
    cells: Cells = field(init=False)
    pending: int = 0
    bonus: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        self.cells = np.zeros((self.course.rules.stored_rows, COLUMNS), dtype=np.uint8)

    def take_turn(self, pairs: Pairs, turn: int, opponent_room: int | None = None) -> tuple[int, int]:
        """Lock pair number `turn`, with the following ones known; returns the length of the chain and its points."""
        rules, limits = self.course.rules, self.course.limits
        pivot, satellite = pairs[turn].tolist()
        found = placements(self.cells, (pivot, satellite), rules, limits)
        following = tuple((one, other) for one, other in pairs[turn + 1 : turn + 1 + rules.previews].tolist())
        left = len(pairs) - rules.previews - 1 - turn if self.course.left_known else None
        position = Position(self.cells, (pivot, satellite), following, self.pending, limits, left, opponent_room)
        choice = self.search.decide(position, found)
        self.nodes += choice.nodes
        orientation, column = found[choice.index].tolist()
        return lock_cells(self.cells, orientation, column, pivot, satellite, table_of(rules))

    @property
    def room(self) -> int:
        """The room that is left, see battle_sense.room_of."""
        return room_of(int(np.count_nonzero(self.cells[:, self.course.rules.spawn.column])), self.course.rules)

    @property
    def dead(self) -> bool:
        """Whether the spawn cell is filled."""
        return any(
            self.cells[row + self.course.rules.hidden_rows, column] for column, row in self.course.rules.death_cells
        )


def play_game(pairs: Pairs, search: Search, course: PairsCourse, figures: NDArray[np.int64]) -> None:
    """Play one game from an empty field until it is lost, stopped, or only pairs to be seen are left.

    `pairs` is uint8 (n + previews, 2). `figures` (FIGURES,), zeros, are filled.
    """
    side = Side(search, course)
    found = dict.fromkeys(FIGURES, 0)
    for turn in range(len(pairs) - course.rules.previews):
        chain, points = side.take_turn(pairs, turn)
        puyos = int(np.count_nonzero(side.cells))
        found["score"] += points
        found["pieces"] += 1
        found["best_chain"] = max(found["best_chain"], chain)
        found["best_score"] = max(found["best_score"], points)
        found["max_puyos"] = max(found["max_puyos"], puyos)
        found["all_clears"] += puyos == 0
        if side.dead:
            found["died"] = 1
            break
        if 0 < course.stop_points <= points:
            break
    found["nodes"] = side.nodes
    found["kept"] = 0 if found["died"] else found["score"]
    figures[:] = [found[name] for name in FIGURES]


def play_battle(
    pairs: Pairs,
    order: Order,
    first: Search,
    second: Search,
    course: PairsCourse,
    exchange: Exchange,
    figures: NDArray[np.int64],
) -> None:
    """Play one battle, by the rules of battle.play_battle, whose arguments and `figures` these are."""
    table = table_of(course.rules)
    mine, yours = Side(first, course), Side(second, course)
    found = dict.fromkeys(battle.FIGURES, 0)
    for turn in range(len(pairs) - course.rules.previews):
        my_room, your_room = mine.room, yours.room  # neither knows the other's move
        turns = [(mine, *mine.take_turn(pairs, turn, your_room)), (yours, *yours.take_turn(pairs, turn, my_room))]
        sent = []
        for side, chain, points in turns:
            amount, side.pending, side.bonus = attack_of(
                side.cells, chain, points, side.pending, side.bonus, table, exchange
            )
            sent.append(int(amount))
        for side, chain, _ in turns:
            side.pending = int(rain(side.cells, side.pending, chain, order, turn, table))
        mine.pending = min(mine.pending + sent[1], int(exchange[nuisance.MOST_PENDING]))
        yours.pending = min(yours.pending + sent[0], int(exchange[nuisance.MOST_PENDING]))
        _, chain, points = turns[0]
        found["pieces"] += 1
        found["score"] += points
        found["best_chain"] = max(found["best_chain"], chain)
        found["sent"] += sent[0]
        lost, beaten = mine.dead, yours.dead
        if lost or beaten:
            found["wins"], found["draws"] = int(beaten and not lost), int(beaten and lost)
            break
    else:
        found["draws"] = 1
    found["nodes"] = mine.nodes
    figures[:] = [found[name] for name in battle.FIGURES]


@kernel
def attack_of(
    cells: Cells, chain: Scalar, points: Scalar, pending: Scalar, bonus: Scalar, table: Table, exchange: Exchange
) -> tuple[Scalar, Scalar, Scalar]:
    """Does the same as nuisance.attack, for a cells array."""
    return nuisance.attack(board_of(cells), chain, points, pending, bonus, table, exchange)


@kernel
def rain(cells: Cells, pending: Scalar, chain: Scalar, order: Order, turn: Scalar, table: Table) -> Scalar:
    """Let pending nuisance fall on a cells array, see nuisance.rained_on; returns what is still pending."""
    board, rest = nuisance.rained_on(board_of(cells), pending, chain, order, turn, table)
    fill_cells(board, cells)
    return rest
