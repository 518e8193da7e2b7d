"""Snapshots of falling blocks to frames of NestrisChamps; knows no network and no memory.

What the memory does not show as the screen does is drawn as its own emulator page does it (public/ocr/EDGameTracker.js
of github.com/nestrischamps/nestrischamps): the piece in the air, and full rows, which memory drops at once, vanishing
from the middle to the sides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.broadcast.pictures import COLOURS, PIECE_COLOURS
from emubot.games.tetris.decode.piece_tables import cells_of
from emubot.games.tetris.rules import COLUMNS, PIECE_NAMES, PIECE_OF, ROWS
from emubot.publish.frame import Frame, most
from emubot.snapshot import Phase, Piece, Snapshot

_STEP: Final = 4  # frames in which the vanishing rows lose a cell on each side
_EMPTY: Final = bytes(ROWS * COLUMNS)


class TetrisCamera:
    """Makes a frame of each snapshot of one player, called in order.

    Games and pieces are counted here, as snapshots do not carry how often a piece was drawn: of a game that is joined
    later, only the pieces from then on. A figure that the map does not tell is 0 in a game, as without one its server
    takes the frame for a menu.
    """

    def __init__(self) -> None:
        self._game, self._is_played = 0, False
        self._frame = Frame(0, 0, _EMPTY)
        self._counts = [0] * len(PIECE_NAMES)
        self._spawn_das: int | None = None
        self._board: NDArray[Any] | None = None  # as it was under the piece in the air
        self._between = True  # no piece is in the air
        self._landed = np.zeros((ROWS, COLUMNS), dtype=np.uint8)  # the colours, with the piece where it was last
        self._vanishing = 0  # frames

    def __call__(self, snapshot: Snapshot, milliseconds: int) -> Frame:
        """Returns the frame; `milliseconds` since any start, such as that of the session."""
        milliseconds &= most("milliseconds")
        if snapshot.phase is Phase.MENU or (snapshot.phase is Phase.OVER and not self._game):
            self._is_played = False
            self._frame = Frame(self._game, milliseconds, _EMPTY)
        elif snapshot.phase in (Phase.PAUSED, Phase.UNKNOWN):
            self._frame = replace(self._frame, milliseconds=milliseconds)
        else:
            self._frame = self._seen(snapshot, milliseconds)
        return self._frame

    def _seen(self, snapshot: Snapshot, milliseconds: int) -> Frame:
        if snapshot.phase is Phase.OVER:
            self._is_played = False
        elif not self._is_played:
            self._begin()
        cells = self._cells(snapshot)
        counters, piece = snapshot.counters, snapshot.current
        return Frame(
            self._game,
            milliseconds,
            cells.tobytes(),
            lines=_capped("lines", counters.get("lines", 0)),
            level=_capped("level", counters.get("level", 0)),
            score=_capped("score", counters.get("score", 0)),
            following=int(PIECE_OF[snapshot.next[0]]) if snapshot.next else None,
            current=None if piece is None else int(PIECE_OF[piece.orientation]),
            das=_das(snapshot),
            spawn_das=self._spawn_das,
            counts=tuple(_capped(name, count) for name, count in zip(PIECE_NAMES, self._counts, strict=True)),
        )

    def _begin(self) -> None:
        self._is_played, self._between, self._board = True, True, None
        self._game = self._game % most("game") + 1
        self._counts = [0] * len(PIECE_NAMES)

    def _cells(self, snapshot: Snapshot) -> NDArray[np.uint8]:
        """Returns the colours (20, 10) on the screen."""
        board, piece = snapshot.playfield, snapshot.current
        same = self._board is not None and (board is self._board or np.array_equal(board, self._board))
        if snapshot.phase is Phase.PLAYING and piece is not None:
            if self._between or not same:
                self._counts[PIECE_OF[piece.orientation]] += 1
                self._spawn_das = _das(snapshot)
            self._between, self._board, self._vanishing = False, board, 0
            self._landed = _with_piece(board, piece)
            return self._landed
        self._between = True
        if snapshot.phase is Phase.OVER or self._board is None:
            return _colours(board)
        if snapshot.phase is Phase.CLEARING:
            self._vanishing += 1
            return self._without_middle(min((self._vanishing - 1) // _STEP + 1, COLUMNS // 2))
        if same and piece is not None:
            self._landed = _with_piece(board, piece)
        if same or (not self._vanishing and (self._landed != 0).all(axis=1).any()):
            return self._landed
        return _colours(board)

    def _without_middle(self, half: int) -> NDArray[np.uint8]:
        """Returns what landed, its full rows without this number of cells on each side of the middle."""
        cells = self._landed.copy()
        full = (cells != 0).all(axis=1)
        cells[full, COLUMNS // 2 - half : COLUMNS // 2 + half] = 0
        return cells


def _colours(board: NDArray[Any]) -> NDArray[np.uint8]:
    cells: NDArray[np.uint8] = COLOURS[board]
    return cells


def _with_piece(board: NDArray[Any], piece: Piece) -> NDArray[np.uint8]:
    cells = _colours(board)
    for column, row in cells_of(piece):
        if row >= 0:
            cells[row, column] = PIECE_COLOURS[PIECE_OF[piece.orientation]]
    return cells


def _das(snapshot: Snapshot) -> int | None:
    das = snapshot.counters.get("das")
    return None if das is None else _capped("das", das)


def _capped(name: str, value: int) -> int:
    return min(max(value, 0), most(name))
