"""RAM to Snapshot for the Tetris family, through the map's value names; knows no address and no search.

A map with the family's timing profile (nes-ntsc) has the values that the simulator needs. Any other map has the place
of the piece and its id, in the map's own orientation ids; all other values are optional.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.gate import counters_judge
from emubot.games.outcome import WON, outcome_of
from emubot.games.tetris.decode import gate
from emubot.games.tetris.decode.map_checks import OWN_ID, check_map, profile_of
from emubot.games.tetris.decode.piece_tables import cells_of
from emubot.games.tetris.decode.value_names import COUNTERS, NEEDED, NES_COUNTERS, NEXT_HIDDEN
from emubot.games.tetris.rules import HIDDEN_ROWS, ROWS
from emubot.games.without_piece import WithoutPiece
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place, placed_by_cells
from emubot.snapshot import Phase, Snapshot

Kinds = NDArray[np.uint8]

_NOWHERE: Final = (-1, 0, 0)  # no orientation has this id
_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


class TetrisDecoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and no bytes make it fail.

    Pieces have the family's orientation ids and pivots. Kinds of cells that are not solid become empty. There are
    always two hidden rows, even if the map has fewer.
    """

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        """Raises MapError if the family cannot play by the map."""
        self._tables = check_map(ram_map)
        self._reader = ram_map.reader(player)
        names = self._reader.names
        simulated = profile_of(ram_map) is not None
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        listed = dict.fromkeys((*((*NES_COUNTERS, NEXT_HIDDEN) if simulated else COUNTERS), *counter))
        self._names = tuple(name for name in listed if name in names)
        self._shows_next = "next_piece" in names
        self._placed = placed_by_cells(ram_map, player, ordered=False, id_name="piece")
        needed = NEEDED if self._placed is None else ()
        filler = (*NEEDED, *names_of_place(ram_map))[-1]
        self._outcome = outcome_of(self._reader, player)
        self._select = self._reader.select((*needed, "next_piece" if self._shows_next else filler, *self._names))
        self._judge = counters_judge(self._reader, gate.COUNTERS)
        self._own_ids = not simulated
        self._playfield = _Solid(self._reader.solid, ROWS)
        self._hidden = _Solid(self._reader.solid, HIDDEN_ROWS)
        self._without = WithoutPiece() if ram_map.document.grid.shows_piece else None

    def __call__(self, ram: bytes) -> Snapshot:
        """Returns the snapshot of an image of the map's memory."""
        phase, state = self._reader.phase(ram)
        if self._placed is None:
            number, x, y, following, *values = self._select(ram)
        else:
            following, *values = self._select(ram)
            number, x, y = self._placed(ram) or _NOWHERE
        counters = dict(zip(self._names, values, strict=True))
        if self._own_ids:
            counters[OWN_ID] = number
        if self._outcome is not None:
            counters[WON] = self._outcome(ram)
        shown = self._tables.orientation(following) if self._shows_next else None
        fault = self._judge(counters) if phase is Phase.PLAYING else None
        if fault is not None:
            phase = Phase.UNKNOWN
        board = self._playfield(self._reader.playfield(ram)), self._hidden(self._reader.hidden(ram))
        current = self._tables.piece(number, x, y) if phase in _WITH_PIECE else None
        if self._without is not None and current is not None and phase is Phase.PLAYING:
            board = self._without(board, cells_of(current))
        return Snapshot(
            phase=phase,
            state=state,
            playfield=board[0],
            hidden=board[1],
            current=current,
            next=() if shown is None else (shown,),
            counters=counters,
            fault=fault,
        )


class _Solid:
    """The cells that a piece collides with: other kinds become empty, and rows that the map lacks are added below.

    It caches the last result, because a reader returns the same array while nothing changes.
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
