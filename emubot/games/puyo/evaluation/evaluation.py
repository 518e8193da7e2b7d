"""What a field is worth: the weighted sum of its features, and what a small network adds to it; knows no search.

A vector of weights is float64: one for each feature and, where there is a network, its cells behind them
(games/network.py). Kernels take it as `scales_of` lays it out, with all the working memory they need.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.network import inputs_of, network, scratch_for
from emubot.games.puyo.board.board import Board
from emubot.games.puyo.board.resolve import Links
from emubot.games.puyo.evaluation.features import FEATURES, SCALES, VALUES_AT, WANTED_AT, weigh
from emubot.games.puyo.scoring import Table
from emubot.jit import Scalar, kernel

# Behind what `weigh` takes: where the network's scratch begins, 0 without a network; its cells; its scratch.
_SCRATCH_AT: Final = SCALES
_NETWORK_AT: Final = SCALES + 1

Vector = NDArray[np.float64]
Scales = NDArray[np.float64]


def scales_of(weights: Vector) -> Scales:
    """A vector of weights as the kernels take it; they write into it, so that two threads need one each."""
    wanted = weights[:FEATURES] != 0.0
    cells = weights[FEATURES:]
    scratch = scratch_for(weights, FEATURES)
    if len(cells):
        wanted[inputs_of(weights, FEATURES)] = True
    scales = np.zeros(_NETWORK_AT + len(cells) + len(scratch))
    scales[:FEATURES] = weights[:FEATURES]
    scales[WANTED_AT:VALUES_AT] = wanted
    if len(cells):
        scales[_SCRATCH_AT] = _NETWORK_AT + len(cells)
        scales[_NETWORK_AT : _NETWORK_AT + len(cells)] = cells
    return scales


@kernel
def evaluate(
    board: Board, links: Links, points: Scalar, laid: Scalar, limits: Scalar, table: Table, scales: Scales
) -> float:
    """What a board is worth: `links`, `points`, `laid` and `limits` as for `weigh`."""
    value = weigh(board, links, points, laid, limits, table, scales)
    if scales[_SCRATCH_AT] != 0.0:
        value += network(scales[VALUES_AT:SCALES], scales, _NETWORK_AT, scales[int(scales[_SCRATCH_AT]) :])
    return value
