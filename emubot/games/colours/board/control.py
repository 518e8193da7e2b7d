"""A piece in the air, frame by frame: turns, shifts, falls; knows no chains, no players and no memory.

The frame model is the demo cartridges'; the originals' is not documented to the frame (facts: Famicom Puyo 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from emubot.games.colours.board.turning import CLOCKWISE, COUNTERCLOCKWISE, Shape, Turning
from emubot.games.motion import Fall
from emubot.pad import Pad

FIRST_REPEAT: Final = 16  # frames that a direction is held before the first repeated shift
AFTER_REPEAT: Final = 10  # the counter's value after a repeat: the next one comes six frames later

_A, _B, _DOWN, _LEFT, _RIGHT = int(Pad.A), int(Pad.B), int(Pad.DOWN), int(Pad.LEFT), int(Pad.RIGHT)

Cells = NDArray[Any]  # uint8 (stored rows, columns), the topmost hidden row first


@dataclass(slots=True)
class Falling:
    """The piece in the air with its timers.

    `kinds` are those of its cells: of a pair the pivot's and the satellite's, both that of an item; else half 1 first.
    """

    kinds: tuple[int, ...] = ()
    orientation: int = 0
    column: int = 0
    row: int = 0
    drop_timer: int = 0  # frames until it falls a row or locks
    repeat: int = 0  # frames that a direction has been held
    primed: bool = False  # its last rotation was blocked between two walls, so the next one may be a quick turn


def fits(cells: Cells, hidden: int, shape: Shape, column: int, row: int) -> bool:
    """Returns whether all cells are between the walls, above the floor and free; above the stored rows all is free.

    `hidden` is the number of hidden rows: row 0 is the first visible one.
    """
    rows, columns = cells.shape
    for dx, dy in shape:
        x, index = column + dx, row + dy + hidden
        if not 0 <= x < columns or index >= rows or (index >= 0 and cells[index, x]):
            return False
    return True


def control(piece: Falling, cells: Cells, hidden: int, turning: Turning, fall: Fall, new: int, held: int) -> bool:
    """Play one frame under control: turn, shift, fall. Changes the piece in place; returns True if it locks.

    `new` are the buttons pressed in this frame, `held` all that are down.
    """
    if new & (_A | _B):
        _turn(piece, cells, hidden, turning, CLOCKWISE if new & _A else COUNTERCLOCKWISE)
    shape = turning.cells[turning.shown.index(piece.orientation)]
    if new & (_LEFT | _RIGHT):
        piece.repeat = 0
        _shift(piece, cells, hidden, shape, -1 if new & _LEFT else 1)
    elif held & (_LEFT | _RIGHT):
        piece.repeat += 1
        if piece.repeat == FIRST_REPEAT:
            piece.repeat = AFTER_REPEAT
            _shift(piece, cells, hidden, shape, -1 if held & _LEFT else 1)
    if held & _DOWN and not held & (_LEFT | _RIGHT):
        piece.drop_timer = min(piece.drop_timer, fall.soft_drop)
    piece.drop_timer -= 1
    if piece.drop_timer > 0:
        return False
    piece.drop_timer = 0
    if not fits(cells, hidden, shape, piece.column, piece.row + 1):
        return True
    piece.row += 1
    piece.drop_timer = fall.gravity
    return False


def _shift(piece: Falling, cells: Cells, hidden: int, shape: Shape, step: int) -> None:
    if fits(cells, hidden, shape, piece.column + step, piece.row):
        piece.column += step


def _turn(piece: Falling, cells: Cells, hidden: int, turning: Turning, direction: int) -> None:
    """Turn the piece by the first attempt that fits; no kick lifts it above the stored rows."""
    for state, dx, dy in turning.turns[direction][turning.state(piece.orientation, piece.primed)]:
        column, row = piece.column + dx, piece.row + dy
        if (dy >= 0 or row >= -hidden) and fits(cells, hidden, turning.cells[state], column, row):
            piece.orientation, piece.column, piece.row = turning.shown[state], column, row
            piece.primed = state != turning.shown.index(piece.orientation)
            return
