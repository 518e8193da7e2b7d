"""A piece is known by walls on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.bridges.protocol import RAM_SIZE
from emubot.discovery import arriving
from emubot.discovery.arriving import Play, reach_play
from emubot.discovery.axes import Axis, sprites
from emubot.discovery.draft import value_of
from emubot.discovery.lab import History, Lab
from emubot.discovery.ways import Station, Way
from emubot.errors import NotDiscovered
from emubot.pad import Pad
from tests.learn.remembering import RememberingBridge
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS

X, Y, CURSOR, TIMER, PRESSED, ROWS, COLUMNS = 0x20, 0x21, 0x22, 0x23, 0x24, 12, 6


class Falling(ToyMachine):
    """A piece falls and falls again, and a cursor goes round all numbers of a byte."""

    def __init__(self, drop: int = 4, wait: int = 20, enters: int = 2, scratch: bool = False) -> None:
        """With DOWN the piece falls so many times as fast; `wait` are the frames before its first fall.

        With `scratch` a byte keeps the way of the last press.
        """
        super().__init__(TOYS["plain"])
        self._drop = drop
        self._down = Pad.NONE
        self._x, self._y, self._cursor, self._wait = enters, 0, 0, wait
        self._enters, self._pressed = enters, 0 if scratch else None

    def step(self, pads: Sequence[Pad]) -> None:
        aside = 0
        if pads[0] != self._down:
            aside = {Pad.LEFT: -1, Pad.RIGHT: 1}.get(pads[0], 0)
        self._down = pads[0]
        if self._pressed is not None:
            self._pressed = aside or self._pressed
        self._frames += 1
        self._cursor = (self._cursor + aside) % 256
        self._x = min(max(self._x + aside, 0), COLUMNS - 1)
        self._wait -= self._drop if pads[0] & Pad.DOWN else 1
        if self._wait <= 0:
            self._wait, self._y = 20, self._y + 1
            if self._y == ROWS:
                self._x, self._y = self._enters, 0
        memory: NDArray[np.uint8] = self.ram
        memory[:RAM_SIZE] = 0
        memory[[X, Y, CURSOR]] = self._x, self._y, self._cursor
        memory[PRESSED] = (self._pressed or 0) % 256


class Titled(Falling):
    """A title screen that LEFT leaves; on it, a number falls as a piece does."""

    def __init__(self) -> None:
        super().__init__()
        self._began, self._timer = False, 0

    def step(self, pads: Sequence[Pad]) -> None:
        self._began |= pads[0] == Pad.LEFT
        if self._began:
            super().step(pads)
            return
        self._timer += 4 if pads[0] & Pad.DOWN else 1
        memory: NDArray[np.uint8] = self.ram
        memory[:RAM_SIZE] = 0
        memory[TIMER] = self._timer // 40


def test_a_screen_that_one_side_leaves_is_not_a_piece_at_a_wall() -> None:
    way = reach_play(Lab(RememberingBridge(Titled())), lambda _: None)
    assert [station.button for station in way.stations] == [Pad.LEFT]
    assert [axis.index for axis in way.goal.rows] == [Y]


def test_a_cursor_without_walls_is_no_column() -> None:
    lab = Lab(RememberingBridge(Falling()))
    play = reach_play(lab, lambda _: None).goal
    assert [axis.index for axis in play.columns] == [X]
    assert [axis.index for axis in play.rows] == [Y]


@pytest.mark.parametrize("scratch", [False, True])
def test_a_piece_that_enters_at_a_wall_is_found(scratch: bool) -> None:
    way = reach_play(Lab(RememberingBridge(Falling(enters=0, scratch=scratch))), lambda _: None)
    assert not way.stations
    columns = [axis.index for axis in way.goal.columns]
    assert columns == [X], "what keeps the way of the last press goes both ways even at a wall"


def test_a_row_is_found_where_down_does_nothing() -> None:
    lab = Lab(RememberingBridge(Falling(drop=1)))
    play = reach_play(lab, lambda _: None).goal
    assert [axis.index for axis in play.columns] == [X]
    assert play.rows == (Axis(Y, 1),)


class _Passing:
    """A console of which a moment is the number of frames that were played to it."""

    def __init__(self) -> None:
        self._at = 0

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        """Plays."""
        self._at = len(list(pads))
        return np.zeros((self._at, 1), np.uint8)

    def save(self) -> bytes:
        return bytes([self._at])


@pytest.mark.parametrize("obeys_until", [20, 50])
def test_a_piece_that_would_lock_while_it_is_looked_at_is_looked_at_sooner(
    monkeypatch: pytest.MonkeyPatch, obeys_until: int
) -> None:
    column, row, timer = Axis(X, 1), Axis(Y, 1), Axis(CURSOR, 1)
    way = Way((Station(b"", np.zeros((1, 1), np.uint8), Pad.START),), Play(b"late", (column,), (timer,)))
    monkeypatch.setattr(
        arriving, "follows", lambda _, state: ((column,), (row, timer) if state[0] < obeys_until else (timer,))
    )
    sooner = arriving._sooner(cast(Lab, _Passing()), way)
    assert (sooner is not None) == (obeys_until == 50)
    assert sooner is None or sooner.rows == (row, timer)


@pytest.mark.slow
def test_what_moves_aside_without_falling_is_named() -> None:
    lab = Lab(RememberingBridge(Falling(wait=10**9)))
    with pytest.raises(NotDiscovered, match=rf"on \d+ screens? .* 0x{X:02X} follows LEFT and RIGHT"):
        reach_play(lab, lambda _: None)


def test_pages_of_sprites_are_known_by_their_layout_and_not_by_pixels_alone() -> None:
    columns, rows = [Axis(0x0503, 8), Axis(0x0207, 8)], [Axis(0x0501, 8), Axis(0x0204, 8)]
    assert sprites(columns, rows) == {*range(0x0200, 0x0300)}
    assert sprites(columns[:1], rows) == frozenset()


@pytest.mark.parametrize(("step", "expected"), [(1, [-1, 0, 5]), (2, [-1, 0, 2]), (8, [31, 0, 0])])
def test_rows_above_the_board_are_negative_where_pixels_need_not_all_numbers(step: int, expected: list[int]) -> None:
    images = np.array([[255], [0], [5]], np.uint8)
    assert Axis(0, step).of(images).tolist() == expected
    assert ("signed" in value_of(Axis(0, step), 0)) == (expected[0] < 0)
