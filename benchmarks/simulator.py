"""Replays the twelve recorded games over and over: frames a second on one core, in batches.

python benchmarks/simulator.py [BATCHES]
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import numpy as np

from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC
from emubot.trace import read_trace

GAMES = sorted((Path(__file__).parents[1] / "tests" / "data" / "nes_tetris").glob("*.npz"))
REPEATS = 100


def main() -> None:
    """Print million frames a second: lowest, median and highest batch."""
    traces = [read_trace(path) for path in GAMES]
    frames = sum(trace.frames for trace in traces) * REPEATS
    nothing = (np.zeros((0, len(reg.FIELDS)), dtype=np.uint8), np.zeros((0, reg.PAGE_SIZE), dtype=np.uint8))
    rates = []
    for batch in range(int(sys.argv[1]) + 1 if len(sys.argv) > 1 else 21):
        started = time.process_time()
        for _ in range(REPEATS):
            for trace in traces:
                sim.replay(trace.initial.copy(), trace.initial_page.copy(), trace.pads, False, NTSC, *nothing)
        if batch:  # the first one compiles
            rates.append(frames / (time.process_time() - started) / 1e6)
    print(f"{len(rates)} batches of {frames:,} frames, million frames a second of CPU time:")
    print(f"lowest {min(rates):.1f}, median {statistics.median(rates):.1f}, highest {max(rates):.1f}")


if __name__ == "__main__":
    main()
