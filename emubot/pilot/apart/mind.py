"""What decides for a player in another process, and at which strength until its kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from emubot.bridges.protocol import BridgeFacts
from emubot.games.edition import Edition
from emubot.games.strength import Strength
from emubot.games.variety import Variety
from emubot.pilot.apart.link import Link, ProcessLink
from emubot.pilot.apart.planner import ApartPlanner
from emubot.pilot.skill import Skill
from emubot.pilot.tally import Tally


@dataclass(frozen=True, slots=True)
class ApartMind:
    """Takes the place of a Mind. `weights` is a name or a file, None the game's own.

    Uncompiled kernels think at the strength `at_once`. A `paced` bridge plays on while they do, any other one waits.
    With `waits_for_start` the first piece waits for the process to start, because a fast game is lost by then.
    `is_compiled` tells whether the compiled ones are there, `is_near` whether they soon will be, and `taken_over` is
    called when they decide. `link` starts a process, of compiled kernels or not. Call `close` at the end.
    """

    weights: str | None
    at_once: Strength
    paced: bool
    is_compiled: Callable[[], bool]
    taken_over: Callable[[], object] = lambda: None
    link: Callable[[bool], Link] = ProcessLink
    is_near: Callable[[], bool] = lambda: False
    waits_for_start: bool = False
    _planners: list[ApartPlanner] = field(default_factory=list)

    def planner(self, facts: BridgeFacts, tally: Tally, variety: Variety | None, player: int) -> ApartPlanner:
        """Returns a new planner for a player."""
        self._planners.append(ApartPlanner(facts, tally, variety, self, player))
        return self._planners[-1]

    def another(self, edition: Edition, skill: Skill) -> ApartMind:
        """Returns what decides for another edition: the same, since a planner is told its edition."""
        del edition, skill
        return self

    def is_nearly_compiled(self) -> bool:
        """Returns whether it is time to start the process that will decide by compiled kernels."""
        return self.is_near() or self.is_compiled()

    def close(self) -> None:
        """End all processes."""
        for planner in self._planners:
            planner.close()
