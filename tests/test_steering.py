"""Steering: a timeline becomes one pad a frame, the tempo is kept, and a piece elsewhere is noticed."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.human_error import Hands, HumanError
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement, Step
from emubot.steering import ANYWHERE, Steering
from emubot.tempo import InputState, Tempo, parse_taps

TAPS_12HZ = parse_taps("12hz")
DAS = parse_taps("das")
PLAIN = {"left": "LEFT", "right": "RIGHT", "rotate_clockwise": "A", "start": "START"}
SOFT = Buttons.model_validate({**PLAIN, "soft_drop": "DOWN"})
HARD = Buttons.model_validate({**PLAIN, "rotate_clockwise": "UP", "hard_drop": "B"})
SOMEWHERE = Piece(0, 5, 0)
HANDS = Hands(HumanError(0.0, 0.0), np.random.default_rng(1))


def placement() -> Placement:
    steps = (Step(Pad.LEFT | Pad.A, 3, 4, 0), Step(Pad.NONE, 3, 4, 1), Step(Pad.DOWN, 3, 4, 1))
    return Placement(3, 4, 1, steps)


def test_the_timeline_is_played_one_pad_a_frame_and_then_nothing() -> None:
    steering = Steering(TAPS_12HZ)
    steering.follow(placement())
    assert [steering.next_pad(SOMEWHERE) for _ in range(5)] == [
        Pad.LEFT | Pad.A,
        Pad.NONE,
        Pad.DOWN,
        Pad.NONE,
        Pad.NONE,
    ]


@pytest.mark.parametrize("latency", [0, 1, 2])
def test_the_piece_is_compared_with_the_step_that_took_effect(latency: int) -> None:
    steering = Steering(TAPS_12HZ, latency)
    steering.follow(placement())
    for _ in range(latency):
        steering.next_pad(SOMEWHERE)
        assert steering.agrees(Piece(0, 9, 9)), "none of the timeline's pads has reached the game yet"
    steering.next_pad(SOMEWHERE)
    assert steering.agrees(Piece(3, 4, 0))
    assert not steering.agrees(Piece(3, 5, 0))
    assert not steering.agrees(Piece(2, 4, 0))
    assert not steering.agrees(Piece(3, 4, 1))


def test_a_piece_that_outlives_its_timeline_disagrees() -> None:
    steering = Steering(TAPS_12HZ)
    steering.follow(placement())
    for _ in range(4):
        steering.next_pad(SOMEWHERE)
    assert not steering.agrees(Piece(3, 4, 1))


def test_nothing_is_followed_after_forgetting() -> None:
    steering = Steering(TAPS_12HZ)
    steering.follow(placement())
    steering.forget()
    assert not steering.active
    assert steering.next_pad(SOMEWHERE) == Pad.NONE


def test_taps_have_one_clock_for_shifts_and_turns() -> None:
    steering = Steering(TAPS_12HZ)
    assert steering.input_state() == InputState(Pad.NONE, 0, 0)
    steering.idle_pad(Pad.LEFT)
    waits = []
    for _ in range(5):
        waits.append(steering.input_state().rest)
        assert steering.input_state().turn_rest == steering.input_state().rest
        steering.idle_pad()
    assert waits == [4, 3, 2, 1, 0], "an edge in frame 0, the next one in frame 5 at 12 Hz"


def test_das_has_two_clocks_and_holding_is_no_edge() -> None:
    steering = Steering(DAS)
    steering.idle_pad(Pad.LEFT)
    assert steering.input_state() == InputState(Pad.LEFT, 5, 0)
    for _ in range(4):
        steering.idle_pad(Pad.LEFT)
    assert steering.input_state() == InputState(Pad.LEFT, 1, 0)
    steering.idle_pad(Pad.LEFT | Pad.A)
    assert steering.input_state() == InputState(Pad.LEFT | Pad.A, 0, 5)


def test_down_is_free() -> None:
    steering = Steering(TAPS_12HZ)
    steering.idle_pad(Pad.DOWN)
    assert steering.input_state() == InputState(Pad.DOWN, 0, 0)


def test_reaction_runs_off_frame_by_frame_under_control() -> None:
    steering = Steering(Tempo(3, 2, das=False, name="quick"))
    steering.new_piece()
    steering.follow(placement())
    waits = []
    for _ in range(5):
        waits.append(steering.input_state().rest)
        steering.next_pad(SOMEWHERE)
    assert waits[0] == 3
    assert steering.input_state().rest == 0


def test_reaction_begins_with_each_piece() -> None:
    steering = Steering(Tempo(7, 5, das=False, name="slow"))
    steering.new_piece()
    steering.follow(placement())
    assert steering.input_state().rest == 7
    steering.idle_pad()
    assert steering.input_state().rest == 7, "only frames under control count"
    for _ in range(3):
        steering.next_pad(SOMEWHERE)
    steering.new_piece()
    assert steering.input_state().rest == 7


MOVES = (Step(Pad.A, 1, 5, -1), Step(Pad.RIGHT, 1, 6, -1))


def test_a_move_is_sent_and_read_back_before_the_next() -> None:
    steering = Steering(parse_taps("30hz"), buttons=SOFT)
    steering.follow(Placement(1, 6, 9, moves=MOVES))
    assert steering.next_pad(Piece(0, 5, 0)) == Pad.A
    for row in (0, 1, 1):  # it falls, but has not turned yet
        assert steering.agrees(Piece(0, 5, row))
        assert steering.next_pad(Piece(0, 5, row)) == Pad.NONE
    assert steering.agrees(Piece(1, 5, 1))
    assert steering.next_pad(Piece(1, 5, 1)) == Pad.RIGHT
    assert steering.agrees(Piece(1, 6, 2))
    assert [steering.next_pad(Piece(1, 6, 2)) for _ in range(3)] == [Pad.DOWN] * 3, "held until it locks"
    assert steering.agrees(Piece(1, 6, 5))
    assert not steering.agrees(Piece(1, 7, 5)), "somebody else pressed"


def test_a_move_that_does_something_else_or_nothing_is_noticed() -> None:
    for after in (Piece(3, 5, 0), Piece(1, 4, 0)):
        steering = Steering(parse_taps("30hz"))
        steering.follow(Placement(1, 6, 9, moves=MOVES))
        steering.next_pad(Piece(0, 5, 0))
        assert not steering.agrees(after)
    steering = Steering(parse_taps("30hz"), latency=2)
    steering.follow(Placement(1, 6, 9, moves=MOVES))
    steering.next_pad(Piece(0, 5, 0))
    read = [steering.agrees(Piece(0, 5, 0)) for _ in range(20)]
    assert read.index(False) == 14, "twelve frames and the latency are waited for"


def test_moves_keep_the_tempo() -> None:
    steering = Steering(parse_taps("..X...."), buttons=SOFT)
    steering.new_piece()
    steering.follow(Placement(1, 6, 9, moves=MOVES))
    where, pads = Piece(0, 5, 0), []
    for _ in range(9):
        steering.agrees(where)
        pads.append(steering.next_pad(where))
        where = {Pad.A: Piece(1, 5, 0), Pad.RIGHT: Piece(1, 6, 0)}.get(pads[-1], where)
    assert pads == [Pad.NONE] * 2 + [Pad.A] + [Pad.NONE] * 4 + [Pad.RIGHT, Pad.DOWN]


def test_exploring_goes_on_whatever_an_input_does() -> None:
    steering = Steering(parse_taps("30hz"), buttons=HARD)
    steering.follow(Placement(ANYWHERE, 6, ANYWHERE, moves=(Step(Pad.A, ANYWHERE, ANYWHERE, ANYWHERE),)))
    steering.next_pad(Piece(0, 5, 0))
    pads = []
    for _ in range(16):
        assert steering.agrees(Piece(0, 5, 0))
        pads.append(steering.next_pad(Piece(0, 5, 0)))
    assert pads == [Pad.NONE] * 12 + [Pad.B] + [Pad.NONE] * 3, "tapped once"


def test_the_tempo_counts_the_maps_own_buttons() -> None:
    steering = Steering(TAPS_12HZ, buttons=HARD)
    steering.idle_pad(Pad.A)
    assert steering.input_state().rest == 0, "A does nothing in this game"
    steering.idle_pad(Pad.UP)
    assert steering.input_state().rest == 4


def test_a_start_between_two_pieces_is_an_input_like_the_others() -> None:
    steering = Steering(Tempo(0, 8, das=False, name=""))
    piece = Piece(10, 5, 18)
    steering.follow(Placement(10, 5, 18, (Step(Pad.NONE, 10, 5, 18),)), after_lock=(Pad.NONE, Pad.START, Pad.NONE))
    assert steering.next_pad(piece) == Pad.NONE
    assert [steering.pausing, steering.pauses_next] == [True, False]
    assert [steering.between_pad() for _ in range(4)] == [Pad.NONE, Pad.START, Pad.NONE, Pad.NONE]
    assert not steering.pausing
    assert steering.input_state().rest == steering.input_state().turn_rest == 5


def led(steering: Steering, frames: int, where: Piece, effects: dict[int, Piece]) -> list[Pad]:
    """The pads of some frames; a piece moves in the frames named."""
    pads = []
    for frame in range(frames):
        where = effects.get(frame, where)
        steering.agrees(where)
        pads.append(steering.next_pad(where))
    return pads


def test_each_press_and_each_release_last_as_long_as_the_game_needs() -> None:
    steering = Steering(parse_taps("30hz"), buttons=SOFT, press=3)
    steering.new_piece()
    steering.follow(Placement(1, 6, 9, moves=MOVES))
    effects = {2: Piece(1, 5, 0), 9: Piece(1, 6, 0)}
    pads = led(steering, 16, Piece(0, 5, 0), effects)
    assert pads == [Pad.A] * 3 + [Pad.NONE] * 3 + [Pad.RIGHT] * 3 + [Pad.DOWN] * 7


def test_a_press_goes_on_when_its_piece_is_gone() -> None:
    steering = Steering(parse_taps("30hz"), buttons=SOFT, press=4)
    steering.follow(Placement(1, 6, 9, moves=MOVES))
    assert led(steering, 2, Piece(0, 5, 0), {}) == [Pad.A] * 2
    steering.new_piece()
    assert [steering.idle_pad() for _ in range(3)] == [Pad.A, Pad.A, Pad.NONE]
    steering.follow(Placement(1, 6, 9, moves=MOVES))
    assert led(steering, 5, Piece(0, 5, 0), {}) == [Pad.NONE] * 3 + [Pad.A] * 2


@pytest.mark.parametrize("press", [1, 3])
def test_a_piece_is_tapped_down_where_nothing_is_to_be_held(press: int) -> None:
    buttons = Buttons.model_validate({**PLAIN, "step_down": "DOWN"})
    steering = Steering(parse_taps("30hz"), buttons=buttons, press=press)
    steering.follow(Placement(0, 5, 9, moves=()))
    pads = led(steering, 4 * press, Piece(0, 5, 0), {})
    assert pads == ([Pad.DOWN] * press + [Pad.NONE] * press) * 2


def test_a_gentle_drop_leaves_out_the_drop_at_once() -> None:
    buttons = Buttons.model_validate({**PLAIN, "soft_drop": "DOWN", "hard_drop": "UP"})
    for gently, button in ((True, Pad.DOWN), (False, Pad.UP)):
        steering = Steering(parse_taps("30hz"), buttons=buttons)
        steering.follow(Placement(0, 5, 9, moves=()), gently=gently)
        assert led(steering, 1, Piece(0, 5, 0), {}) == [button]


@pytest.mark.parametrize(("hands", "rest"), [(None, 0), (HANDS, 7)])
def test_only_a_person_has_to_see_first_that_a_piece_is_elsewhere(hands: Hands | None, rest: int) -> None:
    steering = Steering(Tempo(7, 2, das=False, name="slow"), hands=hands)
    steering.new_piece()
    steering.follow(placement())
    for _ in range(9):
        steering.next_pad(SOMEWHERE)
    steering.lose_track()
    assert (steering.active, steering.input_state().rest) == (False, rest)


def test_what_was_to_follow_the_lock_is_forgotten_with_the_placement() -> None:
    steering = Steering(TAPS_12HZ)
    steering.follow(placement(), after_lock=(Pad.START, Pad.NONE))
    assert steering.between_pad() == Pad.START
    steering.follow(placement(), after_lock=(Pad.START, Pad.NONE))
    steering.forget()
    assert steering.between_pad() == Pad.NONE
