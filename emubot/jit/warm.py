"""Compiles all kernels that a purpose needs, and remembers that it was done; knows no game."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import config as numba_config

from emubot.jit.store import cache_folder, scope_hash

_CONFIG: Any = numba_config  # its settings are made at run time, so no type checker sees them


def is_warm(scope: str, purpose: str = "play") -> bool:
    """Returns whether a whole `warm_up` of exactly these sources ran on this kind of processor: the start is quick."""
    folder = cache_folder(scope)
    return folder is not None and (folder / _marker(scope, purpose)).exists()


def warm_up(
    jobs: Iterable[tuple[str, Callable[[], object]]],
    scope: str,
    progress: Callable[[str], None] | None = None,
    purpose: str = "play",
) -> None:
    """Call each named job once, to compile or load the kernels of a scope that a purpose needs.

    `progress` is called with each job's name first.
    """
    with _much_made():
        for name, job in jobs:
            if progress is not None:
                progress(name)
            job()
    folder = cache_folder(scope)
    # A third version of emubot, started meanwhile, may have pruned the folder. Then the next start compiles again.
    if folder is not None and folder.is_dir() and not _CONFIG.DISABLE_JIT:
        (folder / _marker(scope, purpose)).touch()


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


def _marker(scope: str, purpose: str) -> str:
    """Returns the name of the file that marks "all compiled": for these sources and one kind of processor."""
    return f"warm-{purpose}-{scope_hash(scope)}-{llvm.get_host_cpu_name()}"
