"""NES games in which tables of values learn; knows no training method and no file.

The current and the next piece are placed as the best pair of locks says, then the next two. So each board after a pair
is one that the search valued without knowing the pieces to come. The best pair of these pieces says what it was really
worth, and the difference moves its entries (temporal difference, TD(0)). A search that placed only the first piece, and
then changed its mind about the second, would learn of boards that it did not go to.

Before that a teacher may move: a search by features, piece by piece. Then the tables learn what its boards are worth.

Each entry moves by its share of the difference, times |sum of its differences| / sum of their sizes (temporal
coherence: D. Beal, M. Smith, "Temporal coherence and prediction decay in TD learning", 1999).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, Words
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.leaf import leaf_value, prepare
from emubot.games.tetris.evaluation.points import TERMS, entries_of_board, is_over, points_of
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.search.expectimax import first_best
from emubot.games.tetris.search.plies import Lookahead, begin_at, descend, placements
from emubot.games.tetris.search.two_plies import MOST_LOCKS, search_two_plies
from emubot.jit import Scalar, kernel

FIRST_LOCKS: Final = 8  # the best locks of the current piece, after which the next piece is searched
NO_LOCK, ONE, BOTH = range(3)
DIFFERENCES, SIZES = range(2)


class Learning(NamedTuple):
    """What the tables learn from: games from `start_level`.

    A difference counts `rates` (TERMS,) in the entries of a board; sums (2, ENTRIES) are the differences of each entry
    and their sizes.
    """

    start_level: Scalar
    rates: NDArray[np.float64]
    sums: NDArray[np.float64]


@kernel
def learn_games(
    rng: np.random.Generator,
    pieces: Scalar,
    learning: Learning,
    look: Lookahead,
    teacher: Player,
    taught: Scalar,
    scores: NDArray[np.float64],
    lengths: NDArray[np.int64],
) -> tuple[Scalar, float]:
    """Play `pieces` pieces, game after game, and learn in place; returns (games ended, mean size of the differences).

    If `taught` is 1, the teacher moves. `scores` and `lengths` get what each ended game brought, and its lines.
    """
    player, memory = look.player, look.memory
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    entries, terms = np.zeros(TERMS, dtype=np.int64), np.zeros(TERMS, dtype=np.int64)
    first, second = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    found, ranks = np.zeros((MOST_LOCKS, 3), dtype=np.int64), np.zeros(MOST_LOCKS)
    games, played, learnt, size = 0, 0, 0, 0.0
    level, lines, score, begun, valued = learning.start_level, 0, 0.0, False, False
    piece = following = -1
    while played < pieces:
        if not begun:
            rows[:] = 0
            level, lines, score, begun, valued = learning.start_level, 0, 0.0, True, False
            piece = deal(-1, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
            following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
        begin_at(rows, look)
        if valued:
            entries_of_board(memory.boards[0].stacks[:], lines, level, player, entries)
        if taught:
            count, _ = search_two_plies(
                rows, piece, look.begin, following, level, lines, look.gravity, look.input_rules, teacher, found, ranks
            )
            outcome, total = (ONE if count else NO_LOCK), 0.0
            first[:] = found[max(first_best(found, ranks, count), 0)]
        else:
            outcome, total = best_pair(piece, following, lines, level, look, first, second)
        gained = 0.0
        for number in range(outcome):
            more, lines, level = descend(number, first if number == 0 else second, lines, level, look)
            gained += more
        rows[:] = memory.rows[outcome]
        over = outcome == NO_LOCK or is_over(lines, level, player) or (outcome == ONE and not taught)
        if taught:
            total = gained + (0.0 if over else points_of(memory.boards[1].stacks[:], lines, level, player, terms))
        if valued:
            size += _adjust(total, player.values, entries, learning)
            learnt += 1
        valued = True
        score += gained
        played += max(outcome, 1)
        if over:
            scores[games] = score - (player.stop_worth if is_over(lines, level, player) else 0.0)
            lengths[games] = lines
            games += 1
            begun = False
        elif outcome == ONE:
            piece = following
            following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
        else:
            piece = deal(following, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
            following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    return games, size / max(learnt, 1)


@kernel
def best_pair(
    piece: Scalar, following: Scalar, lines: Scalar, level: Scalar, look: Lookahead, first: Words, second: Words
) -> tuple[Scalar, float]:
    """Write the best locks of both pieces on the board of depth 0 into `first` and `second` (3,).

    Returns NO_LOCK, ONE (the second piece cannot lock, or the first ends the game) or BOTH, and what is to come.
    """
    memory, player = look.memory, look.player
    places, others, ahead = memory.places[0], memory.places[1], memory.values
    count = placements(0, piece, look.begin, level, look)
    prepare(memory.boards[0], lines, level, player)
    for index in range(count):
        ahead[index] = leaf_value(memory.boards[0], places[index], lines, level, player)
    outcome, best = NO_LOCK, 0.0
    for _ in range(min(count, FIRST_LOCKS)):
        index = int(np.argmax(ahead[:count]))
        ahead[index] = -np.inf
        total, lines1, level1 = descend(0, places[index], lines, level, look)
        seconds, top = 0, 0
        if not is_over(lines1, level1, player):
            seconds = placements(1, following, look.begin, level1, look)
            prepare(memory.boards[1], lines1, level1, player)
            highest = -np.inf
            for other in range(seconds):
                value = leaf_value(memory.boards[1], others[other], lines1, level1, player)
                if value > highest:
                    top, highest = other, value
            total += highest if seconds else 0.0
        if outcome == NO_LOCK or total > best:
            outcome, best = (BOTH if seconds else ONE), total
            first[:] = places[index]
            second[:] = others[top]
    return outcome, best


@kernel
def _adjust(target: float, values: NDArray[np.float32], found: Words, learning: Learning) -> float:
    """Move the entries `found` in place, so that their sum nears `target`; returns the difference's size before."""
    difference, sums = target, learning.sums
    for index in range(TERMS):
        difference -= values[found[index]]
    for index in range(TERMS):
        entry = found[index]
        size = sums[SIZES, entry]
        coherence = abs(sums[DIFFERENCES, entry]) / size if size > 0.0 else 1.0
        values[entry] += learning.rates[index] * coherence * difference
        sums[DIFFERENCES, entry] += difference
        sums[SIZES, entry] += abs(difference)
    return abs(difference)
