"""Measuring a pairs cartridge: what watching shows and what experiments show, as one report."""

from __future__ import annotations

from collections.abc import Callable, Generator

from emubot.games.puyo.learning.experiments import Experiments
from emubot.games.puyo.learning.hypotheses import Hypothesis
from emubot.games.puyo.learning.observation import PassiveMeasurer
from emubot.games.puyo.learning.versus import PLAYERS, Follower, VersusMeasurer
from emubot.learn import ProbeReport
from emubot.pad import Pad
from emubot.rammap import RamMap


class Experimenter:
    """One player's. What experiments showed stands where watching showed something else."""

    def __init__(
        self,
        ram_map: RamMap,
        hypothesis: Callable[[], Hypothesis | None],
        learner: Callable[[RamMap, int], Follower],
        player: int = 0,
    ) -> None:
        """`hypothesis` gives what a learner of the same map and player says, which is shown each frame first.

        `learner` makes another one for a map and a player.
        """
        self._learner = learner
        self._watch = PassiveMeasurer(ram_map, hypothesis, player)
        self._shown = ProbeReport()
        self._player = player

    def frame(self, ram: bytes) -> None:
        """A frame that somebody else plays."""
        self._watch.frame(ram)

    def script(self, ram_map: RamMap) -> Generator[Pad, bytes, None]:
        """Every experiment; raises MapError for a map that the family cannot read."""
        self._watch.as_dealt = False
        yield from Experiments(ram_map, self._shown, self._player).run()

    def duel(self, ram_map: RamMap) -> VersusMeasurer | None:
        """What measures a game for two, where the map has two players."""
        if ram_map.players < PLAYERS:
            return None
        return VersusMeasurer(ram_map, [self._learner(ram_map, player) for player in range(PLAYERS)])

    def report(self) -> ProbeReport:
        """What was measured by now."""
        made = ProbeReport()
        self._watch.report(made)
        return made.joined(self._shown)
