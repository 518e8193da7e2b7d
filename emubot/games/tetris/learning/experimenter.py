"""Measures a falling-block cartridge by watching and by experiments, and joins both reports; knows no emulator."""

from __future__ import annotations

from collections.abc import Callable, Generator

from emubot.games.tetris.learning.experiments import TetrisExperiments
from emubot.games.tetris.learning.points import PointsSeen
from emubot.learn import ProbeReport
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot


class TetrisExperimenter:
    """Measures one player's game."""

    def __init__(self, ram_map: RamMap, player: int, decoder: Callable[[RamMap], Callable[[bytes], Snapshot]]) -> None:
        """`decoder` makes the family's decoder for a map and this player."""
        self._player, self._decoder = player, decoder
        self._points = PointsSeen(ram_map, player)
        self._shown = ProbeReport()

    def frame(self, ram: bytes) -> None:
        """Take a frame that someone else plays."""
        self._points.frame(ram)

    def script(self, ram_map: RamMap) -> Generator[Pad, bytes, None]:
        """Run all experiments. Raises MapError for a map that the family cannot read."""
        yield from TetrisExperiments(ram_map, self._decoder(ram_map), self._shown, self._player).run()

    def duel(self, ram_map: RamMap) -> None:
        """Returns None: nothing is measured in games for two."""

    def report(self) -> ProbeReport:
        """Returns what was measured so far."""
        made = ProbeReport()
        self._points.report(made)
        return made.joined(self._shown)
