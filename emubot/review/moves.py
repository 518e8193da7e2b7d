"""The placements of a game, from its frames: where each piece began and where it locked; knows no family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emubot.errors import PositionError
from emubot.snapshot import Phase, Piece, Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One piece: its number from 1, the frame and the snapshot in which it came under control, and where it locked."""

    number: int
    frame: int
    snapshot: Snapshot
    locked: Piece


def moves_of(snapshots: Iterable[Snapshot]) -> Iterator[Move]:
    """Yields every piece that locked, in order. A piece still in the air at the end is left out.

    Raises PositionError at a frame that no game can have.
    """
    begun: tuple[int, Snapshot] | None = None
    last: Piece | None = None
    number = 0
    for frame, snapshot in enumerate(snapshots):
        if snapshot.fault is not None:
            raise PositionError(f"No game can have the position in frame {frame}: {snapshot.fault}. Review another.")
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            if begun is None:
                begun = (frame, snapshot)
            last = snapshot.current
        elif begun is not None and last is not None and snapshot.phase is not Phase.PAUSED:
            if snapshot.phase.between_pieces or snapshot.phase is Phase.OVER:
                number += 1
                yield Move(number, begun[0], begun[1], last)
            begun = last = None
