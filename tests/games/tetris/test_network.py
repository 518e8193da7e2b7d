"""What the network adds to a board's value, against a slow twin on a grid of cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation import layout
from emubot.games.tetris.evaluation.layout import TERMS
from emubot.games.tetris.evaluation.network import (
    HIDDEN,
    LINE_FACTS,
    NETWORK_ROWS,
    PARAMETERS,
    SINGLES_AT,
    TRIPLES_AT,
    WHOLE_AT,
    network_of,
    parameters_of,
    part_of_board,
)
from emubot.games.tetris.evaluation.points import entries_of_board
from tests.games.tetris.feature_twins import grid_of, heights
from tests.games.tetris.test_points import boards, player, stacks_of, standings, twin_entries

RNG = np.random.default_rng(4)
DRAWN = RNG.normal(size=PARAMETERS).astype(np.float32)


def twin_rows(rows: Rows, lines: int, level: int) -> list[int]:
    """The definition of network.py, slowly."""
    tall = heights(grid_of(rows))
    entries = [entry % layout.PHASE for entry in twin_entries(rows, lines, level)[:-1]]
    found = [(column * 21 + tall[column]) * 21 + tall[column + 1] for column in range(9)]
    for column in range(6):
        steps = [min(max(tall[at + 1] - tall[at], -3), 3) + 3 for at in range(column, column + 3)]
        found.append(TRIPLES_AT + 343 * column + 49 * steps[0] + 7 * steps[1] + steps[2])
    found += [SINGLES_AT + entry - layout.COLUMNS_AT for entry in entries[5:15]]
    return found + [WHOLE_AT + entry - layout.WELL_AT for entry in entries[15:]]


@settings(deadline=None, max_examples=60)
@given(boards, standings)
def test_a_board_gets_what_the_slow_twin_says(rows: Rows, standing: tuple[int, int]) -> None:
    own, found = player(230), np.zeros(TERMS, dtype=np.int64)
    entries_of_board(stacks_of(rows), *standing, own, found)
    lines = int(own.course[min(standing[1], 47), min(standing[0], 399)])
    network = network_of(DRAWN)
    value = part_of_board(stacks_of(rows), lines, 230, found, network)
    weights = DRAWN.astype(np.float64)
    table, rest = np.split(weights, [NETWORK_ROWS * HIDDEN])
    table = table.reshape(-1, HIDDEN)
    facts = [lines / 100, lines >= 130, min(max(230 - lines, 0), 20) / 10, min(max(130 - lines, 0), 20) / 10]
    sums = table[twin_rows(rows, *standing)].sum(axis=0) + rest[-2 * HIDDEN - 1 : -HIDDEN - 1]
    sums += np.array(facts) @ rest[: LINE_FACTS * HIDDEN].reshape(LINE_FACTS, HIDDEN)
    assert value == pytest.approx(np.maximum(sums, 0) @ rest[-HIDDEN:] + rest[-HIDDEN - 1], abs=1e-3)


def test_its_rows_are_all_there_and_no_two_kinds_share_one() -> None:
    assert 0 < TRIPLES_AT < SINGLES_AT < WHOLE_AT < NETWORK_ROWS
    assert TRIPLES_AT == 9 * 441
    assert SINGLES_AT - TRIPLES_AT == 6 * 343
    assert WHOLE_AT - SINGLES_AT == 10 * 16 * 21


def test_the_parameters_come_back_as_they_went_in() -> None:
    assert (parameters_of(network_of(DRAWN)) == DRAWN).all()


def test_no_network_has_no_rows() -> None:
    assert not network_of(None).used
    assert parameters_of(network_of(None)).any() == 0
