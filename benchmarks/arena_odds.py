"""The chance of winning that the arena shows: learnt from matches of equal bots, and compared with what came true.

    python benchmarks/arena_odds.py play OUT.jsonl [--games N] [--seed N] [--jobs N]
    python benchmarks/arena_odds.py learn MATCHES.jsonl [--out emubot/arena/odds.json]
    python benchmarks/arena_odds.py table MATCHES.jsonl

play: each match is a line of OUT, with the features of both sides (emubot/arena/odds.py) once a second; the same
command continues an unfinished file. Half of the matches are of one game, half of any two; the bots are gentle, easy,
middle or full. learn: a logistic regression of the winner, each match weighing the same. table: in tenths, what
the shipped weights predicted, and the share of the matches that was won, with its 95 % interval by resampling whole
matches. Learn from some seeds, and make the table from others.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.arena.catalogue import offered
from emubot.arena.match import ArenaMatch
from emubot.arena.odds import FEATURES, OTHER, Odds, weights_of
from emubot.arena.request import MatchRequest, SideRequest

EVERY = 60  # frames between two samples
BOTS = ("gentle", "easy", "middle", "full")  # the fifth, strong, searches as the full one does
MOST_TICKS = 60 * 60 * 20  # twenty minutes: nothing lasts as long
RIDGE = 0.03  # keeps weights small that the matches say little about
TENTHS = 10
RESAMPLED = 1_000


class Match(NamedTuple):
    """A match: who won (1: the first side, 0: the second), and samples, float64 (samples, 2, features)."""

    games: tuple[str, str]
    won: float
    samples: NDArray[np.float64]


def play(seed: int) -> dict[str, Any]:
    """Play one match."""
    draw = random.Random(seed)
    rate = offered()["blocks"].game.frame_rate
    names = [name for name, one in offered().items() if one.game.frame_rate == rate]
    bot = draw.choice(BOTS)
    games = (draw.choice(names), draw.choice(names)) if draw.random() < 0.5 else (draw.choice(names),) * 2
    match = ArenaMatch(MatchRequest(sides=tuple(SideRequest(game=game, bot=bot) for game in games)), seed)
    odds, samples = Odds(games, match.sides), []
    while not match.finished and match.ticks < MOST_TICKS:
        match.tick()
        if match.frames and match.frames % EVERY == 0 and not match.finished:
            samples.append([[round(float(value), 4) for value in one] for one in odds.standings()])
    match.close()
    winner = match.result()["winner"]
    won = 0.5 if winner is None else 1.0 - winner
    return {"seed": seed, "bot": bot, "games": games, "won": won, "features": FEATURES, "samples": samples}


def matches_of(path: Path) -> list[Match]:
    """Returns the matches in a file that lasted a second."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if tuple(one["features"]) != FEATURES:
            raise SystemExit(f"{path} has other features: play the matches anew.")
        if one["samples"]:
            found.append(Match(tuple(one["games"]), one["won"], np.array(one["samples"])))
    return found


def learn(matches: Sequence[Match]) -> dict[str, dict[str, float]]:
    """Returns the weights of each game, and those of one that nobody has played: learnt from all games as if one."""
    names = sorted({game for match in matches for game in match.games})
    found = dict(zip(names, _fitted(matches, names), strict=True))
    (found[OTHER],) = _fitted([match._replace(games=(OTHER, OTHER)) for match in matches], [OTHER])
    return {name: dict(zip(FEATURES, map(float, weights.round(4)), strict=True)) for name, weights in found.items()}


def _fitted(matches: Sequence[Match], names: Sequence[str]) -> NDArray[np.float64]:
    """Returns the weights, (games, features), by Newton's method."""
    size = len(FEATURES)
    rows, won, share = [], [], []
    for match in matches:
        row = np.zeros((len(match.samples), len(names), size))
        for side, sign in enumerate((1, -1)):
            row[:, names.index(match.games[side])] += sign * match.samples[:, side]
        rows.append(row.reshape(len(row), -1))
        won.append(np.full(len(row), match.won))
        share.append(np.full(len(row), 1 / len(row) / len(matches)))
    x, y, weight = np.concatenate(rows), np.concatenate(won), np.concatenate(share)
    found = np.zeros(x.shape[1])
    ridge = RIDGE / len(found)
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ found))
        slope = x.T @ (weight * (p - y)) + ridge * found
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(found))
        found -= np.linalg.solve(curve, slope)
    return found.reshape(len(names), size)


def table(matches: Sequence[Match]) -> list[str]:
    """Returns lines: for each tenth what was predicted and what was won, then the loss against knowing nothing."""
    predicted, won, share, number = [], [], [], []
    for index, match in enumerate(matches):
        values = [match.samples[:, side] @ weights_of(match.games[side]) for side in (0, 1)]
        predicted.append(1 / (1 + np.exp(values[1] - values[0])))
        won.append(np.full(len(values[0]), match.won))
        share.append(np.full(len(values[0]), 1 / len(values[0])))
        number.append(np.full(len(values[0]), index))
    p, y, weight, of = (np.concatenate(one) for one in (predicted, won, share, number))
    lines = []
    rng = np.random.default_rng(1)
    for tenth in range(TENTHS):
        inside = np.minimum((p * TENTHS).astype(int), TENTHS - 1) == tenth
        if not inside.any():
            continue
        hits = np.bincount(of[inside], (weight * y)[inside], len(matches))
        all_ = np.bincount(of[inside], weight[inside], len(matches))
        drawn = rng.integers(0, len(matches), (RESAMPLED, len(matches)))
        shares = hits[drawn].sum(axis=1) / np.maximum(all_[drawn].sum(axis=1), 1e-9)
        low, high = np.percentile(shares, [2.5, 97.5])
        mean = np.average(p[inside], weights=weight[inside])
        lines.append(
            f"{10 * tenth} to {10 * tenth + 10} %: predicted {100 * mean:.1f}, won {100 * hits.sum() / all_.sum():.1f} "
            f"({100 * low:.1f} to {100 * high:.1f}) in {int((all_ > 0).sum()):,} matches"
        )
    loss = -np.average(y * np.log(p) + (1 - y) * np.log(1 - p), weights=weight)
    right = np.average((p > 0.5) * y + (p <= 0.5) * (1 - y), weights=weight)
    lines.append(f"{len(matches):,} matches, log loss {loss:.3f} (knowing nothing: 0.693), right {100 * right:.1f} %")
    return lines


def main() -> None:
    """Play, learn or compare."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("what", choices=["play", "learn", "table"])
    made.add_argument("file", type=Path)
    made.add_argument("--games", type=int, default=2000)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--jobs", type=int, default=2)
    made.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "emubot" / "arena" / "odds.json")
    options = made.parse_args()
    if options.what == "play":
        lines = options.file.read_text(encoding="utf-8").splitlines() if options.file.exists() else []
        done = {json.loads(line)["seed"] for line in lines}
        wanted = [seed for seed in range(options.seed, options.seed + options.games) if seed not in done]
        with multiprocessing.Pool(options.jobs) as pool, options.file.open("a", encoding="utf-8") as file:
            for one in pool.imap_unordered(play, wanted):
                print(json.dumps(one), file=file, flush=True)
        return
    matches = matches_of(options.file)
    if options.what == "table":
        print("\n".join(table(matches)))
        return
    content = {
        "about": f"Learnt by benchmarks/arena_odds.py from {len(matches):,} matches of equal bots: the weights of each "
        "game's features (arena/odds.py).",
        "weights": learn(matches),
    }
    options.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
