"""Textbook games with some random drops, as data to learn from; knows no method of learning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.evaluation import Player, player_of
from emubot.games.tetris.evaluation.features import ALL_GROUPS, lock_features, stack_features
from emubot.games.tetris.textbook.board import TALL, Words, drop, drop_by_number, drops_of, topped_out
from emubot.games.tetris.textbook.generators import DEALER_SIZE, fresh_dealer, next_piece
from emubot.games.tetris.textbook.rules import COLUMNS_AT, GENERATOR_AT, ROWS_AT, TextbookRules
from emubot.games.tetris.textbook.search import LEFT_AT, NO_PIECE, ORIENTATION_AT, Scratch, best_move, scratch_for
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.jit import Scalar, kernel

_FIRST_NOTES: Final = 256  # locks in the first part of a game's notes; each part has twice as many as the one before

Notes = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]


def explored(
    rules: TextbookRules,
    weights: NDArray[np.float64],
    inputs: Sequence[int],
    seeds: Sequence[int],
    epsilon: float,
    pieces: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Play one game for each seed, of at most `pieces` pieces; each drop is random with probability `epsilon`.

    A random drop is any drop with the same probability. Otherwise it is the best one by these weights; only the piece
    to drop is known, and there is no hold. Returns, for every lock in order, the features with the indices `inputs` of
    the lock and of the board after it, float64 (m, len(inputs)); the rows it removed, float64 (m,); and RUNNING,
    TERMINATED or TRUNCATED, int64 (m,). The last array has the rows removed in each game, int64 (len(seeds),). If a
    lock tops out, its board features ignore cells above the top row.
    """
    cells = TextbookRules(columns=rules.columns, rows=rules.rows, generator=rules.generator).cells()
    player, scratch, chosen = player_of(weights), scratch_for(cells), np.array(inputs, dtype=np.int64)
    games = [_game(np.random.default_rng(seed), cells, player, scratch, chosen, epsilon, pieces) for seed in seeds]
    features, gains, ends = _joined(games)
    return features, gains, ends, np.array([own.sum() for _, own, _ in games], dtype=np.int64)


def _game(
    rng: np.random.Generator, rules: Words, player: Player, scratch: Scratch, inputs: Words, epsilon: float, pieces: int
) -> Notes:
    dealer, queue = np.empty(DEALER_SIZE, dtype=np.int64), np.empty(1, dtype=np.int64)
    fresh_dealer(dealer)
    scratch[0][0] = 0
    parts: list[Notes] = []
    size, left = _FIRST_NOTES, pieces
    while True:
        size = min(size, left)
        features, gains, ends = np.empty((size, len(inputs))), np.empty(size), np.empty(size, dtype=np.int64)
        count = explore_on(rng, rules, player, scratch, dealer, queue, inputs, epsilon, features, gains, ends)
        left -= count
        if left == 0 and ends[count - 1] == RUNNING:
            ends[count - 1] = TRUNCATED
        parts.append((features[:count], gains[:count], ends[:count]))
        if ends[count - 1] != RUNNING:
            return _joined(parts)
        size *= 2


def _joined(parts: Sequence[Notes]) -> Notes:
    features, gains, ends = zip(*parts, strict=True)
    return np.concatenate(features), np.concatenate(gains), np.concatenate(ends)


@kernel
def explore_on(
    rng: np.random.Generator,
    rules: Words,
    player: Player,
    scratch: Scratch,
    dealer: Words,
    queue: Words,
    inputs: Words,
    epsilon: float,
    features: NDArray[np.float64],
    gains: NDArray[np.float64],
    ends: NDArray[np.int64],
) -> Scalar:
    """Continue the game on board 0 of `scratch` until it is lost or the notes are full; returns their number.

    The notes are features (n, len(inputs)), gains (n,) and ends (n,); `queue` (1,) is working memory.
    """
    boards, _, noted, choices, _, _, _ = scratch
    rows = rules[ROWS_AT]
    for number in range(len(gains)):
        queue[0] = next_piece(rules[GENERATOR_AT], dealer, rng)
        if rng.random() < epsilon:
            random_drop(rng, queue[0], rules[COLUMNS_AT], choices[0])
        else:
            best_move(NO_PIECE, queue, rules, player, scratch)
        orientation, left = choices[0, ORIENTATION_AT], choices[0, LEFT_AT]
        lowest, removed, own = drop(boards[0], boards[1], orientation, left)
        lost = topped_out(boards[1], rows)
        for column in range(rules[COLUMNS_AT]):
            boards[0, column] = boards[1, column] & ((1 << rows) - 1)
        lock_features(lowest, lowest + TALL[orientation] - 1, rows, removed, own, noted)
        stack_features(boards[0], rows, ALL_GROUPS, noted)
        for index in range(len(inputs)):
            features[number, index] = noted[inputs[index]]
        gains[number] = removed
        ends[number] = TERMINATED if lost else RUNNING
        if lost:
            return number + 1
    return len(gains)


@kernel
def random_drop(rng: np.random.Generator, piece: Scalar, columns: Scalar, choice: Words) -> None:
    """Draw one of a piece's drops, all with the same probability; write its orientation and column to `choice`."""
    drawn = rng.integers(0, drops_of(piece, columns))
    choice[ORIENTATION_AT], choice[LEFT_AT] = drop_by_number(piece, columns, drawn)
