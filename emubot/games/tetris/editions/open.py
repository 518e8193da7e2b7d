"""A map that leaves cells or pieces to be learnt: its learner plays it, and nothing is predicted or drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from emubot.games.edition import Jobs, LockJudge
from emubot.games.findings import refuse
from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.tetris.editions import mapped
from emubot.games.tetris.editions.shared import TetrisEdition
from emubot.games.tetris.learning.open_map import OpenDecoder, OpenThinker, open_findings
from emubot.games.thinking import Thinker
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import Tempo
from emubot.weights import Weights

_ASIDE: Final = 2  # columns that a turn and a step may move a pivot in one frame


class OpenJudge(LockJudge):
    """Judges by phases: boards and cells are not known. A piece was last where it was under control."""

    def place(self, before: Snapshot, after: Snapshot, meant: Placement | None) -> Piece | None:
        return before.current if after.phase.between_pieces else None

    def is_same(self, before: Piece, now: Piece) -> bool:
        return abs(now.column - before.column) <= _ASIDE


class OpenEdition(TetrisEdition):
    """Falling blocks of which too little is known to plan."""

    depiction = mapped.MappedDepiction()

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        super().__init__(game, ram_map)
        refuse(open_findings(ram_map))

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        return OpenDecoder(self._map, player)

    @property
    def lock_judge(self) -> LockJudge:
        return OpenJudge()

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        return snapshot

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        return OpenThinker(weights, strength)

    def kernels(self) -> Jobs:
        return mapped.kernels()
