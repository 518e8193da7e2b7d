"""A cartridge of falling blocks with any board and any pieces. It writes its bytes by hand; the map is text.

A frame: turn, shift, fall, lock. The board is row by row from BOARD on, 16 bytes a row, hidden rows first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad

Cell = tuple[int, int]

TITLE, PLAYING, LOCKED, OVER = 1, 2, 3, 4
STATE, PIECE, X, Y, TIMER, LEVEL, LINES, NEXT = 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x20
SPEED, PART, REST, HELD, USED = 0x30, 0x32, 0x34, 0x35, 0x36
NOTHING = 0xFF  # held
BOARD, ROW = 0x0100, 16
ENTRY = 5  # frames from a lock to the next piece
TURNS = {Pad.A: 1, Pad.B: -1}

TETROMINOES = {
    "I": ("....", "####", "....", "...."),
    "O": ("##", "##"),
    "T": (".#.", "###", "..."),
    "S": (".##", "##.", "..."),
    "Z": ("##.", ".##", "..."),
    "J": ("#..", "###", "..."),
    "L": ("..#", "###", "..."),
}
PENTOMINOES = {
    "F": (".##", "##.", ".#."),
    "I": (".....", ".....", "#####", ".....", "....."),
    "L": ("....", "...#", "####", "...."),
    "N": ("....", "##..", ".###", "...."),
    "P": ("##.", "###", "..."),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###", "..."),
    "V": ("#..", "#..", "###"),
    "W": ("#..", "##.", ".##"),
    "X": (".#.", "###", ".#."),
    "Y": ("....", ".#..", "####", "...."),
    "Z": ("##.", ".#.", ".##"),
}
SMALL = {"dot": ("#",), "two": ("##", ".."), "bar": ("...", "###", "..."), "corner": ("#.", "##")}


def orientations_of(box: Sequence[str]) -> list[tuple[Cell, ...]]:
    """The cells of a box after 0 to 3 quarters clockwise, from its top left corner."""
    side = len(box)
    cells = [(x, y) for y in range(side) for x in range(side) if box[y][x] == "#"]
    found = []
    for _ in range(4):
        found.append(tuple(cells))
        cells = [(side - 1 - y, x) for x, y in cells]
    return found


@dataclass(frozen=True, eq=False)
class Toy:
    """What one such cartridge is like. `turns` is how many orientations each piece has: 1, 2 or 4."""

    columns: int = 10
    rows: int = 20
    hidden: int = 0
    boxes: Mapping[str, Sequence[str]] = field(default_factory=lambda: TETROMINOES)
    turns: int = 4
    gravity: Sequence[int] = (12,)
    soft_drop: int = 2
    states_gravity: bool = True
    gravity_in_memory: bool = False
    velocity: Sequence[int] = ()  # in place of gravity: rows per frame in units, by level
    unit: int = 256
    soft_velocity: int = 0
    velocity_in_memory: bool = True
    lock_delay: int = 0
    moves_restore: bool = False
    hard_drop: bool = False
    hold: bool = False
    left_entry: bool = False  # pieces enter at the left wall, as the map says; else in the middle
    kicks: Sequence[Cell] = ()  # what a blocked turn tries, in this order
    previews: int = 1
    shows_piece: bool = False  # the piece in the air is drawn into the board

    @property
    def timing_text(self) -> str:
        """The map's `timing`."""
        if not self.states_gravity:
            return "{}"
        given = [f"soft_drop: {self.soft_drop}"]
        if self.velocity:
            source = "value: speed" if self.velocity_in_memory else f"table: {list(self.velocity)}"
            given = [f"velocity: {{{source}, unit: {self.unit}, soft_drop: {self.soft_velocity}}}"]
        elif self.gravity_in_memory:
            given.append("gravity_value: speed")
        else:
            given.append(f"gravity: {list(self.gravity)}")
        if self.lock_delay:
            given += [f"lock_delay: {self.lock_delay}", f"lock_restore: {'moves' if self.moves_restore else 'fall'}"]
        return f"{{{', '.join(given)}}}"

    @property
    def kicks_text(self) -> str:
        """The map's `kicks`: the same for all turns."""
        if not self.kicks:
            return ""
        turns = [[number, self.turned(number, way)] for number in range(len(self.cells)) for way in (1, -1)]
        return f"kicks:\n  - {{turns: {turns}, tries: {[[x, y] for x, y in self.kicks]}}}\n"

    @property
    def cells(self) -> list[tuple[Cell, ...]]:
        """The cells of each orientation id."""
        return [cells for box in self.boxes.values() for cells in orientations_of(box)[: self.turns]]

    def turned(self, number: int, way: int) -> int:
        """The id after a turn."""
        first = number - number % self.turns
        return first + (number - first + way) % self.turns

    def entry(self, number: int) -> Cell:
        """Where a piece of this id enters."""
        cells = self.cells[number]
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        room = 0 if self.left_entry else (self.columns - (right - left + 1)) // 2
        return room - left, -min(y for _, y in cells)

    def map_text(self) -> str:
        """The map that a person would write."""
        names = [name for name in self.boxes for _ in range(self.turns)]
        entries = [
            f", spawn: {list(self.entry(one))}" if self.left_entry and one % self.turns == 0 else ""
            for one in range(len(self.cells))
        ]
        pieces = "\n".join(
            f"  - {{id: {number}, piece: {names[number]}, cells: {[[x, y] for x, y in cells]}, "
            f"clockwise: {self.turned(number, 1)}, counterclockwise: {self.turned(number, -1)}{entries[number]}}}"
            for number, cells in enumerate(self.cells)
        )
        above = ", ".join(f"0x{BOARD + ROW * row:04X}" for row in reversed(range(self.hidden)))
        shown = [
            f"  next_piece{'' if place == 0 else f'_{place + 1}'}: 0x{NEXT + place:02X}"
            for place in range(self.previews)
        ]
        drop = ", hard_drop: UP" if self.hard_drop else ""
        drop += ", hold: SELECT" if self.hold else ""
        return f"""\
title: A toy of falling blocks
family: tetris
profile: plain
timing: {self.timing_text}
values:
  state: 0x{STATE:02X}
  piece: 0x{PIECE:02X}
  x: {{at: 0x{X:02X}, format: signed}}
  y: {{at: 0x{Y:02X}, format: signed}}
  drop_timer: 0x{TIMER:02X}
  level: 0x{LEVEL:02X}
  lines: {{at: 0x{LINES:02X}, bytes: 2}}
  speed: {{at: 0x{SPEED:02X}, bytes: 2}}
  fall_fraction: {{at: 0x{PART:02X}, bytes: 2}}
  lock_timer: 0x{REST:02X}
  hold_piece: 0x{HELD:02X}
  hold_used: 0x{USED:02X}
{chr(10).join(shown)}
grid:
  at: 0x{BOARD + ROW * self.hidden:04X}
  rows: {self.rows}
  columns: {self.columns}
  row_stride: {ROW}
  column_stride: 1
  hidden: [{above}]
  shows_piece: {str(self.shows_piece).lower()}
  cell: {{empty: 0x00, kinds: {{block: 0x07}}}}
pieces:
{pieces}
{self.kicks_text}phases:
  - {{state: title, phase: menu, when: {{state: {TITLE}}}}}
  - {{state: playing, phase: playing, when: {{state: {PLAYING}}}}}
  - {{state: locked, phase: locked, when: {{state: {LOCKED}}}}}
  - {{state: over, phase: over, when: {{state: {OVER}}}}}
buttons:
  {{left: LEFT, right: RIGHT, rotate_clockwise: A, rotate_counterclockwise: B, soft_drop: DOWN, start: START{drop}}}
menu:
  pace: 4
  steps:
    - {{state: [title, over], tap: START}}
"""


