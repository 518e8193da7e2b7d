"""The family as one Game object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.counts import Counts, Watch
from emubot.games.kinds import Whole
from emubot.games.offers import Bot, Demo, GameOffer, Offers
from emubot.games.options import GameOptions, RuleSet, Values, option, read
from emubot.games.protocol import GameFacts
from emubot.games.trial import Settings, Trial
from emubot.looks import Count, Kind, Looks
from emubot.machine import ROW
from emubot.rammap import RamMap
from emubot.trace import Trace
from emubot.weights import Weights
from tests.games.toy_family.edition import NumbersAlone, NumbersEdition
from tests.games.toy_family.rules import COLUMNS, LEVELS, NUMBERS, State
from tests.games.toy_family.thinker import FEATURES, features, vector

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class NumbersValues(Values):
    pieces: int = option(Whole(low=1, high=1000), 20, "end a game after N pieces")


OPTIONS = GameOptions(
    rule_sets=(RuleSet(("numbers",), "so many pieces", NumbersValues),), self_play=(RuleSet(("numbers",), "as ever"),)
)


class NumbersGame:
    name = "numbers"
    facts = GameFacts(
        title="numbers, a toy",
        default_map=str(HERE / "numbers.yaml"),
        default_weights=str(HERE / "numbers.json"),
        feature_names=FEATURES,
        feature_version=1,
        ladder=(str(HERE / "numbers.json"),),
    )
    looks = Looks(
        (
            Kind(),
            Kind("one", "#b03060", "bright_red", "1", "dot"),
            Kind("two", "#3060b0", "bright_blue", "2", "bar"),
            Kind("three", "#30b060", "bright_green", "3", "ring"),
        ),
        piece="number",
        count=Count("lines", "triple"),
    )
    offers = Offers(
        games=(GameOffer("numbers", "Numbers", facts.default_map, ((1, ROW),)),),
        bots={"gentle": Bot(facts.default_weights)},
        demos=(Demo("numbers", "numbers"),),
    )
    modes: Mapping[str, int] = {}
    options = OPTIONS
    self_play_measure = "numbers"

    def __init__(self, edition: type[NumbersAlone] = NumbersEdition) -> None:
        self._edition = edition

    def open(self, ram_map: RamMap) -> NumbersAlone:
        return self._edition(self, ram_map)

    def replays(self, trace: Trace) -> bool:
        return trace.about.get("game") == self.name

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        return rules or "numbers", {}

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        """One column and number after the other, on the rules alone."""
        weigh, rng = vector(weights), np.random.default_rng(seed)
        state = State(level=int(rng.integers(LEVELS)))
        left, cleared, deaths = [], [], 0
        for placed, number in enumerate(rng.integers(NUMBERS, size=pieces)):
            if watch is not None and not watch(placed):
                break
            tops = [int((state.cells[:, column] == 0).sum()) - 1 for column in range(COLUMNS)]
            tried = [
                (_value(state, int(number), column, top, weigh), column) for column, top in enumerate(tops) if top >= 0
            ]
            column = max(tried)[1]
            lines = state.lines
            _lock(state, int(number), column, tops[column])
            left.append(int((state.cells != 0).sum()))
            cleared.append(state.lines - lines)
            if not state.free(2, 0):
                state.cells[:] = 0
                deaths += 1
        heights, chains = (np.bincount(values).astype(np.int64) for values in (left, cleared))
        return Counts(len(left), deaths, left.count(0), state.score, state.lines, heights, chains)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        if sides != 1:
            raise UsageError("Nobody meets in numbers.")
        return NumbersTrial(read(NumbersValues, options, "numbers").pieces)


class NumbersTrial:
    """So many pieces of self-play, as a game."""

    figures: tuple[str, ...] = ("score", "lines")
    sides = 1

    def __init__(self, pieces: int) -> None:
        self.settings: Settings = {"rules": "numbers", "pieces": pieces}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        (weights,) = players
        vector(weights)
        runs = [NumbersGame().self_play(seed, self.settings["pieces"], weights, None, {}) for seed in seeds]
        return np.array([(run.score, run.lines) for run in runs], dtype=np.int64).reshape(len(seeds), 2)

    def warm_up(self) -> None:
        """There is nothing to compile."""


def _lock(state: State, number: int, column: int, row: int) -> Any:
    state.x, state.y, state.number = column, row, number
    state.cells[row, column] = number + 1
    return features(state)


def _value(state: State, number: int, column: int, row: int, weigh: Any) -> float:
    tried = State(level=state.level, cells=state.cells.copy())
    return float(_lock(tried, number, column, row) @ weigh)


GAME = NumbersGame()
