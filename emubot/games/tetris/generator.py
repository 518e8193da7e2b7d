"""Which piece NES Tetris deals next, from two draws; knows no board and where no draw comes from."""

from __future__ import annotations

from typing import Final

from emubot.games.tetris.rules import SPAWN_ORIENTATION
from emubot.jit import Scalar, kernel

DRAWS: Final = 8  # a draw of the cartridge's generator is one of so many numbers
_NO_PIECE: Final = 0  # the id before a game's first piece: of no piece as it spawns, so nothing is a repetition


@kernel
def deal(before: Scalar, first: Scalar, second: Scalar) -> Scalar:
    """The next piece after piece `before` (-1: a game's first), from two numbers 0-7 (facts: NES Tetris 5.2)."""
    if first < len(SPAWN_ORIENTATION) and first != before:
        return first
    spawned = int(SPAWN_ORIENTATION[before]) if before >= 0 else _NO_PIECE
    return (second + spawned) % len(SPAWN_ORIENTATION)
