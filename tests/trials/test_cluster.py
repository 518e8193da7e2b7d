"""A cluster does what processes do; whoever is not there, or not the same, is told in one sentence."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import emubot
from emubot.errors import ClusterError, EmubotError, UsageError
from emubot.extras import CLUSTER
from emubot.trials import cluster as module
from emubot.trials.cluster import cluster
from emubot.trials.executors import results

pytestmark = pytest.mark.xdist_group("ports")

distributed: Any = pytest.importorskip("distributed")
dask: Any = import_module("dask")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Two workers of this machine, each of one thread; a task may end three of them."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 2}),
        distributed.LocalCluster(
            n_workers=2,
            processes=True,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=logging.CRITICAL + 1,
        ) as local,
    ):
        yield local.scheduler_address


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    raise UsageError(f"not {number}")


def die_of_eight(number: int) -> int:
    if number == 8:
        os._exit(9)
    return number


def die_at_first(folder: str) -> list[str]:
    """End the worker, as often as the folder holds fewer than two marks; then the marks."""
    seen = sorted(mark.name for mark in Path(folder).iterdir())
    if len(seen) < 2:
        (Path(folder) / str(len(seen))).touch()
        os.kill(os.getpid(), signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    return seen


def test_results_come_in_the_order_of_the_tasks(address: str) -> None:
    heard: list[int] = []
    with cluster(address) as executor:
        assert results(executor, square, range(20), None, heard.append) == [n * n for n in range(20)]
        assert results(executor, square, range(5), 2) == [0, 1, 4, 9, 16]
    assert sorted(heard) == list(range(20))


def test_what_a_task_raises_is_raised_here(address: str) -> None:
    with pytest.raises(UsageError, match=r"not \d"), cluster(address) as executor:
        results(executor, fail, range(3))


def test_workers_that_die_lose_nobodys_work(address: str, tmp_path: Path) -> None:
    with cluster(address) as executor:
        assert results(executor, die_at_first, [str(tmp_path)]) == [["0", "1"]]
        assert results(executor, square, range(5)) == [0, 1, 4, 9, 16]


def test_a_task_that_ends_three_workers_is_named(address: str) -> None:
    with pytest.raises(EmubotError) as told, cluster(address) as executor:
        results(executor, die_of_eight, [8])
    assert str(told.value).startswith("3 workers in a row were ended from outside")
    assert "all of them at task 0, 8;" in str(told.value)


def test_left_by_an_exception_tasks_are_withdrawn(address: str) -> None:
    begun = time.monotonic()

    def stop() -> bool:
        if time.monotonic() - begun > 0.5:
            raise KeyError
        return False

    with pytest.raises(KeyError), cluster(address) as executor:
        results(executor, time.sleep, [0.3] * 1000, stop=stop)
    with cluster(address) as executor:  # and those who come next need not wait for them
        assert results(executor, square, [3]) == [9]


@pytest.mark.parametrize(
    "wrong",
    ["", "somewhere", "localhost:8786", "tcp://", "tcp://127.0.0.1", "tcp://:8786", "tcp://127.0.0.1:x",
     "tcp://127.0.0.1:99999", "tcp://127.0.0.1:0", "http://127.0.0.1:8786", "tcp://127.0.0.1:8786/status", "tcp://[::1"],
)  # fmt: skip
def test_a_wrong_address_is_one_sentence(wrong: str) -> None:
    with pytest.raises(UsageError) as told, cluster(wrong):
        pass
    assert str(told.value) == (
        f"{wrong!r} is not an address of a cluster: give the one that its scheduler shows, such as tcp://127.0.0.1:8786."
    )
    assert told.value.exit_code == 2


def test_nobody_there_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        where = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError) as told, cluster(where, 0.5):
            pass
    assert str(told.value) == (
        f'No scheduler answers at {where} within 0.5 seconds: start one with "dask scheduler", or correct the address.'
    )
    assert told.value.exit_code == 3


def test_something_else_there_is_one_sentence() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        where = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(ClusterError, match="No scheduler answers at"), cluster(where, 0.5):
            pass


def test_a_scheduler_without_workers_is_one_sentence() -> None:
    with distributed.LocalCluster(
        n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1", silence_logs=logging.CRITICAL + 1
    ) as local:
        where = local.scheduler_address
        with pytest.raises(ClusterError) as told, cluster(where, 0.5):
            pass
    assert str(told.value) == (
        f"The scheduler at {where} has no workers, nor got one within 0.5 seconds: start some with "
        f'"dask worker {where} --nthreads 1".'
    )


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as told, cluster("tcp://127.0.0.1:8786"):
        pass
    assert str(told.value) == CLUSTER.refusal()


def test_workers_with_another_emubot_are_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = emubot.__version__
    monkeypatch.setattr(module, "__version__", "9.9.9")
    with pytest.raises(ClusterError) as told, cluster(address):
        pass
    said = str(told.value)
    assert said.startswith(f"The cluster's workers must have emubot 9.9.9: emubot {ours} at tcp://127.0.0.1:")
    assert said.endswith("; install it there.")


def test_a_worker_that_comes_later_is_compared_too(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = pytest.raises(ClusterError, match=r"emubot 9\.9\.9: emubot .* at a worker that came later")
    with refused, cluster(address) as executor, monkeypatch.context() as patch:
        patch.setattr(module, "__version__", "9.9.9")
        results(executor, square, [1])


def test_a_worker_without_emubot_is_told() -> None:
    failure = module._Cluster(ThreadPoolExecutor(1), "tcp://there:1")._explained(ModuleNotFoundError(name="emubot"), 1)
    assert str(failure) == (
        f"The cluster's workers must have emubot {emubot.__version__}: no emubot at tcp://there:1; install it there."
    )


@contextmanager
def started(timer: threading.Timer) -> Iterator[None]:
    timer.start()
    yield


def test_a_worker_is_no_scheduler(address: str) -> None:
    with distributed.Client(address, set_as_default=False) as client:
        worker = next(iter(client.scheduler_info()["workers"]))
    with pytest.raises(ClusterError, match="No scheduler answers at"), cluster(worker, 2.0):
        pass


def test_a_scheduler_that_is_lost_is_one_sentence(tmp_path: Path) -> None:
    script = (
        "import logging, sys\nfrom distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=1, processes=False, dashboard_address=':0', host='127.0.0.1',\n"
        "                      protocol='tcp', silence_logs=logging.CRITICAL + 1) as local:\n"
        "        print(local.scheduler_address, flush=True)\n        sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert other.stdout is not None
    where = other.stdout.readline().strip()
    timer = threading.Timer(0.5, other.kill)
    try:
        with pytest.raises(ClusterError) as told, cluster(where, 3.0) as executor, started(timer):
            results(executor, time.sleep, [30.0] * 2)
    finally:
        timer.cancel()
        other.kill()
        other.communicate()
    assert str(told.value).startswith(f"The scheduler at {where} was lost, or gave up a task: start it again")


def test_emubot_starts_without_dask() -> None:
    code = "import sys, emubot.trials.cluster, emubot.training.run; assert 'distributed' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
