"""A piece in the air, frame by frame: turns, shifts, falls; knows no chains, no players and no memory.

The frame model is the demo cartridge's; that of the original is unknown (facts: Famicom Puyo 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from emubot.games.puyo.rules import BIG, BIG_CELLS, CARBUNCLE, COLUMNS, DOWN, ORIENTATIONS, SATELLITE, Rules
from emubot.games.puyo.timing import Timing, gravity
from emubot.pad import Pad

FIRST_REPEAT: Final = 16  # frames a direction is held before it shifts again
AFTER_REPEAT: Final = 10  # the counter's value after a repeat: six frames until the next one

_A, _B, _DOWN, _LEFT, _RIGHT = int(Pad.A), int(Pad.B), int(Pad.DOWN), int(Pad.LEFT), int(Pad.RIGHT)

Cells = NDArray[Any]  # uint8 (stored rows, 6), the topmost hidden row first
Shape = tuple[tuple[int, int], ...]

_PAIRS: Final[tuple[Shape, ...]] = tuple(((0, 0), satellite) for satellite in SATELLITE)
_ITEMS: Final[dict[int, Shape]] = {BIG: BIG_CELLS, CARBUNCLE: ((0, 0),)}


@dataclass(slots=True)
class Falling:
    """The piece in the air with its clocks; `pivot` is the item's kind where it is an item."""

    pivot: int = 0
    satellite: int = 0
    orientation: int = 0
    column: int = 0
    row: int = 0
    drop_timer: int = 0  # frames until it falls a row or locks
    repeat: int = 0  # frames a direction has been held
    primed: bool = False  # its last turn was refused between two walls, so that the next one may be a quick turn

    @property
    def is_item(self) -> bool:
        """Whether it is no pair; items do not turn."""
        return self.pivot in _ITEMS

    @property
    def shape(self) -> Shape:
        """(dx, dy) of its cells from the pivot, dy downwards."""
        return _ITEMS.get(self.pivot) or _PAIRS[self.orientation]


def fits(cells: Cells, rules: Rules, shape: Shape, column: int, row: int) -> bool:
    """Whether each cell is between the walls, above the floor and on no puyo; above the stored rows is air."""
    for dx, dy in shape:
        x, y = column + dx, row + dy
        if not 0 <= x < COLUMNS or y >= rules.visible_rows:
            return False
        index = y + rules.hidden_rows
        if index >= 0 and cells[index, x]:
            return False
    return True


def control(piece: Falling, cells: Cells, rules: Rules, timing: Timing, level: int, new: int, held: int) -> bool:
    """One frame under control, the piece changed in place: turn, shift, fall. True: it locks where it is."""
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
    """A refused turn out of the upright primes a quick turn: the next refused one stands the pair on its head."""
    target = (piece.orientation + quarters) % ORIENTATIONS
    if _turn_to(piece, cells, rules, target):
        piece.primed = False
    elif rules.quick_turn and SATELLITE[target][0] != 0:
        if piece.primed and _turn_to(piece, cells, rules, (piece.orientation + 2) % ORIENTATIONS):
            piece.primed = False
        else:
            piece.primed = True


def _turn_to(piece: Falling, cells: Cells, rules: Rules, target: int) -> bool:
    """Turn in place; else push the pivot one cell away from where the satellite does not fit; else stay."""
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
