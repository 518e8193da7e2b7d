"""NES Tetris frame by frame: the NMI part and the game part of one player's A-type game; knows no address and no map.

The state is one byte per named counter, in the order of FIELDS, and the 256-byte playfield page: 20 rows of 10, top
row first, then the tail whose last twenty bytes are the hidden rows -2 and -1. Source: NES Tetris facts 3 to 6; the
recorded games in tests/data are reproduced without a difference. Not modelled: LEFT+RIGHT+DOWN together, which makes
the original wait an extra vertical blank and which no real pad can send.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    DX,
    DY,
    GRAVITY_NTSC,
    HIDDEN_PIECE,
    NES_NTSC,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
)
from emubot.games.tetris.scoring import count_line, line_points, push_down
from emubot.jit import Scalar, inlined, kernel

FIELDS: Final = (
    "x y piece level fall_timer das play_state vram_row completed_row0 completed_row1 completed_row2 completed_row3 "
    "autorepeat_y hold_down_points lines_lo lines_hi row_y score0 score1 score2 completed_lines line_index curtain_row "
    "lfsr_hi lfsr_lo spawn_id spawn_count frame_lo frame_hi next_piece game_mode game_mode_state game_type singles "
    "doubles triples tetrises"
).split()
PAGE_SIZE: Final = 256

_INDEX = {name: index for index, name in enumerate(FIELDS)}
X, Y, PIECE, LEVEL = _INDEX["x"], _INDEX["y"], _INDEX["piece"], _INDEX["level"]
FALL_TIMER, DAS, PLAY_STATE, VRAM_ROW = _INDEX["fall_timer"], _INDEX["das"], _INDEX["play_state"], _INDEX["vram_row"]
COMPLETED_ROW, AUTOREPEAT_Y = _INDEX["completed_row0"], _INDEX["autorepeat_y"]
HOLD_DOWN, LINES_LO, LINES_HI = _INDEX["hold_down_points"], _INDEX["lines_lo"], _INDEX["lines_hi"]
ROW_Y, SCORE, COMPLETED_LINES = _INDEX["row_y"], _INDEX["score0"], _INDEX["completed_lines"]
LINE_INDEX, CURTAIN_ROW = _INDEX["line_index"], _INDEX["curtain_row"]
LFSR_HI, LFSR_LO, SPAWN_ID, SPAWN_COUNT = (_INDEX[n] for n in ("lfsr_hi", "lfsr_lo", "spawn_id", "spawn_count"))
FRAME_LO, FRAME_HI, NEXT_PIECE = _INDEX["frame_lo"], _INDEX["frame_hi"], _INDEX["next_piece"]
GAME_MODE, MODE_STATE, SINGLES = _INDEX["game_mode"], _INDEX["game_mode_state"], _INDEX["singles"]

EMPTY: Final = 0xEF
CURTAIN_TILE: Final = 0x4F
# The tile each orientation leaves: $7B T, O, I; $7C Z, L; $7D J, S.
_TILE = np.array([0x7B] * 4 + [0x7D] * 4 + [0x7C] * 2 + [0x7B] + [0x7D] * 2 + [0x7C] * 4 + [0x7B] * 2, dtype=np.uint8)

_A, _B, _START, _DOWN, _SIDEWAYS, _RIGHT, _DPAD = 0x80, 0x40, 0x10, 0x04, 0x03, 0x01, 0x0F
_RESET_COMBINATION = 0xF0
_COPY_DONE = 32  # vram_row once the playfield is on the screen
_CURTAIN_START = 240
_DAS_INITIAL, _DAS_RESET = NES_NTSC.das_initial, NES_NTSC.das_reset
_LAST_LEVEL = len(GRAVITY_NTSC) - 1

MODE_LEVEL_MENU: Final = 3
MODE_PLAY: Final = 4
MODE_STATE_PLAY: Final = 2
MODE_STATE_PAUSED: Final = 7


@kernel
def fits(page: NDArray[Any], piece: Scalar, x: Scalar, y: Scalar) -> bool:
    """Whether the orientation fits with its pivot at (x, y); rows above the top are the tail of the page."""
    for cell in range(4):
        column = x + DX[piece, cell]
        row = y + DY[piece, cell]
        if row >= ROWS or column < 0 or column > 9 or page[(10 * row + column) & 0xFF] < EMPTY:
            return False
    return True


@kernel
def step_lfsr(hi: Scalar, lo: Scalar) -> tuple[Scalar, Scalar]:
    """One step of the 16-bit generator."""
    bit = (hi ^ lo) >> 1 & 1
    return hi >> 1 | bit << 7, lo >> 1 | (hi & 1) << 7


@kernel
def choose_piece(s: NDArray[Any]) -> Scalar:
    """The next piece's spawn orientation; steps spawn_count and, on a re-roll, the generator."""
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
def nmi_part(s: NDArray[Any]) -> None:
    """What the vertical blank does: line animation or playfield copy, frame counter, one generator step."""
    if s[MODE_STATE] != MODE_STATE_PAUSED:
        if s[PLAY_STATE] == 4:
            if s[FRAME_LO] & 3 == 0:
                s[ROW_Y] += 1
                if s[ROW_Y] >= 5:
                    s[PLAY_STATE] = 5
            s[VRAM_ROW] = 0
        elif s[VRAM_ROW] < ROWS:
            s[VRAM_ROW] = s[VRAM_ROW] + 4 if s[VRAM_ROW] < ROWS - 4 else _COPY_DONE
    s[FRAME_LO] = (s[FRAME_LO] + 1) & 0xFF
    if s[FRAME_LO] == 0:
        s[FRAME_HI] = (s[FRAME_HI] + 1) & 0xFF
    hi, lo = step_lfsr(np.int64(s[LFSR_HI]), np.int64(s[LFSR_LO]))
    s[LFSR_HI] = hi
    s[LFSR_LO] = lo


