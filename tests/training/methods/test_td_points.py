"""Learning tables of points: who teaches and at what rate, resuming, what is exported, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.trial import Settings
from emubot.packed import packed
from emubot.training.fitness import Fitness
from emubot.training.methods.td_points import Known, PointTdSettings, PointTdTrainer, Stage
from emubot.training.trainer import Report
from emubot.trials.evaluation.contest import Contest
from emubot.weight_parts import FeatureSet, PointTables, Provenance
from emubot.weights import Weights
from tests.training.toy_trials import ToyContest

ENTRIES = 4
SETTINGS = PointTdSettings(pieces=50, taught=2, coarse=1, until=(2, 4), rates=(0.5, 0.2, 0.1), tables=9, check_every=3)


def tables(taps: str, *entries: float) -> PointTables:
    return PointTables(version=1, aim="score", taps=taps, stop_lines=0, entries=packed(np.array(entries), 0.01))


FEATURES = Provenance(method="by the author")
BASE = Weights(
    game="rings",
    features=FeatureSet(version=1, names=("steps",)),
    values=(-1.0,),
    points=(tables("slow", 1.0, 2.0), tables("fast", 3.0, 4.0)),
    provenance=FEATURES,
)


@dataclass(frozen=True)
class RingTrial:
    """Every entry moves towards 1 by its rate. The last entry counts the pieces that a teacher moved."""

    ends: bool
    sides = 1
    figures = ("points",)

    @property
    def settings(self) -> Settings:
        return {"rules": "rings"}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        entries = self.points_of(players[0])
        assert entries is not None
        return np.array([[int(1000 * entries.entries.numbers[0]) + seed % 3] for seed in seeds], dtype=np.int64)

    def warm_up(self) -> None:
        """Nothing is compiled."""

    def check_points(self) -> None:
        """All of these games can have tables."""

    def begin_points(self, base: Weights, keep: bool) -> Known:
        return np.full((3, ENTRIES), 9.0 if keep else 0.0)

    def learn_points(
        self, base: Weights, known: Known, seed: int, pieces: int, rate: float, stage: Stage
    ) -> tuple[Known, NDArray[np.float64], Mapping[str, float]]:
        rng, own = np.random.default_rng(seed), known.copy()
        moved = slice(1 if stage.coarse else 0, ENTRIES - 1)
        own[0, moved] += 0 if stage.network else rate * (rng.random() - own[0, moved])
        own[0, -1] += pieces * (1 if stage.taught else 0) + (1 if stage.network else 0)
        games = rng.normal(5, 1, 10 if self.ends else 0)
        return own, games, {"lines": 7.0, "loss": float(rate)}

    def weights_of_points(self, base: Weights, known: Known) -> Weights:
        values = known[0]
        others = [each for each in base.points if each.taps != "slow"]
        return base.model_copy(update={"points": (tables("slow", *values.tolist()), *others)})

    def points_of(self, weights: Weights) -> PointTables | None:
        return next((each for each in weights.points if each.taps == "slow"), None)


@dataclass(frozen=True, slots=True)
class RingContest(Contest):
    ends: bool = True

    def trial(self) -> Any:
        return RingTrial(self.ends)


FITNESS = Fitness(RingContest("rings"), ("steps",), 1, 7, 4)


def trainer(settings: PointTdSettings = SETTINGS, fitness: Fitness = FITNESS) -> PointTdTrainer:
    return PointTdTrainer(settings, fitness, replace(fitness, games=20), BASE)


def trained(at_work: PointTdTrainer, generations: int) -> list[Report]:
    return [at_work.tell([task.work(task.argument) for task in at_work.ask()]) for _ in range(generations)]


def champion(at_work: PointTdTrainer) -> Weights:
    return at_work.champion([task.work(task.argument) for task in at_work.final()])


def entries(at_work: PointTdTrainer) -> list[float]:
    return [float(number) for number in at_work.current().points[0].entries.numbers]


def test_features_teach_first_and_rates_fall_by_the_plan() -> None:
    at_work = trainer()
    reports = trained(at_work, 6)
    assert [report.figures["loss"] for report in reports] == [0.5, 0.5, 0.2, 0.2, 0.1, 0.1]
    assert entries(at_work)[-1] == 2 * SETTINGS.pieces, "two generations were taught"
    first = trainer()
    trained(first, 1)
    assert entries(first)[0] == 0.0 != entries(first)[1], "the large tables rest at first"


def test_after_the_tables_a_network_learns_by_steps_of_its_own() -> None:
    at_work = trainer(replace(SETTINGS, tables=1, network_until=(2,), steps=(0.04, 0.01)))
    trained(at_work, 1)
    before = entries(at_work)
    reports = trained(at_work, 3)
    assert [report.figures["loss"] for report in reports] == [0.04, 0.04, 0.01]
    assert entries(at_work)[:-1] == before[:-1], "the tables rest"
    assert entries(at_work)[-1] == before[-1] + 3


def test_without_generations_of_tables_those_of_the_weights_are_kept() -> None:
    assert entries(trainer(replace(SETTINGS, tables=0)))[0] == 9.0
    assert entries(trainer())[0] == 0.0


def test_a_report_has_the_curve_of_the_games() -> None:
    (report,) = trained(trainer(), 1)
    assert report.games == 10
    assert {"best", "mean", "low95", "high95", "lines", "loss", "moves"} <= set(report.figures)
    assert report.figures["moves"] == 5


def test_resumed_it_is_the_uninterrupted_one() -> None:
    whole, first = trainer(), trainer()
    reports = trained(whole, 8)
    begun = trained(first, 4)
    first.ask()  # a generation that is under way when the run ends is nobody's
    second = trainer().resumed(json.loads(json.dumps(first.state())))
    assert begun + trained(second, 4) == reports
    assert json.dumps(second.state()) == json.dumps(whole.state())
    assert champion(second) == champion(whole)


def test_what_is_learnt_is_added_and_the_other_parts_stay() -> None:
    at_work = trainer()
    trained(at_work, 4)
    found = champion(at_work)
    own, other = found.points
    assert (found.features, found.values, found.provenance) == (BASE.features, BASE.values, FEATURES)
    assert other == BASE.points[1]
    assert own.provenance == at_work.provenance_of(found)
    assert own.provenance.method is not None
    assert own.provenance.method.startswith("td, 4 generations; rings")
    (result,) = own.provenance.results
    assert result.low95 <= result.mean <= result.high95


@pytest.mark.parametrize(
    "wrong",
    [
        {"pieces": 0},
        {"taught": -1},
        {"rates": (0.3,)},
        {"until": (4, 4)},
        {"until": (0, 4)},
        {"rates": (0.5, 0.2, -1.0)},
        {"rates": (0.5, 0.2, float("nan"))},
        {"steps": (0.03,)},
        {"network_until": (4, 4)},
        {"tables": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        replace(SETTINGS, **wrong)


def test_what_cannot_be_learnt_is_refused() -> None:
    with pytest.raises(UsageError, match="no tables of points that td could learn"):
        trainer(fitness=replace(FITNESS, contest=ToyContest("toy")))
    with pytest.raises(UsageError, match="No game ended within 50 pieces"):
        trained(trainer(fitness=replace(FITNESS, contest=RingContest("rings", ends=False))), 1)
    endless = trainer(replace(SETTINGS, pieces=2_000_000))
    with pytest.raises(UsageError, match="grow without end"):
        trained(endless, 1)
