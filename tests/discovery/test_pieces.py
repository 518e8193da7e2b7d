"""Which cells a piece filled is read from the board before and after it, and from no other game's board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Final, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.board import Lattice
from emubot.discovery.drops import Drop, Dropper
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History, Lab
from emubot.discovery.pads import Hand
from emubot.discovery.pieces import PieceSpan, _are_two, parked, turned, unparked, watch
from emubot.discovery.units import BYTES
from emubot.pad import Pad

ROWS, COLUMNS = 5, 4
AIR, SOLID = 7, 1
_TRIES: Final = 3  # times that each piece is dropped
LOW, HIGH = [(4, 0), (4, 1)], [(3, 0), (3, 1)]  # rows and columns of a piece
LIES: Final = ([(4, 3)], SOLID)  # on the board already


class _Still:
    """A console on which nothing happens, with this board."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._image = image

    def load(self, state: bytes) -> None:
        """Go back to a moment."""

    def save(self) -> bytes:
        """Returns this moment."""
        return b""

    def idle(self, frames: int) -> History:
        """Play frames without a button."""
        return np.tile(self._image, (frames, 1))


@dataclass
class _Scripted:
    """Drops the same piece each time, and says once that a piece obeys."""

    drop_of: Drop
    lab: _Still
    second: Drop | None = None  # what is dropped after the first one
    column: Axis = field(default_factory=lambda: Axis(0, 99))

    def obeys(self, state: bytes) -> bool:
        return True

    def tapped(self, button: Pad, times: int = 1) -> list[Pad]:
        return [button] * times

    def drop(self, state: bytes, pads: Iterable[Pad] = ()) -> Drop:
        return self.second if self.second is not None and state == self.drop_of.next_state else self.drop_of


def board(*pieces: tuple[list[tuple[int, int]], int]) -> NDArray[np.uint8]:
    image = np.zeros((ROWS, COLUMNS), np.uint8)
    for cells, code in pieces:
        image[tuple(np.array(cells).T)] = code
    return np.append(image.reshape(-1), np.uint8(0))


def watched(
    images: list[NDArray[np.uint8]],
    gone: int,
    drawn: bool,
    then: tuple[list[NDArray[np.uint8]], int] | None = None,
    park: int | None = None,
    step: int = 1,
) -> list[PieceSpan]:
    """The first piece, or the one `then`."""
    drop = Drop(np.stack(images), 0, gone, False, b"next")
    second = None if then is None else Drop(np.stack(then[0]), 0, then[1], False, b"")
    lattice = Lattice(BYTES, (ROWS - 1) * COLUMNS, COLUMNS, 1, COLUMNS)
    geometry = Geometry(lattice, ROWS, 0, Axis(ROWS * COLUMNS, step), drawn, 0, parked=park)
    dropper = cast(Dropper, _Scripted(drop, _Still(images[0]), second))
    games = watch(dropper, b"", geometry, 1 if then is None else _TRIES + 1, ())
    spans = [span for game in games for span in game]
    return spans if then is None else spans[_TRIES:]


def test_a_board_that_holds_what_fell_is_its_landing() -> None:
    (span,) = watched([board(LIES)] * 4 + [board(LIES, (LOW, SOLID))] * 4, 5, drawn=False)
    assert span.cells == tuple(LOW)


def test_frames_in_which_the_next_piece_may_obey_already_are_not_between_two() -> None:
    images = np.arange(20, dtype=np.uint8)[:, None]
    span = PieceSpan(images, (), 4, 4, None, np.zeros((ROWS, COLUMNS), np.bool_))
    assert span.between[:, 0].tolist() == [*range(5, 16)]
    assert replace(span, unlooked=5).between[:, 0].tolist() == [*range(5, 11)]


def test_a_board_of_another_game_is_none() -> None:
    other = board(([(4, 0), (4, 2), (3, 2)], SOLID))
    assert not watched([board(LIES)] * 4 + [board(LIES, (LOW, SOLID)), other, other], 5, drawn=False)


def test_a_drawn_piece_that_fell_last_rests_where_it_fell_to() -> None:
    falls = [board((HIGH, SOLID))] * 3 + [board((LOW, SOLID))] * 3
    new = board((LOW, SOLID), ([(0, 1)], SOLID))
    (span,) = watched([*falls, new, new], 6, drawn=True)
    # Nothing shows when it locked, so that it is surely under control no longer.
    assert (span.cells, span.last, span.named) == (tuple(LOW), 3, 2)


