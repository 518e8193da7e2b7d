"""What NES Tetris does in each play state, on its own bytes: control, lock, row checks, counting, spawn, curtain.

`s` is uint8 (37,) in the order of addresses.FIELDS, `page` uint8 (256,): 20 rows of 10, top row first, then a tail. The
last twenty bytes of the tail are the hidden rows -2 and -1. Source: NES Tetris facts 2 to 6; knows no vertical blank.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode.addresses import (
    AUTOREPEAT_Y,
    COMPLETED_LINES,
    COMPLETED_ROW,
    COPY_DONE,
    CURTAIN_ROW,
    CURTAIN_TILE,
    DAS,
    EMPTY,
    FALL_TIMER,
    FRAME_LO,
    GAME_TYPE,
    HOLD_DOWN,
    LEVEL,
    LFSR_HI,
    LFSR_LO,
    LINE_INDEX,
    LINES_HI,
    LINES_LO,
    NEXT_PIECE,
    PAGE_SIZE,
    PIECE,
    PLAY_STATE,
    ROW_Y,
    SCORE,
    SINGLES,
    SPAWN_COUNT,
    SPAWN_ID,
    VRAM_ROW,
    X,
    Y,
)
from emubot.games.tetris.rules import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    DX,
    DY,
    HIDDEN_PIECE,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
)
from emubot.games.tetris.scoring import count_down, count_line, line_points, push_down
from emubot.games.tetris.timing import ReleaseTiming
from emubot.jit import Scalar, inlined, kernel

_A, _B, _START, _DOWN, _SIDEWAYS, _RIGHT, _DPAD = 0x80, 0x40, 0x10, 0x04, 0x03, 0x01, 0x0F
_CURTAIN_START = 240
# The tile that each orientation leaves: $7B T, O, I; $7C Z, L; $7D J, S.
TILE = np.array([0x7B] * 4 + [0x7D] * 4 + [0x7C] * 2 + [0x7B] + [0x7D] * 2 + [0x7C] * 4 + [0x7B] * 2, dtype=np.uint8)


@kernel
def fits(page: NDArray[Any], piece: Scalar, x: Scalar, y: Scalar) -> bool:
    """Returns whether the orientation fits with its pivot at (x, y); rows above the top are the tail of the page."""
    for cell in range(4):
        column = x + DX[piece, cell]
        row = y + DY[piece, cell]
        if row >= ROWS or column < 0 or column > 9 or page[(10 * row + column) & 0xFF] < EMPTY:
            return False
    return True


@kernel
def step_lfsr(hi: Scalar, lo: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the 16-bit generator after one step."""
    bit = (hi ^ lo) >> 1 & 1
    return hi >> 1 | bit << 7, lo >> 1 | (hi & 1) << 7


@kernel
def choose_piece(s: NDArray[Any]) -> Scalar:
    """Returns the next piece's spawn orientation; steps spawn_count and, on a re-roll, the generator."""
    s[SPAWN_COUNT] = (s[SPAWN_COUNT] + 1) & 0xFF
    index = (s[LFSR_HI] + s[SPAWN_COUNT]) & 7
    if index == 7 or SPAWN_ORIENTATION[index] == s[SPAWN_ID]:
        hi, lo = step_lfsr(np.int64(s[LFSR_HI]), np.int64(s[LFSR_LO]))
        s[LFSR_HI] = hi
        s[LFSR_LO] = lo
        index = ((hi & 7) + s[SPAWN_ID]) % 7
    piece = SPAWN_ORIENTATION[index]
    s[SPAWN_ID] = piece
    return piece


