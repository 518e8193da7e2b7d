"""What one stranger is like: all switches, and what follows from them about its pieces; draws and writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from emubot.pad import Pad
from tests.games.tetris.toy_blocks import PENTOMINOES, SMALL, TETROMINOES, Cell, orientations_of
from tests.toys.polyominoes import Polyomino, drawn
from tests.toys.toy import Shape

HEXOMINOES = {
    "I": ("......",) * 2 + ("######",) + ("......",) * 3,
    "L": (".....", "....#", "#####", ".....", "....."),
    "Y": (".....", ".#...", "#####", ".....", "....."),
    "T": ("###.", ".#..", ".#..", ".#.."),
    "U": ("....", "#..#", "####", "...."),
    "O": ("...", "###", "###"),
    "S": ("....", "###.", ".###", "...."),
    "D": ("##.", "###", "#.."),
}
OTHERS = {name: box for name, box in {**SMALL, **PENTOMINOES, **TETROMINOES}.items() if name != "dot"}
MOST_CELLS = 6
RECORDS = 0xF000  # the records of orientations lie from here on, after some unused bytes
KINDS = ("falling blocks", "scrolling", "cursor", "painting", "walking", "pointing", "paddle", "jumping", "nowhere")
START_LEVELS = 4  # a screen of levels offers 0 to this one


@dataclass(frozen=True)
class Stranger:
    """All switches. Rows and columns count cells, waits count frames. Where bytes lie follows from `seed`."""

    seed: int

    columns: int = 10
    rows: int = 20
    hidden: int = 0  # stored rows above the visible ones
    piece_set: str = "seven"  # or: some of the seven, others
    orientations: str = "different"  # those that look different; or: four, two, one, mixed
    pivots: str = "corner"  # of the box; or: random
    enters_hidden: bool = False  # in the highest stored row
    entry_shift: int = 0  # columns from the middle

    cells: str = "byte"  # or: half, bit
    low_first: bool = False  # halves and bits: column 0 is in the low one
    by_columns: bool = False  # a column after the other in memory
    gap: int = 0  # bytes between rows, or columns
    column_stride: int = 1
    upside_down: bool = False  # the lowest row comes first
    walls: int = 0  # the code of a margin left, right and below; 0: there is none
    lead: int = 0  # halves and bits: unused ones before column 0
    pointers: str = "none"  # to rows; or: interleaved, split, numbers
    wram: bool = False
    empty: int = 0
    first_code: int = 1  # of a locked cell of the first piece
    code_each: bool = False  # the following pieces have the following codes
    drawn: int = 0  # the falling piece is in the board; -1: as if locked; otherwise its code

    named: str = "byte"  # type * 4 + turn; or: dense, two, pointer, cells
    first_id: int = 0
    first_turn: int = 0
    x_pixels: bool = False
    x_offset: int = 0  # what column 0 is
    y_kind: str = "cells"  # or: pixels, halves, up
    y_offset: int = 0  # what the highest visible row is; upwards: the lowest one
    parks: int = 0  # the row between pieces; 0: it stays
    parks_x: bool = False
    chooses_early: bool = False  # the next piece's name is there from the lock on
    keeps_next: bool = True

    between: str = "lock"  # or: clear, both, nothing, silent (waits, but the state is that of play)
    lock_wait: int = 8
    clear_wait: int = 0
    blanks: bool = False  # full rows are empty while they clear

    poll: int = 1  # the pad is read in every frame of this number
    a_first: bool = True  # the button A is the highest bit of the pad's byte
    repeat_first: int = 0  # frames until a held direction acts again; 0: never
    repeat_next: int = 0
    down: str = "hold"  # or: press, drop
    up_drops: bool = False
    turning: str = "both"  # A clockwise, B back; or: swapped, A, B, UP, nothing
    soft_drop: int = 2  # frames per row

    gravity: tuple[int, ...] = (24,)  # frames per row by level
    timer_up: bool = False
    level_lines: int = 10
    level_format: str = "none"  # or: binary, bcd, digits
    level_first: int = 0
    lines_format: str = "none"
    lines_size: int = 1
    lines_little: bool = True
    score_format: str = "none"
    score_size: int = 2
    score_little: bool = True
    line_points: tuple[int, ...] = (1, 3, 5, 8, 12, 15)
    soft_points: bool = False  # a point for each row of a soft drop

    title: Pad = Pad.START
    legal: int = 0  # frames in which the title takes no button: its countdown says so
    screens: tuple[str, ...] = ()  # further ones: button, cursor, level
    screen_buttons: tuple[Pad, Pad] = (Pad.START, Pad.START)
    options_button: Pad = Pad.B
    demo: int = 0  # frames at the title until it begins; 0: never
    demo_as_play: bool = True  # its state is that of play
    pauses: bool = False
    over: str = "title"  # its buttons lead to the title; or: again (a new game), wait (the title by itself)
    over_buttons: Pad = Pad.START
    over_wait: int = 0

    in_nmi: bool = False
    variables: str = "zero page"  # or: page, scattered
    sprites: bool = False  # the page 0x0200 with the piece
    wipes: bool = False  # scratch is 0 after every frame
    late: bool = False  # copies of the place, a frame old
    dirt: bool = False  # the piece's bytes on the stack
    pad_copies: bool = False
    counts_frames: bool = False
    stirs: bool = True  # the generator moves in every frame, not only for a new piece

    kind: str = "falling blocks"  # or another one of KINDS, which is no such game
    drifts: bool = False  # a cursor that sinks by itself
    speed: int = 1  # frames for each step of what moves by itself
    beyond: tuple[str, ...] = ()  # what no list of properties has: twice, six, upward, inverted, scrolls, noise

    @property
    def name(self) -> str:
        """The name of its files."""
        if self.kind != "falling blocks":
            return f"nongame_{self.seed}"
        return f"{'beyond' if self.beyond else 'stranger'}_{self.seed}"

    @property
    def stored(self) -> int:
        """Rows in memory."""
        return self.hidden + self.rows

    @cached_property
    def pieces(self) -> tuple[Polyomino, ...]:
        """The pieces with the orientations that they can have."""
        rng = np.random.default_rng([self.seed, 1])
        boxes = {"others": OTHERS, "six": HEXOMINOES}.get(self.piece_set, TETROMINOES)
        names = list(boxes)
        if self.piece_set != "seven":
            count = int(rng.integers(3, 7))
            names = [names[number] for number in sorted(rng.permutation(len(names))[:count])]
        return tuple(self._piece(name, boxes[name], rng) for name in names)

    def _piece(self, name: str, box: Sequence[str], rng: np.random.Generator) -> Polyomino:
        turns = orientations_of(box)
        counts = {"four": 4, "two": 2, "one": 1, "mixed": int(rng.integers(1, 5))}
        if self.named == "cells" or self.turning == "nothing":
            turns = turns[:1]
        elif self.orientations == "different":
            turns = list(drawn({name: box})[0].shapes)
        else:
            turns = turns[: counts[self.orientations]]
        pivot = tuple(rng.integers(0, len(box), size=2).tolist())
        first = int(rng.integers(len(turns[0])))
        if self.named == "cells":  # the pivot is a cell, and that is the first one
            pivot = turns[0][first]
            turns = [(pivot, *(cell for cell in turns[0] if cell != pivot))]
        elif self.pivots == "corner":
            pivot = (0, 0)
        return Polyomino(name, tuple(tuple((x - pivot[0], y - pivot[1]) for x, y in cells) for cells in turns))

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """All orientations of all pieces; for pieces named by their cells only those in which they enter."""
        found: list[Shape] = []
        for number, piece in enumerate(self.pieces):
            first, count = len(found), len(piece.shapes)
            for turn, cells in enumerate(piece.shapes):
                found.append(Shape(number, cells, first + (turn + 1) % count, first + (turn - 1) % count))
        return tuple(found)

    @cached_property
    def first_shapes(self) -> tuple[int, ...]:
        """The number of each piece's first orientation."""
        starts = {shape.piece: number for number, shape in reversed([*enumerate(self.shapes)])}
        return tuple(starts[number] for number in range(len(self.pieces)))

    def id_of(self, shape: int) -> int:
        """Returns the byte that names an orientation, or with two bytes the piece."""
        piece = self.shapes[shape].piece
        ids = {"byte": 4 * piece + shape - self.first_shapes[piece], "dense": shape, "two": piece}
        return ids.get(self.named, 0) + self.first_id & 0xFF

    def record_of(self, shape: int) -> int:
        """Returns where an orientation's record lies: its number, then column and row of each cell."""
        unused = 3 * self.seed % 0x600
        return RECORDS + unused + sum(1 + 2 * len(other.cells) for other in self.shapes[:shape])

    def entry_of(self, shape: int) -> Cell:
        """Returns the pivot's column and visible row where an orientation enters."""
        cells = self.shapes[shape].cells
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        column = (self.columns - (right - left + 1)) // 2 + self.entry_shift
        column = max(0, min(column, self.columns - 1 - (right - left)))
        return column - left, -min(y for _, y in cells) - (self.hidden if self.enters_hidden else 0)

    def code_of(self, piece: int) -> int:
        """Returns the code of a locked cell."""
        return self.first_code + (piece if self.code_each else 0)

    @property
    def fall(self) -> Pad:
        """The button that makes a piece fall sooner."""
        return Pad.UP if "upward" in self.beyond else Pad.DOWN

    @property
    def clockwise(self) -> Pad:
        """The button that turns clockwise, if there is one."""
        return {"both": Pad.A, "swapped": Pad.B, "A": Pad.A, "B": Pad.B, "UP": Pad.UP}.get(self.turning, Pad.NONE)

    @property
    def counterclockwise(self) -> Pad:
        """The button that turns back, if there is one."""
        return {"both": Pad.B, "swapped": Pad.A}.get(self.turning, Pad.NONE)

    @property
    def cursor_buttons(self) -> tuple[Pad, Pad]:
        """The buttons that move a cursor or a level: on, and back."""
        return (Pad.DOWN, Pad.UP) if self.seed % 2 == 0 else (Pad.RIGHT, Pad.LEFT)
