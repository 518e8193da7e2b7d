"""Counts a recorded pairs game anew from its rows alone: what the pilot says of itself is checked against this."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emubot.pad import Pad, legal
from emubot.trace import Trace

CONTROL, SETTLE, BIG = 1, 2, 9


@dataclass(frozen=True)
class Recount:
    """Locks of planned pairs, those that locked elsewhere, plans beyond the first, lag frames, pads nobody may send."""

    pieces: int
    misplaced: int
    replans: int
    lag_frames: int
    forbidden_pads: int


def recount(trace: Trace, player: int = 0) -> Recount:
    """Of a game of the demo cartridge, whose raw orientation 0 has the top half below the pivot, 1 left of it, ..."""
    prefix = "p2." if player else ""

    def column(name: str) -> NDArray[np.int64]:
        return trace.column(prefix + name).astype(np.int64)

    state = column("play_state")
    locks = np.flatnonzero((state[1:] == SETTLE) & (state[:-1] == CONTROL)) + 1
    where = np.stack([(column("orientation") + 2) % 4, column("x") - 1, column("y") - 1], axis=1)
    where[column("current_bottom") >= BIG, 0] = 0  # an item has one orientation
    pieces = misplaced = replans = 0
    planned = -1
    assert (trace.plans[:, 0] <= trace.frames).all(), "a plan belongs to a row of its own game"
    for row, *chosen in trace.plans.tolist():
        later = locks[locks >= row]
        if not len(later):
            continue
        if later[0] == planned:  # another plan for the same pair
            replans += 1
            continue
        planned = later[0]
        pieces += 1
        misplaced += where[planned].tolist() != chosen
    counter = trace.column("game_counter").astype(np.int64) + 256 * trace.column("game_counter+1").astype(np.int64)
    held = [Pad(int(value)) for value in trace.column(prefix + "held_buttons")]
    return Recount(
        pieces=pieces,
        misplaced=misplaced,
        replans=replans,
        lag_frames=int((np.diff(counter) % 65536 != 1).sum()),
        forbidden_pads=sum(not legal(pad) or bool(pad & Pad.SELECT) for pad in held),
    )
