"""Puts soft drop into a plan's idle frames, so that it reaches the same lock sooner; knows no evaluation."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.tetris.board.board import Words
from emubot.games.tetris.reach.motion import DOWN, LEFT, RIGHT, ROW_AT, A, B, move
from emubot.games.tetris.reach.state import InputRules
from emubot.games.tetris.rules import ROWS
from emubot.jit import Scalar, kernel

_SIDEWAYS, _TURNS = LEFT | RIGHT, A | B
OFF: Final = -1
# Rows of a plan's `table`, int64[4, 20], by the piece's row: the first frame there, the last frame there with an input
# (-1: none), the row in which the gap with the idle frames begins, and the next row with an input (20: none).
FIRST_AT, LAST_INPUT_AT, OPENED_AT, NEXT_AT = range(4)


def table_of(pads: Words, rows: Words) -> Words:
    """Returns the table of a plan with these `pads` (frames,) and the piece's `rows` (frames,) before each frame."""
    table = np.full((4, ROWS), -1, dtype=np.int64)
    present, firsts = np.unique(rows, return_index=True)
    table[FIRST_AT, present] = firsts
    inputs = np.flatnonzero(pads)
    table[LAST_INPUT_AT, rows[inputs]] = inputs
    busy = np.unique(rows[inputs])
    for row in present:
        before, after = busy[busy <= row], busy[busy > row]
        table[OPENED_AT, row] = before[-1] if len(before) else rows[0]
        table[NEXT_AT, row] = after[0] if len(after) else ROWS
    return table


@kernel
def soften(
    fits: Words,
    lanes: Scalar,
    body: Words,
    pads: Words,
    table: Words,
    left_to_gravity: Words,
    first: Scalar,
    gravity: Scalar,
    input_rules: InputRules,
    softened: Words,
) -> Scalar:
    """Write the plan `pads` with DOWN held in its gaps into `softened` (frames,).

    Returns the number of frames until the lock, or 0 if the piece does not lock in time. left_to_gravity[row] is for
    the gap that begins in this row: the number of its last rows that the piece falls by gravity, or OFF. There is no
    DOWN before frame `first`. In a row with inputs, each input comes as many frames after the piece's arrival as in the
    plan, so the piece falls there as planned. `body` is changed.
    """
    row, arrived = body[ROW_AT], 0
    for frame in range(len(pads)):
        if body[ROW_AT] != row:
            row, arrived = body[ROW_AT], frame
        planned = table[FIRST_AT, row] + frame - arrived
        held = 0
        if planned <= table[LAST_INPUT_AT, row]:
            held = pads[planned]
        elif frame >= first:
            left = left_to_gravity[table[OPENED_AT, row]]
            following = table[NEXT_AT, row]
            if left != OFF and (following == ROWS or row + left < following):
                held = DOWN
        softened[frame] = held
        if move(fits, lanes, body, held, gravity, input_rules.das_initial, input_rules.das_reset):
            return frame + 1
    return 0


@kernel
def in_tempo(
    pads: Words, frames: Scalar, held: Scalar, limiter: Scalar, turn_limiter: Scalar, input_rules: InputRules
) -> bool:
    """Returns whether the first `frames` pads keep to the tempo; `held` is the pad before, limiters are as in Start."""
    shift_wait, turn_wait = limiter, turn_limiter
    for frame in range(frames):
        new = pads[frame] & ~held
        held = pads[frame]
        shifted, turned = new & _SIDEWAYS != 0, new & _TURNS != 0
        if not input_rules.uses_das:
            shifted = turned = shifted or turned
            turn_wait = shift_wait
        if (shifted and shift_wait > 0) or (turned and turn_wait > 0):
            return False
        shift_wait = input_rules.period - 1 if shifted else shift_wait - 1
        turn_wait = input_rules.period - 1 if turned else turn_wait - 1
    return True
