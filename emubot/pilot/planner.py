"""Plans the placement of a piece: predict, search, find a timeline the bridge can carry; presses nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from emubot.bridges.protocol import BridgeFacts
from emubot.errors import UsageError
from emubot.games.edition import Edition, Foresight, Learner, part_of
from emubot.games.thinking import (
    CanAim,
    CanLimit,
    CanPrepare,
    CanPrepareBetween,
    CanPreview,
    CanReroute,
    CanSetOut,
    CanVary,
    Decision,
    Thinker,
)
from emubot.games.variety import Variety
from emubot.pad import Pad
from emubot.pilot.single_button import best_carried, spread
from emubot.pilot.style import Style
from emubot.pilot.tally import Tally
from emubot.snapshot import Phase, Piece, Placement, Snapshot, Step
from emubot.steering import ANYWHERE
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

AWARE: Final = "foresight (--rng aware)"


class Plan(NamedTuple):
    """A placement, and the snapshot that it was planned from. `after_lock` and `called` are as in Decision."""

    placement: Placement
    ahead: Snapshot
    after_lock: tuple[Pad, ...] = ()
    called: int | None = None


class Planner:
    """Plans for one player; adds decisions, their time and their nodes to the tally."""

    def __init__(self, facts: BridgeFacts, weights: Weights, tally: Tally) -> None:
        """Call `use` with the edition and the tempo before the first plan."""
        self.variety: Variety | None = None
        self.thinks_ahead = False
        self.style = Style()
        self._foresight: Foresight | None = None
        self._budget: tuple[int | None, float | None] | None = None
        self._facts, self._weights, self._tally = facts, weights, tally

    def use(self, edition: Edition, tempo: Tempo) -> None:
        """Plan for this edition at this tempo from now on. Raises WeightsError for weights of another game."""
        self._edition, self._tempo = edition, tempo
        self._thinker = edition.thinker(self._weights, tempo)
        if self._foresight is not None:
            self.foresee()
        if self._budget is not None:
            self.limit(*self._budget)
        adopt(self._thinker, self.style)

    def foresee(self) -> None:
        """From now on read the generator and choose the pieces to come.

        Raises UsageError if the family or the map has no generator to read, or if the bridge is not exact to the frame.
        """
        self._foresight = foresight(self._edition, self._facts, self._weights, self._tempo)

    def observe(self, ram: bytes) -> None:
        """Let a search with foresight read one frame; nothing else ever sees the generator."""
        if self._foresight is not None:
            self._foresight.observe(ram)

    def limit(self, nodes: int | None, milliseconds: float | None = None) -> None:
        """Give each decision this budget from now on. Raises UsageError if the game's search has none."""
        for thinker in (self._thinker, self._foresight):
            if thinker is not None:
                limit(thinker, nodes, milliseconds)
        self._budget = nodes, milliseconds

    def play_as(self, style: Style) -> None:
        """Plan in this style from now on. Raises UsageError if the game's search cannot."""
        adopt(self._thinker, style)
        self.style = style

    def plan(
        self,
        snapshot: Snapshot,
        pads: Sequence[Pad],
        input_state: InputState,
        diverted: Placement | None,
        shown: bool = True,
    ) -> Plan | None:
        """Returns the plan for the piece.

        `pads` are those of the last frames, oldest first: the one that the game has used, then those not used yet. The
        search begins where the piece will be once these have taken effect. Returns None if the piece will be locked by
        then, or if no placement can be reached. `diverted` is the chosen placement of a piece that left its path: it is
        kept if it can still be reached. `shown` is false while the next piece is not to be known.
        """
        started = time.perf_counter()
        ahead = self._edition.predict(snapshot, tuple(pads)[1:])
        if ahead.phase is not Phase.PLAYING:
            return None
        plan = None
        if diverted is not None and isinstance(self._thinker, CanReroute):
            placement = self._thinker.reroute(ahead, input_state, diverted)
            if placement is not None:
                plan = Plan(self._carried(ahead, pads[-1], placement) or placement, ahead)
        if plan is None:
            decision = self._decision(ahead, pads[-1], input_state, shown)
            self._tally.nodes += decision.nodes
            if decision.placement is not None:
                plan = Plan(decision.placement, ahead, decision.after_lock, decision.called)
        self._tally.decided((time.perf_counter() - started) * 1000)
        return plan

    def prepare(self, plan: Plan) -> None:
        """Let the thinker search the decisions that may follow this plan, if it thinks ahead and can."""
        if self._prepares and isinstance(self._thinker, CanPrepare):
            self._thinker.prepare(plan.ahead, plan.placement)

    def prepare_between(self, snapshot: Snapshot) -> None:
        """Let the thinker search what may be decided after this frame between two pieces, as `prepare` does."""
        if self._prepares and isinstance(self._thinker, CanPrepareBetween):
            self._thinker.prepare_between(snapshot)

    @property
    def _prepares(self) -> bool:
        """Whether decisions are prepared. With `see_next` and with foresight they are about other positions."""
        return self.thinks_ahead and not self.style.see_next and self._foresight is None

    def preview(self, ahead: Snapshot, placement: Placement) -> Piece | None:
        """Returns the place planned for the next piece after this placement; None if the thinker has no preview."""
        return self._thinker.preview_next(ahead, placement) if isinstance(self._thinker, CanPreview) else None

    def experiment(self, snapshot: Snapshot, learner: Learner) -> Placement:
        """Returns inputs that show the learner what it does not know yet; where the piece will lock is not known."""
        turns, column = learner.explore(snapshot)
        buttons, piece = self._edition.ram_map.buttons, snapshot.current
        shift = column - piece.column if piece is not None else 0
        pads = [buttons.rotate_clockwise or buttons.rotate_counterclockwise or Pad.NONE] * turns
        pads += [buttons.left if shift < 0 else buttons.right] * abs(shift)
        moves = tuple(Step(pad, ANYWHERE, ANYWHERE, ANYWHERE) for pad in pads)
        return Placement(ANYWHERE, column, ANYWHERE, moves=moves)

    def _decision(self, ahead: Snapshot, held: Pad, input_state: InputState, shown: bool) -> Decision:
        if self._foresight is not None:
            return self._foresight.decide(ahead, input_state)
        thinker, carried = self._thinker, partial(self._carried, ahead, held)
        if not isinstance(thinker, CanVary):
            decision = thinker.decide(ahead, input_state)
            best = decision.placement
            return replace(decision, placement=None if best is None else carried(best) or best)
        decide = thinker.decide_by if shown or not isinstance(thinker, CanSetOut) else thinker.set_out
        choose = None if self.variety is None else self.variety.for_piece(self._tally.pieces)
        if not self._facts.one_change:
            return decide(ahead, input_state, choose)
        return best_carried(partial(decide, ahead, input_state), choose, carried)

    def _carried(self, ahead: Snapshot, held: Pad, placement: Placement) -> Placement | None:
        """Returns the placement with a timeline that the bridge can carry; None if there is none."""
        if not self._facts.one_change:
            return placement
        return spread(placement, ahead, held, self._tempo.period, self._edition.predict)


