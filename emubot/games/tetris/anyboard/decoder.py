"""From the bytes of a map to a Snapshot with the map's own pieces; knows no search and no address."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import PositionError
from emubot.games.gate import counters_fault, counters_judge
from emubot.games.outcome import WON, outcome_of
from emubot.games.tetris.anyboard.checks import checked_pieces
from emubot.games.tetris.anyboard.clocking import values_of
from emubot.games.tetris.anyboard.pieces import Pieces
from emubot.games.tetris.decode import gate
from emubot.games.tetris.decode.value_names import COUNTERS, NEEDED, PREVIEWS
from emubot.games.without_piece import WithoutPiece
from emubot.rammap import RamMap
from emubot.rammap.placing import placed_by_cells
from emubot.snapshot import Phase, Snapshot

_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


@dataclass(frozen=True, slots=True, eq=False)
class AnySnapshot(Snapshot):
    """A frame of a cartridge with pieces of its own: orientations are the ids of its map, listed in `pieces`."""

    pieces: Pieces


def check_position(snapshot: AnySnapshot) -> None:
    """Raise PositionError if no game on the map's own board, with its own pieces, can have this position."""
    pieces, piece = snapshot.pieces, snapshot.current
    fault = snapshot.fault or counters_fault(snapshot.counters, gate.COUNTERS)
    shape, columns = snapshot.playfield.shape, snapshot.hidden.shape[1:]
    if fault is None and (shape != (pieces.rows, pieces.columns) or columns != (pieces.columns,)):
        fault = f"a board of {shape} cells is not the map's"
    if fault is None and not pieces.orientations.keys() >= {*snapshot.next, *([piece.orientation] if piece else ())}:
        fault = "the map does not have an orientation of a piece"
    if fault is None and piece is not None and pieces.piece(piece.orientation, piece.column, piece.row) is None:
        fault = f"the piece is outside the board, at {piece}"
    if fault is not None:
        raise PositionError(f"No game can have this position: {fault}.")


class AnyDecoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and no bytes make it fail.

    Kinds of cells that are not solid become empty.
    """

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        """Raises MapError if the family cannot play by the map."""
        self._pieces = checked_pieces(ram_map)
        self._reader = ram_map.reader(player)
        names = self._reader.names
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        listed = (*COUNTERS, *values_of(ram_map.timing), *counter)
        self._names = tuple(name for name in dict.fromkeys(listed) if name in names)
        self._shown = tuple(name for name in PREVIEWS if name in names)
        self._placed = placed_by_cells(ram_map, player, ordered=False, id_name="piece")
        self._needed = NEEDED if self._placed is None else ()
        self._outcome = outcome_of(self._reader, player)
        self._select = self._reader.select((*self._needed, *self._shown, *self._names))
        self._judge = counters_judge(self._reader, (*gate.COUNTERS, *values_of(ram_map.timing)))
        self._solid = np.arange(256, dtype=np.uint8) * self._reader.solid
        self._without = WithoutPiece() if ram_map.document.grid.shows_piece else None
        self._last: list[tuple[NDArray[Any], NDArray[Any]] | None] = [None, None]

    def __call__(self, ram: bytes) -> AnySnapshot:
        """Returns the snapshot of the whole memory space."""
        phase, state = self._reader.phase(ram)
        numbers = self._select(ram)
        rest = numbers[len(self._needed) :]
        place = self._placed(ram) if self._placed else numbers[: len(self._needed)]
        shown, values = rest[: len(self._shown)], rest[len(self._shown) :]
        counters = dict(zip(self._names, values, strict=True))
        if self._outcome is not None:
            counters[WON] = self._outcome(ram)
        fault = self._judge(counters) if phase is Phase.PLAYING else None
        if fault is not None:
            phase = Phase.UNKNOWN
        board = self._cells(0, self._reader.playfield(ram)), self._cells(1, self._reader.hidden(ram))
        current = self._pieces.piece(*place) if place and phase in _WITH_PIECE else None
        if self._without is not None and current is not None and phase is Phase.PLAYING:
            board = self._without(board, self._pieces.cells(current))
        return AnySnapshot(
            phase=phase,
            state=state,
            playfield=board[0],
            hidden=board[1],
            current=current,
            next=tuple(takewhile(self._pieces.orientations.__contains__, shown)),
            counters=counters,
            fault=fault,
            pieces=self._pieces,
        )

    def _cells(self, part: int, kinds: NDArray[Any]) -> NDArray[Any]:
        """Returns the solid kinds; it caches the last result of each part, as a reader does."""
        last = self._last[part]
        if last is None or last[0] is not kinds:
            cells = self._solid[kinds]
            cells.flags.writeable = False
            last = self._last[part] = (kinds, cells)
        return last[1]
