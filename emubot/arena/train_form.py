"""What `emubot train` can do, as choices for a page, and the command line of what was chosen; starts nothing."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Final

from emubot import games
from emubot.arena.form import Option, Value, checked, same
from emubot.training import METHODS
from emubot.weights import known_weights

_DEFAULTS: Final[Mapping[str, Value]] = {"game": "tetris", "method": "pso"}
_METHODS: Final[Mapping[str, str]] = {
    "battle": "battles between weights",
    "ga": "genetic algorithm",
    "ga-rank": "genetic algorithm by ranking",
    "pso": "particle swarm",
    "ce": "cross-entropy",
    "cmaes": "covariance matrix adaptation",
    "dqn": "deep Q-learning",
    "td": "temporal differences",
}
_RULES: Final = ("textbook", "nes", "nes-pal", "versus", "famicom-1991", "tsu")


def options() -> tuple[Option, ...]:
    """Returns what can be chosen for a training."""
    return (
        Option("game", "Game", "what", "choice", choices=same(*games.names())),
        Option(
            "method",
            "Method",
            "what",
            "choice",
            "--method",
            choices=[(name, f"{name}: {_METHODS[name]}") for name in METHODS],
        ),
        Option("generations", "Generations", "how", "number", "--generations", high=1_000_000),
        Option("games", "Games of each candidate", "how", "number", "--games", low=1, high=1_000_000),
        Option("minutes", "End after … minutes", "how", "number", "--minutes", low=1, high=100_000),
        Option("jobs", "Processes", "how", "number", "--jobs", low=1, high=max(1, os.cpu_count() or 1)),
        Option("seed", "Seed", "how", "number", "--seed", high=2**31 - 1),
        Option("rules", "Rules", "rules", "choice", "--rules", choices=same(*_RULES)),
        Option("start", "Weights to start from", "rules", "choice", "--start", choices=same(*known_weights())),
    )


def words_of(chosen: Mapping[str, Value]) -> list[str]:
    """Returns the words of `emubot train`, but for --out. Raises UsageError for what is not offered."""
    all_of_it = {**_DEFAULTS, **chosen}
    found = checked(options(), all_of_it)
    return ["train", str(all_of_it["game"]), *(word for option, value in found for word in option.words(value))]


def name_of(chosen: Mapping[str, Value]) -> str:
    """Returns what a run of these options is called, without a time."""
    all_of_it = {**_DEFAULTS, **chosen}
    return f"{all_of_it['game']}-{all_of_it['method']}"


def command_line(chosen: Mapping[str, Value]) -> str:
    """Returns the line that does the same in a terminal."""
    return shlex.join(["emubot", *words_of(chosen), "--out", f"runs/{name_of(chosen)}"])
