"""How families look: tones of cells, and which cells are one body in a frame."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emubot import games
from emubot.arena.shown import fill_board
from emubot.arena.wire import Board
from emubot.games.colours.looks import joined_alike
from emubot.looks import tones
from emubot.rammap import load_map
from emubot.snapshot import JOINED_DOWN, JOINED_LEFT, JOINED_RIGHT, JOINED_UP, Cell, Piece, one_body
from tests.arena.playing import begin, match_of, play, side

SIDES = ((-1, 0, JOINED_LEFT), (1, 0, JOINED_RIGHT), (0, -1, JOINED_UP), (0, 1, JOINED_DOWN))


def test_a_cell_is_lighter_above_and_darker_below() -> None:
    base, lit, dark = (int(tone[1:3], 16) for tone in tones("#808080"))
    assert lit > base > dark


def test_each_kind_says_its_shape_and_its_tones_on_both_grounds() -> None:
    kinds = games.game("matching").looks.data()["kinds"]
    assert [kinds[number]["shape"] for number in (1, 7, 11)] == ["disk", "block", "facet"]
    assert {*kinds[1]["tones"]} == {"dark", "light"}
    assert kinds[0]["tones"] == {}


@given(arrays(np.uint8, (4, 5), elements=st.integers(0, 9)))
def test_neighbours_of_one_colour_are_joined_and_nuisance_never(field: np.ndarray) -> None:
    joins = joined_alike(field)
    rows, columns = field.shape
    for row in range(rows):
        for column in range(columns):
            kind, expected = field[row, column], 0
            for dx, dy, bit in SIDES:
                inside = 0 <= column + dx < columns and 0 <= row + dy < rows
                if inside and 1 <= kind <= 6 and field[row + dy, column + dx] == kind:
                    expected |= bit
            assert joins[row, column] == expected


def test_a_piece_that_holds_together_is_joined_where_its_cells_touch() -> None:
    body = one_body([Cell(0, 0, 1), Cell(1, 0, 1), Cell(1, 1, 1), Cell(3, 3, 1)])
    assert [cell.joins for cell in body] == [JOINED_RIGHT, JOINED_LEFT | JOINED_DOWN, JOINED_UP, 0]


@pytest.mark.parametrize(
    ("ram_map", "sides"),
    [("demo_capsules", [JOINED_RIGHT, JOINED_LEFT]), ("simulated_columns", [0, 0, 0])],
)
def test_the_halves_of_a_capsule_are_joined_and_columns_are_not(ram_map: str, sides: list[int]) -> None:
    edition = games.open_edition(load_map(ram_map))
    snapshot = edition.decoder()(bytes(edition.ram_map.image_size))
    assert edition.depiction is not None
    counters = {f"kind_{part}": part for part in range(1, len(sides) + 1)}
    object.__setattr__(snapshot, "counters", {**snapshot.counters, **counters})
    assert [cell.joins for cell in edition.depiction.cells(snapshot, Piece(0, 3, 0))] == sides


@pytest.mark.jit
@pytest.mark.parametrize(
    ("game", "is_joined"), [("blocks", False), ("pairs", True), ("capsules", True), ("columns", False)]
)
def test_a_match_shows_what_is_joined(game: str, is_joined: bool) -> None:
    match = begin(match_of(side(game, "gentle")))
    board = Board()
    joined = False
    for _ in range(40):
        play(match, 30)
        one = match.sides[0]
        snapshot = one.snapshot()
        fill_board(board, one.console.edition.game.looks, one.console.edition.depiction, snapshot)  # type: ignore[arg-type]
        joined |= any(board.joins)
        assert len(board.joins) in (0, len(board.cells))
        air = board.lists[0]
        assert all(cell.joins for cell in air) or game in ("pairs", "columns")
    assert joined is is_joined
