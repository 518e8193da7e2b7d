"""A game begins with a piece as it enters, not as the press that began the game has turned it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from emubot.discovery import arriving
from emubot.discovery.arriving import Play, reach_play
from emubot.discovery.axes import Axis
from emubot.discovery.board import Lattice
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import Lab
from emubot.discovery.pieces import PieceSpan
from emubot.discovery.pivots import halfway
from emubot.discovery.survey import are_small, is_seen_to_lock
from emubot.discovery.units import BYTES
from emubot.discovery.ways import Station, Way
from emubot.pad import Pad

AXES = (Axis(0x10, 1),), (Axis(0x11, 1),)


@pytest.mark.parametrize(
    ("button", "follows", "expected"),
    [(Pad.A, AXES, b"short"), (Pad.A, ((), ()), b"long"), (Pad.START, AXES, b"long")],
)
def test_a_press_that_may_turn_is_made_shorter(
    button: Pad, follows: Any, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way((Station(b"", np.zeros((1, 1), np.uint8), button),), Play(b"long", *AXES))
    monkeypatch.setattr(arriving, "way_to", lambda *_: way)
    monkeypatch.setattr(arriving, "arrival", lambda *_, **__: None)
    monkeypatch.setattr(arriving, "follows", lambda *_: follows)
    lab = cast(Lab, SimpleNamespace(idle=lambda frames: None, save=lambda: b"short"))
    assert reach_play(lab, lambda text: None).goal.state == expected


def span(cells: int) -> PieceSpan:
    """A piece that filled so many cells; 0: it is not known which."""
    images = np.zeros((1, 1), np.uint8)
    return PieceSpan(
        images, (), 0, 0, tuple((0, column) for column in range(cells)) or None, np.zeros((1, 1), np.bool_)
    )


@pytest.mark.parametrize(
    ("cells", "small"),
    [([2] * 8, True), ([3, 0] * 5, True), ([2, 3] * 5, False), ([4] * 10, False), ([2, 0, 0, 0] * 3, False)],
)
def test_pieces_of_one_small_size_may_be_those_of_colours(cells: list[int], small: bool) -> None:
    assert are_small([[span(count) for count in cells[:4]], [span(count) for count in cells[4:]]]) is small


@pytest.mark.parametrize("button", [Pad.A, Pad.B])
@pytest.mark.parametrize("cells", [0, 4])
def test_a_button_is_judged_by_pieces_that_were_seen_to_lock(button: Pad, cells: int) -> None:
    turned = replace(span(cells), pads=(Pad.NONE, Pad.A, Pad.NONE, Pad.B), last=3)
    assert is_seen_to_lock(button, [span(4), turned]) is (button is Pad.A and cells > 0)


@pytest.mark.parametrize("rest", [0, 1])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("step", [2, -2])
def test_a_piece_between_two_rows_is_in_that_in_which_the_board_shows_it(rest: int, lower: bool, step: int) -> None:
    """`rest` is what the byte of half rows has beside a whole row, `lower` says which of two rows is drawn."""
    images = np.zeros((16, 9), np.uint8)
    for frame in range(16):
        halves = frame // 2
        images[frame, 8] = halves + rest if step > 0 else 40 - halves + rest
        images[frame, (halves + lower) // 2] = 1
    geometry = Geometry(Lattice(BYTES, 7, 1, 1, 1), 8, 0, Axis(8, step), drawn=True, pause=0)
    piece = PieceSpan(images, (), 15, 15, None, np.zeros((8, 1), np.bool_))
    lacks = halfway([piece], Axis(8, step), geometry)
    rows = [(int(number) + lacks) * (1 if step > 0 else -1) // 2 for number in images[:, 8]]  # as a map reads it
    drawn = [(frame // 2 + lower) // 2 for frame in range(16)]
    assert [row - rows[0] for row in rows] == [row - drawn[0] for row in drawn]
    assert not halfway([piece], Axis(8, step), replace(geometry, drawn=False))
