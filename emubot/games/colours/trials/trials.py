"""Measured games and battles of pairs: options in, a row of figures per game out; knows no executor.

The pairs of a seed are uint8 `integers(1, colors + 1)` of numpy's default generator with that seed, pivot first. The
columns in which single nuisance falls are the ranks of `random()` of the generator spawned from it. So a game with more
pairs begins like the same game with fewer pairs. Games of a file of sequences have their numbers as seeds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.board import nuisance
from emubot.games.colours.bounds import BATTLE, CHAIN, SCORE
from emubot.games.colours.evaluation.features import FEATURES
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.options import (
    BATTLE_PAIRS,
    CHAIN_PAIRS,
    KNOWN,
    PAIRS,
    STOP_POINTS,
    AloneValues,
    BattleValues,
)
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, FAMICOM_1991, TSU, Rules, rules_of
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.engine import Budget, search_for, warm_beam
from emubot.games.colours.search.search import Search, TwoPlies
from emubot.games.colours.search.two_plies import Play
from emubot.games.colours.trials import battle, foreseen, searched
from emubot.games.colours.trials import untimed as solo
from emubot.games.colours.trials.explore import explored
from emubot.games.colours.trials.pace import FallPace, pace_of
from emubot.games.colours.trials.sequences import read_sequences
from emubot.games.options import read, refuse_several
from emubot.games.trial import Settings, Trial
from emubot.weights import Weights


def trial(sides: int, profile: str | None, options: Settings) -> Trial:
    """Returns the trial for games of one player (AloneValues) or battles of two (BattleValues), under a profile.

    Raises UsageError for an invalid number of players, profile, option or value.
    """
    rules = rules_of(profile or FAMICOM_1991.name)
    where = f"the rules {rules.name}"
    if sides == 2:
        battle_values = read(BattleValues, options, where)
        rules = _changed(rules, battle_values, rules.colors)
        pairs = battle_values.pairs or BATTLE_PAIRS
        return BattleTrial(rules, pairs, _pace(battle_values), _budget(battle_values))
    if sides != 1:
        raise UsageError(f"Pairs are played by one or two, not by {sides}.")
    chosen = read(AloneValues, options, where)
    if chosen.sequences and chosen.colors is not None:
        raise UsageError("--sequences has its own colors: leave out --colors.")
    listed = read_sequences(chosen.sequences) if chosen.sequences else None
    rules = _changed(rules, chosen, rules.colors if listed is None else int(max(game.max() for game in listed)))
    pace, budget = _pace(chosen), _budget(chosen)
    aim = chosen.aim or (CHAIN if rules.name == TSU.name else SCORE)
    if chosen.foreseen:
        return foreseen.trial_of(chosen, rules, aim, pace)
    if "pair_price" in chosen.given:
        raise UsageError("--pair-price is what training by --foreseen takes: add that, or leave it out.")
    stop_points = STOP_POINTS if aim == CHAIN else 0
    goal = Goal(aim, chosen.horizon, stop_points if chosen.stop_points is None else chosen.stop_points)
    pairs = chosen.pairs or (CHAIN_PAIRS if aim == CHAIN else PAIRS)
    return PuyoTrial(rules, pairs, pace, budget, goal, listed, chosen.sequences)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a game of one player is played for, whether its end is "known" or "unknown", and the chain that ends it."""

    aim: str = SCORE
    horizon: str = KNOWN
    stop_points: int = 0


def _changed(rules: Rules, chosen: BattleValues, colors: int) -> Rules:
    """Returns the rules with the colours and previews that were given; `colors` are those of the games otherwise."""
    previews = rules.previews if chosen.previews is None else chosen.previews
    return rules_of(rules.name, {"colors": chosen.colors or colors, "previews": previews})


def _pace(chosen: BattleValues) -> FallPace | None:
    return pace_of(chosen.gravity, chosen.taps, chosen.reaction, chosen.given)


def _budget(chosen: BattleValues) -> Budget:
    refuse_several(chosen, ("nodes", "budget_ms", "plies"))
    return Budget(0) if chosen.plies is not None else Budget(chosen.nodes, chosen.budget_ms)


class _Pairs(ABC):
    """The common part of games of one player and battles of two."""

    sides: int
    figures: tuple[str, ...]
    aim: str

    def __init__(self, rules: Rules, pairs: int, pace: FallPace | None = None, budget: Budget | None = None) -> None:
        self._rules, self._pairs, self._pace, self._budget = rules, pairs, pace, budget or Budget()
        self._limits = pace.limits(rules) if pace else limits_of(rules)
        self._tries = solo.fresh_tries()

    def _play_of(self, search: TwoPlies) -> Play:
        return Play(self._limits, table_of(self._rules), search.scales)

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
    def _course(self) -> searched.PairsCourse:
        return searched.PairsCourse(self._rules, self._limits)

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
        pace: FallPace | None = None,
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
    def _course(self) -> searched.PairsCourse:
        goal = self._goal
        return searched.PairsCourse(self._rules, self._limits, goal.horizon == KNOWN, goal.stop_points)

    def _play_one(self, searches: Sequence[Search], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        search, course = searches[0], self._course
        if isinstance(search, TwoPlies) and not course.stop_points and self._rules.previews:
            seen = pairs[: self._pairs + 1]  # two plies deep only the next pair counts
            solo.play_game(seen, self._play_of(search), self._tries, figures)
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

    def __init__(self, rules: Rules, pairs: int, pace: FallPace | None = None, budget: Budget | None = None) -> None:
        super().__init__(rules, pairs, pace, budget)
        self._exchange = nuisance.exchange_of(rules)

    def _play_one(self, searches: Sequence[Search], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        [columns] = np.random.SeedSequence(seed).spawn(1)
        turns = len(pairs) - self._rules.previews
        order = np.random.default_rng(columns).random((turns, COLUMNS)).argsort(axis=1)
        first, second = searches
        if isinstance(first, TwoPlies) and isinstance(second, TwoPlies) and self._rules.previews:
            plays = self._play_of(first), self._play_of(second)
            battle.play_battle(pairs[: turns + 1], order, self._exchange, *plays, self._tries, figures)
        else:
            searched.play_battle(pairs, order, first, second, self._course, self._exchange, figures)
