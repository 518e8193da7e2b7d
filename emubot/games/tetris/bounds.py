"""What may be asked of the player and of the textbook game: budgets, aims, boards; knows no search and no board.

A module of its own, because kernels stand on it: they are compiled anew after a change of what they stand on.
"""

from __future__ import annotations

import re
from typing import Final

from emubot.errors import UsageError

NODES: Final = 25_000  # boards of a decision: below 16 ms of one core, so that none delays a frame
MOST_NODES: Final = 100_000_000
SCORE: Final = "score"
LINES: Final = "lines"
SURVIVE: Final = "survive"  # lines, and no risk for points
AIMS: Final = (SCORE, LINES, SURVIVE)
GOAL: Final = "goal"  # of tables: the lines of B-type
NEUTRAL: Final = 0.5  # the aggression at which every piece counts as its probability

GENERATORS: Final = ("uniform", "bag", "nes")
COLUMNS: Final = (4, 16)  # least, most
ROWS: Final = (4, 40)
MOST_PREVIEWS: Final = 3
MOST_THREADS: Final = 64
MOST_EXPECTED: Final = 64  # more than any piece has drops
MOST_BONUS: Final = 4  # rows; with this limit a board of 40 rows and all cells above it fit into a word
MOST_CAP: Final = 10**12  # pieces or lines
_BOARD: Final = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)")


def parse_board(text: str) -> tuple[int, int]:
    """Returns the columns and rows of a board such as "10x20". Raises UsageError for anything else."""
    match = _BOARD.fullmatch(text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (COLUMNS[0] <= columns <= COLUMNS[1] and ROWS[0] <= rows <= ROWS[1]):
        raise UsageError(
            f"--board is COLUMNSxROWS, such as 10x20, of {COLUMNS[0]} to {COLUMNS[1]} columns and {ROWS[0]} to "
            f"{ROWS[1]} rows, not {text!r}."
        )
    return columns, rows
