"""Lookahead against a slow twin that finds locks on the simulator and features on a grid of cells."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.datafiles import shipped
from emubot.games.tetris.board.board import Rows, lock
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.evaluation.evaluation import player_of, value_of
from emubot.games.tetris.evaluation.features import FEATURES, stacks_of
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, PLACEMENT_FEATURES
from emubot.games.tetris.evaluation.tuples import TUPLES_VERSION, entries
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import DX, DY, NES_NTSC, PIECE_OF, SPAWN_ORIENTATION
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import features_engine
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.search.two_plies import DEAD, search_two_plies
from emubot.games.tetris.simulator import play_states
from emubot.pad import Pad
from emubot.tempo import Tempo, parse_taps
from emubot.weight_parts import FeatureSet, NetworkLayer, Tables
from emubot.weights import Weights, load_weights
from tests.games.tetris.feature_twins import BOARD_TWINS, grid_of
from tests.games.tetris.reach_twin import locks_by_search, page_of, random_rows, rows_of
from tests.games.tetris.searching import search_by

pytestmark = pytest.mark.xdist_group("reach_twin")  # the search over full states is compiled once
Lock = tuple[int, int, int]
EMPTY = np.zeros(22, dtype=np.uint16)


def vector(name: str) -> NDArray[np.float64]:
    return load_weights(name).vector("tetris", FEATURE_NAMES, FEATURE_VERSION)


def everything() -> NDArray[np.float64]:
    """A weight on every feature, none like another."""
    return np.random.default_rng(5).normal(size=FEATURES)


def place(rows: Rows, at: Lock) -> tuple[Rows, int, dict[str, float]]:
    """Lock on the simulator's page: the board after it, the rows counted, the lock's features."""
    orientation, column, row = at
    page = page_of(rows)
    cells = [(row + int(dy), column + int(dx)) for dx, dy in zip(DX[orientation], DY[orientation], strict=True)]
    for y, x in cells:
        page[(10 * y + x) & 0xFF] = 0x7B
    removed = own = 0
    for checked in range(max(row - 2, 0), min(max(row - 2, 0) + 4, 20)):
        if all(page[10 * checked + x] != reg.EMPTY for x in range(10)):
            own += sum(y == checked for y, _ in cells)
            removed += 1
            play_states.remove_row(page, checked)
    top, bottom = min(y for y, _ in cells), max(y for y, _ in cells)
    features = {
        "landing_height": 19 - (top + bottom) / 2,
        "rows_removed": removed,
        "eroded_cells": removed * own,
        "scoring_lines": max(removed - 1, 0),
        "tetrises": int(removed == 4),
        "burned_lines": removed % 4,
        "landing_top_row": max(top, 0),
        "mf_lock_height": 19 - bottom,
    }
    return rows_of(page), removed, features


def network_weights() -> NDArray[np.float64]:
    """A small network over features of locks and of boards."""
    rng, names = np.random.default_rng(8), ("rows_removed", "landing_height", "holes", "bumpiness", "total_height")
    layers = tuple(
        NetworkLayer(
            weights=tuple(map(tuple, rng.normal(size=(out, into)).tolist())),
            biases=tuple(rng.normal(size=out).tolist()),
        )
        for into, out in ((len(names), 6), (6, 1))
    )
    made = Weights(game="tetris", features=FeatureSet(version=FEATURE_VERSION, names=names), network=layers)
    return made.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)


def table_weights() -> NDArray[np.float64]:
    """Value tables of the cartridge's board beside weights."""
    entry_values = np.random.default_rng(9).normal(size=entries(10, 20)).round(3)
    tables = Tables(version=TUPLES_VERSION, columns=10, rows=20, entries=tuple(entry_values.tolist()))
    features = FeatureSet(version=FEATURE_VERSION, names=("rows_removed",))
    made = Weights(game="tetris", features=features, values=(5.0,), tables=tables)
    return made.vector("tetris", FEATURE_NAMES, FEATURE_VERSION, (10, 20))


