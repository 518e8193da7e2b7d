"""Lookahead over the current and the next piece, all pairs of placements; knows no RAM, no bridge and no generator.

The value of two placements is that of the field they leave (evaluation.py). A field in which the next pair finds its
cell filled is death. Ties go to the earlier candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.puyo.board.board import (
    Board,
    Cells,
    board_of,
    checked_cells,
    drop_pair,
    fill_cells,
    heights_of,
    with_nuisance,
)
from emubot.games.puyo.board.items import drop_item
from emubot.games.puyo.board.resolve import Links, is_dead, links_of, resolve
from emubot.games.puyo.evaluation.evaluation import Scales, evaluate, scales_of
from emubot.games.puyo.evaluation.features import colored_count
from emubot.games.puyo.reach.entry import columns_entered, columns_for, limits_of
from emubot.games.puyo.rules import BIG, COLUMNS, NUISANCE, ORIENTATIONS, Rules
from emubot.games.puyo.scoring import LINKING_AT, STORED_AT, Table, nuisance_falling, table_of
from emubot.games.variety import Choose
from emubot.jit import Scalar, inlined, kernel

DEAD: Final = -1e12  # added to the value of a placement that ends the game
MOST_PLACEMENTS: Final = ORIENTATIONS * COLUMNS
UNKNOWN: Final = 0  # as a half: this piece is not known

Pair: TypeAlias = tuple[int, int]
Candidates: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of the best candidate (-1: there is none), its value, and the fields evaluated."""

    index: int
    value: float
    nodes: int


def decide(
    cells: NDArray[Any],
    candidates: NDArray[Any],
    current: Pair,
    following: Pair | None,
    rules: Rules,
    weights: NDArray[np.float64],
    pending: int = 0,
    limits: int | None = None,
    choose: Choose | None = None,
) -> Choice:
    """The best of the placements (orientation, column) in `candidates`, integers (n, 2), of the pair `current`.

    Or the one of `choose`. `cells` is the field, uint8 (stored rows, 6), hidden rows first; pairs are (pivot kind,
    satellite kind), BIG or CARBUNCLE as the pivot being an item; no `following`: only this pair is searched.
    `weights` are as in evaluation.py.
    `pending` is the nuisance that falls after this pair: its full rows are laid, what is left over is not, for its
    columns are not known. `limits` (entry.py) say which columns the next pair still enters; None: it has time.
    """
    values, nodes = rank(cells, candidates, current, following, rules, weights, pending, limits)
    if not len(values):
        return Choice(-1, DEAD, nodes)
    index = int(values.argmax()) if choose is None else choose(candidates.tolist(), values.tolist())
    return Choice(index, float(values[index]), nodes)


def rank(
    cells: NDArray[Any],
    candidates: NDArray[Any],
    current: Pair,
    following: Pair | None,
    rules: Rules,
    weights: NDArray[np.float64],
    pending: int = 0,
    limits: int | None = None,
) -> tuple[NDArray[np.float64], int]:
    """The value of every candidate, float64 (n,), and the number of fields evaluated. Raises ValueError."""
    settled = checked_cells(cells)
    if len(settled) != rules.stored_rows:
        raise ValueError(f"the rules {rules.name} store {rules.stored_rows} rows, not {len(settled)}")
    placements = np.ascontiguousarray(candidates, dtype=np.int8).reshape(-1, 2)
    values = np.zeros(len(placements))
    table = table_of(rules)
    nodes = search_cells(
        settled,
        placements,
        len(placements),
        *current,
        *(following or (UNKNOWN, UNKNOWN)),
        pending,
        limits_of(rules) if limits is None else limits,
        table,
        scales_of(weights),
        values,
    )
    return values, int(nodes)


def placements(cells: NDArray[Any], piece: Pair, rules: Rules, limits: int | None = None) -> Candidates:
    """What `fill_placements` finds for a piece on a field: int8 (n, 2). No limits: it has all the time it needs."""
    found = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
    within = limits_of(rules) if limits is None else limits
    count = placements_on(checked_cells(cells), *piece, within, table_of(rules), found)
    return found[:count]


@kernel
def placements_on(
    cells: Cells, pivot: Scalar, satellite: Scalar, limits: Scalar, table: Table, found: Candidates
) -> Scalar:
    """The same as `fill_placements` for a cells array."""
    return fill_placements(heights_of(board_of(cells)), pivot, satellite, limits, table, found)


@kernel
def lock_cells(
    cells: Cells, orientation: Scalar, column: Scalar, pivot: Scalar, satellite: Scalar, table: Table
) -> tuple[Scalar, Scalar]:
    """Lock a piece on a cells array and let everything pop, in place; the length of the chain and its points."""
    board = board_of(cells)
    after, _, chain, points = lock(board, heights_of(board), orientation, column, pivot, satellite, table)
    fill_cells(after, cells)
    return chain, points