def foresight(edition: Edition, facts: BridgeFacts, weights: Weights, tempo: Tempo) -> Foresight:
    """Returns the search with foresight; raises UsageError as `Planner.foresee` does."""
    if facts.latency or not facts.lock_step or facts.one_change:
        raise UsageError(
            f"--rng aware times every frame, and {facts.emulator} does not take each pad in the frame it is meant for: "
            "play by --bridge libretro, or leave the option out."
        )
    return part_of(edition, "foresight", edition.foresight, AWARE)(weights, tempo)


def limit(thinker: Thinker, nodes: int | None, milliseconds: float | None) -> None:
    """Give each decision of a thinker a budget, if one is not None. Raises UsageError if its search has none."""
    if nodes is None and milliseconds is None:
        return
    if not isinstance(thinker, CanLimit):
        option = "--budget-ms" if nodes is None else "--nodes"
        raise UsageError(f"The search of this game has no budget: leave out {option}.")
    thinker.limit(nodes, milliseconds)


def adopt(thinker: Thinker, style: Style) -> None:
    """Let a thinker play in this style. Raises UsageError if its search cannot."""
    if style.aim is not None or style.aggression is not None:
        if not isinstance(thinker, CanAim):
            option = "--aggression" if style.aim is None else "--aim"
            raise UsageError(f"The search of this game has no aim to choose: leave out {option}.")
        thinker.aim_for(style.aim, style.aggression)
    if style.see_next:
        if not isinstance(thinker, CanSetOut):
            raise UsageError("The search of this game needs the next piece: leave out --see-next.")
        thinker.check_set_out()
