"""Counts pieces, games and points towards a goal; knows no bridge and presses nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from emubot.pilot.tally import Tally
from emubot.snapshot import Piece, Placement, Snapshot

RUNNING: Final = "running"
_LOG = logging.getLogger(__name__)
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
        """Count a piece that locked in frames that the bridge missed. Its place is unknown: it counts as misplaced."""
        _LOG.info("a piece locked while no frame was seen; it counts as misplaced")
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


def same_place(chosen: Placement, locked: Piece) -> bool:
    """Returns whether a piece locked where it was meant to."""
    return (chosen.orientation, chosen.column, chosen.row) == (locked.orientation, locked.column, locked.row)
