"""A training run from where it stands to its end: asks a trainer, has it done, tells it, keeps each generation.

Knows no method and prints nothing. Between two generations a run is what its folder holds; a generation that is broken
off is done again from its beginning, so nothing tells a run that was stopped from one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from emubot.errors import Stopped
from emubot.training.folder import RunFolder
from emubot.training.trainer import Report, Task, Trainer
from emubot.trials.executors import results
from emubot.weights import Weights


class Listener:
    """Who hears how a run goes; this one does nothing with it."""

    def on_round(self, generation: int, games: int) -> None:
        """A round of so many games of this generation (counted from 1) is handed out; 0: the final measuring."""

    def on_games(self, games: int) -> None:
        """So many of them are finished."""

    def on_generation(self, report: Report) -> None:
        """A generation is finished and kept."""

    def on_message(self, sentence: str) -> None:
        """A sentence for a person."""


def train(
    make: Callable[[Mapping[str, Any] | None], Trainer],
    folder: RunFolder,
    executor: Executor,
    generations: int,
    at_once: int | None = None,
    minutes: float | None = None,
    stop: Callable[[], bool] = lambda: False,
    listener: Listener | None = None,
) -> Weights:
    """Go on to so many generations, measure what came out, and return it as it stands in weights.json.

    `make` builds the trainer, from the state of a checkpoint where there is one. `at_once` tasks are handed out at a
    time (None: all, for a cluster). The run also ends with the generation that is under way after so many `minutes`;
    one that has ended goes on where more is asked of it. When `stop` says so Stopped is raised, a fifth of a second
    later at most while tasks are under way: the generation under way is abandoned. Raises StorageError, and what tasks
    raise; whatever is raised, the folder holds all finished generations.
    """
    started = time.monotonic()
    heard = listener or Listener()
    kept, outcome = folder.checkpoint, folder.outcome()
    if kept is not None and outcome is not None and kept.generation >= generations:
        return _finished(folder, kept.generation, heard, outcome)
    trainer = make(None if kept is None else kept.state)
    if kept is None:
        folder.keep(trainer.generation, trainer.state())
    elif trainer.generation > 0:
        heard.on_message(f"Going on after generation {trainer.generation} of the run in {folder.path}.")
    work = _Work(folder, executor, at_once, stop, heard)
    while trainer.generation < generations and (minutes is None or time.monotonic() - started < 60 * minutes):
        work.generation(trainer)
    outcome = folder.outcome()  # none any more after a generation
    return work.final(trainer) if outcome is None else _finished(folder, trainer.generation, heard, outcome)


def _finished(folder: RunFolder, generation: int, heard: Listener, outcome: Weights) -> Weights:
    heard.on_message(f"The run in {folder.path} is finished: ask for more than {generation} generations.")
    return outcome


class _Work:
    """What all of a run's rounds have in common, and what the one under way has cost so far."""

    def __init__(
        self,
        folder: RunFolder,
        executor: Executor,
        at_once: int | None,
        stop: Callable[[], bool],
        heard: Listener,
    ) -> None:
        self.folder, self.executor, self.at_once, self.stop, self.heard = folder, executor, at_once, stop, heard
        self._workers_cpu = 0.0

    def generation(self, trainer: Trainer) -> None:
        begun, self._workers_cpu = _clocks(), 0.0
        report = None
        while report is None:
            report = trainer.tell(self._round(trainer.generation + 1, trainer.ask()))
        self._spent(trainer.generation, "generation", report.games, begun)
        self.folder.keep(trainer.generation, trainer.state(), report)
        self.heard.on_generation(report)

    def final(self, trainer: Trainer) -> Weights:
        begun, self._workers_cpu = _clocks(), 0.0
        tasks = trainer.final()
        weights = trainer.champion(self._round(0, tasks))
        self.folder.finish(weights)
        self._spent(trainer.generation, "final", sum(task.games for task in tasks), begun)
        return weights

    def _round(self, generation: int, tasks: Sequence[Task]) -> list[Any]:
        self.heard.on_round(generation, sum(task.games for task in tasks))
        found = results(self.executor, _work, tasks, self.at_once, self._heard, self._look)
        assert found is not None, "a run that is to stop raises"
        self._workers_cpu += sum(seconds for _, seconds in found)
        return [result for result, _ in found]

    def _heard(self, task: Task) -> None:
        self.heard.on_games(task.games)

    def _look(self) -> bool:
        """Raises Stopped when the run is to stop."""
        if self.stop():
            generation = self.folder.checkpoint.generation if self.folder.checkpoint else 0
            raise Stopped(
                f"Stopped; {self.folder.path} holds the run as it was after generation {generation}, and the same "
                "command goes on from there."
            )
        return False

    def _spent(self, generation: int, what: str, games: int, begun: tuple[float, float]) -> None:
        wall, cpu = (now - then for now, then in zip(_clocks(), begun, strict=True))
        self.folder.took(generation, what, games, wall, cpu + self._workers_cpu)


def _clocks() -> tuple[float, float]:
    """Seconds on the wall and of this process's processors."""
    return time.monotonic(), time.process_time()


def _work(task: Task) -> tuple[Any, float]:
    """What the task returns, and the CPU seconds of the thread that did it, in whatever process that is."""
    begun = time.thread_time()
    return task.work(task.argument), time.thread_time() - begun
