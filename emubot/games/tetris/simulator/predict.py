"""Predicts the snapshot after the pads already on their way, by the simulator; knows no map and no generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.map_checks import OWN_ID
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ROWS
from emubot.games.tetris.simulator.simulator import step_frame
from emubot.games.tetris.timing import ReleaseTiming
from emubot.pad import Pad
from emubot.snapshot import Phase, Piece, Snapshot


def predict(snapshot: Snapshot, pads: Sequence[Pad], timing: ReleaseTiming) -> Snapshot:
    """Returns the snapshot after frames whose pads are already on their way to the game.

    `next` is never changed. The snapshot is returned as it is outside play, and for a cartridge that moves by its map
    alone (see mapped.predict).
    """
    if not pads or snapshot.current is None or snapshot.phase is not Phase.PLAYING or OWN_ID in snapshot.counters:
        return snapshot
    state, page = _state_of(snapshot, snapshot.current)
    held = snapshot.counters["held_buttons"]
    for pad in pads:
        step_frame(state, page, int(pad) & ~held, int(pad), timing)
        held = int(pad)
    in_control = state[reg.PLAY_STATE] == 1
    counters = dict(snapshot.counters) | {
        "fall_timer": int(state[reg.FALL_TIMER]),
        "das": int(state[reg.DAS]),
        "autorepeat_y": int(state[reg.AUTOREPEAT_Y]),
        "hold_down_points": int(state[reg.HOLD_DOWN]),
        "play_state": int(state[reg.PLAY_STATE]),
        "held_buttons": held,
    }
    return Snapshot(
        phase=Phase.PLAYING if in_control else Phase.LOCKED,
        state="playing" if in_control else "locked",
        playfield=snapshot.playfield,
        hidden=snapshot.hidden,
        current=Piece(int(state[reg.PIECE]), int(state[reg.X]), int(state[reg.Y])),
        next=snapshot.next,
        counters=counters,
    )


def _state_of(snapshot: Snapshot, piece: Piece) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns the simulator's state and page for a piece in the air."""
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    counters = snapshot.counters
    values = {
        reg.X: piece.column,
        reg.Y: piece.row & 0xFF,
        reg.PIECE: piece.orientation,
        reg.LEVEL: counters["level"] & 0xFF,
        reg.FALL_TIMER: counters["fall_timer"] & 0xFF,
        reg.DAS: counters["das"],
        reg.AUTOREPEAT_Y: counters["autorepeat_y"],
        reg.HOLD_DOWN: counters["hold_down_points"],
        reg.VRAM_ROW: counters["vram_row"],
        reg.PLAY_STATE: 1,
        reg.GAME_MODE: reg.MODE_PLAY,
        reg.MODE_STATE: reg.MODE_STATE_PLAY,
    }
    for index, number in values.items():
        state[index] = number
    page = np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)
    cells = page[: ROWS * COLUMNS].reshape(ROWS, COLUMNS)
    cells[snapshot.playfield != 0] = 0
    tail = page[-HIDDEN_ROWS * COLUMNS :].reshape(HIDDEN_ROWS, COLUMNS)
    tail[snapshot.hidden[::-1] != 0] = 0
    return state, page
