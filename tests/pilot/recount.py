"""Counts a recorded game anew from its rows alone: what the pilot says of itself is checked against this."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emubot.pad import Pad, legal
from emubot.trace import Trace

LOCKING, CONTROL, PAUSED = 2, 1, 7


@dataclass(frozen=True)
class Recount:
    """Locks of planned pieces, those that locked elsewhere, frames that did not advance, pads that no one may send."""

    pieces: int
    misplaced: int
    replans: int
    lag_frames: int
    forbidden_pads: int
    lines: int
    adjustments: int = 0


def recount(trace: Trace, see_next: int = 0) -> Recount:
    """With `see_next`, a plan so many frames after a piece's first one is an adjustment, and where it is to lock."""
    play_state = trace.column("play_state")
    locks = np.flatnonzero((play_state[1:] == LOCKING) & (play_state[:-1] == CONTROL)) + 1
    pieces = misplaced = replans = adjustments = 0
    planned = first = -1
    elsewhere = False
    assert (trace.plans[:, 0] <= trace.frames).all(), "a plan belongs to a row of its own game"
    for row, *chosen in trace.plans.tolist():
        later = locks[locks >= row]
        if not len(later):
            continue
        where = [int(trace.column(name)[later[0]]) for name in ("piece", "x", "y")]
        if later[0] == planned:  # another plan for the same piece
            if see_next and row == first + see_next:
                adjustments += 1
                misplaced += (where != chosen) - elsewhere
            else:
                replans += 1
            continue
        planned, first = later[0], row
        pieces += 1
        elsewhere = where != chosen
        misplaced += elsewhere
    counter = trace.column("frame_lo").astype(int) + 256 * trace.column("frame_hi").astype(int)
    # In control every frame of the game moves the fall timer, or sets it back and the piece down.
    in_control = (play_state == CONTROL) & (trace.column("game_mode_state") != PAUSED)
    same = [np.diff(trace.column(name).astype(int)) == 0 for name in ("fall_timer", "x", "y", "piece")]
    still = in_control[1:] & in_control[:-1] & np.all(same, axis=0)
    held = [Pad(int(value)) for value in trace.pads[:, 1]]
    return Recount(
        pieces=pieces,
        misplaced=misplaced,
        replans=replans,
        lag_frames=int((np.diff(counter) % 65536 != 1).sum() + still.sum()),
        forbidden_pads=sum(not legal(pad) or bool(pad & Pad.SELECT) for pad in held),
        lines=int(trace.column("lines_lo")[-1] >> 4) * 10
        + int(trace.column("lines_lo")[-1] & 15)
        + 100 * int(trace.column("lines_hi")[-1]),
        adjustments=adjustments,
    )
