"""Plays around the crashes of the original program: which lock, and how; knows no order of search and no RAM.

What the program counts after a lock takes a little longer or shorter if the next piece is shown or hidden, which SELECT
changes, and if the piece dropped softly for a few rows. On these levels a piece falls a row in each frame anyway, so
DOWN changes nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.crashes import CRASHES_FROM, fill_risks
from emubot.games.tetris.reach import timeline
from emubot.games.tetris.reach.start import gravity_at
from emubot.games.tetris.rules import Profile
from emubot.games.tetris.search.two_plies import DEAD
from emubot.pad import Pad
from emubot.snapshot import Piece, Placement
from emubot.tempo import Tempo

if TYPE_CHECKING:
    from emubot.games.tetris.search.search import Position

FRAMES_DOWN: Final = 5  # at the end of a fall: the first one begins a soft drop, and every second one is a row of it
Place = tuple[int, int, int]


class Way(NamedTuple):
    """How a piece locks: with the next piece hidden, and after FRAMES_DOWN of DOWN."""

    hidden: bool = False
    dropped: bool = False


# Those that do least come first.
_WAYS: Final = (Way(), Way(hidden=True), Way(dropped=True), Way(hidden=True, dropped=True))


class Caution:
    """Chooses locks, and ways to them, at which a crash is least probable, for a tempo in a release."""

    def __init__(self, tempo: Tempo, profile: Profile) -> None:
        self._tempo, self._profile = tempo, profile

    def choose(self, position: Position, locks: NDArray[np.int64], values: NDArray[np.float64], best: int) -> int:
        """Returns the choice among the locks (n, 3): that of the highest value where a crash is least probable.

        `best` counts as the highest. DEAD is added to the values of those at which one is more probable.
        """
        if position.level < CRASHES_FROM - 1 or not len(locks):
            return best
        risks = _risks(position, locks)
        least, chosen, lowest = np.empty(len(locks)), best, 2.0
        for index in sorted(range(len(locks)), key=lambda index: (index != best, -values[index])):
            least[index] = self._least(position, locks[index], risks[index])[0]
            if least[index] < lowest:
                chosen, lowest = index, least[index]
        values[least > lowest] += DEAD
        return chosen

    def way(self, position: Position, place: Place) -> Way | None:
        """Returns how a lock is reached with the least risk; None where no lock crashes, so either way will do."""
        if position.level < CRASHES_FROM - 1:
            return None
        lock = np.array(place, dtype=np.int64)
        risks = _risks(position, lock[None])[0]
        return self._least(position, lock, risks)[1] if risks.any() else None

    def _least(self, position: Position, lock: NDArray[np.int64], risks: NDArray[np.float64]) -> tuple[float, Way]:
        """Returns the least risk of a lock and the way to it; `risks` (2, 2) are without and with a drop, as shown."""
        best, chosen = 2.0, Way()
        for way in _WAYS:
            risk = float(risks[int(way.dropped), int(not way.hidden)])
            if risk < best and not (way.dropped and self._idle(position, lock) < FRAMES_DOWN):
                best, chosen = risk, way
        return best, chosen

    def _idle(self, position: Position, lock: NDArray[np.int64]) -> int:
        """Returns the frames without an input at the end of the fall to a lock."""
        target, gravity = Piece(*map(int, lock)), gravity_at(position.level, self._profile)
        route = timeline(position.rows, position.start, target, gravity, self._tempo, self._profile, soft_drop=False)
        return idle_at_end(route.placement)


def idle_at_end(placement: Placement) -> int:
    """Returns the frames without an input at the end of a placement's timeline."""
    pads = [step.pad for step in placement.timeline]
    return next((frames for frames, pad in enumerate(reversed(pads)) if pad), len(pads))


def taken(placement: Placement, way: Way, is_hidden: bool | None) -> Placement:
    """Returns the placement with the buttons of a way; `is_hidden` says whether the next piece is hidden now.

    If nobody knows that, it stays as it is.
    """
    steps = list(placement.timeline)
    if way.dropped and idle_at_end(placement) >= FRAMES_DOWN:
        steps[-FRAMES_DOWN:] = [step._replace(pad=step.pad | Pad.DOWN) for step in steps[-FRAMES_DOWN:]]
    if steps and is_hidden is not None and way.hidden != is_hidden:
        steps[0] = steps[0]._replace(pad=steps[0].pad | Pad.SELECT)
    return replace(placement, timeline=tuple(steps))


def _risks(position: Position, locks: NDArray[np.int64]) -> NDArray[np.float64]:
    risks = np.zeros((len(locks), 2, 2))
    fill_risks(position.rows, locks, position.lines, position.level, risks)
    return risks
