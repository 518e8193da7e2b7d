"""Compiles the kernels that most tests need, in a process for each family, before any worker would do it too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

PURPOSE = "tests"
Trial = tuple[int, str | None, dict[str, Any]]
# Processes that end at about the same time; what stands on kernels of another one comes last.
SHARES: dict[str, list[tuple[str, bool, list[Trial]]]] = {
    "tetris": [("tetris", True, [(1, "nes", {})]), ("puyo", False, [(2, None, {})])],
    "puyo": [
        ("puyo", True, [(1, None, {}), (1, None, {"gravity": 2})]),
        ("tetris", False, [(1, "textbook", {}), (2, "versus", {})]),
    ],
    "matching": [("matching", True, [(1, "capsules", {}), (1, "columns", {})])],
}


def compile_for_all() -> None:
    """Fill the cache; what cannot be compiled says so, and its tests will say it again."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        with ExitStack() as at_work:
            for share in SHARES:
                at_work.enter_context(subprocess.Popen([sys.executable, __file__, share]))


def jobs(name: str, play: bool, trials: list[Trial]) -> Iterator[tuple[object, ...]]:
    """What play and self-play of a family compile, and what is measured of it."""
    from emubot import games
    from emubot.games.protocol import Compiled, Measurable, require_part

    family = games.game(name)
    if play:
        yield from require_part(family, Compiled, "kernels").kernels()
    for sides, rules, options in trials:
        trial = require_part(family, Measurable, "trials").trial(sides, rules, options)
        yield f"trials by {rules}", trial.warm_up


def main(share: str) -> None:
    from emubot import games
    from emubot.jit import is_warm, kernel_scope, warm_up

    for name, play, trials in SHARES[share]:
        scope, purpose = kernel_scope(type(games.game(name)).__module__), f"{PURPOSE}-{share}"
        if not is_warm(scope, purpose):
            sys.stderr.write(f"Compiling kernels of {name}, once for all workers ...\n")
            warm_up(jobs(name, play, trials), scope, purpose=purpose)
            if play:
                mark_maps(name)


def mark_maps(name: str) -> None:
    """Let each start of play by a map of this family know that nothing is left to compile."""
    from emubot import games
    from emubot.rammap import all_maps
    from emubot.session.compiling import play_by

    for ram_map in all_maps():
        for known in (ram_map, *(ram_map.for_identity(known.sha1) for known in ram_map.identities if known.sha1)):
            if known.family == name:
                play_by(games.open_edition(known)).compile()


if __name__ == "__main__":
    main(sys.argv[1])
