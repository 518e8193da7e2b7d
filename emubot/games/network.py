"""The value of a small network over a game's features, inside kernels; knows no game.

Weights for a kernel are float64: one for each feature and, where a network takes their place, behind them the cells
that emubot.weights.Weights.vector documents: the kind, the number of layers, that of inputs, the inputs' indices, and
for each layer its outputs, its weights row by row and its biases. The positive part is taken between layers.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.jit import Scalar, kernel

_LAYERS_AT: Final = 1  # behind the cell of the kind
_INPUTS_AT: Final = 2
_NAMES_AT: Final = 3
_AT_ONCE: Final = 4  # outputs summed side by side, so that no addition waits for the one before

Cells = NDArray[np.float64]


def scratch_for(weights: Cells, first: int) -> Cells:
    """The working memory `network` needs for these weights: what enters a layer and what leaves it, side by side.

    `first` is the index of the cell of the kind; without a network the memory is empty.
    """
    if len(weights) <= first:
        return np.zeros(0)
    return np.zeros(2 * max(widths(weights, first)))


def inputs_of(weights: Cells, first: int) -> NDArray[np.int64]:
    """The indices of the features that the network takes, in its order."""
    count = int(weights[first + _INPUTS_AT])
    return weights[first + _NAMES_AT : first + _NAMES_AT + count].astype(np.int64)


def widths(weights: Cells, first: int) -> list[int]:
    """How many numbers enter the network and leave each of its layers."""
    found = [int(weights[first + _INPUTS_AT])]
    at = first + _NAMES_AT + found[0]
    for _ in range(int(weights[first + _LAYERS_AT])):
        found.append(int(weights[at]))
        at += 1 + (found[-2] + 1) * found[-1]
    return found


@kernel
def network(features: Cells, weights: Cells, first: Scalar, scratch: Cells) -> float:
    """What the network gives for these features; `first` is the index of its kind, `scratch` as of scratch_for."""
    layers, count = int(weights[first + _LAYERS_AT]), int(weights[first + _INPUTS_AT])
    at = first + _NAMES_AT
    for index in range(count):
        scratch[index] = features[int(weights[at + index])]
    at += count
    entering, leaving = 0, len(scratch) // 2
    for layer in range(layers):
        outputs = int(weights[at])
        at += 1
        biases = at + count * outputs
        output = 0
        while output + _AT_ONCE <= outputs:
            one, two = weights[biases + output], weights[biases + output + 1]
            three, four = weights[biases + output + 2], weights[biases + output + 3]
            for index in range(count):
                given = scratch[entering + index]
                one += weights[at + index] * given
                two += weights[at + count + index] * given
                three += weights[at + 2 * count + index] * given
                four += weights[at + 3 * count + index] * given
            scratch[leaving + output], scratch[leaving + output + 1] = one, two
            scratch[leaving + output + 2], scratch[leaving + output + 3] = three, four
            at += _AT_ONCE * count
            output += _AT_ONCE
        while output < outputs:
            one = weights[biases + output]
            for index in range(count):
                one += weights[at + index] * scratch[entering + index]
            scratch[leaving + output] = one
            at += count
            output += 1
        if layer + 1 < layers:
            for index in range(leaving, leaving + outputs):
                scratch[index] = max(scratch[index], 0.0)
        at += outputs
        count = outputs
        entering, leaving = leaving, entering
    return float(scratch[entering])
