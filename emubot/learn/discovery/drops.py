"""Drops the same piece in every column and reads where it came to rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.learn.discovery.lab import History, Lab, taps
from emubot.learn.discovery.moves import Axis
from emubot.pad import Pad

TURNS: Final = 4  # orientations that a piece may have
_LONGEST: Final = 900  # frames in which a piece that falls with DOWN held must have come to rest
_MOST_SHIFTS: Final = 16  # columns to one side
_TURN_SETTLES: Final = 4  # frames after the last tap


@dataclass(frozen=True, slots=True)
class Drop:
    """A piece that fell: its frames, the first frame of the piece after it, and the moment of that frame."""

    frames: History
    next_state: bytes

    @property
    def last(self) -> History:
        """The last frame before the next piece."""
        return self.frames[-2:-1]

    @property
    def rested(self) -> History:
        """The first frame of the next piece: the board has what fell."""
        return self.frames[-1:]


class GoneAstray(Exception):
    """The game did not go on as an experiment needs: it is over, or no next piece came."""


def drop(lab: Lab, state: bytes, row: Axis, way: Pad = Pad.NONE, times: int = 0, turns: int = 0) -> Drop:
    """Turn a piece, tap it aside, let it fall with DOWN held, and wait for the next piece.

    The next piece is there when the row goes back. Raises GoneAstray if that does not happen, or happens too early.
    """
    lab.load(state)
    parts = [lab.play([*taps(Pad.A, turns), *taps(way, times), *[Pad.NONE] * _TURN_SETTLES])]
    if row.went_back(parts[0]).any():
        raise GoneAstray
    for _ in range(_LONGEST):
        parts.append(lab.play([Pad.DOWN]))
        if row.went_back(np.concatenate(parts[-2:])[-2:])[0]:
            return Drop(np.concatenate(parts), lab.save())
    raise GoneAstray


def in_every_column(lab: Lab, state: bytes, row: Axis, column: Axis, turns: int = 0) -> Mapping[int, Drop]:
    """Returns the drops of one piece by the columns that it was moved to the right, from wall to wall.

    Raises GoneAstray as `drop` does.
    """
    middle = drop(lab, state, row, turns=turns)
    drops = {0: middle}
    for way, sign in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
        for times in range(1, _MOST_SHIFTS + 1):
            moved = drop(lab, state, row, way, times, turns)
            if column.since(middle.last, moved.last)[0] != sign * times:
                break
            drops[sign * times] = moved
    return dict(sorted(drops.items()))
