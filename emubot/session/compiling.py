"""Compiles the kernels of a game before it begins; reports progress by callback and prints nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emubot.interrupts import apart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from emubot.games.protocol import Game


def is_compiled(game: Game) -> bool:
    """Returns whether an earlier start compiled all kernels that play needs."""
    from emubot.jit import is_warm, kernel_scope

    return not kernels_of(game) or is_warm(kernel_scope(type(game).__module__))


def compile_kernels(game: Game, progress: Callable[[str], None] | None = None) -> None:
    """Compile or load the kernels that play needs; `progress` is called with the name of each job when it begins."""
    from emubot.jit import kernel_scope, warm_up

    jobs = kernels_of(game)
    if jobs:
        apart(lambda: warm_up(jobs, kernel_scope(type(game).__module__), progress))


def kernels_of(game: Game, self_play: bool = False) -> Sequence[tuple[str, Callable[[], object]]]:
    """Returns the named jobs that compile a game's kernels; empty if the game has no kernels."""
    from emubot.games.protocol import Compiled

    return game.kernels(self_play) if isinstance(game, Compiled) else ()
