"""When memory is that of a running game: eight frames that make sense, its counter counting on; nothing less."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from emubot.pilot.liveness import _STILL, Pulse
from emubot.snapshot import Phase, Snapshot


def seen(counter: int, phase: Phase = Phase.PLAYING) -> Snapshot:
    nothing = np.zeros((1, 1), dtype=np.uint8)
    return Snapshot(phase, phase.value, nothing, nothing, None, (), {"frames": counter})


def trusted(frames: Sequence[Snapshot], counter: str | None = "frames") -> list[bool]:
    pulse = Pulse(counter, lambda before, after: True)
    found = []
    for snapshot in frames:
        pulse.lagged(None, snapshot, was_playing=False)
        found.append(pulse.trusted)
    return found


def test_eight_frames_that_count_on_are_a_game() -> None:
    assert trusted([seen(number) for number in range(11)]) == [False] * 8 + [True] * 3
    assert trusted([seen(0)] * 10, counter=None) == [False] * 7 + [True] * 3, "where the map names no counter"


@pytest.mark.parametrize(
    "counters",
    [[5] * 40, [100 * number for number in range(40)], list(range(40, 0, -1)), [1, 2, 3, 4, 5, 6, 7, 7] * 5],
    ids=["stands still", "jumps", "counts down", "stands still before the eighth"],
)
def test_memory_whose_counter_does_anything_else_is_none(counters: list[int]) -> None:
    assert not any(trusted([seen(number) for number in counters]))


def test_an_unknown_frame_takes_it_all_back() -> None:
    frames = [seen(number) for number in range(10)]
    frames[9] = seen(9, Phase.UNKNOWN)
    assert trusted([*frames, *(seen(number) for number in range(10, 19))]) == (
        [False] * 8 + [True] + [False] * 8 + [True] * 2
    )


def test_play_in_which_nothing_moves_any_more_is_a_pause() -> None:
    moving = [False]
    pulse = Pulse("frames", lambda before, after: moving[0])
    frame, menu = seen(0), seen(0, Phase.MENU)
    assert [pulse.phase(frame, frame) for _ in range(_STILL + 2)] == [Phase.PLAYING] * _STILL + [Phase.PAUSED] * 2
    assert pulse.phase(menu, menu) is Phase.MENU
    assert pulse.phase(frame, frame) is Phase.PLAYING, "a menu stands still as long as it likes"
    assert [pulse.phase(frame, frame) for _ in range(_STILL)][-1] is Phase.PAUSED
    moving[0] = True
    assert pulse.phase(frame, frame) is Phase.PLAYING
    moving[0] = False
    assert [pulse.phase(None, frame) for _ in range(_STILL + 1)][-1] is Phase.PLAYING, "outside a game"
