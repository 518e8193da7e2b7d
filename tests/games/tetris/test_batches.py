"""Games in arrays are the games themselves: slow twins on grids, the search for placements, and recorded frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.batch import STEP_PADS, Batch
from emubot.games.lots import draw, fresh_lots
from emubot.games.tetris.batches import frames
from emubot.games.tetris.batches.frames import FramesBatch
from emubot.games.tetris.batches.placements import PlacementsBatch
from emubot.games.tetris.batches.textbook import TextbookBatch
from emubot.games.tetris.board.board import LANE_OF, lock, rows_from
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.reach import Start, gravity_at, locks_of, reach
from emubot.games.tetris.rules import DX, DY, LINE_POINTS, NES_NTSC, PIECE_NAMES, PIECE_OF, SPAWN_ORIENTATION
from emubot.games.tetris.scoring import decimal
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC
from emubot.games.tetris.worlds import NesWorld, TextbookWorld
from emubot.tempo import parse_taps
from emubot.trace import read_trace
from tests import paths
from tests.games.tetris.textbook_twins import drops

pytestmark = pytest.mark.jit  # uncompiled, bytes would be numpy scalars that warn where a byte of the console wraps
RECORDED = sorted(paths.RECORDED.glob("*.npz"))[:3]
FIELD = {name: index for index, name in enumerate(reg.FIELDS)}


def one_game(batch: Batch, seed: int) -> Batch:
    batch.begin(np.ones(1, dtype=np.bool_), [seed])
    return batch


def number(batch: Batch, name: str) -> int:
    return int(batch.counters[0, [counter.name for counter in batch.numbers].index(name)])


@settings(max_examples=15)
@given(
    st.integers(0, 2**40),
    st.sampled_from(["4x4", "5x9", "10x20", "16x8"]),
    st.sampled_from(["uniform", "bag", "nes"]),
    st.sampled_from(["lines", "points"]),
)
def test_textbook_drops_are_those_on_a_grid(seed: int, board: str, generator: str, reward: str) -> None:
    batch = one_game(TextbookBatch(TextbookWorld(board=board, generator=generator, reward=reward), 1), seed)
    rng = np.random.default_rng(seed)
    columns = batch.boards.shape[2]
    lines = score = 0
    for _ in range(40):
        piece, following = number(batch, "piece"), number(batch, "next_1")
        before = batch.boards[0] != 0
        at = {(drop.orientation, drop.left): drop for drop in drops(before, piece)}
        own = np.flatnonzero(piece == PIECE_OF).tolist()
        said = {(own[action // columns], action % columns) for action in np.flatnonzero(batch.mask[0]).tolist()}
        assert said == set(at)
        action = int(rng.integers(4 * columns))
        orientation = own[action // columns % len(own)]
        left = max(left for turned, left in at if turned == orientation and left <= action % columns)
        meant = at[orientation, left]
        batch.step(np.array([action]))
        assert (batch.boards[0] != 0).tolist() == meant.grid.tolist()
        assert bool(batch.ended[0]) == meant.dead
        gained = number(batch, "lines") - lines
        assert gained == meant.of_lock["rows_removed"]
        assert batch.rewards[0] == (gained if reward == "lines" else LINE_POINTS[gained])
        lines, score = lines + gained, score + LINE_POINTS[gained]
        assert (number(batch, "score"), number(batch, "piece")) == (score, following)
        if batch.ended[0]:
            batch.step(np.array([0]))
            assert not batch.boards.any()
            assert not batch.counters[0, :3].any()
            lines = score = 0


def test_cells_keep_the_piece_that_they_are_of() -> None:
    batch = one_game(TextbookBatch(TextbookWorld(board="4x8"), 1), 5)
    counted: NDArray[np.int64] = np.zeros(8, dtype=np.int64)
    for _ in range(200):
        piece = number(batch, "piece")
        ended = bool(batch.ended[0])
        before = np.bincount(batch.boards[0].reshape(-1), minlength=8)
        batch.step(np.array([0]))
        if ended or batch.ended[0]:
            continue
        after = np.bincount(batch.boards[0].reshape(-1), minlength=8)
        grown = [kind for kind in range(1, 8) if after[kind] > before[kind]]
        assert set(grown) <= {1 + piece}
        counted[1 + piece] += after[1 + piece] - before[1 + piece] == 4
    assert (counted[1:] > 0).all(), "each piece was seen"


@pytest.mark.parametrize("generator", ["uniform", "bag", "nes"])
def test_pieces_come_as_often_as_the_generator_deals_them(generator: str) -> None:
    batch = TextbookBatch(TextbookWorld(generator=generator), 700)
    batch.begin(np.ones(700, dtype=np.bool_), list(range(700)))
    pieces = []
    for _ in range(14):
        pieces.append(batch.counters[:, 3].copy())
        batch.step(np.zeros(700, dtype=np.int64))
        batch.ended[:] = False  # a game that is over deals on
    dealt = np.stack(pieces)
    share = np.bincount(dealt.reshape(-1), minlength=7) / dealt.size
    assert (np.abs(share - 1 / 7) < 0.02).all(), share
    same = (dealt[1:] == dealt[:-1]).mean()
    if generator == "bag":
        assert all(len(set(game[:7])) == len(set(game[7:])) == 7 for game in dealt.T.tolist())
    assert abs(same - {"uniform": 1 / 7, "bag": 1 / 49 * 1 / 7 * 7 / 13 * 7, "nes": 1 / 28}[generator]) < 0.03, same


@pytest.mark.parametrize(("taps", "level"), [("30hz", 29), ("12hz", 18), ("..X....", 19), ("das", 18)])
def test_placements_are_those_that_the_search_reaches(taps: str, level: int) -> None:
    world, tempo = NesWorld(actions="placements", taps=taps, start_level=level), parse_taps(taps)
    batch = one_game(PlacementsBatch(world, 1), 11)
    rng = np.random.default_rng(1)
    rows = rows_from(np.zeros((20, 10)), np.zeros((2, 10)))
    begun = 0
    for _ in range(60):
        orientation = int(SPAWN_ORIENTATION[number(batch, "piece")])
        start = Start(orientation, limiter=tempo.reaction, turn_limiter=tempo.reaction)
        gravity = gravity_at(number(batch, "level"), NES_NTSC)
        found = locks_of(reach(rows, start, gravity, tempo, NES_NTSC), start.piece)
        at = {(int(LANE_OF[turned]) * 20 + row) * 10 + column: (turned, column, row) for turned, column, row in found}
        assert set(np.flatnonzero(batch.mask[0]).tolist()) == set(at)
        if batch.ended[0]:
            assert not at
            begun += 1
            batch.step(np.array([0]))
            rows[:] = 0
            assert not batch.boards.any()
            continue
        action = int(rng.integers(800))
        reached = min(at, key=lambda other: (other - action) % 800)
        level_before, lines, score = (number(batch, name) for name in ("level", "lines", "score"))
        cleared = lock(rows, *at[reached])
        batch.step(np.array([action]))
        assert rows_from(batch.boards[0], np.zeros((2, 10)))[2:].tolist() == rows[2:].tolist()
        assert number(batch, "lines") == lines + cleared
        assert number(batch, "score") == score + LINE_POINTS[cleared] * (number(batch, "level") + 1)
        assert number(batch, "level") == level_before, "no ten lines in so short a game"
    assert begun


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_frames_are_those_of_recorded_games(path: Path) -> None:
    trace = read_trace(path)
    assert trace.order == "game-nmi"  # a row is from after the vertical blank, a step of the batch ends before it
    batch = FramesBatch(NesWorld(), 1)
    one_game(batch, 0)
    batch._play = batch._play._replace(pads=np.arange(256, dtype=np.int64))
    batch._play.states[0], batch._play.pages[0] = trace.initial, trace.initial_page
    new, held = map(int, trace.pads[0])
    sim.game_part(batch._play.states[0], batch._play.pages[0], new, held, NTSC)
    batch._play.held[0] = held
    frames._show_board(trace.initial_page, batch.boards[0])  # the batch looks at what may have changed only
    frames._show_count(trace.initial, batch.counters[0])
    compared = 0
    for row in range(1, trace.frames):
        new, now = map(int, trace.pads[row])
        if new != now & ~held or batch.ended[0]:
            break
        held = now
        batch.step(np.array([now]))
        after = batch._play.states[0].copy()
        sim.nmi_part(after)
        state = trace.state[row]
        assert after.tobytes() == state.tobytes(), f"row {row}"
        tiles = trace.page[row][:200].reshape(20, 10)
        assert ((batch.boards[0] != 0) == (tiles < reg.EMPTY)).all(), f"row {row}"
        if state[FIELD["play_state"]] == 1:
            assert number(batch, "score") == decimal(state[FIELD["score0"] : FIELD["score0"] + 3])
            assert number(batch, "lines") == decimal([state[FIELD["lines_lo"]]]) + 100 * state[FIELD["lines_hi"]]
        shown = [number(batch, name) for name in ("piece", "column", "row", "next", "level")]
        assert shown == [state[FIELD[name]] for name in ("piece", "x", "y", "next_piece", "level")], f"row {row}"
        compared += 1
    assert compared > 400


def test_a_pad_is_pressed_once_however_long_a_step_is() -> None:
    skips, single = one_game(FramesBatch(NesWorld(frame_skip=6), 1), 3), one_game(FramesBatch(NesWorld(), 1), 3)
    actions = np.random.default_rng(2).integers(0, len(STEP_PADS), 300)
    for action in actions:
        singles = 1 if skips.ended[0] else 6
        skips.step(np.array([action]))
        rewards = 0.0
        for _ in range(singles):
            single.step(np.array([action]))
            rewards += single.rewards[0]
            if single.ended[0]:
                break
        assert skips.boards.tobytes() == single.boards.tobytes()
        assert skips.counters.tobytes() == single.counters.tobytes()
        assert (skips.rewards[0], skips.ended[0]) == (rewards, single.ended[0])


def test_a_game_is_cut_where_it_was_asked_for_and_not_where_it_is_lost() -> None:
    batch = one_game(FramesBatch(NesWorld(cap=50), 1), 3)
    cut = []
    for _ in range(110):
        batch.step(np.array([0]))
        cut.append(bool(batch.cut[0]))
    assert [step for step, is_cut in enumerate(cut) if is_cut] == [49, 100], "the step that begins anew is no frame"
    lost = one_game(TextbookBatch(TextbookWorld(board="4x4", cap=3), 1), 0)
    for _ in range(50):
        lost.step(np.array([0]))
        assert not (lost.ended[0] and lost.cut[0])


def test_the_generators_of_games_never_stop() -> None:
    batch = FramesBatch(NesWorld(), 2000)
    batch.begin(np.ones(2000, dtype=np.bool_), list(range(2000)))
    states = batch._play.states[:, [FIELD["lfsr_hi"], FIELD["lfsr_lo"]]].astype(np.int64)
    assert (states[:, 0] << 8 | states[:, 1] > 1).all()
    assert len(np.unique(batch.counters[:, 0])) == len(PIECE_NAMES)


@given(st.integers(0, 2**64), st.integers(1, 8))
def test_lots_are_those_of_the_paper(seed: int, numbers: int) -> None:
    lots = fresh_lots(seed)
    x, y, z, w = (int(word) for word in lots)
    for _ in range(20):
        mixed = x ^ (x << 11) & 0xFFFFFFFF
        x, y, z, w = y, z, w, w ^ (w >> 19) ^ mixed ^ (mixed >> 8)
        assert draw(lots, numbers) == w * numbers // 2**32
    assert lots.any()


def test_the_piece_in_the_air_is_drawn_where_it_is() -> None:
    batch = one_game(FramesBatch(NesWorld(start_level=0), 1), 1)
    for _ in range(300):
        batch.step(np.array([3]))
    piece, column, row = (number(batch, name) for name in ("piece", "column", "row"))
    canvas = batch.canvas()[0]
    for dx, dy in zip(DX[piece].tolist(), DY[piece].tolist(), strict=True):
        assert canvas[row + dy, column + dx]
    assert (canvas[:, 10] == batch.kinds + 1).all(), "the wall"
    assert np.count_nonzero(canvas[:, 11:]) == 4, "the next piece"
