"""In some frames around a game certainly no piece is under control, though one may stand where pieces appear."""

from __future__ import annotations

import numpy as np

from emubot.discovery.colours.findings import ColourFindings, ColourPiece, Orientation, Part, Ruler
from emubot.discovery.colours.idling import after_last, at_entry, before_first
from emubot.discovery.lab import History
from emubot.discovery.pads import Hand
from tests.discovery.colours.drawn import field

Y, X, TURN, NOW, OTHER, MODE, COUNTER = range(48, 55)
GAME, LOST, WON, MENU = 3, 4, 5, 1
SPAWN_Y, SPAWN_X = 2, 4
NOTHING = np.zeros((0, 64), np.uint8)


def findings() -> ColourFindings:
    column, row = Ruler(X, 0, 1, signed=False), Ruler(Y, 0, 1, signed=True)
    parts = (Part(NOW), Part(OTHER))
    ways = (Orientation(0, ((0, 0), (1, 0)), {}),)
    piece = ColourPiece(column, row, Part(TURN), ways, (), parts, {10: 1, 20: 2}, (), (0, SPAWN_X, SPAWN_Y))
    return ColourFindings(Hand(1), field(8, 6), piece, b"", (), frozenset())


def frames(mode: int, rows: list[int], parts: tuple[int, int] = (10, 20)) -> History:
    found = np.zeros((len(rows), 64), np.uint8)
    found[:, Y], found[:, X], found[:, MODE], found[:, COUNTER] = rows, SPAWN_X, mode, np.arange(len(rows)) % 7
    found[:, NOW], found[:, OTHER] = parts
    return found


def test_the_last_piece_of_the_game_before_is_not_under_control_when_the_next_game_begins() -> None:
    menu, begins = frames(MENU, [SPAWN_Y] * 4), frames(GAME, [SPAWN_Y] * 2)
    first = frames(GAME, [SPAWN_Y] * 3, (20, 20))
    idle = before_first(findings(), np.concatenate([menu, begins, first]))
    assert idle[:, MODE].tolist() == [MENU] * 4 + [GAME] * 2


def test_a_lost_game_is_over_though_the_next_piece_already_stands_there() -> None:
    game = frames(GAME, [2, 3, 4, 5, 6] * 4)
    ends = [
        np.concatenate([frames(GAME, [6] * 3 + [SPAWN_Y] * waits), frames(LOST, [SPAWN_Y] * 5)]) for waits in (2, 7)
    ]
    idle, over = after_last(findings(), ends, NOTHING, game, set())
    assert [each[:, MODE].tolist() for each in over] == [[LOST] * 5] * 2
    assert [each[:, MODE].tolist() for each in idle] == [[LOST] * 5] * 2 + [[GAME] * 3] * 2
    assert [len(each) for each in after_last(findings(), ends, NOTHING, game, {MODE})[0]] == [0, 0, 3, 3]
    assert [each[:, MODE].tolist() for each in after_last(findings(), [], ends[0], game, set())[0]] == [[LOST] * 5]


def test_a_last_piece_that_turns_where_it_enters_may_be_under_control() -> None:
    game = frames(GAME, [2, 3, 4, 5, 6] * 4)
    last = frames(GAME, [6] * 3 + [SPAWN_Y] * 8)
    last[7:, X] += 1
    end = np.concatenate([last, frames(LOST, [SPAWN_Y] * 5)])
    idle, _ = after_last(findings(), [end], NOTHING, game, set())
    assert [each[:, MODE].tolist() for each in idle] == [[LOST] * 5, [GAME] * 3]


def test_what_changed_at_the_end_of_one_game_only_does_not_tell_that_it_is_over() -> None:
    game = frames(GAME, [2, 3, 4, 5, 6] * 4)
    full = np.concatenate([frames(GAME, [6] * 3), frames(LOST, [SPAWN_Y] * 5)])
    other = frames(GAME, [6] * 3 + [SPAWN_Y] * 5)
    idle, over = after_last(findings(), [full, other], NOTHING, game, set())
    assert [len(each) for each in over] == [0, 0]
    assert [len(each) for each in idle] == [0, 0, 3, 3]


def test_a_lost_game_is_over_though_its_state_changes_in_the_game_too() -> None:
    game = np.concatenate([frames(GAME, [2, 3, 4, 5, 6]), frames(WON, [6] * 2)] * 4)
    ends = [np.concatenate([frames(GAME, [6] * waits), frames(LOST, [SPAWN_Y] * 5)]) for waits in (2, 7)]
    assert [len(each) for each in after_last(findings(), ends, NOTHING, game, set())[1]] == [5, 5]
    once = game[: 5 + 2 + 5]  # one stage was won
    assert [len(each) for each in after_last(findings(), ends, NOTHING, once, set())[1]] == [5, 5]
    assert [len(each) for each in after_last(findings(), ends, NOTHING, once[: 5 + 2], set())[1]] == [0, 0]
    game[:, OTHER] = np.arange(len(game)) % 3
    for points, end in enumerate(ends):  # a counter goes on, and not to the same number
        end[:, OTHER] = 30 + points
    assert [len(each) for each in after_last(findings(), ends, NOTHING, game, {MODE})[1]] == [0, 0]


def test_a_piece_without_colours_is_not_at_entry() -> None:
    images = np.concatenate([frames(GAME, [SPAWN_Y]), frames(GAME, [SPAWN_Y], (0, 20)), frames(GAME, [SPAWN_Y + 3])])
    assert at_entry(findings().piece, images).tolist() == [True, False, False]
