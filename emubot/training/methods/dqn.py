"""Deep Q on afterstates: a small network learns the value of a lock from games that it plays itself.

Published (facts: seed weights, "deep Q"): for Tetris, the inputs holes, bumpiness, total height and lines; for pairs,
the inputs touching colours, pillars, total height, highest column and puyos cleared; two hidden layers of 32; a memory
of the last 10,000 locks, learnt from once it holds 5,000; batches of 32, 3 epochs after each game; gamma 0.95; a lock
earns 1 + 2 times what it cleared, and -5 if it loses; the share of random moves falls game by game.
Not published, so our choice: how that share falls, how much of the memory the epochs use, the learning rate, and that a
losing lock earns nothing else.
Other than published: one network plays several games before it learns from all of them, so that they can be played in
parallel; gamma, trace and averaging, because with the published values (0.95, 0 and 0) learning is several times slower
and good and bad networks alternate (docs/measurements/training.md).

The value of a lock is its reward plus gamma times the value of the next lock. The latter is a mix: the share `trace` is
the next lock's own target, computed in the same way, and the rest is the network's estimate. The running mean of the
networks plays, is exported and makes the estimates; in it the earlier networks have the share `averaging`.
The network is scikit-learn's MLPRegressor, made anew from the stored coefficients for each fit. Its optimiser starts
afresh, and the seed and the generation's number give its random numbers, so nothing else needs to be stored. For a fit,
inputs and targets are shifted and scaled to the memory's content, and the first and the last layer with them, so that
the network stays the same function. What is stored, averaged and exported takes features as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.training.fitness import Fitness
from emubot.training.learning import LearningOutcome, LearningTrainer
from emubot.training.methods.dqn_network import (
    Fitting,
    Rows,
    averaged,
    first_layers,
    fitted,
    output,
    plain_layers,
    scaled,
    scikit_learn,
    spread_of,
    stored_layers,
    unscaled,
)
from emubot.training.methods.memory import Experience, joined, nothing, remembered
from emubot.training.optimiser import between, whole
from emubot.training.trainer import TrainingTask
from emubot.trials.evaluation.contest import Contest
from emubot.weight_parts import FeatureSet, NetworkLayer
from emubot.weights import Weights

MOST_WEIGHTS: Final = 20_000  # between hidden layers: a larger network does not fit into a weights file
_NUMBERS: Final = 2  # the stream of the trainer's own random numbers, apart from the seeds of the games


@dataclass(frozen=True, slots=True)
class DqnSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    hidden: tuple[int, ...] = (32, 32)  # published
    memory: int = 10_000  # published: locks
    begin: int = 5_000  # published: locks in memory before learning begins
    batch: int = 32  # published
    epochs: int = 3  # published, after each generation
    sample: int = 10_000  # locks of the memory that the epochs use, at most
    gamma: float = 0.995  # published 0.95
    trace: float = 0.9  # published 0
    averaging: float = 0.8  # published 0
    lock_reward: float = 1.0  # published
    clear_reward: float = 2.0  # published, times what was cleared
    loss_reward: float = -5.0  # published
    learning_rate: float = 0.001  # the library's default
    games: int = 4  # of a generation; published 1
    pieces: int = 2_000  # of such a game at most, so that a good player's game ends
    first_epsilon: float = 1.0  # share of random moves in the first generation
    last_epsilon: float = 0.0  # the same from generation `falling` on; it falls linearly between
    falling: int = 60
    check_every: int = 10  # generations between two checks of what was learnt

    def __post_init__(self) -> None:
        if not 1 <= len(self.hidden) <= 7:
            raise UsageError(f"A network has 1 to 7 hidden layers, not {len(self.hidden)}.")
        if sum(leaving * other for leaving, other in pairwise((*self.hidden, 1))) > MOST_WEIGHTS:
            raise UsageError(f"A network of {MOST_WEIGHTS:,} weights is the largest one that a file takes: hide less.")
        for width in self.hidden:
            whole("width of a hidden layer", width, 1, 1024)
        whole("size of the memory", self.memory, 2)
        whole("number of locks to begin with", self.begin, 2, self.memory)
        whole("size of a batch", self.batch, 1)
        whole("number of epochs", self.epochs, 1)
        whole("number of locks of an epoch", self.sample, 1)
        for name in ("gamma", "trace"):
            between(name, getattr(self, name), 0, 1)
        between("averaging", self.averaging, 0, 0.999999)
        for name in ("lock_reward", "clear_reward", "loss_reward"):
            between(name.replace("_", " "), getattr(self, name), -1e6, 1e6)
        between("learning rate", self.learning_rate, 1e-9, 1)
        whole("number of games of a generation", self.games, 1)
        whole("number of pieces of a game", self.pieces, 2, 100_000_000)
        between("first share of random moves", self.first_epsilon, 0, 1)
        between("last share of random moves", self.last_epsilon, 0, 1)
        whole("number of generations in which it falls", self.falling, 1, 1_000_000_000)

    def epsilon(self, generation: int) -> float:
        """Returns the share of random moves in a generation."""
        share = min(generation / self.falling, 1.0)
        return self.first_epsilon + (self.last_epsilon - self.first_epsilon) * share


@runtime_checkable
class Explorable(Protocol):
    """A trial that returns its games lock by lock, to learn from them."""

    def explore(
        self, player: Weights, seeds: Sequence[int], epsilon: float, pieces: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Play one game for each seed, of at most `pieces` pieces; each move is random with probability `epsilon`.

        Returns, for every lock in order, the player's own features in its order, float64 (m, inputs); what the lock
        cleared, float64 (m,); and 0 if the game goes on, 1 if it was lost, 2 if it was stopped, int64 (m,). The last
        array has each game's value of the trial's first figure, int64 (len(seeds),).
        """


