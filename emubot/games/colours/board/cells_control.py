"""A piece in the air, frame by frame: turns, shifts, falls; knows no lines, no players and no memory.

The frame model is the demo cartridge's; the original's is not documented to the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.games.colours.board.cells import Cells, fits
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.matching_timing import Timing
from emubot.pad import Pad

FIRST_REPEAT: Final = 16  # frames that a direction is held before the first repeated shift
AFTER_REPEAT: Final = 10  # the counter's value after a repeat: the next one comes six frames later

_A, _B, _DOWN, _LEFT, _RIGHT = int(Pad.A), int(Pad.B), int(Pad.DOWN), int(Pad.LEFT), int(Pad.RIGHT)


@dataclass(slots=True)
class Falling:
    """The place of the piece in the air, and its timers."""

    orientation: int = 0
    column: int = 0
    row: int = 0
    drop_timer: int = 0  # frames until it falls a row or locks
    repeat: int = 0  # frames that a direction has been held


def control(piece: Falling, cells: Cells, rules: Rules, timing: Timing, frames: int, new: int, held: int) -> bool:
    """Play one frame under control: turn, shift, fall. Changes the piece in place; returns True if it locks.

    `frames` are those per row; `new` are the buttons pressed in this frame, `held` all that are down.
    """
    if new & (_A | _B):
        _turn(piece, cells, rules, 1 if new & _A else -1)
    if new & (_LEFT | _RIGHT):
        piece.repeat = 0
        _shift(piece, cells, rules, -1 if new & _LEFT else 1)
    elif held & (_LEFT | _RIGHT):
        piece.repeat += 1
        if piece.repeat == FIRST_REPEAT:
            piece.repeat = AFTER_REPEAT
            _shift(piece, cells, rules, -1 if held & _LEFT else 1)
    if held & _DOWN and not held & (_LEFT | _RIGHT):
        piece.drop_timer = min(piece.drop_timer, timing.soft_drop)
    piece.drop_timer -= 1
    if piece.drop_timer > 0:
        return False
    piece.drop_timer = 0
    if not fits(cells, rules, (piece.orientation, piece.column, piece.row + 1)):
        return True
    piece.row += 1
    piece.drop_timer = frames
    return False


def _shift(piece: Falling, cells: Cells, rules: Rules, step: int) -> None:
    if fits(cells, rules, (piece.orientation, piece.column + step, piece.row)):
        piece.column += step


def _turn(piece: Falling, cells: Cells, rules: Rules, turns: int) -> None:
    """Turn the piece in place, or if that is blocked and the piece would lie flat, one column to the left."""
    target = (piece.orientation + turns) % len(rules.shapes)
    is_flat = len({dy for _, dy in rules.shapes[target]}) == 1
    for column in (piece.column, piece.column - 1)[: 1 + (rules.kick_left and is_flat)]:
        if fits(cells, rules, (target, column, piece.row)):
            piece.orientation, piece.column = target, column
            return
