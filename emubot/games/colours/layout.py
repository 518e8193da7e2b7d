"""The layout of a field in two words: three columns of 16 bits each, bit 0 is the floor row; knows no kinds."""

from __future__ import annotations

from typing import Final

LANE: Final = 16  # bits of a column
HALF: Final = 3  # columns of a word
COLUMN: Final = (1 << LANE) - 1
WORD: Final = (1 << HALF * LANE) - 1
FLOOR: Final = 1 | 1 << LANE | 1 << 2 * LANE  # the lowest cell of each column of a word
