"""Games of pairs with some random placements, for training methods to learn from; knows no method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import empty_board, heights_of
from emubot.games.colours.evaluation.evaluation import Scales, scales_of
from emubot.games.colours.evaluation.features import VALUES_AT, WANTED_AT, colored_count, weigh
from emubot.games.colours.rules import Rules
from emubot.games.colours.scoring import Table, table_of
from emubot.games.colours.search.two_plies import MOST_PLACEMENTS, Candidates, colors_in, fill_placements, lock
from emubot.games.colours.trials.untimed import Pairs, best_of
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.jit import Scalar, kernel

_COUNT, _SCORE = range(2)


def explored(
    rules: Rules,
    limits: int,
    weights: NDArray[np.float64],
    inputs: Sequence[int],
    seeds: Sequence[int],
    epsilon: float,
    pairs: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Play a game for each seed, of at most `pairs` pairs; each placement is random with probability `epsilon`.

    Random placements are uniform. The others are those of untimed.play_game, which sees the next pair. Both keep within
    `limits` (entry.py). Returns, for every lock in order, the features with the indices `inputs`, of its afterstate and
    its points only, float64 (m, len(inputs)); the puyos that popped, float64 (m,); and RUNNING, TERMINATED or
    TRUNCATED, int64 (m,). The last array has the points of each game, int64 (len(seeds),).
    """
    table, scales, chosen = table_of(rules), scales_of(weights), np.array(inputs, dtype=np.int64)
    scales[WANTED_AT + chosen] = 1.0
    candidates, values = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8), np.zeros(MOST_PLACEMENTS)
    parts, scores = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        dealt = rng.integers(1, rules.colors + 1, size=(pairs + 1, 2), dtype=np.uint8)
        features, gains, ends = np.empty((pairs, len(inputs))), np.empty(pairs), np.zeros(pairs, dtype=np.int64)
        sums = np.zeros(2, dtype=np.int64)
        explore_game(
            rng, dealt, limits, table, scales, chosen, epsilon, candidates, values, features, gains, ends, sums
        )
        count = int(sums[_COUNT])
        parts.append((features[:count], gains[:count], ends[:count]))
        scores.append(sums[_SCORE])
    all_features, all_gains, all_ends = zip(*parts, strict=True)
    joined = np.concatenate(all_features), np.concatenate(all_gains), np.concatenate(all_ends)
    return *joined, np.array(scores, dtype=np.int64)


@kernel
def explore_game(
    rng: np.random.Generator,
    pairs: Pairs,
    limits: Scalar,
    table: Table,
    scales: Scales,
    inputs: NDArray[np.int64],
    epsilon: float,
    candidates: Candidates,
    values: NDArray[np.float64],
    features: NDArray[np.float64],
    gains: NDArray[np.float64],
    ends: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Play one game from an empty field; the number of locks and the points are written to `sums`, zeros (2,).

    `pairs` is uint8 (n + 1, 2); the last one is only seen. `features` (n, len(inputs)), `gains` (n,) and `ends` (n,)
    are filled up to the end of the game. `scales` must mark the inputs as wanted; it and the rest are as in
    untimed.take_turn.
    """
    board, pending = empty_board(), np.int64(0)
    for turn in range(len(pairs) - 1):
        pivot, satellite = np.int64(pairs[turn, 0]), np.int64(pairs[turn, 1])
        heights = heights_of(board)
        count = fill_placements(heights, pivot, satellite, limits, table, candidates)
        best: Scalar = 0
        if rng.random() < epsilon:
            best = rng.integers(0, count)
        else:
            best, _ = best_of(board, count, pairs, turn, pending, limits, table, scales, candidates, values)
        laid = colored_count(board) + colors_in(pivot)
        board, links, _, points = lock(
            board, heights, int(candidates[best, 0]), int(candidates[best, 1]), pivot, satellite, table
        )
        weigh(board, links, points, laid, limits, table, scales)
        for index in range(len(inputs)):
            features[turn, index] = scales[VALUES_AT + inputs[index]]
        gains[turn] = laid - colored_count(board)
        ends[turn] = RUNNING
        sums[_COUNT] = turn + 1
        sums[_SCORE] += points
        if is_dead(board, table):
            ends[turn] = TERMINATED
            return
    ends[len(pairs) - 2] = TRUNCATED
