"""A falling-block cartridge nobody knows: its own orientation ids, pivots, turns, fall and memory, and its map.

Each piece turns in its box, of 2, 3 or 4 cells a side, in four orientations; ids count down from 0x7F, and the pivot is
the box's top left corner. The field lies column by column, from the bottom up, and shows the piece in the air too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map

Cell = tuple[int, int]

BOXES = {
    "I": ("....", "####", "....", "...."),
    "O": ("##", "##"),
    "T": (".#.", "###", "..."),
    "S": (".##", "##.", "..."),
    "Z": ("##.", ".##", "..."),
    "J": ("#..", "###", "..."),
    "L": ("..#", "###", "..."),
}
NAMES = tuple(BOXES)
TITLE, PLAYING, LOCKED, CLEARING, OVER = range(5)
MOVING, FIRST_KIND = 1, 2  # kinds of cells
ROWS, COLUMNS = 20, 10
ENTRY, CLEAR = 7, 12  # frames
SPAWN = (3, 0)


def cells_of(piece: str, quarters: int) -> list[Cell]:
    box = BOXES[piece]
    side = len(box)
    cells = [(x, y) for y in range(side) for x in range(side) if box[y][x] == "#"]
    for _ in range(quarters):
        cells = [(side - 1 - y, x) for x, y in cells]
    return cells


def number_of(piece: str, quarters: int) -> int:
    return 0x7F - 4 * NAMES.index(piece) - quarters


def listed_pieces() -> str:
    lines = []
    for piece in NAMES:
        for quarters in range(4):
            turned = [number_of(piece, (quarters + way) % 4) for way in (1, 3)]
            cells = ", ".join(f"[{x}, {y}]" for x, y in cells_of(piece, quarters))
            lines.append(
                f"  - {{id: {number_of(piece, quarters)}, piece: {piece}, cells: [{cells}], "
                f"clockwise: {turned[0]}, counterclockwise: {turned[1]}}}"
            )
    return "\n".join(lines)


MAP = f"""\
title: A stranger's falling blocks
family: tetris
profile: plain
timing: {{}}
values:
  state: 0x20
  piece: {{at: 0x21, mask: 0x7F}}
  next_piece: {{at: 0x22, mask: 0x7F}}
  x: {{at: 0x23, offset: -32, divide: 8}} # pixels
  y: {{at: 0x24, format: signed}}
  drop_timer: 0x25
  level: 0x26
  lines: {{at: 0x27, bytes: 2, format: bcd}}
  score: {{at: 0x29, bytes: 4, order: big}}
grid:
  at: 0x0300
  rows: 20
  columns: 10
  row_stride: 2
  column_stride: 64
  first_row: bottom
  cell:
    bytes: 2
    mask: 0xFF00
    shift: 8
    empty: 0x20
    kinds:
      moving: {{codes: 0x3F, solid: false}}
      block: {{from: 0x01, to: 0x07}}
pieces:
{listed_pieces()}
phases:
  - {{state: title, phase: menu, when: {{state: 0}}}}
  - {{state: playing, phase: playing, when: {{state: 1}}}}
  - {{state: locked, phase: locked, when: {{state: 2}}}}
  - {{state: clearing, phase: clearing, when: {{state: 3}}}}
  - {{state: over, phase: over, when: {{state: 4}}}}
buttons: {{left: LEFT, right: RIGHT, rotate_clockwise: B, hard_drop: A, start: START}}
menu:
  pace: 4
  steps:
    - {{state: [title, over], tap: START}}
