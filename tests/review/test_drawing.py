"""The boards of a review: each kind of cell is drawn once, in the colours of both themes, joined as in the game."""

from __future__ import annotations

import re

import pytest

from emubot import games
from emubot.review.drawing import Drawings, style
from emubot.snapshot import JOINED_LEFT, JOINED_RIGHT, Cell, one_body


def test_a_cell_that_comes_again_is_drawn_once() -> None:
    drawings = Drawings(games.game("puyo").looks)
    stack = [Cell(0, 5, 1, JOINED_RIGHT), Cell(1, 5, 1, JOINED_LEFT), Cell(3, 5, 1), Cell(4, 5, 1)]
    board = drawings.board(6, 6, stack, [Cell(2, -1, 3), Cell(2, 0, 3)], "mine")
    assert re.findall(r'<symbol id="(\S+)"', drawings.pictures) == ["c1-2", "c1-1", "c1-0", "c3-0"]
    assert re.findall(r'<use href="#(\S+)"', board) == ["c1-2", "c1-1", "c1-0", "c1-0", "c3-0"], (
        "none is above the field"
    )
    assert board.count("<path") == 1, "one outline"


@pytest.mark.parametrize("family", ["tetris", "puyo", "matching"])
def test_all_colours_are_there_for_both_themes(family: str) -> None:
    looks = games.game(family).looks
    light, dark = style(looks).split("@media")
    for number, kind in enumerate(looks.kinds):
        if kind.colour:
            assert f"--k{number}:{kind.on_light or kind.colour};" in light
            assert f"--k{number}:{kind.colour};" in dark


def test_joined_cells_have_another_picture_than_single_ones() -> None:
    drawings = Drawings(games.game("matching").looks)
    drawings.board(4, 4, one_body([Cell(0, 0, 1), Cell(1, 0, 1)]), [Cell(3, 3, 1)], "best")
    pictures = re.findall(r"<symbol id=\S+ (.*?)</symbol>", drawings.pictures)
    assert len({*pictures}) == 3
