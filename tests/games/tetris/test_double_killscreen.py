"""Two rows in each frame, which no release has: reach, ways and games against searches that are slow and obvious."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.tetris.board.board import LANE_OF, LANES, ORIENTATION_OF_LANE, Rows, fill_fits
from emubot.games.tetris.evaluation.clearance import limits_of
from emubot.games.tetris.evaluation.points import gain, place_on_course
from emubot.games.tetris.reach import Start, gravity_at, locks_of, motion, reach, timeline
from emubot.games.tetris.rules import CLOCKWISE, COUNTERCLOCKWISE, DX, DY, NES_NTSC, TWO_ROWS, with_double_killscreen
from emubot.games.tetris.search.engine import BY_TABLES, LATE, engine_for, search_of, stage_of
from emubot.games.tetris.search.engine import DOUBLE as DOUBLE_STAGE
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.snapshot import Piece
from emubot.tempo import Tempo, parse_taps
from emubot.weights import load_weights
from tests.games.tetris.reach_twin import random_rows, random_start

FROM = 39
DOUBLE = with_double_killscreen(NES_NTSC, FROM)
Lock = tuple[int, int, int]


def fits(rows: Rows, orientation: int, column: int, row: int) -> bool:
    cells = [(column + int(x), row + int(y)) for x, y in zip(DX[orientation], DY[orientation], strict=True)]
    return all(0 <= x < 10 and y < 20 and not (y >= -2 and int(rows[y + 2]) >> x & 1) for x, y in cells)


def two_drops(rows: Rows, orientation: int, column: int, row: int) -> tuple[int, bool]:
    """The row after a frame's two drops, and whether the piece locks there."""
    for below in (row + 1, row + 2):
        if not fits(rows, orientation, column, below):
            return below - 1, True
    return row + 2, False


def locks_by_taps(rows: Rows, start: Start, tempo: Tempo) -> set[Lock]:
    """Every frame of every state: shift, turn, two drops; edges at least the tempo's period apart."""
    turns = {1: CLOCKWISE, -1: COUNTERCLOCKWISE}
    row, locks, frame = start.row, set(), 0
    states = {(start.orientation, start.column, start.begin(tempo).limiter)}
    while states:
        moved = set()
        for (orientation, column, wait), (shift, turn) in product(states, product((0, 1, -1), repeat=2)):
            at, way = column, orientation
            if (shift or turn) and wait:
                continue
            if shift and fits(rows, orientation, column + shift, row):
                at = column + shift
            if turn and fits(rows, int(turns[turn][orientation]), at, row):
                way = int(turns[turn][orientation])
            moved.add((way, at, tempo.period - 1 if shift or turn else max(wait - 1, 0)))
        states, after = set(), row + 2
        for way, at, wait in moved:
            lands, locked = two_drops(rows, way, at, row)
            if not locked:
                states.add((way, at, wait))
            elif fits(rows, way, at, lands):
                locks.add((way, at, lands))
        row, frame = after, frame + 1
    return locks


@pytest.mark.jit
@pytest.mark.parametrize("taps", ["10hz", "12hz", "20hz", "30hz"])
def test_taps_reach_what_every_way_of_tapping_reaches(taps: str) -> None:
    rng, tempo, seen = np.random.default_rng([1, *taps.encode()]), parse_taps(taps), 0
    for board in range(40):
        rows = random_rows(rng)
        start = Start(random_start(rng, tempo, spawn=True).orientation, row=board % 4, limiter=board % 3)
        found = locks_of(reach(rows, start, TWO_ROWS, tempo, DOUBLE), start.piece)
        assert set(found) == locks_by_taps(rows, start, tempo), (board, start, rows.tolist())
        seen += len(found)
    assert seen > 100


