"""Reach against known figures: open boards, the published table of heights, starts in odd places."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.tetris.board.board import LANE_OF, LANES, Rows, fill_fits, legal_columns
from emubot.games.tetris.reach import Start, das, gravity_at, locks_of, motion, reach, taps, timeline
from emubot.games.tetris.reach.das_trace import trace_das
from emubot.games.tetris.reach.softdrop import soften
from emubot.games.tetris.reach.start import fill_locks
from emubot.games.tetris.rules import NES_NTSC, PIECE_OF, SPAWN_ORIENTATION, Profile
from emubot.pad import Pad
from emubot.snapshot import Piece
from emubot.tempo import parse_taps

OPEN_BOARD = [34, 34, 17, 9, 17, 34, 17]  # T J Z O S L I


def flat(height: int) -> Rows:
    rows = np.zeros(22, dtype=np.uint16)
    rows[22 - height :] = 0x3FF
    return rows


def spawned(orientation: int, **changes: int) -> Start:
    return Start(int(SPAWN_ORIENTATION[PIECE_OF[orientation]]), **changes)  # type: ignore[arg-type]


def locks(rows: Rows, start: Start, level: int, text: str) -> list[tuple[int, int, int]]:
    found = reach(rows, start, gravity_at(level, NES_NTSC), parse_taps(text), NES_NTSC)
    return locks_of(found, start.piece)


@pytest.mark.parametrize("piece", range(7))
@pytest.mark.parametrize("level", [0, 18])
@pytest.mark.parametrize("text", ["30hz", "10hz", "das"])
def test_every_placement_of_an_open_board(piece: int, level: int, text: str) -> None:
    start = Start(int(SPAWN_ORIENTATION[piece]), das=16, free_hold=True)
    assert len(locks(flat(0), start, level, text)) == OPEN_BOARD[piece]


# Maximal height of a flat stack over which a piece still gets to its outermost column, at levels 18, 19, 29; -1: not
# even over an empty board (NES Tetris facts 7). By number of shifts, and what the piece has below its pivot.
TABLE = {
    (5, 1): ((10, 6, -1), (12, 8, -1), (13, 10, 2), (14, 12, 6), (16, 14, 10), (10, 6, -1), (9, 4, -1), (5, -1, -1)),
    (4, 1): ((12, 9, 0), (13, 11, 3), (14, 12, 6), (15, 14, 9), (16, 15, 12), (12, 9, 0), (11, 7, -1), (7, 2, -1)),
    (4, 0): ((13, 10, 1), (14, 12, 4), (15, 13, 7), (16, 15, 10), (17, 16, 13), (13, 10, 1), (12, 8, -1), (8, 3, -1)),
    (3, 1): ((14, 12, 6), (15, 13, 8), (16, 14, 10), (16, 15, 12), (17, 16, 14), (14, 12, 6), (13, 10, 1), (9, 5, -1)),
    (3, 0): ((15, 13, 7), (16, 14, 9), (17, 15, 11), (17, 16, 13), (18, 17, 15), (15, 13, 7), (14, 11, 2), (10, 6, -1)),
}
# (orientation, column) of each class.
OUTERMOST = {
    (5, 1): [(1, 0), (6, 0), (9, 0), (12, 0), (13, 0), (17, 0)],
    (4, 1): [
        *((orientation, 1) for orientation in (2, 3, 4, 7, 8, 10, 11, 14, 15)),
        *((orientation, 9) for orientation in (3, 4, 10, 15, 17)),
    ],
    (4, 0): [(0, 1), (5, 1), (16, 1)],
    (3, 1): [(1, 8), (2, 8), (6, 8), (7, 8), (8, 8), (9, 8), (11, 8), (12, 8), (13, 8), (14, 8)],
    (3, 0): [(0, 8), (5, 8), (16, 8), (18, 2), (18, 8)],
}
COLUMNS = ["10hz", "12hz", "15hz", "20hz", "30hz", 16, 10, 0]
CELLS = [
    (kind, column, level, TABLE[kind][index][rank])
    for kind in TABLE
    for index, column in enumerate(COLUMNS)
    for rank, level in enumerate((18, 19, 29))
]


def lands_by_holding(
    rows: Rows, orientation: int, column: int, charge: int, level: int, profile: Profile = NES_NTSC
) -> bool:
    """Whether the piece gets there with the direction held from before its spawn, rotations tapped from frame 1."""
    start = spawned(orientation)
    lanes = int(LANES[start.piece])
    fits = np.zeros(21, dtype=np.int64)
    fill_fits(rows, start.piece, fits)
    body = np.zeros(motion.BODY_SIZE, dtype=np.int64)
    hold = motion.LEFT if column < start.column else motion.RIGHT
    body[motion.COLUMN_AT], body[motion.DAS_AT], body[motion.HELD_AT] = start.column, charge, hold
    turns = int(LANE_OF[orientation])
    button = motion.A
    if turns == lanes - 1:
        turns, button = min(turns, 1), motion.B
    for frame in range(2000):
        pad = 0 if body[motion.COLUMN_AT] == column else hold
        if turns and frame % 2 == 0:
            pad, turns = pad | button, turns - 1
        if motion.move(fits, lanes, body, pad, gravity_at(level, profile), profile.das_initial, profile.das_reset):
            break
    at = (body[motion.LANE_AT], body[motion.COLUMN_AT])
    fitting = legal_columns(rows, orientation, int(body[motion.ROW_AT])) >> column & 1
    return at == (LANE_OF[orientation], column) and bool(fitting)


def lands(rows: Rows, orientation: int, column: int, taps_or_hold: str | int, level: int) -> bool:
    if isinstance(taps_or_hold, int):
        return lands_by_holding(rows, orientation, column, taps_or_hold, level)
    return any((o, x) == (orientation, column) for o, x, _ in locks(rows, spawned(orientation), level, taps_or_hold))


def test_the_table_has_120_values() -> None:
    assert len(CELLS) == 120


@pytest.mark.jit
@pytest.mark.parametrize(("kind", "taps_or_hold", "level", "height"), CELLS)
def test_height_over_which_the_outermost_column_is_reached(
    kind: tuple[int, int], taps_or_hold: str | int, level: int, height: int
) -> None:
    for orientation, column in OUTERMOST[kind]:
        over = [lands(flat(rows), orientation, column, taps_or_hold, level) for rows in range(height + 2)]
        assert over == [True] * (height + 1) + [False], (orientation, column)


@pytest.mark.jit
@pytest.mark.parametrize("charge", [0, 10, 15, 16])
def test_das_reaches_at_least_what_holding_reaches(charge: int) -> None:
    for kind, cases in OUTERMOST.items():
        for orientation, column in cases:
            for level in (18, 19, 29):
                hold = Pad.LEFT if column < 5 else Pad.RIGHT
                start = spawned(orientation, das=charge, held=hold)
                for height in range(0, 16, 3):
                    if lands_by_holding(flat(height), orientation, column, charge, level):
                        found = locks(flat(height), start, level, "das")
                        assert (orientation, column) in {(o, x) for o, x, _ in found}, (kind, orientation, level)


def test_reaction_delays_the_first_edge() -> None:
    late = Start(10, limiter=57)  # an O over an empty board at level 18 locks in frame 57
    assert locks(flat(0), late, 18, "30hz") == [(10, 5, 18)]
    assert len(locks(flat(0), Start(10, limiter=56), 18, "30hz")) == 3


def test_overlapping_at_spawn_is_saved_by_a_shift_or_lost() -> None:
    rows = flat(0)
    rows[2:4] = 0b0000010000  # one cell under the spawning O, which covers columns 4 and 5 of rows 0 and 1
    found = locks(rows, Start(10), 18, "30hz")
    assert found
    assert all(column != 5 or row > 1 for _, column, row in found)
    rows[2:4] = 0b0111111110
    assert locks(rows, Start(10), 18, "30hz") == []


def test_the_wait_at_the_start_of_a_game_gives_time() -> None:
    rows = flat(14)
    column_0 = [(o, x) for o, x, _ in locks(rows, Start(18, autorepeat_y=160), 29, "10hz")]
    assert (17, 0) in column_0
    assert (17, 0) not in [(o, x) for o, x, _ in locks(rows, Start(18), 29, "10hz")]


def test_a_held_button_cannot_be_tapped_in_the_next_frame() -> None:
    held, waiting = Start(10, held=Pad.LEFT), Start(10, limiter=1)
    tempo = parse_taps("30hz")
    assert held.begin(tempo).limiter == waiting.begin(tempo).limiter == 1
    assert held.begin(parse_taps("das")).limiter == 0


@pytest.mark.parametrize(("column", "row"), [(10, 0), (255, 0), (5, 20), (5, 255), (5, -1)])
def test_a_piece_that_ram_puts_beside_the_board_reaches_nothing(column: int, row: int) -> None:
    start = Start(2, column=column, row=row)
    assert locks(flat(0), start, 18, "30hz") == []
    with pytest.raises(UsageError, match="not on the board"):
        timeline(flat(0), start, Piece(2, 5, 18), 3, parse_taps("30hz"), NES_NTSC)


def test_kernels_are_compiled_for_one_signature() -> None:
    for text in ("30hz", "das"):
        locks(flat(3), Start(2), 18, text)
        timeline(flat(3), Start(2), Piece(2, 5, 15), 3, parse_taps(text), NES_NTSC)
    for called in (fill_fits, fill_locks, taps.trace_taps, trace_das, motion.follow, soften):
        assert len(getattr(called, "signatures", [None])) == 1
    for inner in (taps.reach_taps, das.reach_das, motion.move):  # none where the caller came from the cache
        assert len(getattr(inner, "signatures", [])) <= 1
