"""Finds every lock that a piece can reach under a tempo, and a way to each; knows no pads, no evaluation and no game.

Without soft drop, inputs do not change the fall timer. So time is divided into spans, from one fall to the next, which
are the same for all ways. A label is a place (orientation, row, column) in a span, with the first frames in which the
next shift and the next turn may come. An earlier input is never worse. So each label acts once, and a label is dropped
if another one of the same place and span is as early on both clocks. After a fall only the remaining waits count: a
label is dropped there too if the piece was in that place after an earlier fall, with no longer waits. So floor kicks
cannot go on for ever.

Soft drop reaches no other lock: each input with it is also possible with every span at its full length.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.motion.shapes import CLOCKWISE, COUNTERCLOCKWISE
from emubot.jit import Scalar, inlined, kernel

# Columns of `log`, int64 (labels, 9): the place as an index into `fits`, the first frames of the next shift and turn,
# the label before, the frame of the last input (NOBODY: none yet), the action that led here, the span; then the next
# older label of this place in this span (DEAD if a better label replaced this one), and the next older one of this
# place after a fall.
PLACE, SHIFT_FROM, TURN_FROM, BEFORE, FRAME, ACTION, SPAN, OLDER, AFTER_FALL = range(9)
LABEL_SIZE: Final = 9
NOBODY, DEAD = -1, -2
# An action is shift + 3 * turn. Shifts: 0 none, 1 left, 2 right. Turns: 0 none, 1 clockwise, 2 counterclockwise.
# FELL is one row down.
FELL: Final = 0
_MOST_ACTIONS: Final = 8

# Indices of `begin`, int64: the piece before frame 0, the fall, and the first frames that may carry an edge.
(
    ORIENTATION_AT,
    ROW_AT,
    COLUMN_AT,
    TIMER_AT,
    GRAVITY_AT,
    CEILING_AT,
    SHIFT_FROM_AT,
    TURN_FROM_AT,
) = range(8)
# Indices of `input_rules`, int64: frames between edges, whether turns have their own clock, and which moves exist.
PERIOD_AT, APART_AT, CLOCKWISE_AT, COUNTERCLOCKWISE_AT, HARD_DROP_AT = range(5)
# Columns of `locks`, int64 (places, 3): the label that locks there (NOBODY: none), frames to the lock, whether by a
# hard drop.
LABEL, FRAMES, DROPPED = range(3)


@kernel
def explore(
    fits: NDArray[np.uint8],
    turns: NDArray[np.int8],
    begin: NDArray[np.int64],
    input_rules: NDArray[np.int64],
    log: NDArray[np.int64],
    locks: NDArray[np.int64],
) -> Scalar:
    """Fill `locks` with the earliest lock at each place, without soft drop.

    Returns the number of labels written, or -1 if `log` is full. `fits` is as in shapes.Places, `turns` as in
    shapes.Shapes; `begin` has row and column as indices into `fits`. A hard drop waits for both clocks and takes a
    frame of its own.
    """
    _, height, width = fits.shape
    period, apart = input_rules[PERIOD_AT], input_rules[APART_AT] != 0
    latest = np.full(fits.size, NOBODY, dtype=np.int64)  # the newest label of each place in this span
    fallen = np.full(fits.size, NOBODY, dtype=np.int64)  # the newest label of each place after any fall
    locks[:] = NOBODY
    place = (begin[ORIENTATION_AT] * height + begin[ROW_AT]) * width + begin[COLUMN_AT]
    count = _push(log, latest, 0, place, begin[SHIFT_FROM_AT], begin[TURN_FROM_AT], NOBODY, NOBODY, FELL, 0)
    opening, span = 0, 0
    start, end = 0, begin[TIMER_AT] - 1
    while opening < count:
        label = opening
        while label < count:
            if count + _MOST_ACTIONS > len(log):
                return -1
            if log[label, OLDER] != DEAD:
                place = log[label, PLACE]
                column, row, orientation = place % width, place // width % height, place // (width * height)
                shift_from, turn_from = max(log[label, SHIFT_FROM], start), max(log[label, TURN_FROM], start)
                for turn in range(3):
                    new_orientation, new_row, new_column = orientation, row, column
                    frame = shift_from
                    if turn > 0:
                        if input_rules[CLOCKWISE_AT + turn - 1] == 0 or turn_from > end:
                            continue
                        direction = CLOCKWISE if turn == 1 else COUNTERCLOCKWISE
                        new_orientation, new_row, new_column = turn_at(
                            fits, turns, direction, orientation, row, column, begin[CEILING_AT]
                        )
                        if new_orientation < 0:
                            continue
                        place = (new_orientation * height + new_row) * width + new_column
                        later = max(shift_from, turn_from + 1) if apart else turn_from + period
                        count = _push(
                            log, latest, count, place, later, turn_from + period, label, turn_from, 3 * turn, span
                        )
                        frame = max(shift_from, turn_from)
                    if frame > end:
                        continue
                    later = max(turn_from, frame + 1) if apart and turn == 0 else frame + period
                    for shift in (1, 2):
                        shifted = new_column + (-1 if shift == 1 else 1)
                        if 0 <= shifted < width and fits[new_orientation, new_row, shifted]:
                            place = (new_orientation * height + new_row) * width + shifted
                            count = _push(
                                log, latest, count, place, frame + period, later, label, frame, shift + 3 * turn, span
                            )
            label += 1
        closing = count
        if closing + closing - opening > len(log):
            return -1
        for label in range(opening, closing):
            latest[log[label, PLACE]] = NOBODY
        for label in range(opening, closing):
            if log[label, OLDER] == DEAD:
                continue
            place = log[label, PLACE]
            column, row, orientation = place % width, place // width % height, place // (width * height)
            ready = max(log[label, SHIFT_FROM], log[label, TURN_FROM], start)
            if input_rules[HARD_DROP_AT] and ready <= end:
                landing = row
                while landing + 1 < height and fits[orientation, landing + 1, column]:
                    landing += 1
                if fits[orientation, landing, column]:
                    _lock(locks, place + (landing - row) * width, label, ready + 1, 1)
            if row + 1 < height and fits[orientation, row + 1, column]:
                count = _fall(log, latest, fallen, count, place + width, label, end + 1, span + 1, begin)
            elif fits[orientation, row, column]:
                _lock(locks, place, label, end + 1, 0)
        opening = closing
        start, end = end + 1, end + begin[GRAVITY_AT]
        span += 1
    return count


@inlined
def turn_at(
    fits: NDArray[np.uint8],
    turns: NDArray[np.int8],
    direction: Scalar,
    orientation: Scalar,
    row: Scalar,
    column: Scalar,
    ceiling: Scalar,
) -> tuple[Scalar, Scalar, Scalar]:
    """Returns orientation, row and column index after the first attempt that fits; orientation -1 if none fits."""
    _, height, width = fits.shape
    for attempt in range(turns.shape[2]):
        turned = np.int64(turns[direction, orientation, attempt, 0])
        if turned < 0:
            break
        lift = np.int64(turns[direction, orientation, attempt, 2])
        x, y = column + turns[direction, orientation, attempt, 1], row + lift
        if lift < 0 and y < ceiling:
            continue
        if 0 <= x < width and 0 <= y < height and fits[turned, y, x]:
            return turned, y, x
    return np.int64(-1), row, column


@inlined
def _push(
    log: NDArray[np.int64],
    latest: NDArray[np.int64],
    count: Scalar,
    place: Scalar,
    shift_from: Scalar,
    turn_from: Scalar,
    before: Scalar,
    frame: Scalar,
    action: Scalar,
    span: Scalar,
) -> Scalar:
    """Append a label unless one of this place and span is as early on both clocks; returns the new count."""
    other = latest[place]
    while other >= 0:
        if log[other, SHIFT_FROM] <= shift_from and log[other, TURN_FROM] <= turn_from:
            return count
        other = log[other, OLDER]
    newer: Scalar = np.int64(NOBODY)
    other = latest[place]
    while other >= 0:
        older = log[other, OLDER]
        if shift_from <= log[other, SHIFT_FROM] and turn_from <= log[other, TURN_FROM]:
            log[other, OLDER] = DEAD
            if newer < 0:
                latest[place] = older
            else:
                log[newer, OLDER] = older
        else:
            newer = other
        other = older
    log[count, PLACE], log[count, SHIFT_FROM], log[count, TURN_FROM] = place, shift_from, turn_from
    log[count, BEFORE], log[count, FRAME], log[count, ACTION], log[count, SPAN] = before, frame, action, span
    log[count, OLDER] = latest[place]
    log[count, AFTER_FALL] = NOBODY
    latest[place] = count
    return count + 1


@inlined
def _fall(
    log: NDArray[np.int64],
    latest: NDArray[np.int64],
    fallen: NDArray[np.int64],
    count: Scalar,
    place: Scalar,
    label: Scalar,
    start: Scalar,
    span: Scalar,
    begin: NDArray[np.int64],
) -> Scalar:
    """Append a label one row down in the next span, unless the piece was there after a fall with no longer waits.

    Returns the new count.
    """
    shift_from, turn_from = max(log[label, SHIFT_FROM], start), max(log[label, TURN_FROM], start)
    other = fallen[place]
    while other >= 0:
        then = begin[TIMER_AT] + (log[other, SPAN] - 1) * begin[GRAVITY_AT]
        if log[other, SHIFT_FROM] - then <= shift_from - start and log[other, TURN_FROM] - then <= turn_from - start:
            return count
        other = log[other, AFTER_FALL]
    longer = _push(log, latest, count, place, shift_from, turn_from, label, log[label, FRAME], FELL, span)
    if longer > count:
        log[count, AFTER_FALL] = fallen[place]
        fallen[place] = count
    return longer


@inlined
def _lock(locks: NDArray[np.int64], place: Scalar, label: Scalar, frames: Scalar, dropped: Scalar) -> None:
    if locks[place, LABEL] < 0 or frames < locks[place, FRAMES]:
        locks[place, LABEL], locks[place, FRAMES], locks[place, DROPPED] = label, frames, dropped