@pytest.mark.jit
@pytest.mark.parametrize("taps", ["30hz", "das"])
def test_each_lock_has_a_way_that_falls_two_rows_a_frame(taps: str) -> None:
    rng, tempo, ways = np.random.default_rng(2), parse_taps(taps), 0
    for _ in range(25):
        rows = random_rows(rng)
        start = Start(random_start(rng, tempo, spawn=True).orientation)
        for at in locks_of(reach(rows, start, TWO_ROWS, tempo, DOUBLE), start.piece):
            steps = timeline(rows, start, Piece(*at), TWO_ROWS, tempo, DOUBLE, soft_drop=False).placement.timeline
            fallen = [step.row for step in steps]
            assert fallen[:-1] == list(range(2, 2 * len(fallen), 2)), at
            assert (steps[-1].orientation, steps[-1].column, steps[-1].row) == at
            ways += 1
    assert ways > 100


@pytest.mark.jit
def test_das_reaches_whatever_pads_at_random_reach() -> None:
    rng, tempo, locked = np.random.default_rng(3), parse_taps("das"), 0
    for _ in range(150):
        rows = random_rows(rng)
        start = Start(random_start(rng, tempo, spawn=True).orientation)
        found = set(locks_of(reach(rows, start, TWO_ROWS, tempo, DOUBLE), start.piece))
        at = _locked_by_holding(rows, start, int(rng.choice([motion.LEFT, motion.RIGHT, 0])), int(rng.integers(0, 12)))
        if at is not None:
            assert at in found, (start, rows.tolist())
            locked += 1
    assert locked > 75


def _locked_by_holding(rows: Rows, start: Start, held: int, until: int) -> Lock | None:
    """Where the piece locks if a direction is held for some frames: a row by the game's frame, and one more by hand."""
    lane_fits, body = np.zeros(21, dtype=np.int64), np.zeros(motion.BODY_SIZE, dtype=np.int64)
    fill_fits(rows, start.piece, lane_fits)
    lanes = int(LANES[start.piece])
    body[motion.LANE_AT], body[motion.COLUMN_AT] = LANE_OF[start.orientation], start.column
    for frame in range(40):
        locked = motion.move(lane_fits, lanes, body, held if frame < until else 0, 1, 16, 10)
        at = (
            int(ORIENTATION_OF_LANE[start.piece, body[motion.LANE_AT]]),
            int(body[motion.COLUMN_AT]),
            int(body[motion.ROW_AT]),
        )
        if locked or not fits(rows, at[0], at[1], at[2] + 1):
            return at if fits(rows, *at) else None
        body[motion.ROW_AT] += 1
    return None


def test_it_begins_at_its_level_and_the_levels_before_are_as_ever() -> None:
    assert [gravity_at(level, DOUBLE) for level in (18, 19, 29, 38, 39, 200)] == [3, 2, 1, 1, TWO_ROWS, TWO_ROWS]
    limits, usual = limits_of(parse_taps("30hz"), DOUBLE), limits_of(parse_taps("30hz"), NES_NTSC)
    assert (limits[:30] == usual).all()
    assert (limits[FROM] <= limits[FROM - 1]).all()
    assert (limits[FROM] < limits[FROM - 1]).any()


@pytest.mark.jit
def test_without_tables_of_their_own_the_first_ones_play_on() -> None:
    weights = load_weights("nes_tetris")
    weights = weights.model_copy(update={"points": tuple(t for t in weights.points if "double" not in t.rules)})
    engine = engine_for(weights, parse_taps("30hz"), DOUBLE, 1000)
    assert stage_of(329, FROM - 1, engine) == BY_TABLES
    assert stage_of(330, FROM, engine) == DOUBLE_STAGE
    assert engine.double.gravity.tolist() == [TWO_ROWS]
    assert engine.double.player.limits.tolist() == limits_of(parse_taps("30hz"), DOUBLE)[FROM:].tolist()
    look, level, budget = search_of(DOUBLE_STAGE, 45, engine)
    assert (look is engine.double, level, budget) == (True, 33, 1000)  # 60 lines before the end of the tables' game


@pytest.mark.jit
def test_slow_taps_come_to_it_by_the_late_tables() -> None:
    engine = engine_for(load_weights("nes_tetris"), parse_taps("12hz"), DOUBLE, 1000)
    assert [stage_of(lines, level, engine) for lines, level in ((209, 26), (210, 27), (329, 38), (330, FROM))] == [
        BY_TABLES,
        LATE,
        LATE,
        DOUBLE_STAGE,
    ]
    assert engine.late.gravity[29:].tolist() == [1] * 10 + [TWO_ROWS]
    assert engine.late_last_level == 255, "its game ends where two rows begin"