"""
UNTIMED_DROP = ("  drop_timer: 0x25\n", "")
TIMED = ("timing: {}", "timing: {gravity: [11, 9, 7], soft_drop: 2}")
MORE_BUTTONS = (
    "rotate_clockwise: B, hard_drop: A",
    "rotate_clockwise: A, rotate_counterclockwise: B, hard_drop: UP, soft_drop: DOWN",
)
SOFT_ONLY = ("rotate_clockwise: B, hard_drop: A", "rotate_counterclockwise: A, soft_drop: DOWN")


def stranger_map(*changes: tuple[str, str]) -> RamMap:
    text = MAP
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return parse_map(text, "stranger")


class Stranger:
    """The cartridge behind the Machine protocol. A frame: turn, shift, fall; DOWN held falls every second frame."""

    def __init__(self, ram_map: RamMap, seed: int, gravity: Sequence[int] = (11, 9, 7)) -> None:
        self.ram: NDArray[Any] = np.zeros(ram_map.image_size, dtype=np.uint8)
        self.identity = "simulated:stranger"
        self.frame_rate = FRAME_RATE_NTSC
        self._map, self._rng, self._gravity = ram_map, np.random.default_rng(seed), gravity
        self._state, self._held, self._wait = TITLE, Pad.NONE, 0
        self.lines = self.pieces = 0
        self._begin()
        self._state = TITLE
        self._publish()

    def step(self, pads: Sequence[Pad]) -> None:
        held = pads[0]
        new = held & ~self._held
        self._held = held
        if self._state in (TITLE, OVER):
            if new & Pad.START:
                self._begin()
        elif self._state == PLAYING:
            self._control(new, held)
        else:
            self._wait -= 1
            if self._wait == 0 and self._state == LOCKED and self._full_rows():
                self._state, self._wait = CLEARING, CLEAR
            elif self._wait == 0:
                self._clear()
                self._spawn()
        self._publish()

    @property
    def level(self) -> int:
        return self.lines // 10

    def _begin(self) -> None:
        self.field: NDArray[Any] = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
        self.lines = 0
        self.next = self._draw()
        self._spawn()

    def _draw(self) -> str:
        return NAMES[int(self._rng.integers(len(NAMES)))]

    def _spawn(self) -> None:
        self.piece, self.quarters, (self.x, self.y) = self.next, 0, SPAWN
        self.next = self._draw()
        self.timer = self._pull()
        self._state = PLAYING if self._fits(self.x, self.y, 0) else OVER

    def _pull(self) -> int:
        return self._gravity[min(self.level, len(self._gravity) - 1)]

    def _fits(self, x: int, y: int, quarters: int) -> bool:
        return all(
            0 <= x + dx < COLUMNS and y + dy < ROWS and (y + dy < 0 or not self.field[y + dy, x + dx])
            for dx, dy in cells_of(self.piece, quarters)
        )

    def _control(self, new: Pad, held: Pad) -> None:
        buttons = self._map.buttons
        for button, way in ((buttons.rotate_clockwise, 1), (buttons.rotate_counterclockwise, 3)):
            turned = (self.quarters + way) % 4
            if button and new & button and self._fits(self.x, self.y, turned):
                self.quarters = turned
        for button, way in ((buttons.left, -1), (buttons.right, 1)):
            if new & button and self._fits(self.x + way, self.y, self.quarters):
                self.x += way
        if buttons.hard_drop and new & buttons.hard_drop:
            while self._fits(self.x, self.y + 1, self.quarters):
                self.y += 1
            self._lock()
            return
        if buttons.soft_drop and held & buttons.soft_drop:
            self.timer = min(self.timer, 2)
        self.timer -= 1
        if self.timer == 0:
            if not self._fits(self.x, self.y + 1, self.quarters):
                self._lock()
                return
            self.y += 1
            self.timer = self._pull()

    def _lock(self) -> None:
        for x, y in self._cells():
            self.field[y, x] = FIRST_KIND
        self.pieces += 1
        self._state, self._wait = LOCKED, ENTRY

    def _cells(self) -> list[Cell]:
        cells = [(self.x + dx, self.y + dy) for dx, dy in cells_of(self.piece, self.quarters)]
        return [(x, y) for x, y in cells if y >= 0]

    def _full_rows(self) -> list[int]:
        return [row for row in range(ROWS) if self.field[row].all()]

    def _clear(self) -> None:
        for row in self._full_rows():
            self.field[1 : row + 1] = self.field[:row].copy()
            self.field[0] = 0
            self.lines += 1

    def _publish(self) -> None:
        shown = self.field.copy()
        if self._state == PLAYING:
            for x, y in self._cells():
                shown[y, x] = MOVING
        values = {
            "state": self._state,
            "piece": number_of(self.piece, self.quarters),
            "next_piece": number_of(self.next, 0),
            "x": self.x,
            "y": self.y,
            "drop_timer": self.timer,
            "level": self.level,
            "lines": self.lines,
            "score": 40 * self.lines,
        }
        known = self._map.reader().names
        self._map.encode(self.ram, {name: number for name, number in values.items() if name in known}, shown)
