"""Evaluates a small network over a game's features inside kernels; knows no game.

Weights for a kernel are float64, one for each feature. If a network takes their place, the cells that
emubot.weights.Weights.vector documents follow: the kind, the number of layers, the number of inputs, the inputs'
indices, and for each layer its number of outputs, its weights row by row and its biases. Between layers negative
values become 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.jit import Scalar, kernel

_LAYERS_AT: Final = 1  # offsets from the cell of the kind
_INPUTS_AT: Final = 2
_NAMES_AT: Final = 3
_AT_ONCE: Final = 4  # outputs summed in parallel, so that no addition waits for the one before

Cells = NDArray[np.float64]


def scratch_for(weights: Cells, first: int) -> Cells:
    """Returns the working memory of `network` for these weights: room for the inputs and the outputs of a layer.

    `first` is the index of the cell of the kind. Without a network the memory is empty.
    """
    if len(weights) <= first:
        return np.zeros(0)
    return np.zeros(2 * max(widths(weights, first)))


def inputs_of(weights: Cells, first: int) -> NDArray[np.int64]:
    """Returns the indices of the network's input features, in its order."""
    count = int(weights[first + _INPUTS_AT])
    return weights[first + _NAMES_AT : first + _NAMES_AT + count].astype(np.int64)


def widths(weights: Cells, first: int) -> list[int]:
    """Returns the number of the network's inputs, then the number of outputs of each layer."""
    found = [int(weights[first + _INPUTS_AT])]
    at = first + _NAMES_AT + found[0]
    for _ in range(int(weights[first + _LAYERS_AT])):
        found.append(int(weights[at]))
        at += 1 + (found[-2] + 1) * found[-1]
    return found


@kernel
def network(features: Cells, weights: Cells, first: Scalar, scratch: Cells) -> float:
    """Returns the network's value for these features; `first` and `scratch` are as in scratch_for."""
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
