"""A cartridge with the usual board and pieces that moves by its map alone: by a gravity table, or by single inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from emubot.games.edition import Broadcast, Jobs
from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.tetris.anyboard.decoder import AnySnapshot
from emubot.games.tetris.anyboard.engine import kernels as any_kernels
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.decode.map_checks import check_map
from emubot.games.tetris.editions.shared import StandardDepiction, TetrisBroadcast, TetrisEdition
from emubot.games.tetris.learning.open_map import OpenSnapshot
from emubot.games.tetris.mapped_engine import MappedEngine, kernels_of_tables
from emubot.games.tetris.reach.mapped import MappedMotion
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.thinker import EngineThinker
from emubot.games.thinking import Thinker
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot, one_body
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed
from emubot.weights import Weights

if TYPE_CHECKING:
    from emubot.games.tetris.statistics import TetrisStatistics


class MappedDepiction(StandardDepiction):
    """The pieces of a frame, whatever its map is: a view keeps it while a learner turns the map into another kind."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        if isinstance(snapshot, OpenSnapshot):  # its pieces are not known yet
            return []
        if isinstance(snapshot, AnySnapshot):
            kind = snapshot.pieces.kind(piece.orientation)
            return one_body([Cell(column, row, kind) for column, row in snapshot.pieces.cells(piece)])
        return super().cells(snapshot, piece)

    def piece_number(self, snapshot: Snapshot, orientation: int) -> int | None:
        if isinstance(snapshot, OpenSnapshot | AnySnapshot):
            return None
        return super().piece_number(snapshot, orientation)


class MappedEdition(TetrisEdition):
    """Falling blocks without the timing of a release."""

    depiction = MappedDepiction()

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        super().__init__(game, ram_map)
        self._tables = check_map(ram_map)
        self._motion = MappedMotion(ram_map, tempo_for_speed(FULL_SPEED), self._tables)

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        return TetrisDecoder(self._map, player)

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        return self._motion.ahead(snapshot, pads)

    @property
    def broadcast(self) -> Broadcast:
        return TetrisBroadcast(NES_NTSC)

    @property
    def statistics(self) -> Callable[[], TetrisStatistics]:
        from emubot.games.tetris.statistics import TetrisStatistics

        return TetrisStatistics

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        return EngineThinker(MappedEngine(MappedMotion(self._map, tempo, self._tables), weights, strength))

    def kernels(self) -> Jobs:
        return kernels()


def kernels() -> Jobs:
    """Returns the jobs that compile the kernels of play by a map's tables, on any board.

    A map that is learnt may turn out to be of either kind.
    """
    return [*kernels_of_tables(), *any_kernels()]
