"""Games of pairs with some random placements, for training methods to learn from; knows no method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import empty_board, heights_of
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.features import VALUES_AT, WANTED_AT, colored_count, weigh
from emubot.games.colours.rules import Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.two_plies import Play, colors_in, fill_placements, lock
from emubot.games.colours.trials.untimed import Pairs, Tries, best_of, fresh_tries
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.jit import Scalar, kernel


class Seen(NamedTuple):
    """Where a game is noted, a row for each lock: float64 `features` and `gains`, and int64 `ends` (see `explored`)."""

    features: NDArray[np.float64]
    gains: NDArray[np.float64]
    ends: NDArray[np.int64]


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
    play, chosen = Play(limits, table_of(rules), scales_of(weights)), np.array(inputs, dtype=np.int64)
    play.scales[WANTED_AT + chosen] = 1.0
    tries = fresh_tries()
    parts, scores = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        dealt = rng.integers(1, rules.colors + 1, size=(pairs + 1, 2), dtype=np.uint8)
        seen = Seen(np.empty((pairs, len(inputs))), np.empty(pairs), np.zeros(pairs, dtype=np.int64))
        count, score = explore_game(rng, dealt, play, chosen, epsilon, tries, seen)
        parts.append(tuple(entry[:count] for entry in seen))
        scores.append(score)
    all_features, all_gains, all_ends = zip(*parts, strict=True)
    joined = np.concatenate(all_features), np.concatenate(all_gains), np.concatenate(all_ends)
    return *joined, np.array(scores, dtype=np.int64)


@kernel
def explore_game(
    rng: np.random.Generator,
    pairs: Pairs,
    play: Play,
    inputs: NDArray[np.int64],
    epsilon: float,
    tries: Tries,
    seen: Seen,
) -> tuple[Scalar, Scalar]:
    """Play one game from an empty field; returns the number of locks and the points.

    `pairs` is uint8 (n + 1, 2); the last one is only seen. `seen` is filled up to the end of the game. The scales of
    `play` must mark the inputs as wanted; the rest is as in untimed.take_turn.
    """
    candidates, table, scales = tries.candidates, play.table, play.scales
    locks, score = np.int64(0), np.int64(0)
    board, pending = empty_board(), np.int64(0)
    for turn in range(len(pairs) - 1):
        pivot, satellite = np.int64(pairs[turn, 0]), np.int64(pairs[turn, 1])
        heights = heights_of(board)
        count = fill_placements(heights, pivot, satellite, play.limits, table, candidates)
        best: Scalar = 0
        if rng.random() < epsilon:
            best = rng.integers(0, count)
        else:
            best, _ = best_of(board, count, pairs, turn, pending, play, tries)
        laid = colored_count(board) + colors_in(pivot)
        board, links, _, points = lock(
            board, heights, int(candidates[best, 0]), int(candidates[best, 1]), pivot, satellite, table
        )
        weigh(board, links, points, laid, play.limits, table, scales)
        for index in range(len(inputs)):
            seen.features[turn, index] = scales[VALUES_AT + inputs[index]]
        seen.gains[turn] = laid - colored_count(board)
        seen.ends[turn] = RUNNING
        locks += 1
        score += points
        if is_dead(board, table):
            seen.ends[turn] = TERMINATED
            return locks, score
    seen.ends[len(pairs) - 2] = TRUNCATED
    return locks, score
