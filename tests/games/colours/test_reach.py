"""Reach of pairs and items against the simulator's own frame, driven with every pad; and its rules one by one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.colours.board.control import Falling, control, fits
from emubot.games.colours.board.turning import pair_shape, pair_turning
from emubot.games.colours.reach.reach import moves, pair_start, reach, result, shapes_of
from emubot.games.colours.rules import BIG, CARBUNCLE, COLUMNS, NUISANCE, PROFILES, Rules, rules_of
from emubot.games.colours.timing import PAIRS
from emubot.games.motion import Fall
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Step
from emubot.tempo import InputState, Tempo, parse_taps

Cells = NDArray[np.uint8]

RULES = PROFILES["famicom-1991"]
TSU = PROFILES["tsu"]
BUTTONS = Buttons.model_validate(
    {
        "left": "LEFT",
        "right": "RIGHT",
        "rotate_clockwise": "A",
        "rotate_counterclockwise": "B",
        "soft_drop": "DOWN",
        "start": "START",
    }
)
TAPS = Pad.LEFT | Pad.RIGHT | Pad.A | Pad.B
SIDES, TURNS = Pad.LEFT | Pad.RIGHT, Pad.A | Pad.B
FAST = parse_taps("30hz")
SMALL = rules_of("famicom-1991", {"visible_rows": 5})
KINDS = st.sampled_from([(1, 2), (2, 2), (3, NUISANCE), (BIG, BIG), (CARBUNCLE, CARBUNCLE)])


@st.composite
def fields(draw: st.DrawFn, rules: Rules = SMALL) -> Cells:
    """Columns of any height, with a few floating cells (what is not known may float)."""
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    for column, height in enumerate(draw(st.lists(st.integers(0, 6), min_size=COLUMNS, max_size=COLUMNS))):
        cells[rules.stored_rows - height :, column] = 1 + column % 3
    for column, row in draw(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), max_size=3)):
        cells[row, column] = 8
    return cells


def pads(held: Pad, waits: tuple[int, int], tempo: Tempo, soft_drop: bool) -> Iterator[tuple[Pad, tuple[int, int]]]:
    for side in (Pad.NONE, Pad.LEFT, Pad.RIGHT):
        for turn in (Pad.NONE, Pad.A, Pad.B):
            for down in (Pad.NONE, Pad.DOWN)[: 1 + soft_drop]:
                pad = side | turn | down
                shifts, turns = bool(side), bool(turn)
                if not tempo.das:
                    shifts = turns = shifts or turns
                if pad & TAPS & held or (shifts and waits[0]) or (turns and waits[1]):
                    continue
                after = tuple(
                    tempo.period - 1 if edge else max(wait - 1, 0)
                    for edge, wait in zip((shifts, turns), waits, strict=True)
                )
                yield pad, (after[0], after[1])


def explore(
    piece: Falling, cells: Cells, rules: Rules, gravity: int, tempo: Tempo, rest: int, soft_drop: bool
) -> set[tuple[int, int, int]]:
    """Every (orientation, column, row) of lock, by every pad in every frame of the simulator."""
    kinds, fall = piece.kinds, Fall(gravity, PAIRS.soft_drop)
    turning = pair_turning(kinds[0], rules)
    first = ((piece.orientation, piece.column, piece.row, piece.drop_timer), False, Pad.NONE, (rest, rest))
    seen, stack, found = {first}, [first], set()
    while stack:
        place, primed, held, waits = stack.pop()
        for pad, after in pads(held, waits, tempo, soft_drop):
            now = Falling(kinds, *place, primed=primed)
            locked = control(now, cells, rules.hidden_rows, turning, fall, int(pad & ~held), int(pad))
            if locked and fits(cells, rules.hidden_rows, turning.cells[now.orientation], now.column, now.row):
                found.add((now.orientation, now.column, now.row))
            state = ((now.orientation, now.column, now.row, now.drop_timer), now.primed, pad & TAPS, after)
            if not locked and state not in seen:
                seen.add(state)
                stack.append(state)
    return found


def play(
    piece: Falling, cells: Cells, rules: Rules, fall: Fall, tempo: Tempo, rest: int, steps: tuple[Step, ...]
) -> None:
    """Drive the simulator with a timeline; every step must come true, in tempo."""
    turning = pair_turning(piece.kinds[0], rules)
    held, waits, locked = Pad.NONE, (rest, rest), False
    for step in steps:
        assert not locked
        allowed = dict(pads(held, waits, tempo, soft_drop=True))
        assert step.pad in allowed
        waits = allowed[step.pad]
        locked = control(piece, cells, rules.hidden_rows, turning, fall, int(step.pad & ~held), int(step.pad))
        held = step.pad
        assert (piece.orientation, piece.column, piece.row) == (step.orientation, step.column, step.row)
    assert locked


@settings(max_examples=25, deadline=None)
@given(
    fields(),
    KINDS,
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(-1, 3)),
    st.sampled_from([FAST, parse_taps("15hz"), parse_taps("das")]),
    st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 5)),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_every_lock_of_the_simulator_and_no_other(
    cells: Cells,
    pair: tuple[int, int],
    at: tuple[int, int, int],
    tempo: Tempo,
    clock: tuple[int, int, int],
    turning: tuple[bool, bool, bool],
) -> None:
    gravity, timer, rest = clock
    wall_kick, floor_kick, quick_turn = turning
    rules = dataclasses.replace(SMALL, wall_kick=wall_kick, floor_kick=floor_kick, quick_turn=quick_turn)
    start = Piece(0 if pair[0] >= BIG else at[0], at[1], at[2])
    piece = Falling(pair, start.orientation, start.column, start.row, timer)
    assume(fits(cells, rules.hidden_rows, pair_shape(pair[0], piece.orientation), piece.column, piece.row))
    fall = Fall(gravity, PAIRS.soft_drop)
    input_state = InputState(rest=rest, turn_rest=rest)
    found = reach(pair_start(cells, pair, start, rules), timer, fall, tempo, input_state, BUTTONS)
    slow = explore(piece, cells, rules, gravity, tempo, rest, soft_drop=True)
    assert {lock[:3] for lock in found.flight.locks} == slow
    results = [result(cells, pair, *lock[:3], rules) for lock in found.locks]
    assert set(results) == {result(cells, pair, *lock, rules) for lock in slow}
    assert len(results) == len(set(results))
    assert found.candidates.tolist() == [list(lock[:3]) for lock in found.locks]
    for lock in found.flight.locks:
        placement = found.placement(lock, value=2.5)
        assert (placement.orientation, placement.column, placement.row, placement.value) == (*lock[:3], 2.5)
        play(dataclasses.replace(piece), cells, rules, fall, tempo, rest, placement.timeline)


def field(*heights: int, rules: Rules = RULES) -> Cells:
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    for column, height in enumerate(heights):
        cells[rules.stored_rows - height :, column] = 1
    return cells


def places(cells: Cells, pair: tuple[int, int], rules: Rules, start: Piece | None = None) -> set[tuple[int, int, int]]:
    fall, start = Fall(30, 2), start or rules.spawn
    found = reach(pair_start(cells, pair, start, rules), 30, fall, FAST, InputState(), BUTTONS)
    return {lock[:3] for lock in found.locks}


def test_an_empty_field_has_twenty_two_places_for_a_pair_and_eleven_for_equal_halves() -> None:
    empty = field()
    assert len(places(empty, (1, 2), RULES)) == 22
    assert len(places(empty, (1, 1), RULES)) == 11
    assert places(empty, (BIG, BIG), RULES) == {(0, column, 12) for column in range(5)}
    assert places(empty, (CARBUNCLE, CARBUNCLE), RULES) == {(0, column, 12) for column in range(6)}


def test_equal_halves_come_down_with_the_fewest_inputs() -> None:
    assert (0, 2, 12) in places(field(), (1, 1), RULES)
    assert (1, 2, 12) in places(field(), (1, 1), RULES), "one turn to the right, not to the left and a shift"


@pytest.mark.parametrize("rules", [RULES, TSU], ids=lambda rules: str(rules.name))
def test_a_well_of_one_column_turns_a_pair_only_by_a_quick_turn(rules: Rules) -> None:
    """The pair comes into the well by itself: both neighbours of its column are full from the start."""
    rows = rules.visible_rows
    cells = field(rows + 1, rows + 1, 2, rows + 1, rows + 1, rows + 1, rules=rules)
    start = Piece(0, 2, 0)
    upright, upside_down = (0, 2, rows - 3), (2, 2, rows - 4)
    assert places(cells, (1, 2), rules, start) == ({upright, upside_down} if rules.quick_turn else {upright})


def test_a_quick_turn_takes_two_presses_and_a_wall_kick_comes_first() -> None:
    cells = field(13, 13, 2, 13, 13, 13, rules=TSU)
    found = reach(pair_start(cells, (1, 2), Piece(0, 2, 0), TSU), 30, Fall(30, 2), FAST, InputState(), BUTTONS)
    steps = found.flight.timeline(2, 2, 8)
    presses = [(frame, step.orientation) for frame, step in enumerate(steps) if step.pad & TURNS]
    assert presses == [(0, 0), (2, 2)]
    one_wall = field(13, 13, 2, 2, 13, 13, rules=TSU)
    found = reach(pair_start(one_wall, (1, 2), Piece(0, 2, 0), TSU), 30, Fall(30, 2), FAST, InputState(), BUTTONS)
    steps = found.flight.timeline(3, 3, 9)
    assert [step.orientation for step in steps[:1]] == [3], "pushed to the right by the wall"


def test_a_floor_kick_does_not_lift_the_pivot_above_the_stored_rows() -> None:
    cells = field(0, 0, 12, 12, 0, 0)
    cells[:, :2] = cells[:, 4:] = 1
    turned = places(cells, (1, 2), RULES, Piece(1, 2, 0))
    assert (2, 2, -1) in turned, "lifted into the hidden row"
    cells[1, 2:4] = 1
    assert places(cells, (1, 2), RULES, Piece(1, 2, -1)) == {(0, 2, -1), (0, 3, -1), (1, 2, -1), (3, 3, -1)}


def test_what_ends_above_the_stored_rows_vanishes() -> None:
    cells = field(13, 13, 13, 13, 13, 13)
    assert result(cells, (1, 2), 0, 2, -1, RULES) == {(2, -1, 1)}
    assert result(cells, (1, 2), 2, 2, -2, RULES) == {(2, -1, 2)}
    assert result(field(0, 3), (1, 2), 1, 0, 9, RULES) == {(0, 12, 1), (1, 9, 2)}


def test_single_moves_reach_all_of_an_empty_field_without_a_clock() -> None:
    found = moves(pair_start(field(), (1, 2), RULES.spawn, RULES, quick=False), BUTTONS, slack=3)
    assert {(place.orientation, place.column, place.row) for place in found} == places(field(), (1, 2), RULES)
    well = field(13, 13, 2, 13, 13, 13, rules=TSU)
    found = moves(pair_start(well, (1, 2), Piece(0, 2, 0), TSU, quick=False), BUTTONS, slack=3)
    assert [str(place) for place in found] == ["orientation 0 at column 2, row 9 in 0 frames"]


def test_tables_are_shared_between_pairs() -> None:
    assert shapes_of(pair_turning(1, RULES)) is shapes_of(pair_turning(6, RULES))
    assert len(shapes_of(pair_turning(1, TSU)).cells) == 8
