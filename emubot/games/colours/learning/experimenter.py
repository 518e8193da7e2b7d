"""Measures a pairs cartridge by watching and by experiments, and joins both reports; knows no emulator."""

from __future__ import annotations

from collections.abc import Callable, Generator

from emubot.games.colours.learning.experiments import Experiments
from emubot.games.colours.learning.hypotheses import Hypothesis
from emubot.games.colours.learning.observation import PassiveMeasurer
from emubot.games.colours.learning.versus import PLAYERS, Follower, VersusMeasurer
from emubot.learn import ProbeReport
from emubot.pad import Pad
from emubot.rammap import RamMap


class Experimenter:
    """Measures one player's game. If watching and an experiment disagree, the experiment's value is reported."""

    def __init__(
        self,
        ram_map: RamMap,
        hypothesis: Callable[[], Hypothesis | None],
        learner: Callable[[RamMap, int], Follower],
        player: int = 0,
    ) -> None:
        """`hypothesis` returns that of a learner of the same map and player; the learner must see each frame first.

        `learner` makes another learner for a map and a player.
        """
        self._learner = learner
        self._watch = PassiveMeasurer(ram_map, hypothesis, player)
        self._shown = ProbeReport()
        self._player = player

    def frame(self, ram: bytes) -> None:
        """Take a frame that someone else plays."""
        self._watch.frame(ram)

    def script(self, ram_map: RamMap) -> Generator[Pad, bytes, None]:
        """Run all experiments. Raises MapError for a map that the family cannot read."""
        self._watch.as_dealt = False
        yield from Experiments(ram_map, self._shown, self._player).run()

    def duel(self, ram_map: RamMap) -> VersusMeasurer | None:
        """Returns the object that measures a game for two; None if the map has only one player."""
        if ram_map.players < PLAYERS:
            return None
        return VersusMeasurer(ram_map, [self._learner(ram_map, player) for player in range(PLAYERS)])

    def report(self) -> ProbeReport:
        """Returns what was measured so far."""
        made = ProbeReport()
        self._watch.report(made)
        return made.joined(self._shown)
