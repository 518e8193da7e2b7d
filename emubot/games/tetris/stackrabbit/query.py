"""A question as StackRabbit's clients ask it: a query string in, a position out; facts: interfaces, StackRabbit HTTP.

A board is 200 digits from the top row down, or short: the number of empty rows at the top, two letters a row, and the
number of rows at the floor of which only the right column is empty, with commas between. A piece is moved from its
spawn by `existingXOffset` columns, `existingYOffset` rows and `existingRotation` turns by A.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.offers import ToolParameter
from emubot.games.tetris.board.board import LANES, ORIENTATION_OF_LANE, rows_from
from emubot.games.tetris.reach import Start, gravity_at
from emubot.games.tetris.rules import (
    COLUMNS,
    HIDDEN_ROWS,
    NES_NTSC,
    PIECE_NAMES,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
    SPAWN_ROW,
)
from emubot.games.tetris.search.search import Position
from emubot.tempo import Tempo, parse_taps
from emubot.text import printable

_HALF_ROWS: Final = string.ascii_lowercase + "ABCDEF"  # of five cells, the left one the highest bit
_HALF: Final = COLUMNS // 2
_ROWS: Final = re.compile("[0-9]{1,2}")
_LONGEST: Final = 9  # digits of a number
_WELL: Final = (1 << COLUMNS) - 2  # a row of which only the right column is empty
_MOST_LEVEL, _MOST_LINES = 0xFF, 9_999

PARAMETERS: Final = (
    ToolParameter("board", "200 digits, 1 where a cell is filled, rows from the top; or the short form", needed=True),
    ToolParameter("currentPiece", "T, J, Z, O, S, L or I", needed=True),
    ToolParameter("level", "the game's level", needed=True),
    ToolParameter("lines", "the game's lines so far", needed=True),
    ToolParameter("inputFrameTimeline", "one X with dots: the frame that takes an input, such as X...", needed=True),
    ToolParameter("nextPiece", "the next piece; left out or empty: it is not known"),
    ToolParameter("secondBoard", "for rate-move: the board after the player's move"),
    ToolParameter("existingXOffset", "columns to the right of where the piece came, below 0 to the left"),
    ToolParameter("existingYOffset", "rows that it has fallen"),
    ToolParameter("existingRotation", "turns by A that it has made"),
    ToolParameter("existingFramesElapsed", "frames since it came"),
    ToolParameter("arrWasReset", "true: the timeline begins now, and not when the piece came"),
)

# Parameters of StackRabbit's own search: read, and without effect here.
_ITS_OWN: Final = ("lookaheadDepth", "playoutCount", "playoutLength", "pruningBreadth", "reactionTime")
_NUMBERS: Final = ("existingXOffset", "existingYOffset", "existingRotation", "existingFramesElapsed", *_ITS_OWN)


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked: the piece and the next one (None: not known) by PIECE_NAMES, and both boards, (rows, columns)."""

    board: NDArray[np.uint8]
    second_board: NDArray[np.uint8] | None
    piece: int
    following: int | None
    level: int
    lines: int
    tempo: Tempo
    turns: int
    column: int
    row: int
    elapsed: int  # frames of the piece so far
    begun: int  # frames of the timeline so far

    def position(self, shown: bool = True) -> Position:
        """Returns the position for a search; without `shown` the next piece is not known."""
        hidden = np.zeros((HIDDEN_ROWS, COLUMNS), dtype=np.uint8)
        wait = (self.tempo.reaction - self.begun) % self.tempo.period
        start = Start(
            int(ORIENTATION_OF_LANE[self.piece, self.turns]),
            self.column,
            self.row,
            fall_timer=self.elapsed % gravity_at(self.level, NES_NTSC),
            limiter=wait,
            turn_limiter=wait,
        )
        following = int(SPAWN_ORIENTATION[self.following]) if shown and self.following is not None else None
        return Position(rows_from(self.board, hidden), start, following, self.level, self.lines)


