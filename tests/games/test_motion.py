"""Motion by tables: the locks found, the pads to each, and single moves, against the slow, obvious search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.games.motion import Fall, Grid, Shapes, moved, straight, timed
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece
from emubot.tempo import InputState, Tempo, parse_taps
from tests.games.motion_twin import (
    BAR,
    BLOCK,
    BUTTON_SETS,
    CORNER,
    KICKED,
    TEMPI,
    Air,
    World,
    air_of,
    follow,
    grids,
)

PIECES = {"bar": BAR, "kicked": KICKED, "corner": CORNER, "block": BLOCK}
HELD = (Pad.NONE, Pad.NONE, Pad.DOWN, Pad.LEFT, Pad.A)
EMPTY = Grid(np.zeros((8, 6), dtype=np.uint8), 2, -2)


@settings(max_examples=20, deadline=None)
@given(
    grids(),
    st.sampled_from(sorted(PIECES)),
    st.sampled_from(TEMPI),
    st.sampled_from(BUTTON_SETS),
    st.tuples(st.integers(1, 7), st.integers(0, 3), st.integers(1, 7)),
    st.tuples(st.integers(0, 3), st.integers(-1, 5), st.integers(-2, 3)),
    st.tuples(st.sampled_from(HELD), st.integers(0, 8), st.integers(0, 5)),
)
def test_the_locks_are_those_of_the_slow_search_and_every_timeline_comes_true(
    grid: Grid,
    name: str,
    tempo: Tempo,
    buttons: Buttons,
    clock: tuple[int, int, int],
    at: tuple[int, int, int],
    hands_at: tuple[Pad, int, int],
) -> None:
    gravity, soft_drop, timer = clock
    shapes, fall, input_state = PIECES[name], Fall(gravity, soft_drop), InputState(*hands_at)
    start = Piece(int(shapes.shown[at[0] % len(shapes.shown)]), at[1], at[2])
    world = World(grid, shapes, fall, buttons)
    air = air_of(world, shapes, start, timer, tempo, input_state)
    assume(world.fits(*air[:3]))
    flight = timed(grid, shapes, start, fall, timer, tempo, input_state, buttons)
    slow = world.explore(air, tempo, soft_drop=False)
    assert {lock[:3]: lock.frames for lock in flight.locks} == slow
    assert set(world.explore(air, tempo, soft_drop=True)) == set(slow), "soft drop reaches nothing else"
    for lock in flight.locks:
        steps = flight.timeline(*lock[:3])
        assert follow(world, air, tempo, steps) == lock[:3]
        assert len(steps) <= lock.frames
        idle = min(air.shift_wait, air.turn_wait)
        assert all(step.pad == Pad.NONE for step in steps[:idle]), "nothing, not even soft drop, before hands may press"
        half = [step.pad for step in steps[: len(steps) // 2]]
        before = moved(grid, shapes, start, fall, timer, input_state.held, half, buttons)
        after = moved(grid, shapes, start, fall, timer, input_state.held, [step.pad for step in steps], buttons)
        for place, step in ((before, steps[len(half) - 1] if half else None), (after, steps[-1])):
            shown = (int(shapes.shown[place.orientation]), place.column, place.row)
            assert step is None or shown == (step.orientation, step.column, step.row)
        assert (before.locked, after.locked) == (False, True)
        taps = [frame for frame, step in enumerate(steps) if step.pad & (world.taps & ~(buttons.hard_drop or Pad.NONE))]
        assert (max(taps, default=-1) < lock.busy) if taps else lock.busy == 0


@pytest.mark.parametrize(
    ("rows", "start", "gravity", "timer", "rests"),
    [
        # A turn and a shift together wait for the later of both clocks.
        (["....", "....", "....", "...."], Piece(3, 0, 0), 4, 4, (1, 2)),
        (["....", "....", "#...", "#.#."], Piece(3, 0, 0), 5, 4, (1, 3)),
        # Another way to the same place is found later, with one frame less to rest.
        (["......", "..#...", "##...#", "#.....", "...#.#"], Piece(3, 3, 0), 3, 3, (5, 5)),
        # Lifted by a floor kick, back where it was after an earlier fall, but with less to rest.
        ([".....", ".....", ".#...", "...#."], Piece(3, 0, -1), 4, 4, (2, 1)),
    ],
)
def test_clocks_that_run_apart(rows: list[str], start: Piece, gravity: int, timer: int, rests: tuple[int, int]) -> None:
    solid = np.array([[cell == "#" for cell in row] for row in rows])
    grid, fall, input_state = Grid(solid, 1, -3), Fall(gravity), InputState(Pad.NONE, *rests)
    world, tempo = World(grid, KICKED, fall, BUTTON_SETS[0]), parse_taps("das")
    flight = timed(grid, KICKED, start, fall, timer, tempo, input_state, BUTTON_SETS[0])
    air = air_of(world, KICKED, start, timer, tempo, input_state)
    assert {lock[:3]: lock.frames for lock in flight.locks} == world.explore(air, tempo, soft_drop=False)


@given(
    grids(),
    st.sampled_from(sorted(PIECES)),
    st.sampled_from(BUTTON_SETS),
    st.integers(0, 3),
    st.tuples(st.integers(0, 3), st.integers(-1, 5), st.integers(-2, 1)),
    st.lists(st.integers(0, 3), min_size=30, max_size=30),
    st.sampled_from([(0, 0), (0.5, 0), (1, 1.5), (2, 0)]),
)
def test_single_moves_work_however_the_piece_falls_meanwhile(
    grid: Grid,
    name: str,
    buttons: Buttons,
    slack: int,
    at: tuple[int, int, int],
    falls: list[int],
    speed: tuple[float, float],
) -> None:
    pace, wait = speed
    shapes = PIECES[name]
    start = Piece(int(shapes.shown[at[0] % len(shapes.shown)]), at[1], at[2])
    world = World(grid, shapes, Fall(99), buttons)
    air = Air(shapes.index(start.orientation), start.column, start.row, 99)
    found = straight(grid, shapes, start, buttons, slack, pace, wait)
    assert bool(found) == world.fits(*air[:3])
    for placement in found:
        piece, fallen = air, 0
        for number, (move, fall) in enumerate(zip(placement.moves, falls, strict=False), start=1):
            most = max(slack, (wait + number * pace) // 1 + (1 if slack else 0)) if pace else slack
            down = int(min(fall, most - fallen))
            assert all(world.fits(piece.orientation, piece.column, piece.row + rows) for rows in range(down + 1))
            piece, fallen = piece._replace(row=piece.row + down), fallen + down
            piece, _ = world.frame(piece._replace(held=Pad.NONE, timer=99), move.pad)
            assert (world.shown[piece.orientation], piece.column, piece.row - fallen) == (
                move.orientation,
                move.column,
                move.row,
            )
        row = piece.row
        while world.fits(piece.orientation, piece.column, row + 1):
            row += 1
        assert (placement.orientation, placement.column, placement.row) == (
            world.shown[piece.orientation],
            piece.column,
            row,
        )


def test_single_moves_reach_every_column_of_an_empty_grid_the_short_way() -> None:
    start = Piece(3, 2, -1)
    found = straight(EMPTY, KICKED, start, BUTTON_SETS[0])
    flight = timed(EMPTY, KICKED, start, Fall(20), 20, TEMPI[0], InputState(), BUTTON_SETS[0])
    assert {(place.orientation, place.column, place.row) for place in found} == {lock[:3] for lock in flight.locks}
    moves = {(place.orientation, place.column): len(place.moves) for place in found}
    assert (moves[3, 2], moves[3, 0], moves[3, 4], moves[4, 5], moves[5, 5]) == (0, 2, 2, 4, 4)
    turned = next(place for place in found if (place.orientation, place.column) == (5, 2))
    assert [(step.pad, step.orientation, step.column, step.row) for step in turned.moves] == [(Pad.B, 5, 2, -1)]
    assert turned.timeline == ()


def test_a_start_high_up_or_beside_the_grid() -> None:
    buttons = BUTTON_SETS[0]
    high = timed(EMPTY, BAR, Piece(3, 3, -9), Fall(2), 2, TEMPI[0], InputState(), buttons)
    assert {lock.row for lock in high.locks} == {5, 4}
    for column in (-1, 9):
        start = Piece(3, column, 0)
        assert timed(EMPTY, BAR, start, Fall(2), 2, TEMPI[0], InputState(), buttons).locks == ()
        assert straight(EMPTY, BAR, start, buttons) == ()
    with pytest.raises(ValueError, match="no orientation 9"):
        timed(EMPTY, BAR, Piece(9, 2, 0), Fall(2), 2, TEMPI[0], InputState(), buttons)
    with pytest.raises(UsageError, match="orientation 3 cannot lock at column 0, row 5 from here"):
        high.timeline(3, 0, 5)


def test_a_hard_drop_locks_at_once_and_soft_drop_is_held_when_all_is_done() -> None:
    start = Piece(3, 2, 0)
    soft = timed(EMPTY, BAR, start, Fall(30, 2), 30, TEMPI[0], InputState(), BUTTON_SETS[0])
    assert {lock.frames for lock in soft.locks if lock.orientation == 3} == {6 * 30}
    pads = [step.pad for step in soft.timeline(3, 3, 5)]
    assert pads == [Pad.RIGHT] + [Pad.DOWN] * 12
    hard = timed(EMPTY, BAR, start, Fall(30, 2), 30, TEMPI[0], InputState(rest=1), BUTTON_SETS[1])
    assert [(step.pad, step.row) for step in hard.timeline(3, 3, 5)] == [
        (Pad.NONE, 0),
        (Pad.RIGHT, 0),
        (Pad.NONE, 0),
        (Pad.UP, 5),
    ]
    assert all(lock.dropped for lock in hard.locks)


def test_soft_drop_brings_a_tuck_down_sooner_and_waits_for_the_reaction() -> None:
    solid = np.zeros((12, 6), dtype=np.uint8)
    solid[9, :3] = 1  # a roof over rows 10 and 11
    start, tempo = Piece(3, 4, 0), parse_taps("....X...")
    flight = timed(Grid(solid, 0, 0), BAR, start, Fall(30, 2), 30, tempo, InputState(rest=4), BUTTON_SETS[0])
    steps = flight.timeline(3, 3, 11)
    assert [step.pad for step in steps[:5]] == [Pad.NONE] * 4 + [Pad.DOWN]
    assert [step.row for step in steps if step.pad == Pad.LEFT] == [10]
    assert len(steps) < 40 < next(lock.frames for lock in flight.locks if lock[:3] == (3, 3, 11))


def test_tables_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="an id shown for each orientation"):
        Shapes(BAR.cells, BAR.turns, np.arange(3))
    with pytest.raises(ValueError, match="turns are"):
        Shapes(BAR.cells, BAR.turns[:, :1], BAR.shown)
    with pytest.raises(ValueError, match="a turn leads to an orientation that there is not"):
        Shapes(BAR.cells, BAR.turns + np.int8(1), BAR.shown)
    with pytest.raises(ValueError, match="a row takes at least one frame"):
        Fall(0)


@pytest.mark.parametrize(("pace", "wait", "most"), [(0, 0, 9), (1, 0, 4), (2, 0, 2), (1, 1.5, 3), (0.5, 0, 9)])
def test_a_long_way_needs_room_to_fall_in(pace: float, wait: float, most: int) -> None:
    wide = Grid(np.zeros((7, 20), dtype=np.uint8), 0, 0)  # a piece of two rows in the highest ones has five below it
    found = straight(wide, BLOCK, Piece(int(BLOCK.shown[0]), 9, 1), BUTTON_SETS[0], 1, pace, wait)
    assert max(len(placement.moves) for placement in found) == most


def test_a_piece_that_rests_already_is_not_moved() -> None:
    solid = np.zeros((7, 20), dtype=np.uint8)
    solid[2, 10] = 1
    found = straight(Grid(solid, 0, 0), BLOCK, Piece(int(BLOCK.shown[0]), 9, 1), BUTTON_SETS[0], 1)
    assert [placement.moves for placement in found] == [()]
