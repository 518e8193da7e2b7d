"""Which piece the cartridge draws in which frame: a pure function of its generator; knows no memory and no search.

Source: NES Tetris facts 5. The generator steps once in each vertical blank, also while the game is paused, and a piece
is drawn when the piece before it spawns.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from emubot.games.tetris.generator import deal
from emubot.games.tetris.rules import PIECE_OF, SPAWN_ORIENTATION

_NO_PIECE: Final = -1  # what `deal` takes before a game's first piece
_ROLL: Final = 7  # the three lowest bits of the high byte


class GeneratorState(NamedTuple):
    """The generator after a frame: its 16 bits, the id of the last piece drawn, and the number of draws so far."""

    bits: int
    spawn_id: int
    spawn_count: int


def stepped(bits: int) -> int:
    """Returns the 16 bits of the generator after one step."""
    return bits >> 1 | ((bits >> 9 ^ bits >> 1) & 1) << 15


def draws(generator: GeneratorState, frames: int) -> list[int]:
    """Returns the piece that is drawn if the next piece spawns in 0, 1, .. `frames` - 1 steps of the generator.

    Pieces are indices of rules.PIECE_NAMES.
    """
    bits, spawn_id, spawn_count = generator
    before = int(PIECE_OF[spawn_id]) if spawn_id in SPAWN_ORIENTATION else _NO_PIECE
    found = []
    for _ in range(frames):
        rolled_again = stepped(bits)
        found.append(int(deal(before, (bits >> 8) + spawn_count + 1 & _ROLL, rolled_again >> 8 & _ROLL)))
        bits = rolled_again
    return found
