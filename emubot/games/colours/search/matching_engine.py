"""Chooses the search: from weights, rules and a budget; knows no RAM and no bridge.

A weights file may have sets of values for rules; where none fits, its own values play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.errors import WeightsError
from emubot.games.colours.bounds import MATCHING_NODES, MOST_MATCHING_NODES
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.search.matching_search import Search, TimedSearch
from emubot.games.pace import Pace
from emubot.weights import Weights

SURVIVE: Final = "survive"  # the only aim of a set: to win the stage, or to live on where there is none


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to search: about so many fields in a decision (0: two pieces), or what a time is enough for."""

    nodes: int = MATCHING_NODES
    milliseconds: float | None = None


def search_for(weights: Weights, rules: Rules, budget: Budget | None = None) -> Search:
    """Returns the search for these weights. Raises WeightsError if they are of another game or of other features."""
    budget = budget or Budget()
    vector = values_for(weights, rules).vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
    if budget.milliseconds is not None:
        return TimedSearch(rules, vector, Pace(budget.milliseconds, MOST_MATCHING_NODES))
    return Search(rules, vector, budget.nodes)


def values_for(weights: Weights, rules: Rules) -> Weights:
    """Returns the weights' own values, or those of their set for the rules. Raises WeightsError."""
    check_features(weights)
    for one in weights.sets:
        if one.rules == rules.name:
            return Weights(game=GAME, features=one.features, values=one.values)
    return weights


def check_features(weights: Weights) -> None:
    """Raise WeightsError if weights or their sets are of another game, name unknown features, or are no plain sum."""
    weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
    if weights.network or weights.tables is not None or weights.points:
        raise WeightsError("The search of matching games takes one value for each feature: choose such weights.")
    for one in weights.sets:
        unknown = [name for name in one.features.names if name not in FEATURE_NAMES]
        if unknown or one.aim != SURVIVE or one.settings:
            raise WeightsError(
                f"The weights have a set for {one.aim!r} with {', '.join(unknown) or 'settings'}: the aim is "
                f"{SURVIVE}, features are {', '.join(FEATURE_NAMES)}, and there are no settings."
            )
