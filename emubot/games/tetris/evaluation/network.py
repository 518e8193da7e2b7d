"""What the tables miss of a board's value: one hidden layer over rows of weights; knows no search and no file.

A board has ROWS_OF_BOARD rows of weights, one for each of these facts:
- pairs: the heights of two neighbouring columns;
- triples: for every four neighbouring columns but the last, the three height steps, each cut to -3..3;
- columns: a column's height, and the cells below its topmost one, as in points.py;
- whole: each table of points.py that is of the whole board, but that of the lines.
The rows are added up with a bias and with what the lines of the course say. Of each sum the positive part counts, times
its weight (a rectified linear unit), and all of these are the value. No phase of the course has weights of its own.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length
from emubot.games.tetris.board.board import Words
from emubot.games.tetris.board.columns import VISIBLE, Stacks
from emubot.games.tetris.evaluation.layout import (
    COLUMNS_AT,
    PHASE,
    SURFACES,
    TERMS,
    WELL_AT,
    column_entry,
    first_of_phase,
)
from emubot.games.tetris.evaluation.surfaces import STEEPEST, STEP_VALUES
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.jit import Scalar, inlined, lean

HIDDEN: Final = 32
LINE_FACTS: Final = 4
_STEPS: Final = 3  # of a triple
_PAIRS: Final = COLUMNS - 1
_TRIPLES: Final = COLUMNS - 1 - _STEPS
_HEIGHTS: Final = ROWS + 1
_WHOLE: Final = TERMS - 1 - SURFACES - COLUMNS  # tables of the whole board but that of the lines
ROWS_OF_BOARD: Final = _PAIRS + _TRIPLES + COLUMNS + _WHOLE
_AT_ONCE: Final = 8  # rows that are added up together
_MOST: Final = -(-ROWS_OF_BOARD // _AT_ONCE) * _AT_ONCE

TRIPLES_AT: Final = _PAIRS * _HEIGHTS * _HEIGHTS
SINGLES_AT: Final = TRIPLES_AT + _TRIPLES * STEP_VALUES**_STEPS
WHOLE_AT: Final = SINGLES_AT + WELL_AT - COLUMNS_AT
NETWORK_ROWS: Final = WHOLE_AT + PHASE - WELL_AT
# Where the lines, the biases and `out` begin among the parameters, after the rows; and how many these all are.
BOUNDS: Final = (
    NETWORK_ROWS * HIDDEN,
    (NETWORK_ROWS + LINE_FACTS) * HIDDEN,
    (NETWORK_ROWS + LINE_FACTS + 1) * HIDDEN + 1,
)
PARAMETERS: Final = BOUNDS[-1] + HIDDEN
_ZEROS: Final = NETWORK_ROWS  # a row that adds nothing

_FASTER_FROM: Final = 130  # lines of the course at which pieces begin to fall faster
_NEAR: Final = 20  # lines to there, or to the end, from which on it counts how many they are


# The weights, and working memory. A record goes to a kernel as one pointer, as leaf.BOARD does.
NETWORK: Final = np.dtype(
    (
        np.record,
        [
            ("rows", np.float32, (NETWORK_ROWS + 1, HIDDEN)),  # the last one stays zero
            ("lines", np.float32, (LINE_FACTS, HIDDEN)),
            ("biases", np.float32, (HIDDEN + 1,)),  # the last one is that of the value
            ("out", np.float32, (HIDDEN,)),
            ("used", np.int64),  # 0 if there is no network
            ("sums", np.float32, (HIDDEN,)),  # working memory
            ("facts", np.float32, (LINE_FACTS,)),  # working memory
            ("heights", np.int64, (COLUMNS,)),  # working memory
            ("found", np.int64, (_MOST,)),  # working memory
        ],
    )
)


def network_of(parameters: NDArray[np.float32] | None) -> np.record:
    """Returns the network of these parameters, float32 (PARAMETERS,): rows, lines, biases, out; None is no network."""
    network: np.record = np.zeros(1, dtype=NETWORK)[0]
    if parameters is not None:
        rows, lines, biases, out = np.split(parameters, BOUNDS)
        network.rows[:NETWORK_ROWS], network.lines[:] = rows.reshape(-1, HIDDEN), lines.reshape(-1, HIDDEN)
        network.biases[:], network.out[:], network.used = biases, out, 1
    return network


def parameters_of(network: np.record) -> NDArray[np.float32]:
    """Returns the parameters of a network, as `network_of` takes them."""
    return np.concatenate([network.rows[:NETWORK_ROWS].ravel(), network.lines.ravel(), network.biases, network.out])


@inlined
def _pair(column: Scalar, heights: Words) -> Scalar:
    return (column * _HEIGHTS + heights[column]) * _HEIGHTS + heights[column + 1]


@inlined
def _triple(column: Scalar, heights: Words) -> Scalar:
    code = column
    for step in range(_STEPS):
        rise = heights[column + step + 1] - heights[column + step]
        code = code * STEP_VALUES + min(max(rise, -STEEPEST), STEEPEST) + STEEPEST
    return TRIPLES_AT + code


@inlined
def _single(column: Scalar, stack: Scalar, height: Scalar) -> Scalar:
    return SINGLES_AT + column_entry(column, stack, height) - COLUMNS_AT


@inlined
def _whole(index: Scalar, phase: Scalar, entries: Words) -> Scalar:
    return WHOLE_AT + entries[SURFACES + COLUMNS + index] - phase - WELL_AT


@inlined
def _add(row: Scalar, rows: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    for unit in range(HIDDEN):
        sums[unit] += rows[row, unit]


@inlined
def add_rows(found: Words, count: Scalar, network: np.record, sums: NDArray[np.float32]) -> None:
    """Add the rows found (ROWS_OF_BOARD, rounded up), up to `count`, to the sums (HIDDEN,); the rest is overwritten."""
    rows = network.rows
    for index in range(count, count + -count % _AT_ONCE):
        found[index] = _ZEROS
    for index in range(0, count, _AT_ONCE):
        a, b, c, d = found[index], found[index + 1], found[index + 2], found[index + 3]
        e, f, g, h = found[index + 4], found[index + 5], found[index + 6], found[index + 7]
        for unit in range(HIDDEN):
            left = (rows[a, unit] + rows[b, unit]) + (rows[c, unit] + rows[d, unit])
            sums[unit] += left + ((rows[e, unit] + rows[f, unit]) + (rows[g, unit] + rows[h, unit]))


@inlined
def _value_of(network: np.record, sums: NDArray[np.float32]) -> float:
    """Returns the value of these sums, which are overwritten."""
    out = network.out
    for unit in range(HIDDEN):
        sums[unit] = max(sums[unit], np.float32(0)) * out[unit]
    half = HIDDEN
    while half > 1:
        half //= 2
        for unit in range(half):
            sums[unit] += sums[unit + half]
    return float(sums[0] + network.biases[HIDDEN])


@inlined
def write_line_facts(lines: Scalar, stop_lines: Scalar, facts: NDArray[np.float32]) -> None:
    """Write what these lines of the course say into facts (LINE_FACTS,)."""
    facts[0] = lines * 0.01
    facts[1] = 1 if lines >= _FASTER_FROM else 0
    facts[2] = min(max(stop_lines - lines, 0), _NEAR) * 0.1
    facts[3] = min(max(_FASTER_FROM - lines, 0), _NEAR) * 0.1


@inlined
def begin_sums(lines: Scalar, stop_lines: Scalar, network: np.record, sums: NDArray[np.float32]) -> None:
    """Write the sums of no rows: the bias, and what the lines say."""
    weights, biases, facts = network.lines, network.biases, network.facts
    write_line_facts(lines, stop_lines, facts)
    for unit in range(HIDDEN):
        sums[unit] = (
            biases[unit]
            + (facts[0] * weights[0, unit] + facts[1] * weights[1, unit])
            + (facts[2] * weights[2, unit] + facts[3] * weights[3, unit])
        )


@lean
def rows_of_board(stacks: Stacks, phase: Scalar, entries: Words, heights: Words, found: Words) -> None:
    """Write the rows of a board into found (ROWS_OF_BOARD,); `entries` are those of its tables.

    heights (COLUMNS,) is written too.
    """
    for column in range(COLUMNS):
        stack = stacks[column] & VISIBLE
        heights[column] = length(stack)
        found[_PAIRS + _TRIPLES + column] = _single(column, stack, heights[column])
    for column in range(_PAIRS):
        found[column] = _pair(column, heights)
    for column in range(_TRIPLES):
        found[_PAIRS + column] = _triple(column, heights)
    for index in range(_WHOLE):
        found[_PAIRS + _TRIPLES + COLUMNS + index] = _whole(index, phase, entries)


@lean
def part_of_board(stacks: Stacks, lines: Scalar, stop_lines: Scalar, entries: Words, network: np.record) -> float:
    """Returns what the network adds to the value of a board after these lines of the course."""
    found, sums = network.found[:], network.sums[:]
    rows_of_board(stacks, first_of_phase(lines), entries, network.heights[:], found)
    begin_sums(lines, stop_lines, network, sums)
    add_rows(found, ROWS_OF_BOARD, network, sums)
    return _value_of(network, sums)


@lean
def prepare_sums(board: np.record, lines: Scalar, stop_lines: Scalar, network: np.record) -> None:
    """Write the sums of the rows of all columns left of each column of a board (leaf.py), and of it and all others.

    A row of several columns counts where all of these are. The bias and the lines are in the sums from the left.
    """
    rows, before, behind = network.rows[:], board.sums_before[:], board.sums_behind[:]
    visible, heights = board.visible[:], board.heights[:]
    begin_sums(lines, stop_lines, network, before[0])
    for unit in range(HIDDEN):
        behind[COLUMNS, unit] = 0
    for column in range(COLUMNS):
        single = _single(column, visible[column + 1], heights[column])
        for unit in range(HIDDEN):
            before[column + 1, unit] = before[column, unit] + rows[single, unit]
        if column >= 1:
            _add(_pair(column - 1, heights), rows, before[column + 1])
        if _STEPS <= column < COLUMNS - 1:
            _add(_triple(column - _STEPS, heights), rows, before[column + 1])
        back = COLUMNS - 1 - column
        single = _single(back, visible[back + 1], heights[back])
        for unit in range(HIDDEN):
            behind[back, unit] = behind[back + 1, unit] + rows[single, unit]
        if back < _PAIRS:
            _add(_pair(back, heights), rows, behind[back])
        if back < _TRIPLES:
            _add(_triple(back, heights), rows, behind[back])


@lean
def part_of_leaf(board: np.record, first: Scalar, last: Scalar, phase: Scalar, network: np.record) -> float:
    """Returns what the network adds if the columns `first` to `last` - 1 of a prepared board have changed.

    The heights, the visible cells and the entries in `terms` are those of the changed board.
    """
    found, sums, count = network.found[:], network.sums[:], 0
    visible, heights, entries = board.visible[:], board.heights[:], board.terms[:]
    before, behind = board.sums_before[:], board.sums_behind[:]
    for column in range(first, last):
        found[count] = _single(column, visible[column + 1], heights[column])
        count += 1
    for column in range(max(first - 1, 0), min(last, _PAIRS)):
        found[count] = _pair(column, heights)
        count += 1
    for column in range(max(first - _STEPS, 0), min(last, _TRIPLES)):
        found[count] = _triple(column, heights)
        count += 1
    for index in range(_WHOLE):
        found[count] = _whole(index, phase, entries)
        count += 1
    for unit in range(HIDDEN):
        sums[unit] = before[first, unit] + behind[last, unit]
    add_rows(found, count, network, sums)
    return _value_of(network, sums)
