"""Plays whole games with several weights on the simulated cartridge: lines, pieces survived, with 95 % intervals.

    python benchmarks/weights.py [--games N] [--pieces N] [--taps 30hz] [--level 18] [--seed 0] NAME...

The games of a seed begin alike for all weights. A game ends at game over or after the pieces asked for.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.edition import part_of
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map
from emubot.tempo import parse_taps
from emubot.weights import Weights, load_weights

_NORMAL_95 = 1.96


def interval(values: list[float]) -> str:
    """Mean and half width of the 95 % interval of the mean."""
    spread = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
    return f"{np.mean(values):.1f} +- {_NORMAL_95 * spread:.1f}"


def play(weights: Weights, options: argparse.Namespace, seed: int) -> tuple[int, int]:
    """(lines, pieces) of one game."""
    edition = games.open_edition(load_map(games.game("tetris").facts.default_map))
    simulator = part_of(edition, "simulator", edition.simulator, "a simulator")
    bridge = SimulatedBridge(simulator.machine(np.random.default_rng(seed)))
    goal = Goal(options.pieces, games=1, menu_choices={"level": options.level})
    tally = Pilot(bridge, goal, edition, Skill(weights, parse_taps(options.taps))).run()
    return tally.lines, tally.pieces


def main() -> None:
    """Print one row for each set of weights."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("names", nargs="+", metavar="NAME")
    made.add_argument("--games", type=int, default=20)
    made.add_argument("--pieces", type=int, default=1000)
    made.add_argument("--level", type=int, default=18)
    made.add_argument("--taps", default="30hz")
    made.add_argument("--seed", type=int, default=0)
    options = made.parse_args()
    print(f"level {options.level}, {options.taps}, {options.games} games of at most {options.pieces} pieces")
    for name in options.names:
        started = time.process_time()
        played = [play(load_weights(name), options, options.seed + game) for game in range(options.games)]
        survived = sum(pieces >= options.pieces for _, pieces in played)
        lines = interval([float(cleared) for cleared, _ in played])
        spent = f"{time.process_time() - started:.0f} s of CPU time"
        print(f"{name:14} lines {lines:16} survived {survived}/{options.games} ({spent})", flush=True)


if __name__ == "__main__":
    main()
