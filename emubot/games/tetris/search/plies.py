"""The steps of a search in points: locks within reach, and the board after a lock; knows no order of search."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from emubot.games.bits import lowest
from emubot.games.tetris.board.board import (
    BOARD_ROWS,
    LANE,
    LANES,
    ORIENTATION_OF_LANE,
    Rows,
    Words,
    fill_fits,
    lock,
)
from emubot.games.tetris.board.columns import columns_of, lock_columns
from emubot.games.tetris.evaluation.leaf import BOARD
from emubot.games.tetris.evaluation.points import PointsPlayer, gain
from emubot.games.tetris.reach.start import fill_locks, history, input_rules_of, scratch
from emubot.games.tetris.reach.state import Begin, History, InputRules, Scratch
from emubot.games.tetris.rules import COLUMNS, PIECE_NAMES, ROWS, SPAWN_COLUMN, Profile
from emubot.jit import Scalar, inlined, lean
from emubot.tempo import Tempo

PIECES: Final = len(PIECE_NAMES)
MOST_PLACEMENTS: Final = 256  # of one piece on one board; a board with tucks everywhere has fewer than 200
MOST_PAIRS: Final = 8192
WIDEST: Final = 24  # boards after two pieces that are searched deeper, at most, by a usual budget
BROADER_FROM: Final = 100_000  # boards of a budget by each of which a search is as broad once more
BROADEST: Final = 8  # times as broad as usual
CACHE: Final = 1 << 14
DEPTHS: Final = 4  # before the first lock to after the third

# What the threads of a search have valued (helpers.py): by the place of a piece on a board, the value of its best
# lock and the number of its locks. `checks` is the key with both mixed in, so that a place that is half written counts
# as empty (R. Hyatt, T. Mann, "A lockless transposition table", 2002). `turn` is another number in each search.
SHARED_PLACES: Final = 1 << 15
SHARED: Final = np.dtype(
    (
        np.record,
        [
            ("used", np.int64),  # 0: a search has one thread
            ("stop", np.int64),  # 1: what is valued now helps nobody
            ("turn", np.int64),
            ("checks", np.int64, (SHARED_PLACES,)),
            ("values", np.float64, (SHARED_PLACES,)),
            ("counts", np.int64, (SHARED_PLACES,)),
        ],
    )
)

# The working memory of a search; a record, as boards are (leaf.py).
MEMORY: Final = np.dtype(
    (
        np.record,
        [
            ("boards", BOARD, (DEPTHS,)),
            ("places", np.int64, (DEPTHS, MOST_PLACEMENTS, 3)),
            ("values", np.float64, (MOST_PLACEMENTS,)),  # of the locks of one piece
            ("outcomes", np.float64, (DEPTHS, PIECES)),  # what each piece leads to
            ("fits", np.int64, (ROWS + 1,)),
            ("locks", np.int64, (ROWS,)),
            ("pairs", np.int64, (MOST_PAIRS, 4)),  # the index of the first lock, and the second lock
            ("pair_values", np.float64, (MOST_PAIRS,)),
            ("widened", np.int64, (BROADEST * WIDEST,)),  # pairs that are searched deeper
            ("widened_values", np.float64, (BROADEST * WIDEST,)),
            ("widened_boards", np.int64, (BROADEST * WIDEST, COLUMNS)),
            ("keys", np.int64, (CACHE,)),
            ("cached", np.float64, (CACHE,)),
            ("rows", np.uint16, (DEPTHS, BOARD_ROWS)),  # last, so that all else is aligned
        ],
    )
)


class Lookahead(NamedTuple):
    """What is the same for all positions of a game: values, motion, and working memory (MEMORY, and that of reach).

    `gravity` is in frames per row by level. Every piece but the current one starts as `begin` and moves by
    `later_rules`. A hidden piece that leads to less than the mean counts `loss_weight` times its probability.
    """

    player: PointsPlayer
    gravity: Words
    input_rules: InputRules
    later_rules: InputRules
    begin: Begin
    loss_weight: float
    memory: np.record
    shared: np.record
    reach: Scratch
    history: History


def lookahead_for(player: PointsPlayer, tempo: Tempo, profile: Profile, loss_weight: float = 1.0) -> Lookahead:
    """Returns the lookahead of a player whose pieces move by this tempo in this release.

    With DAS the pieces to come are tapped. That reaches nearly the same locks, as a full charge shifts no oftener than
    taps, and the search takes a twentieth of the time.
    """
    reaction = tempo.reaction
    rules = input_rules_of(tempo, profile)
    begin = Begin(0, SPAWN_COLUMN, 0, 0, 0, reaction, reaction, 0, 0, 0)
    gravity = np.array(profile.gravity, dtype=np.int64)
    memory = np.zeros(1, dtype=MEMORY)[0]
    later_rules = rules._replace(uses_das=0)
    shared = np.zeros(1, dtype=SHARED)[0]
    return Lookahead(player, gravity, rules, later_rules, begin, loss_weight, memory, shared, scratch(), history())


@inlined
def breadth_of(budget: Scalar) -> Scalar:
    """Returns how many times as broad as usual a search of so many boards is."""
    return min(1 + budget // BROADER_FROM, BROADEST)


@lean
def begin_at(rows: Rows, look: Lookahead) -> None:
    """Make this the board of depth 0."""
    memory = look.memory
    for index in range(BOARD_ROWS):
        memory.rows[0, index] = rows[index]
    columns_of(rows, memory.boards[0].stacks[:])


@lean
def placements(depth: Scalar, piece: Scalar, begin: Begin, level: Scalar, look: Lookahead) -> Scalar:
    """Write (orientation, column, row) of every lock within reach into the places of this depth; returns how many.

    The topmost row is first, then they are ordered by lane and column.
    """
    memory, gravity = look.memory, look.gravity
    places, fits, locks = memory.places[depth], memory.fits[:], memory.locks[:]
    fill_fits(memory.rows[depth], piece, fits)
    pull = gravity[min(level, len(gravity) - 1)]
    rules = look.later_rules if depth else look.input_rules
    fill_locks(fits, LANES[piece], begin, pull, rules, look.reach, locks, look.history)
    count = 0
    for row in range(ROWS):
        word = locks[row]
        while word:
            bit = lowest(word)
            word &= word - 1
            if count < len(places):
                places[count, 0] = ORIENTATION_OF_LANE[piece, bit // LANE]
                places[count, 1] = bit % LANE
                places[count, 2] = row
                count += 1
    return count


@lean
def descend(depth: Scalar, place: Words, lines: Scalar, level: Scalar, look: Lookahead) -> tuple[float, Scalar, Scalar]:
    """Make the board of the next depth by this lock; returns what it brings, and lines and level after it."""
    memory = look.memory
    before, after = memory.rows[depth], memory.rows[depth + 1]
    for index in range(BOARD_ROWS):
        after[index] = before[index]
    lock(after, place[0], place[1], place[2])
    stacks = memory.boards[depth + 1].stacks[:]
    removed = lock_columns(memory.boards[depth].stacks[:], stacks, place[0], place[1], place[2])
    return gain(removed, lines, level, look.player)
