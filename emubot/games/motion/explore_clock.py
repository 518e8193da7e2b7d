"""Finds every lock that a piece can reach by a fine clock (clock.py), frame by frame; knows no pads and no game.

Soft drop changes the clock, so it is left out here. An entry is a place (orientation, row, column) in a frame, with the
first frames of the next shift and turn, and the frames at rest that are left. It is dropped if another one of the same
place is as early on both input clocks and has as many frames left. At rest it is also dropped if a piece rested there
in an earlier frame of the same phase of the clock, with no longer waits and as many frames left: what it can do then,
it could do before.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.motion.explore import (
    APART_AT,
    CLOCKWISE_AT,
    DROPPED,
    FRAMES,
    HARD_DROP_AT,
    LABEL,
    NOBODY,
    PERIOD_AT,
    turn_at,
)
from emubot.games.motion.shapes import CLOCKWISE, COUNTERCLOCKWISE
from emubot.jit import Scalar, inlined, kernel

# Columns of an entry, int64: the place as an index into `fits`, the first frames of the next shift and turn, frames
# left, the label of the last input (NOBODY: none), the next older entry of this place.
PLACE, SHIFT_FROM, TURN_FROM, LEFT, LAST, OLDER = range(6)
_DEAD: Final = -2  # as a place: a better entry took it
# Columns of `log`, int64 (labels, 3): the label before, the frame of the input, the action (as in explore.py).
BEFORE, FRAME, ACTION = range(3)
LABEL_SIZE: Final = 3
# Indices of `begin`, int64: the piece before frame 0, and the rules of its lock.
ORIENTATION_AT, ROW_AT, COLUMN_AT, LEFT_AT, SHIFT_FROM_AT, TURN_FROM_AT, CEILING_AT, DELAY_AT, RESTORE_AT = range(9)


@kernel
def explore_clock(
    fits: NDArray[np.uint8],
    turns: NDArray[np.int8],
    falls: NDArray[np.int64],
    phases: NDArray[np.int64],
    begin: NDArray[np.int64],
    input_rules: NDArray[np.int64],
    log: NDArray[np.int64],
    locks: NDArray[np.int64],
) -> Scalar:
    """Fill `locks` with the earliest lock at each place that is reached within `len(falls)` frames.

    `falls` are the rows due in each frame, `phases` the phase of the clock after it, from 0 on. A piece that is still
    in the air at the end falls straight to its lock. Returns the number of labels written, or -1 if `log` is full. The
    arrays are as in explore.py, but that a lock whose frames are NOBODY does not exist, and one whose label is NOBODY
    needs no input.
    """
    _, height, width = fits.shape
    period, apart = input_rules[PERIOD_AT], input_rules[APART_AT] != 0
    delay, restore = begin[DELAY_AT], begin[RESTORE_AT] != 0
    newest = np.full(fits.size, NOBODY, dtype=np.int64)
    entries = np.empty((2, len(log), 6), dtype=np.int64)
    # The most frames left at rest, by the waits for the next shift and turn; taps have one wait for both.
    waits = period + 1
    rested = np.zeros((fits.size, phases.max() + 1, waits, waits if apart else 1), dtype=np.int16)
    locks[:] = NOBODY
    start = (begin[ORIENTATION_AT] * height + begin[ROW_AT]) * width + begin[COLUMN_AT]
    labels, now, then = 0, 0, 1
    count = _push(entries[0], newest, 0, start, begin[SHIFT_FROM_AT], begin[TURN_FROM_AT], begin[LEFT_AT], NOBODY)
    for frame in range(len(falls)):
        for index in range(count):
            if entries[now, index, PLACE] != _DEAD:
                newest[entries[now, index, PLACE]] = NOBODY
        total = 0
        for step in range(2 * count):  # first all that wait, so that what comes later to the same place is dropped
            index, acting = step % count, step >= count
            place, before = entries[now, index, PLACE], entries[now, index, LAST]
            if place == _DEAD:
                continue
            shift_from, turn_from = entries[now, index, SHIFT_FROM], entries[now, index, TURN_FROM]
            column, row, orientation = place % width, place // width % height, place // (width * height)
            if acting and input_rules[HARD_DROP_AT] and frame == max(shift_from, turn_from, 0):
                landing = _landing(fits, orientation, row, column)
                if fits[orientation, landing, column]:
                    _lock(locks, place + (landing - row) * width, before, frame + 1, 1)
            for turn in range(3 if acting else 1):
                new_orientation, new_row, new_column = orientation, row, column
                if turn > 0:
                    if input_rules[CLOCKWISE_AT + turn - 1] == 0 or turn_from > frame:
                        continue
                    direction = CLOCKWISE if turn == 1 else COUNTERCLOCKWISE
                    new_orientation, new_row, new_column = turn_at(
                        fits, turns, direction, orientation, row, column, begin[CEILING_AT]
                    )
                    if new_orientation < 0:
                        continue
                for shift in range(3 if acting else 1):
                    acts = turn > 0 or shift > 0
                    if acts != acting:
                        continue
                    x = new_column + (0 if shift == 0 else -1 if shift == 1 else 1)
                    if shift > 0 and (shift_from > frame or not (0 <= x < width and fits[new_orientation, new_row, x])):
                        continue
                    if labels + 1 > len(log) or total + 1 > len(log):
                        return -1
                    next_shift, next_turn = shift_from, turn_from
                    if acts:
                        next_shift = frame + period if shift > 0 or not apart else shift_from
                        next_turn = frame + period if turn > 0 or not apart else turn_from
                    y, due = new_row, falls[frame]
                    while due > 0 and y + 1 < height and fits[new_orientation, y + 1, x]:
                        y += 1
                        due -= 1
                    left, ends = entries[now, index, LEFT], due > 0
                    reached = (new_orientation * height + y) * width + x
                    label = before
                    if acts:
                        log[labels, BEFORE], log[labels, FRAME], log[labels, ACTION] = before, frame, shift + 3 * turn
                        label = labels
                    if delay > 0:
                        ends = False
                        if y > new_row or (acts and restore):
                            left = delay
                        if y + 1 >= height or not fits[new_orientation, y + 1, x]:
                            left -= 1
                            if (
                                fits[new_orientation, y, x]
                                and _lock(locks, reached, label, frame + 1 + left, 0)
                                and acts
                            ):
                                labels += 1
                                acts = False  # its label is kept already
                            ends = left <= 0 or _known(
                                rested[reached, phases[frame]], next_shift - frame - 1, next_turn - frame - 1, left
                            )
                    elif ends and fits[new_orientation, y, x] and _lock(locks, reached, label, frame + 1, 0) and acts:
                        labels += 1
                    if not ends:
                        longer = _push(entries[then], newest, total, reached, next_shift, next_turn, left, label)
                        labels += 1 if acts and longer > total else 0
                        total = longer
        now, then, count = then, now, total
        if count == 0:
            break
    for index in range(count):
        place = entries[now, index, PLACE]
        if place != _DEAD:
            column, row, orientation = place % width, place // width % height, place // (width * height)
            landing = _landing(fits, orientation, row, column)
            if fits[orientation, landing, column]:
                fallen = place + (landing - row) * width
                _lock(locks, fallen, entries[now, index, LAST], len(falls) + landing - row, 0)
    return labels


@inlined
def _known(rested: NDArray[np.int16], shift_wait: Scalar, turn_wait: Scalar, left: Scalar) -> bool:
    """Returns whether a piece rested so before with no longer waits and as many frames left; notes this one."""
    waits, turn_waits = rested.shape
    shift_wait, turn_wait = max(shift_wait, 0), max(turn_wait, 0) if turn_waits > 1 else 0
    if shift_wait >= waits or turn_wait >= turn_waits:
        return False
    if rested[shift_wait, turn_wait] >= left:
        return True
    for longer in range(shift_wait, waits):
        for later in range(turn_wait, turn_waits):
            rested[longer, later] = max(rested[longer, later], left)
    return False


@inlined
def _landing(fits: NDArray[np.uint8], orientation: Scalar, row: Scalar, column: Scalar) -> Scalar:
    """Returns the row index at the end of a straight fall."""
    while row + 1 < fits.shape[1] and fits[orientation, row + 1, column]:
        row += 1
    return row


@inlined
def _push(
    entries: NDArray[np.int64],
    newest: NDArray[np.int64],
    count: Scalar,
    place: Scalar,
    shift_from: Scalar,
    turn_from: Scalar,
    left: Scalar,
    label: Scalar,
) -> Scalar:
    """Append an entry unless one of this place is as good; returns the new count."""
    other = newest[place]
    while other >= 0:
        if (
            entries[other, SHIFT_FROM] <= shift_from
            and entries[other, TURN_FROM] <= turn_from
            and entries[other, LEFT] >= left
        ):
            return count
        other = entries[other, OLDER]
    newer: Scalar = np.int64(NOBODY)
    other = newest[place]
    while other >= 0:
        older = entries[other, OLDER]
        if (
            shift_from <= entries[other, SHIFT_FROM]
            and turn_from <= entries[other, TURN_FROM]
            and left >= entries[other, LEFT]
        ):
            entries[other, PLACE] = _DEAD
            if newer < 0:
                newest[place] = older
            else:
                entries[newer, OLDER] = older
        else:
            newer = other
        other = older
    entries[count, PLACE], entries[count, SHIFT_FROM], entries[count, TURN_FROM] = place, shift_from, turn_from
    entries[count, LEFT], entries[count, LAST], entries[count, OLDER] = left, label, newest[place]
    newest[place] = count
    return count + 1


@inlined
def _lock(locks: NDArray[np.int64], place: Scalar, label: Scalar, frames: Scalar, dropped: Scalar) -> bool:
    """Note a lock if it is the earliest of its place; returns whether it is."""
    if locks[place, FRAMES] < 0 or frames < locks[place, FRAMES]:
        locks[place, LABEL], locks[place, FRAMES], locks[place, DROPPED] = label, frames, dropped
        return True
    return False
