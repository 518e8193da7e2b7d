"""The methods by name, each with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from emubot.errors import UsageError
from emubot.training.methods.battle import Battle, BattleSettings
from emubot.training.methods.ce import Ce, CeSettings
from emubot.training.methods.cmaes import CmaEs, CmaEsSettings
from emubot.training.methods.dqn import DqnSettings, DqnTrainer
from emubot.training.methods.ga import Ga, GaSettings
from emubot.training.methods.ga_rank import GaRank, GaRankSettings
from emubot.training.methods.pso import Pso, PsoSettings
from emubot.training.methods.td import TdSettings, TdTrainer
from emubot.training.methods.td_points import Pointed, PointTdSettings, PointTdTrainer
from emubot.trials.evaluation.contest import Contest

TD: Final = "td"
TD_POINTS: Final = "td-points"  # what `td` is for games that have tables of points


class Population(NamedTuple):
    """A method that breeds vectors: the class of its settings, its own class, and whether its candidates meet."""

    settings: Any
    optimiser: Any
    meets: bool = False


class LearningMethod(NamedTuple):
    """A method that learns from its own games: the class of its settings and the class of its trainer.

    If it `extends` weights, its trainer takes these too, and their features are the run's.
    """

    settings: Any
    trainer: Any
    extends: bool = False


POPULATIONS: Final[Mapping[str, Population]] = {
    "battle": Population(BattleSettings, Battle, meets=True),
    "ga": Population(GaSettings, Ga),
    "ga-rank": Population(GaRankSettings, GaRank, meets=True),
    "pso": Population(PsoSettings, Pso),
    "ce": Population(CeSettings, Ce),
    "cmaes": Population(CmaEsSettings, CmaEs),
}
LEARNERS: Final[Mapping[str, LearningMethod]] = {
    "dqn": LearningMethod(DqnSettings, DqnTrainer),
    TD: LearningMethod(TdSettings, TdTrainer),
    TD_POINTS: LearningMethod(PointTdSettings, PointTdTrainer, extends=True),
}


def settings_of(method: str) -> Any:
    """Returns the class of a method's settings."""
    return LEARNERS[method].settings if method in LEARNERS else POPULATIONS[method].settings


def method_for(method: str, contest: Contest) -> str:
    """Returns the method as it is for these games. Raises UsageError if it cannot learn from them."""
    if method != TD:
        return method
    trial = contest.trial()
    if trial.settings.get("rng") == "aware":
        raise UsageError("td learns from games that do not read the random generator: leave out --rng aware.")
    if not isinstance(trial, Pointed):
        return method
    trial.check_points()
    return TD_POINTS
