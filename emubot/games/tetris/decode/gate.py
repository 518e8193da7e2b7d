"""The gate before the kernels of falling blocks: which positions a game can have; knows no map and no search.

Kernels check no index. They take any board, holes and floating cells too, and a piece that overlaps the stack.
"""

from __future__ import annotations

from typing import Final

from emubot.errors import PositionError
from emubot.games.gate import counters_fault
from emubot.games.tetris.decode.value_names import COUNTERS as OF_MAPS
from emubot.games.tetris.decode.value_names import NES_COUNTERS
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ORIENTATIONS, ROWS
from emubot.snapshot import Snapshot

COUNTERS: Final = tuple(dict.fromkeys(name for name in (*NES_COUNTERS, *OF_MAPS) if name != "score"))


def check_position(snapshot: Snapshot) -> None:
    """Raise PositionError if no game on the usual board, with its usual pieces, can have this position."""
    fault = snapshot.fault or counters_fault(snapshot.counters, COUNTERS)
    shapes = (snapshot.playfield.shape, snapshot.hidden.shape)
    if fault is None and shapes != ((ROWS, COLUMNS), (HIDDEN_ROWS, COLUMNS)):
        fault = f"a board of {shapes[0]} and {shapes[1]} cells is none of falling blocks"
    piece = snapshot.current
    shown = (*snapshot.next, *(() if piece is None else (piece.orientation,)))
    if fault is None and not all(0 <= orientation < ORIENTATIONS for orientation in shown):
        fault = f"a piece has orientation 0 to {ORIENTATIONS - 1}, not {max(shown, key=abs)}"
    if fault is not None:
        raise PositionError(f"No game can have this position: {fault}.")
