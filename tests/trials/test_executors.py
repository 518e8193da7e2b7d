"""Tasks come back whoever does them; stopping finishes what is under way; a worker that dies is replaced."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from emubot.errors import EmubotError, UsageError
from emubot.trials.executors import completed, end, results, workers


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    raise UsageError(f"not {number}")


def die(number: int) -> int:
    os._exit(number)


@pytest.mark.parametrize("jobs", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_every_task_comes_back_once(jobs: int) -> None:
    with workers(jobs) as executor:
        assert sorted(completed(executor, square, range(7), jobs)) == [(n, n * n) for n in range(7)]


def test_no_more_than_so_many_are_handed_out() -> None:
    with ThreadPoolExecutor(4) as executor:
        numbers = iter(range(10))
        next(completed(executor, square, numbers, 3))
        assert next(numbers) == 3


def test_stopping_finishes_what_is_under_way() -> None:
    seen: list[int] = []
    with ThreadPoolExecutor(2) as executor:
        for task, _ in completed(executor, square, range(100), 2, lambda: len(seen) >= 3):
            seen.append(task)
    assert 3 <= len(seen) <= 4
    assert set(seen) == set(range(len(seen)))


def test_what_does_not_end_in_time_is_left() -> None:
    go_on = threading.Event()
    with ThreadPoolExecutor(2) as executor:
        asked = iter([False, False, True])
        found = list(
            completed(executor, lambda task: task or go_on.wait(60), [1, 0], 2, lambda: next(asked, True), 0.1)
        )
        go_on.set()
    assert found == [(1, 1)]


def test_processes_can_be_ended_in_the_middle_of_a_task() -> None:
    began = time.monotonic()
    with workers(1) as executor:
        executor.submit(time.sleep, 120)
        end(executor)
    assert time.monotonic() - began < 60


def test_what_a_task_raises_is_raised_here() -> None:
    with workers(1) as executor, pytest.raises(UsageError, match="not 0"):
        list(completed(executor, fail, range(3), 1))
    with pytest.raises(UsageError, match="not 0"), workers(2) as executor:
        list(completed(executor, fail, range(1), 2))


@pytest.mark.xdist_group("signals")
def test_a_task_that_ends_three_workers_is_named() -> None:
    with pytest.raises(EmubotError) as told, workers(2) as executor:
        list(completed(executor, die, [9], 2))
    assert str(told.value).startswith("3 workers in a row were ended from outside, perhaps because memory ran out")
    assert "all of them at 9;" in str(told.value)
    with pytest.raises(EmubotError, match=r"all of them at task 1, 8;"), workers(1) as executor:
        results(executor, die_of_eight, [7, 8, 9])


def die_of_eight(number: int) -> int:
    return die(number) if number == 8 else number


def die_at_first(marks: Path) -> list[str]:
    """End the process, as often as `marks` holds fewer than two; then what was marked before."""
    seen = sorted(mark.name for mark in marks.iterdir())
    if len(seen) < 2:
        (marks / str(len(seen))).touch()
        os.kill(os.getpid(), signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    return seen


@pytest.mark.xdist_group("signals")
@pytest.mark.parametrize(
    ("jobs", "tasks"),
    [(2, 2), pytest.param(1, 3, marks=pytest.mark.slow), pytest.param(2, 3, marks=pytest.mark.slow)],
)
def test_workers_that_die_are_replaced_and_lose_nobody_elses_work(
    jobs: int, tasks: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folders = [tmp_path / str(number) for number in range(tasks)]
    for folder in folders:
        folder.mkdir()
    with workers(jobs) as executor:
        assert results(executor, die_at_first, folders) == [["0", "1"]] * tasks
        assert caplog.messages == ["a worker was ended from outside; another one does its task again"] * 2 * tasks
        assert results(executor, square, range(9)) == [n * n for n in range(9)]


@pytest.mark.xdist_group("signals")
def test_an_idle_worker_that_is_killed_costs_nothing() -> None:
    others = set(multiprocessing.active_children())
    with workers(2) as executor:
        assert results(executor, square, [2, 3]) == [4, 9]
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
            child.join()
        assert results(executor, square, range(5)) == [0, 1, 4, 9, 16]


def later_first(number: int) -> int:
    time.sleep(0.02 * (4 - number))
    return number


def test_results_come_in_the_order_of_the_tasks() -> None:
    heard: list[int] = []
    with ThreadPoolExecutor(4) as executor:
        assert results(executor, later_first, range(4), None, heard.append) == [0, 1, 2, 3]
        assert sorted(heard) == [0, 1, 2, 3]
        assert results(executor, later_first, []) == []


def test_results_that_were_stopped_are_none() -> None:
    heard: list[int] = []
    with ThreadPoolExecutor(1) as executor:
        assert results(executor, square, range(9), 1, heard.append, lambda: len(heard) >= 3) is None
    assert len(heard) in {3, 4}


def test_what_stop_raises_is_raised_while_tasks_are_under_way() -> None:
    def stop() -> bool:
        if len(multiprocessing.active_children()) > before and next(asked, None) is None:
            raise KeyError
        return False

    before, asked = len(multiprocessing.active_children()), iter(range(5))
    with pytest.raises(KeyError), workers(1) as executor:
        results(executor, time.sleep, [600.0], None, lambda task: None, stop)


def interrupt_itself(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)
    return number


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_workers_leave_ctrl_c_to_their_parent() -> None:
    with workers(2) as executor:
        assert list(completed(executor, interrupt_itself, [3], 2)) == [(3, 3)]


def test_left_by_an_exception_nothing_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    def leave() -> None:
        with workers(2) as executor:
            futures = [executor.submit(time.sleep, 600) for _ in range(2)]
            wait_until(lambda: all(future.running() for future in futures))
            raise KeyError

    others = set(multiprocessing.active_children())
    with pytest.raises(KeyError):
        leave()
    wait_until(lambda: not set(multiprocessing.active_children()) - others)
    assert caplog.messages == []


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    """Each worker writes its id, then waits for ever; the parent is killed with signal 9."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from emubot.trials.executors import completed, end, results, workers\n"
        "def wait(name):\n"
        "    Path(name).with_suffix('.part').write_text(str(os.getpid()))\n"
        "    Path(name).with_suffix('.part').rename(name)\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    with workers(2) as executor:\n"
        "        list(completed(executor, wait, sys.argv[1:], 2))\n"
    )
    files = [tmp_path / "one", tmp_path / "two"]
    parent = subprocess.Popen([sys.executable, str(script), *map(str, files)])
    try:
        wait_until(lambda: all(file.exists() for file in files))
    finally:
        parent.kill()
        parent.wait()
    for file in files:
        wait_until(partial(ended, int(file.read_text())))


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("jobs", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_ctrl_c_ends_a_whole_terminal_at_once(jobs: int, tmp_path: Path) -> None:
    """The terminal sends it to every process; none of them waits for a task that takes ten minutes."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from emubot.trials.executors import completed, end, results, workers\n"
        "def wait(name):\n"
        "    Path(name).with_suffix('.part').write_text(str(os.getpid()))\n"
        "    Path(name).with_suffix('.part').rename(name)\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    with workers(len(sys.argv) - 1) as executor:\n"
        "        list(completed(executor, wait, sys.argv[1:], len(sys.argv) - 1))\n"
    )
    files = [tmp_path / str(number) for number in range(jobs)]
    parent = subprocess.Popen(
        [sys.executable, str(script), *map(str, files)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        wait_until(lambda: all(file.exists() for file in files))
        os.killpg(parent.pid, signal.SIGINT)
        said = parent.communicate(timeout=60)[1]
    finally:
        parent.kill()
        parent.wait()
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    for file in files:
        wait_until(partial(ended, int(file.read_text())))


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_while_workers_start_is_only_the_parents() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with workers(2) as executor:
            for child in multiprocessing.active_children():
                os.kill(child.pid or 0, signal.SIGINT)
            assert list(completed(executor, square, [3], 2)) == [(3, 9)]
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == []


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


def ended(number: int) -> bool:
    """Whether a process has ended; one that nobody has asked for yet is still listed, as a zombie."""
    status = Path(f"/proc/{number}/stat")
    if status.exists():
        return status.read_text().rpartition(")")[2].split()[0] == "Z"
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False
