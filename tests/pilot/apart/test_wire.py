"""What goes over the wire comes out the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from emubot.pad import Pad
from emubot.pilot.apart.wire import Ask, Way, line_of, order_of
from emubot.snapshot import Placement, Step
from emubot.tempo import InputState

_NUMBERS = st.integers(-40, 40)
_STEPS = st.lists(st.builds(Step, st.integers(0, 255).map(Pad), _NUMBERS, _NUMBERS, _NUMBERS), max_size=5).map(tuple)


@given(st.builds(Placement, _NUMBERS, _NUMBERS, _NUMBERS, _STEPS, st.floats(allow_nan=False), _STEPS))
def test_a_placement_arrives_whole(placement: Placement) -> None:
    arrived = Way.model_validate_json(Way.of(placement).model_dump_json()).placement
    assert arrived == placement
    assert (arrived.timeline, arrived.moves, arrived.value) == (placement.timeline, placement.moves, placement.value)


@given(st.binary(max_size=64), st.integers(0, 20), st.integers(0, 20), st.integers(0, 30), st.integers(0, 255))
def test_an_ask_arrives_whole_and_its_inputs_age(ram: bytes, rest: int, turn_rest: int, wait: int, held: int) -> None:
    ask = Ask(
        number=1, piece=2, ram=ram, pads=(0, 1), held=held, rest=rest, turn_rest=turn_rest,
        diverted=(1, 2, 3), shown=True, wait=wait, preview=False,
    )  # fmt: skip
    assert order_of(line_of(ask)) == ask
    aged = InputState(Pad.NONE if wait else Pad(held), max(rest - wait, 0), max(turn_rest - wait, 0))
    assert ask.input_state == aged
