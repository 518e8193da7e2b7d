"""The family as one Game object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.counts import Counts, Watch
from emubot.games.offers import Bot, Demo, EnvironmentOffer, GameOffer, Offers
from emubot.games.options import check_rules, read
from emubot.games.protocol import GameFacts
from emubot.games.trial import Settings, Trial
from emubot.looks import Count, Kind, Looks
from emubot.machine import ROW
from emubot.rammap import RamMap
from emubot.trace import Trace
from emubot.weights import Weights
from tests.games.toy_family.edition import NumbersAlone, NumbersEdition
from tests.games.toy_family.options import OPTIONS, DealtValues, NumbersValues, RaceValues
from tests.games.toy_family.rules import COLUMNS, LEVELS, State
from tests.games.toy_family.thinker import FEATURES, features, vector

if TYPE_CHECKING:
    from emubot.games.batch import Batch

HERE = Path(__file__).parent
_LONGEST = 100  # pieces of a race


def _numbers(dealt: DealtValues, games: int) -> Batch:
    from tests.games.toy_family.environment import NumbersBatch

    return NumbersBatch(dealt, games)


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
        environments=(EnvironmentOffer("Numbers", "numbers, a drop a step", DealtValues, _numbers),),
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
        check_rules(rules or "numbers", ("numbers",), "numbers")
        return "numbers", {"digits": read(DealtValues, options, "self-play of numbers").digits}

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        """One column and number after the other, on the rules alone."""
        weigh, rng = vector(weights), np.random.default_rng(seed)
        state = State(level=int(rng.integers(LEVELS)))
        left, cleared, deaths = [], [], 0
        for placed, number in enumerate(rng.integers(read(DealtValues, options, "numbers").digits, size=pieces)):
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
        if rules == "race":
            chosen = read(RaceValues, options, "the rules race")
            return NumbersTrial({"rules": rules, "digits": chosen.digits, "triples": chosen.triples})
        check_rules(rules or "numbers", ("numbers", "race"), "numbers")
        given = read(NumbersValues, options, "the rules numbers")
        return NumbersTrial({"rules": "numbers", "digits": given.digits, "pieces": given.pieces})


class NumbersTrial:
    """So many pieces of self-play, as a game; in a race as many as it takes, and the fewer the better."""

    figures: tuple[str, ...] = ("score", "lines", "pieces")
    sides = 1

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        (weights,) = players
        vector(weights)
        games = [self._play(seed, weights) for seed in seeds]
        return np.array(games, dtype=np.int64).reshape(len(seeds), len(self.figures))

    def _play(self, seed: int, weights: Weights) -> tuple[int, int, int]:
        dealt = {"digits": self.settings["digits"]}
        for pieces in range(1, _LONGEST) if "triples" in self.settings else (self.settings["pieces"],):
            run = NumbersGame().self_play(seed, pieces, weights, None, dealt)
            if run.lines >= self.settings.get("triples", 0):
                break
        return _LONGEST - pieces if "triples" in self.settings else run.score, run.lines, pieces

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
