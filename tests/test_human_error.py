"""A person's hands: without error they press what was planned, and with one what it says."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.human_error import USUAL_ERROR, Hands, HumanError, parse_human_error
from emubot.pad import Pad
from emubot.session.request import SessionRequest
from emubot.session.session import open_session
from emubot.tempo import parse_taps

PADS = st.lists(
    st.sampled_from([Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.LEFT | Pad.B, Pad.DOWN, Pad.DOWN | Pad.RIGHT]),
    max_size=40,
)


def hands(frames: float, missed: float, seed: int = 0) -> Hands:
    return Hands(HumanError(frames, missed), np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", HumanError(2, USUAL_ERROR.missed)),
        ("1.5:0.2", HumanError(1.5, 0.2)),
        ("usual", USUAL_ERROR),
        ("0:0", HumanError(0, 0)),
    ],
)
def test_an_error_is_frames_and_a_share(text: str, expected: HumanError) -> None:
    assert parse_human_error(text) == expected


@pytest.mark.parametrize("text", ["", "x", "1:", "-1", "1:2", "31", "nan", "1:nan", "inf"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="A human error is FRAMES or FRAMES:SHARE"):
        parse_human_error(text)


@given(PADS)
def test_hands_without_error_press_what_was_planned(pads: list[Pad]) -> None:
    pressed = hands(0, 0).press(pads, Pad.NONE, Pad.DOWN)
    assert pressed[: len(pads)] == pads
    assert not any(pressed[len(pads) :])


@given(PADS, st.floats(0, 6), st.floats(0, 1))
def test_what_is_held_before_goes_on_being_held_and_is_no_tap(pads: list[Pad], frames: float, missed: float) -> None:
    assert hands(0, 0).press([Pad.LEFT, *pads], Pad.LEFT, Pad.NONE)[: 1 + len(pads)] == [Pad.LEFT, *pads]
    held = [Pad.LEFT] * 9
    assert hands(frames, missed).press(held, Pad.LEFT, Pad.NONE)[:9] == held, "nothing is to be timed"


@given(st.integers(0, 99))
def test_hands_never_press_up_and_down(seed: int) -> None:
    pressed = hands(2, 0, seed).press([Pad.UP, Pad.UP, Pad.DOWN, Pad.DOWN], Pad.NONE, Pad.DOWN)
    assert not any(pad & Pad.UP and pad & Pad.DOWN for pad in pressed)


@given(PADS, st.floats(0, 6), st.floats(0, 1), st.integers(0, 99))
def test_hands_press_no_more_taps_than_planned_and_never_both_ways(
    pads: list[Pad], frames: float, missed: float, seed: int
) -> None:
    pressed = hands(frames, missed, seed).press(pads, Pad.NONE, Pad.DOWN)
    assert pressed == hands(frames, missed, seed).press(pads, Pad.NONE, Pad.DOWN)
    assert not any(pad & Pad.LEFT and pad & Pad.RIGHT for pad in pressed)
    assert [pad & Pad.DOWN for pad in pressed[: len(pads)]] == [pad & Pad.DOWN for pad in pads], "nobody times that one"
    for button in (Pad.A, Pad.B):
        planned, made = (edges(shown, button) for shown in (pads, pressed))
        assert made <= planned
    if missed == 1:
        assert not any(pad & ~Pad.DOWN for pad in pressed)


def edges(pads: list[Pad], button: Pad) -> int:
    down = [False, *(bool(pad & button) for pad in pads)]
    return sum(now and not before for before, now in pairwise(down))


def played(error: HumanError | None, taps: str, level: int, pieces: int = 40, seed: int = 3) -> tuple[int, ...]:
    """Pieces, misplaced and replans of a game of falling blocks on the simulator."""
    tempo = parse_taps(taps)
    request = SessionRequest(
        demo="tetris",
        bridge="simulated",
        seed=seed,
        tempos=(tempo, tempo),
        menu_choices={"level": level},
        human_error=error,
    )
    with closing(open_session(request)) as opened:
        match = opened.match(pieces, None)
        while not match.finished:
            match.step()
        (pilot,) = match.pilots
        return pilot.tally.pieces, pilot.tally.misplaced, pilot.tally.replans


@pytest.mark.slow
@pytest.mark.jit
def test_a_game_is_played_with_the_errors_of_a_person_and_repeats(caplog: pytest.LogCaptureFixture) -> None:
    assert played(HumanError(0, 0), "10hz", 5) == played(None, "10hz", 5) == (40, 0, 0)
    wrong = HumanError(4, 0.2)
    pieces, misplaced, replans = played(wrong, "12hz", 9)
    assert pieces == 40
    assert replans > 20, "errors are mended where there is time"
    assert (pieces, misplaced, replans) == played(wrong, "12hz", 9)
    assert (pieces, misplaced, replans) != played(wrong, "12hz", 9, seed=4)
    assert "the map" not in caplog.text, "an error of the hands is no doubt about the map"


@pytest.mark.jit
def test_where_pieces_fall_fast_errors_misplace_them(caplog: pytest.LogCaptureFixture) -> None:
    _, misplaced, _ = played(HumanError(6, 1), "12hz", 19, pieces=12)
    assert misplaced > 9
    assert "the map" not in caplog.text, "an error of the hands is no doubt about the map"
