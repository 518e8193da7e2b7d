"""How much sooner several threads decide: `python benchmarks/threads.py --nodes 250000 --threads 1 2 4`.

Boards of a game of NES Tetris by the default weights are decided by each number of threads in turn, over and over, so
that a busy machine slows all of them down. Each decision is compared with that of one thread.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from emubot.games.tetris.board.board import BOARD_ROWS, Rows, lock
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import Engine, engine_for
from emubot.games.tetris.search.helpers import Helpers
from emubot.games.tetris.search.search import Position, Search
from emubot.tempo import parse_taps
from emubot.weights import load_weights

_WEIGHTS, _TEMPO = load_weights("nes_tetris"), parse_taps("12hz")


def main() -> None:
    """Print the boards a second and the ratio to one thread."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=250_000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--pieces", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    searches = {threads: _search(threads, options.nodes) for threads in options.threads}
    spent, boards, differ = dict.fromkeys(searches, 0.0), 0, 0
    rng, rows, lines, level = np.random.default_rng(options.seed), np.zeros(BOARD_ROWS, dtype=np.uint16), 0, 18
    piece = _dealt(rng, -1)
    for number in range(options.pieces):
        following = _dealt(rng, piece)
        start, shown = Start(int(SPAWN_ORIENTATION[piece])), int(SPAWN_ORIENTATION[following])
        position, found = Position(rows, start, shown, level, lines), {}
        for threads, search in searches.items():
            began = time.perf_counter()
            found[threads] = search.ranking(position)
            spent[threads] += time.perf_counter() - began if number else 0.0  # the first decision compiles
        first, *others = found.values()
        differ += any(other.values.tolist() != first.values.tolist() or other.nodes != first.nodes for other in others)
        boards += first.nodes if number else 0
        lines, level = _locked(rows, first.places[0], lines, level)
        piece = following
    print(f"{options.pieces - 1} decisions, {boards / (options.pieces - 1):,.0f} boards each, {differ} not the same")
    for threads, seconds in spent.items():
        print(
            f"{threads} threads: {boards / seconds:,.0f} boards a second, x {spent[options.threads[0]] / seconds:.2f}"
        )


def _search(threads: int, nodes: int) -> Search:
    helpers = Helpers([_engine(nodes) for _ in range(threads - 1)]) if threads > 1 else None
    return Search(_engine(nodes), _TEMPO, NES_NTSC, helpers)


def _engine(nodes: int) -> Engine:
    return engine_for(_WEIGHTS, _TEMPO, NES_NTSC, nodes, 230)


def _dealt(rng: np.random.Generator, before: int) -> int:
    return int(deal(before, int(rng.integers(0, DRAWS)), int(rng.integers(0, DRAWS))))


def _locked(rows: Rows, place: np.ndarray[tuple[int], np.dtype[np.int64]], lines: int, level: int) -> tuple[int, int]:
    cleared = int(lock(rows, *map(int, place)))
    return lines + cleared, int(level_after(level, lines, cleared))


if __name__ == "__main__":
    main()
