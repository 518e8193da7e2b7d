"""The pieces of a map as they are written there: ids, cells, turns; knows no memory and no search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from emubot.games.findings import Finding, refuse
from emubot.games.motion import Shapes
from emubot.games.tetris.board.board import CELLS
from emubot.games.tetris.rules import CLOCKWISE, COUNTERCLOCKWISE, DX, DY, ORIENTATIONS, PIECE_NAMES, PIECE_OF
from emubot.rammap import RamMap
from emubot.snapshot import Piece

MOST_CELLS: Final = 5
_FAR_ABOVE: Final = 8  # rows above the highest row in memory; a piece further up is not in play

Offset = tuple[int, int]


class TurnedPiece(NamedTuple):
    """One orientation id of a map: its piece, its cells (dx, dy) from the pivot, dy downwards, and its turns."""

    piece: str
    cells: tuple[Offset, ...]
    turns: tuple[int, int]  # ids after a turn clockwise and counterclockwise

    @property
    def left(self) -> int:
        """The leftmost dx."""
        return min(x for x, _ in self.cells)

    @property
    def right(self) -> int:
        """The rightmost dx."""
        return max(x for x, _ in self.cells)

    @property
    def top(self) -> int:
        """The highest dy."""
        return min(y for _, y in self.cells)

    @property
    def bottom(self) -> int:
        """The lowest dy."""
        return max(y for _, y in self.cells)

    @property
    def outline(self) -> frozenset[Offset]:
        """The cells from the left edge and from the lowest row, upwards: equal for the same shape."""
        return frozenset((x - self.left, self.bottom - y) for x, y in self.cells)


class Pieces:
    """The orientations of a map by its own ids; those of rules.py if the map lists none.

    A piece's `column` and `row` are the map's own pivot, too.
    """

    def __init__(self, ram_map: RamMap) -> None:
        """Raises MapError if cells are no polyomino, or if a turn leads to another piece."""
        refuse(odd_pieces(ram_map))
        self.orientations: Mapping[int, TurnedPiece] = _listed(ram_map) or _NATIVE
        self._entries = {one.id: Piece(one.id, *one.spawn) for one in ram_map.pieces if one.spawn is not None}
        self.rows, self.columns = ram_map.document.grid.rows, ram_map.document.grid.columns
        self._hidden = len(ram_map.document.grid.hidden)
        buttons = ram_map.buttons
        self._turnable = (buttons.rotate_clockwise is not None, buttons.rotate_counterclockwise is not None)
        self._shapes: dict[int, Shapes] = {}
        self._kicks = {turn: kicks.tries for kicks in ram_map.document.kicks for turn in kicks.turns}

    def piece(self, number: int, x: int, y: int) -> Piece | None:
        """Returns the piece with the map's id and pivot; None if there is no such id, or if it is not near the board.

        Kernels and arrays rely on this: memory may hold anything.
        """
        one = self.orientations.get(number)
        if one is None:
            return None
        beside = x + one.left < 0 or x + one.right >= self.columns
        inside = -self._hidden - _FAR_ABOVE <= y + one.bottom < self.rows
        return Piece(number, x, y) if inside and not beside else None

    def numbers(self, number: int) -> list[int]:
        """Returns the ids that the buttons' turns can reach from this one, itself first."""
        order = [number]
        for seen in order:  # the list grows in the loop
            turns = self.orientations[seen].turns
            order += [
                turned
                for turned in dict.fromkeys(turn for turn, can in zip(turns, self._turnable, strict=True) if can)
                if turned not in order
            ]
        return order

    def shapes(self, number: int) -> Shapes:
        """Returns how the piece with this id moves; that orientation is first."""
        made = self._shapes.get(number)
        if made is None:
            made = self._shapes[number] = self._made(self.numbers(number))
        return made

    def cells(self, piece: Piece) -> Sequence[Offset]:
        """Returns the cells (column, row) of a piece."""
        return [(piece.column + x, piece.row + y) for x, y in self.orientations[piece.orientation].cells]

    def kind(self, number: int) -> int:
        """Returns the kind of cell, 1 to 3, that a picture shows for a piece."""
        names = list(dict.fromkeys(one.piece for one in self.orientations.values()))
        return 1 + names.index(self.orientations[number].piece) % 3

    @property
    def lift(self) -> int:
        """The most rows that one turn lifts a pivot."""
        return max((-rows for tries in self._kicks.values() for _, rows in tries), default=0)

    def spawn(self, number: int) -> Piece:
        """Returns where a piece of this id enters: by the map, or else in the middle, in the highest visible rows.

        The latter is only a guess about pieces to come. The piece in the air is where memory says.
        """
        if number in self._entries:
            return self._entries[number]
        one = self.orientations[number]
        width = one.right - one.left + 1
        return Piece(number, (self.columns - width) // 2 - one.left, -one.top)

    def _made(self, order: list[int]) -> Shapes:
        states = [self.orientations[number] for number in order]
        tries = 1 + max(map(len, self._kicks.values()), default=0)
        turns = np.full((2, len(order), tries, 3), -1, dtype=np.int8)
        for state, one in enumerate(states):
            for direction, turned in enumerate(one.turns):
                if turned != order[state] and turned in order:
                    for attempt, offset in enumerate(((0, 0), *self._kicks.get((order[state], turned), ()))):
                        turns[direction, state, attempt] = (order.index(turned), *offset)
        return Shapes(np.array([one.cells for one in states], dtype=np.int8), turns, np.array(order, dtype=np.int64))


def is_tetromino(cells: Sequence[Offset]) -> bool:
    """Returns whether these cells are a piece of rules.py, so that the kernels for it can play it."""
    return TurnedPiece("", tuple(cells), (0, 0)).outline in _OUTLINES


def odd_pieces(ram_map: RamMap) -> Iterator[Finding]:
    """Yields every orientation of a map whose cells are no polyomino, and every turn into another piece."""
    known = _listed(ram_map)
    for place, (number, one) in enumerate(known.items()):
        if not _is_polyomino(one.cells):
            yield Finding(
                ("pieces", place, "cells"),
                f"{ram_map.path}: the cells of orientation {number} are no piece of falling blocks (1 to "
                f"{MOST_CELLS} cells that touch, such as {', '.join(PIECE_NAMES)}): correct them.",
            )
        for key, turned in zip(("clockwise", "counterclockwise"), one.turns, strict=True):
            if known[turned].piece != one.piece or len(known[turned].cells) != len(one.cells):
                yield Finding(
                    ("pieces", place, key),
                    f"{ram_map.path}: orientation {number} turns into {turned}, which is another piece: "
                    "correct clockwise and counterclockwise.",
                )


def _listed(ram_map: RamMap) -> dict[int, TurnedPiece]:
    return {
        one.id: TurnedPiece(one.piece, tuple(one.cells), (one.clockwise.to, one.counterclockwise.to))
        for one in ram_map.pieces
    }


def _is_polyomino(cells: Sequence[Offset]) -> bool:
    joined, rest = {cells[0]}, set(cells[1:])
    while near := {(x, y) for x, y in rest if {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & joined}:
        joined |= near
        rest -= near
    return not rest and len(joined) == len(cells) <= MOST_CELLS


_NATIVE: Final = {
    orientation: TurnedPiece(
        PIECE_NAMES[PIECE_OF[orientation]],
        tuple((int(DX[orientation, cell]), int(DY[orientation, cell])) for cell in range(CELLS)),
        (int(CLOCKWISE[orientation]), int(COUNTERCLOCKWISE[orientation])),
    )
    for orientation in range(ORIENTATIONS)
}
_OUTLINES: Final = frozenset(one.outline for one in _NATIVE.values())
