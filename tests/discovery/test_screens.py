"""Which bytes tell a phase: the game's own state before late copies of it, and before what only happened to show it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.discovery.screens import Teller, late_copies

MODE, LATE, COUNTER, CHANCE = 3, 1, 0, 2  # the late copy has the lower address
GAME, OVER, MENU = 1, 2, 0
STACKED = 0x1F8  # of the stack page


def passage(modes: list[int], frames: int = 20) -> History:
    mode = np.repeat(modes, frames)
    found = np.zeros((len(mode), 4), np.uint8)
    found[:, MODE], found[1:, LATE] = mode, mode[:-1]
    found[:, COUNTER] = np.arange(len(mode)) // 2
    found[0, LATE] = mode[0]
    return found


def test_a_byte_that_repeats_another_one_a_frame_later_is_a_late_copy() -> None:
    passages = [passage([GAME, OVER]), passage([OVER, MENU, GAME])]
    assert late_copies(passages) == {LATE: {MODE}}
    passages[1][5, LATE] = 9
    assert late_copies(passages) == {LATE: {MODE}}, "though it shows more"
    assert late_copies(passages[:1]) == {}, "one change may be chance"


def test_what_is_late_tells_a_phase_only_where_nothing_else_does() -> None:
    game, over = passage([GAME]), passage([OVER])
    late = {LATE: {MODE}}
    assert [*Teller([game, over], {COUNTER}, set(), late).tell(game, over).numbers] == [MODE]
    assert [*Teller([game, over], {COUNTER, MODE}, set(), late).tell(game, over).numbers] == [LATE]
    both = Teller([game, over], {COUNTER}, set(), late).tell(game, over, fixed=True)
    assert {*both.numbers} == {MODE, LATE}, "a piece is under control only where both say so"


@pytest.mark.parametrize(("numbers", "other"), [(np.arange(20) % 3, np.arange(40, 60)), (np.arange(20) // 5, 9)])
def test_a_byte_with_some_of_many_numbers_or_one_for_each_game_tells_no_phase_if_others_do(
    numbers: NDArray[np.int64], other: NDArray[np.int64] | int
) -> None:
    game, over, paused = passage([GAME]), passage([OVER]), passage([GAME])
    game[:, CHANCE] = numbers
    over[:, CHANCE] = paused[:, CHANCE] = other
    over[:, LATE], paused[:, LATE] = GAME, 7
    others = np.concatenate([over, paused])
    assert {*Teller([game, others], {COUNTER}, set()).tell(game, others).numbers} == {MODE, LATE}
    assert {*Teller([game, others], {COUNTER, LATE}, set()).tell(game, others).numbers} == {CHANCE}


def states(*pairs: tuple[int, int]) -> History:
    """Frames with these numbers as the game's state, and in the stack."""
    images = np.zeros((len(pairs), STACKED + 1), np.uint8)
    for image, (state, depth) in zip(images, pairs, strict=True):
        image[[0, STACKED]] = state, depth
    return images


@pytest.mark.parametrize(
    ("outside", "told"),
    [
        (states((1, 9), (2, 9), (3, 9)), 0),
        (states((4, 9), (4, 8), (3, 9)), STACKED),  # the state is the same on a screen that is none of play
    ],
    ids=["the state tells all", "the state tells one"],
)
def test_the_stack_is_asked_last(outside: History, told: int) -> None:
    inside = states((4, 7), (4, 7))
    condition = Teller([inside, outside], set(), set()).tell(inside, outside, fixed=True)
    assert set(condition.numbers) == {told}
    assert condition.whole


def test_the_stack_is_asked_only_if_it_tells_all() -> None:
    """A demonstration looks like play by the state; what the stack has in it comes and goes in play, too."""
    stack, state = 0x1F8, 0x10
    images = np.zeros((4, 0x200), np.uint8)
    images[:, state] = [5, 5, 5, 1]  # play, a demonstration twice, the title
    images[:, stack] = [9, 0, 9, 0]
    control, outside = images[:1], images[1:]
    teller = Teller([control, outside], set(), set())
    assert teller.tell(control, outside, fixed=True).numbers == {state: (5,)}
    images[2, stack] = 0
    assert Teller([control, outside], set(), set()).tell(control, outside, fixed=True).numbers == {stack: (9,)}


def test_the_state_of_a_game_changes_from_screen_to_screen() -> None:
    """A scratch byte, which comes first, has as many numbers, and keeps that of the game's end on the next screen."""
    scratch, state = 0, 1
    control, title, over, again = (
        np.repeat(np.array([numbers], np.uint8), 12, 0) for numbers in ((7, 4), (9, 0), (8, 6), (8, 0))
    )
    teller = Teller([control, title, over, again], set(), set())
    assert teller.state_of(control, control, [title, over, again]) == state
    assert teller.state_of(control, control, [title, over]) == scratch, "both may be"


def test_the_state_of_a_game_has_a_number_of_its_own_on_each_screen() -> None:
    """A scratch byte tells play from all of them as well, but not these from each other."""
    scratch, state = 0, 1
    control, lock, title, over = (
        np.repeat(np.array([numbers], np.uint8), 12, 0) for numbers in ((7, 4), (9, 5), (9, 0), (9, 6))
    )
    teller = Teller([control, lock, title, over], set(), set())
    assert teller.state_of(control, lock, [title, over]) == state
    assert [*teller.tell(control, title, fixed=True).numbers] == [scratch]
    assert teller.tell(control, title, fixed=True, always=state).numbers == {state: (4,)}
    waits = title.copy()
    waits[6:, state] = np.arange(6)
    assert teller.state_of(control, lock, [waits, over]) is None, "it counts"
