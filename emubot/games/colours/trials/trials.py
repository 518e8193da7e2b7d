"""Measured games and battles of pairs: options in, a row of figures per game out; knows no executor.

The pairs of a seed are uint8 `integers(1, colors + 1)` of numpy's default generator with that seed, pivot first. The
columns in which single nuisance falls are the ranks of `random()` of the generator spawned from it. So a game with more
pairs begins like the same game with fewer pairs. Games of a file of sequences have their numbers as seeds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.evaluation.features import FEATURE_NAMES, FEATURE_VERSION, FEATURES
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLORS, COLUMNS, FAMICOM_1991, MOST_PREVIEWS, TSU, Rules, rules_of
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.beam_search import MOST_NODES, NODES
from emubot.games.colours.search.engine import BATTLE, CHAIN, GAME, SCORE, SURVIVE, Budget, search_for, warm_beam
from emubot.games.colours.search.nodes import MOST_WIDTH
from emubot.games.colours.search.search import Search, TwoPlies
from emubot.games.colours.search.two_plies import MOST_PLACEMENTS
from emubot.games.colours.trials import battle, foreseen, searched
from emubot.games.colours.trials import untimed as solo
from emubot.games.colours.trials.explore import explored
from emubot.games.colours.trials.pace import PACED, Pace, pace_of
from emubot.games.colours.trials.sequences import read_sequences
from emubot.games.options import Options
from emubot.games.trial import Settings, Trial
from emubot.weights import Weights

PAIRS: Final = 1_000  # of a game at most
CHAIN_PAIRS: Final = 50  # of a game for one chain: the others' benchmarks (facts: Famicom Puyo 8)
STOP_POINTS: Final = 80_000  # a chain with which such a game ends
BATTLE_PAIRS: Final = 500  # of a battle at most: if no player has lost by then, it is a draw
MOST_PAIRS: Final = 10_000_000
MOST_POINTS: Final = 10_000_000
_PLIES: Final = 2  # the depth that --plies can ask for: the same as --nodes 0
_SEARCHED: Final = ("plies", "nodes", "budget_ms", "previews")


def trial(sides: int, profile: str | None, options: Settings) -> Trial:
    """Returns the trial for games of one player or battles of two, under a profile of rules.

    The options are `colors`, `pairs`, `gravity` in frames per row (0: no time limit), with gravity also `taps` and
    `reaction`; `nodes` (0: two plies deep), `budget_ms` or `plies` (2) of a decision; `previews` that the search sees;
    and for one player `aim`, `horizon` (whether the search knows when the game ends), `stop_points` of a chain that
    ends it, and `sequences`, a file of games; or `foreseen`, the width of one beam over all pairs (foreseen.py), with
    `pair_price`. Raises UsageError for an invalid number of players, profile, option or
    value.
    """
    rules = rules_of(profile or FAMICOM_1991.name)
    known = ["colors", "pairs", *PACED, *_SEARCHED]
    if sides == 1:
        known += ["aim", "horizon", "stop_points", "sequences", *foreseen.OPTIONS]
    chosen = Options(options, f"the rules {rules.name}", known)
    listed = None
    if chosen.text("sequences", ""):
        if "colors" in options:
            raise UsageError("--sequences has its own colors: leave out --colors.")
        listed = read_sequences(chosen.text("sequences", ""))
    colors = rules.colors if listed is None else int(max(game.max() for game in listed))
    changes = {
        "colors": chosen.whole("colors", colors, 1, COLORS),
        "previews": chosen.whole("previews", rules.previews, 0, MOST_PREVIEWS),
    }
    rules = rules_of(rules.name, changes)
    pace, budget = pace_of(chosen, options), _budget(chosen, options)
    if sides == 2:
        return BattleTrial(rules, chosen.whole("pairs", BATTLE_PAIRS, 1, MOST_PAIRS), pace, budget)
    if sides != 1:
        raise UsageError(f"Pairs are played by one or two, not by {sides}.")
    aim = chosen.choice("aim", CHAIN if rules.name == TSU.name else SCORE, (SCORE, CHAIN, SURVIVE))
    if chosen.whole("foreseen", 0, 0, MOST_WIDTH):
        return foreseen.trial_of(chosen, options, rules, aim)
    if "pair_price" in options:
        raise UsageError("--pair-price is what training by --foreseen takes: add that, or leave it out.")
    goal = Goal(
        aim,
        chosen.choice("horizon", "known", ("known", "unknown")),
        chosen.whole("stop_points", STOP_POINTS if aim == CHAIN else 0, 0, MOST_POINTS),
    )
    pairs = chosen.whole("pairs", CHAIN_PAIRS if aim == CHAIN else PAIRS, 1, MOST_PAIRS)
    return PuyoTrial(rules, pairs, pace, budget, goal, listed, chosen.text("sequences", ""))


@dataclass(frozen=True, slots=True)
class Goal:
    """What a game of one player is played for, whether its end is "known" or "unknown", and the chain that ends it."""

    aim: str = SCORE
    horizon: str = "known"
    stop_points: int = 0


def _budget(chosen: Options, options: Settings) -> Budget:
    if sum(name in options for name in ("nodes", "budget_ms", "plies")) > 1:
        raise UsageError("Give one of --nodes, --budget-ms and --plies.")
    if "plies" in options:
        chosen.whole("plies", _PLIES, _PLIES, _PLIES)
        return Budget(0)
    return Budget(chosen.whole("nodes", NODES, 0, MOST_NODES), chosen.positive("budget_ms"))


class _Pairs(ABC):
    """The common part of games of one player and battles of two."""

    sides: int
    figures: tuple[str, ...]
    aim: str

    def __init__(self, rules: Rules, pairs: int, pace: Pace | None = None, budget: Budget | None = None) -> None:
        self._rules, self._pairs, self._pace, self._budget = rules, pairs, pace, budget or Budget()
        self._limits = pace.limits(rules) if pace else limits_of(rules)
        self._table = table_of(rules)
        self._candidates = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
        self._values = np.zeros(MOST_PLACEMENTS)

    @property
    def settings(self) -> Settings:
        """The profile, the colours in play, the maximum number of pairs, the budget, and the pace (gravity 0: none)."""
        rules, budget = self._rules, self._budget
        told: dict[str, Any] = {"rules": rules.name, "colors": rules.colors, "pairs": self._pairs}
        told["previews"] = rules.previews
        if budget.milliseconds is not None:
            told["budget_ms"] = budget.milliseconds
        else:
            told["nodes"] = budget.nodes
        if self._pace is None:
            return told | {"gravity": 0}
        return {**told, **self._pace.settings}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; returns int64 (len(seeds), len(figures)).

        Raises UsageError for a wrong number of players, WeightsError for weights of another game or other features.
        """
        if len(players) != self.sides:
            raise UsageError(f"This is played by {self.sides}, not by {len(players)}: give the weights of each.")
        searches = [search_for(player, self._rules, self.aim, self._budget) for player in players]
        found = np.zeros((len(seeds), len(self.figures)), dtype=np.int64)
        for seed, row in zip(seeds, found, strict=True):
            self._play_one(searches, seed, self._dealt(seed), row)
        return found

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        figures = np.zeros(len(self.figures), dtype=np.int64)
        pairs = self._dealt(0)[: 1 + self._rules.previews]
        self._play_one([TwoPlies(self._rules, np.zeros(FEATURES))] * self.sides, 0, pairs, figures)
        if not self._budget.two_plies:
            self._play_one([warm_beam(self._rules)] * self.sides, 0, pairs, figures)

    def _dealt(self, seed: int) -> solo.Pairs:
        """Returns the pairs to play, and those that are only seen."""
        rng = np.random.default_rng(seed)
        size = (self._pairs + self._rules.previews, 2)
        return rng.integers(1, self._rules.colors + 1, size=size, dtype=np.uint8)

    @property
    def _course(self) -> searched.Course:
        return searched.Course(self._rules, self._limits)

    @abstractmethod
    def _play_one(self, searches: Sequence[Search], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        """Fill the figures of one game."""


class PuyoTrial(_Pairs):
    """Games of one player; a game ends when it is lost, with a large chain, or after a number of pairs."""

    sides = 1
    figures = solo.FIGURES

    def __init__(
        self,
        rules: Rules,
        pairs: int,
        pace: Pace | None = None,
        budget: Budget | None = None,
        goal: Goal | None = None,
        listed: Sequence[solo.Pairs] | None = None,
        name: str = "",
    ) -> None:
        """`listed` are the games of the file `name`, each uint8 (n, 2); one that is too short begins anew."""
        super().__init__(rules, pairs, pace, budget)
        self._goal, self._listed, self._name = goal or Goal(), listed, name
        self.aim = self._goal.aim

    @property
    def settings(self) -> Settings:
        """Those of all games, and the goal."""
        goal = self._goal
        told = {**super().settings, "aim": goal.aim, "horizon": goal.horizon, "stop_points": goal.stop_points}
        return told | ({"sequences": self._name} if self._listed else {})

    @property
    def listed(self) -> int | None:
        """The number of games in the list; None if games are dealt by seeds."""
        return None if self._listed is None else len(self._listed)

    def _dealt(self, seed: int) -> solo.Pairs:
        if self._listed is None:
            return super()._dealt(seed)
        game = self._listed[seed % len(self._listed)]
        return game[np.arange(self._pairs + self._rules.previews) % len(game)]

    @property
    def _course(self) -> searched.Course:
        goal = self._goal
        return searched.Course(self._rules, self._limits, goal.horizon == "known", goal.stop_points)

    def _play_one(self, searches: Sequence[Search], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        search, course = searches[0], self._course
        if isinstance(search, TwoPlies) and not course.stop_points and self._rules.previews:
            seen = pairs[: self._pairs + 1]  # two plies deep only the next pair counts
            solo.play_game(seen, self._limits, self._table, search.scales, self._candidates, self._values, figures)
        else:
            searched.play_game(pairs, search, course, figures)

    def explore(
        self, player: Weights, seeds: Sequence[int], epsilon: float, pieces: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Implements training.dqn.Explorable; the cleared units are puyos."""
        inputs = [FEATURE_NAMES.index(name) for name in player.features.names]
        vector = player.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        return explored(self._rules, self._limits, vector, inputs, seeds, epsilon, pieces)


class BattleTrial(_Pairs):
    """Battles of two players with the same pairs; swapping the players swaps wins and losses for every seed."""

    sides = 2
    figures = battle.FIGURES
    aim = BATTLE

    def __init__(self, rules: Rules, pairs: int, pace: Pace | None = None, budget: Budget | None = None) -> None:
        super().__init__(rules, pairs, pace, budget)
        self._exchange = battle.exchange_of(rules)

    def _play_one(self, searches: Sequence[Search], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        [columns] = np.random.SeedSequence(seed).spawn(1)
        turns = len(pairs) - self._rules.previews
        order = np.random.default_rng(columns).random((turns, COLUMNS)).argsort(axis=1)
        first, second = searches
        if isinstance(first, TwoPlies) and isinstance(second, TwoPlies) and self._rules.previews:
            battle.play_battle(
                pairs[: turns + 1],
                order,
                self._limits,
                self._table,
                self._exchange,
                first.scales,
                second.scales,
                self._candidates,
                self._values,
                figures,
            )
        else:
            searched.play_battle(pairs, order, first, second, self._course, self._exchange, figures)