def test_a_drawn_piece_is_one_though_the_next_one_is_drawn_later() -> None:
    falls = [board((HIGH, SOLID))] * 3 + [board((LOW, SOLID))] * 6
    (span,) = watched(falls, 6, drawn=True)
    assert span.cells == tuple(LOW)


def test_a_drawn_piece_between_two_rows_comes_to_the_lower_one_later() -> None:
    images = [board((HIGH, SOLID))] * 3 + [board((LOW, SOLID))] * 5 + [board((LOW, SOLID), ([(0, 1)], SOLID))] * 2
    rows = [6, 6, 6, 7, 7, 7, 8, 8, 0, 0]  # half rows
    spans = {
        step: watched(
            [np.append(image[:-1], np.uint8(row)) for image, row in zip(images, rows, strict=True)], 8, True, step=step
        )
        for step in (1, 2)
    }
    assert {step: span.last for step, (span,) in spans.items()} == {1: 3, 2: 6}


def test_a_drawn_piece_that_became_one_with_the_board_rests_until_then() -> None:
    falls = [board((HIGH, AIR))] * 3 + [board((LOW, AIR))] * 3 + [board((LOW, SOLID))] * 2
    new = board((LOW, SOLID), ([(0, 1)], AIR))
    (span,) = watched([*falls, new, new], 8, drawn=True)
    assert (span.cells, span.last) == (tuple(LOW), 5)


def test_a_drawn_piece_that_fell_onto_near_ground_and_locked_at_once_was_gone_then() -> None:
    falls = [board((HIGH, AIR))] * 5 + [board((LOW, SOLID))] * 3
    new = board((LOW, SOLID), ([(0, 1)], AIR))
    (span,) = watched([*falls, new, new], 8, drawn=True)
    assert (span.cells, span.last, span.named) == (tuple(LOW), 5, 4)


def test_rows_that_are_shown_to_vanish_are_no_part_of_the_piece_that_filled_them() -> None:
    new, row = ([(0, 1)], AIR), ([(4, 0), (4, 1), (4, 2), (4, 3)], SOLID)
    first = (
        [board((HIGH, AIR))] * 3 + [board((LOW, AIR))] * 2 + [board((LOW, SOLID))] * 3 + [board((LOW, SOLID), new)] * 2
    )
    right = [(4, 2), (4, 3)]
    second = [board((LOW, SOLID), ([(3, 2), (3, 3)], AIR))] * 3 + [board((LOW, SOLID), (right, AIR))] * 2
    second += [board(row)] * 3 + [board()] * 4 + [board(new)] * 2
    (span,) = watched(first, 8, drawn=True, then=(second, 12))
    assert (span.cells, span.last, span.named) == (tuple(right), 4, 4)


def test_a_piece_of_which_a_row_that_vanished_at_once_leaves_nothing_is_under_control_until_then() -> None:
    most, new = ([(4, 2), (4, 3)], SOLID), ([(3, 0)], SOLID)
    images = [board(most)] * 4 + [board()] * 4  # the piece fills the rest of the row, and is gone with it
    (span,) = watched([np.append(image[:-1], np.uint8(3)) for image in images], 7, drawn=False)
    assert (span.cells, span.last, span.named) == (None, 3, 3)
    (span,) = watched([board(most)] * 4 + [board(most, new)] * 4, 7, drawn=False)
    assert (span.cells, span.last) == (tuple(new[0]), 3)


def test_a_piece_that_fell_onto_near_ground_and_locked_at_once_is_seen_in_its_place() -> None:
    rows = [1, 1, 1, 3, 3, 3, 0, 0]  # in the frame in which it falls it is in the board, too; then the next one comes
    images = [board(LIES)] * 3 + [board(LIES, (LOW, SOLID))] * 5
    (span,) = watched(
        [np.append(image[:-1], np.uint8(row)) for image, row in zip(images, rows, strict=True)], 6, drawn=False
    )
    assert (span.cells, span.last, span.named) == (tuple(LOW), 3, 2)
    (span,) = watched([np.append(image[:-1], np.uint8(1)) for image in images], 6, drawn=False)
    assert (span.last, span.named) == (2, 2), "it lay there already"
    (span,) = watched(
        [np.append(image[:-1], np.uint8(row)) for image, row in zip(images, rows, strict=True)], 6, drawn=False, park=3
    )
    assert (span.last, span.named) == (2, 2), "it is parked there"


