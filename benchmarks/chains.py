"""Plays for one large chain under Tsu rules, with the CPU time of every decision, and compares with another player.

    python benchmarks/chains.py GAMES [--first 1] [--last 100] [--weights famicom_puyo] [--nodes N] [--previews 1]
        [--unknown] [--csv FILE] [--against FILE]

GAMES is a file as `emubot evaluate puyo --sequences` takes. A game ends after 50 pairs, when it is lost, or with a
chain of 80,000 points. Its score is that of its largest chain. --csv writes a line per game as it ends (game, score,
chain, died, pairs, mean and largest milliseconds of CPU time a pair). --against reads such a file of another player and
prints the mean difference on the same games.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.bounds import CHAIN, NODES
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import TSU, rules_of
from emubot.games.colours.search.engine import Budget, search_for
from emubot.games.colours.search.search import Position, Search
from emubot.games.colours.trials.searched import PairsCourse, play_game
from emubot.games.colours.trials.sequences import read_sequences
from emubot.games.colours.trials.trials import CHAIN_PAIRS, STOP_POINTS
from emubot.games.colours.trials.untimed import FIGURES
from emubot.trials.statistics import of_samples
from emubot.weights import load_weights


class Timed(Search):
    """A search whose decisions are timed, in seconds of CPU time."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self.seconds: list[float] = []

    def rank(self, position: Position, candidates: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """Returns what the search returns."""
        started = time.thread_time()
        found = self._search.rank(position, candidates)
        self.seconds.append(time.thread_time() - started)
        return found


def scores(path: Path) -> dict[int, float]:
    """Returns the score of each game in a file of results."""
    with path.open() as file:
        return {int(row["game"]): float(row["score"]) for row in csv.DictReader(file)}


def main() -> None:
    """Play, and print the means."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("games", metavar="GAMES")
    made.add_argument("--first", type=int, default=1)
    made.add_argument("--last", type=int, default=100)
    made.add_argument("--weights", default="famicom_puyo")
    made.add_argument("--nodes", type=int, default=NODES)
    made.add_argument("--previews", type=int, default=1)
    made.add_argument("--unknown", action="store_true", help="the search does not know that 50 pairs are played")
    made.add_argument("--csv", type=Path)
    made.add_argument("--against", type=Path)
    options = made.parse_args()
    listed = read_sequences(options.games)
    rules = rules_of(TSU.name, {"colors": 4, "previews": options.previews})
    course = PairsCourse(rules, limits_of(rules), not options.unknown, STOP_POINTS)
    search = Timed(search_for(load_weights(options.weights), rules, CHAIN, Budget(options.nodes)))
    play_game(listed[0][: 3 + options.previews], search, course, np.zeros(len(FIGURES), dtype=np.int64))
    rows: list[dict[str, float]] = []
    seconds: list[float] = []
    for number in range(options.first, options.last + 1):
        search.seconds = []
        figures = np.zeros(len(FIGURES), dtype=np.int64)
        play_game(listed[number - 1][: CHAIN_PAIRS + options.previews], search, course, figures)
        found = dict(zip(FIGURES, figures.tolist(), strict=True))
        times = [1000 * each for each in search.seconds]
        rows.append(
            {
                "game": number,
                "score": found["best_score"],
                "chain": found["best_chain"],
                "died": found["died"],
                "pairs": found["pieces"],
                "mean_ms": round(float(np.mean(times)), 2),
                "max_ms": round(max(times), 2),
            }
        )
        seconds += times
        if options.csv is not None:
            with options.csv.open("w") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
    for name in ("score", "chain", "died"):
        print(name, of_samples(np.array([row[name] for row in rows])).as_dict())
    print(f"CPU ms a pair: mean {np.mean(seconds):.2f}, p99 {np.percentile(seconds, 99):.2f}, most {max(seconds):.2f}")
    if options.against is not None:
        others = scores(options.against)
        both = [row["score"] - others[int(row["game"])] for row in rows if int(row["game"]) in others]
        print(f"minus the other, {len(both)} games: {of_samples(np.array(both)).as_dict()}")


if __name__ == "__main__":
    main()
