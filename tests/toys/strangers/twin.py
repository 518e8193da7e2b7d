"""The game of any stranger once more, made from its truth: what must be in memory after each frame of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from emubot.pad import HORIZONTAL, Pad
from tests.games.tetris.toy_blocks import Cell
from tests.toys.strangers.reading import Memory, Piece, Reading
from tests.toys.strangers.truth import buttons_of


class Clocks(NamedTuple):
    """What no map tells: the pad that the game read last, the frames until it reads again, and until it repeats."""

    held: Pad
    poll_left: int
    repeat: int


class Twin:
    """A game from the frame in which its first piece is there. Only which pieces come is read from memory."""

    def __init__(self, told: Mapping[str, Any], memory: Memory, clocks: Clocks, level: int) -> None:
        self.told, self.reading = told, Reading(told)
        board = told["board"]
        self.hidden, self.stored = board["hidden"], board["hidden"] + board["rows"]
        self.cells = np.full((self.stored, board["columns"]), board["empty"], dtype=np.uint8)
        self.mode, self.wait, self.paused = "play", 0, False
        self.held, self.poll_left, self.repeat = clocks
        self.new = self.shifts = Pad.NONE
        self.lines = self.score = self.pieces = 0
        self.number = self.turn = self.column = self.row = self.timer = 0
        self.half = False
        self.level = self.start_level = level
        self.level_left = told["gravity"]["level_lines"] or 0
        self.full: list[int] = []
        self.following: int | None = None
        self.buttons = {name: buttons_of(word) if word else Pad.NONE for name, word in told["buttons"].items()}
        self._enter(memory)

    # --- what is there

    def piece(self) -> Piece:
        """Returns the piece as memory must have it."""
        turned = self.told["pieces"][self.number]["turns"][self.turn]["cells"]
        cells = tuple((self.column + x, self.row + y) for x, y in turned)
        if self.told["piece"]["named"] == "cells":
            return Piece(None, None, cells, half=False)
        return Piece(self.number, self.turn, cells, self.half)

    def check(self, memory: Memory) -> None:
        """Raises AssertionError if memory does not say what this game says."""
        told, reading = self.told, self.reading
        expected = self.cells.copy()
        if self.mode == "play" and told["board"]["drawn"] is not None:
            drawn = told["board"]["drawn"]
            self._write(expected, self._code() if drawn == "as if locked" else drawn)
        found = reading.board(memory)
        assert (found == expected).all(), f"board:\n{found}\nis not\n{expected}"
        if self.mode == "play":
            assert reading.piece(memory) == self.piece()
            assert int(memory[told["gravity"]["timer"]["at"]]) == self.timer
        elif self.mode != "over":
            assert reading.parked(memory) == (told["place"]["parked"] is not None)
        assert reading.state(memory) == told["state"]["values"][self.mode]
        limits = {"binary": 256, "bcd": 100, "digits": 10}
        for name, value in (("lines", self.lines), ("score", self.score), ("level", self._told_level())):
            kept = told["numbers"][name]
            if kept is not None:
                assert reading.number(memory, name) == value % limits[kept["format"]] ** kept["bytes"], name
        if told["pause"] is not None:
            assert int(memory[told["pause"]["at"]]) == self.paused * told["pause"]["value"]

    def _told_level(self) -> int:
        kept = self.told["numbers"]["level"]
        return self.level + (kept["first"] if kept else 0)

    def _code(self) -> int:
        return int(self.told["pieces"][self.number]["code"])

    def _write(self, cells: np.ndarray[Any, np.dtype[np.uint8]], code: int) -> None:
        for x, y in self.piece().cells:
            if y + self.hidden >= 0:
                cells[y + self.hidden, x] = code

    # --- one frame

    def step(self, pad: Pad, memory: Memory) -> None:
        """One frame; `memory` is that after it."""
        self._read(pad)
        if self.mode == "play":
            self._play(memory)
        elif self.mode in ("lock", "clear"):
            self.wait -= 1
            if self.wait == 0:
                if self.mode == "lock":
                    self._look(memory)
                else:
                    self._remove(memory)

    def _read(self, pad: Pad) -> None:
        told = self.told["pads"]
        self.new = self.shifts = Pad.NONE
        if told["repeat_first"] and self.held & HORIZONTAL:
            self.repeat = self.repeat - 1 & 0xFF
            if self.repeat == 0:
                self.shifts, self.repeat = self.held & HORIZONTAL, told["repeat_next"]
        self.poll_left -= 1
        if self.poll_left:
            return
        self.poll_left = told["poll"]
        self.new, self.held = pad & ~self.held, pad
        if self.new & HORIZONTAL:
            self.shifts, self.repeat = self.new & HORIZONTAL, told["repeat_first"] or 0

    def _play(self, memory: Memory) -> None:
        if self.told["pause"] is not None:
            if self.paused and not self.new & Pad.START:
                return
            if self.new & Pad.START:
                self.paused = not self.paused
                self.new = self.shifts = Pad.NONE
                if self.paused:
                    return
        self._turn()
        if self.shifts:
            step = -1 if self.shifts & Pad.LEFT else 1
            if self.fits(self.turn, self.column + step, self.row):
                self.column += step
        if self._falls():
            self._lock(memory)

    def _turn(self) -> None:
        turns = len(self.told["pieces"][self.number]["turns"])
        way = 1 if self.new & self.buttons["clockwise"] else -1 if self.new & self.buttons["counterclockwise"] else 0
        turn = (self.turn + way) % turns
        if self.fits(turn, self.column, self.row):
            self.turn = turn

    def fits(self, turn: int, column: int, row: int) -> bool:
        """Returns whether the piece fits with this turn and pivot; cells above the stored rows are free."""
        for dx, dy in self.told["pieces"][self.number]["turns"][turn]["cells"]:
            x, y = column + dx, row + dy + self.hidden
            if not 0 <= x < self.cells.shape[1] or y >= self.stored:
                return False
            if y >= 0 and self.cells[y, x] != self.told["board"]["empty"]:
                return False
        return True

    def is_empty(self, column: int, row: int) -> bool:
        """Returns whether the cell of a stored row is free."""
        return bool(self.cells[row, column] == self.told["board"]["empty"])

    def _falls(self) -> bool:
        """Moves the clock, and returns whether the piece locks."""
        told, down = self.told["pads"], self.buttons["soft_drop"]
        halves = self.told["gravity"]["rows"] == 0.5
        if self.new & self.buttons["hard_drop"]:
            while self.fits(self.turn, self.column, self.row + 1):
                self.row += 1
            self.half = False
            return True
        if told["down"] == "press" and self.new & down:
            self._reset()
            return (halves and self._fall()) or self._soft()
        soft = told["soft_drop"] if told["down"] == "hold" and self.held & down else None
        if self.told["gravity"]["timer"]["counts"] == "up":
            self.timer += 1
            if soft is not None and self.timer < soft:
                return False
            if soft is None and self.timer < self._pull():
                return False
        else:
            self.timer = min(self.timer, soft or self.timer) - 1
            if self.timer:
                return False
        self._reset()
        return self._fall() if soft is None else self._soft()

    def _soft(self) -> bool:
        locks = self._fall()
        self.score += 0 if locks else self.told["numbers"]["soft_points"]
        return locks

    def _fall(self) -> bool:
        if self.half:
            self.half = False
            return False
        if not self.fits(self.turn, self.column, self.row + 1):
            return True
        self.row += 1
        self.half = self.told["gravity"]["rows"] == 0.5
        return False

    def _pull(self) -> int:
        table = self.told["gravity"]["frames_per_row"]
        return int(table[min(self.level, len(table) - 1)] * self.told["gravity"]["rows"])

    def _reset(self) -> None:
        self.timer = 0 if self.told["gravity"]["timer"]["counts"] == "up" else self._pull()

    # --- from a lock to the next piece

    def _lock(self, memory: Memory) -> None:
        self._write(self.cells, self._code())
        self.pieces += 1
        self.wait = self.told["state"]["lock_wait"]
        if self.wait:
            self.mode = "lock"
        else:
            self._look(memory)

    def _look(self, memory: Memory) -> None:
        full = (self.cells != self.told["board"]["empty"]).all(axis=1)
        self.full = [row for row in range(self.hidden, self.stored) if full[row]]
        self.wait = self.told["state"]["clear_wait"]
        if self.full and self.wait:
            self.mode = "clear"
            if self.told["state"]["rows_blank"]:
                self.cells[self.full] = self.told["board"]["empty"]
        else:
            self._remove(memory)

    def _remove(self, memory: Memory) -> None:
        kept = np.delete(self.cells, self.full, axis=0)
        self.cells[:] = self.told["board"]["empty"]
        self.cells[len(self.full) :] = kept
        for _ in self.full:
            self.lines += 1
            self.level_left -= 1
            if self.level_left == 0:
                self.level, self.level_left = self.level + 1, self.told["gravity"]["level_lines"]
        if self.full and self.told["numbers"]["line_points"]:
            self.score += self.told["numbers"]["line_points"][len(self.full) - 1]
        self.full = []
        self._enter(memory)

    def _enter(self, memory: Memory) -> None:
        number = self.following
        if self.told["next"] is not None:
            self.following = int(memory[self.told["next"]["at"]])
        if number is None:
            number = self._newcomer(memory)
        self.number, self.turn, self.half = number, 0, False
        self.column, self.row = self.told["pieces"][number]["entry"]
        self._reset()
        self.mode = "play" if self.fits(0, self.column, self.row) else "over"

    def _newcomer(self, memory: Memory) -> int:
        """Returns which piece entered, from its name or its cells."""
        found = self.reading.piece(memory)
        if found.number is not None:
            return found.number
        for number, piece in enumerate(self.told["pieces"]):
            column, row = piece["entry"]
            cells: tuple[Cell, ...] = tuple((column + x, row + y) for x, y in piece["turns"][0]["cells"])
            if cells == found.cells:
                return number
        raise AssertionError(f"no piece enters with the cells {found.cells}")
