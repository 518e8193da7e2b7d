"""The rules of dots, frame by frame: a dot falls, and a full row vanishes; knows no map and no player."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.pad import Pad

ROWS, COLUMNS = 8, 4
TITLE, PLAYING, LOCKED, OVER = range(4)
GRAVITY, DELAY = 12, 4  # frames per row, and between a lock and the next dot


@dataclass
class State:
    """One game; `cells` uint8 (8, 4), 0 = empty, 1 = a dot."""

    mode: int = TITLE
    x: int = 0
    y: int = 0
    timer: int = 0
    lines: int = 0
    frames: int = 0
    seed: int = 1
    held: int = 0
    cells: NDArray[Any] = field(default_factory=lambda: np.zeros((ROWS, COLUMNS), dtype=np.uint8))

    def step(self, pad: int) -> None:
        """One frame with these buttons held."""
        pressed, self.held = int(pad) & ~self.held, int(pad)
        self.frames += 1
        if self.mode == PLAYING:
            self._play(pressed)
        elif self.mode == LOCKED:
            self.timer -= 1
            if self.timer == 0:
                self.clear()
                self._enter()
        elif pressed & Pad.START:
            self.cells[:], self.lines = 0, 0
            self._enter()

    def clear(self) -> int:
        """Let full rows vanish; returns how many there were."""
        kept = self.cells[~self.cells.all(axis=1)]
        gone = ROWS - len(kept)
        self.cells[:gone], self.cells[gone:] = 0, kept
        self.lines += gone
        return gone

    def _play(self, pressed: int) -> None:
        shift = bool(pressed & Pad.RIGHT) - bool(pressed & Pad.LEFT)
        if self._free(self.x + shift, self.y):
            self.x += shift
        self.timer = min(self.timer, 1) if self.held & Pad.DOWN else self.timer
        self.timer -= 1
        if self.timer > 0:
            return
        if self._free(self.x, self.y + 1):
            self.y, self.timer = self.y + 1, GRAVITY
        else:
            self.cells[self.y, self.x] = 1
            self.mode, self.timer = LOCKED, DELAY

    def _enter(self) -> None:
        self.seed = self.seed >> 1 ^ (0xB400 if self.seed & 1 else 0)
        self.x, self.y, self.timer = self.seed % COLUMNS, 0, GRAVITY
        self.mode = PLAYING if self._free(self.x, 0) else OVER

    def _free(self, x: int, y: int) -> bool:
        return 0 <= x < COLUMNS and y < ROWS and self.cells[y, x] == 0
