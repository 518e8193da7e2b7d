"""What `emubot train` can do, as choices for a page, and the command line of what was chosen; starts nothing."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Final

from emubot.arena.form import FormOption, Value, checked, of_games, same
from emubot.games.declared import all_options, merged
from emubot.training import METHODS
from emubot.weights import known_weights

_METHOD: Final = "pso"
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


def options() -> tuple[FormOption, ...]:
    """Returns what can be chosen for a training; most options of the games that are played are those of one game."""
    families = all_options()
    owners: dict[str, list[str]] = {}
    for family, own in families.items():
        for name in dict.fromkeys(name for rule_set in own.rule_sets for name in rule_set.names):
            owners.setdefault(name, []).append(family)
    read = {name: [one for rule_set in own.rule_sets for one in rule_set.options] for name, own in families.items()}
    return (
        FormOption("game", "Game", "what", "choice", choices=same(*families), default=next(iter(families))),
        FormOption(
            "method",
            "Method",
            "what",
            "choice",
            "--method",
            choices=[(name, f"{name}: {_METHODS[name]}") for name in METHODS],
            default=_METHOD,
        ),
        FormOption("generations", "Generations", "how", "number", "--generations", high=1_000_000),
        FormOption("games", "Games of each candidate", "how", "number", "--games", low=1, high=1_000_000),
        FormOption("minutes", "End after … minutes", "how", "number", "--minutes", low=1, high=100_000),
        FormOption("jobs", "Processes", "how", "number", "--jobs", low=1, high=max(1, os.cpu_count() or 1)),
        FormOption("seed", "Seed", "how", "number", "--seed", high=2**31 - 1),
        FormOption("start", "Weights to start from", "how", "choice", "--start", choices=same(*known_weights())),
        FormOption("rules", "Rules", "rules", "choice", "--rules", choices=same(*owners), owners=owners),
        *of_games(merged(read), "rules"),
    )


def words_of(chosen: Mapping[str, Value]) -> list[str]:
    """Returns the words of `emubot train`, but for --out. Raises UsageError for what is not offered.

    Options that the chosen game does not read are left out: the page does not show them.
    """
    offered = options()
    all_of_it = _with_defaults(offered, chosen)
    game = str(all_of_it["game"])
    found = [(one, value) for one, value in checked(offered, all_of_it) if not one.games or game in one.games]
    return ["train", game, *(word for option, value in found for word in option.words(value))]


def name_of(chosen: Mapping[str, Value]) -> str:
    """Returns what a run of these options is called, without a time."""
    all_of_it = _with_defaults(options(), chosen)
    return f"{all_of_it['game']}-{all_of_it['method']}"


def command_line(chosen: Mapping[str, Value]) -> str:
    """Returns the line that does the same in a terminal."""
    return shlex.join(["emubot", *words_of(chosen), "--out", f"runs/{name_of(chosen)}"])


def _with_defaults(offered: tuple[FormOption, ...], chosen: Mapping[str, Value]) -> dict[str, Value]:
    return {**{one.name: one.default for one in offered if one.default is not None}, **chosen}
