"""The places where a piece of a matching game can lock, and the pads that lead there; knows no evaluation."""

from __future__ import annotations

from emubot.games.colours.board.turning import piece_turning
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.reach.reach import Cells, Reach, Result, Start, distinct, reach_of, shapes_of
from emubot.games.motion import Fall, Grid, straight, timed
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement
from emubot.tempo import InputState, Tempo


def reach(start: Start, fall: Fall, rules: Rules, tempo: Tempo, input_state: InputState, buttons: Buttons) -> Reach:
    """Returns all locks of a piece from its place; `fall`, `tempo` and the rest are as in motion.timed."""
    shapes = shapes_of(piece_turning(rules, start.kinds))
    flight = timed(_grid(start.cells, rules), shapes, start.piece, fall, start.drop_timer, tempo, input_state, buttons)
    return reach_of(flight, lambda place: result(start.kinds, place, rules))


def moves(
    cells: Cells, kinds: tuple[int, ...], start: Piece, rules: Rules, buttons: Buttons, slack: int
) -> tuple[Placement, ...]:
    """Returns placements by single inputs that need no timing (motion.straight), each result once, nearest first."""
    found = straight(_grid(cells, rules), shapes_of(piece_turning(rules, kinds)), start, buttons, slack)
    return distinct(found, lambda place: result(kinds, place, rules))


def result(kinds: tuple[int, ...], place: tuple[int, int, int], rules: Rules) -> Result:
    """Returns the cells that a lock at (orientation, column, row) fills. A half above the stored rows is lost."""
    orientation, column, row = place
    cells = zip(rules.shapes[orientation], kinds, strict=True)
    return frozenset((column + dx, row + dy, kind) for (dx, dy), kind in cells if row + dy >= -rules.hidden_rows)


def _grid(cells: Cells, rules: Rules) -> Grid:
    return Grid(cells, rules.hidden_rows, -rules.hidden_rows)
