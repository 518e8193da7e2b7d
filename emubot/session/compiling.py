"""Compiles the kernels of a game before it begins; shows nothing, but calls back with what it is at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emubot.interrupts import apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from emubot.games.protocol import Game


def is_compiled(game: Game) -> bool:
    """Returns whether an earlier start compiled all that play needs."""
    from emubot.jit import is_warm, kernel_scope

    return is_warm(kernel_scope(type(game).__module__))


def compile_kernels(game: Game, progress: Callable[[str], None] | None = None) -> None:
    """Compile the kernels that play needs, or load them; `progress` hears the name of each job when it begins."""
    from emubot.jit import kernel_scope, warm_up

    apart(lambda: warm_up(game.kernels(False), kernel_scope(type(game).__module__), progress))
