"""The gate before the kernels: which positions a game can have; knows no map and no search.

Kernels check no index. Those of pairs are made for settled fields: a pair that slips under a floating cell has more
locks than they have room for.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import PositionError
from emubot.games.colours.board.turning import Shape, pair_shape
from emubot.games.colours.decode.frame import field_of, kinds_of
from emubot.games.colours.field_rules import FieldRules
from emubot.games.colours.matching_rules import TARGETS, VANISHING
from emubot.games.colours.matching_rules import Rules as MatchingRules
from emubot.games.colours.rules import CARBUNCLE, COLORS, EMPTY, ITEMS, OBSTACLE, ORIENTATIONS, Rules
from emubot.games.gate import counters_fault
from emubot.snapshot import Piece, Snapshot

PAIR_COUNTERS: Final = ("drop_timer", "level", "pending", "repeat", "held_buttons")  # that kernels take
MATCHING_COUNTERS: Final = ("drop_timer", "repeat", "pace", "pieces", "pending", "held_buttons")  # that kernels take
_MATCHING_KINDS: Final = (*range(EMPTY, VANISHING + 1), *TARGETS)


def check_pair(snapshot: Snapshot, rules: Rules) -> None:
    """Raise PositionError if no game can have this position with a pair in the air."""
    counters, piece = snapshot.counters, snapshot.current
    halves = (counters.get("pivot", EMPTY), counters.get("satellite", EMPTY), *snapshot.next)
    odd = next((two for two in zip(halves[::2], halves[1::2], strict=True) if not is_pair(*two)), None)
    fault = snapshot.fault or field_fault(snapshot.playfield, snapshot.hidden, rules)
    fault = fault or counters_fault(counters, PAIR_COUNTERS)
    if fault is None and odd is not None:
        fault = f"{odd[0]} and {odd[1]} are the kinds of no pair"
    if fault is None and piece is not None and not is_inside(piece, halves[0], rules):
        fault = f"the pair is outside the field, at {piece}"
    _refuse(fault)


def field_fault(playfield: NDArray[Any], hidden: NDArray[Any], rules: Rules) -> str | None:
    """Returns why no game has this field while a pair is in the air; None if one can. Arrays are as in Snapshot."""
    if playfield.shape != (rules.visible_rows, rules.columns) or hidden.shape != (rules.hidden_rows, rules.columns):
        return f"a field of {playfield.shape} and {hidden.shape} cells is none of {rules.name}"
    cells = np.concatenate((hidden[::-1], playfield))
    if int(cells.max()) > OBSTACLE or int(cells.min()) < EMPTY:
        return f"a cell holds {EMPTY} to {OBSTACLE}, not {int(cells.min())} to {int(cells.max())}"
    floating = np.argwhere((cells[:-1] != EMPTY) & (cells[1:] == EMPTY))
    if len(floating):
        row, column = floating[-1].tolist()
        return f"the cell in column {column + 1}, {len(cells) - row} rows from the floor, has nothing below it"
    return None


def is_pair(pivot: int, satellite: int) -> bool:
    """Returns whether a pair or an item has these kinds; a half that is not known has kind 0."""
    if pivot in ITEMS:
        return EMPTY <= satellite <= CARBUNCLE
    return EMPTY <= pivot <= COLORS and EMPTY <= satellite <= COLORS


def is_inside(piece: Piece, pivot: int, rules: Rules, above: int = 1) -> bool:
    """Returns whether a piece with this kind of pivot is between the walls and above the floor.

    Its pivot may be so many rows `above` the stored ones: where a map lists the turns it may be the upper half.
    """
    if not 0 <= piece.orientation < ORIENTATIONS:
        return False
    return _fits(pair_shape(pivot, piece.orientation), piece, rules, above)


def check_piece(snapshot: Snapshot, rules: MatchingRules) -> None:
    """Raise PositionError if no game can have this position with a piece in the air."""
    piece, kinds = snapshot.current, kinds_of(snapshot, rules)
    fault = snapshot.fault or _matching_fault(snapshot, rules) or counters_fault(snapshot.counters, MATCHING_COUNTERS)
    if fault is None and not all(EMPTY <= kind <= COLORS for kind in (*kinds, *snapshot.next)):
        fault = f"a piece has cells of kind {EMPTY} to {COLORS}, not {kinds} and {snapshot.next}"
    if fault is None and len(snapshot.next) not in (0, rules.piece_cells):
        fault = f"a piece has {rules.piece_cells} cells, not {len(snapshot.next)}"
    if fault is None and piece is not None and not piece_is_inside(piece, rules):
        fault = f"the piece is outside the field, at {piece}"
    _refuse(fault)


def _matching_fault(snapshot: Snapshot, rules: MatchingRules) -> str | None:
    cells, links = field_of(snapshot)
    shape = (rules.stored_rows, rules.columns)
    if cells.shape != shape or links.shape != shape or len(snapshot.hidden) != rules.hidden_rows:
        return f"a field of {cells.shape} cells is none of {rules.name}"
    odd = cells[~np.isin(cells, _MATCHING_KINDS)]
    return f"a cell cannot hold {int(odd[0])}" if len(odd) else None


def piece_is_inside(piece: Piece, rules: MatchingRules) -> bool:
    """Returns whether a piece is between the walls, above the floor, and in the stored rows."""
    if piece.orientation not in rules.orientations:
        return False
    return _fits(rules.shapes[piece.orientation], piece, rules)


def _refuse(fault: str | None) -> None:
    if fault is not None:
        raise PositionError(f"No game can have this position: {fault}.")


def _fits(shape: Shape, piece: Piece, rules: FieldRules, above: int = 0) -> bool:
    columns, lowest = [piece.column + dx for dx, _ in shape], max(piece.row + dy for _, dy in shape)
    beside = min(columns) < 0 or max(columns) >= rules.columns
    return not beside and lowest < rules.visible_rows and piece.row >= -rules.hidden_rows - above
