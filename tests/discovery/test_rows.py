"""A board must have rows that memory has room for; what else experiments make of it is said to be none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest

from emubot.discovery.axes import Axis
from emubot.discovery.board import Lattice
from emubot.discovery.drops import Drop, Dropper
from emubot.discovery.rows import check_room, new_rows, own_rows, rows_of
from emubot.discovery.units import BYTES
from emubot.errors import NotDiscovered
from emubot.pad import Pad

LATTICE = Lattice(BYTES, floor=230, down=10, right=1, columns=10)


def test_a_board_fits_into_memory() -> None:
    check_room(LATTICE, 20, 0x800)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (-3, "no piece fell down to them"),
        (0, "no piece fell down to them"),
        (1, "fall 1 row at most"),
        (25, "25 rows"),
        (33, "33 rows"),
    ],
)
def test_what_is_no_board_is_said(rows: int, said: str) -> None:
    with pytest.raises(NotDiscovered, match=said):
        check_room(LATTICE, rows, 0x800)


def test_rows_that_an_empty_board_never_shows_empty_are_something_else() -> None:
    frames = np.zeros((6, 0x800), np.uint8)
    frames[:, :45] = 7  # what lies in memory before the board, and halfway into its highest row
    frames[np.arange(6), 55 + 10 * np.arange(6)] = 9  # the piece in the air stands in the cells
    assert own_rows(LATTICE, 20, frames, 0) == 19
    assert own_rows(LATTICE, 19, frames, 0) == 19


@dataclass(frozen=True)
class _Exchanging:
    """Eight rows of six columns on which flat pieces of two cells fall; rows that are full exchange their places.

    A state is memory: the row of what falls, where each row lies, and from 100 on the cells.
    """

    waits: int = 3  # frames until a piece falls
    halves: bool = False  # it rests half a row higher
    parks: int = 0  # rows below its last place, in which it is put for a while
    at_once: bool = False  # it locks in the frame in which it falls to the ground
    drawn: bool = False  # it is in the cells as it falls: of two rows in the lower one, before it is there
    enters: int = 0  # rows above its entry, in which the last one was parked until it came

    @property
    def row(self) -> Axis:
        return Axis(0, 1 + self.halves)

    @property
    def slow(self) -> _Exchanging:
        return self

    def tapped(self, button: Pad, times: int = 1) -> list[Pad]:
        return [button] * times

    def drop(self, state: bytes, pads: Iterable[Pad] = (), finely: bool = False) -> Drop:
        memory = np.frombuffer(state, np.uint8).copy()
        left = min(max(2 + 2 * sum(1 if pad is Pad.RIGHT else -1 for pad in pads), 0), 4)
        places, frames = memory[1:9], [memory.copy()] * self.waits
        if self.enters:
            frames = [memory.copy()] * 9
            for frame in frames:
                frame[0] = 256 - self.enters
        for row in range(8):
            if self.drawn and row:
                frames.append(frames[-1].copy())
                frames[-1][0] += 1
                frames[-1][100 + 6 * places[row - 1] + left :][:2] = 0
                frames[-1][100 + 6 * places[row] + left :][:2] = 1
            memory[0] = 2 * row if self.drawn else max(2 * row - 1, 0) if self.halves else row
            frames.append(memory.copy())
            if self.drawn:
                frames[-1][100 + 6 * places[row] + left :][:2] = 1
            if row == 7 or memory[100 + 6 * places[row + 1] + left :][:2].any():
                break
        memory[100 + 6 * places[row] + left :][:2] = 1
        full = [at for at in range(8) if memory[100 + 6 * places[at] :][:6].all()]
        for at in full:
            memory[100 + 6 * places[at] :][:6] = 0
            places[: at + 1] = [places[at], *places[:at]]
        if self.at_once:
            frames[-1] = memory.copy()
            frames += [memory.copy()] * 3
        if self.parks:
            memory[0] += self.parks
            frames += [memory.copy()] * 3
        memory[0] = -self.enters % 256
        images = np.array([*frames, memory])
        return Drop(images, 0, len(frames), landed=False, next_state=memory.tobytes())


@pytest.mark.parametrize(
    "toy",
    [
        _Exchanging(),
        _Exchanging(waits=0),
        _Exchanging(halves=True),
        _Exchanging(parks=3),
        _Exchanging(at_once=True),
        _Exchanging(halves=True, drawn=True),
        _Exchanging(enters=2),
    ],
    ids=str,
)
def test_rows_are_counted_by_pieces_that_clear_none(toy: _Exchanging) -> None:
    memory = np.zeros(256, np.uint8)
    memory[1:9] = np.arange(8)
    lattice = Lattice(BYTES, floor=100 + 7 * 6, down=6, right=1, columns=6)
    drops = {-1: toy.drop(memory.tobytes(), [Pad.LEFT])}
    assert rows_of(cast(Dropper, toy), drops, lattice, 0)[0] == 8


def test_a_tall_piece_that_is_drawn_in_the_air_is_no_row_that_vanished() -> None:
    lattice = Lattice(BYTES, floor=36, down=4, right=1, columns=4)

    def rested(*cells: int) -> Drop:
        image = np.zeros((1, 40), np.uint8)
        image[0, [*cells]] = 1
        return Drop(image, 0, 0, landed=False, next_state=b"")

    tall, flat = (1, 5, 9, 13, 17), (1, 2)
    before, after = rested(36, 37, *tall), rested(36, 37, 32, 33, *flat)
    assert new_rows(lattice, lattice.cells(10), 0, before, after) == [8]
    assert not new_rows(lattice, lattice.cells(10), 0, rested(32, 36, *tall), rested(36, *flat)), "one vanished"
