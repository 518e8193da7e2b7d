"""The methods by their names, each with its settings; knows no file and no command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from emubot.training.battle import Battle, BattleSettings
from emubot.training.ce import Ce, CeSettings
from emubot.training.cmaes import CmaEs, CmaEsSettings
from emubot.training.ga import Ga, GaSettings
from emubot.training.ga_rank import GaRank, GaRankSettings
from emubot.training.pso import Pso, PsoSettings


class Method(NamedTuple):
    """A method that breeds vectors: the class of its settings, its own, and whether its candidates meet."""

    settings: Any
    optimiser: Any
    meets: bool
    text: str


POPULATIONS: Final[Mapping[str, Method]] = {
    "battle": Method(BattleSettings, Battle, True, "two meet, and a child of both takes the loser's place"),
    "ga": Method(GaSettings, Ga, False, "a genetic algorithm with tournaments"),
    "ga-rank": Method(GaRankSettings, GaRank, True, "a genetic algorithm whose couples play each other"),
    "pso": Method(PsoSettings, Pso, False, "a particle swarm"),
    "ce": Method(CeSettings, Ce, False, "noisy cross-entropy"),
    "cmaes": Method(CmaEsSettings, CmaEs, False, "covariance matrix adaptation, with restarts"),
}
