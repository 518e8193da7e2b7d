"""A small network as plain arrays: made, fitted by scikit-learn, averaged, stored."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.extras import DQN
from emubot.training.state import stored

Rows = NDArray[np.float64]
Layers = list[tuple[Rows, Rows]]  # for each layer the weights (outputs, inputs) and the biases (outputs,)
Spread = tuple[Rows, Rows]  # centre and scale, of each input or of one number


class Fitting(NamedTuple):
    """How a network is fitted: the step, how often each row is used, and the rows of a step."""

    learning_rate: float
    epochs: int
    batch: int


def scaled(layers: Layers, inputs: Spread, aims: Spread) -> Layers:
    """Returns the same network for inputs and outputs that are shifted and scaled: (x - c) / s."""
    (first, biases), *others = layers
    *inner, (last, end) = [(first * inputs[1], biases + first @ inputs[0]), *others]
    return [*inner, (last / aims[1], (end - aims[0]) / aims[1])]


def unscaled(layers: Layers, inputs: Spread, aims: Spread) -> Layers:
    """Returns the network for plain inputs and outputs: the inverse of `scaled`."""
    (first, biases), *others = layers
    *inner, (last, end) = [(first / inputs[1], biases - first @ (inputs[0] / inputs[1])), *others]
    return [*inner, (last * aims[1], end * aims[1] + aims[0])]


def spread_of(rows: Rows) -> Spread:
    """Returns the mean of each column and its standard deviation, 1 where that is 0."""
    spread = rows.std(axis=0)
    return rows.mean(axis=0), np.where(spread > 0, spread, 1.0)


def averaged(mean: Layers, layers: Layers, share: float) -> Layers:
    """Returns the running mean of networks after one more; the old mean has the share `share`."""
    both = zip(mean, layers, strict=True)
    return [(share * w + (1 - share) * v, share * b + (1 - share) * c) for (w, b), (v, c) in both]


def first_layers(widths: Sequence[int], rng: np.random.Generator) -> Layers:
    """Returns small random weights, scaled after Glorot and Bengio (2010) for rectified units, and biases of 0."""
    layers = []
    for entering, leaving in pairwise(widths):
        bound = np.sqrt(6.0 / (entering + leaving))
        layers.append((rng.uniform(-bound, bound, (leaving, entering)), np.zeros(leaving)))
    return layers


def output(layers: Layers, inputs: Rows) -> Rows:
    """Returns the network's output for each row of inputs, float64 (m,)."""
    last = len(layers) - 1
    for index, (weights, biases) in enumerate(layers):
        inputs = inputs @ weights.T + biases
        if index < last:
            inputs = np.maximum(inputs, 0.0)
    return inputs[:, 0]


def fitted(layers: Layers, inputs: Rows, target: Rows, fitting: Fitting, seed: int) -> tuple[Layers, float]:
    """Returns the network after `fitting.epochs` epochs on these rows with a fresh optimiser, and the last loss."""
    library = scikit_learn()
    network = library.MLPRegressor(
        hidden_layer_sizes=tuple(len(biases) for _, biases in layers[:-1]),
        learning_rate_init=fitting.learning_rate,
        max_iter=fitting.epochs,
        warm_start=True,
        random_state=seed,
    )
    network.partial_fit(inputs[:1], target[:1])  # creates the attributes that `fit` continues from with warm_start
    network.set_params(batch_size=min(fitting.batch, len(inputs)))
    network.coefs_ = [weights.T.copy() for weights, _ in layers]
    network.intercepts_ = [biases.copy() for _, biases in layers]
    with warnings.catch_warnings():
        # The number of epochs is fixed on purpose, so it is no fault if they do not converge.
        warnings.simplefilter("ignore", import_module("sklearn.exceptions").ConvergenceWarning)
        network.fit(inputs, target)
    pairs = zip(network.coefs_, network.intercepts_, strict=True)
    return [(np.ascontiguousarray(weights.T), biases) for weights, biases in pairs], float(network.loss_)


def plain_layers(layers: Layers) -> list[list[Any]]:
    """Returns the layers as JSON values."""
    return [[weights.tolist(), biases.tolist()] for weights, biases in layers]


def stored_layers(plain: Sequence[Sequence[Any]], like: Layers) -> Layers:
    """Returns the layers that `plain_layers` wrote, of the shapes of `like`. Raises ValueError for anything else."""
    return [
        (stored(weights, *own.shape), stored(biases, *other.shape))
        for (weights, biases), (own, other) in zip(plain, like, strict=True)
    ]


def scikit_learn() -> Any:
    """Returns scikit-learn's networks. Raises UsageError if it is not installed."""
    DQN.require()
    return import_module("sklearn.neural_network")  # untyped and optional
