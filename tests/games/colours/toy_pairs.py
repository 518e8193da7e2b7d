"""Toy cartridges of pairs with fields of any size: their own rules and frames, and bytes that are written by hand.

Nothing of the family is used here. A cell is (column, row), rows count downwards from the first visible one.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad

Cell = tuple[int, int]
Half = tuple[int, int, int]  # column, row, colour
TITLE, CONTROL, LOCKED, POPPING, OVER = range(5)
_SETTLE, _POP = 5, 9

HEAD = """\
title: {title}
family: puyo
profile: famicom-1991
rules: {rules}
timing: {timing}
"""
# For toys that keep the state at 0x10 and wait for START.
TAIL = """\
piece_codes: {color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04, color_5: 0x05}
phases:
  - {state: title, phase: menu, when: {game_state: 0}}
  - {state: playing, phase: playing, when: {game_state: 1}}
  - {state: locked, phase: locked, when: {game_state: 2}}
  - {state: popping, phase: clearing, when: {game_state: 3}}
  - {state: over, phase: over, when: {game_state: 4}}
buttons: {left: LEFT, right: RIGHT, rotate_clockwise: A, rotate_counterclockwise: B, soft_drop: DOWN, start: START}
menu:
  pace: 4
  steps:
    - {state: [title, over], tap: START}
"""
HALVES = """\
  current_bottom: 0x14
  current_top: 0x15
  next_bottom: 0x16
  next_top: 0x17
  drop_timer: 0x18
  held_buttons: 0x19
"""
# For toys that keep cells as they are; see `plain`.
PLAIN = f"""\
values:
  game_state: 0x10
  x: 0x11
  y: {{at: 0x12, format: signed}}
  orientation: 0x13
{HALVES}grid:
"""
FOUR = """\
pieces:
  - {id: 0, piece: pair, cells: [[0, 0], [0, -1]], clockwise: 1, counterclockwise: 3}
  - {id: 1, piece: pair, cells: [[0, 0], [1, 0]], clockwise: 2, counterclockwise: 0}
  - {id: 2, piece: pair, cells: [[0, 0], [0, 1]], clockwise: 3, counterclockwise: 1}
  - {id: 3, piece: pair, cells: [[0, 0], [-1, 0]], clockwise: 0, counterclockwise: 2}
