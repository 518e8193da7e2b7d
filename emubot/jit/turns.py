"""One compilation at a time in a folder of kernels, and how far it is, for other processes to see; compiles nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from emubot.atomic import write_whole
from emubot.errors import EmubotError

_LOCK: Final = "compiling.lock"
_PROGRESS: Final = "progress.json"
_POLL: Final = 0.05  # seconds between two looks at a lock that another process has
_PRIOR: Final = 1.0  # seconds of the measured cost that this machine is taken to be as fast as that one for
_NEARLY: Final = 0.97  # a job that takes longer than expected has come so far


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a compilation is. Costs are seconds on the machine that they were once measured on.

    `started` and `begun` say when the first job and this one began, in seconds since the epoch. `cost` is that of all
    jobs, `spent` that of those before, `job_cost` this one's.
    """

    process: int
    purpose: str
    title: str
    job: str
    done: int
    of: int
    started: float
    begun: float
    cost: float
    spent: float
    job_cost: float

    @property
    def estimate(self) -> tuple[float, float]:
        """The share that is done, and the seconds that remain, by what the jobs before took on this machine."""
        now = time.time()
        took = max(now - self.begun, 0.0)
        pace = (max(self.begun - self.started, 0.0) + _PRIOR) / (self.spent + _PRIOR)
        expected = max(self.job_cost * pace, 0.01)
        share = min(took / expected, _NEARLY)
        later = self.cost - self.spent - self.job_cost
        remaining = max(expected - took, 0.0) + later * max(pace, took / self.job_cost if self.job_cost else 0.0)
        return min((self.spent + share * self.job_cost) / self.cost, 1.0) if self.cost else 1.0, remaining


@contextmanager
def turn(folder: Path | None) -> Iterator[None]:
    """Wait until no other process compiles into the folder, and keep it for this one; None is nobody else's.

    The system ends the turn of a process that ends, in whatever way.
    """
    if folder is None:
        yield
        return
    lock = FileLock(folder / _LOCK, poll_interval=_POLL, thread_local=False)
    with suppress(OSError, NotImplementedError):  # a file system without locks
        lock.acquire()
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / _PROGRESS).unlink(missing_ok=True)
        lock.release()


def tell(folder: Path | None, stage: Stage) -> None:
    """Let other processes see where the compilation is, whose turn it must be."""
    if folder is not None:
        with suppress(EmubotError):  # such as a full disk, which the kernels will tell of
            write_whole(folder / _PROGRESS, json.dumps(asdict(stage)).encode())


def under_way(folder: Path | None) -> Stage | None:
    """Returns where the compilation into a folder is; None if no process compiles."""
    if folder is None:
        return None
    try:
        stage = Stage(**json.loads((folder / _PROGRESS).read_bytes()))
    except (OSError, TypeError, ValueError):
        return None
    lock = FileLock(folder / _LOCK, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        return stage
    except (OSError, NotImplementedError):
        return None
    lock.release()  # it was killed, and left its last word
    return None