def twin_values(
    rows: Rows, start: Start, following: int | None, level: int, lines: int, tempo: Tempo, weights: NDArray[np.float64]
) -> dict[Lock, float]:
    player = player_of(weights)

    def value_of_locks(board: Rows, *locked: dict[str, float]) -> float:
        """Linear weights by hand; what else a player has, by the evaluation that has twins of its own."""
        told = {name: twin(grid_of(board)) for name, twin in BOARD_TWINS.items()}
        told |= {name: sum(features[name] for features in locked) for name in PLACEMENT_FEATURES}
        features = np.array([told[name] for name in FEATURE_NAMES])
        if len(weights) == FEATURES:
            return float(features @ weights)
        stacks = np.empty(10, dtype=np.int64)
        stacks_of(board, stacks)
        return float(value_of(stacks, 20, features, player))

    values: dict[Lock, float] = {}
    for at in locks_by_search(rows, start, level, tempo)[0]:
        after, removed, features = place(rows, at)
        value = value_of_locks(after, features)
        if following is not None:
            next_level = level_after(level, lines, removed)
            spawned = Start(following, limiter=tempo.reaction)
            futures = []
            for then in locks_by_search(after, spawned, next_level, tempo, soft_drop=False)[0]:
                final, _, next_features = place(after, then)
                futures.append(value_of_locks(final, features, next_features))
            value = max(futures) if futures else DEAD + value
        values[at] = value
    return values


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize(
    ("text", "level", "lines", "boards"),
    [
        ("..X.", 29, 239, 1),
        ("..........X.", 28, 229, 1),
        *(
            pytest.param(text, level, lines, 2, marks=pytest.mark.slow)
            for text in ("10hz", "..X.", "..........X.")
            for level, lines in ((18, 129), (28, 229))
        ),
    ],
)
def test_every_pair_has_the_value_of_the_slow_search(text: str, level: int, lines: int, boards: int) -> None:
    rng = np.random.default_rng([level, *text.encode()])
    tempo = parse_taps(text)
    for board in range(boards):
        rows = random_rows(rng)
        if board == 0:  # a line to clear and a level to reach with it
            rows[-2:] = 0x3FF ^ 0x20
        start = Start(int(SPAWN_ORIENTATION[rng.integers(7)]), limiter=tempo.reaction)
        following = int(SPAWN_ORIENTATION[rng.integers(7)])
        expected = twin_values(rows, start, following, level, lines, tempo, everything())
        ranked, _ = search_by(everything(), tempo, NES_NTSC).rank(Position(rows, start, following, level, lines))
        assert {(p.orientation, p.column, p.row): pytest.approx(p.value, abs=1e-6) for p in ranked} == expected
        assert [p.value for p in ranked] == sorted((p.value for p in ranked), reverse=True)


@pytest.mark.jit
@pytest.mark.parametrize("weights", [network_weights, table_weights])
def test_networks_and_tables_see_both_locks_and_the_board_they_leave(
    weights: Callable[[], NDArray[np.float64]],
) -> None:
    rows, start, following, tempo = random_rows(np.random.default_rng(3)), Start(7), 14, parse_taps("10hz")
    expected = twin_values(rows, start, following, 29, 0, tempo, weights())
    ranked, _ = search_by(weights(), tempo, NES_NTSC).rank(Position(rows, start, following, 29, 0))
    assert {(p.orientation, p.column, p.row): pytest.approx(p.value, abs=1e-6) for p in ranked} == expected


def test_one_piece_when_the_next_is_not_known() -> None:
    rows = EMPTY.copy()
    rows[20:] = 0x3FF ^ 0x200
    tempo, start = parse_taps("30hz"), Start(18)
    ranked, nodes = search_by(everything(), tempo, NES_NTSC).rank(Position(rows, start, None, 18, 0))
    assert nodes == len(ranked) == 17
    if hasattr(search_two_plies, "signatures"):
        expected = twin_values(rows, start, None, 18, 0, tempo, everything())
        assert {(p.orientation, p.column, p.row): pytest.approx(p.value) for p in ranked} == expected


def test_ties_go_to_the_lower_lock_then_orientation_then_column() -> None:
    rows = EMPTY.copy()
    rows[18:] = 0b0000011111
    ranked, _ = search_by(np.zeros(FEATURES), parse_taps("30hz"), NES_NTSC).rank(Position(rows, Start(11), None, 18, 0))
    assert len({p.value for p in ranked}) == 1
    keys = [(-p.row, p.orientation, p.column) for p in ranked]
    assert keys == sorted(keys)