"""
_AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))


class ToyPairs:
    """A cartridge of pairs. A subclass states its size and rules, its map, and how it keeps its bytes."""

    columns, rows, hidden = 6, 12, 1
    colors, group = 4, 4
    entry: Cell = (2, 0)  # the pivot of a new pair
    orientation = 0  # of a new pair
    death: Sequence[Cell] = ((2, 0),)
    gravity = 16
    soft_drop = 2
    text = ""

    def __init__(self, seed: int) -> None:
        self.ram = np.zeros(2048, dtype=np.uint8)
        self.identity = f"toy:{type(self).__name__}"
        self.frame_rate = FRAME_RATE_NTSC
        self.locks: list[frozenset[Half]] = []  # where each pair locked
        self.games = self.popped = 0
        self.state, self.wait, self.held, self.timer = TITLE, 0, Pad.NONE, 0
        self.field: dict[Cell, int] = {}
        self._random = Random(seed)
        self.next = self._drawn()
        self.pair = (0, 0)  # the colours of the first and of the second half
        self.place, self.turned = self.entry, self.orientation
        self.write()

    def step(self, pads: Sequence[Pad]) -> None:
        """One frame."""
        new, self.held = pads[0] & ~self.held, pads[0]
        if self.state in (TITLE, OVER):
            if new & Pad.START:
                self.field.clear()
                self.games += 1
                self._spawn()
        elif self.state == CONTROL:
            self._control(new)
        else:
            self.wait -= 1
            if self.wait == 0:
                self._pop() if self.state == POPPING else self._settle()
        self.write()

    def halves(self, place: Cell, turned: int) -> list[Cell]:
        """The cells of the first and of the second half."""
        x, y = place
        dx, dy = _AROUND[turned]
        return [(x, y), (x + dx, y + dy)]

    def after_turn(self, clockwise: bool) -> list[tuple[Cell, int, tuple[int, int]]]:
        """What a turn tries, one after the other: place, orientation, colours."""
        turned = (self.turned + (1 if clockwise else 3)) % 4
        dx, dy = _AROUND[turned]
        x, y = self.place
        tried = [(self.place, turned, self.pair)]
        if turned != 2 or y - dy >= -self.hidden:
            tried.append(((x - dx, y - dy), turned, self.pair))
        return tried

    def write(self) -> None:
        """Write all bytes."""
        raise NotImplementedError

    def write_plain(self) -> None:
        """Write the values of `PLAIN`."""
        self.ram[0x10:0x14] = [self.state, self.place[0], self.place[1] & 0xFF, self.turned]
        self.ram[0x14:0x1A] = [*self.pair, *self.next, self.timer, int(self.held)]

    def _drawn(self) -> tuple[int, int]:
        return self._random.randint(1, self.colors), self._random.randint(1, self.colors)

    def _spawn(self) -> None:
        if any(cell in self.field for cell in self.death):
            self.state = OVER
            return
        self.pair, self.next = self.next, self._drawn()
        self.place, self.turned = self.entry, self.orientation
        self.timer, self.state = self.gravity, CONTROL

    def _fits(self, place: Cell, turned: int) -> bool:
        cells = self.halves(place, turned)
        return all(0 <= x < self.columns and y < self.rows and (x, y) not in self.field for x, y in cells)

    def _control(self, new: Pad) -> None:
        if new & (Pad.A | Pad.B):
            for place, turned, pair in self.after_turn(bool(new & Pad.A)):
                if self._fits(place, turned):
                    self.place, self.turned, self.pair = place, turned, pair
                    break
        for button, step in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
            shifted = (self.place[0] + step, self.place[1])
            if new & button and self._fits(shifted, self.turned):
                self.place = shifted
        if self.held & Pad.DOWN and not self.held & (Pad.LEFT | Pad.RIGHT):
            self.timer = min(self.timer, self.soft_drop)
        self.timer -= 1
        if self.timer:
            return
        below = (self.place[0], self.place[1] + 1)
        self.timer = self.gravity
        if self._fits(below, self.turned):
            self.place = below
            return
        halves = zip(self.halves(self.place, self.turned), self.pair, strict=True)
        self.locks.append(frozenset((x, y, kind) for (x, y), kind in halves))
        for x, y, kind in sorted(self.locks[-1], key=lambda half: -half[1]):
            self._drop(x, y, kind)
        self.state, self.wait = LOCKED, _SETTLE

    def _drop(self, x: int, y: int, kind: int) -> None:
        while y + 1 < self.rows and (x, y + 1) not in self.field:
            y += 1
        if y >= -self.hidden:
            self.field[x, y] = kind

    def _groups(self) -> set[Cell]:
        gone: set[Cell] = set()
        seen: set[Cell] = set()
        for start, kind in self.field.items():
            if start in seen or start[1] < 0:
                continue
            group, edge = {start}, [start]
            while edge:
                x, y = edge.pop()
                for dx, dy in _AROUND:
                    cell = (x + dx, y + dy)
                    if cell[1] >= 0 and cell not in group and self.field.get(cell) == kind:
                        group.add(cell)
                        edge.append(cell)
            seen |= group
            if len(group) >= self.group:
                gone |= group
        return gone

    def _settle(self) -> None:
        if self._groups():
            self.state, self.wait = POPPING, _POP
        else:
            self._spawn()

    def _pop(self) -> None:
        gone = self._groups()
        self.popped += len(gone)
        for cell in gone:
            del self.field[cell]
        for x, y in sorted(self.field, key=lambda cell: -cell[1]):
            self._drop(x, y, self.field.pop((x, y)))
        self.state, self.wait = LOCKED, _SETTLE


class Narrow(ToyPairs):
    """4 columns, 6 rows, no hidden row, one byte a cell, row by row."""

    columns, rows, hidden, colors = 4, 6, 0, 3
    entry, death = (1, 0), ((1, 0),)
    text = (
        HEAD.format(title="toy of four columns", rules="{colors: 3}", timing="{gravity: [16], soft_drop: 2}")
        + PLAIN
        + """\
  at: 0x0300
  rows: 6
  columns: 4
  row_stride: 8
  column_stride: 1
  cell: {empty: 0x00, kinds: {color_1: 0x01, color_2: 0x02, color_3: 0x03}}
