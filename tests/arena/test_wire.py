"""What is packed is read again, by a reader that follows the layout in the docstring and nothing else."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.arena.wire import Board, Input, Stage, pack_frame, pack_input, unpack_input
from emubot.errors import UsageError
from emubot.pad import Pad
from emubot.snapshot import Cell

BOARD_NAMES = ("echo", "pad", "flags", "score", "count", "level", "garbage", "pieces", "rows", "columns")


def unpacked(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A frame as plain numbers."""
    kind, tick, stage, left, sides = struct.unpack_from("<BIBHB", data)
    assert kind == 1
    at, boards = struct.calcsize("<BIBHB"), []
    for _ in range(sides):
        board: dict[str, Any] = dict(zip(BOARD_NAMES, struct.unpack_from("<IBBIHBHIBB", data, at), strict=True))
        at += struct.calcsize("<IBBIHBHIBB")
        board["cells"] = data[at : at + board["rows"] * board["columns"]]
        at += len(board["cells"])
        packed = data[at : at + (len(board["cells"]) + 1) // 2] if board["flags"] & 16 else b""
        at += len(packed)
        board["joins"] = bytes(half for both in packed for half in (both & 15, both >> 4))[: len(board["cells"])]
        board["lists"] = []
        for _ in range(4):
            count = data[at]
            board["lists"].append([struct.unpack_from("<bbBB", data, at + 1 + 4 * index) for index in range(count)])
            at += 1 + 4 * count
        boards.append(board)
    assert at == len(data)
    return {"tick": tick, "stage": stage, "left": left}, boards


cells = st.builds(Cell, st.integers(-8, 20), st.integers(-8, 30), st.integers(0, 20), st.integers(0, 15))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.integers(0, 30)), draw(st.integers(0, 16))
    size = rows * columns
    return Board(
        echo=draw(st.integers(0, 2**32 - 1)),
        pad=Pad(draw(st.integers(0, 255))),
        in_control=draw(st.booleans()),
        over=draw(st.booleans()),
        turn=draw(st.booleans()),
        score=draw(st.integers(0, 10**8)),
        count=draw(st.integers(0, 5000)),
        level=draw(st.integers(0, 255)),
        garbage=draw(st.integers(0, 9000)),
        pieces=draw(st.integers(0, 10**7)),
        rows=rows,
        columns=columns,
        cells=draw(st.binary(min_size=size, max_size=size)),
        joins=draw(st.just(b"") | st.lists(st.integers(0, 15), min_size=size, max_size=size).map(bytes)),
        lists=[draw(st.lists(cells, max_size=6)) for _ in range(4)],
    )


@given(st.integers(0, 2**32 - 1), st.sampled_from(Stage), st.integers(0, 600), st.lists(boards(), max_size=2))
def test_a_frame_says_what_was_put_into_it(tick: int, stage: Stage, left: int, shown: list[Board]) -> None:
    head, found = unpacked(pack_frame(tick, stage, left, shown))
    assert head == {"tick": tick, "stage": stage, "left": left}
    for board, read in zip(shown, found, strict=True):
        assert read["flags"] == board.in_control + 2 * board.over + 4 * board.turn + 16 * bool(board.joins)
        for name in BOARD_NAMES:
            if name != "flags":
                assert read[name] == getattr(board, name), name
        assert (read["cells"], read["joins"]) == (board.cells, board.joins)
        assert read["lists"] == [
            [(cell.column, cell.row, cell.kind, cell.joins) for cell in one] for one in board.lists
        ]


def test_numbers_too_large_are_shown_as_the_largest() -> None:
    head, (read,) = unpacked(pack_frame(2**40, Stage.PLAYING, 10**6, [Board(score=2**40, count=10**6, level=999)]))
    assert (head["left"], read["score"], read["count"], read["level"]) == (0xFFFF, 2**32 - 1, 0xFFFF, 0xFF)


@given(st.integers(0, 255), st.integers(0, 2**32 - 1), st.integers(0, 255))
def test_an_input_comes_back(side: int, number: int, pad: int) -> None:
    one = Input(side, number, Pad(pad))
    assert unpack_input(pack_input(one)) == one


@given(st.binary(max_size=20))
def test_other_bytes_are_no_input(message: bytes) -> None:
    if len(message) != 7 or message[0] != 2:
        with pytest.raises(UsageError, match="not an input"):
            unpack_input(message)


def test_a_game_without_points_says_so() -> None:
    _, found = unpacked(pack_frame(0, Stage.PLAYING, 0, [Board(score=None), Board(score=0)]))
    assert [read["flags"] & 8 for read in found] == [8, 0]
