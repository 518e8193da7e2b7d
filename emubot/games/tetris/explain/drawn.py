"""A position from a board that a person drew in text; knows no search and no memory.

A board has up to 20 lines of 10 cells, the floor last: `#` is filled, `.` is empty, and `o` is the piece in the air, as
in `emubot trace show`. A piece without cells of its own is where it spawns.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.explanation import DrawnPosition
from emubot.games.tetris.decode.value_names import NES_COUNTERS
from emubot.games.tetris.rules import (
    COLUMNS,
    DX,
    DY,
    HIDDEN_ROWS,
    NES_NTSC,
    NES_PAL,
    ORIENTATIONS,
    PIECE_NAMES,
    PIECE_OF,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
    SPAWN_ROW,
)
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.text import did_you_mean, printable

FILLED, EMPTY, IN_AIR = "#.o"
HIGHEST_LEVEL: Final = 255  # the level is a byte
MOST_LINES: Final = 9999
_LEVEL: Final = 18  # if none is named
_NES: Final = "nes"  # short for the release that is most played
_MAPS: Final = {_NES: "nes_tetris_usa", NES_NTSC.name: "nes_tetris_usa", NES_PAL.name: "nes_tetris_europe"}
_KIND: Final = 1  # of a filled cell: a drawn board has one kind


@cache
def _map_of(name: str) -> RamMap:
    return load_map(name)


def position(drawn: DrawnPosition) -> tuple[RamMap, Snapshot]:
    """Returns the position and the map of its rules; see `Explainable.position`."""
    rules = _NES if drawn.rules is None else drawn.rules
    if rules not in _MAPS:
        near = did_you_mean(rules, _MAPS)
        raise UsageError(f"Tetris has no rules {printable(rules)!r} to explain{near}; known: {', '.join(_MAPS)}.")
    if drawn.colors is not None:
        raise UsageError("Tetris has no --colors: leave it out.")
    if drawn.pace is not None:
        raise UsageError("Tetris has no --pace: leave it out, and give --level.")
    level, count = _LEVEL if drawn.level is None else drawn.level, drawn.lines or 0
    for what, number, most in (("level", level, HIGHEST_LEVEL), ("lines", count, MOST_LINES)):
        if not 0 <= number <= most:
            raise UsageError(f"A game has {what} from 0 to {most}, not {number}.")
    cells = _cells_of(drawn.board)
    playfield = (cells == FILLED).astype(np.uint8) * _KIND
    full = np.flatnonzero(playfield.all(axis=1))
    if len(full):
        raise UsageError(f"Row {ROWS - full[0]} from the floor is full: a game removes it before the next piece comes.")
    current = _piece_in_air(np.argwhere(cells == IN_AIR), drawn.piece)
    following = () if drawn.next_piece is None else (int(SPAWN_ORIENTATION[_index_of(drawn.next_piece)]),)
    counters = dict.fromkeys(NES_COUNTERS, 0) | {"level": level, "lines": count, "play_state": 1}
    hidden = np.zeros((HIDDEN_ROWS, COLUMNS), dtype=np.uint8)
    snapshot = Snapshot(Phase.PLAYING, "drawn", playfield, hidden, current, following, counters)
    return _map_of(_MAPS[rules]), snapshot


def _cells_of(lines: tuple[str, ...]) -> NDArray[np.str_]:
    """Returns the symbols (20, 10), with empty rows above those that were drawn."""
    if not 1 <= len(lines) <= ROWS:
        raise UsageError(f"A board has 1 to {ROWS} lines of {COLUMNS} cells, not {len(lines)}; the floor is the last.")
    for number, line in enumerate(lines, start=1):
        if len(line) != COLUMNS or set(line) - {FILLED, EMPTY, IN_AIR}:
            raise UsageError(
                f"Line {number} of the board is {printable(line, 40)!r}: draw {COLUMNS} cells, {FILLED} for filled, "
                f"{EMPTY} for empty and {IN_AIR} for the piece in the air."
            )
    above = [EMPTY * COLUMNS] * (ROWS - len(lines))
    return np.array([list(line) for line in (*above, *lines)])


def _piece_in_air(cells: NDArray[np.intp], name: str | None) -> Piece:
    """Returns the piece that fills these cells (n, 2) of (row, column), or without cells the named one at its spawn."""
    named = None if name is None else _index_of(name)
    if not len(cells):
        if named is None:
            raise UsageError(f"Which piece is in the air? Name it with --piece, or draw its cells as {IN_AIR}.")
        return Piece(int(SPAWN_ORIENTATION[named]), SPAWN_COLUMN, SPAWN_ROW)
    drawn = {(int(row), int(column)) for row, column in cells}
    for orientation in range(ORIENTATIONS):
        row, column = (int(cells[:, axis].min() - offset[orientation].min()) for axis, offset in ((0, DY), (1, DX)))
        offsets = zip(DY[orientation], DX[orientation], strict=True)
        if drawn == {(row + int(dy), column + int(dx)) for dy, dx in offsets}:
            if named not in (None, PIECE_OF[orientation]):
                raise UsageError(f"The piece drawn is {PIECE_NAMES[PIECE_OF[orientation]]}, not {name}: leave one out.")
            return Piece(orientation, column, row)
    raise UsageError(
        f"The {len(drawn)} cells drawn as {IN_AIR} are no whole piece: draw its four cells, or leave them out and name "
        "it with --piece."
    )


def _index_of(name: str) -> int:
    index = PIECE_NAMES.find(name.upper()) if len(name) == 1 else -1
    if index < 0:
        raise UsageError(f"There is no piece {printable(name)!r}: pieces are {', '.join(PIECE_NAMES)}.")
    return index
