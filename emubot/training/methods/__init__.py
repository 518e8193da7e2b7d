"""The methods by name, each with its settings; knows no file and no command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from emubot.training.methods.battle import Battle, BattleSettings
from emubot.training.methods.ce import Ce, CeSettings
from emubot.training.methods.cmaes import CmaEs, CmaEsSettings
from emubot.training.methods.dqn import DqnSettings, DqnTrainer
from emubot.training.methods.ga import Ga, GaSettings
from emubot.training.methods.ga_rank import GaRank, GaRankSettings
from emubot.training.methods.pso import Pso, PsoSettings
from emubot.training.methods.td import TdSettings, TdTrainer


class Population(NamedTuple):
    """A method that breeds vectors: the class of its settings, its own class, and whether its candidates meet."""

    settings: Any
    optimiser: Any
    meets: bool = False


class Learner(NamedTuple):
    """A method that learns from its own games: the class of its settings and the class of its trainer."""

    settings: Any
    trainer: Any


POPULATIONS: Final[Mapping[str, Population]] = {
    "battle": Population(BattleSettings, Battle, meets=True),
    "ga": Population(GaSettings, Ga),
    "ga-rank": Population(GaRankSettings, GaRank, meets=True),
    "pso": Population(PsoSettings, Pso),
    "ce": Population(CeSettings, Ce),
    "cmaes": Population(CmaEsSettings, CmaEs),
}
LEARNERS: Final[Mapping[str, Learner]] = {
    "dqn": Learner(DqnSettings, DqnTrainer),
    "td": Learner(TdSettings, TdTrainer),
}


def settings_of(method: str) -> Any:
    """Returns the class of a method's settings."""
    return LEARNERS[method].settings if method in LEARNERS else POPULATIONS[method].settings
