"""Lines, levels and points as NES Tetris counts them, bugs included; knows no playfield and no timing.

Lines and score are the game's own bytes: `lines_lo` is two BCD digits, `lines_hi` the hundreds in plain binary, and the
score three BCD bytes, lowest first. Source: NES Tetris facts 4 and 6, verified frame by frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emubot.jit import Scalar, kernel

# Points of 0-4 lines as two BCD bytes, low and high; added level + 1 times.
_POINTS_LO = np.array([0x00, 0x40, 0x00, 0x00, 0x00], dtype=np.int64)
_POINTS_HI = np.array([0x00, 0x00, 0x01, 0x03, 0x12], dtype=np.int64)


@kernel
def count_line(level: Scalar, lines_lo: Scalar, lines_hi: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Count one more line; returns the new (level, lines_lo, lines_hi).

    The level rises if the ones digit becomes 0 and (level - t) is negative as a signed byte. Here t is the line count
    without its ones digit, its decimal digits read as hex. This explains the odd start-level table and the 810-line
    level.
    """
    lines_lo += 1
    if lines_lo & 0x0F >= 0x0A:
        lines_lo += 6
    if lines_lo & 0xF0 >= 0xA0:
        lines_lo &= 0x0F
        lines_hi = (lines_hi + 1) & 0xFF
    if lines_lo & 0x0F == 0:
        tens = ((lines_hi << 8 | lines_lo) >> 4) & 0xFF
        if (level - tens) & 0x80:
            level = (level + 1) & 0xFF
    return level, lines_lo, lines_hi


@kernel
def count_down(lines_lo: Scalar, cleared: Scalar) -> Scalar:
    """Returns the B-type lines that are left after `cleared` more (1-4): two BCD digits, not below 0.

    From public documentation; not tested on the original.
    """
    lines_lo -= cleared
    if lines_lo < 0:
        return 0
    return lines_lo - 6 if lines_lo & 0x0F >= 0x0A else lines_lo


@kernel
def level_after(level: Scalar, lines: Scalar, cleared: Scalar) -> Scalar:
    """Returns the level after `cleared` more lines are added to `lines` (a plain number, 0 or more)."""
    lines_hi = (lines // 100) & 0xFF
    lines_lo = lines % 100 // 10 << 4 | lines % 10
    for _ in range(cleared):
        level, lines_lo, lines_hi = count_line(level, lines_lo, lines_hi)
    return level


@kernel
def push_down(score0: Scalar, score1: Scalar, rows: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the low score bytes after a soft drop of 2 or more rows; a carry loses the ones digit, as in the game."""
    score0 = (score0 - 1 + rows) & 0xFF
    if score0 & 0x0F >= 0x0A:
        score0 = (score0 + 6) & 0xFF
    if score0 & 0xF0 >= 0xA0:
        score0 = ((score0 & 0xF0) + 0x60) & 0xFF
        score1 = (score1 + 1) & 0xFF
    return score0, score1


@kernel
def line_points(
    score0: Scalar, score1: Scalar, score2: Scalar, level: Scalar, cleared: Scalar
) -> tuple[Scalar, Scalar, Scalar]:
    """Returns the score bytes after the points of `cleared` lines (0-4) at `level`; capped at 999,999.

    The addition runs level + 1 times even for 0 lines; this repairs the digits that a push-down left.
    """
    for _ in range(level + 1):
        score0 += _POINTS_LO[cleared]
        if score0 >= 0xA0:
            score0 = (score0 + 0x60) & 0xFF
            score1 += 1
        score1 += _POINTS_HI[cleared]
        if score1 & 0x0F >= 0x0A:
            score1 += 6
        if score1 & 0xF0 >= 0xA0 or score1 > 0xFF:
            score1 = (score1 + 0x60) & 0xFF
            score2 += 1
        if score2 & 0x0F >= 0x0A:
            score2 += 6
        if score2 & 0xF0 >= 0xA0:
            score0, score1, score2 = 0x99, 0x99, 0x99
    return score0, score1, score2


def decimal(bcd: Any) -> int:
    """Returns the number that BCD bytes show, lowest byte first."""
    return sum(100**place * ((int(byte) >> 4) * 10 + (int(byte) & 0x0F)) for place, byte in enumerate(bcd))
