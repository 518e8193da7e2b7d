"""Where a piece of a matching game can lock, and how it gets there: turns, kicks, results."""

from __future__ import annotations

import numpy as np

from emubot.games.colours.board.turning import piece_turning
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, Rules
from emubot.games.colours.reach.reach import moves, piece_result, piece_start, reach, shapes_of
from emubot.games.motion import Fall
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece
from emubot.tempo import InputState, parse_taps
from tests.games.colours.matching_board_twin import Cells, drawn

BUTTONS = Buttons.model_validate(
    {
        "rotate_clockwise": "A",
        "rotate_counterclockwise": "B",
        "left": "LEFT",
        "right": "RIGHT",
        "soft_drop": "DOWN",
        "start": "START",
    }
)


def locks(cells: Cells, kinds: tuple[int, ...], rules: Rules, gravity: int = 20) -> set[tuple[int, int, int]]:
    """The locks from the spawn at 12 Hz."""
    start = piece_start(cells, kinds, rules.spawn, rules)
    found = reach(start, gravity, Fall(gravity, 2), parse_taps("12hz"), InputState(), BUTTONS)
    for lock in found.locks:
        placement = found.placement(lock)
        last = placement.timeline[-1]
        assert (last.orientation, last.column, last.row) == lock[:3]
    return {lock[:3] for lock in found.locks}


def test_an_empty_field_has_every_result_once() -> None:
    cells = np.zeros((16, 8), dtype=np.uint8)
    assert len(locks(cells, (1, 2), CAPSULES)) == 2 * 8 + 2 * 7
    assert len(locks(cells, (1, 1), CAPSULES)) == 8 + 7
    field = np.zeros((13, 6), dtype=np.uint8)
    assert len(locks(field, (1, 2, 3), COLUMNS)) == 3 * 6
    assert len(locks(field, (1, 1, 1), COLUMNS)) == 6


def test_a_capsule_slides_under_a_target() -> None:
    cells = drawn(*["........"] * 14, "r.......", "........")
    assert (0, 0, 15) in locks(cells, (1, 1), CAPSULES) or (2, 0, 15) in locks(cells, (1, 1), CAPSULES)


def test_a_fast_fall_leaves_far_columns_out_of_reach() -> None:
    cells = drawn(*["........"] * 6, *["Y......."] * 10)
    assert any(column == 0 for _, column, _ in locks(cells, (1, 2), CAPSULES, 20))
    assert not any(column == 0 for _, column, _ in locks(cells, (1, 2), CAPSULES, 1))


def test_a_blocked_turn_to_flat_tries_one_column_to_the_left() -> None:
    shapes = shapes_of(piece_turning(CAPSULES))
    assert shapes.turns[0, 1].tolist() == [[2, 0, 0], [2, -1, 0]], "upright to flat"
    assert shapes.turns[0, 0].tolist() == [[1, 0, 0], [-1, -1, -1]], "flat to upright"
    assert shapes.turns[1, 0, 0].tolist() == [3, 0, 0]


def test_a_half_above_the_field_is_in_no_result() -> None:
    assert piece_result((1, 2), (1, 3, 0), CAPSULES) == {(3, 0, 2)}
    assert piece_result((1, 2), (3, 3, 5), CAPSULES) == {(3, 5, 1), (3, 4, 2)}


def test_single_inputs_reach_every_column_where_there_is_room() -> None:
    cells = np.zeros((16, 8), dtype=np.uint8)
    found = moves(piece_start(cells, (1, 2), Piece(0, 3, 0), CAPSULES), BUTTONS, 3)
    assert {(spot.orientation, spot.column) for spot in found} >= {(0, 0), (0, 6), (1, 0), (1, 7)}
