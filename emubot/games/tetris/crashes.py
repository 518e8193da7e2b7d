"""Where the original program crashes at high levels, by what a lock makes it count; knows no search and no RAM.

After each lock the program counts lines, level and points, and adds the points once for each level. From level 155 on
that can take until the next vertical blank. If this comes while one of eight jump tables is read, the program jumps to
a wrong place. A little earlier and a little later nothing happens, so it matters how long everything takes in this
frame: lines, the rows they were in, the kind of piece, digits that roll over, the music, and whether the next piece is
shown, which SELECT changes.

Source: public documents, that of the crash mode of TetrisGYM (src/modes/crash.asm) and the sheet on which it stands
("crash theory", by its author HydrantDude), which agree. For NTSC, and not tested on the original. From level 163 on
some locks stop the game until a button is pressed or for some seconds, and it goes on; that is not counted as a crash.
Colours beyond the palette, from level 138 on, are only seen.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, FULL_ROW, Rows, clear_rows, write_piece
from emubot.games.tetris.rules import COLUMNS, HIDDEN_PIECE, HIDDEN_ROWS
from emubot.games.tetris.scoring import level_after
from emubot.jit import Scalar, kernel

CRASHES_FROM: Final = 155  # the first level with a lock that crashes

# CPU cycles after the vertical blank.
_ALWAYS: Final = 7279
_ROW: Final = 95  # a row that was cleared,
_LOW_ROW: Final = 97  # and one of the rows from this one on:
_LOW_FROM: Final = 11
_SHOWN: Final = 394  # the next piece
_SLOW_MUSIC: Final = 149  # no block in the row that speeds the music up,
_SLOWER: Final = 38  # where there was one before
_BLOCK: Final = 16  # each empty cell of this row before its first block,
_FASTER: Final = 41  # where there was none before
_TENS, _HUNDREDS, _RISE = 79, 12, 18  # digits of the lines that roll over, and the level
_SOFT: Final = 2  # rows of soft drop from which on they count
_DROP, _SHORT_DROP, _LONG = 90, 99, 8  # such a drop, and one of less than this many rows
_CARRY: Final = 11  # the count of this kind of clear has a new tens digit
_KIND: Final = np.array([0, 53, 42, 42, 42], dtype=np.int64)  # this and the carry without a soft drop alone
_LINES: Final = np.array([737, 28, 56, 84, 128], dtype=np.int64)
_LEVEL: Final = np.array([83, 136, 125, 125, 125], dtype=np.int64)  # for each level
_TETRIS: Final = 4
_FLASH: Final = 5  # a Tetris in every second group of frames
_Z_HORIZONTAL: Final = 8
_PIECE_Z, _PIECE_LATER = 8, 12  # of this orientation, and of the later ones; hidden pieces are such

_MUSIC_ROW: Final = 5
# From the first jump table to each; and where the blank meets it, in cycles from its own.
_TABLES: Final = np.array([0, 60, 162, 222, 323, 383, 502, 562], dtype=np.int64)
_FIRST, _GAP, _GAP_END, _LAST_JUMPS, _END = 29_739, 29_745, 29_750, 29_763, 29_769
_HARMLESS: Final = (1, 5)  # of the tables, from `_LAST_JUMPS` on
# What nobody controls takes 0 to 8 cycles, in so many of 120 cases: the sheet's odds.
_CASES: Final = np.array([3, 11, 18, 20, 20, 20, 17, 9, 2], dtype=np.int64)
_ALL_CASES: Final = 120


class LockCount(NamedTuple):
    """What the program counts in the frame after a lock. Questions are answered by 0 or 1.

    `low_rows` are cleared rows from row 11 on, `level` the one reached, `carried` whether the counter of such clears
    rolls over from 9 to 0, `piece` the orientation (HIDDEN_PIECE after a clear), `block` the first column with a block
    in row 5 (-1: none), `was_fast` whether there was one before the lock, `dropped` the rows of its soft drop, and
    `flash` whether a Tetris comes in a frame of the flash, which is one of two.
    """

    cleared: Scalar
    low_rows: Scalar
    level: Scalar
    tens: Scalar
    hundreds: Scalar
    risen: Scalar
    carried: Scalar
    piece: Scalar
    block: Scalar
    was_fast: Scalar
    shown: Scalar
    dropped: Scalar
    flash: Scalar


@kernel
def cycles_of(count: LockCount) -> Scalar:
    """Returns the cycles from the vertical blank to the first jump table, without those that nobody controls."""
    cleared = count.cleared
    cycles = _ALWAYS + _ROW * cleared + (_LOW_ROW - _ROW) * count.low_rows + _SHOWN * count.shown
    if count.block < 0:
        cycles += _SLOW_MUSIC + _SLOWER * count.was_fast
    else:
        cycles += _BLOCK * count.block + _FASTER * (1 - count.was_fast)
    cycles += _TENS * count.tens + _HUNDREDS * count.hundreds + _RISE * count.risen
    if count.dropped >= _SOFT:
        cycles += _DROP if count.dropped >= _LONG else _SHORT_DROP
    else:
        cycles += _KIND[cleared] + _CARRY * count.carried
    cycles += _LINES[cleared] + _LEVEL[cleared] * count.level + _FLASH * count.flash
    if count.piece == _Z_HORIZONTAL:
        cycles += _PIECE_Z
    elif count.piece > _Z_HORIZONTAL:
        cycles += _PIECE_LATER
    return cycles


@kernel
def crash_chance(cycles: Scalar) -> float:
    """Returns how probable a crash is after so many cycles (`cycles_of`)."""
    crashing = 0
    for case in range(len(_CASES)):
        for table in range(len(_TABLES)):
            at = cycles + case + _TABLES[table]
            harmless = at >= _LAST_JUMPS and (table == _HARMLESS[0] or table == _HARMLESS[1])
            if _FIRST <= at < _END and not _GAP <= at < _GAP_END and not harmless:
                crashing += _CASES[case]
                break
    return crashing / _ALL_CASES


@kernel
def count_of(
    rows: Rows,
    orientation: Scalar,
    column: Scalar,
    row: Scalar,
    lines: Scalar,
    level: Scalar,
    shown: Scalar,
    dropped: Scalar,
) -> LockCount:
    """Returns what a lock on a board makes the program count after `lines` lines at `level`.

    `dropped` is 1 after a short soft drop. No counter of clears rolls over, and no Tetris flashes.
    """
    after = np.empty(BOARD_ROWS, dtype=np.uint16)
    for index in range(BOARD_ROWS):
        after[index] = rows[index]
    write_piece(after, orientation, column, row)
    low = 0
    for index in range(_LOW_FROM + HIDDEN_ROWS, BOARD_ROWS):
        low += after[index] == FULL_ROW
    cleared = clear_rows(after, row)
    reached = level_after(level, lines, cleared)
    tens = (lines + cleared) // 10 - lines // 10
    hundreds = (lines + cleared) // 100 - lines // 100
    block = first_block(after)
    piece = HIDDEN_PIECE if cleared else orientation
    fast = 1 if first_block(rows) >= 0 else 0
    risen, rows_dropped = 1 if reached != level else 0, _SOFT * dropped
    return LockCount(cleared, low, reached, tens, hundreds, risen, 0, piece, block, fast, shown, rows_dropped, 0)


@kernel
def first_block(rows: Rows) -> Scalar:
    """Returns the first column with a block in the row that speeds the music up; -1 if there is none."""
    for column in range(COLUMNS):
        if int(rows[_MUSIC_ROW + HIDDEN_ROWS]) >> column & 1:
            return column
    return -1


@kernel
def fill_risks(rows: Rows, locks: NDArray[np.int64], lines: Scalar, level: Scalar, risks: NDArray[np.float64]) -> None:
    """Write the risk of each lock (n, 3) of orientation, column and row into risks (n, 2, 2).

    It is without and with a short soft drop, and for each with the next piece hidden and shown. Where a counter of
    clears may roll over, or a Tetris may flash, it is the worse of both.
    """
    for index in range(len(locks)):
        for dropped in range(2):
            for shown in range(2):
                count = count_of(rows, locks[index, 0], locks[index, 1], locks[index, 2], lines, level, shown, dropped)
                cycles, worst = cycles_of(count), 0.0
                for carried in range(2 if count.cleared and not dropped else 1):
                    for flash in range(2 if count.cleared == _TETRIS else 1):
                        worst = max(worst, crash_chance(cycles + _CARRY * carried + _FLASH * flash))
                risks[index, dropped, shown] = worst
