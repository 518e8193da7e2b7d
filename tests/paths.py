"""Where things are that tests read: the checkout, its tests, recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
ROOT: Final = TESTS.parent
DATA: Final = TESTS / "data"
RECORDED: Final = DATA / "nes_tetris"  # games of the real NES Tetris