"""
        + FOUR
        + TAIL
    )

    def write(self) -> None:
        self.write_plain()
        for y in range(6):
            self.ram[0x300 + 8 * y : 0x304 + 8 * y] = [self.field.get((x, y), 0) for x in range(4)]


class Wide(ToyPairs):
    """8 columns, 12 rows and a hidden one elsewhere; column by column from the bottom, two bytes a cell; flat entry."""

    columns, rows, hidden, colors = 8, 12, 1, 5
    entry, orientation, death = (3, 0), 1, ((3, 0), (4, 0))
    gravity, soft_drop = 9, 1
    text = (
        HEAD.format(
            title="toy of eight columns",
            rules="{spawn: [1, 3, 0], death_cells: [3, 0, 4, 0]}",
            timing="{gravity: [30, 9], soft_drop: 1}",
        )
        + """\
values:
  game_state: 0x10
  x: {at: 0x20, offset: -3}
  y: {at: 0x21, offset: -100}
  orientation: {at: 0x22, mask: 0x30, shift: 4}
  current_bottom: 0x30
  current_top: 0x32
  next_bottom: 0x34
  next_top: 0x36
  drop_timer: {at: 0x40, bytes: 2, order: big}
  level: 0x42
  held_buttons: 0x43
grid:
  at: 0x0400
  rows: 12
  columns: 8
  row_stride: 2
  column_stride: 26
  first_row: bottom
  hidden: [0x0418]
  cell:
    bytes: 2
    mask: 0xFF00
    shift: 8
    empty: 0xE0
    kinds: {color_1: 0x91, color_2: 0x92, color_3: 0x93, color_4: 0x94, color_5: 0x95}
"""
        + FOUR
        + TAIL
    )

    def write(self) -> None:
        ram = self.ram
        ram[0x10] = self.state
        ram[0x20:0x23] = [self.place[0] + 3, self.place[1] + 100, self.turned << 4 | 0x0A]
        ram[0x30:0x38:2] = [*self.pair, *self.next]
        ram[0x40:0x44] = [0, self.timer, 1, int(self.held)]
        for x in range(8):
            for y in range(-1, 12):
                at = 0x400 + 26 * x + 2 * (11 - y)
                kind = self.field.get((x, y), 0)
                ram[at : at + 2] = [(7 * x + y) & 0xFF, 0x90 | kind if kind else 0xE0]


class Tall(ToyPairs):
    """12 columns, 20 rows and two hidden ones, groups of five; a pair enters in the hidden row above the field."""

    columns, rows, hidden, colors, group = 12, 20, 2, 4, 5
    entry, death = (5, -1), ((5, 0), (6, 0))
    gravity, soft_drop = 6, 1
    text = (
        HEAD.format(
            title="toy of twelve columns",
            rules="{group_size: 5, colors: 4, spawn: [0, 5, -1], death_cells: [5, 0, 6, 0]}",
            timing="{gravity: [6], soft_drop: 1}",
        )
        + PLAIN
        + """\
  at: 0x0320
  rows: 20
  columns: 12
  row_stride: 16
  column_stride: 1
  hidden: [0x0310, 0x0300]
  cell: {mask: 0x0F, empty: 0x00, kinds: {color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04}}
