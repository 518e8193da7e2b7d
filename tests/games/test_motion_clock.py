"""Motion under a fine clock: the locks found and the pads to each, against the slow, obvious search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.games.motion import Clock, Grid, clocked, moved_by_clock
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece
from emubot.tempo import InputState, Tempo, parse_taps
from tests.games.clock_twin import ClockWorld, Ticking
from tests.games.motion_twin import BLOCK, BUTTON_SETS, TEMPI, air_of, grids
from tests.games.test_motion import EMPTY, HELD, PIECES


@st.composite
def clocks(draw: st.DrawFn) -> Clock:
    """Velocities from a row in seven frames to three rows a frame, as units or as frames per row."""
    delay = draw(st.sampled_from((0, 1, 3, 6)))
    restore = delay > 0 and draw(st.booleans())
    if draw(st.booleans()):
        return Clock(1, draw(st.integers(1, 7)), 0, draw(st.integers(0, 3)), delay, restore)
    return Clock(draw(st.integers(2, 24)), 8, draw(st.sampled_from((0, 12))), 0, delay, restore)


@settings(max_examples=60, deadline=None)
@given(
    grids(),
    st.sampled_from(sorted(PIECES)),
    st.sampled_from(TEMPI),
    st.sampled_from(BUTTON_SETS),
    clocks(),
    st.tuples(st.integers(0, 6), st.integers(1, 6)),
    st.tuples(st.integers(0, 3), st.integers(-1, 5), st.integers(-2, 3)),
    st.tuples(st.sampled_from(HELD), st.integers(0, 8), st.integers(0, 5)),
)
def test_the_locks_are_those_of_the_slow_search_and_every_timeline_comes_true(
    grid: Grid,
    name: str,
    tempo: Tempo,
    buttons: Buttons,
    clock: Clock,
    state: tuple[int, int],
    at: tuple[int, int, int],
    hands_at: tuple[Pad, int, int],
) -> None:
    if name == "kicked" and clock.moves_restore:
        name = "bar"  # floor kicks that restore the delay go on for ever
    shapes, input_state = PIECES[name], InputState(*hands_at)
    state = (min(state[0], clock.unit - 1), min(state[1], max(clock.lock_delay, 1)))
    start = Piece(int(shapes.shown[at[0] % len(shapes.shown)]), at[1], at[2])
    world = ClockWorld(grid, shapes, clock, buttons)
    air = Ticking(air_of(world, shapes, start, 0, tempo, input_state), *state)
    assume(world.fits(*air.air[:3]))
    flight = clocked(grid, shapes, start, clock, state, tempo, input_state, buttons)
    slow = world.locks(air, tempo)
    found = {lock[:3] for lock in flight.locks}
    assert found == slow
    for lock in flight.locks:
        steps = flight.timeline(*lock[:3])
        assert world.play(air, tempo, steps) == lock[:3]
        assert len(steps) <= lock.frames
        assert len(steps) == lock.frames or (clock.softens and buttons.soft_drop), "nothing else makes it sooner"
        pads = [step.pad for step in steps]
        for count in (len(pads) // 2, len(pads)):
            piece = moved_by_clock(grid, shapes, start, clock, state, input_state.held, pads[:count], buttons)
            shown = (int(shapes.shown[piece.orientation]), piece.column, piece.row)
            assert count == 0 or shown == (
                steps[count - 1].orientation,
                *[steps[count - 1].column, steps[count - 1].row],
            )
            assert piece.locked == (count == len(pads))


@pytest.mark.parametrize(
    ("delay", "restores", "columns"),
    [(1, False, [2]), (5, False, [1, 2, 3]), (7, True, [0, 1, 2, 3, 4]), (2, True, [2])],
)
def test_what_restores_the_lock_delay_decides_how_far_a_piece_gets_on_the_floor(
    delay: int, restores: bool, columns: list[int]
) -> None:
    clock, tempo, start = Clock(9, 1, 0, 0, delay, restores), Tempo(0, 3, das=False, name="slow"), Piece(3, 2, 5)
    state, input_state, buttons = (0, delay), InputState(rest=2), BUTTON_SETS[4]
    flight = clocked(EMPTY, BLOCK, start, clock, state, tempo, input_state, buttons)
    assert sorted(lock.column for lock in flight.locks) == columns
    world = ClockWorld(EMPTY, BLOCK, clock, buttons)
    air = Ticking(air_of(world, BLOCK, start, 0, tempo, input_state), *state)
    assert {lock[:3] for lock in flight.locks} == world.locks(air, tempo)
    assert all(world.play(air, tempo, flight.timeline(*lock[:3])) == lock[:3] for lock in flight.locks)


def test_a_piece_that_only_a_hard_drop_moves_has_only_hard_drops() -> None:
    still = Clock(0, 8)
    start, tempo = Piece(int(BLOCK.shown[0]), 2, 1), parse_taps("30hz")
    dropped = clocked(EMPTY, BLOCK, start, still, (0, 1), tempo, InputState(), BUTTON_SETS[1])
    assert {lock.row for lock in dropped.locks} == {5}
    assert all(lock.dropped for lock in dropped.locks)
    never = clocked(EMPTY, BLOCK, start, still, (0, 1), tempo, InputState(), BUTTON_SETS[4])
    assert never.locks == ()
    with pytest.raises(UsageError, match="cannot lock at column 2, row 5"):
        never.timeline(int(BLOCK.shown[0]), 2, 5)


def test_a_start_outside_the_grid_has_no_locks_and_a_clock_has_limits() -> None:
    out = clocked(
        EMPTY, BLOCK, Piece(int(BLOCK.shown[0]), 40, 1), Clock(8, 8), (0, 1), TEMPI[0], InputState(), BUTTON_SETS[0]
    )
    assert out.locks == ()
    for wrong in ((-1, 8), (1, 0), (1, 1, 0, 0, -1)):
        with pytest.raises(ValueError, match="a clock has"):
            Clock(*wrong)


def test_a_slow_fall_beyond_the_horizon_still_ends_in_a_lock() -> None:
    tall = Grid(np.zeros((40, 4), dtype=np.uint8), 0, -2)
    flight = clocked(
        tall, BLOCK, Piece(int(BLOCK.shown[0]), 1, 2), Clock(1, 30), (0, 1), TEMPI[0], InputState(), BUTTON_SETS[0]
    )
    assert {lock[1:3] for lock in flight.locks} == {(0, 39), (1, 39), (2, 39)}
    assert len(flight.timeline(*flight.locks[0][:3])) == 30 * 38