@inlined
def control(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar, timing: ReleaseTiming) -> None:
    """Play state 1: shift, then rotate, then drop."""
    piece, x, y = np.int64(s[PIECE]), np.int64(s[X]), np.int64(s[Y])
    if held & _SIDEWAYS and not held & _DOWN:
        shift = True
        if new & _SIDEWAYS:
            s[DAS] = 0
        else:
            s[DAS] += 1
            if s[DAS] >= timing.das_initial:
                s[DAS] = timing.das_reset
            else:
                shift = False
        if shift:
            target = x + 1 if held & _RIGHT else x - 1
            if fits(page, piece, target, y):
                x = target
                s[X] = x
            else:
                s[DAS] = timing.das_initial
    if new & (_A | _B):
        turned = np.int64(CLOCKWISE[piece] if new & _A else COUNTERCLOCKWISE[piece])
        if fits(page, turned, x, y):
            piece = turned
            s[PIECE] = piece
    _drop(s, page, new, held, timing)


@inlined
def _drop(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar, timing: ReleaseTiming) -> None:
    """Apply the start-of-game wait, soft drop and gravity; a drop that fails ends the control in the same frame."""
    falls = False
    if s[AUTOREPEAT_Y] >= 128:
        if not new & _DOWN:
            s[AUTOREPEAT_Y] = (s[AUTOREPEAT_Y] + 1) & 0xFF
            return
        s[AUTOREPEAT_Y] = 0
    if s[AUTOREPEAT_Y] == 0:
        if not held & _SIDEWAYS and new & _DPAD == _DOWN:
            s[AUTOREPEAT_Y] = 1
    elif held & _DPAD == _DOWN:
        s[AUTOREPEAT_Y] += 1
        if s[AUTOREPEAT_Y] >= 3:
            s[AUTOREPEAT_Y] = 1
            s[HOLD_DOWN] += 1
            falls = True
    else:
        s[AUTOREPEAT_Y] = 0
        s[HOLD_DOWN] = 0
    if not falls:
        level: Scalar = min(np.int64(s[LEVEL]), len(timing.gravity) - 1)
        gravity = timing.gravity[level]
        falls = (s[FALL_TIMER] - gravity) & 0x80 == 0  # the game compares them as a signed byte
    if falls:
        s[FALL_TIMER] = 0
        if fits(page, np.int64(s[PIECE]), np.int64(s[X]), np.int64(s[Y]) + 1):
            s[Y] += 1
        else:
            s[PLAY_STATE] = 2
            _redraw_from_piece(s)


@inlined
def _redraw_from_piece(s: NDArray[Any]) -> None:
    """Let the playfield copy begin at the piece's top row; so the entry delay depends on height."""
    top = max(np.int64(s[Y]) - 2, 0)
    if top < s[VRAM_ROW]:
        s[VRAM_ROW] = top


@kernel
def lock(s: NDArray[Any], page: NDArray[Any]) -> None:
    """Play state 2: write the piece once the screen is up to date, or begin the curtain if it overlaps."""
    piece, x, y = np.int64(s[PIECE]), np.int64(s[X]), np.int64(s[Y])
    if not fits(page, piece, x, y):
        s[PLAY_STATE] = 10
        s[CURTAIN_ROW] = _CURTAIN_START
        return
    if s[VRAM_ROW] < COPY_DONE:
        return
    for cell in range(4):
        page[(10 * (y + DY[piece, cell]) + x + DX[piece, cell]) & 0xFF] = TILE[piece]
    s[LINE_INDEX] = 0
    _redraw_from_piece(s)
    s[PLAY_STATE] = 3


@kernel
def check_row(s: NDArray[Any], page: NDArray[Any]) -> None:
    """Play state 3: check one of four rows per frame; a full row is removed in that frame."""
    if s[VRAM_ROW] < COPY_DONE:
        return
    row = max(np.int64(s[Y]) - 2, 0) + s[LINE_INDEX]
    full = True
    for column in range(10):
        if page[(10 * row + column) & 0xFF] == EMPTY:
            full = False
    s[COMPLETED_ROW + s[LINE_INDEX]] = row if full else 0
    if full:
        s[COMPLETED_LINES] += 1
        remove_row(page, row)
        s[PIECE] = HIDDEN_PIECE
    s[LINE_INDEX] += 1
    if s[LINE_INDEX] >= 4:
        s[VRAM_ROW] = 0
        s[ROW_Y] = 0
        s[PLAY_STATE] = 4 if s[COMPLETED_LINES] else 5


