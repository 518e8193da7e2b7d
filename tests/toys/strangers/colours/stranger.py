"""What a strange cartridge of colours is like: its rules, its memory, its pads and menus; draws and writes nothing.

A cell is an index, row by row from the highest stored one. Parts of a piece are in the order of memory. Orientations
are counted as the engine does it: of pairs 0 has the other half above the pivot, of capsules it is flat, and each
clockwise turn adds one; of columns it is the number of presses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

PAIRS, CAPSULES, COLUMNS = "pairs", "capsules", "columns"
GROUPS, LINES, DIAGONALS = "groups", "lines", "diagonals"
STATE, PARKED, TIMER, KINDS = "state", "parked", "timer", "kinds"  # what tells that no piece is under control
ABOVE: Final = 3  # rows above the stored ones that a piece's place can be in

SATELLITE: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
BOX: Final = (((0, 0), (1, 0)), ((0, -1), (0, 0)), ((1, 0), (0, 0)), ((0, 0), (0, -1)))
CYCLE: Final = (((0, -2), (0, -1), (0, 0)), ((0, -1), (0, 0), (0, -2)), ((0, 0), (0, -2), (0, -1)))

Cell = tuple[int, int]


@dataclass(frozen=True)
class Play:
    """The rules. Columns and rows count from 0 at the top left visible cell; hidden rows are negative."""

    kind: str
    columns: int
    rows: int
    hidden: int
    colors: int
    match: str
    size: int
    joined: bool
    targets: tuple[int, ...]  # by stage; empty: endless
    target_rows: int  # the lowest rows, which may hold them
    nuisance_every: int  # pieces, a power of two; 0: none by itself
    nuisance_many: int
    players: int
    shapes: tuple[tuple[Cell, ...], ...]  # by orientation, the cells of the parts from the pivot
    spawn: tuple[int, int, int]  # orientation, column, row
    swaps: bool  # memory has two orientations: a half-turn is an exchange of the halves
    wall_kick: bool
    floor_kick: bool
    quick_turn: bool
    falls_at_once: bool
    clears_chain: bool  # the steps of a chain are forgotten when the next piece enters
    quick: bool  # nothing comes between a lock without a match and the next piece, not even a frame

    @property
    def has_nuisance(self) -> bool:
        """Whether there are cells without a colour that vanish beside others."""
        return self.kind == PAIRS and bool(self.nuisance_every or self.players > 1)

    @property
    def stored(self) -> int:
        """The number of rows in memory."""
        return self.hidden + self.rows

    @property
    def parts(self) -> int:
        """The number of cells of a piece."""
        return len(self.shapes[0])

    @property
    def orientations(self) -> int:
        """The number of orientations that memory has."""
        return 2 if self.swaps else len(self.shapes)

    def turned(self, orientation: int, clockwise: bool) -> int:
        """Returns the orientation after a turn."""
        return (orientation + (1 if clockwise else -1)) % len(self.shapes)

    def kick(self, before: int, after: int) -> Cell:
        """Returns where a blocked turn is tried next, from the pivot; (0, 0): nowhere."""
        old, new = {*self.shapes[before]}, {*self.shapes[after]}
        if self.kind == CAPSULES:
            is_flat = len({y for _, y in new}) == 1
            return (-1, 0) if is_flat and self.wall_kick else (0, 0)
        if len(new - old) != 1 or len(new & old) != 1:
            return 0, 0
        ((x, y),), ((from_x, from_y),) = new - old, new & old
        kick = (from_x - x, from_y - y)
        return kick if (self.floor_kick if kick == (0, -1) else self.wall_kick) else (0, 0)


@dataclass(frozen=True)
class Field:
    """Where the cells are, and how they are written."""

    at: tuple[int, ...]  # of each player: the highest stored row's first cell
    row_stride: int  # negative: memory begins with the lowest row
    column_stride: int  # in half bytes if cells are half bytes; negative: from right to left
    half_bytes: str  # "high", "low": the end of a byte at which its two cells begin; "": cells are bytes
    lead: int  # half bytes before column 0 in the byte at `at`
    first_byte: int  # of player 1: where the bytes begin that are cleared together
    byte_count: int
    around: int  # what is between and around the cells
    margin: bool  # this is a code of walls
    drawn: str  # the piece in the air is in the field: "as locked", "moving" (a code of its own), "" (it is not)
    second_byte: bool  # each cell has another byte, of chance
    noise: int  # bits of chance in a cell
    empty: int
    colors: tuple[int, ...]
    targets: tuple[int, ...]
    nuisance: int
    popping: int | None  # None: a cell that vanishes looks as before
    moving: int
    link_mask: int
    links: tuple[int, ...]  # bits for none, left, right, up, down

    def place(self, row: int, column: int, player: int = 0) -> tuple[int, bool]:
        """Returns the address of a cell, by stored row, and whether it is the high half of that byte."""
        at = self.at[player] + row * self.row_stride
        if not self.half_bytes:
            return at + column * self.column_stride, False
        number = column * self.column_stride + self.lead
        return at + number // 2, (number % 2 == 0) == (self.half_bytes == "high")

    @property
    def in_wram(self) -> bool:
        """Whether the cells lie in the cartridge's memory."""
        return self.at[0] >= 0x6000

    def code(self, kind: int, link: int = 0) -> int:
        """Returns the byte of a kind of the engine, without noise: 0, colours, 7 nuisance, 8 popping, targets."""
        code = self.empty
        if 0 < kind <= 6:
            code = self.colors[kind - 1] if kind <= len(self.colors) else self.empty
        elif kind == 7:
            code = self.nuisance
        elif kind == 8:
            code = self.empty if self.popping is None else self.popping
        elif kind == 15:
            code = self.moving
        elif kind > 8:
            code = self.targets[kind - 9] if kind - 9 < len(self.targets) else self.empty
        return code | (self.links[link] if self.link_mask and kind else 0)


