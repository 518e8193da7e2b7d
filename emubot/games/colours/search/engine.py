"""Chooses the search: from weights, rules, an aim and a budget; knows no RAM and no bridge.

Weights of the field's features (features.py) play two plies deep, weights of what a chain is built on (building.py) by
the beam. A file may have sets of either for rules, colours and aims; where none fits, its own values play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError, WeightsError
from emubot.games.colours.bounds import AIMS, BATTLE, CHAIN, MOST_NODES, NODES, SCORE, SURVIVE
from emubot.games.colours.evaluation.building import BUILDING, Weighing
from emubot.games.colours.evaluation.puyo_names import BUILDING_NAMES, FEATURE_NAMES, FEATURE_VERSION, GAME, NAMES
from emubot.games.colours.rules import VERSUS, Rules
from emubot.games.colours.search.beam import Aim
from emubot.games.colours.search.beam_search import BeamSearch, TimedBeam
from emubot.games.colours.search.choice import Ranked
from emubot.games.colours.search.search import Position, Search, TwoPlies
from emubot.games.pace import Pace
from emubot.text import did_you_mean
from emubot.weight_parts import ValueSet
from emubot.weights import Weights

_GROUP: Final = 4  # the beam knows triggers of groups of four only

# Settings of a set.
PAIR_PRICE: Final = "pair_price"  # points that a pair costs until a chain is fired
MOST_POINTS: Final = "most_points"  # points beyond which a chain is worth no more
DOUBT: Final = "doubt"  # see beam.Aim
EAGERNESS: Final = "eagerness"  # times that a chain counts if it is fired at once
CAREFUL_FROM: Final = "careful_from"  # puyos from which on the file's own values decide, two pairs deep; 0: never
_SETTINGS: Final = (PAIR_PRICE, MOST_POINTS, DOUBT, EAGERNESS, CAREFUL_FROM)
# Their values where a set does not state them, and while weights are trained; docs/measurements/puyo.md says how they
# were found.
_DEFAULTS: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType(
    {
        SCORE: {PAIR_PRICE: 200.0, MOST_POINTS: 20_000.0, DOUBT: 0.03, EAGERNESS: 2.0, CAREFUL_FROM: 44.0},
        CHAIN: {PAIR_PRICE: 0.0, MOST_POINTS: 1e6, DOUBT: 0.02, EAGERNESS: 1.0},
        SURVIVE: {PAIR_PRICE: 200.0, MOST_POINTS: 1_000.0, DOUBT: 0.0, EAGERNESS: 2.0},
        BATTLE: {PAIR_PRICE: 130.0, MOST_POINTS: 2_100.0, DOUBT: 0.0, EAGERNESS: 1.15},
    }
)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to search: about so many fields in a decision (0: two plies deep), or what a time is enough for."""

    nodes: int = NODES
    milliseconds: float | None = None

    @property
    def two_plies(self) -> bool:
        """Whether the search is two plies deep, whatever the weights have besides."""
        return self.nodes == 0 and self.milliseconds is None


class CarefulSearch(Search):
    """Decides by `bold`, and from so many `puyos` in the field on by `careful`, so that a full field is left to it."""

    def __init__(self, bold: Search, careful: Search, puyos: int) -> None:
        self._bold, self._careful, self._puyos = bold, careful, puyos

    def chosen(self, position: Position) -> Search:
        """Returns the search that decides in this position."""
        return self._careful if np.count_nonzero(position.cells) >= self._puyos else self._bold

    def rank(self, position: Position, candidates: NDArray[Any]) -> Ranked:
        """Returns what the search that decides returns."""
        return self.chosen(position).rank(position, candidates)