@kernel
def search_cells(
    cells: Cells,
    candidates: Candidates,
    count: Scalar,
    pivot: Scalar,
    satellite: Scalar,
    next_pivot: Scalar,
    next_satellite: Scalar,
    pending: Scalar,
    limits: Scalar,
    table: Table,
    scales: Scales,
    values: NDArray[np.float64],
) -> Scalar:
    """The same as `search_pairs` for a cells array."""
    return search_pairs(
        board_of(cells),
        candidates,
        count,
        pivot,
        satellite,
        next_pivot,
        next_satellite,
        pending,
        limits,
        table,
        scales,
        values,
    )


@kernel
def search_pairs(
    board: Board,
    candidates: Candidates,
    count: Scalar,
    pivot: Scalar,
    satellite: Scalar,
    next_pivot: Scalar,
    next_satellite: Scalar,
    pending: Scalar,
    limits: Scalar,
    table: Table,
    scales: Scales,
    values: NDArray[np.float64],
) -> Scalar:
    """Write the value of the first `count` candidates into values; the number of fields evaluated.

    Where `next_pivot` is UNKNOWN the field after the first placement is valued. `pending` nuisance falls between the
    two. `limits` (entry.py) hold for the next pair.
    """
    nodes = 0
    heights = heights_of(board)
    laid = colored_count(board) + colors_in(pivot)
    for index in range(count):
        orientation, column = int(candidates[index, 0]), int(candidates[index, 1])
        after, links, chain, points = lock(board, heights, orientation, column, pivot, satellite, table)
        rows = nuisance_falling(table, pending, chain) // COLUMNS
        if rows:  # it links with nothing, so the links stay
            after = with_nuisance(after, rows, 0, NUISANCE, table[STORED_AT])
        if is_dead(after, table) or next_pivot == UNKNOWN:
            values[index] = evaluate(after, links, points, laid, limits, table, scales)
            if is_dead(after, table):
                values[index] += DEAD
            nodes += 1
        else:
            values[index], leaves = _best_next(after, next_pivot, next_satellite, points, laid, limits, table, scales)
            nodes += leaves
    return nodes


@kernel
def _best_next(
    board: Board,
    pivot: Scalar,
    satellite: Scalar,
    points: Scalar,
    laid: Scalar,
    limits: Scalar,
    table: Table,
    scales: Scales,
) -> tuple[float, Scalar]:
    """The best value of all placements of the next pair and their number; `points` and `laid` are the first lock's.

    A Big Puyo that finds no two columns open side by side stays where it appears: the field is valued as it is.
    """
    heights = heights_of(board)
    entered = columns_entered(heights, limits, table, 0)
    best, count = -np.inf, 0
    laid_then = laid + colors_in(pivot)
    for orientation in range(ORIENTATIONS):
        columns = columns_for(entered, orientation, pivot, satellite)
        for column in range(COLUMNS):
            if not columns >> column & 1:
                continue
            if pivot < BIG:
                after = drop_pair(board, heights, orientation, column, pivot, satellite, table[STORED_AT])
            else:
                after = drop_item(board, heights, column, pivot, table[STORED_AT])
            after, links, _, more = resolve(after, table)
            value = evaluate(after, links, points + more, laid_then, limits, table, scales)
            if is_dead(after, table):
                value += DEAD
            best = max(best, value)
            count += 1
    if count == 0:
        return evaluate(board, links_of(board, table[LINKING_AT]), points, laid, limits, table, scales), 1
    return best, count


@kernel
def fill_placements(
    heights: Scalar, pivot: Scalar, satellite: Scalar, limits: Scalar, table: Table, found: Candidates
) -> Scalar:
    """Write (orientation, column) of every placement of a piece from its spawn into found (24, 2); their number.

    By orientation, then column. A pair enters and passes columns within `limits` (entry.py) only; of two that leave the
    same field the first is kept.
    """
    entered = columns_entered(heights, limits, table, 0)
    count = 0
    for orientation in range(ORIENTATIONS):
        columns = columns_for(entered, orientation, pivot, satellite)
        for column in range(COLUMNS):
            if columns >> column & 1:
                found[count, 0], found[count, 1] = orientation, column
                count += 1
    return count


@inlined
def colors_in(pivot: Scalar) -> Scalar:
    """The coloured puyos that a piece brings."""
    return 2 if pivot < BIG else 0


@kernel
def lock(
    board: Board,
    heights: Scalar,
    orientation: Scalar,
    column: Scalar,
    pivot: Scalar,
    satellite: Scalar,
    table: Table,
) -> tuple[Board, Links, Scalar, Scalar]:
    """The board after a piece and all it sets off, its links, the length of the chain and its points."""
    if pivot < BIG:
        return resolve(drop_pair(board, heights, orientation, column, pivot, satellite, table[STORED_AT]), table)
    return resolve(drop_item(board, heights, column, pivot, table[STORED_AT]), table)
