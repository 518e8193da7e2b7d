"""Steers each piece to its placement: plan, follow, check, plan again; knows no menus and no bridge."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.games.edition import Learner, LockJudge
from emubot.pad import Pad
from emubot.pilot.doubts import Doubts
from emubot.pilot.planner import Planner
from emubot.pilot.scorekeeper import LATE, Fallen, Landings, Scorekeeper, same_place
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.steering import Steering

_LOG = logging.getLogger(__name__)
_LIFTED: Final = 2  # rows that a piece may rise by itself; what rises further is another piece
_TURNED: Final = 5  # the same with a turn, whose pivot may be another cell
_LINGER: Final = 2  # rows that a piece falls by itself while a learner measures timing


@dataclass(slots=True)
class PieceInPlay:
    """The state of one piece, from its first frame under control to its lock.

    `chosen` is the placement of its first plan, None until there is one. `is_experiment` is true if its inputs only
    show a learner what it does not know yet. `preview` is the place planned for the next piece. `called` is the piece
    that comes after the next one, if it is known in advance. `frames` are those under control before this one, and
    `diversions` counts how often it was not where the plan had it. `shown` says whether the plan knows the next piece,
    and `is_diverted` whether it is the second one, for a piece that left its path. `last` is the last frame of its
    control, `judge` says where it locks, `first` is its first place, `has_moved` says whether it was elsewhere since,
    and `is_parked` whether it seems to be no piece in the air. `unexplained` counts the frames since a change of the
    board after `last` that is no lock, and `rested` those after the lock that was planned.
    """

    last: Snapshot | None = None
    judge: LockJudge | None = None
    first: Piece | None = None
    has_moved: bool = False
    is_parked: bool = False
    chosen: Placement | None = None
    is_experiment: bool = False
    preview: Piece | None = None
    called: int | None = None
    frames: int = 0
    diversions: int = 0
    shown: bool = True
    is_diverted: bool = False
    unexplained: int = 0
    rested: int = 0


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
        learner: Learner | None,
    ) -> None:
        """`learner` finds out the rest of an incomplete map; None for a complete one."""
        self.piece: PieceInPlay | None = None
        self.latest = PieceInPlay()  # the piece in the air, or the last one until the next one comes
        self.landings = Landings(score, doubts)
        self.previews = False  # whether to compute `PieceInPlay.preview`
        self.on_new_piece: Callable[[], None] = lambda: None
        self.on_plan: list[Callable[[Placement], None]] = []
        self.on_replan: list[Callable[[Placement], None]] = []
        self._planner, self._steering, self._score = planner, steering, score
        self._doubts, self._learner = doubts, learner

    def frame(self, snapshot: Snapshot, pads: Sequence[Pad], resumed: bool) -> Pad:
        """Returns the pad for a frame with a piece in the air: the plan's, or that of a new plan if RAM disagrees.

        `pads` are as for `Planner.plan`. `resumed` is true if the frame before was not one of play, as after a pause.
        """
        current, steering, piece = snapshot.current, self._steering, self.piece
        if piece is not None and (last := piece.last) is not None and last.current is not None:
            gone = current is None or current.row < last.current.row
            if (gone or snapshot.playfield is not last.playfield) and self._has_locked(piece, last, snapshot):
                piece = self.piece = None
        if current is None:
            return steering.idle_pad()
        if piece is not None and not piece.has_moved and current != piece.first and self._was_parked(piece, current):
            piece = self.piece = None
        if piece is None:
            plans = self._learner is None or not self._learner.blind
            if self.landings.hold_up(snapshot, plans) or self._score.enough:
                return steering.idle_pad()
            if self.latest.called is not None:
                self._score.called(self.latest.called, snapshot)
            piece = self.piece = self.latest = PieceInPlay(
                first=current, judge=self.landings.judge, shown=not self._planner.see_next
            )
            self.on_new_piece()
            self._planner.new_piece()
            steering.new_piece()
            self._set_out(piece, snapshot, pads)
        elif resumed or (piece.is_parked and piece.has_moved):
            steering.forget()
            piece.is_parked = False
            self._set_out(piece, snapshot, pads)
        elif self._planner.thinking:
            self._set_out(piece, snapshot, pads, piece.is_diverted)
        elif steering.active and not steering.agrees(current) and not self._rests(piece, current):
            if self.landings.is_abrupt and not piece.has_moved:  # it may have locked, and be parked here
                steering.forget()
                piece.is_parked = True
                return steering.idle_pad()
            _LOG.info("the piece is at %s, not where the plan had it; planning anew", current)
            steering.lose_track()
            piece.diversions += 1
            self._doubts.diverted(piece.diversions)
            self._set_out(piece, snapshot, pads, diverted=True)
        elif not piece.shown and piece.frames >= self._planner.see_next:
            self._adjust(piece, snapshot, pads)
        if not piece.unexplained:
            piece.last = snapshot
        piece.frames += 1
        return steering.next_pad(current)

    def forget(self) -> None:
        """Forget the piece: the machine became another one."""
        self._planner.new_piece()
        self.landings.forget()
        self.piece, self.latest = None, PieceInPlay()

    def leave(self, snapshot: Snapshot) -> None:
        """Handle a frame without control: if a piece was in the air, it has locked or the game has ended."""
        piece, self.piece = self.piece, None
        if piece is not None:
            self._fell(piece, is_sure=False)
        self.landings.settle(snapshot)
        if not snapshot.phase.in_game and snapshot.phase is not Phase.UNKNOWN:
            self.landings.ended(snapshot)
            self.latest.called = None  # no piece comes any more in this game

    def _fell(self, piece: PieceInPlay, is_sure: bool) -> None:
        if piece.last is not None:
            without = piece.is_experiment or (piece.chosen is None and self._planner.thinking)
            judge = piece.judge or self.landings.judge
            self.landings.fell(Fallen(piece.chosen, not without, piece.last, is_sure, judge))

    def _has_locked(self, piece: PieceInPlay, last: Snapshot, snapshot: Snapshot) -> bool:
        """Returns whether a piece is over in a frame of play: the board shows its lock, or another piece came.

        A change of the board that is no lock is taken for one of the game's own after some frames.
        """
        rises = self._is_another(last.current, snapshot.current)
        if not rises and np.array_equal(snapshot.playfield, last.playfield):
            return False
        self._fell(piece, is_sure=True)
        if self.landings.settle(snapshot):
            return True
        parked = self.landings.is_abrupt and not piece.has_moved
        if not rises or parked:
            self.landings.take_back()
        if rises:
            return True
        piece.unexplained += 1
        if piece.unexplained > LATE:
            piece.unexplained = 0
        return False

    def _was_parked(self, piece: PieceInPlay, current: Piece) -> bool:
        """Returns whether a piece is another one than that which stood still so far; after a lock that no phase told.

        The one that locked stood there until this one entered.
        """
        first, piece.has_moved = piece.first, True
        if first is None or not self.landings.is_abrupt:
            return False
        near = abs(current.column - first.column) <= 1 and current.row <= first.row + 1
        return not (near and self.landings.judge.is_same(first, current))

    def _rests(self, piece: PieceInPlay, current: Piece) -> bool:
        """Returns whether a piece is where it was to lock, after the plan's end: the board may show the lock late."""
        if not self._steering.is_over or piece.chosen is None or not same_place(piece.chosen, current):
            return False
        piece.rested += 1
        return piece.rested <= LATE

    def _is_another(self, before: Piece | None, now: Piece | None) -> bool:
        """Returns whether a piece rose too far to be that of the frame before, and is not where the plan has that."""
        if before is None or now is None or now.row >= before.row or self._steering.foresees(now):
            return False
        rise = before.row - now.row
        if now.orientation == before.orientation and now.column == before.column:
            return rise > _LIFTED
        return rise > _TURNED or not self.landings.judge.is_same(before, now)

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
            self._steering.follow(self._planner.experiment(snapshot, self._learner), gently=True)
            return
        kept, piece.is_diverted = piece.chosen if diverted else None, diverted
        planned = self._planner.plan(snapshot, pads, self._steering.input_state(), kept, piece.shown)
        if planned is None:
            return
        placement = planned.placement
        piece.called = planned.called
        if self.previews:
            piece.preview = self._planner.preview(planned.ahead, placement)
        if piece.chosen is None:
            piece.chosen = placement
            for hear in self.on_plan:
                hear(placement)
        elif diverted or placement != piece.chosen:
            self._score.tally.replans += 1
            for hear in self.on_replan:
                hear(placement)
        measuring = self._learner is not None and self._learner.measuring
        self._steering.follow(placement, _LINGER if measuring else 0, planned.after_lock)
        self._planner.prepare(planned)
