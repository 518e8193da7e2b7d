"""What editions of falling blocks share: figures, parts, the learner, usual pieces; knows no kind of map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from emubot.games.edition import (
    FIGURES,
    Broadcast,
    Depiction,
    Foresight,
    Learner,
    LockJudge,
    MapEdition,
)
from emubot.games.explainer import Explainer
from emubot.games.outcome import WON
from emubot.games.strength import Strength
from emubot.games.tetris.decode.landing import USUAL, BoardJudge
from emubot.games.tetris.decode.map_checks import is_learnt
from emubot.games.tetris.rules import DX, DY, GOAL_LINES, PIECE_OF, TYPE_B, Profile
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot, one_body
from emubot.tempo import Tempo
from emubot.weights import Weights

if TYPE_CHECKING:
    from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, Misdrops
    from emubot.games.tetris.simulator.cartridge import TetrisSimulator
    from emubot.games.tetris.simulator.replay import TetrisRecorder
    from emubot.human_error import HumanError
    from emubot.publish.frame import Frame

_TIMER: Final = "fall_timer"
_USUAL_JUDGE: Final = BoardJudge(USUAL)
_LOOK: Final = (1, 3, 2, 1, 3, 2, 1)  # the kind of cell that T J Z O S L I leave

_CELLS: Final = [  # of each orientation, from the pivot
    one_body([Cell(dx, dy, _LOOK[PIECE_OF[orientation]]) for dx, dy in zip(columns, rows, strict=True)])
    for orientation, (columns, rows) in enumerate(zip(DX.tolist(), DY.tolist(), strict=True))
]


class StandardDepiction(Depiction):
    """The pieces of rules.py."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        orientation = piece.orientation
        return [
            Cell(piece.column + cell.column, piece.row + cell.row, cell.kind, cell.joins)
            for cell in _CELLS[orientation]
        ]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return self.cells(snapshot, there or Piece(snapshot.next[0], 0, 0)) if snapshot.next else ()

    def piece_number(self, snapshot: Snapshot, orientation: int) -> int | None:
        return int(PIECE_OF[orientation])


class TetrisBroadcast(Broadcast):
    """The usual board with the usual pieces; what makes and reads the frames is loaded when it is asked for."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def camera(self) -> Callable[[Snapshot, int], Frame]:
        from emubot.games.tetris.broadcast.camera import TetrisCamera

        return TetrisCamera()

    def snapshots(self, frames: Iterable[Frame]) -> Iterator[Snapshot]:
        from emubot.games.tetris.broadcast.replay import TetrisReplay

        return TetrisReplay(self._profile).snapshots(frames)


class TetrisEdition(MapEdition):
    """An edition of falling blocks; those that inherit from it decode, predict, decide and draw."""

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Every frame of control advances the fall timer, or resets it and moves the piece down."""
        if _TIMER not in after.counters:
            return True
        return before.current != after.current or before.counters[_TIMER] != after.counters[_TIMER]

    @property
    def lock_judge(self) -> LockJudge:
        return _USUAL_JUDGE

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        figures = {name: snapshot.counters.get(name) for name in FIGURES}
        kind = snapshot.counters.get("game_type")
        if kind != TYPE_B:
            figures["completed"] = None if kind is None else 0
            won = snapshot.counters.get(WON)
            return figures if won is None else {**figures, WON: won}
        left = snapshot.counters["lines"]
        return {**figures, "lines": GOAL_LINES - left, "completed": int(left == 0)}

    def learner(self, player: int = 0) -> Learner | None:
        if not is_learnt(self._map):
            return None
        from emubot.games.tetris.learning.learner import TetrisLearner

        return TetrisLearner(self._map, player, lambda better: self._game.open(better).decoder(player))

    @cached_property
    def simulator(self) -> TetrisSimulator:
        from emubot.games.tetris.simulator.cartridge import TetrisSimulator

        return TetrisSimulator(self._map)

    @cached_property
    def recorder(self) -> TetrisRecorder:
        from emubot.games.tetris.simulator.replay import TetrisRecorder

        return TetrisRecorder(self._map)

    @property
    def explainer(self) -> Explainer:
        return TetrisExplainer(self._map)

    def foresight(self, weights: Weights, tempo: Tempo, strength: Strength) -> Foresight:
        from emubot.games.tetris.foresight.search import ForesightSearch

        return ForesightSearch(self._map, weights, tempo, strength)


class TetrisExplainer(Explainer):
    """Explains decisions by one map; the search for it is loaded when it is asked for."""

    def __init__(self, ram_map: RamMap) -> None:
        self._map = ram_map

    def explain(self, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions) -> Explanation:
        from emubot.games.tetris.explain.explain import explain

        return explain(self._map, snapshot, weights, tempo, options)

    def misdrops(self, snapshot: Snapshot, place: Piece, tempo: Tempo, human: HumanError) -> Misdrops | None:
        from emubot.games.tetris.explain.explain import misdrops_of

        return misdrops_of(self._map, snapshot, place, tempo, human)

    def threat(self) -> Callable[[Snapshot], int]:
        from emubot.games.tetris.explain.threat import lines_ready

        return lines_ready

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        from emubot.games.tetris.explain.remarks import remarks

        return remarks(snapshot, played.placement, best.placement)
