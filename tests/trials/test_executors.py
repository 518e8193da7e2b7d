"""Tasks come back whoever does them; stopping finishes what is under way; a worker that dies is told."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from emubot.errors import EmubotError, UsageError
from emubot.trials.executors import completed, workers


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    raise UsageError(f"not {number}")


def die(number: int) -> int:
    os._exit(number)


@pytest.mark.parametrize("jobs", [1, 2])
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


def test_what_a_task_raises_is_raised_here() -> None:
    with workers(1) as executor, pytest.raises(UsageError, match="not 0"):
        list(completed(executor, fail, range(3), 1))
    with pytest.raises(UsageError, match="not 0"), workers(2) as executor:
        list(completed(executor, fail, range(1), 2))


def test_a_worker_that_dies_is_one_sentence() -> None:
    with pytest.raises(EmubotError, match="A worker process was ended from outside"), workers(2) as executor:
        list(completed(executor, die, [9], 2))


def interrupt_itself(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)
    return number


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_workers_leave_ctrl_c_to_their_parent() -> None:
    with workers(2) as executor:
        assert list(completed(executor, interrupt_itself, [3], 2)) == [(3, 3)]


def test_left_by_an_exception_nothing_is_waited_for() -> None:
    def leave() -> None:
        with workers(2) as executor:
            futures = [executor.submit(time.sleep, 600) for _ in range(2)]
            wait_until(lambda: all(future.running() for future in futures))
            raise KeyError

    others = set(multiprocessing.active_children())
    with pytest.raises(KeyError):
        leave()
    wait_until(lambda: not set(multiprocessing.active_children()) - others)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    """Each worker writes its id, then waits for ever; the parent is killed with signal 9."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from emubot.trials.executors import completed, workers\n"
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


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_whole_terminal_at_once(jobs: int, tmp_path: Path) -> None:
    """The terminal sends it to every process; none of them waits for a task that takes ten minutes."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from emubot.trials.executors import completed, workers\n"
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
