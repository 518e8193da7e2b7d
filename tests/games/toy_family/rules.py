"""Numbers: a falling number is turned up and stacked; three alike on top of a column vanish. Frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.pad import Pad

ROWS, COLUMNS, NUMBERS = 8, 5, 3
SPAWN_COLUMN = 2
ALIKE = 3
LEVELS = 4
LOCKED_FRAMES, CLEARING_FRAMES = 3, 4
A, DOWN, LEFT, RIGHT, START = map(int, (Pad.A, Pad.DOWN, Pad.LEFT, Pad.RIGHT, Pad.START))  # plain bits are quick


class Mode(IntEnum):
    TITLE = 0
    CONTROL = 1
    LOCKED = 2
    CLEARING = 3
    OVER = 4


@dataclass
class State:
    """One game; `cells` uint8 (8, 5), 0 = empty, else the number. `number` and `following` count from 0."""

    mode: int = Mode.TITLE
    level: int = 0
    x: int = SPAWN_COLUMN
    y: int = 0
    number: int = 0
    following: int = 0
    timer: int = 0
    wait: int = 0
    lines: int = 0
    score: int = 0
    frames: int = 0
    seed: int = 1
    new_buttons: int = 0
    held_buttons: int = 0
    tint: int = 0
    cells: NDArray[Any] = field(default_factory=lambda: np.zeros((ROWS, COLUMNS), dtype=np.uint8))

    def step(self, pad: int) -> None:
        """One frame."""
        self.new_buttons, self.held_buttons = int(pad) & ~self.held_buttons, int(pad)
        self.frames += 1
        if self.mode == Mode.TITLE:
            self._title()
        elif self.mode == Mode.CONTROL:
            self.control()
        elif self.mode == Mode.OVER:
            if self.new_buttons & START:
                self.mode = Mode.TITLE
        else:
            self._wait()

    def control(self) -> None:
        """Turn, shift, fall."""
        if self.new_buttons & A:
            self.number = (self.number + 1) % NUMBERS
        shift = bool(self.new_buttons & RIGHT) - bool(self.new_buttons & LEFT)
        if self.free(self.x + shift, self.y):
            self.x += shift
        self.timer = min(self.timer, 1) if self.held_buttons & DOWN else self.timer
        self.timer -= 1
        if self.timer > 0:
            return
        if self.free(self.x, self.y + 1):
            self.y += 1
            self.timer = self.gravity
        else:
            self.cells[self.y, self.x] = self.number + 1
            self.mode, self.wait = Mode.LOCKED, LOCKED_FRAMES

    def free(self, x: int, y: int) -> bool:
        return 0 <= x < COLUMNS and 0 <= y < ROWS and self.cells[y, x] == 0

    @property
    def gravity(self) -> int:
        """Frames per row."""
        return 8 - 2 * self.level

    def start(self) -> None:
        self.cells[:] = 0
        self.lines = self.score = 0
        self.following = self._draw()
        self.spawn()

    def spawn(self) -> None:
        if not self.free(SPAWN_COLUMN, 0):
            self.mode = Mode.OVER
            return
        self.mode, self.x, self.y = Mode.CONTROL, SPAWN_COLUMN, 0
        self.number, self.following, self.timer = self.following, self._draw(), self.gravity

    def clear(self) -> bool:
        """Take three alike off the top of the piece's column; whether there were."""
        column = self.cells[self.y : self.y + ALIKE, self.x]
        if len(column) < ALIKE or len(set(column.tolist())) > 1:
            return False
        self.cells[self.y : self.y + ALIKE, self.x] = 0
        self.lines += 1
        self.score += 30 * (self.level + 1)
        return True

    def _title(self) -> None:
        if self.new_buttons & RIGHT:
            self.level = (self.level + 1) % LEVELS
        elif self.new_buttons & A:
            self.tint ^= 1
        elif self.new_buttons & START:
            self.start()

    def _wait(self) -> None:
        self.wait -= 1
        if self.wait > 0:
            return
        if self.mode == Mode.LOCKED and self.clear():
            self.mode, self.wait = Mode.CLEARING, CLEARING_FRAMES
        else:
            self.spawn()

    def _draw(self) -> int:
        self.seed = self.seed >> 1 ^ (0xB400 if self.seed & 1 else 0)
        return self.seed % NUMBERS
