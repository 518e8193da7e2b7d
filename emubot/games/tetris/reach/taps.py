"""Finds every lock that taps can reach, frame by frame; knows no DAS, no soft drop and no evaluation.

Without soft drop all live states of a frame share the pivot's row and the fall timer. So a state is only (frames until
the next edge is allowed, orientation, column): one packed word (see board.py) for each value of that limiter. Soft drop
adds no lock: a piece that falls later can have the same edges in the same rows, and wait.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.tetris.board.board import LANE, Words, turn, turn_back
from emubot.games.tetris.reach.state import Begin, History, InputRules, idle_frames, rows_of_drop
from emubot.jit import Scalar, inlined, lean

# Shift and turn of one edge frame, in order of preference: one input before two.
EDGES: Final = np.array([(-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)], dtype=np.int64)


@lean
def reach_taps(
    fits: Words,
    lanes: Scalar,
    begin: Begin,
    gravity: Scalar,
    input_rules: InputRules,
    words: Words,
    locks: Words,
    history: History,
) -> Scalar:
    """`fill_locks` by taps; `words` is `Scratch.taps`."""
    bit = np.int64(1) << (LANE * begin.lane + begin.column)
    row, fall_timer, wait = begin.row, begin.fall_timer, begin.wait
    limiter, period = begin.limiter, input_rules.period
    recording = len(history.rows) > 0
    locks[:] = 0
    words[:period] = 0
    words[0] = bit
    reached = bit
    frame = 0
    while reached:
        fit = fits[row]
        fall_timer = (fall_timer + 1) & 0xFF
        settled = False
        if limiter > 0:
            limiter -= 1
        else:
            ready = words[0]
            words[0] |= words[1]
            for index in range(1, period - 1):
                words[index] = words[index + 1]
            shifted = (ready << 1 | ready >> 1) & fit
            turned = ready | shifted
            turned = (turn(turned, lanes) | turn_back(turned, lanes)) & fit
            # A state that was reached before has less to wait and can do all that a fresh one can.
            fresh = (shifted | turned) & ~reached
            words[period - 1] = fresh
            reached |= fresh
            settled = ready == reached and not recording
        if recording:
            copy(words[:period], history.taps[frame])
            history.rows[frame] = row
        frame += 1
        if wait > 0:
            wait -= 1
        elif (fall_timer - gravity) & 0x80 == 0:  # the game compares them as a signed byte
            fall_timer = 0
            for _ in range(rows_of_drop(gravity)):
                below = fits[row + 1]
                locks[row] |= reached & ~below & fit
                reached &= below
                for index in range(period):
                    words[index] &= below
                row += 1
                if reached == 0:
                    break
                fit = fits[row]
            continue
        if settled:
            skipped, fall_timer = idle_frames(fall_timer, wait, gravity)
            frame += skipped
            wait = 0
    return frame


@lean
def trace_taps(
    fits: Words,
    lanes: Scalar,
    start_bit: Scalar,
    target_bit: Scalar,
    last: Scalar,
    limiter: Scalar,
    period: Scalar,
    history: NDArray[np.int64],
    history_rows: Words,
    shifts: Words,
    turns: Words,
) -> None:
    """Write the shifts and turns of frames 0 to `last`, in which the piece `target_bit` locks: -1 (left, B), 0 or 1.

    The trace goes back through the recorded words. It prefers "no edge" wherever the state was already reached, so
    edges come as early as possible, and it prefers one edge to two.
    """
    bit = target_bit
    wait = 0
    while not history[last, wait] & bit:
        wait += 1
    for frame in range(last, -1, -1):
        shifts[frame] = 0
        turns[frame] = 0
        if frame < limiter:
            continue
        if _was(history, history_rows, fits, start_bit, frame - 1, wait, bit) and wait == 0:
            continue
        if wait + 1 < period and _was(history, history_rows, fits, start_bit, frame - 1, wait + 1, bit):
            wait += 1
            continue
        fit = fits[history_rows[frame]]
        wait = 0
        for edge in range(len(EDGES)):
            shifted, turned = EDGES[edge, 0], EDGES[edge, 1]
            before = origin(bit, fit, lanes, shifted, turned)
            if before and _was(history, history_rows, fits, start_bit, frame - 1, 0, before):
                bit = before
                shifts[frame] = shifted
                turns[frame] = turned
                break


@inlined
def origin(bit: Scalar, fit: Scalar, lanes: Scalar, shifted: Scalar, turned: Scalar) -> Scalar:
    """Returns the bit from which a shift (-1, 0, 1), then a turn (-1, 0, 1) lead to `bit`; 0 if the shift does not fit.

    The bit may be no state (beside the board): look it up among the recorded states.
    """
    if turned == 1:
        bit = turn_back(bit, lanes)
    elif turned == -1:
        bit = turn(bit, lanes)
    if shifted == 1:
        bit = (bit & fit) >> 1
    elif shifted == -1:
        bit = (bit & fit) << 1
    return bit


@lean
def _was(
    history: NDArray[np.int64],
    history_rows: Words,
    fits: Words,
    start_bit: Scalar,
    frame: Scalar,
    wait: Scalar,
    bit: Scalar,
) -> bool:
    """Returns whether the state was reached by the end of `frame` (-1: the start) and survived that frame's drop."""
    if frame < 0:
        return bool(wait == 0 and bit == start_bit)
    for row in range(history_rows[frame] + 1, history_rows[frame + 1] + 1):
        if fits[row] & bit == 0:
            return False
    return bool(history[frame, wait] & bit)
