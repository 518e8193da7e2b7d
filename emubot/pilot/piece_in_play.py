"""Steers each piece to its placement: plan, follow, check, plan again; knows no menus and no bridge."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.edition import Learner
from emubot.pad import Pad
from emubot.pilot.doubts import Doubts
from emubot.pilot.planner import Planner
from emubot.pilot.scorekeeper import Scorekeeper
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.steering import Steering

_LOG = logging.getLogger(__name__)
_TURNED: Final = 2  # rows that a turn may lift a piece; what rises further is another piece
_LINGER: Final = 2  # rows that a piece falls by itself while a learner measures timing


@dataclass(slots=True)
class PieceInPlay:
    """The state of one piece, from its first frame under control to its lock.

    `chosen` is the placement of its first plan, None until there is one. `is_experiment` is true if its inputs only
    show a learner what it does not know yet. `field` is the playfield at its first plan, or when this was asked for.
    `preview` is the place planned for the next piece. `called` is the piece that comes after the next one, if it is
    known in advance. `frames` are those under control before this one, `row` is where it was last seen, and
    `diversions` counts how often it was not where the plan had it. `shown` says whether the plan knows the next piece,
    and `is_diverted` whether it is the second one, for a piece that left its path.
    """

    chosen: Placement | None = None
    is_experiment: bool = False
    field: NDArray[Any] | None = None
    preview: Piece | None = None
    called: int | None = None
    frames: int = 0
    row: int = 0
    diversions: int = 0
    shown: bool = True
    is_diverted: bool = False


class PieceControl:
    """One player's pieces. `on_plan` is called with each piece's first plan, `on_replan` with each later change.

    A change when the next piece is shown late is an adjustment, any other one a replan.
    """

    def __init__(
        self,
        planner: Planner,
        steering: Steering,
        score: Scorekeeper,
        doubts: Doubts,
        lock_step: bool,
        learner: Learner | None,
    ) -> None:
        """`lock_step` is the bridge's. `learner` finds out the rest of an incomplete map; None for a complete one."""
        self.piece: PieceInPlay | None = None
        self.latest = PieceInPlay()  # the piece in the air, or the last one until the next one comes
        self.previews = False  # whether to compute `PieceInPlay.preview`
        self.on_new_piece: Callable[[], None] = lambda: None
        self.on_plan: list[Callable[[Placement], None]] = []
        self.on_replan: list[Callable[[Placement], None]] = []
        self._planner, self._steering, self._score = planner, steering, score
        self._doubts, self._lock_step, self._learner = doubts, lock_step, learner

    def frame(self, snapshot: Snapshot, pads: Sequence[Pad], resumed: bool) -> Pad:
        """Returns the pad for a frame with a piece in the air: the plan's, or that of a new plan if RAM disagrees.

        `pads` are as for `Planner.plan`. `resumed` is true if the frame before was not one of play, as after a pause.
        """
        current, steering = snapshot.current, self._steering
        if current is None:
            return steering.idle_pad()
        if self.piece is not None and not self._lock_step:
            self._lock_unseen(self.piece, snapshot)
        if self.piece is None:
            if self.latest.called is not None:
                self._score.called(self.latest.called, snapshot)
            self.piece = self.latest = PieceInPlay(row=current.row, shown=not self._planner.see_next)
            self.on_new_piece()
            self._planner.new_piece()
            steering.new_piece()
            self._set_out(self.piece, snapshot, pads)
        elif resumed:
            steering.forget()
            self._set_out(self.piece, snapshot, pads)
        elif self._planner.thinking:
            self._set_out(self.piece, snapshot, pads, self.piece.is_diverted)
        elif steering.active and not steering.agrees(current):
            _LOG.info("the piece is at %s, not where the plan had it; planning anew", current)
            steering.forget()
            self.piece.diversions += 1
            self._doubts.diverted(self.piece.diversions)
            self._set_out(self.piece, snapshot, pads, diverted=True)
        elif not self.piece.shown and self.piece.frames >= self._planner.see_next:
            self._adjust(self.piece, snapshot, pads)
        if current.row < self.piece.row - _TURNED:
            self._doubts.followed(snapshot)
        self.piece.row = current.row
        self.piece.frames += 1
        return steering.next_pad(current)

    def forget(self) -> None:
        """Forget the piece: the machine became another one."""
        self._planner.new_piece()
        self.piece, self.latest = None, PieceInPlay()

    def leave(self, snapshot: Snapshot) -> None:
        """Handle a frame without control: if a piece was in the air, it has locked or the game has ended."""
        if not snapshot.phase.in_game:
            self.latest.called = None  # no piece comes any more in this game
        piece, self.piece = self.piece, None
        if piece is None:
            return
        has_no_place = piece.is_experiment or (piece.chosen is None and self._planner.thinking)
        if snapshot.phase is Phase.LOCKED:
            if has_no_place:
                self._score.piece(None, snapshot.current)
            elif piece.chosen is not None and snapshot.current is not None:
                self._score.piece(piece.chosen, snapshot.current)
                self._doubts.placed(piece.chosen, snapshot.current)
            else:
                self._doubts.left(snapshot)
        elif snapshot.phase.between_pieces and not self._lock_step:
            if has_no_place:
                self._score.piece(None, None)
            else:
                self._score.unseen_piece()
        else:
            self._doubts.left(snapshot)

    def _lock_unseen(self, piece: PieceInPlay, snapshot: Snapshot) -> None:
        """Detect a lock in frames that the bridge missed: the playfield has changed; count the piece as unseen."""
        if piece.field is not None and not np.array_equal(piece.field, snapshot.playfield):
            self.piece = None
            if self._planner.thinking:  # it just fell: no place was chosen
                self._score.piece(None, None)
            else:
                self._score.unseen_piece()

    def _adjust(self, piece: PieceInPlay, snapshot: Snapshot, pads: Sequence[Pad]) -> None:
        """Plan again, from where the piece is, now that the next one is shown."""
        piece.shown = True
        planned = self._planner.plan(snapshot, pads, self._steering.input_state(), None)
        if planned is None:
            return
        if self.previews:
            piece.preview = self._planner.preview(planned.ahead, planned.placement)
        if piece.chosen is not None and planned.placement != piece.chosen:
            self._score.tally.adjustments += 1
            for hear in self.on_replan:
                hear(planned.placement)
        piece.chosen = planned.placement
        self._steering.follow(planned.placement)

    def _set_out(self, piece: PieceInPlay, snapshot: Snapshot, pads: Sequence[Pad], diverted: bool = False) -> None:
        """Plan a placement, or explore if too little is known to plan."""
        if self._learner is not None and self._learner.blind:
            piece.chosen, piece.is_experiment = None, True
            self._steering.follow(self._planner.experiment(snapshot, self._learner))
            return
        kept, piece.is_diverted = piece.chosen if diverted else None, diverted
        planned = self._planner.plan(snapshot, pads, self._steering.input_state(), kept, piece.shown)
        if planned is None:
            if self._planner.thinking and piece.field is None:
                piece.field = snapshot.playfield
            return
        placement = planned.placement
        piece.called = planned.called
        if self.previews:
            piece.preview = self._planner.preview(planned.ahead, placement)
        if piece.chosen is None:
            piece.chosen, piece.field = placement, snapshot.playfield
            for hear in self.on_plan:
                hear(placement)
        elif diverted or placement != piece.chosen:
            self._score.tally.replans += 1
            for hear in self.on_replan:
                hear(placement)
        measuring = self._learner is not None and self._learner.measuring
        self._steering.follow(placement, _LINGER if measuring else 0, planned.after_lock)
        self._planner.prepare(planned)
