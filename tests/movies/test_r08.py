"""Latches for a console: what arrives at the pad's wire is what was pressed, in the order in which it was."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.movies import r08
from emubot.pad import Pad

# The order in which a pad's shift register gives its buttons: nesdev.org/wiki/Standard_controller.
REGISTER = ("A", "B", "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
ROWS = st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), min_size=1, max_size=40)


def decoded(content: bytes) -> Iterator[tuple[set[str], set[str]]]:
    """The names of the buttons at each latch: a byte a port, the highest bit first on the wire."""
    for at in range(0, len(content), 2):
        wires = (f"{byte:08b}" for byte in content[at : at + 2])
        first, second = ({name for name, bit in zip(REGISTER, wire, strict=True) if bit == "1"} for wire in wires)
        yield first, second


def names(held: int) -> set[str]:
    return {button.name or "" for button in Pad(held)}


@given(ROWS)
def test_each_latch_gives_the_buttons_of_its_frame(rows: list[tuple[int, int]]) -> None:
    content = r08(np.array(rows, dtype=np.uint8))
    assert len(content) == 2 * len(rows)
    assert [*decoded(content)] == [(names(first), names(second)) for first, second in rows]


def test_the_first_frames_can_be_left_out() -> None:
    pads = np.array([[0, 0], [0, 0], [Pad.A, 0], [0, Pad.RIGHT]], dtype=np.uint8)
    assert r08(pads, 2) == bytes([0x80, 0, 0, 0x01])
    with pytest.raises(UsageError, match=r"Frame 2 has a button, and the first 3 are to be left out: choose a smaller"):
        r08(pads, 3)
    with pytest.raises(UsageError, match=r"The game has 4 frames, so the first 4 cannot be left out\."):
        r08(pads, 4)


def test_other_shapes_are_refused() -> None:
    with pytest.raises(UsageError, match="as \\(frames, 2\\) bytes"):
        r08(np.zeros((4, 4), dtype=np.uint8))
