"""Evaluates a board for a player: weighted features, a network or value tables; knows no search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.network import inputs_of, network, scratch_for
from emubot.games.tetris.board.board import Words
from emubot.games.tetris.evaluation.features import FEATURES, GROUPS, Stacks, groups_of, stack_features
from emubot.games.tetris.evaluation.tuples import FIRST_TABLE, TUPLE_GROUPS, check_tables, entries_of, sum_of, tuples
from emubot.jit import Scalar, lean
from emubot.weights import NETWORK, TABLES

# A player for kernels: weights float64 (FEATURES,) or more; int64, the groups of features that it needs, then the
# indices of the features with a weight; working memory of its network or of its tables.
Player = tuple[NDArray[np.float64], Words, NDArray[np.float64]]


def player_of(weights: NDArray[np.float64]) -> Player:
    """Returns a player with weights of Weights.vector. Raises WeightsError if its tables have another definition."""
    groups = int(groups_of(weights))
    kind = weights[FEATURES] if len(weights) > FEATURES else 0.0
    scratch = np.zeros(0)
    if kind == NETWORK:
        groups |= int(np.bitwise_or.reduce(GROUPS[inputs_of(weights, FEATURES)]))
        scratch = scratch_for(weights, FEATURES)
    elif kind == TABLES:
        check_tables(weights)
        groups |= TUPLE_GROUPS
        scratch = np.zeros(tuples(int(weights[FEATURES + 2])))
    weighed = np.flatnonzero(weights[:FEATURES])
    return weights, np.array([groups, *weighed], dtype=np.int64), scratch


@lean
def value_of(stacks: Stacks, rows: Scalar, features: NDArray[np.float64], player: Player) -> float:
    """Returns the value of a board that is not topped out.

    `features` (FEATURES,) holds the features of the locks; the features of the board are written into it.
    """
    weights, plan, scratch = player
    stack_features(stacks, rows, plan[0], features)
    value = 0.0
    for index in range(1, len(plan)):
        value += weights[plan[index]] * features[plan[index]]
    if len(weights) > FEATURES and weights[FEATURES] == NETWORK:
        value += network(features, weights, FEATURES, scratch)
    elif len(weights) > FEATURES and weights[FEATURES] == TABLES:
        entries_of(stacks, rows, features, scratch)
        value += sum_of(weights, FIRST_TABLE, scratch, len(scratch))
    return value
