"""Drives a training run to its end: takes a trainer's work, has it done, passes back the results, saves generations.

Between two generations a run is what its folder holds. An interrupted generation is played again from its beginning.
So a run that was stopped ends like one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from emubot.errors import Stopped
from emubot.text import counted
from emubot.training.folder import RunFolder
from emubot.training.trainer import Report, Trainer, TrainingTask
from emubot.trials.executors import results
from emubot.weights import Weights


class RunListener:
    """Callbacks for the progress of a run; these do nothing."""

    def on_round(self, generation: int, games: int) -> None:
        """A round of `games` games of this generation (counted from 1; 0: the final measurement) is submitted."""

    def on_games(self, games: int) -> None:
        """`games` more of them are finished."""

    def on_generation(self, report: Report) -> None:
        """A generation is finished and saved."""

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
    listener: RunListener | None = None,
) -> Weights:
    """Continue up to `generations` generations, measure the result, and return it as it is in weights.json.

    `make` builds the trainer, from a checkpoint's state if there is one. At most `at_once` tasks are submitted at a
    time (None: all, for a cluster). After `minutes` the run ends with the current generation. A run that has ended
    continues if more generations are requested. If `stop` returns True, Stopped is raised, at most a fifth of a second
    later while tasks are running, and the current generation is abandoned. Raises StorageError, and what tasks raise;
    in every case the folder holds all finished generations.
    """
    started = time.monotonic()
    listener = listener or RunListener()
    checkpoint, outcome = folder.checkpoint, folder.outcome()
    if checkpoint is not None and outcome is not None and checkpoint.generation >= generations:
        return _finished(folder, checkpoint.generation, listener, outcome)
    trainer = make(None if checkpoint is None else checkpoint.state)
    if checkpoint is None:
        folder.save_generation(trainer.generation, trainer.state())
    elif trainer.generation > 0:
        listener.on_message(f"Continuing after generation {trainer.generation} of the run in {folder.path}.")
    work = _RoundRunner(folder, executor, at_once, stop, listener)
    while trainer.generation < generations and (minutes is None or time.monotonic() - started < 60 * minutes):
        work.generation(trainer)
    outcome = folder.outcome()  # None after a new generation
    return work.final(trainer) if outcome is None else _finished(folder, trainer.generation, listener, outcome)


def _finished(folder: RunFolder, generation: int, listener: RunListener, outcome: Weights) -> Weights:
    listener.on_message(f"The run in {folder.path} is finished: ask for more than {counted(generation, 'generation')}.")
    return outcome


class _RoundRunner:
    """What all rounds of a run have in common, and the workers' CPU time in the current generation."""

    def __init__(
        self,
        folder: RunFolder,
        executor: Executor,
        at_once: int | None,
        stop: Callable[[], bool],
        listener: RunListener,
    ) -> None:
        self.folder, self.executor, self.at_once, self.stop, self.listener = folder, executor, at_once, stop, listener
        self._workers_cpu = 0.0

    def generation(self, trainer: Trainer) -> None:
        begun, self._workers_cpu = _clocks(), 0.0
        report = None
        while report is None:
            report = trainer.tell(self._round(trainer.generation + 1, trainer.ask()))
        self._spent(trainer.generation, "generation", report.games, begun)
        self.folder.save_generation(trainer.generation, trainer.state(), report)
        self.listener.on_generation(report)

    def final(self, trainer: Trainer) -> Weights:
        begun, self._workers_cpu = _clocks(), 0.0
        tasks = trainer.final()
        weights = trainer.champion(self._round(0, tasks))
        self.folder.finish(weights)
        self._spent(trainer.generation, "final", sum(task.games for task in tasks), begun)
        return weights

    def _round(self, generation: int, tasks: Sequence[TrainingTask]) -> list[Any]:
        self.listener.on_round(generation, sum(task.games for task in tasks))
        timed = results(self.executor, _work, tasks, self.at_once, self._played, self._look)
        assert timed is not None, "a run that is to stop raises"
        self._workers_cpu += sum(seconds for _, seconds in timed)
        return [result for result, _ in timed]

    def _played(self, task: TrainingTask) -> None:
        self.listener.on_games(task.games)

    def _look(self) -> bool:
        """Raise Stopped if the run is to stop, else return False."""
        if self.stop():
            generation = self.folder.checkpoint.generation if self.folder.checkpoint else 0
            raise Stopped(
                f"Stopped; {self.folder.path} holds the run as it was after generation {generation}, and the same "
                "command continues from there."
            )
        return False

    def _spent(self, generation: int, what: str, games: int, begun: tuple[float, float]) -> None:
        wall, cpu = (now - then for now, then in zip(_clocks(), begun, strict=True))
        self.folder.took(generation, what, games, wall, cpu + self._workers_cpu)


def _clocks() -> tuple[float, float]:
    """Returns the seconds of the wall clock and the CPU seconds of this process."""
    return time.monotonic(), time.process_time()


def _work(task: TrainingTask) -> tuple[Any, float]:
    """Returns the task's result, and the CPU seconds of the thread that did it, in whatever process that is."""
    begun = time.thread_time()
    return task.work(task.argument), time.thread_time() - begun
