"""Deals the next piece as NES Tetris does, from two draws; knows no board and no source of draws."""

from __future__ import annotations

from typing import Final

from emubot.games.tetris.rules import SPAWN_ORIENTATION
from emubot.jit import Scalar, kernel

DRAWS: Final = 8  # a draw of the cartridge's generator is one of 8 numbers
_NO_PIECE: Final = 0  # the id before a game's first piece: no piece spawns with it, so nothing is a repetition


@kernel
def deal(before: Scalar, first: Scalar, second: Scalar) -> Scalar:
    """Returns the next piece after `before` (-1: a game's first), from two numbers 0-7 (facts: NES Tetris 5.2)."""
    if first < len(SPAWN_ORIENTATION) and first != before:
        return first
    spawned = int(SPAWN_ORIENTATION[before]) if before >= 0 else _NO_PIECE
    return (second + spawned) % len(SPAWN_ORIENTATION)
