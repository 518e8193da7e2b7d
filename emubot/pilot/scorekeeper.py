"""Counts pieces where they lock, games and points towards a goal; knows no bridge and presses nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from emubot.games.edition import Edition, LockJudge
from emubot.pilot.tally import Tally
from emubot.snapshot import Piece, Placement, Snapshot

if TYPE_CHECKING:
    from emubot.pilot.doubts import Doubts

RUNNING: Final = "running"
_LOG = logging.getLogger(__name__)
LATE: Final = 20  # frames of the next piece's flight in which the board may still come to show the last lock
_ENDED: Final = 120  # frames out of play after which a game counts as over, if the map knows no end of a game


@dataclass(frozen=True, slots=True)
class Goal:
    """When to stop, and what to choose in the menus: `level`, `mode`, `type` as the map's menu steps name them."""

    pieces: int | None = None
    games: int | None = 1
    menu_choices: dict[str, int] | None = None
    wait_frames: int = 0  # extra frames in the menus before the first button, so that seeds give other games


class Scorekeeper:
    """One player's tally, and whether the goal is reached; `result` says how.

    `enough` is true from the lock of the goal's last piece: only its clears remain to be counted.
    """

    def __init__(self, goal: Goal, tally: Tally, summary: Callable[[Snapshot], Mapping[str, Any]]) -> None:
        """`summary` is the family's function: it returns what a game has reached."""
        self.tally = tally
        self.result = RUNNING
        self.enough = False
        self.last: Snapshot | None = None  # the last frame of a game that is not counted yet
        self._goal = goal
        self._summary = summary
        self._away = 0  # frames since a game was last seen in play

    @property
    def finished(self) -> bool:
        """Whether the goal is reached."""
        return self.result != RUNNING

    def played(self, snapshot: Snapshot) -> None:
        """Note a frame of a game, paused or not."""
        self._away = 0
        if not self.finished:
            self.last = snapshot

    def away(self) -> None:
        """Note a frame out of play. Only for maps that know no end of a game: enough such frames end it."""
        self._away += 1
        if self.last is not None and self._away == _ENDED:
            self.game_over(self.last)

    def piece(self, chosen: Placement | None, locked: Piece | None) -> None:
        """Count a locked piece; misplaced if it is not at `chosen`. None, for an experiment, expects no place."""
        if chosen is not None and locked is not None and not same_place(chosen, locked):
            self.tally.misplaced += 1
            _LOG.info("locked at %s instead of %s", locked, chosen)
        self.tally.pieces += 1
        self.enough = self._goal.pieces is not None and self.tally.pieces >= self._goal.pieces

    def unseen_piece(self) -> None:
        """Count a piece that locked where no board shows it. Its place is unknown: it counts as misplaced."""
        _LOG.info("a piece locked, and the board does not show where; it counts as misplaced")
        self.tally.misplaced += 1
        self.piece(None, None)

    def called(self, piece: int, snapshot: Snapshot) -> None:
        """Count a piece that was called before it was drawn; `snapshot` is the first frame that shows what came."""
        self.tally.called += 1
        if snapshot.next[:1] == (piece,):
            self.tally.called_right += 1
        else:
            _LOG.info("called the piece %d, but %s came", piece, snapshot.next)

    def all_pieces(self, snapshot: Snapshot) -> None:
        """End the session: the effect of the goal's last piece is over."""
        self.result = "pieces"
        self.add_up(snapshot)

    def game_over(self, snapshot: Snapshot) -> None:
        """Count a game that has ended."""
        self.add_up(snapshot)
        self.tally.games += 1
        if self._goal.games is not None and self.tally.games >= self._goal.games:
            self.result = "game over"

    def add_up(self, snapshot: Snapshot | None) -> None:
        """Count what a game reached, once: at its end, when it is left for a menu, or at the end of the session."""
        self.last = None
        if snapshot is not None:
            self.tally.add_game(self._summary(snapshot))


@dataclass(slots=True)
class Fallen:
    """A piece that is not under control any more.

    `before` is the last frame of its control. `expects_place` is false if nothing was planned for it. `is_sure` says
    that it has locked: it was followed by another piece, or the map said so. `judge` is that of its edition.
    """

    chosen: Placement | None
    expects_place: bool
    before: Snapshot
    is_sure: bool
    judge: LockJudge


class Landings:
    """The locks of one player's pieces. Call `use` before the first one.

    `is_abrupt` is true from a lock that no phase told of, until the next piece has locked.
    """

    def __init__(self, score: Scorekeeper, doubts: Doubts) -> None:
        self._score, self._doubts = score, doubts
        self.forget()

    def use(self, edition: Edition) -> None:
        """Judge by this edition from now on."""
        self.judge = edition.lock_judge

    def forget(self) -> None:
        """The machine became another one."""
        self._fallen: Fallen | None = None
        self._stale: Sequence[Piece | None] = ()  # where the piece that locked last may still be shown
        self.is_abrupt = False
        self._waited = 0  # frames of the next piece in which the board was not ready for it

    def fell(self, fallen: Fallen) -> None:
        """A piece is not under control any more; `settle` finds out where it locked."""
        self._fallen, self._stale, self._waited = fallen, (), 0

    def take_back(self) -> None:
        """The piece that fell last is under control after all."""
        self._fallen = None

    def settle(self, snapshot: Snapshot) -> bool:
        """Count the piece that fell last if this frame shows where it locked. Returns whether it did."""
        fallen = self._fallen
        if fallen is None:
            return False
        told = snapshot.phase.between_pieces
        fallen.is_sure |= told
        place = fallen.judge.place(fallen.before, snapshot, fallen.chosen)
        if place is not None:
            self._count(fallen, place)
            self._stale, self.is_abrupt = (fallen.before.current, place), not told
        return place is not None

    def ended(self, snapshot: Snapshot) -> None:
        """The game is over, or it was left: nothing shows any more where a piece locked."""
        if self._fallen is not None:
            self._doubts.left(snapshot)
        self.forget()

    def hold_up(self, snapshot: Snapshot, plans: bool) -> bool:
        """Returns whether no piece may begin in this frame of play, which shows one.

        It may be the one that has locked, still shown where it was. Or the board does not show the last lock yet: it is
        waited for if the piece is planned, because plans need the board.
        """
        fallen, piece = self._fallen, snapshot.current
        if fallen is not None and not self.settle(snapshot):
            if not fallen.is_sure:  # one frame was out of play, and the piece goes on
                self._fallen = None
            elif piece == fallen.before.current or not self.judge.is_free(snapshot):
                return True
            elif plans and self._waited < LATE:
                self._waited += 1
                return True
            else:
                self._count(fallen, None)
                self.is_abrupt = True
        if self._stale and piece in self._stale:
            return True
        self._stale = ()
        if not self.judge.is_free(snapshot):
            return True
        if plans and self._waited < LATE and not self.judge.is_settled(snapshot):
            self._waited += 1
            return True
        return False

    def _count(self, fallen: Fallen, place: Piece | None) -> None:
        self._fallen = None
        if not fallen.expects_place:
            self._score.piece(None, None)
        elif fallen.chosen is None:
            self._doubts.unplaced()
        elif place is None:
            self._score.unseen_piece()
            self._doubts.placed(fallen.chosen, None)
        else:
            self._score.piece(fallen.chosen, place)
            self._doubts.placed(fallen.chosen, place)


def same_place(chosen: Placement, locked: Piece) -> bool:
    """Returns whether a piece locked where it was meant to."""
    return (chosen.orientation, chosen.column, chosen.row) == (locked.orientation, locked.column, locked.row)
