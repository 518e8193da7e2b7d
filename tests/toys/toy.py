"""What one toy is like: the options of the engine, and the numbers that follow from them; writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tests.games.tetris.toy_blocks import TETROMINOES, Cell
from tests.toys.polyominoes import Polyomino, drawn

# Values of the engine's state. The screens before a game come in this order; `screens` says which there are.
TITLE, PICK, SECOND, READY, PLAYING, LOCKED, CLEARING, OVER = range(1, 9)


class Shape(NamedTuple):
    """One orientation of one piece, with the numbers of the orientations that it turns into."""

    piece: int
    cells: tuple[Cell, ...]
    clockwise: int
    counterclockwise: int


@dataclass(frozen=True, eq=False)
class Toy:
    """All options. Frames and rows are whole numbers; levels above the last entry of a table have its last entry."""

    name: str
    columns: int = 10
    rows: int = 20
    hidden: int = 0  # stored rows above the visible ones
    pieces: tuple[Polyomino, ...] = field(default_factory=lambda: drawn(TETROMINOES))
    spawns: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)  # by piece: orientation, column, row

    # where things lie
    board: int = 0x0400  # the cell of the highest stored row in column 0
    row_stride: int = 16  # negative: memory begins with the lowest row
    column_stride: int = 1
    empty: int = 0x00
    first_code: int = 0x01  # of a locked cell of the first piece; the others follow
    first_id: int = 0x00  # of the first orientation
    x_offset: int = 0
    upward: bool = False  # the pivot's row is stored as rows above the lowest one
    sprites: bool = False  # the pivot is not stored: the piece is where its sprites are

    # how pieces fall
    gravity: tuple[int, ...] = (24, 20, 17, 14, 12, 10)  # frames per row by level
    velocity: tuple[int, ...] = ()  # in place of gravity: 1/256 rows per frame, by level
    speed_byte: tuple[int, int, int] | None = None  # in place of gravity: frames per row first, last; pieces per step
    soft_drop: int = 2  # frames per row; with a velocity, the least velocity
    states_clock: bool = True  # what the map says
    shows_speed: bool = False  # the map names the value in memory, not the table
    lock_delay: int = 0
    moves_restore: bool = False
    kicks: Mapping[tuple[int, int], tuple[Cell, ...]] = field(default_factory=dict)  # by (shape before, after)

    level_lines: int = 10
    entry: int = 6  # frames from a lock to the look for full rows
    screens: tuple[int, ...] = ()  # of PICK, SECOND, READY
    pick_levels: int = 5
    ready_wait: int = 40

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """All orientations of all pieces."""
        found: list[Shape] = []
        for number, piece in enumerate(self.pieces):
            first, count = len(found), len(piece.shapes)
            for turn, cells in enumerate(piece.shapes):
                found.append(Shape(number, cells, first + (turn + 1) % count, first + (turn - 1) % count))
        return tuple(found)

    @cached_property
    def first_shapes(self) -> tuple[int, ...]:
        """The number of each piece's orientation at its entry."""
        starts = {shape.piece: number for number, shape in reversed([*enumerate(self.shapes)])}
        return tuple(starts[n] + self.spawns.get(piece.name, (0, 0, 0))[0] for n, piece in enumerate(self.pieces))

    def entry_of(self, shape: int) -> Cell:
        """Returns the pivot's column and row where an orientation enters: by `spawns`, or in the middle on top."""
        piece = self.pieces[self.shapes[shape].piece]
        if piece.name in self.spawns:
            return self.spawns[piece.name][1:]
        cells = self.shapes[shape].cells
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        return (self.columns - (right - left + 1)) // 2 - left, -min(y for _, y in cells)

    def address(self, row: int, column: int) -> int:
        """Returns where a cell lies; row 0 is the highest visible one."""
        return self.board + (row + self.hidden) * self.row_stride + column * self.column_stride

    @property
    def needs_wram(self) -> bool:
        """Whether the playfield lies in the cartridge's own memory."""
        return self.board >= 0x6000

    def next_screen(self, screen: int) -> int:
        """Returns the screen, or the state, that a screen before the game leads to."""
        return next((later for later in (PICK, SECOND, READY) if later > screen and later in self.screens), PLAYING)
