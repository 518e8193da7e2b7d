"""A person's buttons: the newest of two opposites wins, and no tap is lost; the naive twin keeps a list of presses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from emubot.pad import Pad, legal
from emubot.view.window.held import HeldButtons

BUTTONS = [button for button in Pad if button]
OPPOSITE = {Pad.LEFT: Pad.RIGHT, Pad.RIGHT: Pad.LEFT, Pad.UP: Pad.DOWN, Pad.DOWN: Pad.UP}


def test_the_newest_of_two_opposites_counts_and_the_older_comes_back() -> None:
    held = HeldButtons()
    held.press("left key", Pad.LEFT)
    assert held.read() == Pad.LEFT
    held.press("right key", Pad.RIGHT)
    held.press("x", Pad.A)
    assert held.read() == Pad.RIGHT | Pad.A
    held.release("right key")
    assert held.read() == Pad.LEFT | Pad.A
    held.press("right key", Pad.RIGHT)
    held.press("left key", Pad.LEFT)
    assert held.read() == Pad.LEFT | Pad.A
    held.release("right key")
    held.press("up", Pad.UP)
    held.press("down", Pad.DOWN)
    held.release("left key")
    assert held.read() == Pad.DOWN | Pad.A


def test_a_tap_between_two_frames_is_seen_for_one() -> None:
    held = HeldButtons()
    held.press("x", Pad.A)
    held.release("x")
    assert held.read() == Pad.A
    assert held.read() == Pad.NONE


def test_a_key_that_goes_down_again_before_its_tap_was_read_stays_down() -> None:
    held = HeldButtons()
    for _ in range(2):
        held.press("x", Pad.A)
        held.release("x")
    held.press("x", Pad.A)
    assert [held.read(), held.read()] == [Pad.A, Pad.A]


def test_a_button_is_held_as_long_as_one_of_its_sources_is() -> None:
    held = HeldButtons()
    held.press("key", Pad.B)
    held.press("gamepad", Pad.B)
    held.read()
    held.release("key")
    assert held.read() == Pad.B
    held.release("gamepad")
    held.release("never pressed")
    assert held.read() == Pad.NONE


def test_everything_is_let_go_at_once() -> None:
    held = HeldButtons()
    held.press("x", Pad.A)
    held.press("z", Pad.B)
    held.read()
    held.press("left", Pad.LEFT)
    held.release("left")
    held.release_all()
    assert held.read() == Pad.NONE
    held.release("x")
    assert held.read() == Pad.NONE


Events = st.lists(
    st.one_of(
        st.tuples(st.just("press"), st.sampled_from(BUTTONS)),
        st.tuples(st.just("release"), st.sampled_from(BUTTONS)),
        st.tuples(st.just("read"), st.just(Pad.NONE)),
    ),
    max_size=60,
)


@given(Events)
def test_as_the_naive_twin_has_it(events: list[tuple[str, Pad]]) -> None:
    """One source for each button; the twin remembers what is down and what went down since the last reading."""
    held = HeldButtons()
    order: list[Pad] = []  # every press, oldest first
    down: set[Pad] = set()
    fresh: set[Pad] = set()
    for what, button in [*events, ("read", Pad.NONE)]:
        if what == "press":
            held.press(button, button)
            order.append(button)
            down.add(button)
            fresh.add(button)
        elif what == "release":
            held.release(button)
            down.discard(button)
        else:
            candidates = down | fresh
            age = {one: max(at for at, pressed in enumerate(order) if pressed == one) for one in candidates}
            expected = Pad.NONE
            for one in candidates:
                rival = OPPOSITE.get(one)
                if rival not in candidates or age[one] > age[rival]:
                    expected |= one
            pad = held.read()
            assert pad == expected
            assert legal(pad)
            fresh.clear()
