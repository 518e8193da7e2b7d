"""Every timeline, played on the simulator, locks where it says, frame for frame, and in tempo."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.reach import Route, Start, gravity_at, locks_of, reach, timeline
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.simulator import play_states
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC
from emubot.pad import HORIZONTAL, Pad, legal
from emubot.snapshot import Piece
from emubot.tempo import Tempo, parse_taps
from tests.games.tetris.reach_twin import page_of, random_rows, random_start, state_of

TURNS = Pad.A | Pad.B


def play(rows: Rows, start: Start, level: int, route: Route) -> None:
    """Drive the simulator with the timeline's pads and compare each frame."""
    state, page = state_of(start, level), page_of(rows)
    held = route.hold if start.free_hold else start.held
    for index, step in enumerate(route.placement.timeline):
        assert state[reg.PLAY_STATE] == 1, "the piece locked early"
        sim.game_part(state, page, int(step.pad & ~held), int(step.pad), NTSC)
        held = step.pad
        assert (state[reg.PIECE], state[reg.X], state[reg.Y]) == (step.orientation, step.column, step.row), index
    assert state[reg.PLAY_STATE] == 2
    last = route.placement.timeline[-1]
    target = route.placement
    assert (last.orientation, last.column, last.row) == (target.orientation, target.column, target.row)
    assert play_states.fits(page, last.orientation, np.int64(last.column), np.int64(last.row))


def check_tempo(start: Start, tempo: Tempo, route: Route) -> None:
    held = route.hold if start.free_hold else start.held
    shift_from, turn_from = start.limiter, start.turn_limiter if tempo.das else start.limiter
    for frame, step in enumerate(route.placement.timeline):
        assert legal(step.pad)
        new = step.pad & ~held
        held = step.pad
        if tempo.das:
            assert not (step.pad & Pad.DOWN and step.pad & HORIZONTAL)
        else:
            assert step.pad & (HORIZONTAL | TURNS) == new & (HORIZONTAL | TURNS), "taps last one frame"
        if not tempo.das and new & (HORIZONTAL | TURNS):
            assert frame >= shift_from
            shift_from = frame + tempo.period
        if tempo.das and new & HORIZONTAL:
            assert frame >= shift_from
            shift_from = frame + tempo.period
        if tempo.das and new & TURNS:
            assert frame >= turn_from
            turn_from = frame + tempo.period


def check_all(rows: Rows, start: Start, level: int, tempo: Tempo) -> tuple[int, int]:
    """All targets of one board; the frames of all timelines without and with soft drop."""
    gravity = gravity_at(level, NES_NTSC)
    plain_frames = soft_frames = 0
    for orientation, column, row in locks_of(reach(rows, start, gravity, tempo, NES_NTSC), start.piece):
        target = Piece(orientation, column, row)
        plain = timeline(rows, start, target, gravity, tempo, NES_NTSC, soft_drop=False)
        soft = timeline(rows, start, target, gravity, tempo, NES_NTSC)
        for route in (plain, soft):
            play(rows, start, level, route)
            check_tempo(start, tempo, route)
        assert not any(step.pad & Pad.DOWN for step in plain.placement.timeline)
        assert len(soft.placement.timeline) <= len(plain.placement.timeline)
        if gravity == 1 and start.autorepeat_y == 0:
            assert soft.placement.timeline == plain.placement.timeline, "nothing falls faster than one row a frame"
        plain_frames += len(plain.placement.timeline)
        soft_frames += len(soft.placement.timeline)
    return plain_frames, soft_frames


TEMPI = ["10hz", "12hz", "15hz", "20hz", "30hz", "das"]
SLOW = [pytest.param(text, marks=pytest.mark.slow) for text in TEMPI if text != "20hz"]


@pytest.mark.few(6)
@pytest.mark.jit
@pytest.mark.parametrize("level", [9, 18, 19, 29])
@pytest.mark.parametrize("text", TEMPI)
def test_all_targets_of_random_boards(text: str, level: int) -> None:
    check_boards(text, level, boards=3)


@pytest.mark.jit
@pytest.mark.parametrize("text", ["20hz", *SLOW])
def test_all_targets_of_random_boards_at_level_0(text: str) -> None:
    check_boards(text, 0, boards=2)


def check_boards(text: str, level: int, boards: int) -> None:
    rng = np.random.default_rng([level, *text.encode()])
    tempo = parse_taps(text)
    frames = [
        check_all(random_rows(rng), random_start(rng, tempo, spawn=board % 3 > 0), level, tempo)
        for board in range(boards)
    ]
    plain, soft = np.sum(frames, axis=0)
    if level < 19:
        assert soft < 0.9 * plain


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("level", [9, 18, 19, 29])
@pytest.mark.parametrize("text", TEMPI)
def test_all_targets_of_many_boards(text: str, level: int) -> None:
    rng = np.random.default_rng([level, 1, *text.encode()])
    tempo = parse_taps(text)
    for board in range(100):
        check_all(random_rows(rng), random_start(rng, tempo, spawn=board % 3 > 0), level, tempo)


def test_soft_drop_before_a_tuck() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    rows[2 + 14 : 2 + 18] = 0b0000000111  # a roof over the lower left, two rows high underneath
    start, tempo = Start(10), parse_taps("30hz")
    target = Piece(10, 2, 18)
    plain = timeline(rows, start, target, 8, tempo, NES_NTSC, soft_drop=False)
    soft = timeline(rows, start, target, 8, tempo, NES_NTSC)
    play(rows, start, 8, soft)
    pads = [step.pad for step in soft.placement.timeline]
    first_down = pads.index(Pad.DOWN)
    assert any(pad & HORIZONTAL for pad in pads[first_down:])
    assert len(pads) < len(plain.placement.timeline) / 2


def test_edges_come_as_early_as_they_can() -> None:
    start = Start(2)
    route = timeline(np.zeros(22, dtype=np.uint16), start, Piece(3, 8, 18), 3, parse_taps("12hz"), NES_NTSC)
    pads = [step.pad for step in route.placement.timeline]
    assert pads[:11] == [Pad.RIGHT | Pad.A] + 4 * [Pad.NONE] + [Pad.RIGHT] + 4 * [Pad.NONE] + [Pad.RIGHT]
    assert set(pads[11:]) == {Pad.DOWN}


def test_what_cannot_be_reached_is_refused() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    for target in (Piece(10, 5, 17), Piece(2, 5, 18), Piece(10, 5, 30), Piece(10, 5, -1)):
        with pytest.raises(UsageError, match="cannot be reached"):
            timeline(rows, Start(10), target, 3, parse_taps("30hz"), NES_NTSC)
