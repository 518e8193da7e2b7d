"""How often one game beats another: matches of equal bots with garbage exchanged, as the arena plays them.

    python benchmarks/arena_balance.py OUT.jsonl --bot gentle|easy|middle|strong|full [--between FIRST SECOND]
                                       [--games N] [--seed N] [--jobs N]

Each match is a line of OUT; the same command continues an unfinished file. The result is the share of matches that the
first game wins, a draw counting half, with its 95 % interval, and how long a match lasts.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
from pathlib import Path
from typing import Any

from emubot.arena.match import ArenaMatch
from emubot.arena.request import MatchRequest, SideRequest
from emubot.trials.statistics import share

MOST_TICKS = 60 * 60 * 20  # twenty minutes: nothing lasts as long


def play(job: tuple[str, tuple[str, str], int]) -> dict[str, Any]:
    """Play one match; the sides change places with every other seed."""
    bot, between, seed = job
    games = between if seed % 2 == 0 else between[::-1]
    match = ArenaMatch(MatchRequest(sides=tuple(SideRequest(game=game, bot=bot) for game in games)), seed)
    for _ in range(MOST_TICKS):
        if match.finished:
            break
        match.tick()
    result = match.result()
    winner = None if result["winner"] is None else games[result["winner"]]
    return {"seed": seed, "winner": winner, "seconds": result["seconds"]}


def main() -> None:
    """Play what is missing and print the result."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("out", type=Path)
    made.add_argument("--bot", default="middle")
    made.add_argument("--between", nargs=2, default=("blocks", "pairs"), metavar=("FIRST", "SECOND"))
    made.add_argument("--games", type=int, default=1000)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--jobs", type=int, default=2)
    options = made.parse_args()
    first, second = options.between
    lines = options.out.read_text(encoding="utf-8").splitlines() if options.out.exists() else []
    done = {one["seed"]: one for one in map(json.loads, lines)}
    wanted = [seed for seed in range(options.seed, options.seed + options.games) if seed not in done]
    with multiprocessing.Pool(options.jobs) as pool, options.out.open("a", encoding="utf-8") as file:
        for one in pool.imap_unordered(play, [(options.bot, (first, second), seed) for seed in wanted]):
            done[one["seed"]] = one
            print(json.dumps(one), file=file, flush=True)
    played = list(done.values())
    points = sum(1.0 if one["winner"] == first else 0.5 if one["winner"] is None else 0.0 for one in played)
    low, high = share(points / len(played), len(played))
    seconds = sorted(one["seconds"] for one in played)
    print(
        f"{options.bot}: {first} beat {second} in {100 * points / len(played):.1f} % "
        f"({100 * low:.1f} to {100 * high:.1f}) of {len(played):,} matches; "
        f"{statistics.median(seconds):.0f} s in the median, at most {seconds[-1]:.0f} s"
    )


if __name__ == "__main__":
    main()
