"""The content of one decoded frame: Phase, Piece, Snapshot, Placement; knows no address and no emulator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

from emubot.pad import Pad


class Phase(Enum):
    """What the game is doing, in words that hold for every family."""

    MENU = "menu"  # legal, title, demo and selection screens
    PLAYING = "playing"  # a piece is under control
    LOCKED = "locked"  # between lock and the next piece, nothing clearing
    CLEARING = "clearing"  # lines or groups are being removed
    PAUSED = "paused"
    OVER = "over"  # the curtain and what follows it
    UNKNOWN = "unknown"  # press nothing

    def __init__(self, word: str) -> None:
        """`between_pieces`: the game is still processing a locked piece. `in_game`: it is played, paused or not."""
        # Attributes, and not properties: they are asked for several times a frame.
        self.between_pieces = word in ("locked", "clearing")
        self.in_game = self.between_pieces or word in ("playing", "paused")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece in the playfield: the family's orientation id and its pivot's column and row (0 = top visible row)."""

    orientation: int
    column: int
    row: int


# The sides of a cell on which it and its neighbour look like one body.
JOINED_LEFT, JOINED_RIGHT, JOINED_UP, JOINED_DOWN = 1, 2, 4, 8
_BESIDE: Final = ((-1, 0, JOINED_LEFT), (1, 0, JOINED_RIGHT), (0, -1, JOINED_UP), (0, 1, JOINED_DOWN))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell to draw: its place in the playfield (row 0 = top visible row) and the family's kind of cell.

    `joins` are the sides on which it is one body with the next cell.
    """

    column: int
    row: int
    kind: int
    joins: int = field(default=0, compare=False)


def one_body(cells: Sequence[Cell]) -> list[Cell]:
    """Returns the cells of a piece that holds together, each joined with those beside it."""
    places = {(cell.column, cell.row) for cell in cells}
    return [
        replace(cell, joins=sum(side for dx, dy, side in _BESIDE if (cell.column + dx, cell.row + dy) in places))
        for cell in cells
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One decoded frame of one player. The same bytes give the same snapshot; generator state is never in it.

    `playfield` is uint8 (rows, columns), row 0 at the top, 0 = empty, else the family's kind of cell. Hidden rows are
    in `hidden`, nearest to the playfield first. `counters` holds every other named value of the map (lines, score,
    level, timers) as plain integers. `state` is the map's own name of what the game is doing. `fault` says why no game
    can have this position, though the map calls it play: then the phase is UNKNOWN.
    """

    phase: Phase
    state: str
    playfield: NDArray[Any]
    hidden: NDArray[Any]
    current: Piece | None
    next: tuple[int, ...]
    counters: Mapping[str, int]
    fault: str | None = field(default=None, kw_only=True)


class Step(NamedTuple):
    """One frame of a placement's timeline: the pad to hold and where the piece is after that frame."""

    pad: Pad
    orientation: int
    column: int
    row: int


def steps_of(rows: Iterable[tuple[Pad, int, int, int]]) -> tuple[Step, ...]:
    """Returns these frames as a timeline: at once, for a decision has dozens of them."""
    return tuple(map(partial(tuple.__new__, Step), rows))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a piece locks, and the inputs that bring it there; compares by where it locks.

    `timeline` has one step per frame, if the game's timing is known. If it is not, `moves` are single inputs, to be
    sent one by one and read back; each has the position of the piece after it, except for the row.
    """

    orientation: int
    column: int
    row: int
    timeline: tuple[Step, ...] = field(default=(), compare=False)
    value: float = field(default=0.0, compare=False)
    moves: tuple[Step, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"orientation {self.orientation} at column {self.column}, row {self.row} in {len(self.timeline)} frames"
