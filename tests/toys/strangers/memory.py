"""Where a stranger keeps its bytes: the board's layout by its switches, everything else drawn from its seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tests.toys.strangers.switches import MOST_CELLS, Stranger

LANES = {"byte": 1, "half": 2, "bit": 8}  # cells in a byte
RAM, WRAM = range(0x0200, 0x0800), range(0x6000, 0x8000)
ZERO_PAGE = range(0x100)
STRIPS = 4  # rows of the picture drawn in a frame
# Sizes of what the engine needs for a moment, always in the zero page and in one piece.
SCRATCH = {
    **dict.fromkeys(("ptr", "to"), 2),
    **dict.fromkeys(("trial_x", "trial_y"), MOST_CELLS),
    **dict.fromkeys(
        (
            "trial_n",
            "trial_column",
            "trial_row",
            "last",
            "keep",
            "way",
            "code",
            "mask",
            "count",
            "row",
            "to_row",
            "shown",
        ),
        1,
    ),
}
VARIABLES = {
    **dict.fromkeys(
        ("pos_x", "pos_y", "piece", "piece_turn", "piece_high", "colour", "next", "state", "timer", "wait", "paused"), 1
    ),
    **dict.fromkeys(
        (
            "side",
            "scroll",
            "scroll_left",
            "start_level",
            "cursor",
            "countdown",
            "level_left",
            "demo",
            "script_at",
            "script_left",
        ),
        1,
    ),
    **dict.fromkeys(
        ("frames", "late_x", "late_y", "ball_x", "ball_y", "waiting", "poll_left", "repeat", "draw_row", "strip_end"), 1
    ),
    **dict.fromkeys(("pad_now", "pad_held", "pad_new", "pad_shift", "pad_real"), 1),
    **dict.fromkeys(("demo_left", "pad_copy", "level"), 2),
    **dict.fromkeys(("cell_columns", "cell_rows"), MOST_CELLS),
    "lines": 3,
    "score": 6,
    "full_rows": MOST_CELLS + 1,
}
BUFFERS = {"STRIP": 16 * STRIPS, "strip_high": STRIPS, "strip_low": STRIPS}


@dataclass(frozen=True)
class Board:
    """The layout of the cells. Addresses are those of the CPU; rows count from the highest stored one."""

    at: int  # the lowest address
    row_starts: tuple[int, ...]  # of each stored row as memory is filled at first; a floor is one row more
    lane_bytes: tuple[int, ...]  # of each column, from the start of its row
    lane_masks: tuple[int, ...]
    row_bytes: tuple[int, ...]  # all bytes of a row, walls too
    empty_bytes: tuple[int, ...]
    row_stride: int
    column_stride: int
    size: int


def board_of(stranger: Stranger, at: int) -> Board:
    """Returns the layout of a board that begins at this address."""
    s, per_byte = stranger, LANES[stranger.cells]
    lead = 1 if s.walls and s.cells == "byte" else s.lead
    lanes = lead + s.columns + (1 if s.walls else 0)
    total = s.stored + (1 if s.walls else 0)
    if s.by_columns:
        column_stride, row_stride, size = total + s.gap, 1, lanes * (total + s.gap)
    else:
        column_stride = s.column_stride
        row_stride = (lanes * column_stride if per_byte == 1 else -(-lanes // per_byte)) + s.gap
        size = row_stride * total
    order = [total - 1 - row if s.upside_down else row for row in range(total)]
    used = -(-lanes // per_byte)
    all_lanes = [_lane(s, lane) for lane in range(used * per_byte)]
    offsets = [byte * column_stride for byte in range(used)]
    walls = [lane < lead or lane >= lead + s.columns for lane in range(used * per_byte)]
    empty = []
    for byte in range(used):
        value = 0
        for lane in range(byte * per_byte, (byte + 1) * per_byte):
            code = s.walls if walls[lane] and s.walls else s.empty
            value |= repeated(s, code) & all_lanes[lane][1]
        empty.append(value)
    columns = all_lanes[lead : lead + s.columns]
    return Board(
        at=at,
        row_starts=tuple(at + place * row_stride for place in order),
        lane_bytes=tuple(byte * column_stride for byte, _ in columns),
        lane_masks=tuple(mask for _, mask in columns),
        row_bytes=tuple(offsets),
        empty_bytes=tuple(empty),
        row_stride=-row_stride if s.upside_down else row_stride,
        column_stride=column_stride,
        size=size,
    )


def _lane(stranger: Stranger, lane: int) -> tuple[int, int]:
    """Returns a cell's byte in its row, and its mask."""
    per_byte = LANES[stranger.cells]
    byte, place = divmod(lane, per_byte)
    width = 8 // per_byte
    if not stranger.low_first:
        place = per_byte - 1 - place
    return byte, ((1 << width) - 1) << place * width


