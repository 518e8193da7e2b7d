"""RAM to Snapshot and back for the Tetris family, through the map's value names; knows no address and no search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris import registers as reg
from emubot.games.tetris import simulator as sim
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ORIENTATIONS, ROWS
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Snapshot

# What search, steering and reports may know. Generator state and counts of draws are not among it.
COUNTERS: Final = (
    "level",
    "lines",
    "score",
    "fall_timer",
    "das",
    "autorepeat_y",
    "hold_down_points",
    "vram_row",
    "play_state",
    "held_buttons",
)
_PIECE: Final = ("piece", "x", "y", "next_piece")
_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


class Decoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and no bytes make it fail."""

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        self._reader = ram_map.reader(player)
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        self._names = (*COUNTERS, *(name for name in counter if name not in COUNTERS))
        self._select = self._reader.select((*_PIECE, *self._names))

    def __call__(self, ram: bytes) -> Snapshot:
        """The snapshot of 2,048 bytes of RAM."""
        phase, state = self._reader.phase(ram)
        piece, x, y, following, *values = self._select(ram)
        known = phase in _WITH_PIECE and piece < ORIENTATIONS
        return Snapshot(
            phase=phase,
            state=state,
            playfield=self._reader.playfield(ram),
            hidden=self._reader.hidden(ram),
            current=Piece(piece, x, y) if known else None,
            next=(following,) if following < ORIENTATIONS else (),
            counters=dict(zip(self._names, values, strict=True)),
        )


def predict(snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
    """The snapshot after frames whose pads are already on their way to the game.

    A frame that needs the generator (the next piece after a spawn) leaves `next` empty. Outside play the snapshot
    comes back unchanged.
    """
    if not pads or snapshot.current is None or snapshot.phase is not Phase.PLAYING:
        return snapshot
    state, page = _state_of(snapshot, snapshot.current)
    held = snapshot.counters["held_buttons"]
    for pad in pads:
        sim.step_frame(state, page, int(pad) & ~held, int(pad))
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
    """The simulator's state and page for a piece in the air."""
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    counters = snapshot.counters
    values = {
        reg.X: piece.column,
        reg.Y: piece.row,
        reg.PIECE: piece.orientation,
        reg.LEVEL: counters["level"] & 0xFF,
        reg.FALL_TIMER: counters["fall_timer"],
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
