"""The matching game frame by frame: pieces, lines, falls, targets, halves from the other player, stages."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.colours.board.control import Falling, control
from emubot.games.colours.board.turning import piece_turning
from emubot.games.colours.matching_rules import (
    CAPSULES,
    COLUMNS,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_UP,
    color_of,
)
from emubot.games.colours.simulator import matching_field as happens
from emubot.games.colours.simulator.matching_simulator import STAGE_WAIT, Player, PlayState, Simulator
from emubot.games.colours.timing import MATCHING
from emubot.games.motion import Fall
from emubot.games.screens import GameState
from emubot.pad import Pad
from tests.games.colours.matching_board_twin import Cells, drawn

NOTHING = (Pad.NONE, Pad.NONE)
Place = tuple[int, int]  # (row, column)


def placed(cells: Cells, orientation: int, column: int, row: int, new: Pad) -> tuple[int, int, int]:
    """Where a piece is after one frame with these buttons newly pressed."""
    piece = Falling((1, 2), orientation, column, row, 99)
    assert not control(piece, cells, 0, piece_turning(CAPSULES), Fall(99, MATCHING.soft_drop), int(new), int(new))
    return piece.orientation, piece.column, piece.row


def test_turns_in_the_box_and_one_column_to_the_left() -> None:
    free = np.zeros((16, 8), dtype=np.uint8)
    assert [placed(free, turn, 3, 5, Pad.A)[0] for turn in range(4)] == [1, 2, 3, 0]
    assert [placed(free, turn, 3, 5, Pad.B)[0] for turn in range(4)] == [3, 0, 1, 2]
    assert placed(free, 1, 7, 5, Pad.A) == (2, 6, 5), "at the right wall it moves to the left"
    assert placed(free, 0, 7 - 1, 0, Pad.A) == (1, 6, 0), "above the field it is free"
    blocked = free.copy()
    blocked[5, 4] = 1
    assert placed(blocked, 1, 3, 5, Pad.A) == (2, 2, 5)
    blocked[5, 2] = 1
    assert placed(blocked, 1, 3, 5, Pad.A) == (1, 3, 5), "nor left: it stays"
    blocked[4, 3] = 1
    assert placed(blocked, 0, 3, 5, Pad.A)[0] == 0, "an upright turn has no second try"


def test_a_held_direction_repeats_and_down_shortens_the_row() -> None:
    cells, piece = np.zeros((16, 8), dtype=np.uint8), Falling((1, 2), 0, 0, 0, 999)
    right, down = int(Pad.RIGHT), int(Pad.DOWN)
    columns = []
    for frame in range(30):
        control(
            piece, cells, 0, piece_turning(CAPSULES), Fall(999, MATCHING.soft_drop), right if frame == 0 else 0, right
        )
        columns.append(piece.column)
    assert [frame for frame in range(1, 30) if columns[frame] > columns[frame - 1]] == [16, 22, 28]
    rows = []
    for _ in range(6):
        control(piece, cells, 0, piece_turning(CAPSULES), Fall(999, MATCHING.soft_drop), 0, down)
        rows.append(piece.row)
    assert rows == [0, 1, 1, 2, 2, 3]


def begun(players: int = 1, stage: int = 0, pace: int = 0) -> Simulator:
    """A game whose targets stand."""
    game = Simulator(CAPSULES, players=players, stage=stage, pace=pace, seed=1234)
    while game.players[0].play_state is PlayState.PLANT:
        game.step(NOTHING)
    return game


def until(game: Simulator, number: int, state: PlayState, most: int = 500) -> int:
    """The frames until a player is in a state."""
    for frame in range(most):
        if game.players[number].play_state is state:
            return frame
        game.step(NOTHING)
    raise AssertionError(f"never {state}")


def settled(game: Simulator, number: int, *rows: str) -> Player:
    """A player whose field has these lowest rows, in the frame before the test for lines."""
    player = game.players[number]
    player.cells[:], player.links[:] = 0, 0
    player.cells[16 - len(rows) :] = drawn(*rows)
    player.targets = int((player.cells > 10).sum())
    player.play_state, player.wait = PlayState.SETTLE, 1
    return player


@pytest.mark.parametrize("stage", [0, 3, 14, 15, 18, 19, 20, 30])
def test_a_stage_begins_with_its_targets(stage: int) -> None:
    for seed in range(1, 60, 7):
        game = Simulator(CAPSULES, players=2, stage=stage, seed=seed * 977)
        frames = 0
        while game.players[0].play_state is PlayState.PLANT:
            game.step(NOTHING)
            frames += 1
        cells = game.players[0].cells
        count = min(4 * (stage + 1), 84)
        assert frames == game.players[0].targets == (cells > 10).sum() == count
        assert not cells[: 16 - CAPSULES.stage_rows(stage)].any()
        colors = np.vectorize(color_of)(cells)
        assert min((colors == color).sum() for color in (1, 2, 3)) >= count // 5, "the colours take turns"
        assert not happens.lines(cells, CAPSULES)
        if stage < 10:
            for one, other in ((colors[2:], colors[:-2]), (colors[:, 2:], colors[:, :-2])):
                assert not ((one == other) & (one > 0)).any(), "two cells apart, one colour"
        assert np.array_equal(cells, game.players[1].cells)


def test_pieces_are_the_same_for_both_and_of_all_colours() -> None:
    game = begun(players=2)
    pieces: list[list[tuple[int, ...]]] = [[], []]
    for _ in range(40):
        for number, player in enumerate(game.players):
            pieces[number].append(player.next)
            player.next = game._deal(player)
    assert pieces[0] == pieces[1]
    assert {color for piece in pieces[0] for color in piece} == {1, 2, 3}
    assert len(set(pieces[0])) > 6


@pytest.mark.parametrize(
    ("orientation", "cells", "links"),
    [
        (0, {(15, 3): 1, (15, 4): 2}, {(15, 3): LINK_RIGHT, (15, 4): LINK_LEFT}),
        (1, {(14, 3): 1, (15, 3): 2}, {(14, 3): LINK_DOWN, (15, 3): LINK_UP}),
        (2, {(15, 4): 1, (15, 3): 2}, {(15, 3): LINK_RIGHT, (15, 4): LINK_LEFT}),
        (3, {(15, 3): 1, (14, 3): 2}, {(14, 3): LINK_DOWN, (15, 3): LINK_UP}),
    ],
)
def test_a_lock_joins_the_halves(orientation: int, cells: dict[Place, int], links: dict[Place, int]) -> None:
    game = begun()
    until(game, 0, PlayState.CONTROL)
    player = game.players[0]
    player.cells[:] = 0
    player.piece = Falling((1, 2), orientation, 3, 15, 1)
    game.step(NOTHING)
    assert {cell: kind for cell, kind in np.ndenumerate(player.cells) if kind} == cells
    assert {cell: link for cell, link in np.ndenumerate(player.links) if link} == links
    assert (player.play_state, player.wait) == (PlayState.SETTLE, MATCHING.settle)


def test_the_half_above_the_field_is_lost() -> None:
    game = begun()
    until(game, 0, PlayState.CONTROL)
    player = game.players[0]
    player.cells[:], player.cells[1, 3] = 0, 12
    player.piece = Falling((1, 2), 1, 3, 0, 1)
    game.step(NOTHING)
    assert (player.cells[0, 3], player.links[0, 3]) == (2, 0)


def test_lines_vanish_at_once_halves_become_single_and_what_is_loose_falls_a_row_at_a_time() -> None:
    game = begun(pace=1)
    player = settled(game, 0, "..Y.....", "RRrR....", "R.......", "R.......", "R.......")
    player.links[12, 1], player.links[12, 0] = 0, LINK_RIGHT
    player.links[12, 1] = LINK_LEFT
    player.cells[11, 3], player.links[11, 2], player.links[11, 3] = 3, LINK_RIGHT, LINK_LEFT
    player.targets += 1  # one more elsewhere: the stage goes on
    game.step(NOTHING)
    assert (player.play_state, player.wait, player.lines, player.chain) == (PlayState.VANISH, MATCHING.vanish, 2, 1)
    assert (player.cells == 8).sum() == 7
    assert player.score == 100 * 2
    assert until(game, 0, PlayState.FALL) == MATCHING.vanish
    rows = []
    while player.play_state is PlayState.FALL:
        rows.append(int(np.argmax(player.cells[:, 2] > 0)))
        game.step(NOTHING)
    assert len(rows) == 5 * MATCHING.per_row
    assert rows[:: MATCHING.per_row] == [11, 12, 13, 14, 15]
    assert player.links[15, 2:4].tolist() == [LINK_RIGHT, LINK_LEFT]


def test_two_lines_of_a_chain_send_halves_of_their_colours() -> None:
    game = begun(players=2)
    until(game, 1, PlayState.CONTROL)
    first = settled(game, 0, "Y.......", "RRRR....", ".YYY...r")
    until(game, 0, PlayState.FALL)
    assert (first.lines, first.chain, first.colors) == (1, 1, [1])
    until(game, 0, PlayState.SPAWN_DELAY)
    assert first.score == 0
    second = game.players[1]
    assert second.pending == [1, 2]
    assert (first.lines, first.chain, first.colors) == (0, 0, [])
    second.piece.row, second.piece.drop_timer = 15, 1
    second.cells[:] = 0
    until(game, 1, PlayState.FALL)
    assert not second.pending
    assert sorted(second.cells[0][second.cells[0] > 0].tolist()) == [1, 2]
    columns = np.flatnonzero(second.cells[0])
    assert columns[1] - columns[0] == 4


def test_one_line_sends_nothing_and_at_most_four_halves_wait() -> None:
    game = begun(players=2)
    settled(game, 0, "RRRR...r")
    until(game, 0, PlayState.SPAWN_DELAY)
    assert not game.players[1].pending
    game.players[1].pending = [3, 3, 3]
    settled(game, 0, "RRRRYYYY", "BBBBRRRR", "YYYYBBBB", ".......r")
    until(game, 0, PlayState.SPAWN_DELAY)
    assert game.players[1].pending == [3, 3, 3, 1]


def test_no_target_left_wins_the_stage_and_the_next_one_begins_by_itself() -> None:
    game = begun(stage=2)
    player = settled(game, 0, "rrrr....")
    until(game, 0, PlayState.WON)
    assert (game.state, player.stages, player.wait) == (GameState.WON, 1, STAGE_WAIT)
    for _ in range(STAGE_WAIT - 1):
        game.step(NOTHING)
    assert game.state is GameState.WON
    game.step(NOTHING)
    assert (game.state, game.stage, player.play_state) == (GameState.PLAY, 3, PlayState.PLANT)
    assert (player.pieces, player.targets, int(player.cells.sum())) == (0, 0, 0)


def test_start_begins_the_next_stage_at_once() -> None:
    game = begun()
    settled(game, 0, "rrrr....")
    until(game, 0, PlayState.WON)
    game.step((Pad.START, Pad.NONE))
    assert (game.state, game.stage) == (GameState.PLAY, 1)


def test_of_two_players_the_first_without_a_target_wins() -> None:
    game = begun(players=2)
    settled(game, 1, "rrrr....")
    until(game, 1, PlayState.WON)
    assert (game.state, game.loser) == (GameState.OVER, 0)


def test_a_filled_entry_loses() -> None:
    for column in (3, 4):
        game = begun()
        game.players[0].cells[0, column] = 12
        until(game, 0, PlayState.LOST)
        assert (game.state, game.loser) == (GameState.OVER, 0)


def test_gravity_quickens_every_ten_pieces_up_to_its_most() -> None:
    game = begun(pace=1)
    player = game.players[0]
    frames = []
    for pieces in (1, 10, 11, 20, 21, 491, 500, 9000):
        player.pieces = pieces
        frames.append(game.fall_of(player).gravity)
    table = MATCHING.gravity
    assert frames == [table[25], table[25], table[26], table[26], table[27], table[74], table[74], table[74]]


def test_start_pauses_and_goes_on() -> None:
    game = begun(players=2)
    game.step((Pad.NONE, Pad.START))
    assert game.state is GameState.PAUSED
    before = [(player.play_state, player.wait) for player in game.players]
    for _ in range(5):
        game.step(NOTHING)
    assert before == [(player.play_state, player.wait) for player in game.players]
    game.step((Pad.START, Pad.NONE))
    for _ in range(5):
        game.step(NOTHING)
    assert before != [(player.play_state, player.wait) for player in game.players]


def test_columns_enter_upright_and_are_played_without_targets() -> None:
    game = Simulator(COLUMNS, seed=77)
    player = game.players[0]
    assert player.play_state is PlayState.SPAWN_DELAY
    until(game, 0, PlayState.CONTROL)
    assert (len(player.piece.kinds), player.piece.row) == (3, 2)
    player.piece.kinds = (4, 5, 6)
    game.step((Pad.A, Pad.NONE))
    player.piece.drop_timer, player.piece.row = 1, 12
    game.step(NOTHING)
    assert player.cells[10:, 2].tolist() == [6, 4, 5]