@kernel
def remove_row(page: NDArray[Any], row: Scalar) -> None:
    """Remove a full row. Row 0 moves the whole page down by 10 bytes, hidden rows included: a bug of the game."""
    last = 10 * row - 1 if row else PAGE_SIZE - 1
    for offset in range(last, -1, -1):
        if offset + 10 < PAGE_SIZE:
            page[offset + 10] = page[offset]
    page[:10] = EMPTY


@kernel
def count(s: NDArray[Any]) -> None:
    """Play state 5: update lines, level, statistics and score. In B-type the lines count down and the level stays."""
    cleared = np.int64(s[COMPLETED_LINES])
    if cleared:
        most: Scalar = min(cleared, 4)
        counter = SINGLES + most - 1
        s[counter] += 1
        if s[counter] & 0x0F >= 0x0A:
            s[counter] += 6
        level, lines_lo, lines_hi = np.int64(s[LEVEL]), np.int64(s[LINES_LO]), np.int64(s[LINES_HI])
        if s[GAME_TYPE]:
            lines_lo = count_down(lines_lo, cleared)
        else:
            for _ in range(cleared):
                level, lines_lo, lines_hi = count_line(level, lines_lo, lines_hi)
        s[LEVEL] = level
        s[LINES_LO] = lines_lo
        s[LINES_HI] = lines_hi
    score0, score1, score2 = np.int64(s[SCORE]), np.int64(s[SCORE + 1]), np.int64(s[SCORE + 2])
    if s[HOLD_DOWN] >= 2:
        score0, score1 = push_down(score0, score1, np.int64(s[HOLD_DOWN]))
    s[HOLD_DOWN] = 0
    score0, score1, score2 = line_points(score0, score1, score2, np.int64(s[LEVEL]), cleared)
    s[SCORE] = score0
    s[SCORE + 1] = score1
    s[SCORE + 2] = score2
    s[COMPLETED_LINES] = 0
    s[PLAY_STATE] = 6


@kernel
def goal(s: NDArray[Any]) -> None:
    """Play state 6: B-type ends when no line is left.

    From public documentation; not tested on the original. The original then shows a picture and an ending, for more
    than 142 frames in this play state. They are left out.
    """
    s[PLAY_STATE] = 0 if s[GAME_TYPE] and s[LINES_LO] == 0 else 7


@kernel
def spawn(s: NDArray[Any]) -> None:
    """Play state 8: the next piece enters once the playfield is on the screen."""
    if s[VRAM_ROW] < COPY_DONE:
        return
    s[FALL_TIMER] = 0
    s[AUTOREPEAT_Y] = 0
    s[X] = SPAWN_COLUMN
    s[Y] = 0
    s[PIECE] = s[NEXT_PIECE]
    s[NEXT_PIECE] = choose_piece(s)
    s[PLAY_STATE] = 1


@kernel
def curtain(s: NDArray[Any], page: NDArray[Any], new: Scalar) -> None:
    """Play state 10: twenty rows of curtain, one every fourth frame, then a new START ends the game."""
    if s[CURTAIN_ROW] == ROWS:
        if new == _START:
            s[PLAY_STATE] = 0
        return
    if s[FRAME_LO] & 3:
        return
    if s[CURTAIN_ROW] < ROWS:
        row = np.int64(s[CURTAIN_ROW])
        page[10 * row : 10 * row + 10] = CURTAIN_TILE
        s[VRAM_ROW] = row
        s[PIECE] = HIDDEN_PIECE
    s[CURTAIN_ROW] = (s[CURTAIN_ROW] + 1) & 0xFF
