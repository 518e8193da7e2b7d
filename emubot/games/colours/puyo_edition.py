"""Pairs as a map's cartridge plays them, on six columns with bitboards or on a field of any size; decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from emubot.games.colours.anyboard_engine import AnyFieldEngine
from emubot.games.colours.anyboard_engine import kernels as any_kernels
from emubot.games.colours.board.turning import pair_cells
from emubot.games.colours.decode import decode, map_checks
from emubot.games.colours.decode.landing import FieldJudge
from emubot.games.colours.looks import joined_alike
from emubot.games.colours.map_rules import rules_of_map, size_of
from emubot.games.colours.puyo_engine import PuyoEngine
from emubot.games.colours.puyo_engine import kernels as thinking_kernels
from emubot.games.colours.reach.offer import pair_of, predict_turned, turned_shapes
from emubot.games.colours.rules import UP
from emubot.games.colours.timing import PAIRS, is_timed, timing_of
from emubot.games.edition import Depiction, Jobs, Learner, LockJudge, MapEdition, Simulator
from emubot.games.explainer import Explainer
from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.thinker import EngineThinker
from emubot.games.thinking import Thinker
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.weights import Weights, load_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation
    from emubot.games.colours.simulator.replay import PuyoRecorder

_TIMER: Final = "drop_timer"


class PuyoDepiction(Depiction):
    """The cells of pairs and items."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        counters = snapshot.counters
        return pair_cells((counters.get("pivot", 0), counters.get("satellite", 0)), piece)

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        if not snapshot.next:
            return ()
        return pair_cells((snapshot.next[0], snapshot.next[1]), there or Piece(UP, 0, 0))

    def joins(self, snapshot: Snapshot) -> NDArray[np.uint8]:
        return joined_alike(snapshot.playfield)


_JUDGE: Final = FieldJudge(PuyoDepiction().cells)


class PuyoEdition(MapEdition):
    """Famicom Puyo Puyo, or a cartridge with the same rules."""

    depiction = PuyoDepiction()

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        """Raises MapError if the family cannot play by the map."""
        super().__init__(game, ram_map)
        map_checks.check_pairs(ram_map)
        self._rules, self._timing = rules_of_map(ram_map), timing_of(ram_map, PAIRS)
        self._has_words, self._turned = size_of(ram_map).has_words, turned_shapes(ram_map)

    @property
    def lock_judge(self) -> LockJudge:
        return _JUDGE

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        return decode.Decoder(self._map, player)

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether the drop timer or the piece has changed: every frame of control changes one of them."""
        return before.current != after.current or before.counters.get(_TIMER) != after.counters.get(_TIMER)

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if not is_timed(self._map):  # the next frames cannot be predicted: the pilot reads their effects
            return snapshot
        shapes = self._turned.of(pair_of(snapshot)) if pads and self._turned is not None else None
        if shapes is None:
            return decode.predict(snapshot, pads, self._rules, self._timing)
        return predict_turned(snapshot, pads, self._rules, self._timing, self._map.buttons, shapes)

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        """Returns the search by bitboards, or that of a field that these do not hold."""
        if self._has_words:
            return EngineThinker(PuyoEngine(self._map, weights, tempo, strength))
        return EngineThinker(AnyFieldEngine(self._map, weights, tempo, strength))

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        counters = snapshot.counters
        return {
            "lines": None,  # pairs have none
            "score": counters.get("score"),
            "level": counters.get("level"),
            "won": counters.get("won"),
        }

    def learner(self, player: int = 0) -> Learner | None:
        """Returns a learner of what the map leaves open; None too where pairs learn nothing: see map_checks."""
        if self._turned is not None or not map_checks.is_learnt(self._map):
            return None
        from emubot.games.colours.learning.learner import PuyoLearner

        return PuyoLearner(self._map, player)

    def kernels(self) -> Jobs:
        if self._has_words:
            return thinking_kernels()
        return any_kernels(self._map, load_weights(self._game.facts.default_weights))

    @property
    def at_once(self) -> Strength:
        return Strength(nodes=0)

    @property
    def simulator(self) -> Simulator:
        from emubot.games.colours.simulator.machine import puyo_simulator

        return puyo_simulator(self._map)

    @cached_property
    def recorder(self) -> PuyoRecorder:
        from emubot.games.colours.simulator.replay import PuyoRecorder

        return PuyoRecorder(self._map)

    @property
    def explainer(self) -> Explainer:
        return PuyoExplainer(self._map)


class PuyoExplainer(Explainer):
    """Explains decisions by one map; the search for it is loaded when it is asked for."""

    def __init__(self, ram_map: RamMap) -> None:
        self._map = ram_map

    def explain(self, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions) -> Explanation:
        from emubot.games.colours.explain.explain import explain

        return explain(self._map, snapshot, weights, tempo, options)

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        from emubot.games.colours.explain.remarks import remarks

        return remarks(played, best)

    def threat(self) -> Callable[[Snapshot], int]:
        from emubot.games.colours.explain.built import points_ready
        from emubot.games.colours.explain.pair_board import PairBoard

        board = PairBoard(rules_of_map(self._map))
        return lambda snapshot: points_ready(decode.cells_of(snapshot), board)

    def ready(self, one: ExplainedPlacement) -> float | None:
        from emubot.games.colours.explain.remarks import ready

        return ready(one)