@kernel
def game_part(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar) -> None:
    """What the main loop does once a frame, with the newly pressed and held buttons of player 1."""
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
        _control(s, page, new, held)
    elif state == 2:
        _lock(s, page)
    elif state == 3:
        _check_row(s, page)
    elif state == 5:
        _count(s)
    elif state == 6 or state == 7:
        s[PLAY_STATE] = state + 1
    elif state == 8:
        _spawn(s)
    elif state == 10:
        _curtain(s, page, new)
    if held == _RESET_COMBINATION:
        s[GAME_MODE] = 0
    elif new & _START and s[PLAY_STATE] != 10 and s[PLAY_STATE] != 0:
        s[MODE_STATE] = MODE_STATE_PAUSED


@inlined
def _control(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar) -> None:
    """Play state 1: shift, then rotate, then drop."""
    piece, x, y = np.int64(s[PIECE]), np.int64(s[X]), np.int64(s[Y])
    if held & _SIDEWAYS and not held & _DOWN:
        shift = True
        if new & _SIDEWAYS:
            s[DAS] = 0
        else:
            s[DAS] += 1
            if s[DAS] >= _DAS_INITIAL:
                s[DAS] = _DAS_RESET
            else:
                shift = False
        if shift:
            target = x + 1 if held & _RIGHT else x - 1
            if fits(page, piece, target, y):
                x = target
                s[X] = x
            else:
                s[DAS] = _DAS_INITIAL
    if new & (_A | _B):
        turned = np.int64(CLOCKWISE[piece] if new & _A else COUNTERCLOCKWISE[piece])
        if fits(page, turned, x, y):
            piece = turned
            s[PIECE] = piece
    _drop(s, page, new, held)


@inlined
def _drop(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar) -> None:
    """Start-of-game wait, soft drop, gravity; a drop that fails ends the control in the same frame."""
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
        level: Scalar = min(np.int64(s[LEVEL]), _LAST_LEVEL)
        gravity = GRAVITY_NTSC[level]
        falls = (s[FALL_TIMER] - gravity) & 0x80 == 0  # a signed byte in the game
    if falls:
        s[FALL_TIMER] = 0
        if fits(page, np.int64(s[PIECE]), np.int64(s[X]), np.int64(s[Y]) + 1):
            s[Y] += 1
        else:
            s[PLAY_STATE] = 2
            _redraw_from_piece(s)


