"""Learns the tables of values that weights/nes_tetris.json has for NES Tetris.

    python benchmarks/point_tables.py TAPS STOP_LINES MINUTES FILE.npz

Each line is a batch of 200,000 pieces: how many so far, games ended, their thousands of points, lines, the share that
reached the last line, and the mean size of the differences. A teacher (the file's features, two pieces of lookahead)
moves during the first 800,000 pieces, and the surfaces rest during the first 400,000. FILE is written after each batch;
a second call goes on from it.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.features import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.points import ENTRIES, SURFACES, TERMS
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.search.plies import lookahead_for
from emubot.games.tetris.trials.first_tables import first_tables
from emubot.games.tetris.trials.td_games import Learning, learn_games
from emubot.tempo import parse_taps
from emubot.weights import load_weights

BATCH = 200_000
TAUGHT, DENSE = 800_000, 400_000
START_LEVEL, SEED = 18, 1
RATES = ((800_000, 0.3), (4_000_000, 0.2), (10_000_000, 0.1), (18_000_000, 0.05), (sys.maxsize, 0.02))  # until pieces


def main(taps: str, stop_lines: int, minutes: float, file: Path) -> None:
    weights = load_weights("nes_tetris")
    teacher = player_of(weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION))
    if file.exists():
        with np.load(file) as kept:
            values, sums, pieces = kept["values"], kept["sums"], int(kept["pieces"])
    else:
        values = first_tables(dict(zip(weights.features.names, weights.values, strict=True)), stop_lines)
        sums, pieces = np.zeros((2, ENTRIES)), 0
    tempo = parse_taps(taps)
    look = lookahead_for(points_player(values, tempo, NES_NTSC, stop_lines=stop_lines), tempo, NES_NTSC)
    scores, lines = np.zeros(BATCH), np.zeros(BATCH, dtype=np.int64)
    ends = time.monotonic() + 60 * minutes
    while time.monotonic() < ends:
        rates = np.full(TERMS, next(rate for until, rate in RATES if pieces < until) / TERMS)
        if pieces < DENSE:
            rates[:SURFACES] = 0
        rng = np.random.default_rng([SEED, pieces // BATCH])
        learning = Learning(START_LEVEL, rates, sums)
        games, size = learn_games(rng, BATCH, learning, look, teacher, int(pieces < TAUGHT), scores, lines)
        pieces += BATCH
        np.savez(file, values=values, sums=sums, pieces=pieces)
        reached = np.mean(lines[:games] >= stop_lines)
        print(
            f"{pieces:,} {games} {scores[:games].mean():.1f} {lines[:games].mean():.1f} {reached:.3f} {size:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
