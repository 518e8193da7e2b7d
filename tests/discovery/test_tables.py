"""A table of rows is found in memory: pointers in pairs or in two tables, or numbers of rows."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.tables import RowTable, row_table

ROWS, STRIDE, FIRST = 14, 10, 0x0410
STARTS = FIRST + STRIDE * np.arange(ROWS, dtype=np.int64)


def memory() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(5).integers(256, size=(1, 2048), dtype=np.uint8)


@pytest.mark.parametrize("before", [0, 1])  # bytes of a wall before column 0
@pytest.mark.parametrize("down", [1, -1])
@pytest.mark.parametrize("kind", ["pairs", "split", "numbers"])
def test_a_table_is_found(kind: str, down: int, before: int) -> None:
    image = memory()
    pointers = (STARTS - before)[::down]
    if kind == "pairs":
        image[0, 0x80 : 0x80 + 2 * ROWS : 2], image[0, 0x81 : 0x81 + 2 * ROWS : 2] = pointers & 0xFF, pointers >> 8
    elif kind == "split":
        image[0, 0x80 : 0x80 + ROWS], image[0, 0x300 : 0x300 + ROWS] = pointers & 0xFF, pointers >> 8
    else:
        image[0, 0x80 : 0x80 + ROWS] = 3 + np.arange(ROWS)[::down]
    found = row_table(image, STARTS)
    assert found is not None
    assert (found.starts(image, ROWS)[0] == STARTS).all()
    assert found.at == 0x80
    # The first two rows in memory's table are exchanged, and so are the rows.
    step = found.stride
    for first in [found.at] if found.high is None else [found.at, found.high]:
        image[0, [first, first + step]] = image[0, [first + step, first]]
    moved = found.starts(image, ROWS)[0]
    ends = [0, 1] if down == 1 else [-1, -2]
    assert moved[ends].tolist() == STARTS[ends[::-1]].tolist()


@pytest.mark.parametrize("down", [1, -1])
@pytest.mark.parametrize("kind", ["pairs", "numbers", "numbers upwards"])
def test_hidden_rows_of_a_table_are_known(kind: str, down: int) -> None:
    image, hidden = memory(), 2
    all_rows = STARTS[::-1] if kind == "numbers upwards" else STARTS
    visible = all_rows[hidden:]
    if kind == "pairs":
        pointers = STARTS[::down]
        image[0, 0x80 : 0x80 + 2 * ROWS : 2], image[0, 0x81 : 0x81 + 2 * ROWS : 2] = pointers & 0xFF, pointers >> 8
    else:
        image[0, 0x80 : 0x80 + ROWS] = ((all_rows - FIRST) // STRIDE)[::down]
    found = row_table(image, visible)
    assert found is not None
    assert found.above == hidden
    assert found.base == (0 if kind == "pairs" else FIRST)
    # A hidden row becomes the lowest one.
    lowest = found.at + (ROWS - hidden - 1) * found.stride if down == 1 else found.at
    highest = found.at - hidden * found.stride if down == 1 else found.at + (ROWS - 1) * found.stride
    for byte in range(1 if found.high is None else 2):
        image[0, lowest + byte] = image[0, highest + byte]
    assert found.starts(image, len(visible))[0, -1] == all_rows[0]


@pytest.mark.parametrize("down", [1, -1])
@pytest.mark.parametrize("against", [False, True])
def test_row_numbers_are_read_from_the_end_by_which_rows_sink(against: bool, down: int) -> None:
    first, last = memory(), memory()
    numbers = np.arange(ROWS)[:: -1 if against else 1]  # of the rows from the highest one on
    after = np.concatenate([numbers[[9]], numbers[:9], numbers[10:]])  # a row vanished, and begins anew at the top
    for image, entries in ((first, numbers), (last, after)):
        image[0, 0x80 : 0x80 + ROWS] = entries[::down]
    images = np.concatenate([first, last])
    by_other_end = {way: row_table(first, STARTS, against=way) for way in (False, True)}
    tables = {way: table for way, table in by_other_end.items() if table is not None}
    assert [way for way, table in tables.items() if table.sinks(images, ROWS)] == [against]
    right = tables[against]
    assert (right.times, right.down) == (-STRIDE if against else STRIDE, down)
    assert right.starts(images, ROWS)[1].tolist() == [STARTS[9], *STARTS[:9], *STARTS[10:]]


def test_memory_without_a_table_has_none() -> None:
    assert row_table(memory(), STARTS) is None


def test_the_board_itself_is_no_table() -> None:
    image = memory()
    image[0, FIRST : FIRST + STRIDE * ROWS] = 0
    assert row_table(image, STARTS) is None


def test_its_bytes_are_known() -> None:
    assert RowTable(4, 40, 1, 0, 1).bytes_of(3) == [4, 5, 6, 40, 41, 42]
