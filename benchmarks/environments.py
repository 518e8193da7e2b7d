"""Steps a second of the environments on one core, beside other environments of the same games and a bare core.

    python benchmarks/environments.py [--rounds 10] [--seconds 0.5] [--core FILE|NAME] [--json]

All cases run in turn, round after round, with random actions; a case is the median of its rounds, in CPU time. Where
tetris-gymnasium is installed, it is measured, too; with --core a bare `retro_run` loop on the demo of falling blocks.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import emubot.gym  # noqa: E402, F401  # which registers them

_GAMES: Final = 1024
_DRAWN: Final = 64  # arrays of random actions, used in turn
Case = Callable[[int], int]  # takes a number of calls, returns the steps that they made


def many(name: str, **options: Any) -> Case:
    """Games beside each other; a step of each counts."""
    games = gymnasium.make_vec(f"emubot/{name}-v0", num_envs=_GAMES, **options)
    games.reset(seed=0)
    space: Any = games.unwrapped.single_action_space
    actions = np.random.default_rng(0).integers(space.n, size=(_DRAWN, _GAMES))

    def run(calls: int) -> int:
        for call in range(calls):
            games.step(actions[call % _DRAWN])
        return calls * _GAMES

    return run


def alone(name: str, **options: Any) -> Case:
    """One game, without Gymnasium's wrappers, as a loop that learns takes it."""
    return looped(gymnasium.make(f"emubot/{name}-v0", **options).unwrapped)


def looped(game: Any) -> Case:
    """One game of any package."""
    game.reset(seed=0)
    actions = [game.action_space.sample() for _ in range(_DRAWN)]

    def run(calls: int) -> int:
        for call in range(calls):
            _, _, ended, cut, _ = game.step(actions[call % _DRAWN])
            if ended or cut:
                game.reset()
        return calls

    return run


def of_others() -> Iterator[tuple[str, Case]]:
    """The games of other packages that are installed."""
    with suppress(ImportError):
        from tetris_gymnasium.envs.tetris import Tetris  # type: ignore[import-not-found]

        yield "tetris-gymnasium, one game", looped(Tetris())


def of_core(name: str) -> tuple[str, Case]:
    """The demo of falling blocks in a core, frame after frame, with nothing read and nothing pressed."""
    from emubot.bridges import open_bridge
    from emubot.cartridge import load_cartridge
    from emubot.demos import image

    bridge: Any = open_bridge("libretro", rom=load_cartridge(image("tetris")), core=name)

    def run(calls: int) -> int:
        frame = bridge.bare_frame  # of a bridge that must stay open: it is kept by this function
        for _ in range(calls):
            frame()
        return calls

    return f"bare retro_run, {bridge.facts.emulator}", run


def cases(core: str | None) -> dict[str, Case]:
    """All cases by what they are."""
    made = {
        f"TextbookTetris, {_GAMES:,} games": many("TextbookTetris"),
        f"NESTetris placements, {_GAMES:,} games": many("NESTetris", actions="placements"),
        f"NESTetris frames, {_GAMES:,} games": many("NESTetris"),
        f"FamicomPuyo placements, {_GAMES:,} games": many("FamicomPuyo"),
        f"FamicomPuyo frames, {_GAMES:,} games": many("FamicomPuyo", actions="frames"),
        f"Capsules placements, {_GAMES:,} games": many("Capsules"),
        f"Capsules frames, {_GAMES:,} games": many("Capsules", actions="frames"),
        "TextbookTetris, one game": alone("TextbookTetris"),
        "NESTetris placements, one game": alone("NESTetris", actions="placements"),
        "NESTetris frames, one game": alone("NESTetris"),
        "FamicomPuyo frames, one game": alone("FamicomPuyo", actions="frames"),
        "Capsules frames, one game": alone("Capsules", actions="frames"),
    }
    return made | dict(of_others()) | (dict([of_core(core)]) if core else {})


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each case in a round, about")
    parser.add_argument("--core", help="a libretro core for the bare loop")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    made = cases(options.core)
    calls = {}
    for name, case in made.items():
        case(_DRAWN)
        began = time.process_time()
        case(_DRAWN)
        calls[name] = max(int(_DRAWN * options.seconds / max(time.process_time() - began, 1e-6)), 1)
    rates: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(options.rounds):
        for name, case in made.items():
            began = time.process_time()
            steps = case(calls[name])
            rates[name].append(steps / (time.process_time() - began))
    if options.json:
        print(json.dumps(rates))
        return
    print("| environment | steps a second: median | lowest and highest round |\n|---|---|---|")
    for name, found in rates.items():
        print(f"| {name} | {statistics.median(found):,.0f} | {min(found):,.0f} to {max(found):,.0f} |")


if __name__ == "__main__":
    main()
