"""Families that each break one promise in its simulator, its figures and its names, and what check_game says of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from emubot.explanation import (
    DepthValue,
    ExplainedPlacement,
    ExplainOptions,
    Explanation,
    Part,
    Risk,
)
from emubot.games.counts import Counts, Watch
from emubot.games.explainer import Explainer
from emubot.games.trial import Comparison, Settings
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Placement, Snapshot
from emubot.tempo import Tempo
from emubot.weights import Weights
from tests.games.toy_family.edition import (
    NumbersDepiction,
    NumbersEdition,
    NumbersMachine,
    NumbersRecorder,
    NumbersSimulator,
)
from tests.games.toy_family.family import NumbersGame


class Machine(NumbersMachine):
    """Broken in how it runs."""

    def change(self) -> None:
        raise NotImplementedError

    def step(self, pads: Sequence[Pad]) -> None:
        super().step(pads)
        self.change()


class Built(NumbersEdition):
    """A family whose simulator is another one."""

    built: type[NumbersMachine]

    @property
    def simulator(self) -> NumbersSimulator:
        built = self.built

        class Simulator(NumbersSimulator):
            def machine(self, rng: np.random.Generator | None, even: bool = False) -> NumbersMachine:
                return built(self.ram_map, 1 if rng is None else int(rng.integers(1, 1 << 16)))

        return Simulator(self.ram_map)


CALLS = itertools.count()


class DriftingMachine(Machine):
    def change(self) -> None:
        self.ram[0x7FF] = next(CALLS) % 251


class Drifting(Built):
    built = DriftingMachine


class ReallocatingMachine(Machine):
    def change(self) -> None:
        self.ram = self.ram.copy()


class Reallocating(Built):
    built = ReallocatingMachine


class NamelessMachine(Machine):
    def __init__(self, ram_map: RamMap, seed: int) -> None:
        super().__init__(ram_map, seed)
        self.identity = ""

    def change(self) -> None:
        pass


class Nameless(Built):
    built = NamelessMachine


class SlowMachine(Machine):
    def __init__(self, ram_map: RamMap, seed: int) -> None:
        super().__init__(ram_map, seed)
        self.frame_rate = 60.0

    def change(self) -> None:
        pass


class Slow(Built):
    built = SlowMachine


class ForgetsToLockMachine(Machine):
    def change(self) -> None:
        self.state.timer = 5


class ForgetsToLock(Built):
    built = ForgetsToLockMachine


class Standing(NumbersEdition):
    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        return False


class Running(NumbersEdition):
    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        return True


class Unscored(NumbersEdition):
    def summary(self, snapshot: Snapshot) -> dict[str, Any]:
        return {"lines": 0, "score": 0}


class OutsideCells(NumbersEdition):
    @property
    def depiction(self) -> NumbersDepiction:
        class Depiction(NumbersDepiction):
            def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
                return [Cell(piece.column + 5, piece.row, 1)]

        return Depiction()


class Secretive(NumbersEdition):
    @property
    def depiction(self) -> NumbersDepiction:
        class Depiction(NumbersDepiction):
            def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
                return []

        return Depiction()


class Forgetful(NumbersEdition):
    @property
    def recorder(self) -> NumbersRecorder:
        class Recorder(NumbersRecorder):
            def records(self, snapshot: Snapshot) -> bool:
                return False

        return Recorder(self.ram_map)


class Unrepeatable(NumbersEdition):
    @property
    def recorder(self) -> NumbersRecorder:
        class Recorder(NumbersRecorder):
            def verify(self, trace: Any) -> tuple[int, int]:
                return 3, 17

        return Recorder(self.ram_map)


class Lucky(NumbersGame):
    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return super().self_play(next(CALLS), pieces, weights, rules, options)


class Seedless(NumbersGame):
    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return super().self_play(0, pieces, weights, rules, options)


class Deaf(NumbersGame):
    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return super().self_play(seed, pieces, weights, rules, options)


class Lazy(NumbersGame):
    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return super().self_play(seed, pieces - 1, weights, rules, options, watch)


class Explaining(NumbersEdition, Explainer):
    """Explains one placement; broken in a part of it."""

    parts: tuple[Part, ...] = (Part("one", 1.0), Part("two", 2.0))
    depths: tuple[DepthValue, ...] = (DepthValue(1, 3.0),)
    chosen = True

    @property
    def explainer(self) -> Explainer:
        return self

    def explain(self, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions) -> Explanation:
        risk = Risk(20, options.games, 0)
        place = Placement(0, 0, 0)
        one = ExplainedPlacement(place, "there", 3.0, self.chosen, None, self.depths, self.parts, risk)
        return Explanation(snapshot, "one", None, {}, "", "", "", 1, (one,))


class Forgotten(Explaining):
    parts = (Part("one", 1.0),)


class Undecided(Explaining):
    chosen = False


class Shallow(Explaining):
    depths = (DepthValue(1, 2.0),)


class Doubled(NumbersGame):
    """Compares itself twice under one name."""

    def speeds(self) -> dict[str, float]:
        return {"sums_per_second": 1.0}

    def comparisons(self) -> list[Comparison]:
        return [Comparison("plain", "numbers"), Comparison("plain", "numbers")]


class Figureless(Doubled):
    """Is compared by a figure that its games do not have."""

    def comparisons(self) -> list[Comparison]:
        return [Comparison("plain", "numbers", figure="glory")]


class BadName(NumbersGame):
    name = "Numbers!"


class Foreign(NumbersGame):
    name = "letters"


class Featureless(NumbersGame):
    facts = replace(NumbersGame.facts, feature_names=("cleared", "cleared"))


BROKEN: dict[type[NumbersGame | NumbersEdition], str] = {
    Drifting: "the simulator: machine(even=False): two of one seed with the same pads went apart",
    Reallocating: "the simulator: machine: ram must stay one array",
    Nameless: "the simulator: machine: identity must be a text",
    Slow: "the simulator: machine: frame_rate 60.0 must be FRAME_RATE_NTSC or FRAME_RATE_PAL",
    ForgetsToLock: "left its plan: it is at Piece(",
    Standing: "frames of play: advanced must be true of two successive frames of play",
    Running: "frames of play: advanced must be false of a frame in which nothing moved",
    Unscored: "frames of play: summary must be whole numbers, or None, with lines, score and level",
    OutsideCells: "frames of play: cells must lie in the playfield",
    Secretive: "frames of play: next_cells must be given where the next piece is known",
    Forgetful: "traces: records must be true of the frames of a game",
    Unrepeatable: "rows differ when a simulated game is replayed, first row 17",
    Lucky: "self-play: self_play: one seed gave two results",
    Seedless: "self-play: self_play: two seeds gave one result",
    Deaf: "self-play: self_play must call its watch from the first piece on, and end when it says so",
    Lazy: "self-play: self_play(pieces=40) must count that many pieces",
    Forgotten: "explanations: explain: the parts of there add up to 1.0, not to its value 3.0",
    Undecided: "explanations: explain: exactly one placement must be what the bot plays",
    Shallow: "explanations: explain: the last depth of there must be its value",
    Doubled: "comparisons: comparisons must have distinct names",
    Figureless: "comparisons: comparisons: the trial of 'plain' has no figure 'glory'",
    BadName: "names: name 'Numbers!' must be a word of small letters",
    Foreign: "is for the family 'numbers', not 'letters'",
    Featureless: "names: feature_names must be some names, each once",
}