@dataclass(frozen=True)
class PieceBytes:
    """How memory has the piece."""

    by_cells: bool  # the place of both halves, and no orientation
    anchor: tuple[Cell, ...]  # by orientation: the cell from the pivot whose place memory has
    x_codes: tuple[int, ...]  # by column
    y_codes: tuple[int, ...]  # by row from ABOVE rows above the stored ones
    x_unit: int
    y_unit: int  # negative: upwards
    half_rows: int  # frames before a fall in which y is half a row further; 0: it is not
    turn_codes: tuple[int, ...]
    part_codes: tuple[int, ...]  # of no colour and of each colour
    nibbles: bool  # both halves in one byte
    keeps_next: bool
    parked: int  # y between pieces, if it tells that
    score: str  # "binary", "bcd", "digits" (one a byte), "none"


@dataclass(frozen=True)
class Pads:
    """What the buttons do. Buttons are names, "" is none."""

    poll: int  # frames from one reading of the pads to the next
    clockwise: str
    counterclockwise: str
    down: str  # "held", "press", "drop", "none"
    soft_drop: int  # frames per row while DOWN is held
    hard_drop: str
    repeat_first: int  # frames that a direction is held before it repeats; 0: never
    repeat_next: int
    lock_delay: int
    speed: tuple[int, int, int]  # frames per row: first, last; pieces from one to the next, a power of two or 0


@dataclass(frozen=True)
class Screen:
    """A screen before a game."""

    button: str
    delay: int  # frames in which nothing is read
    items: int  # lines of a menu; 0: no menu
    start: int
    target: int  # the line that goes on


@dataclass(frozen=True)
class Menus:
    """The screens around a game, and the codes of MODE: screens, play, over, won, paused, demo."""

    screens: tuple[Screen, ...]
    modes: tuple[int, ...]
    cursor_down: str
    cursor_up: str
    over_button: str
    over_wait: int
    over_to: int  # a screen; -1: the next game
    pause: str
    pause_flag: int
    demo_after: int  # times 256 frames; 0: no demo
    demo_lasts: int
    versus_key: str  # "": a game for two, if the cartridge has two players, is the only one


@dataclass(frozen=True)
class Waits:
    """Frames between pieces."""

    settle: int
    fall: int  # from row to row
    pop: int
    spawn: int
    won: int


@dataclass(frozen=True)
class Stranger:
    """All of it. `addresses` has each name of engine bytes; `shift` is the way to those of the second player."""

    seed: int
    play: Play
    field: Field
    piece: PieceBytes
    pads: Pads
    menus: Menus
    waits: Waits
    between: str
    states: tuple[int, ...]  # play, settle, pop, nuisance, spawn, plant
    addresses: Mapping[str, int]
    shift: int
    oam: int
    stomps: bool  # scratch does not keep the piece

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"colours_{self.seed}"

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """(stored row, column) of each cell, in the order of the engine."""
        return tuple((row, column) for row in range(self.play.stored) for column in range(self.play.columns))
