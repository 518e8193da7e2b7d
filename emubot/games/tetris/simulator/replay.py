"""Recorded games of falling blocks: which values are recorded, and the replay on the simulator; knows no bridge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from emubot.errors import TraceError
from emubot.games.rows import plain_recorder
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.map_checks import is_replayed, profile_of
from emubot.games.tetris.rules import COLUMNS, DX, DY, HIDDEN_PIECE, ORIENTATIONS, ROWS
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC, timing_of
from emubot.rammap import RamMap
from emubot.rammap.spaces import index_of
from emubot.snapshot import Snapshot
from emubot.trace import Recorder, Trace

# The highest values that a game can have, of the fields that kernels use as indices.
_HIGHEST: Final = {
    "piece": HIDDEN_PIECE,
    "next_piece": ORIENTATIONS - 1,
    "y": ROWS - 1,
    "line_index": 4,
    "completed_lines": 4,
}
_CURTAIN: Final = "curtain"
_PIECE_VISIBLE: Final = (1, 2)  # play states in which the piece is in the air


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    return trace.fields == tuple(reg.FIELDS) and len(trace.initial_page) == reg.PAGE_SIZE


class TetrisRecorder:
    """Records and replays games of one map; one without the timing of a release is replayed by that of NTSC."""

    def __init__(self, ram_map: RamMap) -> None:
        self._map = ram_map
        profile = profile_of(ram_map)
        self._timing = NTSC if profile is None else timing_of(profile)

    def begin(self, order: str) -> Recorder:
        """Returns a recorder of what the simulator replays if the map has it, else of all that the map has.

        The rest is for views and movies.
        """
        ram_map = self._map
        if not is_replayed(ram_map):
            return plain_recorder(ram_map, order)
        addresses = [ram_map.addresses(name)[0] for name in reg.FIELDS]
        pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
        return Recorder(reg.FIELDS, addresses, ram_map.regions["page"], pads, order, index_of)

    def records(self, snapshot: Snapshot) -> bool:
        """A recorded game includes its curtain; the simulator has no high-score screens."""
        return snapshot.phase.in_game or snapshot.state == _CURTAIN

    def verify(self, trace: Trace) -> tuple[int, int]:
        """Replays a trace; returns the number of rows that differ and the first of them (-1 if none)."""
        _refuse_impossible(trace)
        state, page = trace.initial.copy(), trace.initial_page.copy()
        return sim.replay(state, page, trace.pads, trace.order == "nmi-game", self._timing, trace.state, trace.page)

    def draw(self, trace: Trace, row: int) -> Sequence[str]:
        """Returns the playfield after a row as lines of text: # is a cell, o the piece in the air."""
        cells = trace.page[row, : ROWS * COLUMNS].reshape(ROWS, COLUMNS) < reg.EMPTY
        drawn = [["#" if cell else "." for cell in line] for line in cells]
        piece, x, y, state = (int(trace.column(name)[row]) for name in ("piece", "x", "y", "play_state"))
        if piece < ORIENTATIONS and state in _PIECE_VISIBLE:
            for dx, dy in zip(DX[piece].tolist(), DY[piece].tolist(), strict=True):
                if 0 <= y + dy < ROWS and 0 <= x + dx < COLUMNS:
                    drawn[y + dy][x + dx] = "o"
        return ["".join(line) for line in drawn]


def _refuse_impossible(trace: Trace) -> None:
    """Raise TraceError, naming the field and the first row, if a byte has a value that no game can have.

    Kernels do not check their indices, so this must run before them.
    """
    rows = np.vstack([trace.initial, trace.state])
    state, piece = (rows[:, trace.fields.index(name)] for name in ("play_state", "piece"))
    wrong = {f"{name} above {most}": rows[:, trace.fields.index(name)] > most for name, most in _HIGHEST.items()}
    wrong["no piece in the air"] = np.isin(state, _PIECE_VISIBLE) & (piece >= ORIENTATIONS)
    for what, found in wrong.items():
        if found.any():
            row = int(np.argmax(found)) - 1
            where = f"in row {row}" if row >= 0 else "before the first row"
            raise TraceError(f"The trace cannot be of this game ({what} {where}): it is damaged, record it again.")
