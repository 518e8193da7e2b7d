"""From a snapshot to the placement of its piece: predict, search, find a way the bridge can carry; presses nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from emubot.bridges.protocol import BridgeFacts
from emubot.games.protocol import CanPreview, CanReroute, CanVary, Decision, Game, Learner
from emubot.games.variety import Variety
from emubot.pad import Pad
from emubot.pilot.single_button import best_carried, spread
from emubot.pilot.tally import Tally
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Placement, Snapshot, Step
from emubot.steering import ANYWHERE
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights


class Planner:
    """Plans for one player; the tally counts decisions, their time and their nodes."""

    def __init__(self, game: Game, facts: BridgeFacts, weights: Weights, tally: Tally) -> None:
        """`use` names the map and the tempo before the first plan."""
        self.variety: Variety | None = None
        self._game, self._facts, self._weights, self._tally = game, facts, weights, tally

    def use(self, ram_map: RamMap, tempo: Tempo) -> None:
        """Think by this map and at this tempo from now on. Raises WeightsError for weights of another game."""
        self._map, self._tempo = ram_map, tempo
        self._thinker = self._game.thinker(ram_map, self._weights, tempo)

    def plan(
        self, snapshot: Snapshot, pads: Sequence[Pad], input_state: InputState, diverted: Placement | None
    ) -> tuple[Placement, Snapshot] | None:
        """The placement of the piece, and the snapshot that it was planned from.

        `pads` are those of the last frames, oldest first: the one the game has used, then those on their way to it. The
        search begins where the piece will be once these have taken effect. Returns None where it will then be locked,
        and where it cannot lock anywhere. A piece that left its way is led to `diverted`, the placement chosen for it,
        if there is still a way.
        """
        started = time.perf_counter()
        ahead = self._game.predict(self._map, snapshot, tuple(pads)[1:])
        if ahead.phase is not Phase.PLAYING:
            return None
        placement = None
        if diverted is not None and isinstance(self._thinker, CanReroute):
            placement = self._thinker.reroute(ahead, input_state, diverted)
        if placement is not None:
            placement = self._carried(ahead, pads[-1], placement) or placement
        else:
            decision = self._decision(ahead, pads[-1], input_state)
            self._tally.nodes += decision.nodes
            placement = decision.placement
        self._tally.decided((time.perf_counter() - started) * 1000)
        return None if placement is None else (placement, ahead)

    def preview(self, ahead: Snapshot, placement: Placement) -> Piece | None:
        """Where the next piece is meant to go after this placement; None where the thinker cannot tell."""
        return self._thinker.preview_next(ahead, placement) if isinstance(self._thinker, CanPreview) else None

    def experiment(self, snapshot: Snapshot, learner: Learner) -> Placement:
        """Inputs that show the learner what it does not know yet; where the piece will lock is not promised."""
        turns, column = learner.explore(snapshot)
        buttons, piece = self._map.buttons, snapshot.current
        shift = column - piece.column if piece is not None else 0
        pads = [buttons.rotate_clockwise or buttons.rotate_counterclockwise or Pad.NONE] * turns
        pads += [buttons.left if shift < 0 else buttons.right] * abs(shift)
        moves = tuple(Step(pad, ANYWHERE, ANYWHERE, ANYWHERE) for pad in pads)
        return Placement(ANYWHERE, column, ANYWHERE, moves=moves)

    def _decision(self, ahead: Snapshot, held: Pad, input_state: InputState) -> Decision:
        thinker, carried = self._thinker, partial(self._carried, ahead, held)
        if not isinstance(thinker, CanVary):
            decision = thinker.decide(ahead, input_state)
            best = decision.placement
            return replace(decision, placement=None if best is None else carried(best) or best)
        choose = None if self.variety is None else self.variety.for_piece(self._tally.pieces)
        if not self._facts.one_change:
            return thinker.decide_by(ahead, input_state, choose)
        return best_carried(partial(thinker.decide_by, ahead, input_state), choose, carried)

    def _carried(self, ahead: Snapshot, held: Pad, placement: Placement) -> Placement | None:
        """The placement by a timeline that the bridge can carry; None if there is none."""
        if not self._facts.one_change:
            return placement
        return spread(placement, ahead, held, self._tempo.period, partial(self._game.predict, self._map))
