"""Matching games as a map's cartridge plays them: joins the rooms of this family; decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from emubot.games.colours.board.turning import piece_cells
from emubot.games.colours.decode import matching_decode as decode
from emubot.games.colours.decode.frame import MatchingSnapshot
from emubot.games.colours.decode.landing import FieldJudge
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.looks import joined_alike, joined_by_links
from emubot.games.colours.matching_engine import MatchingEngine
from emubot.games.colours.matching_engine import kernels as thinking_kernels
from emubot.games.colours.matching_rules import GROUPS, Rules
from emubot.games.colours.timing import MATCHING, is_timed, timing_of
from emubot.games.edition import Depiction, Jobs, LockJudge, MapEdition, Simulator
from emubot.games.explainer import Explainer
from emubot.games.protocol import Game
from emubot.games.strength import OWN, Strength
from emubot.games.thinker import EngineThinker
from emubot.games.thinking import Thinker
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot, one_body
from emubot.tempo import Tempo
from emubot.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation
    from emubot.games.colours.simulator.replay import MatchingRecorder

_TIMERS: Final = ("drop_timer", "wait")
_KINDS: Final = ("kind_1", "kind_2", "kind_3")


class MatchingDepiction(Depiction):
    """The cells of capsules and columns."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        return self._whole(_cells(snapshot, piece))

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return self._whole(piece_cells(snapshot.next, there or Piece(0, 0, 0))) if snapshot.next else ()

    def joins(self, snapshot: Snapshot) -> NDArray[np.uint8] | None:
        if self._rules.joined:
            return joined_by_links(snapshot.links) if isinstance(snapshot, MatchingSnapshot) else None
        return joined_alike(snapshot.playfield) if self._rules.match == GROUPS else None

    def _whole(self, cells: Sequence[Cell]) -> Sequence[Cell]:
        return one_body(cells) if self._rules.joined else cells


def _cells(snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
    return piece_cells(tuple(snapshot.counters[name] for name in _KINDS if name in snapshot.counters), piece)


_JUDGE: Final = FieldJudge(_cells)


class MatchingEdition(MapEdition):
    """Capsules with targets, columns of three, and their kind. It reads only maps that leave nothing to learn."""

    def __init__(self, game: Game, ram_map: RamMap) -> None:
        """Raises MapError if the family cannot play by the map."""
        super().__init__(game, ram_map)
        self._rules, self._timing = check_matching(ram_map), timing_of(ram_map, MATCHING)
        self._depiction = MatchingDepiction(self._rules)

    @property
    def depiction(self) -> MatchingDepiction:
        return self._depiction

    @property
    def lock_judge(self) -> LockJudge:
        return _JUDGE

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        return decode.Decoder(self._map, player)

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether a timer or the piece has changed: every frame of play changes one of them."""
        return before.current != after.current or any(
            before.counters.get(timer) != after.counters.get(timer) for timer in _TIMERS
        )

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if not is_timed(self._map):  # the next frames cannot be predicted: the pilot reads their effects
            return snapshot
        return decode.predict(snapshot, pads, self._rules, self._timing)

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        return EngineThinker(MatchingEngine(self._map, weights, tempo, strength))

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        counters = snapshot.counters
        return {
            "lines": None,  # no map counts those of a whole game
            "score": counters.get("score"),
            "level": counters.get("stage"),
            "stages": counters.get("stages"),
            "won": counters.get("won"),
        }

    def kernels(self) -> Jobs:
        return thinking_kernels()

    @property
    def at_once(self) -> Strength:
        return Strength(nodes=0)

    @property
    def simulator(self) -> Simulator:
        from emubot.games.colours.simulator.machine import matching_simulator

        return matching_simulator(self._map)

    @cached_property
    def recorder(self) -> MatchingRecorder:
        from emubot.games.colours.simulator.replay import MatchingRecorder

        return MatchingRecorder(self._map)

    @property
    def explainer(self) -> Explainer:
        return MatchingExplainer(self._map)


class MatchingExplainer(Explainer):
    """Explains decisions by one map; what that needs is loaded when it is asked for."""

    def __init__(self, ram_map: RamMap) -> None:
        self._map = ram_map

    def explain(self, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions) -> Explanation:
        from emubot.games.colours.explain.matching import explain

        return explain(self._map, snapshot, weights, tempo, options)

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        from emubot.games.colours.explain.matching_remarks import remarks

        return remarks(played, best)
