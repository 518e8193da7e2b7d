"""The binary messages between a match and the page: frames out, pads in; knows no socket and no game.

All numbers are little-endian. A frame is FRAME, then a board for each side: BOARD, the cells row by row (a byte each,
the family's kind), if a flag says so the sides on which each is joined (two cells a byte, the first in the lower four
bits), and four lists of cells (a count, then column, row, kind and joined sides of each): the piece in the air, the
next one, where the bot puts the piece, and where it plans to put the next one. `web/wire.js` reads the same.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from emubot.errors import UsageError
from emubot.pad import Pad
from emubot.snapshot import Cell

FRAME: Final = struct.Struct("<BIBHB")  # FRAME_KIND, tick, stage, frames left of countdown or turn, sides
# Echo: the number of the last input applied. Pad: what the game sees now.
# Figures: score, lines or the chain that runs, level, garbage on its way, pieces. Then rows and columns.
BOARD: Final = struct.Struct("<IBBIHBHIBB")
INPUT: Final = struct.Struct("<BBIB")  # INPUT_KIND, side, the input's number, buttons held
_CELL: Final = struct.Struct("<bbBB")
FRAME_KIND: Final = 1
INPUT_KIND: Final = 2
LISTS: Final = 4

_CONTROL, _OVER, _TURN, _NO_SCORE, _JOINED = 1, 2, 4, 8, 16  # flags of a board
_MOST_CELLS: Final = 255


class Stage(IntEnum):
    """Where a match is."""

    COUNTDOWN = 0
    PLAYING = 1
    PAUSED = 2
    OVER = 3


@dataclass(slots=True)
class Board:
    """What one side shows in a frame."""

    echo: int = 0
    pad: Pad = Pad.NONE
    in_control: bool = False
    over: bool = False
    turn: bool = False  # whether this side has the turn, where sides take turns
    score: int | None = 0  # None: the game has no points
    count: int = 0
    level: int = 0
    garbage: int = 0
    pieces: int = 0
    rows: int = 0
    columns: int = 0
    cells: bytes = b""
    joins: bytes = b""  # of each cell the sides on which it is joined (snapshot.py); empty: none is
    lists: Sequence[Sequence[Cell]] = field(default_factory=lambda: [()] * LISTS)


@dataclass(frozen=True, slots=True)
class Input:
    """The buttons that a person holds from now on; `number` counts the inputs of a side upwards."""

    side: int
    number: int
    pad: Pad


def pack_frame(tick: int, stage: Stage, left: int, boards: Sequence[Board]) -> bytes:
    """Returns a frame's bytes. Numbers too large for their place are shown as the largest that fits."""
    parts = [FRAME.pack(FRAME_KIND, tick & 0xFFFFFFFF, stage, min(left, 0xFFFF), len(boards))]
    for board in boards:
        parts.append(
            BOARD.pack(
                board.echo & 0xFFFFFFFF,
                int(board.pad),
                _flags(board),
                min(board.score or 0, 0xFFFFFFFF),
                min(board.count, 0xFFFF),
                min(board.level, 0xFF),
                min(board.garbage, 0xFFFF),
                min(board.pieces, 0xFFFFFFFF),
                board.rows,
                board.columns,
            )
        )
        parts.append(board.cells)
        parts.append(_packed(board.joins))
        for cells in board.lists:
            shown = cells[:_MOST_CELLS]
            parts.append(bytes((len(shown),)))
            parts.append(b"".join(_CELL.pack(cell.column, cell.row, cell.kind, cell.joins) for cell in shown))
    return b"".join(parts)


def _flags(board: Board) -> int:
    flags = _CONTROL * board.in_control | _OVER * board.over | _TURN * board.turn
    return flags | _NO_SCORE * (board.score is None) | _JOINED * bool(board.joins)


def _packed(joins: bytes) -> bytes:
    """Returns four bits of each byte, two in a byte."""
    even = joins + b"\0" * (len(joins) % 2)
    return bytes(low | high << 4 for low, high in zip(even[::2], even[1::2], strict=True))


def pack_input(one: Input) -> bytes:
    """Returns an input's bytes."""
    return INPUT.pack(INPUT_KIND, one.side, one.number & 0xFFFFFFFF, int(one.pad))


def unpack_input(message: bytes) -> Input:
    """Returns the input in a message. Raises UsageError if the bytes are none."""
    if len(message) != INPUT.size or message[0] != INPUT_KIND:
        raise UsageError(f"A message of {len(message)} bytes is not an input: it has {INPUT.size}, the first is 2.")
    _, side, number, pad = INPUT.unpack(message)
    return Input(side, number, Pad(pad))
