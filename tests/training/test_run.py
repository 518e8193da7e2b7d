"""A run in parts equals one at once, byte for byte, whoever does the work; it stops and ends as asked."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from emubot.errors import Stopped, UsageError
from emubot.training.folder import FINISHED, LOCK, TIMES, WEIGHTS, open_run
from emubot.training.run import RunListener, train
from emubot.training.trainer import Report, TrainingTask
from emubot.trials.cluster import cluster
from emubot.trials.executors import workers
from emubot.weights import Weights, load_weights
from tests.training.toy_trainer import SETTINGS, ToyTrainer, play

PROGRAM = Path(__file__).with_name("toy_trainer.py")


def ran(path: Path, generations: int, executor: Executor | None = None, **more: Any) -> Weights:
    with (
        open_run(path, SETTINGS, lambda sentence: None) as run,
        ThreadPoolExecutor(1) as here,
    ):
        return train(more.pop("make", ToyTrainer), run, executor or here, generations, **more)


def repeatable(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name not in {LOCK, TIMES}}


class Hearer(RunListener):
    def __init__(self) -> None:
        self.began_: list[tuple[int, int]] = []
        self.games = 0
        self.reports: list[Report] = []
        self.sentences: list[str] = []

    def on_round(self, generation: int, games: int) -> None:
        self.began_.append((generation, games))

    def on_games(self, games: int) -> None:
        self.games += games

    def on_generation(self, report: Report) -> None:
        self.reports.append(report)

    def on_message(self, sentence: str) -> None:
        self.sentences.append(sentence)


def test_a_run_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    heard = Hearer()
    weights = ran(tmp_path, 3, listener=heard)
    assert weights == load_weights(str(tmp_path / WEIGHTS))
    assert weights.provenance.results[0].low95 < weights.provenance.results[0].high95
    assert heard.began_ == [(1, 6), (1, 3), (2, 6), (2, 3), (3, 6), (3, 3), (0, 4)]
    assert heard.games == 31
    assert [report.generation for report in heard.reports] == [1, 2, 3]
    assert sorted(repeatable(tmp_path)) == [
        "checkpoint-000002.json", "checkpoint-000003.json", FINISHED, "history.jsonl", WEIGHTS,
    ]  # fmt: skip
    assert len((tmp_path / TIMES).read_text().splitlines()) == 4


@pytest.mark.parametrize("parts", [(6, 6), (1, 6), (2, 3, 6), (0, 6), (1, 2, 3, 4, 5, 6)])
def test_in_parts_or_at_once_is_the_same(parts: tuple[int, ...], tmp_path: Path) -> None:
    straight = ran(tmp_path / "straight", 6)
    for generations in parts:
        weights = ran(tmp_path / "parts", generations)
    assert weights == straight
    assert repeatable(tmp_path / "parts") == repeatable(tmp_path / "straight")


def test_a_finished_run_says_so_and_does_nothing(tmp_path: Path) -> None:
    weights = ran(tmp_path, 3)
    before = repeatable(tmp_path) | {TIMES: (tmp_path / TIMES).read_bytes()}
    for generations in (3, 2):
        heard = Hearer()
        assert ran(tmp_path, generations, listener=heard) == weights
        assert heard.began_ == []
        assert heard.sentences[-1] == f"The run in {tmp_path} is finished: ask for more than 3 generations."
        assert repeatable(tmp_path) | {TIMES: (tmp_path / TIMES).read_bytes()} == before
    assert ran(tmp_path, 3, make=lambda _: pytest.fail("nobody is needed who could train on")) == weights
    (tmp_path / WEIGHTS).unlink()  # measured again, and nothing else
    heard = Hearer()
    assert ran(tmp_path, 3, listener=heard) == weights
    assert heard.began_ == [(0, 4)]
    assert heard.sentences == [f"Continuing after generation 3 of the run in {tmp_path}."]


@pytest.mark.parametrize("jobs", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_any_number_of_workers_makes_the_same_files(jobs: int, tmp_path: Path) -> None:
    ran(tmp_path / "here", 4)
    with ThreadPoolExecutor(5) as threads:
        ran(tmp_path / "threads", 4, threads)
    with workers(jobs) as executor:
        ran(tmp_path / "jobs", 4, executor, at_once=jobs)
    for other in ("threads", "jobs"):
        assert repeatable(tmp_path / other) == repeatable(tmp_path / "here")


def test_minutes_end_a_run_with_the_generation_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 100_000, 10))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))  # ten seconds more each time it is asked
    ran(tmp_path / "short", 50, minutes=2)
    generations = len((tmp_path / "short" / "history.jsonl").read_text().splitlines())
    assert 1 <= generations < 12
    ran(tmp_path / "straight", generations)
    assert repeatable(tmp_path / "short") == repeatable(tmp_path / "straight")
    ran(tmp_path / "short", generations + 1, minutes=2)
    ran(tmp_path / "straight", generations + 1)
    assert repeatable(tmp_path / "short") == repeatable(tmp_path / "straight")


@pytest.mark.parametrize("asked", [0, 1, 7, 16, 17, 40])
def test_stopped_anywhere_it_goes_on_as_if_it_had_not_been(asked: int, tmp_path: Path) -> None:
    ran(tmp_path / "straight", 3)
    left = iter(range(asked))
    with pytest.raises(Stopped) as told:
        ran(tmp_path / "a", 3, stop=lambda: next(left, None) is None)
    assert told.value.exit_code == 130
    assert str(told.value).startswith(f"Stopped; {tmp_path / 'a'} holds the run as it was after generation ")
    assert not (tmp_path / "a" / WEIGHTS).exists()
    ran(tmp_path / "a", 3)
    assert repeatable(tmp_path / "a") == repeatable(tmp_path / "straight")


def test_stopped_while_it_measures_it_measures_again(tmp_path: Path) -> None:
    ran(tmp_path / "straight", 3)
    heard = Hearer()
    with pytest.raises(Stopped, match="as it was after generation 3, and the same command continues"):
        ran(tmp_path / "a", 3, stop=lambda: (0, 4) in heard.began_, listener=heard)
    assert not (tmp_path / "a" / WEIGHTS).exists()
    heard = Hearer()
    ran(tmp_path / "a", 3, listener=heard)
    assert heard.began_ == [(0, 4)]
    assert repeatable(tmp_path / "a") == repeatable(tmp_path / "straight")


class Failing(ToyTrainer):
    def ask(self) -> Sequence[TrainingTask]:
        tasks = super().ask()
        return [TrainingTask(fail, "luck", 1), *tasks] if self.generation == 2 else tasks


def fail(argument: str) -> float:
    raise UsageError(f"No {argument}.")


def test_what_a_task_raises_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No luck"):
        ran(tmp_path / "a", 4, make=Failing)
    ran(tmp_path / "a", 4)
    ran(tmp_path / "straight", 4)
    assert repeatable(tmp_path / "a") == repeatable(tmp_path / "straight")


class Deadly(ToyTrainer):
    """The first task of the third generation kills its worker, twice."""

    def __init__(self, folder: Path, state: Mapping[str, Any] | None) -> None:
        super().__init__(state)
        self.folder = folder

    def ask(self) -> Sequence[TrainingTask]:
        first, *others = super().ask()
        return [
            TrainingTask(die_twice, (str(self.folder), first.argument), 1) if self.generation == 2 else first,
            *others,
        ]


def die_twice(argument: tuple[str, Any]) -> float:
    folder, given = argument
    for name in ("1", "2"):
        try:
            (Path(folder) / name).touch(exist_ok=False)
        except FileExistsError:
            continue
        os._exit(9)
    return play(given)


@pytest.mark.xdist_group("signals")
def test_workers_that_die_change_nothing(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    with workers(2) as executor:
        ran(tmp_path / "a", 3, executor, at_once=2, make=lambda state: Deadly(marks, state))
    assert sorted(mark.name for mark in marks.iterdir()) == ["1", "2"]
    ran(tmp_path / "straight", 3)
    assert repeatable(tmp_path / "a") == repeatable(tmp_path / "straight")


class Killer(RunListener):
    """Kills these processes as soon as the first task of the second generation is finished."""

    def __init__(self, processes: Sequence[int]) -> None:
        self.left = list(processes)
        self.generation = 0

    def on_round(self, generation: int, games: int) -> None:
        self.generation = generation

    def on_games(self, games: int) -> None:
        while self.generation == 2 and self.left:
            os.kill(self.left.pop(), signal.SIGKILL)


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs signal 9")
@pytest.mark.parametrize("kills", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_cluster_whose_workers_are_killed_makes_the_same_files(kills: int, tmp_path: Path) -> None:
    distributed: Any = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            processes=True,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=logging.CRITICAL + 1,
        ) as local,
        distributed.Client(local.scheduler_address, set_as_default=False) as client,
        cluster(local.scheduler_address) as executor,
    ):
        processes = [*client.run(os.getpid).values()]
        assert len(processes) == 2
        killer = Killer(processes[:kills])
        ran(tmp_path / "a", 3, executor, listener=killer, make=lambda state: ToyTrainer(state, 0.05))
        assert killer.left == []
    ran(tmp_path / "straight", 3)
    assert repeatable(tmp_path / "a") == repeatable(tmp_path / "straight")


def test_times_are_of_each_generation_once(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        ran(tmp_path, 3, stop=has_generations(tmp_path, 2))
    ran(tmp_path, 3)
    ran(tmp_path, 4)
    lines = [json.loads(line) for line in (tmp_path / TIMES).read_text().splitlines()]
    assert [(line["generation"], line["what"], line["games"]) for line in lines] == [
        (1, "generation", 9), (2, "generation", 9), (3, "generation", 9), (3, "final", 4), (4, "generation", 9),
        (4, "final", 4),
    ]  # fmt: skip
    assert all(line["wall_seconds"] >= 0 <= line["cpu_seconds"] for line in lines)


def has_generations(path: Path, number: int) -> Callable[[], bool]:
    return (path / f"checkpoint-{number:06}.json").exists


def test_cpu_seconds_are_the_workers_too(tmp_path: Path) -> None:
    with workers(1) as executor:
        ran(tmp_path, 1, executor, make=Busy)
    first = json.loads((tmp_path / TIMES).read_text().splitlines()[0])
    assert first["cpu_seconds"] >= 0.2


class Busy(ToyTrainer):
    def ask(self) -> Sequence[TrainingTask]:
        first, *others = super().ask()
        return [TrainingTask(spin, first.argument, 1), *others]


def spin(argument: tuple[float, int, float]) -> float:
    begun = time.thread_time()
    while time.thread_time() - begun < 0.1:
        pass
    return play(argument)


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_second_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    first = subprocess.Popen([sys.executable, PROGRAM, tmp_path / "a", "seconds=5"], stderr=subprocess.PIPE, text=True)
    try:
        wait_until(has_generations(tmp_path / "a", 0))
        second = subprocess.run([sys.executable, PROGRAM, tmp_path / "a"], capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert second.stderr.splitlines()[-1] == (
            f"{tmp_path / 'a'} is in use by another run: wait for it, or name another folder."
        )
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
