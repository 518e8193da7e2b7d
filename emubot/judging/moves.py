"""Finds the moves of a game in its frames, while it is played or afterwards; judges nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from emubot.errors import PositionError
from emubot.snapshot import Phase, Piece, Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One piece: its number from 1, the frame and the snapshot in which it came under control, and where it locked."""

    number: int
    frame: int
    snapshot: Snapshot
    locked: Piece


class MoveFinder:
    """Looks at every frame of a game, in order."""

    def __init__(self) -> None:
        self.begun: tuple[int, Snapshot] | None = None  # the frame in which the piece in the air came under control
        self._last: Snapshot | None = None
        self._number = 0

    def see(self, frame: int, snapshot: Snapshot) -> Move | None:
        """Returns the piece that has locked in this frame, if one has."""
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            if self.begun is None:
                self.begun = (frame, snapshot)
            self._last = snapshot
        elif self.begun is not None and self._last is not None and snapshot.phase is not Phase.PAUSED:
            begun, last = self.begun, self._last
            self.begun = self._last = None
            if snapshot.phase.between_pieces or snapshot.phase is Phase.OVER:
                self._number += 1
                return Move(self._number, *begun, _locked(last, snapshot))
        return None


def moves_of(snapshots: Iterable[Snapshot]) -> Iterator[Move]:
    """Yields every piece that locked, in order. A piece still in the air at the end is left out.

    Raises PositionError at a frame that no game can have.
    """
    finder = MoveFinder()
    for frame, snapshot in enumerate(snapshots):
        if snapshot.fault is not None:
            raise PositionError(f"No game can have the position in frame {frame}: {snapshot.fault}. Review another.")
        move = finder.see(frame, snapshot)
        if move is not None:
            yield move


def _locked(last: Snapshot, after: Snapshot) -> Piece:
    """Returns where the piece of `last` locked: in the frame of its lock it may still have made a step or a turn."""
    before, now = last.current, after.current
    assert before is not None, "it was under control"
    if now is None or after.phase is not Phase.LOCKED or not np.array_equal(last.playfield, after.playfield):
        return before
    return now if abs(now.column - before.column) <= 1 and 0 <= now.row - before.row <= 1 else before
