"""Textbook games in which value tables learn from every drop; knows no training method and no file.

The value of a drop is its reward plus `gamma` times the value of the best drop of the next piece. The reward is the
room on the board after it (1 less the mean height of the columns as a share of all rows), and `line_reward` for each
row that it removes. A drop that tops out has the value 0. The room is an early sign of a death that comes much later.
Without it tables learn to play, but a hundred times worse (measured: 300 lines instead of many thousands).

TD(0): the difference (TD error) is a drop's value by the drop after it, less its value in the tables. The entries of
that value share it. Each entry's share is multiplied by |sum of its differences| / sum of their sizes (temporal
coherence: D. Beal, M. Smith, "Temporal coherence and prediction decay in TD learning", 1999). An entry whose
differences only scatter is at rest; one whose differences agree moves in full. So there is no step size to lower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.bits import length
from emubot.games.tetris.evaluation.features import FEATURES, Stacks, stack_features
from emubot.games.tetris.evaluation.tuples import TUPLE_GROUPS, entries, entries_of, sum_of, tuples
from emubot.games.tetris.textbook.board import FIRST_ORIENTATION, WIDTH, Words, drop, topped_out
from emubot.games.tetris.textbook.generators import DEALER_SIZE, fresh_dealer, next_piece
from emubot.games.tetris.textbook.rules import COLUMNS_AT, GENERATOR_AT, ROWS_AT, TextbookRules
from emubot.jit import Scalar, kernel

# What is known of an entry, one row each: its value, the sum of its differences, the sum of their sizes.
VALUE, DIFFERENCES, SIZES = range(3)
KNOWN: Final = 3

Known = NDArray[np.float64]  # (KNOWN, entries)


@dataclass(frozen=True, slots=True)
class Learnt:
    """The result of games: the tables, each game's lines (the last game was cut), the mean size of the differences."""

    known: Known
    lines: NDArray[np.int64]
    difference: float


def fresh(rules: TextbookRules) -> Known:
    """Returns untrained tables."""
    return np.zeros((KNOWN, entries(rules.columns, rules.rows)))


def learnt(
    rules: TextbookRules, known: Known, seed: int, pieces: int, rate: float, gamma: float, line_reward: float
) -> Learnt:
    """Returns these tables after `pieces` pieces, in games one after the other, from the seed.

    `rate` is the share of a difference that all entries together take if none is at rest.
    """
    own = known.copy()
    lines = np.zeros(pieces, dtype=np.int64)
    rng = np.random.default_rng(seed)
    games, size = learn(rng, rules.cells(), own, rate, gamma, line_reward, lines)
    return Learnt(own, lines[:games].copy(), float(size) / pieces)


@kernel
def learn(
    rng: np.random.Generator,
    rules: Words,
    known: Known,
    rate: float,
    gamma: float,
    line_reward: float,
    lines: NDArray[np.int64],
) -> tuple[Scalar, float]:
    """Play len(lines) pieces and learn in place; returns (games begun, sum of the differences' sizes).

    `lines` (pieces,), all 0 at first, gets the lines of each game.
    """
    columns, rows = rules[COLUMNS_AT], rules[ROWS_AT]
    stacks, after, best = np.zeros(columns, np.int64), np.zeros(columns, np.int64), np.zeros(columns, np.int64)
    count = tuples(columns)
    features, found, before = np.zeros(FEATURES), np.zeros(count), np.zeros(count)
    dealer = np.empty(DEALER_SIZE, dtype=np.int64)
    fresh_dealer(dealer)
    values = known[VALUE]
    game, size, first = 0, 0.0, True
    for _ in range(len(lines)):
        piece = next_piece(rules[GENERATOR_AT], dealer, rng)
        top, gain, alive = -np.inf, 0, False
        for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
            for left in range(columns - WIDTH[orientation] + 1):
                _, removed, _ = drop(stacks, after, orientation, left)
                if topped_out(after, rows):
                    continue
                stack_features(after, rows, TUPLE_GROUPS, features)
                entries_of(after, rows, features, found)
                value = line_reward * removed + sum_of(values, 0, found, count)
                if value > top:
                    top, gain, alive = value, removed, True
                    copy(after, best)
        if not first:
            size += td_update(target(stacks, rows, gamma, top if alive else 0.0), before, known, rate)
        if alive:
            lines[game] += gain
            copy(best, stacks)
            stack_features(stacks, rows, TUPLE_GROUPS, features)
            entries_of(stacks, rows, features, before)
            first = False
        else:
            game += 1
            stacks[:] = 0
            fresh_dealer(dealer)
            first = True
    return game if first else game + 1, size


@kernel
def target(stacks: Stacks, rows: Scalar, gamma: float, following: float) -> float:
    """Returns a board's room plus `gamma` times `following`, the value of the best drop on it."""
    total = 0
    for column in range(len(stacks)):
        total += length(stacks[column])
    return float(1.0 - total / (len(stacks) * rows) + gamma * following)


@kernel
def td_update(target: float, found: NDArray[np.float64], known: Known, rate: float) -> float:
    """Move the entries `found` in place, so that their sum nears `target`; returns the difference's size before."""
    difference = target - sum_of(known[VALUE], 0, found, len(found))
    for number in range(len(found)):
        entry = int(found[number])
        coherence = 1.0
        if known[SIZES, entry] > 0.0:
            coherence = abs(known[DIFFERENCES, entry]) / known[SIZES, entry]
        known[VALUE, entry] += rate / len(found) * coherence * difference
        known[DIFFERENCES, entry] += difference
        known[SIZES, entry] += abs(difference)
    return abs(difference)