@inlined
def _redraw_from_piece(s: NDArray[Any]) -> None:
    """Ask for the playfield copy to begin at the piece's top row: what makes the entry delay depend on height."""
    top = max(np.int64(s[Y]) - 2, 0)
    if top < s[VRAM_ROW]:
        s[VRAM_ROW] = top


@kernel
def _lock(s: NDArray[Any], page: NDArray[Any]) -> None:
    """Play state 2: write the piece once the screen is up to date, or begin the curtain if it overlaps."""
    piece, x, y = np.int64(s[PIECE]), np.int64(s[X]), np.int64(s[Y])
    if not fits(page, piece, x, y):
        s[PLAY_STATE] = 10
        s[CURTAIN_ROW] = _CURTAIN_START
        return
    if s[VRAM_ROW] < _COPY_DONE:
        return
    for cell in range(4):
        page[(10 * (y + DY[piece, cell]) + x + DX[piece, cell]) & 0xFF] = _TILE[piece]
    s[LINE_INDEX] = 0
    _redraw_from_piece(s)
    s[PLAY_STATE] = 3


@kernel
def _check_row(s: NDArray[Any], page: NDArray[Any]) -> None:
    """Play state 3: one of four rows a frame; a full one is removed in that frame."""
    if s[VRAM_ROW] < _COPY_DONE:
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
    """Take out a full row. Row 0 moves the whole page down by 10 bytes, hidden rows included: a bug of the game."""
    last = 10 * row - 1 if row else PAGE_SIZE - 1
    for offset in range(last, -1, -1):
        if offset + 10 < PAGE_SIZE:
            page[offset + 10] = page[offset]
    page[:10] = EMPTY


@kernel
def _count(s: NDArray[Any]) -> None:
    """Play state 5: lines, level, statistics and score."""
    cleared = np.int64(s[COMPLETED_LINES])
    if cleared:
        most: Scalar = min(cleared, 4)
        counter = SINGLES + most - 1
        s[counter] += 1
        if s[counter] & 0x0F >= 0x0A:
            s[counter] += 6
        level, lines_lo, lines_hi = np.int64(s[LEVEL]), np.int64(s[LINES_LO]), np.int64(s[LINES_HI])
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
def _spawn(s: NDArray[Any]) -> None:
    """Play state 8: the next piece enters once the playfield is on the screen."""
    if s[VRAM_ROW] < _COPY_DONE:
        return
    s[FALL_TIMER] = 0
    s[AUTOREPEAT_Y] = 0
    s[X] = SPAWN_COLUMN
    s[Y] = 0
    s[PIECE] = s[NEXT_PIECE]
    s[NEXT_PIECE] = choose_piece(s)
    s[PLAY_STATE] = 1


@kernel
def _curtain(s: NDArray[Any], page: NDArray[Any], new: Scalar) -> None:
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


@kernel
def step_frame(s: NDArray[Any], page: NDArray[Any], new: Scalar, held: Scalar) -> None:
    """One frame as a libretro core shows it: NMI part, then game part."""
    nmi_part(s)
    game_part(s, page, new, held)


@kernel
def replay(
    state: NDArray[Any],
    page: NDArray[Any],
    pads: NDArray[Any],
    nmi_first: bool,
    states: NDArray[Any],
    pages: NDArray[Any],
) -> tuple[Scalar, Scalar]:
    """Replay pads (frames, 2) of (new, held) from `state` (37,) and `page` (256,), both changed in place.

    `states` (frames, 37) and `pages` (frames, 256) are what was recorded: returns how many rows differ and the first of
    them (-1 if none); after a difference the replay goes on from what was recorded. With no rows nothing is compared.
    """
    mismatches, first = 0, -1
    compare = len(states) > 0
    for frame in range(len(pads)):
        new, held = np.int64(pads[frame, 0]), np.int64(pads[frame, 1])
        if nmi_first:
            nmi_part(state)
        game_part(state, page, new, held)
        if not nmi_first:
            nmi_part(state)
        if compare and _differs(state, page, states[frame], pages[frame]):
            mismatches += 1
            if first < 0:
                first = frame
            state[:] = states[frame]
            page[:] = pages[frame]
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
