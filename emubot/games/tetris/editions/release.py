"""A release of NES Tetris, whose timing the map names: decides by that timing, to the frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from emubot.games.edition import Broadcast, Job, Jobs
from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.decode.map_checks import check_map, profile_of
from emubot.games.tetris.editions.shared import StandardDepiction, TetrisBroadcast, TetrisEdition
from emubot.games.tetris.release_engine import ReleaseEngine, kernels_of_release
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.timing import timing_of
from emubot.games.thinker import EngineThinker
from emubot.games.thinking import Thinker
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot
from emubot.tempo import Tempo
from emubot.weights import Weights

if TYPE_CHECKING:
    from emubot.games.tetris.statistics import TetrisStatistics


class ReleaseEdition(TetrisEdition):
    """NES Tetris of one region."""

    depiction = StandardDepiction()

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        super().__init__(game, ram_map)
        check_map(ram_map)
        self._profile = profile_of(ram_map) or NES_NTSC
        self._timing = timing_of(self._profile)

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        return TetrisDecoder(self._map, player)

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if not pads:
            return snapshot
        from emubot.games.tetris.simulator.predict import predict

        return predict(snapshot, pads, self._timing)

    @property
    def broadcast(self) -> Broadcast:
        return TetrisBroadcast(self._profile)

    @property
    def statistics(self) -> Callable[[], TetrisStatistics]:
        from emubot.games.tetris.statistics import TetrisStatistics

        return TetrisStatistics

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        return EngineThinker(ReleaseEngine(self._profile, weights, tempo, strength))

    def kernels(self) -> Jobs:
        return kernels()

    @property
    def at_once(self) -> Strength:
        return Strength(nodes=0)


def kernels() -> Jobs:
    """Returns the jobs that compile the kernels of play by a release's timing."""
    return [Job("the simulator", _compile_simulator, 2.1), *kernels_of_release()]


def _compile_simulator() -> None:
    from emubot.games.tetris.simulator.cartridge import compile_once

    compile_once()