@dataclass(frozen=True, slots=True)
class DqnBatch:
    """Games that one network plays."""

    contest: Contest
    player: Weights
    seeds: tuple[int, ...]
    epsilon: float
    pieces: int


class DqnTrainer(LearningTrainer):
    """The running method. The features of `fitness` are the network's inputs."""

    def __init__(self, settings: DqnSettings, fitness: Fitness, final: Fitness) -> None:
        """Raises UsageError if scikit-learn is missing or the games cannot be explored."""
        super().__init__(fitness, final, "dqn", settings.check_every)
        _explorable(fitness.contest)
        scikit_learn()
        inputs = len(fitness.names)
        self.settings = settings
        self._memory = nothing(inputs)
        self._learns = False
        self._layers = first_layers((inputs, *settings.hidden, 1), self._numbers())
        self._mean = self._layers

    def episode_batches(self) -> Sequence[TrainingTask]:
        """Returns one batch for each game."""
        settings = self.settings
        player, epsilon = self.current(), settings.epsilon(self.generation)
        seeds = self.seeds(settings.games)
        return [
            TrainingTask(play_episodes, DqnBatch(self.fitness.contest, player, (s,), epsilon, settings.pieces), 1)
            for s in seeds
        ]

    def learn(self, results: Sequence[tuple[Experience, Sequence[float]]]) -> LearningOutcome:
        """Store the games in order and, once the memory holds enough, fit the network."""
        settings = self.settings
        played = [experience for experience, _ in results]
        self._memory = joined([self._memory, *played]).latest(settings.memory)
        loss = 0.0
        if len(self._memory) >= settings.begin or self._learns:
            loss = self._fit()
        brought = [float(value) for _, values in results for value in values]
        moves = float(np.mean([len(experience) for experience in played]))
        score = float(np.mean(brought))
        return LearningOutcome(
            brought, {"moves": moves, "score": score, "epsilon": settings.epsilon(self.generation), "loss": loss}
        )

    def current(self) -> Weights:
        """Returns the mean network as weights."""
        layers = tuple(
            NetworkLayer(weights=tuple(map(tuple, weights.tolist())), biases=tuple(biases.tolist()))
            for weights, biases in self._mean
        )
        features = FeatureSet(version=self.fitness.version, names=self.fitness.names)
        return Weights(game=self.fitness.contest.game, features=features, network=layers)

    def warm_up(self) -> None:
        """Compile or load the kernels of a batch."""
        _explorable(self.fitness.contest).explore(self.current(), [0], 1.0, 1)

    def learned_state(self) -> dict[str, Any]:
        """Returns the settings, the coefficients and the memory."""
        return {
            "settings": asdict(self.settings),
            "layers": plain_layers(self._layers),
            "mean": plain_layers(self._mean),
            "learns": self._learns,
            "memory": self._memory.plain(),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from this network and this memory."""
        settings = state["settings"]
        self.settings = DqnSettings(**settings | {"hidden": tuple(settings["hidden"])})
        self._layers, self._mean = (
            stored_layers(state["layers"], self._layers),
            stored_layers(state["mean"], self._layers),
        )
        self._learns = state["learns"] is True
        self._memory = remembered(state["memory"], len(self.fitness.names))

    def _fit(self) -> float:
        settings, memory = self.settings, self._memory
        inputs, rng = spread_of(memory.features), self._numbers()
        if not self._learns:  # the first weights have the right size for inputs of size 1
            self._learns = True
            self._layers = self._mean = unscaled(self._layers, inputs, (np.zeros(()), np.ones(())))
        wanted = targets(memory, output(self._mean, memory.features), settings)
        chosen = rng.permutation(memory.learnable())[: settings.sample]
        aims = spread_of(wanted[chosen])
        layers, loss = fitted(
            scaled(self._layers, inputs, aims),
            (memory.features[chosen] - inputs[0]) / inputs[1],
            (wanted[chosen] - aims[0]) / aims[1],
            Fitting(settings.learning_rate, settings.epochs, settings.batch),
            int(rng.integers(1 << 32)),
        )
        self._layers = unscaled(layers, inputs, aims)
        self._mean = averaged(self._mean, self._layers, settings.averaging)
        return loss * float(aims[1]) ** 2

    def _numbers(self) -> np.random.Generator:
        return np.random.default_rng([self.fitness.seed, _NUMBERS, self.generation])


def play_episodes(batch: DqnBatch) -> tuple[Experience, Sequence[float]]:
    """Play a batch's games; works in any process that can load the family."""
    trial = _explorable(batch.contest)
    features, gains, ends, brought = trial.explore(batch.player, batch.seeds, batch.epsilon, batch.pieces)
    return Experience(features, gains, ends), brought.tolist()


def targets(memory: Experience, values: Rows, settings: DqnSettings) -> Rows:
    """Returns each lock's target value, float64 (m,). `values` (m,) are the network's estimates.

    The target of a lock whose game was stopped is its estimate.
    """
    earned = np.where(
        memory.ends == TERMINATED, settings.loss_reward, settings.lock_reward + settings.clear_reward * memory.gains
    )
    aims = np.empty(len(memory))
    for index in range(len(memory) - 1, -1, -1):
        if memory.ends[index] == TRUNCATED:
            aims[index] = values[index]
            continue
        aims[index] = earned[index]
        if memory.ends[index] == RUNNING:
            following = (1 - settings.trace) * values[index + 1] + settings.trace * aims[index + 1]
            aims[index] += settings.gamma * following
    return aims


def _explorable(contest: Contest) -> Explorable:
    trial = contest.trial()
    if not isinstance(trial, Explorable):
        raise UsageError(
            "dqn learns from games of one player with drops of its own: choose --rules textbook, or pairs."
        )
    return trial
