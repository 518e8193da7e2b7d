"""The evaluation of a field: the weighted sum of its features, plus the output of a small network; knows no search.

A vector of weights is float64: one weight for each feature, then the cells of the network if there is one
(games/network.py). `scales_of` converts it to the layout of the kernels, with all the scratch memory they need.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import Links
from emubot.games.colours.board.words import Board
from emubot.games.colours.evaluation.features import FEATURES, SCALES, VALUES_AT, WANTED_AT, weigh
from emubot.games.colours.scoring import Table
from emubot.games.network import inputs_of, network, scratch_for
from emubot.jit import Scalar, lean

# After the part of `weigh`: the index of the network's scratch (0 without a network), its cells, its scratch.
SCRATCH_AT: Final = SCALES
NETWORK_AT: Final = SCALES + 1

Vector = NDArray[np.float64]
Scales = NDArray[np.float64]


def scales_of(weights: Vector) -> Scales:
    """Returns the layout of a vector of weights for the kernels. They write into it, so each thread needs its own."""
    wanted = weights[:FEATURES] != 0.0
    cells = weights[FEATURES:]
    scratch = scratch_for(weights, FEATURES)
    if len(cells):
        wanted[inputs_of(weights, FEATURES)] = True
    scales = np.zeros(NETWORK_AT + len(cells) + len(scratch))
    scales[:FEATURES] = weights[:FEATURES]
    scales[WANTED_AT:VALUES_AT] = wanted
    if len(cells):
        scales[SCRATCH_AT] = NETWORK_AT + len(cells)
        scales[NETWORK_AT : NETWORK_AT + len(cells)] = cells
    return scales


@lean
def evaluate(
    board: Board, links: Links, points: Scalar, laid: Scalar, limits: Scalar, table: Table, scales: Scales
) -> float:
    """Returns the value of a board; `links`, `points`, `laid` and `limits` are as for `weigh`."""
    value = weigh(board, links, points, laid, limits, table, scales)
    if scales[SCRATCH_AT] != 0.0:
        value += network(scales[VALUES_AT:SCALES], scales, NETWORK_AT, scales[int(scales[SCRATCH_AT]) :])
    return value