OWN = {"taps": "30hz", "start_level": 37, "start_lines": 310, "double_killscreen": FROM, "halt": 49}


@pytest.mark.jit
def test_tables_of_their_own_stand_on_a_course_of_their_own() -> None:
    """Their game from level 37 to 49 is the one from 210 to 330 lines, at its own levels' points."""
    weights, trial = load_weights("nes_tetris"), nes_trial(OWN)
    weights = trial.weights_of_points(weights, trial.begin_points(weights))
    (own,) = (t for t in weights.points if t.rules == DOUBLE.games == "nes-ntsc-double-39")
    assert (own.start_lines, own.stop_lines, own.aim) == (210, 330, "score")
    engine = engine_for(weights, parse_taps("30hz"), DOUBLE, 1000, halt=49)
    assert [stage_of(*at, engine) for at in ((309, 36), (310, 37), (330, 39))] == [
        BY_TABLES,
        DOUBLE_STAGE,
        DOUBLE_STAGE,
    ]
    assert search_of(DOUBLE_STAGE, 48, engine)[1] == 48
    assert search_of(DOUBLE_STAGE, 48, engine_for(weights, parse_taps("30hz"), DOUBLE, 1000))[1] == 43
    player = engine.double.player
    stood = [place_on_course(*at, player) for at in ((310, 37), (330, 39), (341, 40), (429, 48), (430, 49))]
    assert stood == [210, 230, 241, 329, 330]
    gained, *standing = gain(4, 330, 39, player)
    assert gained == pytest.approx(1.2 * 40)
    assert standing == [334, 39]
    first = engine.look.player
    assert [place_on_course(lines, level, first) for lines, level in ((230, 29), (330, 39))] == [230, 330]
    assert gain(4, 230, 29, first)[0] == pytest.approx(1.2 * 30)
    assert engine_for(weights, parse_taps("20hz"), DOUBLE, 1000).double_from == FROM  # no other rate plays by them


def test_tables_of_their_own_are_learnt_from_their_level_on() -> None:
    course = nes_trial(OWN)._course()
    assert (course.start, course.stop_lines, course.profile) == ((37, 310, 0), 430, DOUBLE)


def test_tables_of_their_own_begin_shortly_before() -> None:
    with pytest.raises(UsageError, match="begin at most 30 lines before: choose a higher --start-level"):
        nes_trial(OWN | {"start_level": 35, "start_lines": 290}).check_points()


@pytest.mark.parametrize("more", [{"halt": 0}, {"double_killscreen": 0}, {"stop_lines": 400}, {"aim": "lines"}])
def test_tables_of_their_own_need_both_ends(more: dict[str, object]) -> None:
    trial = nes_trial(OWN | more)
    with pytest.raises(UsageError, match="give both --double-killscreen and --halt"):
        trial.check_points()


@pytest.mark.jit
@pytest.mark.parametrize("more", [{}, {"see_next": 5}])
def test_games_end_at_the_level_that_halts_them(more: dict[str, int]) -> None:
    trial = nes_trial({"taps": "30hz", "start_level": 38, "double_killscreen": 39, "halt": 40, "nodes": 1, **more})
    figures = [dict(zip(trial.figures, game, strict=True)) for game in trial.play([load_weights("nes_tetris")], [1, 2])]
    for game in figures:
        assert (game["level"] == 40) == (game["lines"] >= 280), "from level 38 the first level comes at 270 lines"
        assert game["lines"] < 284


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"double_killscreen": 29}, "begins at level 29: choose --double-killscreen 30"),
        ({"halt": 18}, "A game from level 18 is beyond --halt 18"),
        ({"type": "b", "halt": 49}, "leave out --double-killscreen and --halt"),
    ],
)
def test_what_makes_no_sense_is_said(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        nes_trial(options)
