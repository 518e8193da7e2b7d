"""Trains values for a long life of pairs, by what happens on full fields, and says how often they get full.

    python benchmarks/puyo_survival.py OUT.json [--generations N] [--games N] [--seed N] [--jobs N] [--check N]

A game is lost once in millions of pairs, so losses cannot be counted in training. Instead games begin on fields that
are fuller than almost all (22 puyos by the values of `reference`, where training begins too), and go on until
12 puyos are left. What counts is the danger that each reaches: its most puyos, and twice each row above four in the
spawn column, where the game is lost. The cost is the logarithm of the mean of exp(0.35 danger), so few bad games count
as much as many good ones. 1991 rules, 6 colours, two frames a row, 12 Hz, two pairs known. cmaes; the mean of the last
generation is what is written, with `reference` and itself measured on games that chose nothing (`--check`).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from pathlib import Path
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import popcount
from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import board_of, empty_board, fill_cells, filled, height_at, heights_of
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, rules_of
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.two_plies import Play
from emubot.games.colours.trials.untimed import fresh_tries, take_turn
from emubot.jit import kernel
from emubot.tempo import parse_taps
from emubot.trials.statistics import share
from emubot.weight_parts import FeatureSet, Provenance, Result
from emubot.weights import Weights, load_weights, save_weights

RULES = rules_of("famicom-1991", {"colors": 6})
LIMITS, TABLE = limits_of(RULES, parse_taps("12hz"), 2), table_of(RULES)
FULL, EMPTIED, LOST, LONGEST = 22, 12, 60, 60  # puyos; puyos; the danger of a lost game; pairs of a game
TILT = 0.35
FIELDS = 3000
FREE = (
    *("colored_puyos", "edges", "spawn_distance", "color_runs", "color_variance", "links"),
    *("points", "total_height", "peak", "popped"),
)  # of the features; there is no nuisance, and the others take long
REFERENCE = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
Fields = tuple[NDArray[Any], NDArray[Any]]


@kernel
def play_on(fields, nexts, draws, play, tries, dangers):  # type: ignore[no-untyped-def]
    """Play each game to its end; writes the danger that it reached."""
    for game in range(len(fields)):
        board, pairs = board_of(fields[game]), draws[game]
        pairs[0, 0], pairs[0, 1] = nexts[game, 0], nexts[game, 1]
        most = 0
        for turn in range(len(pairs) - 1):
            board, _, _, _ = take_turn(board, pairs, turn, 0, play, tries)
            left, right = filled(board)
            puyos = popcount(left) + popcount(right)
            danger = puyos + 2 * max(0, height_at(heights_of(board), 2) - 4)
            if is_dead(board, play.table):
                danger = LOST
            most = max(most, danger)
            if puyos <= EMPTIED or most >= LOST:
                break
        dangers[game] = min(most, LOST)


@kernel
def until_full(cells, pairs, play, tries):  # type: ignore[no-untyped-def]
    """Play from an empty field until it has FULL puyos; returns the number of the next pair, or -1."""
    board = empty_board()
    for turn in range(len(pairs) - 1):
        board, _, _, _ = take_turn(board, pairs, turn, 0, play, tries)
        left, right = filled(board)
        if popcount(left) + popcount(right) >= FULL:
            fill_cells(board, cells)
            return turn + 1
    return -1


def full_fields(job: tuple[int, int]) -> Fields:
    """Returns this number of full fields of the reference player, and the pair that was known there."""
    count, seed = job
    rng = np.random.default_rng(seed)
    found: list[NDArray[Any]] = []
    nexts: list[NDArray[Any]] = []
    while len(found) < count:
        cells = np.zeros((RULES.stored_rows, COLUMNS), np.uint8)
        pairs = rng.integers(1, RULES.colors + 1, size=(20_000, 2), dtype=np.uint8)
        turn = until_full(cells, pairs, Play(LIMITS, TABLE, scales_of(REFERENCE)), fresh_tries())
        if turn > 0:
            found.append(cells)
            nexts.append(pairs[turn])
    return np.array(found), np.array(nexts)


def dangers_of(job: tuple[Fields, NDArray[Any], int, int]) -> NDArray[Any]:
    """Returns the dangers of games from fields drawn by the seed."""
    (fields, nexts), vector, seed, games = job
    rng = np.random.default_rng(seed)
    picked = rng.integers(0, len(fields), games)
    draws = rng.integers(1, RULES.colors + 1, size=(games, LONGEST, 2), dtype=np.uint8)
    dangers = np.zeros(games, np.int64)
    play_on(fields[picked], nexts[picked], draws, Play(LIMITS, TABLE, scales_of(vector)), fresh_tries(), dangers)
    return dangers


def cost(job: tuple[Fields, NDArray[Any], int, int]) -> float:
    """Returns the tilted mean of the danger."""
    return float(np.log(np.mean(np.exp(TILT * (dangers_of(job) - FULL)))))


def main() -> None:
    """Train, check, write."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("out", type=Path)
    made.add_argument("--generations", type=int, default=60)
    made.add_argument("--games", type=int, default=4000, help="of each candidate in a generation (default 4000)")
    made.add_argument("--check", type=int, default=20_000, help="games of the last comparison (default 20000)")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--jobs", type=int, default=2)
    options = made.parse_args()
    free = np.array([FEATURE_NAMES.index(name) for name in FREE])
    step = np.maximum(np.abs(REFERENCE), 4.0)[free]

    def vector_of(candidate: NDArray[Any]) -> NDArray[Any]:
        vector = REFERENCE.copy()
        vector[free] += candidate * step
        return vector

    started, cpu = time.monotonic(), time.process_time()
    with multiprocessing.Pool(options.jobs) as pool:
        work = [(FIELDS // 8, options.seed * 1000 + number) for number in range(8)]
        parts = pool.map(full_fields, work)
        fields = (np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))
        print(f"{len(fields[0])} full fields after {time.monotonic() - started:.0f} s", flush=True)
        search = cma.CMAEvolutionStrategy(
            np.zeros(len(free)), 0.15, {"popsize": 16, "seed": options.seed, "verbose": -9}
        )
        for generation in range(options.generations):
            asked = search.ask()
            seed = options.seed * 100_000 + generation
            costs = pool.map(cost, [(fields, vector_of(one), seed, options.games) for one in asked])
            search.tell(asked, costs)
            if generation % 5 == 4:
                print(
                    f"generation {generation + 1}: best {min(costs):.3f}, mean {np.mean(costs):.3f}, "
                    f"{time.monotonic() - started:.0f} s",
                    flush=True,
                )
        found = vector_of(search.mean)
        part = options.check // 20
        seeds = [options.seed * 100_000 + 90_000 + number for number in range(20)]
        checked = {}
        for name, vector in (("reference", REFERENCE), ("trained", found)):
            dangers = np.concatenate(pool.map(dangers_of, [(fields, vector, seed, part) for seed in seeds]))
            checked[name] = {f"from {least}": float(np.mean(dangers >= least)) for least in (28, 32, 36, 40)}
            print(name, json.dumps(checked[name]), flush=True)
    often = checked["trained"]["from 36"]
    low, high = share(often, options.check)
    reached = Result(
        figure="in_danger",
        mean=often,
        low95=low,
        high95=high,
        settings=f"share of games on full fields that reach a danger of 36, of {options.check:,} on seeds that chose "
        f"nothing; reference: {checked['reference']['from 36']:g}",
    )
    names = [name for name, value in zip(FEATURE_NAMES, found, strict=True) if value]
    save_weights(
        Weights(
            game="puyo",
            features=FeatureSet(version=FEATURE_VERSION, names=tuple(names)),
            values=tuple(float(value) for value in found if value),
            provenance=Provenance(
                method=f"cmaes on full fields, {options.generations} generations; benchmarks/puyo_survival.py",
                seed=options.seed,
                games=options.generations * 16 * options.games,
                results=(reached,),
            ),
        ),
        options.out,
    )
    print(f"{time.monotonic() - started:.0f} s, {time.process_time() - cpu:.0f} s of it CPU of this process")


if __name__ == "__main__":
    main()
