"""Values from tables: each entry against a slow twin on a grid of cells, and the quick leaf against the whole board."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from emubot.games.tetris.board.board import FULL_ROW, Rows, legal_columns, lock
from emubot.games.tetris.board.columns import columns_of
from emubot.games.tetris.evaluation import layout
from emubot.games.tetris.evaluation.clearance import limits_of
from emubot.games.tetris.evaluation.layout import ENTRIES, PHASE_STARTS, TERMS
from emubot.games.tetris.evaluation.leaf import leaf_value, new_board, prepare
from emubot.games.tetris.evaluation.network import PARAMETERS
from emubot.games.tetris.evaluation.points import PointsPlayer, entries_of_board, gain, is_over, points_of
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.evaluation.surfaces import LOCKS, surface_qualities
from emubot.games.tetris.rules import NES_NTSC
from emubot.tempo import parse_taps
from tests.games.tetris.feature_twins import BOARD_TWINS, grid_of, heights
from tests.games.tetris.points_twin import place_of

TEMPO = parse_taps("12hz")
LIMITS = limits_of(TEMPO, NES_NTSC)
# Stacks with a well, some with holes and overhangs, like those of play and worse.
masks = st.sampled_from([FULL_ROW ^ 0x200, FULL_ROW ^ 0x200, FULL_ROW ^ 0x201, FULL_ROW, FULL_ROW ^ 1, 0x1F0, 0]) | (
    st.integers(0, FULL_ROW)
)
boards = st.tuples(st.integers(0, 22), st.lists(masks, min_size=22, max_size=22)).map(
    lambda drawn: np.array([0] * drawn[0] + drawn[1][drawn[0] :], dtype=np.uint16)
)
standings = st.tuples(st.integers(0, 420), st.integers(0, 60))


def player(stop_lines: int = 0, aim: str = "score", with_network: bool = False) -> PointsPlayer:
    """Tables in which each entry has a value of its own, and so has each weight of the network."""
    rng = np.random.default_rng(3)
    values = (rng.integers(-500, 500, ENTRIES) / 16).astype(np.float32)
    parameters = (rng.integers(-30, 30, PARAMETERS) / 16).astype(np.float32) if with_network else None
    return points_player(values, TEMPO, NES_NTSC, aim, stop_lines, parameters)


def twin_entries(rows: Rows, lines: int, level: int) -> list[int]:
    """The definition of points.py, slowly, from a grid of cells."""
    grid = grid_of(rows)
    tall = heights(grid)
    lines = place_of(player(), lines, level)
    phase = sum(start <= lines for start in PHASE_STARTS) - 1
    first = phase * layout.PHASE
    steps = [min(max(b - a, -3), 3) + 3 for a, b in pairwise(tall[:9])]
    found = []
    for surface in range(5):
        code = 0
        for step in steps[surface : surface + 4]:
            code = 7 * code + step
        found.append(first + 2401 * surface + code)
    for column, height in enumerate(tall):
        empty = sum(
            1 << (3 - below)
            for below in range(4)
            if height - 2 - below >= 0 and not grid[20 - height + 1 + below, column]
        )
        found.append(first + layout.COLUMNS_AT + (16 * column + empty) * 21 + height)
    limits = LIMITS[min(level, 29)]
    left = min(max(min(int(limits[c]) - tall[c] for c in range(5)) + 3, 0), 11)
    right = min(max(min(int(limits[c]) - tall[c] for c in range(5, 9)) + 3, 0), 11)
    told = {name: BOARD_TWINS[name](grid) for name in BOARD_TWINS if name != "chance"}
    fitting = sum(
        1 << bit
        for bit, ways in enumerate(LOCKS.values())
        if any(
            list(needed) == [step - 3 for step in steps[at : at + len(needed)]] for needed, _ in ways for at in range(8)
        )
    )
    full = [row for row in range(20) if grid[row, :9].all()]
    ready = min(sum(19 - row >= tall[9] for row in full), 8)
    highest, holes = max(tall), min(int(told["holes"]), 31)
    found += [
        first + layout.WELL_AT + tall[9] * 9 + ready,
        first + layout.CLEARANCE_AT + (12 * left + right) * 21 + highest,
        first + layout.HOLE_ROWS_AT + min(int(told["rows_with_holes"]), 11) * 21 + highest,
        first + layout.HOLES_AT + holes * 9 + ready,
        first + layout.DEPTH_AT + min(int(told["hole_depth"]), 31),
        first + layout.WELLS_AT + min(int(told["cumulative_wells"]), 31),
        first + layout.ROW_CHANGES_AT + min(int(told["mf_row_transitions"]) // 2, 63),
        first + layout.COLUMN_CHANGES_AT + min((int(told["column_transitions"]) - 10) // 2, 63),
        first + layout.FITS_AT + fitting * 21 + highest,
        first + layout.VOLUME_AT + sum(tall[:9]) // 3 * 9 + ready,
        first + layout.QUALITY_AT + int(surface_qualities()[int("".join(map(str, steps)), 7)]) * 21 + highest,
        layout.LINES_AT + lines,
    ]
    return found


def stacks_of(rows: Rows) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    stacks = np.zeros(10, dtype=np.int64)
    columns_of(rows, stacks)
    return stacks


@settings(deadline=None, max_examples=75)
@given(boards, standings)
@example(np.zeros(22, dtype=np.uint16), (405, 33))
def test_the_entries_of_a_board_are_those_of_the_slow_twin(rows: Rows, standing: tuple[int, int]) -> None:
    found = np.zeros(TERMS, dtype=np.int64)
    entries_of_board(stacks_of(rows), *standing, player(), found)
    assert found.tolist() == twin_entries(rows, *standing)


def test_no_two_tables_share_an_entry() -> None:
    starts = [value for name, value in vars(layout).items() if name.endswith("_AT")]
    assert starts == sorted(starts)
    assert len(set(starts)) == len(starts) == 13
    assert starts[-1] + 400 == ENTRIES


@settings(deadline=None, max_examples=75)
@given(boards, standings, st.sampled_from([0, 230]), st.integers(0, 18), st.integers(-2, 19), st.booleans())
def test_a_leaf_is_worth_what_its_lock_brings_and_its_board(
    rows: Rows, standing: tuple[int, int], stop_lines: int, orientation: int, row: int, with_network: bool
) -> None:
    lines, level = standing
    own, board, found = player(stop_lines, "score", with_network), new_board(), np.zeros(TERMS, dtype=np.int64)
    own.network.lines[[0, 2, 3]] = 0  # what is not whole is not exact
    if is_over(lines, level, own):
        return
    columns_of(rows, board.stacks)
    prepare(board, lines, level, own)
    legal = legal_columns(rows, orientation, row)
    for column in [column for column in range(10) if legal >> column & 1]:
        after = rows.copy()
        expected, lines_after, level_after = gain(lock(after, orientation, column, row), lines, level, own)
        if not is_over(lines_after, level_after, own):
            expected += points_of(stacks_of(after), lines_after, level_after, own, found)
        value = leaf_value(board, np.array([orientation, column, row]), lines, level, own)
        assert value == expected, "sums of sixteenths are exact"


@pytest.mark.parametrize(
    ("removed", "lines", "level", "brought", "after"),
    [
        (0, 10, 18, 0.0, (10, 18)),
        (1, 0, 18, 0.76, (1, 18)),
        (4, 0, 18, 22.8, (4, 18)),
        (4, 126, 18, 24.0, (130, 19)),  # the points are those of the level reached
        (4, 226, 28, 36.0, (230, 29)),
        (4, 0, 0, 22.8, (4, 0)),  # on the course that the tables know, this game is at level 18
    ],
)
def test_lines_bring_thousands_of_points(
    removed: int, lines: int, level: int, brought: float, after: tuple[int, int]
) -> None:
    gained, *reached = gain(removed, lines, level, player())
    assert (round(gained, 9), tuple(reached)) == (brought, after)


def test_lines_may_count_by_themselves() -> None:
    assert [gain(removed, 50, 18, player(aim="lines"))[0] for removed in range(5)] == [0, 1, 2, 3, 4]
    assert gain(2, 9, 0, player(aim="lines"))[2] == 1
    assert gain(2, 9, 0, player(aim="goal"))[2] == 0, "in B-type the level stays"


def test_the_last_line_of_a_game_is_worth_more() -> None:
    own = player(stop_lines=230)
    assert own.stop_worth > 36, "else a Tetris would be waited for at the risk of a top-out"
    assert gain(1, 229, 28, own)[0] == pytest.approx(1.2 + own.stop_worth)
    assert gain(1, 228, 28, own)[0] == pytest.approx(1.16)


def test_clearance_is_that_of_the_facts() -> None:
    """Facts: tetris-strength 2, the limits of a vertical I at 12 Hz, columns 0 to 4 and 6 to 9."""
    assert LIMITS[18, :5].tolist() == [12, 12, 13, 16, 18]
    assert LIMITS[19, :5].tolist() == LIMITS[28, :5].tolist() == [8, 8, 11, 14, 17]
    assert LIMITS[18, 6:9].tolist() == [18, 16, 13]
    assert LIMITS[19, 6:9].tolist() == [17, 14, 11]


def test_a_slower_hand_clears_less() -> None:
    slow, quick = limits_of(parse_taps("10hz"), NES_NTSC), limits_of(parse_taps("30hz"), NES_NTSC)
    assert (slow <= LIMITS).all()
    assert (quick >= LIMITS).all()
    assert (slow[19] < LIMITS[19]).any()
