"""How pieces are drawn that games show in the air or beside the board; knows no game."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import DX, DY, PIECE_NAMES, SPAWN_ORIENTATION
from emubot.looks import BLUE, ORANGE, VIOLET, Kind, Looks

_BOX: Final = 3  # rows of a piece to come
_COLOURS: Final = dict.fromkeys("TOI", (BLUE, "bright_blue")) | dict.fromkeys("ZL", (ORANGE, "yellow"))

# Kind 1 + p is that of piece p, in the colour of its tiles.
PIECE_LOOKS: Final = Looks(
    (
        Kind(),
        *(Kind(f"block of {name}", *_COLOURS.get(name, (VIOLET, "bright_magenta")), mark=name) for name in PIECE_NAMES),
    )
)


def cells_at(
    orientations: NDArray[np.int64], rows: NDArray[np.int64], columns: NDArray[np.int64], kinds: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Returns the cells of pieces with their pivots there, all (games,), as (games, 4, 3): row, column, kind."""
    places = np.stack([rows[:, None] + DY[orientations], columns[:, None] + DX[orientations]], axis=-1)
    return np.concatenate([places, np.broadcast_to(kinds[:, None, None], (*places.shape[:2], 1))], axis=-1)


def in_boxes(pieces: NDArray[np.int64], kinds: NDArray[np.int64], column: int) -> NDArray[np.int64]:
    """Returns the cells of pieces to come, (games, number) of PIECE_NAMES, below each other from a column on."""
    games, number = pieces.shape
    orientations = SPAWN_ORIENTATION.astype(np.int64)[pieces]
    boxes = [
        cells_at(
            orientations[:, index],
            np.full(games, _BOX * index),
            column - DX[orientations[:, index]].min(axis=1),
            kinds[:, index],
        )
        for index in range(number)
    ]
    return np.concatenate(boxes, axis=1)