def read_query(given: Mapping[str, str]) -> Query:
    """Returns what these parameters ask. Raises UsageError, with the parameter, for what is missing or impossible."""
    missing = [one.name for one in PARAMETERS if one.needed and not given.get(one.name)]
    if missing:
        raise UsageError(f"The question lacks {', '.join(missing)}.")
    numbers = {name: _number(given, name, 0) for name in _NUMBERS}
    piece = _piece(given["currentPiece"], "currentPiece")
    turns, column, row = (
        numbers["existingRotation"],
        SPAWN_COLUMN + numbers["existingXOffset"],
        SPAWN_ROW + numbers["existingYOffset"],
    )
    if not (0 <= turns < LANES[piece] and 0 <= column < COLUMNS and 0 <= row < ROWS):
        raise UsageError("existingRotation, existingXOffset or existingYOffset puts the piece off the board.")
    if (elapsed := numbers["existingFramesElapsed"]) < 0:
        raise UsageError("existingFramesElapsed is 0 or more.")
    board, second = _board(given["board"], "board"), given.get("secondBoard")
    if board.all(axis=1).any():
        raise UsageError("board has a full row: a game removes it before the next piece comes.")
    return Query(
        board,
        _board(second, "secondBoard") if second else None,
        piece,
        _piece(given["nextPiece"], "nextPiece") if given.get("nextPiece") else None,
        _within(given, "level", _MOST_LEVEL),
        _within(given, "lines", _MOST_LINES),
        _tempo(given["inputFrameTimeline"]),
        turns,
        column,
        row,
        elapsed,
        0 if given.get("arrWasReset", "").lower() in ("true", "1") else elapsed,
    )


def short_board(rows: NDArray[np.uint16]) -> str:
    """Returns a board, (22,) as board.py has it, in the short form."""
    cells = [int(row) for row in rows[HIDDEN_ROWS:]]
    mirrored = [sum(1 << (COLUMNS - 1 - column) for column in range(COLUMNS) if row >> column & 1) for row in cells]
    first, last = 0, ROWS
    while first < ROWS and not mirrored[first]:
        first += 1
    while last > first and mirrored[last - 1] == _WELL:
        last -= 1
    halves = (half for row in mirrored[first:last] for half in (row >> _HALF, row & (1 << _HALF) - 1))
    return f"{first},{''.join(_HALF_ROWS[half] for half in halves)},{ROWS - last}"


def _tempo(timeline: str) -> Tempo:
    """Returns the tempo of a timeline, which begins anew after its last frame: X is a frame in which inputs come."""
    frames = timeline.replace("-", ".")
    if frames.count("X") != 1 or frames.strip(".X") or len(frames) == 1:
        raise UsageError(
            f"inputFrameTimeline is one X with dots before or after it, such as X..., not {printable(timeline)!r}."
        )
    return parse_taps("." * frames.index("X") + "X" + "." * (len(frames) - 1))


def _board(text: str, name: str) -> NDArray[np.uint8]:
    if "," in text:
        text = _long_board(text, name)
    if len(text) != ROWS * COLUMNS or not text.isascii() or not text.isdigit():
        raise UsageError(f"{name} is {ROWS * COLUMNS} digits from the top row down, 0 for empty, or in the short form.")
    cells = np.frombuffer(text.encode(), dtype=np.uint8).reshape(ROWS, COLUMNS)
    return np.asarray(cells != ord("0"), dtype=np.uint8)


def _long_board(text: str, name: str) -> str:
    top, halves, floor = (*text.split(","), "", "")[:3]
    if not (_ROWS.fullmatch(top) and _ROWS.fullmatch(floor) and all(letter in _HALF_ROWS for letter in halves)):
        raise UsageError(f"{name} {printable(text)!r} is not in the short form: rows, letters a to z and A to F, rows.")
    if (rows := int(top) + len(halves) / 2 + int(floor)) != ROWS:
        raise UsageError(f"{name} has {ROWS} rows, not {rows:g}.")
    middle = "".join(f"{_HALF_ROWS.index(letter):0{_HALF}b}" for letter in halves)
    return "0" * COLUMNS * int(top) + middle + ("1" * (COLUMNS - 1) + "0") * int(floor)


def _piece(text: str, name: str) -> int:
    if len(text) != 1 or text.upper() not in PIECE_NAMES:
        raise UsageError(f"{name} is one of {', '.join(PIECE_NAMES)}, not {printable(text)!r}.")
    return PIECE_NAMES.index(text.upper())


def _number(given: Mapping[str, str], name: str, otherwise: int) -> int:
    text = given.get(name, "")
    if not text:
        return otherwise
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return int(text)
    except ValueError:
        raise UsageError(f"{name} is a whole number, not {printable(text)!r}.") from None


def _within(given: Mapping[str, str], name: str, most: int) -> int:
    number = _number(given, name, 0)
    if not 0 <= number <= most:
        raise UsageError(f"{name} is 0 to {most}, not {number}.")
    return number