def search_for(weights: Weights, rules: Rules, aim: str, budget: Budget | None = None, seed: int = 0) -> Search:
    """Returns the search for these weights; `seed` is that of its samples.

    Raises WeightsError if the weights are of another game or of other features, UsageError for an unknown aim, or if
    they cannot play by these rules or two plies deep.
    """
    budget = budget or Budget()
    check_aim(aim)
    check_features(weights)
    given = weights
    chosen = None if budget.two_plies or rules.group_size != _GROUP else _set_for(weights, rules, aim)
    if chosen is not None:
        weights = _alone(chosen)
    if not builds(weights):
        return TwoPlies(rules, weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION))
    if budget.two_plies:
        raise UsageError("These weights value chains that are built, which two plies do not: give more --nodes.")
    if rules.group_size != _GROUP:
        raise UsageError(f"These weights play groups of {_GROUP}, not of {rules.group_size}: choose other weights.")
    settings = dict(_DEFAULTS[aim]) | (dict(chosen.settings) if chosen is not None else {})
    goal = Aim(float(settings[MOST_POINTS]), float(settings[PAIR_PRICE]), int(aim != CHAIN), float(settings[DOUBT]))
    vector = building_vector(weights)
    made: Search
    if budget.milliseconds is not None:
        pace = Pace(budget.milliseconds, MOST_NODES)
        made = TimedBeam(rules, vector, goal, pace, seed, settings[EAGERNESS], aim == BATTLE)
    else:
        made = BeamSearch(rules, vector, goal, budget.nodes, seed, settings[EAGERNESS], aim == BATTLE)
    puyos = int(settings.get(CAREFUL_FROM, 0))
    if not puyos or builds(given):
        return made
    return CarefulSearch(made, TwoPlies(rules, given.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)), puyos)


def values_for(weights: Weights, rules: Rules, aim: str) -> Weights:
    """Returns the weights' own values, or those of their set for the rules and the aim. Raises WeightsError."""
    check_features(weights)
    chosen = _set_for(weights, rules, aim)
    return weights if chosen is None else _alone(chosen)


def aim_in(counters: Mapping[str, int]) -> str:
    """Returns what a game is played for if nobody says: to win, if a snapshot's counters tell of an opponent."""
    return BATTLE if "opponent_score" in counters and counters.get("mode", VERSUS) == VERSUS else SCORE


def warm_beam(rules: Rules) -> Search:
    """Returns the smallest beam: a decision by it compiles or loads the kernels."""
    return BeamSearch(rules, np.zeros(BUILDING), Aim(1e6, 0.0, 1, 0.0), 1)


def check_aim(aim: str) -> None:
    """Raise UsageError for an aim that pairs do not have."""
    if aim not in AIMS:
        near = did_you_mean(aim, AIMS)
        raise UsageError(f"Pairs are not played for {aim!r}{near}: --aim is one of {', '.join(AIMS)}.")


def check_features(weights: Weights) -> None:
    """Raise WeightsError if weights or their sets are of another game, name unknown features, or mix both kinds."""
    weights.vector(GAME, NAMES, FEATURE_VERSION)
    for features in (weights.features, *(one.features for one in weights.sets)):
        unknown = [name for name in features.names if name not in NAMES]
        if unknown:
            raise WeightsError(f"The weights name features that {GAME} does not have: {', '.join(unknown)}.")
        if len({name in BUILDING_NAMES for name in features.names}) > 1:
            raise WeightsError(
                "The weights mix features of the field with those of chains that are built, which different searches "
                "take: keep one kind."
            )
    for one in weights.sets:
        wrong = [name for name in one.settings if name not in _SETTINGS]
        if wrong or one.aim not in AIMS:
            raise WeightsError(
                f"The weights have a set for {one.aim!r} with {', '.join(wrong) or 'its settings'}: aims are "
                f"{', '.join(AIMS)}, settings {', '.join(_SETTINGS)}."
            )


def builds(weights: Weights) -> bool:
    """Returns whether the weights' own values are those of chains that are built."""
    return any(name in BUILDING_NAMES for name in weights.features.names)


def building_vector(weights: Weights) -> Weighing:
    """Returns the values in the order of BUILDING_NAMES, float64."""
    given = dict(zip(weights.features.names, weights.values, strict=True))
    return np.array([given.get(name, 0.0) for name in BUILDING_NAMES])


def _set_for(weights: Weights, rules: Rules, aim: str) -> ValueSet | None:
    """Returns the set for the rules and the aim that is nearest in colours; None if there is none."""
    fitting = [one for one in weights.sets if one.rules == rules.name and one.aim == aim]
    return min(fitting, key=lambda one: min(abs(count - rules.colors) for count in one.colors), default=None)


def _alone(chosen: ValueSet) -> Weights:
    return Weights(game=GAME, features=chosen.features, values=chosen.values)
