"""A dask cluster as an ordinary executor; loads dask only if a cluster is requested."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from emubot.errors import ClusterError, UsageError
from emubot.extras import CLUSTER
from emubot.trials.executors import died_with
from emubot.version import __version__

ANSWER: Final = 10.0  # seconds for the scheduler to answer, and then for its first worker to appear
_GOODBYE: Final = 2.0  # seconds
_SCHEMES: Final = ("tcp", "tls")
_Result = TypeVar("_Result")


@contextmanager
def cluster(address: str, answer_within: float = ANSWER) -> Iterator[Executor]:
    """Open an executor on the workers that a dask scheduler at `tcp://HOST:PORT` has, now or later.

    If a worker dies, other workers do its tasks again. A task that keeps ending workers is given up after the number of
    deaths that the scheduler's `allowed-failures` allow. If the block ends by an exception, tasks that have not begun
    are withdrawn. Raises UsageError if the address is wrong or dask is not installed, ClusterError if nothing answers
    within `answer_within` seconds or a worker does not have this emubot.
    """
    _check_address(address)
    CLUSTER.require()
    with _quiet():
        client = _client(address, answer_within)
        try:
            _check_workers(client, address, answer_within)
            executor = _Cluster(client.get_executor(pure=False), address)
            try:
                yield executor
            finally:
                executor.shutdown(wait=False, cancel_futures=True)
        finally:
            client.close(timeout=_GOODBYE)


class _Cluster(Executor):
    """Submits tasks to dask's own executor, and turns its report of a failed task into one of our sentences."""

    def __init__(self, theirs: Executor, address: str) -> None:
        self._theirs, self._address = theirs, address

    def submit(self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any) -> Future[_Result]:
        ours: Future[_Result] = Future()
        ours.set_running_or_notify_cancel()
        theirs = self._theirs.submit(_same_emubot, __version__, fn, *args, **kwargs)
        theirs.add_done_callback(partial(self._done, ours, args[-1] if args else fn))
        return ours

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down. Without `wait` dask withdraws what has not begun; nothing can end the rest."""
        self._theirs.shutdown(wait=wait)

    def _done(self, ours: Future[Any], task: object, theirs: Future[Any]) -> None:
        if theirs.cancelled():
            ours.set_exception(self._lost())
        elif (failure := theirs.exception()) is not None:
            ours.set_exception(self._explained(failure, task))
        else:
            ours.set_result(theirs.result())

    def _lost(self) -> ClusterError:
        return ClusterError(
            f"The scheduler at {self._address} was lost, or gave up a task: start it again, then run the same command "
            "again."
        )

    def _explained(self, failure: BaseException, task: object) -> BaseException:
        from distributed import KilledWorker

        if isinstance(failure, KilledWorker):
            return died_with(task, failure.allowed_failures + 1)
        if isinstance(failure, ModuleNotFoundError) and (failure.name or "").startswith("emubot"):
            return ClusterError(_without_it([self._address], None, __version__))
        return failure


def _same_emubot(version: str, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any) -> _Result:
    """Do a task on a worker. Raises ClusterError if the worker joined after the check and has another emubot."""
    if __version__ != version:
        raise ClusterError(_without_it(["a worker that came later"], __version__, version))
    return fn(*args, **kwargs)


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        good = parts.scheme in _SCHEMES and parts.hostname and parts.port and not (parts.path or parts.query)
    except ValueError:
        good = False
    if not good:
        raise UsageError(
            f"{address!r} is not an address of a cluster: give the one that its scheduler shows, such as "
            "tcp://127.0.0.1:8786."
        )


def _client(address: str, answer_within: float) -> Any:
    """Returns dask's own client, which has no types. Raises ClusterError if no scheduler answers."""
    distributed: Any = import_module("distributed")
    with warnings.catch_warnings():  # dask compares all packages; only emubot must be the same, checked later
        warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
        try:
            asyncio.run(asyncio.wait_for(_answers(address), answer_within))
            return distributed.Client(address, timeout=answer_within, set_as_default=False)
        except (OSError, ValueError) as failure:
            raise ClusterError(
                f'No scheduler answers at {address} within {answer_within:g} seconds: start one with "dask scheduler", '
                "or correct the address."
            ) from failure


async def _answers(address: str) -> None:
    """Ask for the server's type: a client waits for ever for a silent one. Raises ValueError if not a scheduler."""
    core: Any = import_module("distributed.core")
    async with core.rpc(address) as there:
        if (await there.identity())["type"] != "Scheduler":
            raise ValueError("no scheduler")


def _check_workers(client: Any, address: str, answer_within: float) -> None:
    """Raise ClusterError if there are no workers, or some of them have no emubot or another one."""
    from distributed import TimeoutError as NoWorkers

    try:
        client.wait_for_workers(1, timeout=answer_within)
    except NoWorkers as failure:
        raise ClusterError(
            f"The scheduler at {address} has no workers, nor got one within {answer_within:g} seconds: start some with "
            f'"dask worker {address} --nthreads 1".'
        ) from failure

    def theirs_is() -> str | None:  # an inner function is sent as code, and needs no emubot there
        try:
            package = import_module("emubot")
        except ImportError:
            return None
        version: str = package.__version__
        return version

    versions: dict[str, str | None] = client.run(theirs_is)
    others = {worker: theirs for worker, theirs in versions.items() if theirs != __version__}
    if others:
        theirs = next(iter(others.values()))
        raise ClusterError(_without_it([worker for worker in others if others[worker] == theirs], theirs, __version__))


def _without_it(workers: Sequence[str], version: str | None, wanted: str) -> str:
    names = ", ".join(workers[:3]) + (f" and {len(workers) - 3} more" if len(workers) > 3 else "")
    has = "no emubot" if version is None else f"emubot {version}"
    return f"The cluster's workers must have emubot {wanted}: {has} at {names}; install it there."


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence dask's own log: what matters to a person is raised."""
    import_module("distributed")  # this sets the levels of its log
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
