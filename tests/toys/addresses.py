"""Where a toy keeps its numbers, as engine/ram.inc says; words of two bytes have the low byte first."""

from __future__ import annotations

from typing import Final

STATE_BLOCK: Final = slice(0x40, 0x60)  # all that a map can name, but for sprites and cells
RNG: Final = 0x40  # a word
FRAMES: Final = 0x42  # a word
STATE: Final = 0x44
WAIT: Final = 0x45
PIECE: Final = 0x46
X: Final = 0x47
Y: Final = 0x48
NEXT: Final = 0x49
TIMER: Final = 0x4A
SPEED: Final = 0x4B  # a word
FRACTION: Final = 0x4D
REST: Final = 0x4E
LEVEL: Final = 0x4F
LINES: Final = 0x50  # a word
LEVEL_LINES: Final = 0x52
PIECES: Final = 0x53  # a word
START_LEVEL: Final = 0x55
OWN_X: Final = 0x56
OWN_Y: Final = 0x57
SHAPE: Final = 0x58
FOLLOWING: Final = 0x59
FULL_ROW: Final = 0x5A
HELD: Final = 0x5C  # a byte for each pad
NEW: Final = 0x5E  # a byte for each pad
LAG_FRAMES: Final = 0x22  # a word

MOST_CELLS: Final = 5
SPRITES: Final = slice(0x0200, 0x0200 + 4 * MOST_CELLS)  # y, tile, attributes, x of each
TILE_PIECE: Final = 0x33
PARKED: Final = 0xF8  # y of a sprite that nobody sees
LEFT_EDGE, TOP_EDGE = 64, 24  # pixels: where the board is on the screen
NO_ROW: Final = 0xFF

RAM_SIZE: Final = 0x0800
WRAM_BASE: Final = 0x6000
WRAM_SIZE: Final = 0x2000


def index_of(address: int) -> int:
    """Returns where a CPU address is in the console's memory if WRAM follows the RAM."""
    return address if address < WRAM_BASE else address - WRAM_BASE + RAM_SIZE
