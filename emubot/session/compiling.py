"""Compiles the kernels of a game before it begins; reports progress by callback and prints nothing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from emubot.interrupts import apart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from emubot.games.protocol import Game
    from emubot.rammap import RamMap

    Jobs: TypeAlias = Sequence[tuple[str, Callable[[], object]]]
    Compile: TypeAlias = Callable[[Game, RamMap], None]  # compiles the kernels of play by a map, showing the progress


def is_compiled(game: Game, ram_map: RamMap) -> bool:
    """Returns whether an earlier start compiled all kernels that play by this map needs."""
    from emubot.jit import is_warm, kernel_scope

    jobs = kernels_of(game, ram_map)
    return not jobs or is_warm(kernel_scope(type(game).__module__), purpose_of(jobs))


def compile_kernels(game: Game, ram_map: RamMap, progress: Callable[[str], None] | None = None) -> None:
    """Compile or load the kernels that play by this map needs; `progress` gets the name of each job as it begins."""
    from emubot.jit import kernel_scope, warm_up

    jobs = kernels_of(game, ram_map)
    if jobs:
        apart(lambda: warm_up(jobs, kernel_scope(type(game).__module__), progress, purpose_of(jobs)))


def kernels_of(game: Game, ram_map: RamMap | None = None, self_play: bool = False) -> Jobs:
    """Returns the named jobs that compile a game's kernels, for a map those that it needs; empty if there are none."""
    from emubot.games.protocol import Compiled

    return game.kernels(self_play, ram_map) if isinstance(game, Compiled) else ()


def purpose_of(jobs: Jobs) -> str:
    """Returns what the cache remembers these jobs of play by: maps that need the same share it."""
    return f"play-{hashlib.sha256(repr([name for name, _ in jobs]).encode()).hexdigest()[:8]}"
