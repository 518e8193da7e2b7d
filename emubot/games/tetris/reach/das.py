"""Finds every lock that delayed auto shift can reach, frame by frame; knows no soft drop and no evaluation.

As in taps.py, all live states of a frame share row and fall timer. A state is (direction held, charge, frames until the
next direction edge, frames until the next rotation edge, orientation, column). Each combination of the first four has a
packed word. `words` is int64[BLOCKS, WAITS]: block = direction * CHARGES + charge, wait = direction wait * 6 + rotation
wait. While no direction is held, the charge has no effect on this piece and is written as 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.tetris.board.board import LANE, Words, turn, turn_back
from emubot.games.tetris.reach.state import Begin, History, InputRules, idle_frames, rows_of_drop
from emubot.jit import Scalar, inlined, lean
from emubot.tempo import DAS_EDGE_FRAMES

EDGE: Final = DAS_EDGE_FRAMES
NEUTRAL, LEFT, RIGHT = 0, 1, 2  # the direction held
CHARGES: Final = 17  # 0 to 16
BLOCKS: Final = 3 * CHARGES
WAITS: Final = EDGE * EDGE


@lean
def reach_das(
    fits: Words,
    lanes: Scalar,
    begin: Begin,
    gravity: Scalar,
    input_rules: InputRules,
    words: NDArray[np.int64],
    locks: Words,
    history: History,
) -> Scalar:
    """`fill_locks` with DAS; `words` is `Scratch.das`."""
    bit = np.int64(1) << (LANE * begin.lane + begin.column)
    row, fall_timer, wait = begin.row, begin.fall_timer, begin.wait
    limiter, turn_limiter = begin.limiter, begin.turn_limiter
    das_initial, das_reset = input_rules.das_initial, input_rules.das_reset
    recording = len(history.rows) > 0
    locks[:] = 0
    words[:] = 0
    seed(words[0], bit, begin.direction, begin.charge, begin.free_hold != 0)
    now, then = 0, 1
    frame = 0
    reached = bit
    while reached:
        fit = fits[row]
        fall_timer = (fall_timer + 1) & 0xFF
        words[then] = 0
        for block in range(BLOCKS):
            for waits in range(WAITS):
                word = words[now, block, waits]
                if word:
                    _press(words[then], word, block, waits, fit, lanes, limiter, turn_limiter, das_initial, das_reset)
        changed = _prune(words[then], words[now])
        settled = not changed and limiter == 0 and turn_limiter == 0 and not recording
        now, then = then, now
        limiter = max(limiter - 1, 0)
        turn_limiter = max(turn_limiter - 1, 0)
        if recording:
            for block in range(BLOCKS):
                copy(words[now, block], history.das[frame, block])
            history.rows[frame] = row
        frame += 1
        if wait > 0:
            wait -= 1
        elif (fall_timer - gravity) & 0x80 == 0:  # the game compares them as a signed byte
            fall_timer = 0
            for _ in range(rows_of_drop(gravity)):
                reached = _drop(words[now], fits[row], fits[row + 1], row, locks)
                row += 1
                if reached == 0:
                    break
            continue
        if settled:
            skipped, fall_timer = idle_frames(fall_timer, wait, gravity)
            frame += skipped
            wait = 0
    return frame


@lean
def seed(words: NDArray[np.int64], bit: Scalar, direction: Scalar, charge: Scalar, free_hold: bool) -> None:
    """Put the states before the first frame into `words` (BLOCKS, WAITS)."""
    if direction == NEUTRAL or free_hold:
        words[0, 0] = bit
    for held in (LEFT, RIGHT):
        if direction == held or free_hold:
            words[held * CHARGES + min(charge, CHARGES - 1), 0] = bit


@inlined
def _press(
    words: NDArray[np.int64],
    word: Scalar,
    block: Scalar,
    waits: Scalar,
    fit: Scalar,
    lanes: Scalar,
    limiter: Scalar,
    turn_limiter: Scalar,
    das_initial: Scalar,
    das_reset: Scalar,
) -> None:
    """Add to `words` every state that one frame can make of `word`: hold, release or press, with or without a turn."""
    held, charge = block // CHARGES, block % CHARGES
    edge_wait, turn_wait = waits // EDGE, waits % EDGE
    may_turn = turn_wait == 0 and turn_limiter == 0 and lanes > 1
    later, turn_later = max(edge_wait - 1, 0), max(turn_wait - 1, 0)
    for direction in (NEUTRAL, LEFT, RIGHT):
        if direction == NEUTRAL:
            _turn(words, word, 0, later, turn_later, fit, lanes, may_turn)
            continue
        first = direction * CHARGES
        if direction != held and (edge_wait or limiter):
            continue
        edge = later if direction == held else EDGE - 1
        if direction == held and charge + 1 < das_initial:
            _turn(words, word, first + charge + 1, edge, turn_later, fit, lanes, may_turn)
            continue
        moved = (word >> 1 if direction == LEFT else word << 1) & fit
        blocked = word & ~(moved << 1 if direction == LEFT else moved >> 1)
        _turn(words, moved, first + (das_reset if direction == held else 0), edge, turn_later, fit, lanes, may_turn)
        _turn(words, blocked, first + das_initial, edge, turn_later, fit, lanes, may_turn)


@inlined
def _turn(
    words: NDArray[np.int64],
    word: Scalar,
    block: Scalar,
    edge_wait: Scalar,
    turn_wait: Scalar,
    fit: Scalar,
    lanes: Scalar,
    may_turn: bool,
) -> None:
    if word == 0:
        return
    words[block, edge_wait * EDGE + turn_wait] |= word
    if may_turn:
        words[block, edge_wait * EDGE + EDGE - 1] |= (turn(word, lanes) | turn_back(word, lanes)) & fit


@lean
def _prune(words: NDArray[np.int64], before: NDArray[np.int64]) -> bool:
    """Drop every state that is also there with less to wait; returns whether `words` now differs from `before`."""
    changed = False
    for block in range(BLOCKS):
        for waits in range(WAITS):
            word = words[block, waits]
            if word:
                for edge_wait in range(waits // EDGE + 1):
                    for turn_wait in range(waits % EDGE + 1):
                        other = edge_wait * EDGE + turn_wait
                        if other != waits:
                            word &= ~words[block, other]
                words[block, waits] = word
            if word != before[block, waits]:
                changed = True
    return changed


@lean
def _drop(words: NDArray[np.int64], fit: Scalar, below: Scalar, row: Scalar, locks: Words) -> Scalar:
    """Let every state lock, or fall to the next row if it fits in `below`; returns the union of those that fell."""
    reached = 0
    for block in range(BLOCKS):
        for waits in range(WAITS):
            word = words[block, waits]
            if word:
                locked = word & ~below & fit
                locks[row] |= locked
                words[block, waits] = word & below
                reached |= word & below
    return reached
