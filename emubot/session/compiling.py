"""Compiles the kernels of a game before it begins; reports progress by callback and prints nothing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from emubot.interrupts import apart

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from emubot.games.edition import Edition, Jobs

    Compile: TypeAlias = Callable[[Edition], None]  # compiles the kernels of an edition, showing the progress


def is_compiled(edition: Edition) -> bool:
    """Returns whether an earlier start compiled all kernels that play by this edition needs."""
    from emubot.jit import is_warm, kernel_scope

    jobs = edition.kernels()
    return not jobs or is_warm(kernel_scope(type(edition.game).__module__), purpose_of(jobs))


def compile_kernels(edition: Edition, progress: Callable[[str], None] | None = None) -> None:
    """Compile or load the kernels that play by this edition needs; `progress` gets each job's name as it begins."""
    from emubot.jit import kernel_scope, warm_up

    jobs = edition.kernels()
    if jobs:
        apart(lambda: warm_up(jobs, kernel_scope(type(edition.game).__module__), progress, purpose_of(jobs)))


def purpose_of(jobs: Jobs) -> str:
    """Returns what the cache remembers these jobs of play by: maps that need the same share it."""
    return f"play-{hashlib.sha256(repr([name for name, _ in jobs]).encode()).hexdigest()[:8]}"
