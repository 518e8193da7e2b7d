"""What equal bots send each other: units a minute, by the amounts of the clears that send them.

    python benchmarks/arena_attacks.py --bot gentle|easy|middle|strong|full [--between FIRST SECOND] [--games N]
                                       [--seed N] [--jobs N] [--worth GAME=400:6,1170:24,...]

Matches as `arena_balance.py` plays them. `--worth` adds what the clears of a game in the same matches would be worth by
another table: how much more or less it would send, before a match of that table is played.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Sequence
from typing import NamedTuple
from unittest.mock import patch

from arena_balance import play

from emubot.arena import exchange
from emubot.arena.catalogue import game_offer
from emubot.games.offers import Worth, worth_of


class Cleared(NamedTuple):
    """A clear of a game in a match, with the factor of its second."""

    worth: Worth
    amount: int
    factor: float


def clears_of(job: tuple[str, tuple[str, str], int]) -> tuple[float, list[Cleared]]:
    """Play one match; returns its seconds and its clears."""
    made: list[Cleared] = []
    factors = [1.0]

    def growing(seconds: float) -> exchange.Fraction:
        factor = growth(seconds)
        factors[0] = float(factor)
        return factor

    def noting(worth: Worth, amount: int) -> exchange.Fraction:
        made.append(Cleared(worth, amount, factors[0]))
        return worth_of(worth, amount)

    growth = exchange.growth
    with patch.object(exchange, "growth", growing), patch.object(exchange, "worth_of", noting):
        return play(job)["seconds"], made


def units(clears: Sequence[Cleared], worth: Worth | None = None) -> float:
    """Returns what these clears are worth in all, by their own table or by another one."""
    return float(sum(float(worth_of(worth or one.worth, one.amount)) * one.factor for one in clears))


def main() -> None:
    """Play, and print the shares."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--bot", default="middle")
    made.add_argument("--between", nargs=2, default=("blocks", "pairs"), metavar=("FIRST", "SECOND"))
    made.add_argument("--games", type=int, default=100)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--jobs", type=int, default=2)
    made.add_argument("--worth", default="")
    options = made.parse_args()
    between = (options.between[0], options.between[1])
    jobs = [(options.bot, between, options.seed + game) for game in range(options.games)]
    with multiprocessing.Pool(options.jobs) as pool:
        played = pool.map(clears_of, jobs, chunksize=1)
    minutes = sum(seconds for seconds, _ in played) / 60
    print(f"{options.bot}: {len(played):,} matches of {minutes / len(played):.1f} minutes in the mean")
    for game in between:
        worth = game_offer(game).game.worth
        clears = [one for _, made in played for one in made if one.worth == worth and one.amount]
        print(f"{game}: {len(clears) / minutes:.1f} clears and {units(clears) / minutes:.0f} units a minute")
        for low, high in zip((0, *(until for until, _ in worth)), (*(until for until, _ in worth), None), strict=True):
            within = [one for one in clears if low < one.amount and (high is None or one.amount <= high)]
            print(f"  above {low:,}: {100 * len(within) / len(clears):.1f} % of clears, "
                  f"{100 * units(within) / units(clears):.1f} % of units")  # fmt: skip
        if options.worth.startswith(f"{game}="):
            table = [entry.split(":") for entry in options.worth.partition("=")[2].split(",")]
            other = units(clears, tuple((int(until), int(more)) for until, more in table))
            print(f"  by {options.worth} the same clears send {100 * other / units(clears) - 100:+.1f} %")


if __name__ == "__main__":
    main()
