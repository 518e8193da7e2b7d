"""The twin of the engine: the same game as a plain Machine, which writes the same bytes by hand; knows no map.

A frame of play: turn, shift, fall, lock. The bytes are as engine/ram.inc has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import HORIZONTAL, Pad
from tests.toys import addresses as at
from tests.toys.toy import CLEARING, LOCKED, OVER, PICK, PLAYING, READY, SECOND, TITLE, Toy

ROW: Final = 256  # parts of a row, in which a velocity is counted


class ToyMachine:
    """A toy behind the Machine protocol: 2,048 bytes of RAM, and 8,192 more if its playfield lies in WRAM."""

    def __init__(self, toy: Toy, seed: int = 0xACE1) -> None:
        """`seed` is the generator's state at power-on, 1 to 0xFFFF."""
        self.ram: NDArray[Any] = np.zeros(at.RAM_SIZE + at.WRAM_SIZE * toy.needs_wram, dtype=np.uint8)
        self.identity = f"simulated:{toy.name}"
        self.frame_rate = FRAME_RATE_NTSC
        self.toy = toy
        self.cells = np.full((toy.hidden + toy.rows, toy.columns), toy.empty, dtype=np.uint8)
        self.state, self.wait, self.full_row = TITLE, 0, at.NO_ROW
        self.shape = self.following = self.x = self.y = 0
        self.timer = self.speed = self.fraction = self.rest = 0
        self.level = self.start_level = self.lines = self.level_lines = self.pieces = 0
        self._rng, self._frames, self._held, self._new = seed, 0, (Pad.NONE, Pad.NONE), (Pad.NONE, Pad.NONE)
        self._write()

    def step(self, pads: Sequence[Pad]) -> None:
        self._new = (pads[0] & ~self._held[0], pads[1] & ~self._held[1])
        self._held = (pads[0], pads[1])
        self._step_generator()
        self._frames = self._frames + 1 & 0xFFFF
        if self.state == PLAYING:
            self._play()
        elif self.state == LOCKED:
            self.wait -= 1
            if self.wait == 0:
                self.state = CLEARING
        elif self.state == CLEARING:
            self._clear()
        else:
            self._menu()
        self._write()

    def fits(self, shape: int, x: int, y: int) -> bool:
        """Returns whether an orientation fits with its pivot there; cells above the stored rows are free."""
        for dx, dy in self.toy.shapes[shape].cells:
            column, row = x + dx, y + dy + self.toy.hidden
            if not 0 <= column < self.toy.columns or row >= len(self.cells):
                return False
            if row >= 0 and self.cells[row, column] != self.toy.empty:
                return False
        return True

    def _menu(self) -> None:
        new = self._new[0]
        if self.state == OVER:
            self.state = TITLE if new & Pad.START else OVER
        elif self.state == SECOND:
            if self._new[1] & Pad.A:
                self._go_on()
        elif self.state == READY:
            self.wait -= 1
            if self.wait == 0:
                self._go_on()
        elif new & Pad.START:
            self._go_on()
        elif self.state == PICK:
            if new & Pad.RIGHT:
                self.start_level = min(self.start_level + 1, self.toy.pick_levels - 1)
            if new & Pad.LEFT:
                self.start_level = max(self.start_level - 1, 0)

    def _go_on(self) -> None:
        self.wait = self.toy.ready_wait
        self.state = self.toy.next_screen(self.state)
        if self.state == PLAYING:
            self.cells[:] = self.toy.empty
            self.level, self.lines, self.level_lines, self.pieces = self.start_level, 0, 0, 0
            self.speed = 0 if self.toy.speed_byte is None else self.toy.speed_byte[0]
            self._draw()
            self._spawn()

    def _play(self) -> None:
        held, new, toy = self._held[0], self._new[0], self.toy
        before = self.shape, self.x, self.y
        if new & Pad.A:
            self._turn(toy.shapes[self.shape].clockwise)
        elif new & Pad.B:
            self._turn(toy.shapes[self.shape].counterclockwise)
        for button, way in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
            if new & button and self.fits(self.shape, self.x + way, self.y):
                self.x += way
        acted, top = (self.shape, self.x, self.y) != before, self.y
        due = self._due(bool(held & Pad.DOWN) and not held & HORIZONTAL)
        while due and self.fits(self.shape, self.x, self.y + 1):
            self.y, due = self.y + 1, due - 1
        if toy.lock_delay == 0:
            if due:
                self._lock()
            return
        if self.y > top or (acted and toy.moves_restore):
            self.rest = toy.lock_delay
        if not self.fits(self.shape, self.x, self.y + 1):
            self.rest -= 1
            if self.rest == 0:
                self._lock()

    def _turn(self, to: int) -> None:
        if to == self.shape:
            return
        for dx, dy in ((0, 0), *self.toy.kicks.get((self.shape, to), ())):
            if self.fits(to, self.x + dx, self.y + dy):
                self.shape, self.x, self.y = to, self.x + dx, self.y + dy
                return

    def _due(self, soft: bool) -> int:
        """Returns the rows that fall in this frame, and moves the clock."""
        if self.toy.velocity:
            self.fraction += max(self.speed, self.toy.soft_drop) if soft else self.speed
            rows, self.fraction = divmod(self.fraction, ROW)
            return rows
        self.timer = (min(self.timer, self.toy.soft_drop) if soft else self.timer) - 1
        if self.timer:
            return 0
        self.timer = self.speed
        return 1

    def _lock(self) -> None:
        for dx, dy in self.toy.shapes[self.shape].cells:
            row = self.y + dy + self.toy.hidden
            if row >= 0:
                self.cells[row, self.x + dx] = self.toy.first_code + self.toy.shapes[self.shape].piece
        self.pieces += 1
        self.state, self.wait = LOCKED, self.toy.entry

    def _clear(self) -> None:
        """In turn: a frame in which the highest full row is found, and one in which it vanishes."""
        if self.full_row != at.NO_ROW:
            self.cells[1 : self.full_row + 1] = self.cells[: self.full_row].copy()
            self.cells[0] = self.toy.empty
            self.full_row = at.NO_ROW
            self.lines += 1
            self.level_lines += 1
            if self.level_lines == self.toy.level_lines:
                self.level, self.level_lines = self.level + 1, 0
            return
        full = (self.cells[self.toy.hidden :] != self.toy.empty).all(axis=1)
        if full.any():
            self.full_row = self.toy.hidden + int(full.argmax())
        else:
            self._spawn()

    def _spawn(self) -> None:
        toy = self.toy
        self.shape = self.following
        self.x, self.y = toy.entry_of(self.shape)
        self._draw()
        if toy.speed_byte is None:
            table = toy.velocity or toy.gravity
            self.speed = table[min(self.level, len(table) - 1)]
        elif self.pieces and self.pieces % toy.speed_byte[2] == 0:
            self.speed = max(self.speed - 1, toy.speed_byte[1])
        self.timer, self.fraction, self.rest = self.speed & 0xFF, 0, toy.lock_delay
        self.state = PLAYING if self.fits(self.shape, self.x, self.y) else OVER

    def _draw(self) -> None:
        for _ in range(8):
            self._step_generator()
        self.following = self.toy.first_shapes[(self._rng & 0xFF) * len(self.toy.pieces) >> 8]

    def _step_generator(self) -> None:
        self._rng = self._rng >> 1 ^ 0xB400 * (self._rng & 1)

    def _write(self) -> None:
        ram, toy = self.ram, self.toy
        words = {at.RNG: self._rng, at.FRAMES: self._frames, at.LINES: self.lines, at.PIECES: self.pieces}
        for address, word in (words | {at.SPEED: self.speed}).items():
            ram[address], ram[address + 1] = word & 0xFF, word >> 8
        ram[at.STATE], ram[at.WAIT], ram[at.FULL_ROW] = self.state, self.wait, self.full_row
        ram[at.PIECE], ram[at.SHAPE] = toy.first_id + self.shape, self.shape
        ram[at.NEXT], ram[at.FOLLOWING] = toy.first_id + self.following, self.following
        ram[at.OWN_X], ram[at.OWN_Y] = self.x & 0xFF, self.y & 0xFF
        if not toy.sprites:
            ram[at.X] = self.x + toy.x_offset & 0xFF
            ram[at.Y] = (toy.rows - 1 - self.y if toy.upward else self.y) & 0xFF
        ram[at.TIMER], ram[at.FRACTION], ram[at.REST] = self.timer, self.fraction, self.rest
        ram[at.LEVEL], ram[at.LEVEL_LINES], ram[at.START_LEVEL] = self.level, self.level_lines, self.start_level
        for port in (0, 1):
            ram[at.HELD + port], ram[at.NEW + port] = self._held[port], self._new[port]
        self._write_sprites()
        for row, line in enumerate(self.cells, start=-toy.hidden):
            for column, code in enumerate(line):
                ram[at.index_of(toy.address(row, column))] = code

    def _write_sprites(self) -> None:
        shown = self.toy.shapes[self.shape].cells if self.state in (PLAYING, LOCKED) else ()
        for number in range(at.MOST_CELLS):
            left, above = 0, at.PARKED
            if number < len(shown):
                left = at.LEFT_EDGE + 8 * (self.x + shown[number][0])
                above = at.TOP_EDGE + 8 * (self.y + shown[number][1]) - 1
            sprite = at.SPRITES.start + 4 * number
            self.ram[sprite : sprite + 4] = above & 0xFF, at.TILE_PIECE, 0, left & 0xFF
