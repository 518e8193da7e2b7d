"""NES Tetris frame by frame: the NMI part and the game part of one player's game; knows no address and no map.

The state is one byte per named counter, in the order of FIELDS, and the 256-byte playfield page: 20 rows of 10, top row
first, then a tail. The last twenty bytes of the tail are the hidden rows -2 and -1. Source: NES Tetris facts 3 to 6.
It reproduces the recorded games in tests/data, A-type on NTSC, without a difference. B-type and the PAL release, which
differs only in its `Timing`, are from public documentation; not tested on the original. LEFT+RIGHT+DOWN together is not
modelled: it makes the original wait for an extra vertical blank, and no real pad can send it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.tetris.decode.addresses import (
    COPY_DONE,
    FALL_TIMER,
    FRAME_HI,
    FRAME_LO,
    GAME_MODE,
    LFSR_HI,
    LFSR_LO,
    MODE_LEVEL_MENU,
    MODE_PLAY,
    MODE_STATE,
    MODE_STATE_PAUSED,
    MODE_STATE_PLAY,
    PAGE_SIZE,
    PLAY_STATE,
    ROW_Y,
    VRAM_ROW,
)
from emubot.games.tetris.rules import ROWS
from emubot.games.tetris.simulator.play_states import (
    check_row,
    control,
    count,
    curtain,
    goal,
    lock,
    spawn,
    step_lfsr,
)
from emubot.games.tetris.timing import ReleaseTiming
from emubot.jit import Scalar, inlined, kernel

_START = 0x10
_RESET_COMBINATION = 0xF0


@inlined
def nmi_part(s: NDArray[Any]) -> None:
    """Do what the vertical blank does: line animation or playfield copy, frame counter, one generator step."""
    if s[MODE_STATE] != MODE_STATE_PAUSED:
        if s[PLAY_STATE] == 4:
            if s[FRAME_LO] & 3 == 0:
                s[ROW_Y] += 1
                if s[ROW_Y] >= 5:
                    s[PLAY_STATE] = 5
            s[VRAM_ROW] = 0
        elif s[VRAM_ROW] < ROWS:
            s[VRAM_ROW] = s[VRAM_ROW] + 4 if s[VRAM_ROW] < ROWS - 4 else COPY_DONE
    s[FRAME_LO] = (s[FRAME_LO] + 1) & 0xFF
    if s[FRAME_LO] == 0:
        s[FRAME_HI] = (s[FRAME_HI] + 1) & 0xFF
    hi, lo = step_lfsr(np.int64(s[LFSR_HI]), np.int64(s[LFSR_LO]))
    s[LFSR_HI] = hi
    s[LFSR_LO] = lo


@kernel
def game_part(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar, timing: ReleaseTiming) -> None:
    """Do what the main loop does once a frame, with the newly pressed and held buttons of player 1."""
    if s[GAME_MODE] != MODE_PLAY:
        return
    if s[MODE_STATE] == MODE_STATE_PAUSED:
        if new == _START:
            s[MODE_STATE] = MODE_STATE_PLAY
            s[VRAM_ROW] = 0
        return
    s[FALL_TIMER] = (s[FALL_TIMER] + 1) & 0xFF
    state = s[PLAY_STATE]
    if state == 0:
        s[GAME_MODE] = MODE_LEVEL_MENU
        return
    if state == 1:
        control(s, page, new, held, timing)
    elif state == 2:
        lock(s, page)
    elif state == 3:
        check_row(s, page)
    elif state == 5:
        count(s)
    elif state == 6:
        goal(s)
    elif state == 7:
        s[PLAY_STATE] = 8
    elif state == 8:
        spawn(s)
    elif state == 10:
        curtain(s, page, new)
    if held == _RESET_COMBINATION:
        s[GAME_MODE] = 0
    elif new & _START and s[PLAY_STATE] != 10 and s[PLAY_STATE] != 0:
        s[MODE_STATE] = MODE_STATE_PAUSED


@kernel
def step_frame(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar, timing: ReleaseTiming) -> None:
    """Advance one frame as a libretro core shows it: NMI part, then game part."""
    nmi_part(s)
    game_part(s, page, new, held, timing)


@kernel
def replay(
    state: NDArray[Any],
    page: NDArray[Any],
    pads: NDArray[Any],
    nmi_first: bool,
    timing: ReleaseTiming,
    states: NDArray[Any],
    pages: NDArray[Any],
) -> tuple[Scalar, Scalar]:
    """Replay pads (frames, 2) of (new, held) from `state` (37,) and `page` (256,), both changed in place.

    `states` (frames, 37) and `pages` (frames, 256) are the recording. Returns the number of rows that differ and the
    first of them (-1 if none). After a difference the replay continues from the recording. If the recording has no
    rows, nothing is compared.
    """
    mismatches, first = 0, -1
    compare = len(states) > 0
    for frame in range(len(pads)):
        new, held = np.int64(pads[frame, 0]), np.int64(pads[frame, 1])
        if nmi_first:
            nmi_part(state)
        game_part(state, page, new, held, timing)
        if not nmi_first:
            nmi_part(state)
        if compare and _differs(state, page, states[frame], pages[frame]):
            mismatches += 1
            if first < 0:
                first = frame
            copy(states[frame], state)
            copy(pages[frame], page)
    return mismatches, first


@kernel
def _differs(state: NDArray[Any], page: NDArray[Any], recorded: NDArray[Any], recorded_page: NDArray[Any]) -> bool:
    for index in range(len(state)):
        if state[index] != recorded[index]:
            return True
    for index in range(PAGE_SIZE):
        if page[index] != recorded_page[index]:
            return True
    return False