"""
        + FOUR
        + TAIL
    )

    def write(self) -> None:
        self.write_plain()
        for y in range(-2, 20):
            at = 0x320 + 16 * y
            self.ram[at : at + 12] = [0xA0 | self.field.get((x, y), 0) for x in range(12)]


class Swapping(ToyPairs):
    """Flat or upright, and every second turn changes the colours' places; the field is the usual one of 6 columns."""

    columns, rows, hidden, colors = 6, 13, 1, 4
    gravity = 12
    head = HEAD.format(title="toy of half turns", rules="{colors: 4}", timing="{gravity: [12], soft_drop: 2}")
    body = f"""\
{PLAIN}  at: 0x0310
  rows: 13
  columns: 6
  row_stride: 16
  column_stride: 1
  hidden: [0x0300]
  cell: {{empty: 0x00, kinds: {{color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04}}}}
pieces:
  - id: 0
    piece: pair
    cells: [[0, 0], [1, 0]]
    clockwise: 1
    counterclockwise: {{to: 1, cycle: 1}}
  - id: 1
    piece: pair
    cells: [[0, 0], [0, -1]]
    clockwise: {{to: 0, cycle: 1}}
    counterclockwise: 0
"""
    text = head + body + TAIL

    def halves(self, place: Cell, turned: int) -> list[Cell]:
        x, y = place
        return [(x, y), (x, y - 1) if turned else (x + 1, y)]

    def after_turn(self, clockwise: bool) -> list[tuple[Cell, int, tuple[int, int]]]:
        first, second = self.pair
        upright = bool(self.turned)
        pair = (second, first) if upright == clockwise else self.pair
        x, y = self.place
        return [((x - kick, y), int(not upright), pair) for kick in range(2 if upright else 1)]

    def write(self) -> None:
        self.write_plain()
        for y in range(-self.hidden, self.rows):
            at = 0x310 + 16 * y
            self.ram[at : at + self.columns] = [self.field.get((x, y), 0) for x in range(self.columns)]


class Keeping(Swapping):
    """Two orientations, and the colours keep their places: half of all placements cannot be reached."""

    text = Swapping.text.replace("{to: 0, cycle: 1}", "0").replace("{to: 1, cycle: 1}", "1")

    def after_turn(self, clockwise: bool) -> list[tuple[Cell, int, tuple[int, int]]]:
        return [(place, turned, self.pair) for place, turned, _ in super().after_turn(clockwise)]


class Untimed(Swapping):
    """The same on 7 columns and 10 rows, and nobody knows the clock: one input at a time."""

    columns, rows, hidden = 7, 10, 1
    entry, death = (3, 0), ((3, 0),)
    gravity = 25
    text = (
        HEAD.format(title="toy without a clock", rules="{colors: 4}", timing="{}")
        + Swapping.body.replace("rows: 13", "rows: 10").replace("columns: 6", "columns: 7")
        + TAIL
    )


