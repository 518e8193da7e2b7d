"""The simulator is the game: recorded games replay without a difference, and so do the rules beyond them."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import TraceError
from emubot.games.recorded import edition_of
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.family import GAME
from emubot.games.tetris.rules import DX, DY, ORIENTATIONS, SPAWN_ORIENTATION
from emubot.games.tetris.scoring import count_line, decimal, level_after, line_points, push_down
from emubot.games.tetris.simulator import play_states
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC
from emubot.trace import Trace, read_trace
from tests import paths
from tests.families import default_edition

# Uncompiled, bytes would be numpy scalars that warn where a byte of the console wraps.
pytestmark = pytest.mark.jit

RECORDED = sorted(paths.RECORDED.glob("*.npz"))
FRAMES = 21_726


def replay(trace: Trace) -> tuple[int, int]:
    return sim.replay(
        trace.initial.copy(),
        trace.initial_page.copy(),
        trace.pads,
        trace.order == "nmi-game",
        NTSC,
        trace.state,
        trace.page,
    )


def game(**values: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A quiet state under control with an empty page; keyword values by field name."""
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    defaults = {"game_mode": 4, "game_mode_state": 2, "play_state": 1, "x": 5, "piece": 10, "next_piece": 10}
    for name, value in {**defaults, "vram_row": 32, "lfsr_hi": 0x89, "lfsr_lo": 0x88, **values}.items():
        state[reg.FIELDS.index(name)] = value
    return state, np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)


def value(state: NDArray[np.uint8], name: str) -> int:
    return int(state[reg.FIELDS.index(name)])


def test_all_recorded_games_are_here() -> None:
    assert len(RECORDED) == 12
    assert sum(read_trace(path).frames for path in RECORDED) == FRAMES


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_replays_without_a_difference(path: Path) -> None:
    trace = read_trace(path)
    assert trace.fields == tuple(reg.FIELDS)
    assert replay(trace) == (0, -1)


def test_a_wrong_byte_is_found_where_it_is() -> None:
    trace = read_trace(RECORDED[0])
    trace.state[100, trace.fields.index("fall_timer")] += 1
    trace.page[200, 17] ^= 1
    mismatches, first = replay(trace)
    # A changed row is one difference itself, and the replay that goes on from it makes the rows after it differ too.
    assert first == 100
    assert mismatches >= 2


@pytest.mark.parametrize(
    ("starts", "lines"),
    [
        *[((start,), 10 * start + 10) for start in range(10)],
        ((10, 11, 12, 13, 14, 15), 100),
        *[((start,), 100 + 10 * (start - 15)) for start in range(16, 25)],
        ((25, 26, 27, 28, 29, 30), 200),
    ],
)
def test_first_level_up_by_start_level(starts: tuple[int, ...], lines: int) -> None:
    for start in starts:
        assert level_after(start, lines - 2, 1) == start
        assert level_after(start, lines - 1, 1) == start + 1
        assert all(level_after(start, before, 1) == start for before in range(0, lines - 1, 7))


@pytest.mark.parametrize(
    ("start", "long_level", "from_lines", "to_lines", "wrap"),
    [(0, 219, 2190, 3000, 3360), (18, 235, 2290, 3100, 3300)],
)
def test_the_sign_bug_makes_one_level_last_810_lines_and_level_255_wraps(
    start: int, long_level: int, from_lines: int, to_lines: int, wrap: int
) -> None:
    level, lo, hi = start, 0, 0
    reached: dict[int, int] = {}
    for line in range(1, 3400):
        before = level
        level, lo, hi = count_line(level, lo, hi)
        assert lo & 0x0F <= 9
        assert lo >> 4 <= 9
        if level != before:
            reached.setdefault(level, line)
        if before == 255 and level == 0:
            assert line == wrap
            break
    else:
        pytest.fail("level 255 never wrapped")
    assert reached[long_level] == from_lines
    assert reached[long_level + 1] == to_lines


@pytest.mark.parametrize(
    ("rows", "shown"), [(2, 1), (10, 9), (11, 10), (16, 15), (17, 10), (18, 11), (19, 12), (20, 13)]
)
def test_push_down_from_an_even_hundred(rows: int, shown: int) -> None:
    assert decimal(push_down(0x00, 0, rows)) == shown


@pytest.mark.parametrize("rows", range(3, 18))
def test_push_down_loses_the_ones_digit_on_a_carry(rows: int) -> None:
    score0, score1 = push_down(0x99, 0, rows)
    score0, score1, score2 = line_points(score0, score1, 0, 0, 0)
    assert decimal((score0, score1, score2)) == 100


