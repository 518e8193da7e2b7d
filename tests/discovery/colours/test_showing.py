"""Which rows of a field the picture shows is told by where it changes, or by how empty cells look."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.colours.showing import Look, hidden_rows

ROWS, COLUMNS, TILE = 10, 6, 8
LEFT, TOP = 24, 40
EMPTY, WALL = np.eye(TILE, dtype=np.uint8), np.full((TILE, TILE), 9, np.uint8)


def look(heights: list[int], hidden: int, empty: np.ndarray, wall: np.ndarray) -> Look:
    """A field filled so high, drawn without its hidden rows, and a wall above it."""
    filled = np.arange(ROWS)[:, None] >= ROWS - np.array(heights)
    picture = np.zeros((160, 120), np.uint8)
    for row in range(-3, ROWS - hidden):
        for column in range(COLUMNS):
            y, x = TOP + row * TILE, LEFT + column * TILE
            tile = wall if row < 0 else np.full_like(empty, 3) if filled[row + hidden, column] else empty
            picture[y : y + TILE, x : x + TILE] = tile
    return Look(filled, np.zeros((ROWS, COLUMNS), np.bool_), picture[..., None].repeat(3, 2))


def pile(hidden: int, most: int, empty: np.ndarray = EMPTY, wall: np.ndarray = WALL) -> list[Look]:
    """Looks at pieces of two cells that pile up so high, column after column."""
    heights, looks = [0] * COLUMNS, list[Look]()
    for column in (0, 5, 1, 4, 2):
        while heights[column] < most:
            looks.append(look(heights, hidden, empty, wall))
            heights[column] += 2
    return [*looks, look(heights, hidden, empty, wall)]


@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_rows_that_were_filled_are_shown_where_the_picture_changed(hidden: int) -> None:
    assert hidden_rows([pile(hidden, ROWS, WALL, WALL)]) == hidden


@pytest.mark.parametrize("hidden", [0, 2])
def test_rows_that_stayed_empty_look_as_others_or_not(hidden: int) -> None:
    assert hidden_rows([pile(hidden, ROWS - 2)]) == hidden
    assert hidden_rows([pile(hidden, ROWS - 2, WALL, WALL)]) is None, "what looks alike everywhere tells nothing"


def test_too_few_looks_tell_nothing() -> None:
    assert hidden_rows([pile(1, ROWS)[:3]]) is None
    assert hidden_rows([]) is None


def test_rows_may_be_hidden_by_the_edge_of_the_picture() -> None:
    looks = [each._replace(picture=each.picture[TOP:]) for each in pile(2, ROWS)]
    assert hidden_rows([looks]) == 2


def test_a_row_that_is_not_shown_below_one_that_is_tells_nothing() -> None:
    looks = pile(0, ROWS, WALL, WALL)
    for each in looks:
        each.picture[TOP + TILE : TOP + 2 * TILE] = 7
    assert hidden_rows([looks]) is None
