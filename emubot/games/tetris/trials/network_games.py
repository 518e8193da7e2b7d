"""NES games in which a network learns what the tables miss; knows no training method and no file.

Each game is played as in td_games.py, pair by pair, by the tables, which rest, and the network. After its end the
network learns from each board after a pair: its value is to be what came later (a lambda return: R. Sutton, "Learning
to predict by the methods of temporal differences", 1988). That is what the search said of the best pair from there,
and, the more the larger `trust` is, what the game really brought. So no weight moves while a game is played by it.

Each weight moves against its gradient by `step`, divided by the root of the sum of the squares of its gradients so far
(J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods", 2011): rare rows move as much as common ones.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.tetris.board.board import BOARD_ROWS, Words
from emubot.games.tetris.evaluation.layout import TERMS, first_of_phase
from emubot.games.tetris.evaluation.network import (
    BOUNDS,
    HIDDEN,
    LINE_FACTS,
    PARAMETERS,
    ROWS_OF_BOARD,
    add_rows,
    begin_sums,
    rows_of_board,
)
from emubot.games.tetris.evaluation.points import PointsPlayer, entries_of_board, is_over, place_on_course
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.search.pairs import descend_pair
from emubot.games.tetris.search.plies import Lookahead, begin_at
from emubot.games.tetris.trials.game_start import GameStart, fill_garbage
from emubot.games.tetris.trials.td_games import NO_PAIR, best_pair, note_clears
from emubot.jit import Scalar, inlined, kernel, lean

FIRST_SQUARE: Final = 0.5  # of each weight, so that its first gradients do not move it far
_MOST_BOARDS: Final = 8192  # of a game, after which the search has the last word on the rest of it
_FURTHEST: Final = 3.0  # usual differences, beyond which a difference counts as this many
# First weights: the deviation of those that are drawn at random, by the usual difference for those of the value.
_SPREAD: Final = 0.01
_OUT_SPREAD: Final = 0.025
_FIRST_BIAS: Final = 0.1


class NetworkLearning(NamedTuple):
    """What a network learns from: games from `start`, whose lines are added to `cleared` (`new_cleared`).

    After `budget` boards no further pair is searched with the third piece. `trust` (0 to 1) is the share of what the
    game brought in what a board should be worth. `usual` is the size of a usual difference. `squares` are the sums of
    the squares of each weight's gradients, a network too.
    """

    start: GameStart
    cleared: Words
    budget: Scalar
    trust: float
    step: float
    usual: float
    squares: np.record


class Boards(NamedTuple):
    """The boards of a game after its pairs, one a place: their rows of the network, and the lines of the course.

    `tables` is what the tables say, `brought` what the next pair brought, `hoped` what the search said of it and of all
    after it, and `due` what the board should have been worth.
    """

    rows: NDArray[np.int64]
    lines: Words
    tables: NDArray[np.float64]
    brought: NDArray[np.float64]
    hoped: NDArray[np.float64]
    due: NDArray[np.float64]


def new_boards(most: int = _MOST_BOARDS) -> Boards:
    """Returns the memory of a game of at most so many boards; a longer one is cut off there."""
    numbers = [np.zeros(most) for _ in range(4)]
    return Boards(np.zeros((most, ROWS_OF_BOARD), dtype=np.int64), np.zeros(most, dtype=np.int64), *numbers)


def first_parameters(rng: np.random.Generator, usual: float) -> NDArray[np.float32]:
    """Returns random parameters to begin with, float32 (PARAMETERS,), whose values are small beside `usual`."""
    rows, lines, biases, out = np.split(rng.normal(size=PARAMETERS), BOUNDS)
    biases[:-1], biases[-1] = _FIRST_BIAS, 0
    return np.concatenate([_SPREAD * rows, _SPREAD * lines, biases, usual * _OUT_SPREAD * out]).astype(np.float32)


@kernel
def learn_network(
    rng: np.random.Generator,
    pieces: Scalar,
    learning: NetworkLearning,
    look: Lookahead,
    boards: Boards,
    scores: NDArray[np.float64],
    lengths: NDArray[np.int64],
) -> tuple[Scalar, float]:
    """Play games until `pieces` pieces have been placed, and learn in place from each that ended.

    Returns (games ended, mean size of the differences); `scores` and `lengths` get what each ended game brought, and
    its lines.
    """
    player = look.player
    rows, played, games, size, learnt = np.zeros(BOARD_ROWS, dtype=np.uint16), 0, 0, 0.0, 0
    while played < pieces:
        fill_garbage(rng, learning.start.garbage, rows)
        count, lines, brought, over = _play(rng, pieces - played, rows, learning, look, boards)
        played += 2 * count
        if not over and played >= pieces:
            break
        size += _learn(rng, count, over, learning, player, boards)
        learnt += count
        if over:
            scores[games], lengths[games] = brought, lines
            games += 1
    return games, size / max(learnt, 1)


@kernel
def _play(
    rng: np.random.Generator,
    pieces: Scalar,
    rows: NDArray[np.uint16],
    learning: NetworkLearning,
    look: Lookahead,
    boards: Boards,
) -> tuple[Scalar, Scalar, float, bool]:
    """Play a game of at most `pieces` pieces; returns (boards, lines, what it brought, whether it ended)."""
    player, memory = look.player, look.memory
    entries = np.zeros(TERMS, dtype=np.int64)
    level, lines, brought, count = learning.start.level, learning.start.lines, 0.0, 0
    piece = deal(-1, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    while True:
        begin_at(rows, look)
        stacks = memory.boards[0].stacks[:]
        entries_of_board(stacks, lines, level, player, entries)
        place = place_on_course(lines, level, player)
        rows_of_board(stacks, first_of_phase(place), entries, player.network.heights[:], boards.rows[count])
        boards.lines[count], boards.tables[count] = place, 0.0
        for index in range(TERMS):
            boards.tables[count] += player.values[entries[index]]
        pair, boards.hoped[count] = best_pair(piece, following, lines, level, learning.budget, look)
        boards.brought[count], over = 0.0, pair == NO_PAIR
        if not over:
            before = lines
            gained, lines, level, goes_on = descend_pair(pair, lines, level, look)
            note_clears(place, lines - before, look, learning.cleared)
            boards.brought[count], over = gained, not goes_on
            brought += gained
            copy(memory.rows[2], rows)
        count += 1
        if over:
            return count, lines, brought - (player.stop_worth if is_over(lines, level, player) else 0.0), True
        if 2 * count >= pieces or count == len(boards.lines):
            return count, lines, brought, False
        piece = deal(following, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
        following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))


@kernel
def _learn(
    rng: np.random.Generator, count: Scalar, over: bool, learning: NetworkLearning, player: PointsPlayer, boards: Boards
) -> float:
    """Learn from the boards of a game in random order; returns the sum of the sizes of their differences.

    Of a game that is not `over` the search has the last word on the rest.
    """
    trust, size, last = learning.trust, 0.0, count - 1
    boards.due[last] = boards.brought[last] if over else boards.hoped[last]
    for board in range(count - 2, -1, -1):
        came = boards.brought[board] + boards.due[board + 1]
        boards.due[board] = (1 - trust) * boards.hoped[board] + trust * came
    for board in rng.permutation(count):
        difference = boards.due[board] - boards.tables[board]
        difference -= value_of_rows(boards.rows[board], boards.lines[board], player)
        size += abs(difference)
        _move(boards.rows[board], difference / learning.usual, learning, player.network)
    return size


@inlined
def value_of_rows(rows: Words, lines: Scalar, player: PointsPlayer) -> float:
    """Returns what the network adds for a board with these rows; its sums and its facts stay in its memory."""
    network = player.network
    found, sums, biases, out = network.found, network.sums, network.biases, network.out
    for index in range(ROWS_OF_BOARD):
        found[index] = rows[index]
    begin_sums(lines, player.stop_lines, network, sums)
    add_rows(found, ROWS_OF_BOARD, network, sums)
    value = biases[HIDDEN]
    for unit in range(HIDDEN):
        value += max(sums[unit], np.float32(0)) * out[unit]
    return float(value)


@lean
def _move(found: Words, difference: float, learning: NetworkLearning, network: np.record) -> None:
    """Move the weights by which `value_of_rows` came to its value, against their gradients."""
    squares, step, pulls, facts = learning.squares, np.float32(learning.step), network.sums, network.facts
    rows, lines, biases, out = network.rows, network.lines, network.biases, network.out
    of_rows, of_lines, of_biases, of_out = squares.rows, squares.lines, squares.biases, squares.out
    error = np.float32(min(max(difference, -_FURTHEST), _FURTHEST))
    _step(error, of_biases, HIDDEN, biases, step)
    for unit in range(HIDDEN):
        active = max(pulls[unit], np.float32(0))
        pulls[unit] = error * out[unit] if active > 0 else np.float32(0)
        _step(error * active, of_out, unit, out, step)
    for unit in range(HIDDEN):
        _step(pulls[unit], of_biases, unit, biases, step)
    for fact in range(LINE_FACTS):
        for unit in range(HIDDEN):
            _step(pulls[unit] * facts[fact], of_lines[fact], unit, lines[fact], step)
    for index in range(ROWS_OF_BOARD):
        row = found[index]
        for unit in range(HIDDEN):
            _step(pulls[unit], of_rows[row], unit, rows[row], step)


@inlined
def _step(
    gradient: Scalar, squares: NDArray[np.float32], at: Scalar, weights: NDArray[np.float32], step: Scalar
) -> None:
    squares[at] += gradient * gradient
    weights[at] += step * gradient / np.sqrt(squares[at])
