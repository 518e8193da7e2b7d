"""Traces a lock back through the history of das.reach_das to the pads that lead to it; knows no soft drop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Words
from emubot.games.tetris.reach.das import BLOCKS, CHARGES, EDGE, LEFT, NEUTRAL, WAITS
from emubot.games.tetris.reach.taps import origin
from emubot.jit import Scalar, kernel

BLOCKED, IMPOSSIBLE = 2, 3  # in addition to the shifts -1, 0 and 1


@kernel
def trace_das(
    fits: Words,
    lanes: Scalar,
    first: NDArray[np.int64],
    target_bit: Scalar,
    last: Scalar,
    das_initial: Scalar,
    das_reset: Scalar,
    history: NDArray[np.int64],
    history_rows: Words,
    directions: Words,
    turns: Words,
) -> Scalar:
    """Write the directions held (0 none, 1 left, 2 right) and the turns (-1 B, 0, 1 A) of frames 0 to `last`.

    `last` is the frame in which the piece `target_bit` locks, `first` (BLOCKS, WAITS) the states before frame 0. The
    trace prefers no direction held at the end, then early edges. Returns the direction held before frame 0.
    """
    state = np.zeros(4, dtype=np.int64)  # block, wait, bit, turn
    for block in range(BLOCKS - 1, -1, -1):
        for waits in range(WAITS - 1, -1, -1):
            if history[last, block, waits] & target_bit:
                state[0], state[1] = block, waits
    state[2] = target_bit
    for frame in range(last, -1, -1):
        directions[frame] = state[0] // CHARGES
        fit = fits[history_rows[frame]]
        if frame > 0:
            survive = np.int64(-1)
            for row in range(history_rows[frame - 1] + 1, history_rows[frame] + 1):
                survive &= fits[row]
            _step_back(history[frame - 1], survive, fit, lanes, das_initial, das_reset, state)
        else:
            _step_back(first, -1, fit, lanes, das_initial, das_reset, state)
        turns[frame] = state[3]
    return state[0] // CHARGES


@kernel
def _step_back(
    before: NDArray[np.int64],
    survive: Scalar,
    fit: Scalar,
    lanes: Scalar,
    das_initial: Scalar,
    das_reset: Scalar,
    state: Words,
) -> None:
    """Replace `state` by a state of `before` & `survive` that leads to it in one frame; state[3] = the turn."""
    block, waits, bit = state[0], state[1], state[2]
    edge_wait, turn_wait = waits // EDGE, waits % EDGE
    for origin_block in range(BLOCKS):
        shifted = _shift_between(origin_block, block, edge_wait, das_initial, das_reset)
        if shifted == IMPOSSIBLE:
            continue
        for turned in (0, 1, -1):
            if (turned != 0) != (turn_wait == EDGE - 1):
                continue
            start_bit = origin(bit, fit, lanes, 0 if shifted == BLOCKED else shifted, turned)
            if shifted == BLOCKED:
                moved = start_bit >> 1 if block // CHARGES == LEFT else start_bit << 1
                if moved & fit:
                    continue
            for edge_more in range(2):
                for turn_more in range(2):
                    if (edge_more == 0 and 0 < edge_wait < EDGE - 1) or (turn_more == 0 and 0 < turn_wait < EDGE - 1):
                        continue
                    if (edge_more and edge_wait == EDGE - 1) or (turn_more and turn_wait == EDGE - 1):
                        continue
                    origin_waits = EDGE * (edge_wait + 1 if edge_more else 0) + (turn_wait + 1 if turn_more else 0)
                    if before[origin_block, origin_waits] & start_bit & survive:
                        state[0], state[1], state[2], state[3] = origin_block, origin_waits, start_bit, turned
                        return


@kernel
def _shift_between(
    origin_block: Scalar, block: Scalar, edge_wait: Scalar, das_initial: Scalar, das_reset: Scalar
) -> Scalar:
    """Returns the shift (-1, 0, 1) that leads from block to block in one frame, BLOCKED if it failed, or IMPOSSIBLE."""
    origin_held, origin_charge = origin_block // CHARGES, origin_block % CHARGES
    held, charge = block // CHARGES, block % CHARGES
    if held == NEUTRAL:
        return 0
    pressed = edge_wait == EDGE - 1
    if pressed != (origin_held != held):
        return IMPOSSIBLE
    if not pressed and origin_charge + 1 < das_initial:
        return 0 if charge == origin_charge + 1 else IMPOSSIBLE
    if charge == (0 if pressed else das_reset):
        return -1 if held == LEFT else 1
    return BLOCKED if charge == das_initial else IMPOSSIBLE