def locked(row: int, before: int, at_lock: int) -> PieceSpan:
    """A piece that fills a cell of a row; its row's byte in the last two frames."""
    rows = np.array([[before], [before], [at_lock]], np.uint8)
    return PieceSpan(rows, (), 2, 1, ((row, 0),), np.zeros((ROWS, COLUMNS), np.bool_))


def test_a_park_below_the_floor_is_no_fall() -> None:
    upwards = Axis(0, -1)  # rows are counted from the floor
    parks = [locked(row, ROWS - 1 - row, 0xFF) for row in range(ROWS)]
    assert parked(parks, upwards) == 0xFF
    assert {span.last for span in unparked(parks, upwards, 0xFF)} == {1}
    falls = [locked(row, ROWS - row, ROWS - 1 - row) for row in range(ROWS)]
    assert parked(falls, upwards) is None, "each fell one row, to where it locked"
    assert parked([locked(4, 1, 0), locked(4, 1, 0)], upwards) is None, "all of them on the floor"
    assert {span.last for span in unparked(falls, upwards, 0xFF)} == {2}


class _Turning:
    """A console with one piece: its number counts presses of A, its row falls, and in frame 30 another one enters."""

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        presses = [pad is Pad.A for pad in pads]
        edges = np.cumsum([now and not before for before, now in pairwise([False, *presses])])
        rows = np.arange(len(presses)) // 4 + 100
        rows[30:] = 0
        return np.stack([edges, rows], 1).astype(np.uint8)


def test_the_piece_of_a_moment_is_turned_until_another_one_enters() -> None:
    dropper = Dropper(cast(Lab, _Turning()), Axis(0, 1), Axis(1, 1), Hand(2))
    spans = [*turned(dropper, b"", [Pad.A, Pad.B])]
    assert len(spans) == 4
    for span in spans[:2]:
        assert span.frames[: span.last + 1, 0].max() == 4
        assert span.last <= 30
        assert len(span.pads) == len(span.frames)
        assert span.cells is None
    assert not any(span.frames[:, 0].any() for span in spans[2:])


def test_a_piece_parked_aside_is_not_the_next_one() -> None:
    # The row, counted from the floor, is parked one below it, and the column far aside.
    places = [(3, 2), (3, 1), (3, 0), (255, 255), (255, 255)]
    dropper = cast(Dropper, SimpleNamespace(column=Axis(0, 1), row=Axis(1, -1)))
    assert not _are_two(np.array(places, np.uint8), [Pad.NONE] * 5, dropper)
    falls = [*places[:3], (5, 4), (5, 3)]
    assert _are_two(np.array(falls, np.uint8), [Pad.NONE] * 5, dropper), "the next one falls"


@pytest.mark.parametrize(
    ("pads", "columns", "two"),
    [
        ([Pad.NONE] * 9, [3] * 9, False),
        ([Pad.NONE, Pad.LEFT] * 4, [3, 3, 2, 2, 1, 1, 0, 0], False),
        ([Pad.NONE, Pad.LEFT] * 4, [3, 3, 2, 2, 1, 1, 3, 3], True),  # the next one enters
        ([Pad.NONE, Pad.A, Pad.NONE, Pad.NONE], [3, 3, 3, 6], False),  # a turn of a cell
        ([Pad.NONE, Pad.A, *[Pad.NONE] * 14], [3] * 14 + [6, 6], True),
        ([Pad.LEFT, Pad.NONE], [3, 3, 3, 3, 6, 6], True),
    ],
)
def test_a_piece_that_is_suddenly_elsewhere_aside_is_the_next_one(
    pads: list[Pad], columns: list[int], two: bool
) -> None:
    frames = np.array([[8 * column, frame] for frame, column in enumerate(columns)], np.uint8)
    assert _are_two(frames, pads, cast(Dropper, SimpleNamespace(column=Axis(0, 8), row=Axis(1, 1)))) is two
