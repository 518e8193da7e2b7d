"""Rows that are where a table in memory says: both ways, against a twin that looks up one cell after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.rammap import RamMap, parse_map
from emubot.rammap.spaces import address_of, index_of

ROWS, COLUMNS, HIDDEN = 4, 5, 2
TABLE, HIGH = 0x40, 0x60  # the entry of the first visible row; hidden rows come before it
KINDS = {0: 0, 1: 1, 2: 2}


@dataclass(frozen=True)
class Table:
    """How a cartridge keeps its rows."""

    form: str  # low: a byte an entry; word: two; split: two tables
    times: int
    base: int
    region: int
    length: int
    first_row: str
    step: int = 2

    @property
    def text(self) -> str:
        form = {"low": "", "word": "    bytes: 2\n", "split": f"    high: 0x{HIGH:02X}\n"}[self.form]
        return (
            f"  row_table:\n    at: 0x{TABLE:02X}\n{form}    stride: {self.step}\n    times: {self.times}\n"
            f"    base: 0x{self.base:04X}\n    rows_in: {{at: 0x{self.region:04X}, bytes: {self.length}}}\n"
        )

    def entry(self, ram: bytes, place: int) -> int:
        at = self.step * place
        high = {"low": 0, "word": ram[TABLE + at + 1], "split": ram[HIGH + at]}[self.form]
        return ram[TABLE + at] + 256 * high

    def put(self, ram: bytearray, place: int, entry: int) -> None:
        at = self.step * place
        ram[TABLE + at] = entry & 0xFF
        if self.form != "low":
            ram[(TABLE + at + 1) if self.form == "word" else HIGH + at] = entry >> 8


# Row numbers, offsets into a page, and addresses in either memory.
TABLES = st.sampled_from(
    [
        Table("low", 5, 0x0300, 0x0300, 100, "top"),
        Table("low", 1, 0x0300, 0x0310, 64, "bottom"),
        Table("word", 1, 0, 0x0400, 128, "top"),
        Table("split", 1, 0, 0x6100, 128, "bottom"),
        Table("word", 8, 0x6000, 0x6000, 256, "top"),
        Table("low", -5, 0x035F, 0x0300, 100, "bottom"),
    ]
)


def made(table: Table, hidden: int = HIDDEN, text: str | None = None) -> RamMap:
    way = -1 if table.first_row == "top" else 1
    start = TABLE if table.first_row == "top" else TABLE + table.step * (ROWS - 1)
    above = ", ".join(f"0x{start + way * table.step * (row + 1):02X}" for row in range(hidden))
    return parse_map(
        "title: t\nfamily: toy\nprofile: toy\nvalues: {state: 0x10}\n"
        f"grid:\n  rows: {ROWS}\n  columns: {COLUMNS}\n{table.text if text is None else text}"
        f"  column_stride: 1\n  first_row: {table.first_row}\n  hidden: [{above}]\n"
        "  cell: {empty: 0x00, kinds: {red: 0x01, blue: 0x02}}\n"
        "phases: [{state: playing, phase: playing, when: {state: 1}}]\n"
        "buttons: {left: LEFT, right: RIGHT, start: START}\n",
        "t",
    )


def places(table: Table) -> list[int]:
    """The places in the table of all rows, the highest hidden one first."""
    down = range(-HIDDEN, ROWS)
    return [*down] if table.first_row == "top" else [ROWS - 1 - row for row in down]


def twin(table: Table, ram: bytes) -> list[list[int]]:
    """The kinds of all rows, the highest hidden one first."""
    found = []
    for place in places(table):
        start = table.base + table.entry(ram, place) * table.times
        inside = table.region <= start and start + COLUMNS <= table.region + table.length
        row = [ram[index_of(start + column)] for column in range(COLUMNS)] if inside else [255] * COLUMNS
        found.append([KINDS.get(cell, 255) for cell in row])
    return found


def memory(seed: int, size: int) -> bytearray:
    return bytearray(np.random.default_rng(seed).integers(0, 4, size, dtype=np.uint8))


def possible(table: Table) -> list[int]:
    """The entries that lead to a row inside."""
    most = 256 if table.form == "low" else 65536
    starts = range(table.region, table.region + table.length - COLUMNS + 1)
    entries = [(start - table.base) // table.times for start in starts if (start - table.base) % table.times == 0]
    return sorted(entry for entry in entries if 0 <= entry < most)


@given(TABLES, st.integers(0, 2**32 - 1), st.lists(st.integers(-4, 130), min_size=6, max_size=6))
def test_rows_are_where_the_table_says(table: Table, seed: int, steps: list[int]) -> None:
    ram_map = made(table)
    ram, near = memory(seed, ram_map.image_size), possible(table)[0]
    for place, step in zip(places(table), steps, strict=True):
        table.put(ram, place, max(near + step, 0) % (256 if table.form == "low" else 65536))
    reader, truth = ram_map.reader(), twin(table, bytes(ram))
    assert reader.playfield(bytes(ram)).tolist() == truth[HIDDEN:]
    assert reader.hidden(bytes(ram)).tolist() == truth[:HIDDEN][::-1]
    words = reader.words(bytes(ram))
    assert [[KINDS.get(word, 255) for word in row] for row in words.tolist()] == truth
    assert reader.playfield(bytes(ram)) is reader.playfield(bytes(ram))
    assert not reader.playfield(bytes(ram)).flags.writeable


@given(TABLES, st.integers(0, 2**32 - 1))
def test_any_table_is_read(table: Table, seed: int) -> None:
    ram_map = made(table)
    ram = np.random.default_rng(seed).bytes(ram_map.image_size)
    assert ram_map.reader().playfield(ram).tolist() == twin(table, ram)[HIDDEN:]


@given(TABLES, st.integers(0, 2**32 - 1), st.data())
def test_what_is_written_is_read_wherever_rows_are(table: Table, seed: int, data: st.DataObject) -> None:
    ram_map = made(table)
    ram = memory(seed, ram_map.image_size)
    before = bytes(ram)
    apart = possible(table)[:: 1 if abs(table.times) >= COLUMNS else COLUMNS]  # rows that share no byte
    for place, entry in zip(places(table), data.draw(st.permutations(apart)), strict=False):
        table.put(ram, place, entry)
    wanted = np.random.default_rng(seed).integers(0, 3, (HIDDEN + ROWS, COLUMNS), dtype=np.uint8)
    ram_map.encode(ram, {}, wanted[HIDDEN:], wanted[:HIDDEN][::-1])
    assert ram_map.reader().playfield(bytes(ram)).tolist() == wanted[HIDDEN:].tolist()
    assert ram_map.reader().hidden(bytes(ram)).tolist() == wanted[:HIDDEN][::-1].tolist()
    described = {address for at, length in ram_map.used for address in range(at, at + length)}
    assert {address_of(n) for n, (old, new) in enumerate(zip(before, ram, strict=True)) if old != new} <= described


def test_nothing_is_written_where_the_table_has_no_place() -> None:
    table = Table("low", 5, 0x0300, 0x0300, 100, "top")
    ram, cells = bytearray(2048), np.ones((ROWS, COLUMNS), dtype=np.uint8)
    with pytest.raises(ValueError, match="no place for each row"):
        made(table).encode(ram, {}, cells)
    for place in range(ROWS):
        table.put(ram, place, 19 + place)
    with pytest.raises(ValueError, match="no place for each row"):
        made(table).encode(ram, {}, cells)


def test_a_change_of_the_table_alone_is_seen() -> None:
    table = Table("word", 1, 0, 0x0400, 128, "top")
    reader, ram = made(table).reader(), bytearray(2048)
    for place in range(ROWS):
        table.put(ram, place, 0x0400 + 8 * place)
    ram[0x0400:0x0405] = b"\1\2\1\2\1"
    assert reader.playfield(bytes(ram))[0].tolist() == [1, 2, 1, 2, 1]
    table.put(ram, 0, 0x0420)
    table.put(ram, 3, 0x0400)
    assert reader.playfield(bytes(ram))[[0, 3]].tolist() == [[0] * 5, [1, 2, 1, 2, 1]]
    table.put(ram, 3, 0x047C)  # one cell is outside
    assert reader.playfield(bytes(ram))[3].tolist() == [255] * 5


def test_all_bytes_that_rows_can_be_in_are_described() -> None:
    table = Table("split", 1, 0, 0x6100, 128, "bottom")
    used = dict(made(table, hidden=0).used)
    assert used[0x6100] == 128
    assert {TABLE + 2 * row for row in range(ROWS)} | {HIGH + 2 * row for row in range(ROWS)} <= {*used}
    assert made(table).spaces == ("ram", "wram")


GOOD = Table("word", 1, 0, 0x0400, 128, "top")


@pytest.mark.parametrize(
    ("written", "instead", "sentence"),
    [
        ("  row_table", "  at: 0x0200\n  row_table", "either at and row_stride, or row_table in place of both"),
        ("  row_table", "  row_stride: 4\n  row_table", "either at and row_stride, or row_table in place of both"),
        ("    stride: 2", "    stride: 1", "grid.row_table.stride: found 1, but an entry has 2 bytes"),
        ("    bytes: 2", "    bytes: 2\n    high: 0x80", "either bytes or high: each table then has one byte an entry"),
        ("bytes: 128", "bytes: 4", "grid.row_table.rows_in.bytes: found 4, but a row has 5 bytes"),
        ("times: 1", "times: 2048", "no entry of the table leads into `rows_in`, check base and times"),
        ("at: 0x0400", "at: 0x0030", "the byte 0x003C belongs to the table itself"),
        ("at: 0x0400", "at: 0x07F0", "grid: found a byte at 0x0800, allowed is 0x0000 to 0x07FF (ram)"),
        ("at: 0x0400, bytes: 128", "at: 0x0010, bytes: 8", "grid: the byte 0x0010 belongs to state as well"),
        ("rows_in: {at: 0x0400, bytes: 128}", "rows_in: {at: 0x0400}", "rows_in: the key `bytes` is missing"),
    ],
)  # fmt: skip
def test_a_table_that_makes_no_sense_is_refused(written: str, instead: str, sentence: str) -> None:
    assert written in GOOD.text
    with pytest.raises(MapError) as refused:
        made(GOOD, text=GOOD.text.replace(written, instead))
    assert sentence in str(refused.value)


def test_a_grid_has_either_form() -> None:
    with pytest.raises(MapError, match="either at and row_stride, or row_table in place of both"):
        made(GOOD, text="  at: 0x0200\n")
