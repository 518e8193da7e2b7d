"""The placements that a map's own pieces can reach, with the way to each; knows no evaluation and no memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from emubot.games.motion import Grid, moved, straight, timed
from emubot.games.tetris.anyboard.board import MOST_ROWS
from emubot.games.tetris.anyboard.decoder import AnySnapshot
from emubot.games.tetris.anyboard.pieces import Pieces
from emubot.games.tetris.reach.mapped import TIMER, Offer, fall_at, is_immediate, slack_rows, with_piece
from emubot.games.tetris.rules import HIDDEN_ROWS
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.tempo import FULL_SPEED, InputState, Tempo, tempo_for_speed

_HIGHEST: Final = 4  # rows: no turn lifts the pivot further


class AnyMotion:
    """The motion of one map's pieces under one tempo."""

    def __init__(self, ram_map: RamMap, tempo: Tempo) -> None:
        self._timing, self._buttons, self._tempo = ram_map.timing, ram_map.buttons, tempo

    def ahead(self, snapshot: AnySnapshot, pads: Sequence[Pad]) -> AnySnapshot:
        """Returns the snapshot after pads already on their way; unchanged outside play or if the fall is not known."""
        piece, counters = snapshot.current, snapshot.counters
        fall = fall_at(self._timing, counters.get("level", 0))
        if not pads or piece is None or snapshot.phase is not Phase.PLAYING or fall is None or TIMER not in counters:
            return snapshot
        shapes, held = snapshot.pieces.shapes(piece.orientation), Pad(counters.get("held_buttons", 0))
        after = moved(grid_of(snapshot), shapes, piece, fall, counters[TIMER], held, pads, self._buttons)
        changed = {TIMER: after.timer} | ({"held_buttons": int(pads[-1])} if "held_buttons" in counters else {})
        placed = Piece(int(shapes.shown[after.orientation]), after.column, after.row)
        return with_piece(snapshot, placed, after.locked, changed)

    def offers(self, snapshot: AnySnapshot, piece: Piece, input_state: InputState) -> Iterator[Offer]:
        """Yields offers, the surest first. If the best placement of one loses the game, look at the next offer."""
        counters, pieces = snapshot.counters, snapshot.pieces
        shapes, grid = pieces.shapes(piece.orientation), grid_of(snapshot)
        fall = fall_at(self._timing, counters.get("level", 0))
        if fall is not None and TIMER in counters and is_immediate(self._timing):
            flight = timed(grid, shapes, piece, fall, counters[TIMER], self._tempo, input_state, self._buttons)
            reached = (Placement(*lock[:3]) for lock in flight.locks)
            yield Offer(tuple(place for place in reached if _on_board(pieces, grid, place)), flight)
            return
        for slack in range(slack_rows(fall, self._tempo), -1, -1):
            found = straight(grid, shapes, piece, self._buttons, slack)
            yield Offer(tuple(place for place in found if _on_board(pieces, grid, place)))


def predict(ram_map: RamMap, snapshot: AnySnapshot, pads: Sequence[Pad]) -> AnySnapshot:
    """Returns what AnyMotion.ahead returns for this map."""
    return _motion_of(ram_map).ahead(snapshot, pads)


@lru_cache(maxsize=4)
def _motion_of(ram_map: RamMap) -> AnyMotion:
    return AnyMotion(ram_map, tempo_for_speed(FULL_SPEED))


def grid_of(snapshot: Snapshot) -> Grid:
    """Returns the cells that a piece collides with, hidden rows on top."""
    cells = np.concatenate([snapshot.hidden[::-1], snapshot.playfield])
    row = 0 if snapshot.current is None else snapshot.current.row
    return Grid(cells, len(snapshot.hidden), row - _HIGHEST)


def _on_board(pieces: Pieces, grid: Grid, place: Placement) -> bool:
    """Returns whether every cell of a lock is in the rows that a search holds."""
    highest = min(max(grid.hidden, HIDDEN_ROWS), MOST_ROWS - pieces.rows)
    return place.row + pieces.orientations[place.orientation].top >= -highest
