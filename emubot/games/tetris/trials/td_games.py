"""NES games in which tables of values learn; knows no training method and no file.

The current and the next piece are placed as the best pair of locks says, with the third piece searched, then the next
two. So each board after a pair is one that the search valued without knowing the pieces to come. The best pair of these
pieces says what it was really worth, and the difference moves its entries (temporal difference, TD(0)). A search that
placed only the first piece, and then changed its mind about the second, would learn of boards that it did not go to.

Before that a teacher may move: a search by features, piece by piece. Then the tables learn what its boards are worth.

Each entry moves by its share of the difference, times |sum of its differences| / sum of their sizes (temporal
coherence: D. Beal, M. Smith, "Temporal coherence and prediction decay in TD learning", 1999).

What lines are worth is not learnt in this way: it would take many thousands of games until the end of a game is felt at
its beginning. Whole games say it (`calibrate`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.bits import popcount
from emubot.games.tetris.board.board import BOARD_ROWS, CELLS, Words
from emubot.games.tetris.evaluation.course import MOST_LINES
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.layout import LINES_AT, LINES_TERM, PHASE_STARTS, TERMS
from emubot.games.tetris.evaluation.points import entries_of_board, is_over, place_on_course, points_of
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import COLUMNS
from emubot.games.tetris.search.expectimax import first_best
from emubot.games.tetris.search.pairs import descend_pair, search_third, value_pairs
from emubot.games.tetris.search.plies import Lookahead, begin_at, descend, placements
from emubot.games.tetris.search.two_plies import MOST_LOCKS, search_two_plies
from emubot.games.tetris.trials.game_start import GameStart, fill_garbage
from emubot.jit import Scalar, kernel

DIFFERENCES, SIZES = range(2)
MISSED, SEEN = range(2)
NO_PAIR: Final = -1
_MOST_SEEN: Final = 8192  # boards of a game that count for the shortfall
STRETCHES: Final = (0, 100, 130, 200)  # lines of the course from which on the share of Tetrises is counted anew
CLEARED, IN_TETRISES = range(2)
_NEAR: Final = 11  # lines: boards nearer than this count for a line, the nearer the more
_FEW: Final = 50  # with fewer boards a line keeps its value
_WEIGHTS: Final = np.maximum(0, _NEAR - np.abs(np.arange(-_NEAR, _NEAR + 1)))


class Learning(NamedTuple):
    """What the tables learn from: games from `start`.

    A difference counts `rates` (LINES_TERM,) in the entries of a board. sums (2, ENTRIES) are the differences of each
    entry and their sizes. shortfall (2, MOST_LINES + 1) gets, by the lines of the course, how much more the ended games
    brought than their boards' values said, and how many boards these were. `cleared` is from `new_cleared`. After
    `budget` boards no further pair is searched with the third piece.
    """

    start: GameStart
    rates: NDArray[np.float64]
    sums: NDArray[np.float64]
    shortfall: NDArray[np.float64]
    cleared: Words
    budget: Scalar


def new_shortfall() -> NDArray[np.float64]:
    """Returns the shortfall of no games."""
    return np.zeros((2, MOST_LINES + 1))


def new_cleared() -> Words:
    """Returns the lines of no games: int64 (stretches, 2), all lines of each stretch and those of its Tetrises."""
    return np.zeros((len(STRETCHES), 2), dtype=np.int64)


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
    first, found, ranks = np.zeros(3, dtype=np.int64), np.zeros((MOST_LOCKS, 3), dtype=np.int64), np.zeros(MOST_LOCKS)
    places, valued = np.zeros(_MOST_SEEN, dtype=np.int64), np.zeros(_MOST_SEEN)
    games, played, learnt, seen, size = 0, 0, 0, 0, 0.0
    start = learning.start
    level, lines, score, begun = start.level, start.lines, 0.0, False
    piece = following = -1
    while played < pieces:
        fresh = not begun
        if fresh:
            fill_garbage(rng, start.garbage, rows)
            level, lines, score, begun, seen = start.level, start.lines, 0.0, True, 0
            piece = deal(-1, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
            following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
        begin_at(rows, look)
        place = place_on_course(lines, level, player)
        if not fresh:
            entries_of_board(memory.boards[0].stacks[:], lines, level, player, entries)
            if seen < _MOST_SEEN:
                places[seen] = place
                valued[seen] = score + _sum_of(player.values, entries)
                seen += 1
        gained, total, over, locks, before = 0.0, 0.0, False, 1, lines
        if taught:
            count, _ = search_two_plies(
                rows, piece, look.begin, following, level, lines, look.gravity, look.input_rules, teacher, found, ranks
            )
            over = count == 0
            if not over:
                copy(found[first_best(found, ranks, count)], first)
                gained, lines, level = descend(0, first, lines, level, look)
                over = is_over(lines, level, player)
            total = gained + (0.0 if over else points_of(memory.boards[1].stacks[:], lines, level, player, terms))
        else:
            pair, total = best_pair(piece, following, lines, level, learning.budget, look)
            over, locks = pair == NO_PAIR, 2
            if not over:
                gained, lines, level, goes_on = descend_pair(pair, lines, level, look)
                over = not goes_on
        copy(memory.rows[locks], rows)
        note_clears(place, lines - before, look, learning.cleared)
        if not fresh:
            size += _adjust(total, player.values, entries, learning)
            learnt += 1
        score += gained
        played += locks
        if over:
            for board in range(seen):
                learning.shortfall[MISSED, places[board]] += score - valued[board]
                learning.shortfall[SEEN, places[board]] += 1
            scores[games] = score - (player.stop_worth if is_over(lines, level, player) else 0.0)
            lengths[games] = lines
            games += 1
            begun = False
        else:
            piece = following if taught else deal(following, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
            following = deal(piece, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    return games, size / max(learnt, 1)


@kernel
def note_clears(place: Scalar, lines: Scalar, look: Lookahead, cleared: Words) -> None:
    """Add the lines of the lock or the pair on the board of depth 0, which stands at `place` on the course."""
    if lines == 0:
        return
    first = CELLS
    for column in range(COLUMNS):
        for depth in range(2):
            cells = popcount(look.memory.boards[depth].stacks[column])
            first += cells if depth == 0 else -cells
    first //= COLUMNS
    stretch = 0
    for index in range(len(STRETCHES)):
        if place >= STRETCHES[index]:
            stretch = index
    cleared[stretch, CLEARED] += lines
    for removed in (first, lines - first):
        if removed == CELLS:
            cleared[stretch, IN_TETRISES] += CELLS


@kernel
def best_pair(
    piece: Scalar, following: Scalar, lines: Scalar, level: Scalar, budget: Scalar, look: Lookahead
) -> tuple[Scalar, float]:
    """Returns the best pair of locks on the board of depth 0, and what is to come with the third piece searched.

    The pair is its place in the memory, NO_PAIR if no lock is within reach.
    """
    memory = look.memory
    memory.keys[:] = 0
    count = placements(0, piece, look.begin, level, look)
    if count == 0:
        return NO_PAIR, 0.0
    pairs, _ = value_pairs(count, following, lines, level, look, memory.values[:])
    search_third(pairs, following, lines, level, 2 * budget, 1, look)
    return memory.widened[0], memory.widened_values[0]


@kernel
def _sum_of(values: NDArray[np.float32], found: Words) -> float:
    total = 0.0
    for index in range(TERMS):
        total += values[found[index]]
    return total


@kernel
def _adjust(target: float, values: NDArray[np.float32], found: Words, learning: Learning) -> float:
    """Move the entries `found` but that of the lines, so that their sum nears `target`; returns the difference."""
    difference, sums = target - _sum_of(values, found), learning.sums
    for index in range(LINES_TERM):
        entry = found[index]
        size = sums[SIZES, entry]
        coherence = abs(sums[DIFFERENCES, entry]) / size if size > 0.0 else 1.0
        values[entry] += learning.rates[index] * coherence * difference
        sums[DIFFERENCES, entry] += difference
        sums[SIZES, entry] += abs(difference)
    return abs(difference)


def calibrate(values: NDArray[np.float32], shortfall: NDArray[np.float64]) -> None:
    """Add the mean shortfall of whole games to the value of each line, so that it would have been 0.

    Only boards of the same phase count, since each phase has tables of its own.
    """
    for first, end in pairwise((*PHASE_STARTS, MOST_LINES + 1)):
        missed, seen = (_near(shortfall[part, first:end]) for part in (MISSED, SEEN))
        enough = seen >= _FEW
        values[LINES_AT + first : LINES_AT + end][enough] += (missed[enough] / seen[enough]).astype(np.float32)


def _near(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns for each line the sum over the lines around it, by their weights."""
    return np.convolve(sums, _WEIGHTS, "full")[_NEAR : _NEAR + len(sums)]
