"""Games of pairs beside each other, a placement a step in each, alone or two against each other; knows no frames.

A match is as in trials/battle.py: both players get the same pairs and lock one each at the same time, and the nuisance
of a chain falls after the opponent's next lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import Counter, Shown
from emubot.games.colours.board.nuisance import MOST_PENDING, Exchange, attack, exchange_of, rained_on
from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import Board, empty_board, fill_cells, heights_of
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.looks import PAIRS
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, DOWN, LEFT, PROFILES, RIGHT, UP
from emubot.games.colours.scoring import Table, table_of
from emubot.games.colours.search.two_plies import MOST_PLACEMENTS, Candidates, fill_placements, lock
from emubot.games.colours.worlds import CHAIN, WINS, PuyoWorld
from emubot.games.lots import draw
from emubot.games.placing import PlacedBatch
from emubot.jit import Scalar, inlined, kernel
from emubot.snapshot import Snapshot
from emubot.tempo import parse_taps

_DIRECTIONS: Final = {UP: "above", RIGHT: "right of", DOWN: "below", LEFT: "left of"}
_WORDS: Final = 8  # of a board
_BONUS: Final = _WORDS  # the points of an all-clear, for the next attack
_PER_BOX: Final = 3  # rows of a pair to come
_MOST: Final = 2**62

# Of `rules`, int64: the colours, the most pairs (0: any number), the limits of columns (reach/entry.py), the reward.
_COLORS, _MOST_PAIRS, _LIMITS, _REWARD = range(4)
_FOR_POINTS, _FOR_CHAIN, _FOR_WINS = range(3)
# Of the counters.
_SCORE, _CHAIN, _LOCKED, _PENDING, _PIVOT, _SATELLITE = range(6)

Words = NDArray[np.int64]


class Play(NamedTuple):
    """What the games are made of."""

    rules: Words
    table: Table
    exchange: Exchange
    own: Words  # (games, _WORDS + 1): the board, and _BONUS
    found: Candidates  # working memory
    order: Words  # (1, COLUMNS): the same


class PairsBatch(PlacedBatch):
    """Games by these rules; see Batch. Placements that the mask leaves out are the next one, by number, that it has.

    With two seats the games 2 n and 2 n + 1 are a match: they begin, and are over, together.
    """

    rate = 2.0
    looks = PAIRS
    actions = tuple(
        f"satellite {_DIRECTIONS[orientation]} the pivot, column {column}"
        for orientation in range(MOST_PLACEMENTS // COLUMNS)
        for column in range(COLUMNS)
    )

    def __init__(self, world: PuyoWorld, games: int, seats: int = 1) -> None:
        profile = PROFILES[world.rules]
        rules = replace(profile, colors=world.colors or profile.colors)
        halves = ("pivot", "satellite")
        coming = (*halves, *(f"next_{number + 1}_{half}" for number in range(rules.previews) for half in halves))
        done = tuple(Counter(name, 0, _MOST) for name in ("score", "chain", "pairs", "pending"))
        self.numbers = (*done, *(Counter(name, 1, rules.colors) for name in coming))
        super().__init__(games, rules.visible_rows, COLUMNS, rules.hidden_rows, masked=True)
        self._seats = seats
        reward = {CHAIN: _FOR_CHAIN, WINS: _FOR_WINS}.get(world.reward, _FOR_POINTS)
        limits = limits_of(rules, parse_taps(world.taps) if world.gravity else None, world.gravity)
        self._play = Play(
            np.array((rules.colors, world.cap, limits, reward), dtype=np.int64),
            table_of(rules),
            exchange_of(rules),
            np.zeros((games, _WORDS + 1), dtype=np.int64),
            np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8),
            np.zeros((1, COLUMNS), dtype=np.int64),
        )

    def adopt(self, snapshot: Snapshot) -> None:
        """Go on with the pairs that the cartridge has dealt."""
        counters = self.counters[0]
        counters[_PIVOT], counters[_SATELLITE] = snapshot.counters["pivot"], snapshot.counters["satellite"]
        counters[_SATELLITE + 1 :] = snapshot.next[: counters.size - _SATELLITE - 1]

    def action_of(self, place: Sequence[int]) -> int:
        """Returns the action of a lock: orientation and column; of a pair of one colour that of the two that is one."""
        orientation, column = place[0], place[1]
        if self.counters[0, _PIVOT] == self.counters[0, _SATELLITE] and orientation in (DOWN, LEFT):
            orientation, column = (UP, column) if orientation == DOWN else (RIGHT, column - 1)
        return orientation * COLUMNS + column

    def is_shown(self, snapshot: Snapshot) -> bool:
        """Returns whether the cartridge's field is that of the game."""
        return bool(np.array_equal(cells_of(snapshot), self._cells[0]))

    def _coming(self, column: int) -> NDArray[np.int64]:
        pairs = self.counters[:, _PIVOT:].reshape(self.games, -1, 2)[..., ::-1]  # the satellite is above the pivot
        cells = np.zeros((*pairs.shape, 3), dtype=np.int64)
        cells[..., 0] = _PER_BOX * np.arange(pairs.shape[1])[:, None] + np.arange(2)
        cells[..., 1], cells[..., 2] = column, pairs
        return cells.reshape(self.games, -1, 3)

    def _begin(self, game: int) -> None:
        _begin(self._play, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        step = _step_matches if self._seats == 2 else _step
        return bool(step(self._play, self._lots, self._shown, actions))


@kernel
def _begin(play: Play, lots: Words, shown: Shown, game: Scalar) -> None:
    counters = shown.counters[game]
    play.own[game, _BONUS] = 0
    _keep(play, shown, game, empty_board())
    for index in range(_PIVOT):
        counters[index] = 0
    for index in range(_PIVOT, len(counters)):
        counters[index] = 1 + draw(lots, play.rules[_COLORS])
    shown.rewards[game], shown.ended[game], shown.cut[game] = 0.0, False, False
    _show_mask(play, shown, game)


@inlined
def _board(play: Play, game: Scalar) -> Board:
    own = play.own[game]
    return own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7]


