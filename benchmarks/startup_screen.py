"""Watches `emubot play` in a pseudo-terminal as a person would: when the board is there, moves and is at full strength.

It reads only what is drawn, so it does not depend on how the start works.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LINES, COLUMNS = 40, 120
FULL_STRENGTH = "full strength"
_ERASED = re.compile(r"\x1b\[(?:2K|2J|H)")  # begins a new drawing
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07)")
_COMPILED = re.compile("Compiled for this machine")  # the end of a start that compiles before it plays
_TOP = re.compile(r"╭─+╮")
_FULL, _PLAN = "█▓", "░"


@dataclass(frozen=True, slots=True)
class Spawn:
    """How a demo's pieces look when they appear: their largest number of cells; each shape's columns and height."""

    cells: int
    shapes: frozenset[tuple[int, int, int]]  # first column, last column, rows


# Of a pair, the upper half may be above the board.
SPAWNS = {
    "tetris": Spawn(4, frozenset({(3, 6, 1), (4, 5, 2), (4, 6, 2)})),
    "puyo": Spawn(2, frozenset({(2, 2, 1), (2, 2, 2)})),
    "capsules": Spawn(2, frozenset({(3, 4, 1)})),
}


def field_of(drawing: str) -> list[str] | None:
    """Returns the rows of the first board of a drawing, one character a cell; None if no whole board is in it."""
    lines = drawing.splitlines()
    for number, line in enumerate(lines):
        if top := _TOP.search(line):
            rows: list[str] = []
            for below in lines[number + 1 :]:
                row = below[top.start() : top.end()]
                if row == f"╰{'─' * (len(row) - 2)}╯" and len(row) == len(top[0]):
                    return rows
                rows.append(row[2:-1:2])  # a cell is two characters wide
            return None
    return None


def highest_piece(rows: Sequence[str]) -> set[tuple[int, int]]:
    """Returns the connected cells around the highest one that is not empty, as (row, column)."""
    full = {(row, column) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign in _FULL}
    open_ = [min(full)] if full else []
    piece: set[tuple[int, int]] = set()
    while open_:
        row, column = open_.pop()
        if (row, column) in full:
            full.remove((row, column))
            piece.add((row, column))
            open_ += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return piece


def was_moved(rows: Sequence[str], spawn: Spawn) -> bool:
    """Returns whether the piece in the air is elsewhere, or turned otherwise, than where pieces appear and fall.

    Only a board with a plan on it tells: it is drawn while a piece is under control.
    """
    piece = highest_piece(rows)
    if not piece or len(piece) > spawn.cells or not any(_PLAN in row for row in rows):
        return False
    columns = [column for _, column in piece]
    heights = [row for row, _ in piece]
    return (min(columns), max(columns), max(heights) - min(heights) + 1) not in spawn.shapes


@dataclass(slots=True)
class Seen:
    """What a person has seen so far, and when: "painted", "pressed", "full"."""

    spawn: Spawn
    times: dict[str, float] = field(default_factory=dict)
    rest: str = ""  # the drawing that may not be complete

    def hear(self, drawn: str, now: float) -> None:
        """Take in what the program has written by now."""
        *drawings, self.rest = _ERASED.split(self.rest + drawn)
        for drawing in (*drawings, self.rest):
            self._look(_ESCAPES.sub("", drawing).replace("\r", ""), now)

    def _look(self, drawing: str, now: float) -> None:
        if FULL_STRENGTH in drawing or _COMPILED.search(drawing):
            self.times.setdefault("full", now)
        rows = field_of(drawing)
        if rows is not None:
            self.times.setdefault("painted", now)
            if was_moved(rows, self.spawn):
                self.times.setdefault("pressed", now)


@dataclass(frozen=True, slots=True)
class Terminal:
    """A pseudo-terminal of one program."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path

    def watch(self, demo: str, awaited: Sequence[str], patience: float) -> dict[str, float | None]:
        """Run the program until all is seen; returns the seconds from its start, None for what never came."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        seen, started = Seen(SPAWNS[demo]), time.monotonic()
        program = subprocess.Popen(
            self.command,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=self.environment,
            cwd=self.folder,
            start_new_session=True,
        )
        os.close(follower)
        try:
            for drawn in _written(leader, patience):
                seen.hear(drawn, time.monotonic() - started)
                if seen.times.keys() >= set(awaited):
                    break
            else:
                print(f"{' '.join(self.command)} ended, or took too long: {seen.rest[-2000:]}", file=sys.stderr)
            program.send_signal(signal.SIGINT)
            for _ in _written(leader, 20):  # it may say good-bye
                pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)  # what it has left running, too
            program.wait()
            os.close(leader)
        return {name: seen.times.get(name) for name in awaited}


def _written(leader: int, patience: float) -> Iterator[str]:
    """Yields what is written to a terminal, until its program has ended or patience has."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if select.select([leader], [], [], 1.0)[0]:
            try:
                drawn = os.read(leader, 65536)
            except OSError:  # Linux: the program has closed its terminal
                return
            if not drawn:
                return
            yield drawn.decode(errors="replace")