@pytest.mark.parametrize(("cleared", "base"), [(0, 0), (1, 40), (2, 100), (3, 300), (4, 1200)])
@pytest.mark.parametrize("level", [0, 1, 9, 18, 29, 60])
def test_points_of_a_clear(cleared: int, base: int, level: int) -> None:
    assert decimal(line_points(0, 0, 0, level, cleared)) == min(base * (level + 1), 999_999)


def test_score_stops_at_its_cap() -> None:
    assert decimal(line_points(0x50, 0x99, 0x99, 18, 4)) == 999_999
    assert decimal(line_points(0x99, 0x99, 0x99, 255, 1)) == 999_999


def test_level_255_adds_256_times() -> None:
    assert decimal(line_points(0, 0, 0, 255, 1)) == 40 * 256


@pytest.mark.parametrize("lines", [1, 2, 3, 4])
def test_an_all_clear_leaves_an_empty_page(lines: int) -> None:
    """Full rows but for one column, filled by an upright I: every row goes, what is left of the I stays."""
    state, page = game(piece=17, x=9, y=18, fall_timer=60, level=0)
    for row in range(20 - lines, 20):
        page[10 * row : 10 * row + 9] = 0x7B
    for _ in range(60):
        sim.step_frame(state, page, 0, 0, NTSC)
        if value(state, "play_state") == 1 and value(state, "y") == 0:
            break
    assert value(state, "lines_lo") == lines
    left = np.argwhere(page[:200].reshape(20, 10) != reg.EMPTY)
    assert [tuple(cell) for cell in left] == [(row, 9) for row in range(20 - (4 - lines), 20)]


def test_full_top_row_moves_the_whole_page() -> None:
    """Facts 5.4: the tail comes down into row 0, row 19 goes to offsets 200-209, and old row 0 is row 1 now."""
    page = np.arange(256).astype(np.uint8)
    before = page.copy()
    play_states.remove_row(page, 0)
    assert (page[10:256] == before[0:246]).all()
    assert (page[:10] == reg.EMPTY).all()


def test_an_ordinary_removal_leaves_the_tail_alone() -> None:
    page = np.arange(256).astype(np.uint8)
    before = page.copy()
    play_states.remove_row(page, 7)
    assert (page[80:] == before[80:]).all()
    assert (page[10:80] == before[0:70]).all()
    assert (page[:10] == reg.EMPTY).all()


def test_fits_agrees_with_the_obvious_rule() -> None:
    rng = np.random.default_rng(1)
    for _ in range(15):
        page = np.where(rng.random(256) < 0.3, 0x7B, reg.EMPTY).astype(np.uint8)
        for piece in range(ORIENTATIONS):
            for x in range(-2, 12):
                for y in range(22):
                    cells = [(x + int(dx), y + int(dy)) for dx, dy in zip(DX[piece], DY[piece], strict=True)]
                    free = all(0 <= cx <= 9 and cy < 20 and page[(10 * cy + cx) % 256] >= 0xEF for cx, cy in cells)
                    assert play_states.fits(page, piece, x, y) == free


def test_generator_has_one_long_cycle_and_a_dead_state() -> None:
    assert play_states.step_lfsr(0, 0) == (0, 0)
    state, steps = play_states.step_lfsr(0x89, 0x88), 1
    while state != (0x89, 0x88):
        state, steps = play_states.step_lfsr(*state), steps + 1
    assert steps == 32_767


def test_first_generator_step_after_power_on() -> None:
    assert play_states.step_lfsr(0x89, 0x88) == (0x44, 0xC4)


def test_pieces_follow_the_published_table() -> None:
    """Facts 5.2 in 64ths, exact over the whole cycle and every spawn count; row = previous piece, column = next."""
    table = """ 2 10 12 10 10 10 10
               12  2 10 10 10 10 10
               10 12  2 10 10 10 10
               10 10 10  4 10 10 10
               10 10 10 10  4 10 10
               12 10 10 10 10  2 10
               10 10 10 10 12 10  2"""
    expected = np.array(table.split(), dtype=float).reshape(7, 7) / 64
    counts = np.zeros((7, 7))
    order = {int(spawn): index for index, spawn in enumerate(SPAWN_ORIENTATION)}
    before = [game(spawn_id=int(spawn))[0] for spawn in SPAWN_ORIENTATION]
    drawn_from = [reg.FIELDS.index(name) for name in ("lfsr_hi", "lfsr_lo", "spawn_count")]
    hi, lo = 0x89, 0x88
    for step in range(32_767):
        hi, lo = play_states.step_lfsr(hi, lo)
        for previous in range(7):
            state = before[previous].copy()
            for at, number in zip(drawn_from, (hi, lo, step * 5 & 255), strict=True):
                state[at] = number
            counts[previous, order[int(play_states.choose_piece(state))]] += 1
    assert np.abs(counts / 32_767 - expected).max() < 0.01


