"""RAM to Snapshot for the Tetris family, through the map's value names; knows no address and no search.

A map whose timing profile is the family's (nes-ntsc) has the values that the simulator needs. Any other map has the
place and id of the piece, in its own orientation ids, and what else it knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris import registers as reg
from emubot.games.tetris import simulator as sim
from emubot.games.tetris.map_checks import COUNTERS, NEEDED, NES_COUNTERS, OWN_ID, check_map, profile_of
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ROWS
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Snapshot

Kinds = NDArray[np.uint8]

_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


class Decoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and no bytes make it fail.

    Pieces come in the family's orientation ids and pivots. Kinds that are not solid read as empty, and the two hidden
    rows are there whatever the map has of them.
    """

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        """Raises MapError for a map that the family cannot play by."""
        self._tables = check_map(ram_map)
        self._reader = ram_map.reader(player)
        names = self._reader.names
        simulated = profile_of(ram_map) is not None
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        listed = dict.fromkeys((*(NES_COUNTERS if simulated else COUNTERS), *counter))
        self._names = tuple(name for name in listed if name in names)
        self._shows_next = "next_piece" in names
        self._select = self._reader.select((*NEEDED, "next_piece" if self._shows_next else "piece", *self._names))
        self._own_ids = not simulated
        self._playfield = _Solid(self._reader.solid, ROWS)
        self._hidden = _Solid(self._reader.solid, HIDDEN_ROWS)

    def __call__(self, ram: bytes) -> Snapshot:
        """The snapshot of the whole memory space, 2,048 bytes of RAM."""
        phase, state = self._reader.phase(ram)
        number, x, y, following, *values = self._select(ram)
        counters = dict(zip(self._names, values, strict=True))
        if self._own_ids:
            counters[OWN_ID] = number
        shown = self._tables.orientation(following) if self._shows_next else None
        return Snapshot(
            phase=phase,
            state=state,
            playfield=self._playfield(self._reader.playfield(ram)),
            hidden=self._hidden(self._reader.hidden(ram)),
            current=self._tables.piece(number, x, y) if phase in _WITH_PIECE else None,
            next=() if shown is None else (shown,),
            counters=counters,
        )


class _Solid:
    """Cells that a piece collides with: other kinds become empty, and rows that the map lacks are added below.

    Remembers its last answer, for a reader gives the same array as long as nothing changes.
    """

    def __init__(self, solid: NDArray[np.bool_], rows: int) -> None:
        self._solid, self._rows = solid, rows
        self._last: tuple[Kinds, Kinds] | None = None

    def __call__(self, kinds: Kinds) -> Kinds:
        if self._last is None or self._last[0] is not kinds:
            cells = np.zeros((self._rows, kinds.shape[1]), dtype=np.uint8)
            cells[: len(kinds)] = np.where(self._solid[kinds], kinds, 0)
            cells.flags.writeable = False
            self._last = (kinds, cells)
        return self._last[1]


def predict(snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
    """The snapshot after frames whose pads are already on their way to the game.

    A frame that needs the generator (the next piece after a spawn) leaves `next` empty. Outside play the snapshot
    comes back unchanged, and that of a cartridge that moves by its map alone: mapped.predict is for those.
    """
    if not pads or snapshot.current is None or snapshot.phase is not Phase.PLAYING or OWN_ID in snapshot.counters:
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
