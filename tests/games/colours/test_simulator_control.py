"""The piece in the air: turns, kicks, shifts, auto-repeat, falls and locks, frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.games.colours.board.control import Cells, Falling, control, fits
from emubot.games.colours.board.turning import pair_shape, pair_turning
from emubot.games.colours.rules import BIG, CARBUNCLE, DOWN, FAMICOM_1991, LEFT, RIGHT, TSU, UP, Rules
from emubot.games.colours.timing import PAIRS
from emubot.pad import Pad


def walls(*filled: tuple[int, int], rules: Rules = FAMICOM_1991) -> Cells:
    """A field with obstacles at these (column, row)."""
    cells = np.zeros((rules.stored_rows, 6), dtype=np.uint8)
    for column, row in filled:
        cells[row + rules.hidden_rows, column] = 8
    return cells


def press(
    piece: Falling, cells: Cells, new: Pad, held: Pad | None = None, rules: Rules = FAMICOM_1991, level: int = 0
) -> bool:
    turning, fall = pair_turning(piece.kinds[0], rules), PAIRS.fall(level)
    return control(piece, cells, rules.hidden_rows, turning, fall, int(new), int(new if held is None else held))


def pair(orientation: int, column: int, row: int, timer: int = 30) -> Falling:
    return Falling((1, 2), orientation, column, row, timer)


def place(piece: Falling) -> tuple[int, int, int]:
    return piece.orientation, piece.column, piece.row


def test_a_turns_clockwise_and_b_back() -> None:
    piece = pair(UP, 2, 5)
    seen = []
    for button in (Pad.A, Pad.A, Pad.A, Pad.A, Pad.B, Pad.B, Pad.B, Pad.B):
        press(piece, walls(), button)
        seen.append(piece.orientation)
    assert seen == [RIGHT, DOWN, LEFT, UP, LEFT, DOWN, RIGHT, UP]


def test_a_counts_before_b_and_a_held_button_does_not_turn() -> None:
    piece = pair(UP, 2, 5)
    press(piece, walls(), Pad.A | Pad.B)
    assert piece.orientation == RIGHT
    press(piece, walls(), Pad.NONE, held=Pad.A)
    assert piece.orientation == RIGHT


@pytest.mark.parametrize(("button", "column", "pushed"), [(Pad.A, 5, 4), (Pad.B, 0, 1)])
def test_a_wall_pushes_the_pivot_away(button: Pad, column: int, pushed: int) -> None:
    piece = pair(UP, column, 5)
    press(piece, walls(), button)
    assert place(piece) == (RIGHT if button == Pad.A else LEFT, pushed, 5)


def test_a_puyo_pushes_the_pivot_away_too_and_between_two_there_is_no_turn() -> None:
    piece = pair(UP, 2, 5)
    press(piece, walls((3, 5)), Pad.A)
    assert place(piece) == (RIGHT, 1, 5)
    piece = pair(UP, 2, 5)
    press(piece, walls((3, 5), (1, 5)), Pad.A)
    assert place(piece) == (UP, 2, 5)


def test_the_floor_pushes_the_pivot_up() -> None:
    piece = pair(RIGHT, 2, 12)
    press(piece, walls(), Pad.A)
    assert place(piece) == (DOWN, 2, 11)


def test_nothing_is_pushed_above_the_hidden_row() -> None:
    for row, expected in ((0, (DOWN, 2, -1)), (-1, (RIGHT, 2, -1))):
        piece = pair(RIGHT, 2, row)
        press(piece, walls((2, row + 1)), Pad.A)
        assert place(piece) == expected


def test_the_floor_does_not_push_into_a_puyo() -> None:
    piece = pair(RIGHT, 2, 5)
    press(piece, walls((2, 6), (2, 4)), Pad.A)
    assert place(piece) == (RIGHT, 2, 5)


def test_kicks_may_be_off() -> None:
    rules = replace(FAMICOM_1991, wall_kick=False, floor_kick=False)
    for piece in (pair(UP, 5, 5), pair(RIGHT, 2, 12)):
        before = place(piece)
        press(piece, walls(), Pad.A, rules=rules)
        assert place(piece) == before


def test_a_quick_turn_stands_the_pair_on_its_head_between_two_walls() -> None:
    shaft = [(column, row) for column in (1, 3) for row in range(12)]
    piece = pair(UP, 2, 5)
    for button, expected in (
        (Pad.A, (UP, 2, 5)),  # refused, and remembered
        (Pad.B, (DOWN, 2, 5)),  # whichever way
        (Pad.B, (DOWN, 2, 5)),
        (Pad.A, (UP, 2, 5)),
    ):
        press(piece, walls(*shaft, rules=TSU), button, rules=TSU)
        assert place(piece) == expected
    piece = pair(UP, 2, 5)
    for _ in range(2):
        press(piece, walls(*shaft, (2, 6), rules=TSU), Pad.A, rules=TSU)
    assert place(piece) == (DOWN, 2, 4), "from the ground it is pushed up"


def test_falling_keeps_a_refused_turn_in_mind_and_a_turn_forgets_it() -> None:
    shaft = walls((1, 5), (3, 5), (1, 8), (3, 8), rules=TSU)
    piece = pair(UP, 2, 5)
    press(piece, shaft, Pad.A, rules=TSU)
    piece.row = 8
    press(piece, shaft, Pad.A, rules=TSU)
    assert place(piece) == (DOWN, 2, 8)
    piece = pair(UP, 2, 5)
    press(piece, shaft, Pad.A, rules=TSU)
    for row in (3, 3, 3, 3, 8):  # turns round once where there is room
        piece.row = row
        press(piece, shaft, Pad.A, rules=TSU)
    assert place(piece) == (UP, 2, 8)


def test_above_the_stored_rows_is_air_between_the_walls() -> None:
    piece = pair(UP, 0, -1)
    press(piece, walls(), Pad.LEFT)
    assert piece.column == 0
    press(piece, walls(), Pad.RIGHT)
    assert piece.column == 1


def test_the_hidden_row_is_in_the_way() -> None:
    piece = pair(UP, 2, 0)
    press(piece, walls((1, -1)), Pad.LEFT)
    assert piece.column == 2


def test_shifts_stop_at_puyos_and_walls() -> None:
    for filled in ((1, 5), (1, 4)):
        piece = pair(UP, 2, 5)
        press(piece, walls(filled), Pad.LEFT)
        assert piece.column == 2
    piece = pair(RIGHT, 4, 5)
    press(piece, walls(), Pad.RIGHT)
    assert piece.column == 4


def test_a_held_direction_repeats_after_sixteen_frames_and_then_every_six() -> None:
    piece = pair(UP, 0, 0, timer=250)
    moves = []
    press(piece, walls(), Pad.RIGHT)
    for frame in range(1, 40):
        before = piece.column
        press(piece, walls(), Pad.NONE, held=Pad.RIGHT)
        if piece.column != before:
            moves.append(frame)
    assert moves == [16, 22, 28, 34]


def test_a_refused_repeat_waits_again_and_a_new_press_begins_anew() -> None:
    piece = pair(UP, 5, 0, timer=250)
    piece.repeat = 15
    press(piece, walls(), Pad.NONE, held=Pad.RIGHT)
    assert (piece.column, piece.repeat) == (5, 10)
    press(piece, walls(), Pad.LEFT)
    assert (piece.column, piece.repeat) == (4, 0)
    piece.repeat = 7
    press(piece, walls(), Pad.NONE)
    assert piece.repeat == 7, "nothing held: the counter stays"


def test_it_falls_a_row_each_time_the_timer_is_over_and_the_level_sets_it() -> None:
    piece = pair(UP, 2, 0, timer=2)
    assert not press(piece, walls(), Pad.NONE, level=3)
    assert place(piece) == (UP, 2, 0)
    assert not press(piece, walls(), Pad.NONE, level=3)
    assert (place(piece), piece.drop_timer) == ((UP, 2, 1), 21)
    piece.drop_timer = 1
    press(piece, walls(), Pad.NONE, level=99)
    assert piece.drop_timer == 2, "above the table: its last entry"


def test_down_makes_it_fall_every_second_frame_unless_a_direction_is_held() -> None:
    piece = pair(UP, 2, 0)
    rows = []
    for _ in range(6):
        press(piece, walls(), Pad.NONE, held=Pad.DOWN)
        rows.append(piece.row)
    assert rows == [0, 1, 1, 2, 2, 3]
    piece = pair(UP, 2, 0)
    for _ in range(6):
        press(piece, walls(), Pad.NONE, held=Pad.DOWN | Pad.LEFT)
    assert piece.row == 0


def test_it_locks_when_the_timer_is_over_and_something_is_below() -> None:
    piece = pair(RIGHT, 2, 5, timer=2)
    below = walls((3, 6))
    assert not press(piece, below, Pad.NONE)
    assert press(piece, below, Pad.NONE)
    assert (place(piece), piece.drop_timer) == ((RIGHT, 2, 5), 0)
    assert press(pair(DOWN, 0, 11, timer=1), walls(), Pad.NONE), "the floor"


def test_turn_and_shift_come_before_the_fall_of_the_same_frame() -> None:
    piece = pair(UP, 2, 5, timer=1)
    press(piece, walls((2, 6)), Pad.A | Pad.RIGHT)
    assert place(piece) == (RIGHT, 3, 6)


def test_items_shift_and_fall_and_do_not_turn() -> None:
    big = Falling((BIG, BIG), UP, 2, 5, 30)
    press(big, walls(), Pad.A)
    assert big.orientation == UP
    for _ in range(4):
        press(big, walls(), Pad.RIGHT)
    assert big.column == 4
    press(big, walls((3, 4)), Pad.LEFT)
    assert big.column == 4, "its upper left cell is in the way"
    carbuncle = Falling((CARBUNCLE, CARBUNCLE), UP, 2, 5, 1)
    press(carbuncle, walls((2, 4), (3, 6)), Pad.B)
    assert place(carbuncle) == (UP, 2, 6)


@given(
    filled=st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 12)), max_size=30),
    pads=st.lists(st.sampled_from([0x80, 0x40, 0x01, 0x02, 0x04, 0x81, 0x42, 0x00]), max_size=80),
    kinds=st.sampled_from([(1, 2), (BIG, BIG), (CARBUNCLE, CARBUNCLE)]),
    rules=st.sampled_from([FAMICOM_1991, TSU]),
)
def test_a_piece_never_stands_on_a_puyo_or_outside(
    filled: list[tuple[int, int]], pads: list[int], kinds: tuple[int, int], rules: Rules
) -> None:
    cells = walls(*(cell for cell in filled if cell[1] < rules.visible_rows and cell[1] > 1), rules=rules)
    piece = Falling(kinds, UP, 2, 0, 30)
    held = 0
    for pad in pads:
        row = piece.row
        control(piece, cells, rules.hidden_rows, pair_turning(kinds[0], rules), PAIRS.fall(15), pad & ~held, pad)
        held = pad
        assert fits(cells, rules.hidden_rows, pair_shape(kinds[0], piece.orientation), piece.column, piece.row)
        assert -rules.hidden_rows <= piece.row <= row + 1