@pytest.mark.parametrize(("row", "delay"), [(18, 10), (17, 12), (14, 12), (13, 14), (9, 16), (6, 16), (5, 18), (1, 18)])
def test_entry_delay_by_lock_row(row: int, delay: int) -> None:
    """An O whose pivot locks at `row` (facts 3.2): frames from the failing drop to the next piece's first frame."""
    state, page = game(piece=10, x=5, y=row, fall_timer=60)
    page[10 * (row + 2) : 200 : 10] = 0x7B  # column 0 stays a wall away from full rows
    if row < 18:
        page[10 * (row + 2) + 4] = 0x7B
    sim.step_frame(state, page, 0, 0, NTSC)
    assert value(state, "play_state") == 2
    frames = 0
    while value(state, "play_state") != 1:
        sim.step_frame(state, page, 0, 0, NTSC)
        frames += 1
    assert frames == delay


def test_held_direction_moves_on_frames_1_17_23_29() -> None:
    state, page = game(piece=10, x=9, das=0)
    moved = []
    for frame in range(1, 30):
        before = value(state, "x")
        sim.step_frame(state, page, 0x02 if frame == 1 else 0, 0x02, NTSC)
        if value(state, "x") != before:
            moved.append(frame)
    assert moved == [1, 17, 23, 29]


def test_pause_freezes_the_game_but_not_the_generator() -> None:
    state, page = game(piece=10, fall_timer=3)
    sim.step_frame(state, page, 0x10, 0x10, NTSC)
    assert value(state, "game_mode_state") == reg.MODE_STATE_PAUSED
    frozen, generator = value(state, "fall_timer"), value(state, "lfsr_hi")
    for _ in range(40):
        sim.step_frame(state, page, 0x02, 0x12, NTSC)
    assert value(state, "fall_timer") == frozen
    assert value(state, "x") == 5
    assert value(state, "frame_lo") == 41
    assert value(state, "lfsr_hi") != generator
    sim.step_frame(state, page, 0x10, 0x10, NTSC)
    assert value(state, "game_mode_state") == reg.MODE_STATE_PLAY
    assert value(state, "vram_row") == 0
    sim.step_frame(state, page, 0, 0, NTSC)
    assert value(state, "fall_timer") == frozen + 1


def test_block_out_draws_the_curtain_and_start_ends_the_game() -> None:
    state, page = game(play_state=2, piece=10, x=5, y=0)
    page[4] = 0x7B
    frames = 0
    while value(state, "curtain_row") != 20:
        sim.step_frame(state, page, 0, 0, NTSC)
        frames += 1
        assert frames < 200
    assert 141 <= frames <= 149
    assert (page[:200] == reg.CURTAIN_TILE).all()
    sim.step_frame(state, page, 0, 0, NTSC)
    assert value(state, "play_state") == 10
    sim.step_frame(state, page, 0x10, 0x10, NTSC)
    assert value(state, "play_state") == 0
    assert value(state, "game_mode_state") == reg.MODE_STATE_PLAY, "this START does not pause"
    sim.step_frame(state, page, 0, 0x10, NTSC)
    assert value(state, "game_mode") == reg.MODE_LEVEL_MENU


@settings(max_examples=150, deadline=None)
@given(
    row=st.integers(-1, 318),
    field=st.sampled_from(reg.FIELDS),
    byte=st.integers(0, 255),
    other=st.sampled_from(reg.FIELDS),
    other_byte=st.integers(0, 255),
)
def test_a_damaged_trace_is_refused_or_counted_and_never_crashes(
    row: int, field: str, byte: int, other: str, other_byte: int
) -> None:
    trace = read_trace(RECORDED[-1])
    target = trace.initial if row < 0 else trace.state[row]
    target[trace.fields.index(field)] = byte
    target[trace.fields.index(other)] = other_byte
    with contextlib.suppress(TraceError):
        mismatches, _ = default_edition(GAME.name).recorder.verify(trace)
        assert 0 <= mismatches <= trace.frames


def test_a_recording_with_a_map_that_is_not_there_is_refused() -> None:
    """Its map says which release it is of, so no release is guessed."""
    trace = replace(read_trace(RECORDED[-1]), about={"map": "my_release"})
    with pytest.raises(TraceError, match="recorded with the map 'my_release', which is not there"):
        edition_of(trace, GAME)


@pytest.mark.parametrize(
    ("field", "byte"),
    [("piece", 20), ("next_piece", 19), ("y", 20), ("line_index", 5), ("completed_lines", 5)],
)
def test_bytes_that_no_game_can_have_are_named(field: str, byte: int) -> None:
    trace = read_trace(RECORDED[-1])
    trace.state[7, trace.fields.index(field)] = byte
    with pytest.raises(TraceError, match=rf"{field} above {byte - 1} in row 7"):
        default_edition(GAME.name).recorder.verify(trace)
