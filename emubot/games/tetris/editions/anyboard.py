"""A cartridge with a board, pieces, a clock or previews of its own: plays with the map's own pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from emubot.games.edition import Jobs, LockJudge
from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.tetris.anyboard.checks import checked_pieces
from emubot.games.tetris.anyboard.decoder import AnyDecoder, AnySnapshot
from emubot.games.tetris.anyboard.engine import AnyboardEngine
from emubot.games.tetris.anyboard.motion import AnyMotion
from emubot.games.tetris.decode.landing import BoardJudge, Outline
from emubot.games.tetris.editions import mapped
from emubot.games.tetris.editions.shared import TetrisEdition
from emubot.games.thinker import EngineThinker
from emubot.games.thinking import Thinker
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot
from emubot.tempo import FULL_SPEED, Tempo, tempo_for_speed
from emubot.weights import Weights


class AnyboardEdition(TetrisEdition):
    """Falling blocks with their own board and pieces."""

    depiction = mapped.MappedDepiction()

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        super().__init__(game, ram_map)
        self._pieces = checked_pieces(ram_map)
        self._motion = AnyMotion(ram_map, tempo_for_speed(FULL_SPEED))
        own = {number: Outline(one.cells, one.turns) for number, one in self._pieces.orientations.items()}
        self._judge = BoardJudge(own)

    @property
    def lock_judge(self) -> LockJudge:
        return self._judge

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        return AnyDecoder(self._map, player)

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        assert isinstance(snapshot, AnySnapshot), "its decoder makes no other"
        return self._motion.ahead(snapshot, pads)

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        return EngineThinker(AnyboardEngine(self._map, self._pieces, weights, tempo, strength))

    def kernels(self) -> Jobs:
        return mapped.kernels()
