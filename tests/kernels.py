"""Compiles the kernels that most tests need, a process for each family, before any worker would compile them too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

PURPOSE = "tests"
TRIALS: dict[str, list[tuple[int, str | None, dict[str, Any]]]] = {
    "tetris": [(1, "nes", {}), (1, "textbook", {}), (2, "versus", {})],
    "puyo": [(1, None, {}), (1, None, {"gravity": 2}), (2, None, {})],
}


def compile_for_all() -> None:
    """Fill the cache; what cannot be compiled says so, and its tests will say it again."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        with ExitStack() as at_work:
            for family in TRIALS:
                at_work.enter_context(subprocess.Popen([sys.executable, __file__, family]))


def jobs(name: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """What play, self-play and all that is measured of a family compile."""
    from emubot import games

    family = games.game(name)
    yield from family.kernels(self_play=True)
    for sides, rules, asked in TRIALS[name]:
        yield f"trials by {rules}", family.trial(sides, rules, asked).warm_up


def main(name: str) -> None:
    from emubot import games
    from emubot.jit import is_warm, kernel_scope, warm_up

    scope = kernel_scope(type(games.game(name)).__module__)
    if not is_warm(scope, PURPOSE):
        sys.stderr.write(f"Compiling the kernels of {name}, once for all workers ...\n")
        warm_up(jobs(name), scope, purpose=PURPOSE)


if __name__ == "__main__":
    main(sys.argv[1])
