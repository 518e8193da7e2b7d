"""How a bot plays: its weights, its hands, its strength; makes what decides for an edition; presses nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from emubot.bridges.protocol import BridgeFacts
from emubot.errors import UsageError
from emubot.games.edition import Edition, Foresight
from emubot.games.strength import Strength
from emubot.games.thinking import Thinker
from emubot.human_error import Hands, HumanError
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed
from emubot.weights import Weights, load_weights

if TYPE_CHECKING:
    from emubot.games.variety import Variety
    from emubot.pilot.planner import Planner
    from emubot.pilot.tally import Tally


@dataclass(frozen=True, slots=True)
class Skill:
    """Set once. Without `weights` a game's own play.

    `ahead` prepares decisions while frames pass. `variety` chooses among placements of almost the same value, for a
    match of equal bots. `aware` reads the generator and chooses the pieces to come. `human` is the error of a person
    whose hands play, drawn by `seed`.
    """

    weights: Weights | None = None
    tempo: Tempo = tempo_for_speed(FULL_SPEED)  # noqa: RUF009 - it cannot change
    strength: Strength = Strength()  # noqa: RUF009 - it cannot change
    ahead: bool = False
    variety: Variety | None = None
    aware: bool = False
    human: HumanError | None = None
    seed: int = 0

    def at(self, tempo: Tempo) -> Skill:
        """Returns the same with other hands."""
        return replace(self, tempo=tempo)

    def hands(self) -> Hands | None:
        """Returns the hands of a person; None for those that press as planned."""
        return None if self.human is None else Hands(self.human, np.random.default_rng(self.seed))

    def mind(self, edition: Edition) -> Mind:
        """Returns what decides. Raises WeightsError for weights of another game.

        Raises UsageError for what the edition's search cannot do, or if it has no generator to read.
        """
        weights = self.weights or load_weights(edition.game.facts.default_weights)
        thinker = edition.thinker(weights, self.tempo, self.strength)
        if not self.aware:
            return Mind(thinker)
        if edition.foresight is None:
            raise UsageError(f"The family {edition.game.name} has no search that reads the generator: leave out --rng.")
        return Mind(thinker, edition.foresight(weights, self.tempo, self.strength))


@dataclass(frozen=True, slots=True)
class Mind:
    """What decides for one player of an edition; with foresight that decides, and the thinker finds other ways."""

    thinker: Thinker
    foresight: Foresight | None = None

    def planner(self, facts: BridgeFacts, tally: Tally, variety: Variety | None, player: int) -> Planner:
        """Returns a new planner for a player."""
        from emubot.pilot.planner import Planner

        del player
        return Planner(facts, tally, variety)

    def another(self, edition: Edition, skill: Skill) -> Mind:
        """Returns what decides for another edition at the same skill."""
        return skill.mind(edition)

    def close(self) -> None:
        """Do nothing: it holds nothing."""


def refuse_foresight(facts: BridgeFacts) -> None:
    """Raise UsageError if a bridge is not exact to the frame, as --rng aware needs it."""
    if facts.latency or not facts.lock_step or facts.one_change:
        raise UsageError(
            f"--rng aware times every frame, and {facts.emulator} does not take each pad in the frame it is meant for: "
            "play by --bridge libretro, or leave the option out."
        )
