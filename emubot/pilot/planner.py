"""Plans the placement of a piece: predict, search, find a timeline the bridge can carry; presses nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from emubot.bridges.protocol import BridgeFacts
from emubot.games.edition import Edition, Learner
from emubot.games.thinking import Decision
from emubot.pad import Pad
from emubot.pilot.skill import Mind, Skill
from emubot.pilot.tally import Tally
from emubot.snapshot import Phase, Piece, Placement, Snapshot, Step
from emubot.steering import ANYWHERE
from emubot.tempo import InputState

if TYPE_CHECKING:
    from emubot.games.variety import Choose, Variety


class PlannedPlacement(NamedTuple):
    """A placement, and the snapshot that it was planned from. `after_lock` and `called` are as in Decision."""

    placement: Placement
    ahead: Snapshot
    after_lock: tuple[Pad, ...] = ()
    called: int | None = None


class Planner:
    """Plans for one player; adds decisions, their time and their nodes to the tally."""

    def __init__(self, facts: BridgeFacts, tally: Tally, variety: Variety | None) -> None:
        """Call `use` before the first plan. Equal bots choose with `variety` among placements of almost equal value."""
        self._facts, self._tally, self._variety = facts, tally, variety

    def use(self, edition: Edition, skill: Skill, mind: object = None) -> None:
        """Plan for this edition with this mind, which is of this skill, from now on; without a Mind it makes one."""
        self._edition, self._skill = edition, skill
        mind = mind if isinstance(mind, Mind) else skill.mind(edition)
        self._thinker, self._foresight = mind.thinker, mind.foresight
        # With `see_next` and with foresight the next decisions are about other positions.
        self._prepares = skill.ahead and not self.see_next and self._foresight is None

    @property
    def see_next(self) -> int:
        """The frames after which the next piece counts as shown."""
        return self._skill.strength.see_next

    @property
    def thinking(self) -> bool:
        """Whether `plan` returned None because it is still thinking: it is to be asked again in the next frame."""
        return False

    def new_piece(self) -> None:
        """Forget what was asked for an earlier piece."""

    def observe(self, ram: bytes) -> None:
        """Let a search with foresight read one frame; nothing else ever sees the generator."""
        if self._foresight is not None:
            self._foresight.observe(ram)

    def plan(
        self,
        snapshot: Snapshot,
        pads: Sequence[Pad],
        input_state: InputState,
        diverted: Placement | None,
        shown: bool = True,
    ) -> PlannedPlacement | None:
        """Returns the plan for the piece.

        `pads` are those of the last frames, oldest first: the one that the game has used, then those not used yet. The
        search begins where the piece will be once these have taken effect. Returns None if the piece will be locked by
        then, if no placement can be reached, or while it is `thinking`. `diverted` is the chosen placement of a piece
        that left its path: it is kept if it can still be reached. `shown` is false while the next piece is not to be
        known.
        """
        started = time.perf_counter()
        ahead = self._edition.predict(snapshot, tuple(pads)[1:])
        if ahead.phase is not Phase.PLAYING:
            return None
        plan = None
        if diverted is not None:
            placement = self._thinker.reroute(ahead, input_state, diverted)
            if placement is not None:
                plan = PlannedPlacement(self._carried(ahead, pads[-1], placement) or placement, ahead)
        if plan is None:
            decision = self._decision(ahead, pads[-1], input_state, shown)
            self._tally.nodes += decision.nodes
            if decision.placement is not None:
                plan = PlannedPlacement(decision.placement, ahead, decision.after_lock, decision.called)
        self._tally.decided((time.perf_counter() - started) * 1000)
        return plan

    def prepare(self, plan: PlannedPlacement) -> None:
        """Let the thinker search the decisions that may follow this plan, if the bot thinks ahead."""
        if self._prepares:
            self._thinker.prepare(plan.ahead, plan.placement)

    def prepare_between(self, snapshot: Snapshot) -> None:
        """Let the thinker search what may be decided after this frame between two pieces, as `prepare` does."""
        if self._prepares:
            self._thinker.prepare_between(snapshot)

    def preview(self, ahead: Snapshot, placement: Placement) -> Piece | None:
        """Returns the place planned for the next piece after this placement; None if it is not known."""
        return self._thinker.preview(ahead, placement)

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
        choose = None if self._variety is None else self._variety.for_piece(self._tally.pieces)
        if not self._facts.one_change:
            return self._thinker.decide(ahead, input_state, choose, shown)

        from emubot.pilot.single_button import best_carried

        def decide(by: Choose | None) -> Decision:
            return self._thinker.decide(ahead, input_state, by, shown)

        return best_carried(decide, choose, partial(self._carried, ahead, held))

    def _carried(self, ahead: Snapshot, held: Pad, placement: Placement) -> Placement | None:
        """Returns the placement with a timeline that the bridge can carry; None if there is none."""
        if not self._facts.one_change:
            return placement
        from emubot.pilot.single_button import spread

        return spread(placement, ahead, held, self._skill.tempo.period, self._edition.predict)