def repeated(stranger: Stranger, code: int) -> int:
    """Returns a code as it fills a whole byte."""
    return {"byte": code, "half": 0x11 * (code & 0xF), "bit": 0xFF * (code & 1)}[stranger.cells]


def pages_between(stranger: Stranger) -> int:
    """Returns how many pages lie between the two memories of a board that is kept twice, or 0."""
    return -(-board_of(stranger, 0).size // 0x100) if "twice" in stranger.beyond else 0


def addresses(stranger: Stranger) -> Mapping[str, int]:
    """Returns where everything lies by the engine's names; `board` is the lowest address of the cells."""
    rng = np.random.default_rng([stranger.seed, 2])
    for _ in range(200):
        places = _Places(rng)
        if places.fill(stranger):
            return places.at
    raise ValueError(f"{stranger.name} has more bytes than memory")


class _Places:
    """Memory that is given away piece by piece."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._free = {*ZERO_PAGE, *RAM, *WRAM}
        self.at: dict[str, int] = {}

    def fill(self, stranger: Stranger) -> bool:
        """Places everything, and returns whether it found room."""
        s = stranger
        if s.sprites:
            self._free -= {*range(0x0200, 0x0300)}
            self.at["OAM_BUFFER"] = 0x0200
        board = self._place("board", board_of(s, 0).size + 0x100 * pages_between(s), WRAM if s.wram else RAM)
        if "noise" in s.beyond:
            self.at["rng"] = self._between_cells(s)
        elif not self._place("rng", 2, ZERO_PAGE):
            return False
        entries = {"none": (), "interleaved": (2 * s.stored,), "split": (s.stored,) * 2, "numbers": (s.stored,)}
        tables = all(
            self._place(name, size, RAM)
            for name, size in zip(("row_table", "row_table_high"), entries[s.pointers], strict=False)
        )
        if s.pointers == "interleaved":
            self.at["row_table_high"] = self.at["row_table"] + 1
        buffers = all(self._place(name, size, RAM) for name, size in BUFFERS.items())
        return board and tables and buffers and self._scratch() and self._variables(s)

    def _between_cells(self, stranger: Stranger) -> int:
        """Returns the two bytes behind a row of cells, or a column."""
        board = board_of(stranger, self.at["board"])
        if stranger.by_columns:
            return board.at + board.column_stride * int(self._rng.integers(stranger.columns)) + len(board.row_starts)
        return board.row_starts[int(self._rng.integers(stranger.rows))] + board.row_bytes[-1] + 1

    def _place(self, name: str, size: int, where: range) -> bool:
        for _ in range(60):
            at = int(self._rng.integers(where.start, where.stop - size + 1))
            if self._take(name, at, size):
                return True
        return False

    def _take(self, name: str, at: int, size: int) -> bool:
        wanted = {*range(at, at + size)}
        if wanted <= self._free:
            self._free -= wanted
            self.at[name] = at
            return True
        return False

    def _scratch(self) -> bool:
        if not self._place("SCRATCH", sum(SCRATCH.values()), ZERO_PAGE):
            return False
        at = self.at["SCRATCH"]
        for number in self._rng.permutation(len(SCRATCH)):
            name = [*SCRATCH][number]
            self.at[name] = at
            at += SCRATCH[name]
        return True

    def _variables(self, stranger: Stranger) -> bool:
        """In one place with small gaps, or anywhere."""
        names = [[*VARIABLES][number] for number in self._rng.permutation(len(VARIABLES))]
        if stranger.variables == "scattered":
            return all(
                self._place(name, VARIABLES[name], ZERO_PAGE if self._rng.random() < 0.5 else RAM) for name in names
            )
        where = ZERO_PAGE if stranger.variables == "zero page" else RAM
        at = int(self._rng.integers(where.start, where.stop))
        for name in names:
            at += int(self._rng.integers(3)) if self._rng.random() < 0.3 else 0
            for _ in range(len(where)):
                if at + VARIABLES[name] > where.stop:
                    at = where.start
                if self._take(name, at, VARIABLES[name]):
                    break
                at += 1
            else:
                return False
            at += VARIABLES[name]
        return True