def test_the_level_after_the_clear_decides_what_the_next_piece_reaches() -> None:
    # The O completes row 15, which covers a shaft at column 0. The long bar gets into it from level 28, not from 29.
    rows = EMPTY.copy()
    rows[18:] = 0x3FF ^ 0b1
    rows[17] = 0x3FF ^ 0b110000
    weights = np.zeros(FEATURES)
    weights[FEATURE_NAMES.index("tetrises")] = 1.0
    for lines, tetrises in ((228, 1.0), (229, 0.0)):
        ranked, _ = search_by(weights, parse_taps("12hz"), NES_NTSC).rank(Position(rows, Start(10), 18, 28, lines))
        assert max(p.value for p in ranked) == tetrises
    tempo = parse_taps("12hz")
    goal = Search(features_engine(weights, tempo, NES_NTSC, "goal"), tempo, NES_NTSC)
    ranked, _ = goal.rank(Position(rows, Start(10), 18, 28, 229))
    assert max(p.value for p in ranked) == 1.0, "in B-type the level stays"


def test_dying_later_beats_dying_now_and_no_lock_is_said() -> None:
    tempo, weights = parse_taps("30hz"), vector("dellacherie")
    rows = EMPTY.copy()
    rows[2:] = 0b0111111110  # full to the top but for the outer columns
    choice = search_by(weights, tempo, NES_NTSC).decide(Position(rows, Start(10), 10, 18, 0))
    assert choice.placement is None
    rows[2:4] = 0
    ranked, _ = search_by(weights, tempo, NES_NTSC).rank(Position(rows, Start(10), 10, 18, 0))
    values = [p.value for p in ranked]
    assert values[0] > DEAD / 2 > values[-1]
    assert (ranked[-1].column, ranked[-1].row) == (5, 0), "on the spot where the next one spawns"


def test_a_piece_that_ram_puts_beside_the_board_has_no_placement() -> None:
    choice = search_by(vector("pso"), parse_taps("30hz"), NES_NTSC).decide(
        Position(EMPTY, Start(2, column=200, row=99), 18, 18, 0)
    )
    assert choice.placement is None


def test_a_decision_carries_its_timeline_and_count() -> None:
    choice = search_by(vector("nes_tetris"), parse_taps("30hz"), NES_NTSC).decide(Position(EMPTY, Start(2), 18, 18, 0))
    assert choice.placement is not None
    assert choice.nodes >= 34 * 17
    last = choice.placement.timeline[-1]
    placed = choice.placement
    assert (last.orientation, last.column, last.row) == (placed.orientation, placed.column, placed.row)
    assert choice.value == choice.placement.value
    assert any(step.pad & Pad.DOWN for step in placed.timeline)
    plain = search_by(vector("nes_tetris"), parse_taps("30hz"), NES_NTSC).decide(
        Position(EMPTY, Start(2), 18, 18, 0), soft_drop=False
    )
    assert plain.placement == placed
    assert not any(step.pad & Pad.DOWN for step in plain.placement.timeline)


@pytest.mark.parametrize("name", [path.stem for path in shipped("weights").glob("*.json")])
def test_shipped_weights_decide(name: str) -> None:
    if load_weights(name).game == "tetris" and name != "random":
        choice = search_by(vector(name), parse_taps("30hz"), NES_NTSC).decide(Position(EMPTY, Start(18), 2, 18, 0))
        assert choice.placement is not None
        assert choice.placement.row == 19


@pytest.mark.jit
def test_default_weights_survive_1000_pieces_through_level_29() -> None:
    rng = np.random.default_rng(11)
    tempo, weights = parse_taps("30hz"), vector("nes_tetris")
    rows, level, lines = EMPTY.copy(), 18, 0
    pieces = SPAWN_ORIENTATION[rng.integers(7, size=1001)]
    for current, following in pairwise(pieces):
        ranked, _ = search_by(weights, tempo, NES_NTSC).rank(
            Position(rows, Start(int(current)), int(following), level, lines)
        )
        assert ranked, (lines, level)
        removed = lock(rows, ranked[0].orientation, ranked[0].column, ranked[0].row)
        level = level_after(level, lines, removed)
        lines += removed
    assert level > 29
    assert lines >= 380


def test_compiled_for_one_signature() -> None:
    for following in (None, 18):
        for text in ("30hz", "das"):
            start = Start(int(SPAWN_ORIENTATION[PIECE_OF[2]]))
            search_by(vector("pso"), parse_taps(text), NES_NTSC).decide(Position(EMPTY, start, following, 18, 0))
    assert len(getattr(search_two_plies, "signatures", [])) <= 1
