"""A family to try self-play on: each lock draws what it leaves behind and its chain from its own seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from emubot.games.counts import Counts
from emubot.trials.selfplay.ledger import Ledger, Settings
from emubot.trials.selfplay.units import SelfPlay
from emubot.trials.work import WorkUnit, seed_of
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights

WEIGHTS = Weights(game="toy", features=FeatureSet(version=1, names=("luck",)), values=(1.0,))


def played(seed: int, pieces: int) -> Counts:
    rng = np.random.default_rng(seed)
    left, chain = rng.poisson(4, size=pieces), rng.geometric(0.7, size=pieces) - 1
    deaths, score = int(rng.poisson(1)), int(chain.sum()) * 40
    heights, chains = (np.bincount(drawn).astype(np.int64) for drawn in (left, chain))
    return Counts(pieces, deaths, int(heights[0]), score, 0, heights, chains)


def unit_of(seed: int, index: int, pieces: int = 100) -> WorkUnit[SelfPlay]:
    return WorkUnit(SelfPlay("toy", pieces), (WEIGHTS,), seed, index, index + 1)


def work(unit: WorkUnit[SelfPlay]) -> Counts:
    return played(seed_of(unit.seed, unit.first), unit.work.pieces)


def settings(unit: int = 100, colors: int | None = None) -> Settings:
    return Settings("0", "toy", "any", {"colors": colors}, "lucky", "0" * 64, unit)


def ledger_of(seed: int, units: range, unit: int = 100) -> Ledger:
    ledger = Ledger(settings(unit))
    for index in units:
        ledger.add(seed, index, work(unit_of(seed, index, unit)))
    return ledger


def same(one: Ledger, other: Ledger) -> bool:
    return one.to_json() == other.to_json()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")
