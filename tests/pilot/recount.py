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


def recount(trace: Trace) -> Recount:
    play_state = trace.column("play_state")
    locks = np.flatnonzero((play_state[1:] == LOCKING) & (play_state[:-1] == CONTROL)) + 1
    pieces = misplaced = replans = 0
    planned = -1
    assert (trace.plans[:, 0] <= trace.frames).all(), "a plan belongs to a row of its own game"
    for row, *chosen in trace.plans.tolist():
        later = locks[locks >= row]
        if not len(later):
            continue
        if later[0] == planned:  # another plan for the same piece
            replans += 1
            continue
        planned = later[0]
        where = [int(trace.column(name)[later[0]]) for name in ("piece", "x", "y")]
        pieces += 1
        misplaced += where != chosen
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
    )