class ToyMachine:
    """The cartridge behind the Machine protocol."""

    def __init__(self, toy: Toy, seed: int) -> None:
        self.ram: NDArray[Any] = np.zeros(2048, dtype=np.uint8)
        self.identity = "simulated:toy"
        self.frame_rate = FRAME_RATE_NTSC
        self.toy, self._cells = toy, toy.cells
        self._rng = np.random.default_rng(seed)
        self._held, self._wait = Pad.NONE, 0
        self.lines = self.pieces = self.games = 0
        self._begin()
        self.state, self.games = TITLE, 0
        self._write()

    def step(self, pads: Sequence[Pad]) -> None:
        new, self._held = pads[0] & ~self._held, pads[0]
        if self.state in (TITLE, OVER):
            if new & Pad.START:
                self._begin()
        elif self.state == PLAYING:
            self._control(new)
        else:
            self._wait -= 1
            if self._wait == 0:
                self._clear()
                self._spawn()
        self._write()

    def _begin(self) -> None:
        toy = self.toy
        self.field = np.zeros((toy.hidden + toy.rows, toy.columns), dtype=np.uint8)
        self.held, self.holds = NOTHING, 0
        self.lines, self.queue = 0, [self._draw() for _ in range(max(toy.previews, 1))]
        self.games += 1
        self._spawn()

    def _draw(self) -> int:
        return int(self._rng.integers(len(self.toy.boxes))) * self.toy.turns

    def _spawn(self) -> None:
        self.used = 0
        self._enter(self._drawn())

    def _drawn(self) -> int:
        self.queue.append(self._draw())
        return self.queue.pop(0)

    def _enter(self, number: int) -> None:
        self.number = number
        self.x, self.y = self.toy.entry(number)
        self.timer, self.part, self.rest = self._pull(), 0, self.toy.lock_delay
        self.state = PLAYING if self.fits(self.number, self.x, self.y) else OVER

    def _hold(self) -> None:
        """The piece comes back as it first entered; the other one enters at once and is moved from the next frame."""
        other, self.held = self.held, self.number - self.number % self.toy.turns
        self.used, self.holds = 1, self.holds + 1
        self._enter(self._drawn() if other == NOTHING else other)

    def _pull(self) -> int:
        level = min(self.lines // 10, len(self.toy.gravity) - 1)
        return self.toy.gravity[level]

    def fits(self, number: int, x: int, y: int) -> bool:
        toy = self.toy
        for dx, dy in self._cells[number]:
            column, row = x + dx, y + dy + toy.hidden
            if not 0 <= column < toy.columns or row >= len(self.field) or (row >= 0 and self.field[row, column]):
                return False
        return True

    def _control(self, new: Pad) -> None:
        if self.toy.hold and new & Pad.SELECT and not self.used:
            self._hold()
            return
        before = self.number, self.x, self.y
        for button, way in TURNS.items():
            if new & button:
                self._turn(self.toy.turned(self.number, way))
                break
        for button, way in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
            if new & button and self.fits(self.number, self.x + way, self.y):
                self.x += way
        if self.toy.hard_drop and new & Pad.UP:
            while self.fits(self.number, self.x, self.y + 1):
                self.y += 1
            self._lock()
            return
        acted, top, blocked = (self.number, self.x, self.y) != before, self.y, False
        for _ in range(self._due()):
            if not self.fits(self.number, self.x, self.y + 1):
                blocked = True
                break
            self.y += 1
        if not self.toy.lock_delay:
            if blocked:
                self._lock()
            return
        if self.y != top or (acted and self.toy.moves_restore):
            self.rest = self.toy.lock_delay
        if not self.fits(self.number, self.x, self.y + 1):
            self.rest -= 1
            if self.rest == 0:
                self._lock()

    def _turn(self, turned: int) -> None:
        """To the first place that is free: where it is, then where the kicks lead."""
        for dx, dy in ((0, 0), *self.toy.kicks):
            if turned != self.number and self.fits(turned, self.x + dx, self.y + dy):
                self.number, self.x, self.y = turned, self.x + dx, self.y + dy
                return

    def _due(self) -> int:
        """The rows that fall in this frame."""
        down = bool(self._held & Pad.DOWN)
        if not self.toy.velocity:
            self.timer = min(self.timer, self.toy.soft_drop) - 1 if down else self.timer - 1
            if self.timer > 0:
                return 0
            self.timer = self._pull()
            return 1
        self.part += max(self._speed(), self.toy.soft_velocity) if down else self._speed()
        rows = self.part // self.toy.unit
        self.part %= self.toy.unit
        return rows

    def _speed(self) -> int:
        level = self.lines // 10
        if self.toy.velocity:
            return self.toy.velocity[min(level, len(self.toy.velocity) - 1)]
        return self._pull()

    def _lock(self) -> None:
        self._draw_into(self.field)
        self.pieces += 1
        self.state, self._wait = LOCKED, ENTRY

    def _shown_field(self) -> NDArray[Any]:
        field = self.field.copy()
        if self.toy.shows_piece and self.state == PLAYING:
            self._draw_into(field)
        return field

    def _draw_into(self, field: NDArray[Any]) -> None:
        for dx, dy in self._cells[self.number]:
            row = self.y + dy + self.toy.hidden
            if row >= 0:
                field[row, self.x + dx] = 7

    def _clear(self) -> None:
        for row in range(self.toy.hidden, len(self.field)):
            if self.field[row].all():
                self.field[1 : row + 1] = self.field[:row].copy()
                self.field[0] = 0
                self.lines += 1

    def _write(self) -> None:
        ram = self.ram
        ram[STATE], ram[PIECE], ram[X], ram[Y] = self.state, self.number, self.x & 0xFF, self.y & 0xFF
        ram[TIMER], ram[LEVEL] = self.timer, self.lines // 10
        ram[LINES], ram[LINES + 1] = self.lines & 0xFF, self.lines >> 8
        for at, number in ((SPEED, self._speed()), (PART, self.part)):
            ram[at], ram[at + 1] = number & 0xFF, number >> 8
        ram[REST], ram[HELD], ram[USED] = self.rest, self.held, self.used
        for place, number in enumerate(self.queue[: self.toy.previews]):
            ram[NEXT + place] = number
        for row, cells in enumerate(self._shown_field()):
            ram[BOARD + ROW * row : BOARD + ROW * row + self.toy.columns] = cells
