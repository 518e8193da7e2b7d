"""A piece in the air, frame by frame: rotations, shifts, falls; knows no chains, no players and no memory.

The frame model is the demo cartridge's; the original's is unknown (facts: Famicom Puyo 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from emubot.games.colours.rules import BIG, BIG_CELLS, CARBUNCLE, DOWN, ORIENTATIONS, SATELLITE, Rules
from emubot.games.colours.timing import Timing, gravity
from emubot.pad import Pad

FIRST_REPEAT: Final = 16  # frames that a direction is held before the first repeated shift
AFTER_REPEAT: Final = 10  # the counter's value after a repeat: the next one comes six frames later

_A, _B, _DOWN, _LEFT, _RIGHT = int(Pad.A), int(Pad.B), int(Pad.DOWN), int(Pad.LEFT), int(Pad.RIGHT)

Cells = NDArray[Any]  # uint8 (stored rows, columns), the topmost hidden row first
Shape = tuple[tuple[int, int], ...]

_PAIRS: Final[tuple[Shape, ...]] = tuple(((0, 0), satellite) for satellite in SATELLITE)
_ITEMS: Final[dict[int, Shape]] = {BIG: BIG_CELLS, CARBUNCLE: ((0, 0),)}


@dataclass(slots=True)
class Falling:
    """The piece in the air with its timers; for an item, `pivot` is the item's kind."""

    pivot: int = 0
    satellite: int = 0
    orientation: int = 0
    column: int = 0
    row: int = 0
    drop_timer: int = 0  # frames until it falls a row or locks
    repeat: int = 0  # frames that a direction has been held
    primed: bool = False  # its last rotation was blocked between two walls, so the next one may be a quick turn

    @property
    def is_item(self) -> bool:
        """Whether it is an item and not a pair; items do not rotate."""
        return self.pivot in _ITEMS

    @property
    def shape(self) -> Shape:
        """The (dx, dy) of its cells from the pivot, dy downwards."""
        return _ITEMS.get(self.pivot) or _PAIRS[self.orientation]


def fits(cells: Cells, rules: Rules, shape: Shape, column: int, row: int) -> bool:
    """Returns whether all cells are between the walls, above the floor and free; above the stored rows all is free."""
    for dx, dy in shape:
        x, y = column + dx, row + dy
        if not 0 <= x < rules.columns or y >= rules.visible_rows:
            return False
        index = y + rules.hidden_rows
        if index >= 0 and cells[index, x]:
            return False
    return True


def control(piece: Falling, cells: Cells, rules: Rules, timing: Timing, level: int, new: int, held: int) -> bool:
    """Play one frame under control: rotate, shift, fall. Changes the piece in place; returns True if it locks."""
    if not piece.is_item and new & (_A | _B):
        _turn(piece, cells, rules, 1 if new & _A else ORIENTATIONS - 1)
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
    if not fits(cells, rules, piece.shape, piece.column, piece.row + 1):
        return True
    piece.row += 1
    piece.drop_timer = gravity(timing, level)
    return False


def _shift(piece: Falling, cells: Cells, rules: Rules, step: int) -> None:
    if fits(cells, rules, piece.shape, piece.column + step, piece.row):
        piece.column += step


def _turn(piece: Falling, cells: Cells, rules: Rules, quarters: int) -> None:
    """Rotate the pair if it can.

    Quick turn: a blocked rotation of an upright pair primes it, and the next blocked one turns the pair upside down.
    """
    target = (piece.orientation + quarters) % ORIENTATIONS
    if _turn_to(piece, cells, rules, target):
        piece.primed = False
    elif rules.quick_turn and SATELLITE[target][0] != 0:
        if piece.primed and _turn_to(piece, cells, rules, (piece.orientation + 2) % ORIENTATIONS):
            piece.primed = False
        else:
            piece.primed = True


def _turn_to(piece: Falling, cells: Cells, rules: Rules, target: int) -> bool:
    """Rotate in place, or else with a kick of the pivot, one cell away from the satellite; False if neither fits."""
    if fits(cells, rules, _PAIRS[target], piece.column, piece.row):
        piece.orientation = target
        return True
    dx, dy = SATELLITE[target]
    column, row = piece.column - dx, piece.row - dy
    allowed = rules.floor_kick and row >= -rules.hidden_rows if target == DOWN else rules.wall_kick
    if not allowed or not fits(cells, rules, _PAIRS[target], column, row):
        return False
    piece.orientation, piece.column, piece.row = target, column, row
    return True
