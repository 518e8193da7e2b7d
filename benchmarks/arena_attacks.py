"""What equal bots send each other: units a minute, by the lines and by the points of chains that send them.

    python benchmarks/arena_attacks.py --bot gentle|easy|middle|strong|full [--games N] [--seed N] [--jobs N]
                                       [--chains 400:6,1170:24,...]

Matches as `arena_balance.py` plays them. `--chains` adds what the chains of the same matches would be worth by another
table: how much more or less the pairs would send, before a match of that table is played.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Sequence
from unittest.mock import patch

from arena_balance import play

from emubot.arena import exchange
from emubot.machine import Clear

BANDS = (400, 1_170, 1_600, 2_600, 4_000, 9_000, 20_000)


def clears_of(job: tuple[str, int]) -> tuple[float, list[tuple[Clear, float]]]:
    """Play one match; returns its seconds and its clears, each with its second."""
    made: list[tuple[Clear, float]] = []
    units_of = exchange.units_of

    def noting(clear: Clear, seconds: float, share: exchange.Fraction) -> exchange.Fraction:
        made.append((clear, seconds))
        return units_of(clear, seconds, share)

    with patch.object(exchange, "units_of", noting):
        return play(job)["seconds"], made


def units(clears: Sequence[tuple[Clear, float]], table: Sequence[tuple[int, int]] = exchange.CHAINS) -> float:
    """Returns what these clears are worth in all if chains are worth this."""
    with patch.object(exchange, "CHAINS", table):
        return float(sum(exchange.units_of(clear, seconds) for clear, seconds in clears))


def main() -> None:
    """Play, and print the shares."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--bot", default="middle")
    made.add_argument("--games", type=int, default=100)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--jobs", type=int, default=2)
    made.add_argument("--chains", default="")
    options = made.parse_args()
    with multiprocessing.Pool(options.jobs) as pool:
        played = pool.map(clears_of, [(options.bot, options.seed + game) for game in range(options.games)], chunksize=1)
    minutes = sum(seconds for seconds, _ in played) / 60
    clears = [clear for _, made in played for clear in made]
    lines = [one for one in clears if one[0].measure == "lines" and one[0].amount]
    chains = [one for one in clears if one[0].measure == "chain" and one[0].amount]
    print(f"{options.bot}: {len(played):,} matches; blocks {units(lines) / minutes:.0f} units a minute, "
          f"pairs {units(chains) / minutes:.0f}")  # fmt: skip
    for amount, count in sorted(Counter(clear.amount for clear, _ in lines).items()):
        worth = units([one for one in lines if one[0].amount == amount])
        print(
            f"  {amount} lines: {100 * count / len(lines):.1f} % of clears, {100 * worth / units(lines):.1f} % of units"
        )
    for low, high in zip((0, *BANDS), (*BANDS, float("inf")), strict=True):
        within = [one for one in chains if low < one[0].amount <= high]
        print(f"  above {low:,} points: {100 * len(within) / len(chains):.1f} % of chains, "
              f"{100 * units(within) / units(chains):.1f} % of units")  # fmt: skip
    if options.chains:
        points, worth = zip(*(map(int, entry.split(":")) for entry in options.chains.split(",")), strict=True)
        other = units(chains, tuple(zip(points, worth, strict=True)))
        print(f"  by {options.chains} the same chains send {100 * other / units(chains) - 100:+.1f} %")


if __name__ == "__main__":
    main()
