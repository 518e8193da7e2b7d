"""The gate before the kernels of matching games: which positions a game can have; knows no map and no search.

Kernels check no index. They take any field of known kinds: targets and joined halves may hang in the air.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.errors import PositionError
from emubot.games.colours.decode.frame import field_of, kinds_of
from emubot.games.colours.matching_rules import COLORS, EMPTY, TARGETS, VANISHING, Rules
from emubot.games.gate import counters_fault
from emubot.snapshot import Piece, Snapshot

COUNTERS: Final = ("drop_timer", "repeat", "pace", "pieces", "pending", "held_buttons")  # that kernels take
_KINDS: Final = (*range(EMPTY, VANISHING + 1), *TARGETS)


def check_position(snapshot: Snapshot, rules: Rules) -> None:
    """Raise PositionError if no game can have this position with a piece in the air."""
    piece, kinds = snapshot.current, kinds_of(snapshot, rules)
    fault = snapshot.fault or _field_fault(snapshot, rules) or counters_fault(snapshot.counters, COUNTERS)
    if fault is None and not all(EMPTY <= kind <= COLORS for kind in (*kinds, *snapshot.next)):
        fault = f"a piece has cells of kind {EMPTY} to {COLORS}, not {kinds} and {snapshot.next}"
    if fault is None and len(snapshot.next) not in (0, rules.piece_cells):
        fault = f"a piece has {rules.piece_cells} cells, not {len(snapshot.next)}"
    if fault is None and piece is not None and not is_inside(piece, rules):
        fault = f"the piece is outside the field, at {piece}"
    if fault is not None:
        raise PositionError(f"No game can have this position: {fault}.")


def _field_fault(snapshot: Snapshot, rules: Rules) -> str | None:
    cells, links = field_of(snapshot)
    shape = (rules.stored_rows, rules.columns)
    if cells.shape != shape or links.shape != shape or len(snapshot.hidden) != rules.hidden_rows:
        return f"a field of {cells.shape} cells is none of {rules.name}"
    odd = cells[~np.isin(cells, _KINDS)]
    return f"a cell cannot hold {int(odd[0])}" if len(odd) else None


def is_inside(piece: Piece, rules: Rules) -> bool:
    """Returns whether a piece is between the walls, above the floor, and in the stored rows."""
    if piece.orientation not in rules.orientations:
        return False
    cells = [(piece.column + dx, piece.row + dy) for dx, dy in rules.shapes[piece.orientation]]
    beside = any(not 0 <= column < rules.columns or row >= rules.visible_rows for column, row in cells)
    return not beside and piece.row >= -rules.hidden_rows
