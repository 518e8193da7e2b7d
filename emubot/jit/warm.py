"""Compiles all kernels that a purpose needs, once for all processes, and remembers that it was done; knows no game."""

from __future__ import annotations

import gc
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import llvmlite.binding as llvm

from emubot.jit.sources import cache_folder, leaves_uncompiled, scope_hash

_COST: Final = 1.0  # seconds of a job that does not say how long it takes,
_LOADING: Final = 0.05  # and of one that finds all compiled
_KEPT: Final = 2  # versions of the sources: the kernels of earlier ones are dropped (sources.py)
_VERSION: Final = re.compile("-([0-9a-f]{12})-")  # of the sources, in the name of a marker


class _Job(NamedTuple):
    name: str
    run: Callable[[], object]
    seconds: float = _COST

    def cost(self, scope: str, title: str) -> float:
        """Returns the seconds that it takes now: of a game, as `title` has it, much may have been compiled already."""
        return _LOADING if is_warm(scope, self.mark(title)) else self.seconds

    def mark(self, title: str) -> str:
        """Returns what the cache remembers the job by."""
        return f"job-{hashlib.sha256(f'{title} {self.name}'.encode()).hexdigest()[:8]}"


def is_warm(scope: str, purpose: str = "play") -> bool:
    """Returns whether a whole `warm_up` of exactly these sources ran on this kind of processor: the start is quick."""
    folder = cache_folder(scope)
    return folder is not None and (folder / _marker(scope, purpose)).exists()


def mark(scope: str, purpose: str) -> None:
    """Remember that all is compiled that a purpose needs."""
    folder = cache_folder(scope)
    # A third version of emubot, started meanwhile, may have pruned the folder. Then the next start compiles again.
    if folder is not None and folder.is_dir():
        (folder / _marker(scope, purpose)).touch()
        _forget_earlier(folder)


def warm_up(
    jobs: Iterable[tuple[Any, ...]],
    scope: str,
    progress: Callable[[str], None] | None = None,
    purpose: str = "play",
    title: str = "",
) -> None:
    """Call each job once, to compile or load the kernels of a scope that a purpose needs.

    A job is a name, a function and, if it is known, what it costs: CPU seconds on one machine. `progress` is called
    with each name first. Other processes see how far it is; `title` says to them what is compiled. Where one of them
    compiles already, this waits for it and loads what it made.
    """
    each = [_Job(*job) for job in jobs]
    if not (leaves_uncompiled() or is_warm(scope, purpose)):
        from emubot.jit.turns import turn

        with turn(cache_folder(scope)):
            if not is_warm(scope, purpose):
                _compile(each, scope, progress, purpose, title)
                mark(scope, purpose)
                return
    for job in each:
        job.run()


def cost(jobs: Iterable[tuple[Any, ...]], scope: str, title: str = "") -> float:
    """Returns the CPU seconds that these jobs would take on the machine where they were measured."""
    return sum(_Job(*job).cost(scope, title) for job in jobs)


def _compile(jobs: list[_Job], scope: str, progress: Callable[[str], None] | None, purpose: str, title: str) -> None:
    from emubot.jit.turns import Stage, tell

    folder, started = cache_folder(scope), time.time()
    costs, spent = [job.cost(scope, title) for job in jobs], 0.0
    with _much_made():
        for done, job in enumerate(jobs):
            begun = time.time()
            process, of = os.getpid(), len(jobs)
            cost = costs[done]
            tell(folder, Stage(process, purpose, title, job.name, done, of, started, begun, sum(costs), spent, cost))
            if progress is not None:
                progress(job.name)
            job.run()
            mark(scope, job.mark(title))
            spent += cost


@contextmanager
def _much_made() -> Iterator[None]:
    """Search no garbage meanwhile: a compilation makes millions of objects that stay, and takes a tenth less then."""
    searches = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searches:
            gc.enable()


def _forget_earlier(folder: Path) -> None:
    """Drop the markers of sources whose kernels may be gone, so that a return to them compiles again, and says so."""
    versions: dict[str, list[tuple[float, Path]]] = {}
    with suppress(OSError):  # another process drops them, too
        for marker in folder.glob("warm-*"):
            for version in _VERSION.findall(marker.name):
                versions.setdefault(version, []).append((marker.stat().st_mtime, marker))
        for version in sorted(versions, key=lambda each: max(versions[each]))[:-_KEPT]:
            for _, marker in versions[version]:
                marker.unlink(missing_ok=True)


def _marker(scope: str, purpose: str) -> str:
    """Returns the name of the file that marks "all compiled": for these sources and one kind of processor."""
    return f"warm-{purpose}-{scope_hash(scope)}-{llvm.get_host_cpu_name()}"
