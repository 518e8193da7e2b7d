"""Speeds of the pairs' kernels on one core: raw positions, leaves of the search, decisions.

python benchmarks/puyo.py [ROUNDS] [--weights NAME ...] [--colors N ...] [--play PAIRS [--seed N]]

Raw: a random placement of a random pair, drop and resolve, from the random play it leads to; drawing is included.
All placements: the same for every placement of a pair on fields in the middle of such play, without drawing.
Leaves: fields valued a second two pairs deep, drops and chains included, along a game the weights play by themselves.
Play: nothing of that, but what so many pairs of self-play under famicom-1991 came to.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import pairwise

import numpy as np

from emubot.games.colours.board.resolve import is_dead, resolve
from emubot.games.colours.board.words import drop_pair
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.rules import COLUMNS, PROFILES, SATELLITE, Rules, rules_of
from emubot.games.colours.scoring import STORED_AT, Table, table_of
from emubot.games.colours.search.search import Position, TwoPlies, placements
from emubot.games.colours.search.two_plies import lock_cells
from emubot.games.colours.trials.raw_speed import positions_a_second
from emubot.games.colours.trials.selfplay import play
from emubot.jit import Scalar, lean
from emubot.weights import load_weights

POSITIONS = 5_000_000
DECISIONS = 1_000


@lean
def play_randomly(positions: Scalar, colors: Scalar, state: Scalar, table: Table) -> Scalar:
    """Chains' steps and games of random play; `state` seeds a shift register."""
    board = (0, 0, 0, 0, 0, 0, 0, 0)
    seen = 0
    for _ in range(positions):
        state ^= state << 13 & 0x7FFFFFFFFFFFFFFF
        state ^= state >> 7
        state ^= state << 17 & 0x7FFFFFFFFFFFFFFF
        drawn = state >> 8
        pivot = 1 + ((drawn & 0xFFFF) * colors >> 16)
        satellite = 1 + ((drawn >> 16 & 0xFFFF) * colors >> 16)
        place = (drawn >> 32 & 0xFFFF) * 22 >> 16
        if place < 12:
            orientation, column = place // 6 * 2, place % 6
        else:
            orientation, column = 1 + (place - 12) // 5 * 2, (place - 12) % 5 + (place - 12) // 5
        after = drop_pair(board, orientation, column, pivot, satellite, table[STORED_AT])
        board, _, chain, _ = resolve(after, table)
        seen += chain
        if is_dead(board, table):
            board = (0, 0, 0, 0, 0, 0, 0, 0)
            seen += 1
    return seen


def raw_rate(rules: Rules, seed: int) -> float:
    """Million positions a second of CPU time."""
    started = time.process_time()
    play_randomly(POSITIONS, rules.colors, 88172645463325252 + seed, table_of(rules))
    return POSITIONS / (time.process_time() - started) / 1e6


def search_rates(rules: Rules, name: str, seed: int) -> tuple[float, list[float]]:
    """Million leaves a second, and the milliseconds of every decision, of CPU time."""
    weights = load_weights(name).vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    table, rng = table_of(rules), np.random.default_rng(seed)
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    dealt = rng.integers(1, rules.colors + 1, size=(DECISIONS + 1, 2)).tolist()
    nodes, times = 0, []
    for (pivot, satellite), following in pairwise(dealt):
        options = placements(cells, (pivot, satellite), rules)
        started = time.process_time()
        choice = TwoPlies(rules, weights).decide(Position(cells, (pivot, satellite), (tuple(following),)), options)
        times.append((time.process_time() - started) * 1e3)
        nodes += choice.nodes
        orientation, column = options[choice.index].tolist()
        assert 0 <= column + SATELLITE[orientation][0] < COLUMNS
        lock_cells(cells, orientation, column, pivot, satellite, table)
        if any(cells[row + rules.hidden_rows, column] for column, row in rules.death_cells):
            cells[:] = 0
    return nodes / sum(times) / 1e3, times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", nargs="?", type=int, default=9)
    parser.add_argument("--weights", nargs="+", default=["reference", "famicom_puyo"])
    parser.add_argument("--colors", nargs="+", type=int, default=[4, 6])
    parser.add_argument("--play", type=int, metavar="PAIRS")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.play:
        for colors in asked.colors:
            for name in asked.weights:
                report_play(rules_of("famicom-1991", {"colors": colors}), name, asked.seed, asked.play)
        return
    play_randomly(1, 4, 1, table_of(PROFILES["tsu"]))
    for colors in asked.colors:
        for profile in PROFILES:
            rules = rules_of(profile, {"colors": colors})
            rates = [raw_rate(rules, index) for index in range(asked.rounds)]
            report(f"{profile}, {colors} colours: raw, million positions a second", rates)
            rates = [positions_a_second(rules, index) / 1e6 for index in range(asked.rounds)]
            report(f"{profile}, {colors} colours: all placements, million positions a second", rates)
        rules = rules_of("famicom-1991", {"colors": colors})
        for name in asked.weights:
            search_rates(rules, name, 0)  # compiles
            found = [search_rates(rules, name, index) for index in range(asked.rounds)]
            report(f"{name}, {colors} colours: two pairs deep, million leaves a second", [rate for rate, _ in found])
            times = [one for _, all_of_them in found for one in all_of_them]
            low, high = np.percentile(times, [50, 99])
            print(f"    decision, ms of CPU time: p50 {low:.3f}, p99 {high:.3f}, max {max(times):.3f}")


def report_play(rules: Rules, name: str, seed: int, pairs: int) -> None:
    """Print the counts of self-play."""
    weights = load_weights(name).vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    counts = play(seed, pairs, rules, weights)
    puyos = np.arange(len(counts.heights))
    mean = float(counts.heights @ puyos) / pairs
    deviation = float(counts.heights @ (puyos - mean) ** 2 / pairs) ** 0.5
    print(f"{name}, {rules.colors} colours, {pairs:,} pairs, seed {seed}: {counts.deaths} deaths, ", end="")
    print(f"puyos after a lock: mean {mean:.3f}, deviation {deviation:.3f}, most {counts.highest}; ", end="")
    print(f"{counts.all_clears} all-clears, {counts.score / pairs:.1f} points a pair")
    print("    locks by length of chain:", ", ".join(f"{n}: {count}" for n, count in enumerate(counts.chains) if count))


def report(what: str, rates: list[float]) -> None:
    """Print lowest, median and highest of the rounds."""
    print(f"{what}: lowest {min(rates):.2f}, median {statistics.median(rates):.2f}, highest {max(rates):.2f}")


if __name__ == "__main__":
    main()