@inlined
def _keep(play: Play, shown: Shown, game: Scalar, board: Board) -> None:
    own = play.own[game]
    own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7] = board
    fill_cells(board, shown.cells[game])


@inlined
def _show_mask(play: Play, shown: Shown, game: Scalar) -> Scalar:
    """Write the mask of a game; returns the number of placements."""
    counters, mask = shown.counters[game], shown.mask[game]
    heights = heights_of(_board(play, game))
    limits = play.rules[_LIMITS]
    count = fill_placements(heights, counters[_PIVOT], counters[_SATELLITE], limits, play.table, play.found)
    for action in range(MOST_PLACEMENTS):
        mask[action] = 0
    for index in range(count):
        mask[play.found[index, 0] * COLUMNS + play.found[index, 1]] = 1
    return count


@inlined
def _place(play: Play, shown: Shown, game: Scalar, action: Scalar) -> tuple[Board, Scalar, Scalar]:
    """Lock the pair of a game and count it; returns the board, the length of the chain and its points."""
    counters = shown.counters[game]
    while shown.mask[game, action] == 0:
        action = (action + 1) % MOST_PLACEMENTS
    board = _board(play, game)
    pivot, satellite = counters[_PIVOT], counters[_SATELLITE]
    orientation, column = action // COLUMNS, action % COLUMNS
    after, _, chain, points = lock(board, heights_of(board), orientation, column, pivot, satellite, play.table)
    counters[_SCORE] += points
    counters[_CHAIN] = chain
    counters[_LOCKED] += 1
    return after, chain, points


@inlined
def _go_on(play: Play, lots: Words, shown: Shown, game: Scalar, board: Board) -> bool:
    """Deal the next pair onto a board; returns whether the game is lost."""
    counters = shown.counters[game]
    _keep(play, shown, game, board)
    for index in range(_PIVOT, len(counters) - 2):
        counters[index] = counters[index + 2]
    for index in range(len(counters) - 2, len(counters)):
        counters[index] = 1 + draw(lots, play.rules[_COLORS])
    lost = bool(is_dead(board, play.table))
    return _show_mask(play, shown, game) == 0 or lost


@kernel
def _step(play: Play, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, MOST_PLACEMENTS):
        return False
    for game in range(len(actions)):
        if shown.ended[game] or shown.cut[game]:
            _begin(play, lots[game], shown, game)
            continue
        board, chain, points = _place(play, shown, game, actions[game])
        shown.rewards[game] = points if play.rules[_REWARD] == _FOR_POINTS else chain
        shown.ended[game] = _go_on(play, lots[game], shown, game, board)
        shown.cut[game] = _is_cut(play, shown, game)
    return True


@inlined
def _is_cut(play: Play, shown: Shown, game: Scalar) -> bool:
    return 0 < play.rules[_MOST_PAIRS] <= shown.counters[game, _LOCKED] and not shown.ended[game]


@kernel
def _step_matches(play: Play, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, MOST_PLACEMENTS):
        return False
    most = play.exchange[MOST_PENDING]
    for game in range(0, len(actions), 2):
        other = game + 1
        if shown.ended[game] or shown.cut[game]:
            for seat in range(game, other + 1):
                _begin(play, lots[seat], shown, seat)
            continue
        mine, my_sent = _attacked(play, lots[game], shown, game, actions[game])
        yours, your_sent = _attacked(play, lots[other], shown, other, actions[other])
        shown.counters[game, _PENDING] = min(shown.counters[game, _PENDING] + your_sent, most)
        shown.counters[other, _PENDING] = min(shown.counters[other, _PENDING] + my_sent, most)
        lost, beaten = (
            _go_on(play, lots[game], shown, game, mine),
            _go_on(play, lots[other], shown, other, yours),
        )
        shown.ended[game] = shown.ended[other] = lost or beaten
        shown.cut[game], shown.cut[other] = _is_cut(play, shown, game), _is_cut(play, shown, other)
        if play.rules[_REWARD] == _FOR_WINS:
            shown.rewards[game] = int(beaten) - int(lost)
            shown.rewards[other] = int(lost) - int(beaten)
    return True


@inlined
def _attacked(play: Play, lots: Words, shown: Shown, game: Scalar, action: Scalar) -> tuple[Board, Scalar]:
    """Lock the pair of a player, and let nuisance of before fall; returns the board and the nuisance that is sent.

    Nuisance that is no full row falls in columns drawn by the lots, which are the same for both players.
    """
    counters, own, order = shown.counters[game], play.own[game], play.order[0]
    board, chain, points = _place(play, shown, game, action)
    shown.rewards[game] = points
    pending = counters[_PENDING]
    sent, pending, own[_BONUS] = attack(board, chain, points, pending, own[_BONUS], play.table, play.exchange)
    for column in range(COLUMNS):
        order[column] = column
    for column in range(COLUMNS - 1):
        drawn = column + draw(lots, COLUMNS - column)
        order[column], order[drawn] = order[drawn], order[column]
    board, counters[_PENDING] = rained_on(board, pending, chain, play.order, 0, play.table)
    return board, sent
