"""A trainer that starts fast: a population of numbers drifts towards higher ones, by draws whose state it keeps.

As a program it is one training run, for tests that kill it: `python toy_trainer.py FOLDER [key=value ...]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from emubot.training.trainer import Report, TrainingTask
from emubot.weight_parts import FeatureSet, Provenance, Result
from emubot.weights import Weights

SETTINGS = {"game": "toy", "method": "drift", "seed": 7, "shape": {"population": 6, "rounds": 2}}
POPULATION, ROUNDS = 6, 2
State: TypeAlias = Mapping[str, Any]


def play(argument: tuple[float, int, float]) -> float:
    """What a number is worth, with noise of its own seed; takes so many seconds."""
    number, seed, seconds = argument
    time.sleep(seconds)
    return number + float(np.random.default_rng(seed).normal())


class ToyTrainer:
    """Two rounds a generation; the second plays the better half again."""

    def __init__(self, state: State | None = None, seconds: float = 0.0) -> None:
        self.rng = np.random.default_rng(7)
        self.generation = 0
        self.seconds = seconds
        self.numbers: list[float] = [0.1 * number for number in range(POPULATION)]
        if state is not None:
            self.generation, self.numbers = state["generation"], list(state["numbers"])
            self.rng.bit_generator.state = state["rng"]
        self._first: list[float] = []
        self._tasks: list[TrainingTask] | None = None

    def ask(self) -> Sequence[TrainingTask]:
        if self._tasks is None:
            chosen = self.numbers if not self._first else self._better()
            self._tasks = [self._task(number, int(self.rng.integers(1 << 62))) for number in chosen]
        return self._tasks

    def tell(self, results: Sequence[Any]) -> Report | None:
        self._tasks = None
        if not self._first:
            self._first = list(results)
            return None
        better = self._better()
        weighed = sum(number * result for number, result in zip(better, results, strict=True)) / (1 + sum(results) ** 2)
        self.numbers = [weighed + float(step) for step in self.rng.normal(size=POPULATION)]
        self.generation += 1
        fitness, self._first = tuple(self._first), []
        figures = {"best": max(fitness), "mean": sum(fitness) / POPULATION, "low95": -1.0, "high95": 1.0}
        return Report(self.generation, POPULATION + len(results), figures, fitness, (self.numbers[0],))

    def state(self) -> State:
        return {"generation": self.generation, "numbers": self.numbers, "rng": self.rng.bit_generator.state}

    def individuals(self) -> Sequence[Weights]:
        return [weights(number) for number in self.numbers]

    def final(self) -> Sequence[TrainingTask]:
        return [self._task(self.numbers[0], seed) for seed in range(4)]

    def champion(self, results: Sequence[Any]) -> Weights:
        mean = sum(results) / len(results)
        return weights(self.numbers[0], Result(figure="worth", mean=mean, low95=mean - 1, high95=mean + 1))

    def _task(self, number: float, seed: int) -> TrainingTask:
        return TrainingTask(play, (number, seed, self.seconds), 1)

    def _better(self) -> list[float]:
        ranked = sorted(range(POPULATION), key=lambda index: self._first[index], reverse=True)
        return [self.numbers[index] for index in ranked[: POPULATION // 2]]


def weights(number: float, *measured: Result) -> Weights:
    features = FeatureSet(version=1, names=("number",))
    return Weights(game="toy", features=features, values=(number,), provenance=Provenance(results=measured))


def main(folder: str, *words: str) -> None:
    """Settings: generations, jobs (0: in this process), seconds a task takes."""
    from concurrent.futures import ThreadPoolExecutor

    from emubot.errors import EmubotError
    from emubot.training.folder import open_run
    from emubot.training.run import train
    from emubot.trials.executors import workers

    given = {"generations": "20", "jobs": "0", "seconds": "0.002"} | dict(word.split("=") for word in words)
    jobs, seconds = int(given["jobs"]), float(given["seconds"])
    sys.stderr.write("imported\n")
    try:
        with (
            open_run(Path(folder), SETTINGS, lambda sentence: None) as run,
            workers(jobs) if jobs else ThreadPoolExecutor(1) as executor,
        ):
            train(lambda state: ToyTrainer(state, seconds), run, executor, int(given["generations"]), jobs or 1)
    except EmubotError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main(*sys.argv[1:])