class Upward(ToyPairs):
    """10 columns, 14 rows, no hidden row; y is a number of pixels above the floor, and memory begins with the floor."""

    columns, rows, hidden, colors = 10, 14, 0, 5
    entry, death = (4, 0), ((4, 0),)
    gravity = 7
    text = (
        HEAD.format(title="toy of pixels above the floor", rules="{}", timing="{gravity: [7], soft_drop: 2}")
        + """\
values:
  game_state: 0x10
  x: {at: 0x11, offset: -24, divide: 8}
  y: {at: 0x12, offset: -104, scale: -1, divide: 8}
  orientation: 0x13
"""
        + HALVES
        + """\
grid:
  at: 0x0300
  rows: 14
  columns: 10
  row_stride: 10
  column_stride: 1
  first_row: bottom
  cell: {empty: 0x00, kinds: {color_1: 0x11, color_2: 0x12, color_3: 0x13, color_4: 0x14, color_5: 0x15}}
"""
        + FOUR
        + TAIL
    )

    def write(self) -> None:
        x, y = self.place
        self.ram[0x10:0x14] = [self.state, 24 + 8 * x, 8 * (13 - y), self.turned]
        self.ram[0x14:0x1A] = [*self.pair, *self.next, self.timer, int(self.held)]
        for number in range(140):
            kind = self.field.get((number % 10, 13 - number // 10), 0)
            self.ram[0x300 + number] = 0x10 | kind if kind else 0


class Sprites(ToyPairs):
    """8 columns, 10 rows, one hidden; a pair is two sprites, each with the pixels of its place."""

    columns, rows, hidden, colors = 8, 10, 1, 4
    entry, death = (3, 0), ((3, 0),)
    gravity, soft_drop = 8, 1
    text = (
        HEAD.format(title="toy of two sprites", rules="{colors: 4}", timing="{gravity: [8], soft_drop: 1}")
        + """\
values:
  game_state: 0x10
  x_1: {at: 0x0203, offset: -40, divide: 16}
  y_1: {at: 0x0200, offset: -32, divide: 16}
  x_2: {at: 0x0207, offset: -40, divide: 16}
  y_2: {at: 0x0204, offset: -32, divide: 16}
"""
        + HALVES
        + """\
place:
  cells: [{x: x_1, y: y_1}, {x: x_2, y: y_2}]
grid:
  at: 0x0308
  rows: 10
  columns: 8
  row_stride: 8
  column_stride: 1
  hidden: [0x0300]
  cell: {empty: 0x00, kinds: {color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04}}
"""
        + FOUR
        + TAIL
    )

    def write(self) -> None:
        self.ram[0x10] = self.state
        for number, (x, y) in enumerate(self.halves(self.place, self.turned)):
            self.ram[0x200 + 4 * number] = 32 + 16 * y
            self.ram[0x203 + 4 * number] = 40 + 16 * x
        self.ram[0x14:0x1A] = [*self.pair, *self.next, self.timer, int(self.held)]
        for number in range(88):
            self.ram[0x300 + number] = self.field.get((number % 8, number // 8 - 1), 0)


class Boxed(ToyPairs):
    """9 columns, 9 rows; four orientations in a box of two by two, its lower left cell always filled."""

    columns, rows, hidden, colors = 9, 9, 1, 4
    entry, death = (4, -1), ((4, 0), (5, 0))
    gravity = 10
    text = (
        HEAD.format(
            title="toy of boxes",
            rules="{colors: 4, spawn: [1, 4, 0], death_cells: [4, 0, 5, 0]}",
            timing="{gravity: [10], soft_drop: 2}",
        )
        + PLAIN
        + """\
  at: 0x0310
  rows: 9
  columns: 9
  row_stride: 16
  column_stride: 1
  hidden: [0x0300]
  cell: {empty: 0x00, kinds: {color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04}}
pieces:
  - {id: 0, piece: pair, cells: [[0, 1], [1, 1]], clockwise: 1, counterclockwise: 3}
  - {id: 1, piece: pair, cells: [[0, 0], [0, 1]], clockwise: 2, counterclockwise: 0}
  - {id: 2, piece: pair, cells: [[1, 1], [0, 1]], clockwise: 3, counterclockwise: 1}
  - {id: 3, piece: pair, cells: [[0, 1], [0, 0]], clockwise: 0, counterclockwise: 2}
"""
        + TAIL
    )

    def halves(self, place: Cell, turned: int) -> list[Cell]:
        x, y = place
        return [[(x, y + 1), (x + 1, y + 1)], [(x, y), (x, y + 1)], [(x + 1, y + 1), (x, y + 1)], [(x, y + 1), (x, y)]][
            turned
        ]

    def after_turn(self, clockwise: bool) -> list[tuple[Cell, int, tuple[int, int]]]:
        turned = (self.turned + (1 if clockwise else 3)) % 4
        x, y = self.place
        return [((x - kick, y), turned, self.pair) for kick in range(1 if turned % 2 else 2)]

    def write(self) -> None:
        self.write_plain()
        for y in range(-1, 9):
            at = 0x310 + 16 * y
            self.ram[at : at + 9] = [self.field.get((x, y), 0) for x in range(9)]


TOYS = (Narrow, Wide, Tall, Swapping, Untimed, Upward, Sprites, Boxed)
