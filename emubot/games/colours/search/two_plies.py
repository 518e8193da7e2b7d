"""The kernels of lookahead over all placements of the current and the next pair; knows no RAM and no generator.

The value of two placements is that of their afterstate (evaluation.py). The game is lost if the next pair's cell is
filled.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.items import drop_item
from emubot.games.colours.board.resolve import Links, is_dead, links_of, resolve
from emubot.games.colours.board.words import (
    Board,
    Cells,
    board_of,
    drop_pair,
    fill_cells,
    heights_of,
    with_nuisance,
)
from emubot.games.colours.evaluation.evaluation import Scales, evaluate
from emubot.games.colours.evaluation.features import colored_count
from emubot.games.colours.reach.entry import columns_entered, columns_for
from emubot.games.colours.rules import BIG, COLUMNS, NUISANCE, ORIENTATIONS
from emubot.games.colours.scoring import LINKING_AT, STORED_AT, Table, nuisance_falling
from emubot.jit import Scalar, inlined, lean

DEAD: Final = -1e12  # added to the value of a placement that ends the game
MOST_PLACEMENTS: Final = ORIENTATIONS * COLUMNS
UNKNOWN: Final = 0  # the pivot of a piece that is not known

Pair: TypeAlias = tuple[int, int]
Halves: TypeAlias = tuple[Scalar, Scalar]  # a pair in kernels: the kinds of its pivot and of its satellite
Candidates: TypeAlias = NDArray[np.int8]


class Play(NamedTuple):
    """How fields are valued: the limits of the pairs to come (entry.py), the table of rules, the scales of weights."""

    limits: Scalar
    table: Table
    scales: Scales


@lean
def placements_on(
    cells: Cells, pivot: Scalar, satellite: Scalar, limits: Scalar, table: Table, found: Candidates
) -> Scalar:
    """Does the same as `fill_placements`, for a cells array."""
    return fill_placements(heights_of(board_of(cells)), pivot, satellite, limits, table, found)


@lean
def lock_cells(
    cells: Cells, orientation: Scalar, column: Scalar, pivot: Scalar, satellite: Scalar, table: Table
) -> tuple[Scalar, Scalar]:
    """Lock a piece on a cells array and resolve the chain, in place; returns the chain's length and its points."""
    board = board_of(cells)
    after, _, chain, points = lock(board, heights_of(board), orientation, column, pivot, satellite, table)
    fill_cells(after, cells)
    return chain, points


@lean
def resolve_cells(cells: Cells, table: Table) -> None:
    """Resolve the chain that begins on a cells array without holes, in place."""
    after, _, _, _ = resolve(board_of(cells), table)
    fill_cells(after, cells)


@lean
def search_cells(
    cells: Cells,
    candidates: Candidates,
    pair: Halves,
    following: Halves,
    pending: Scalar,
    play: Play,
    values: NDArray[np.float64],
) -> Scalar:
    """Does the same as `search_two_plies`, for a cells array."""
    return search_two_plies(board_of(cells), candidates, pair, following, pending, play, values)


@lean
def search_two_plies(
    board: Board,
    candidates: Candidates,
    pair: Halves,
    following: Halves,
    pending: Scalar,
    play: Play,
    values: NDArray[np.float64],
) -> Scalar:
    """Write the value of each candidate into `values`; returns the number of evaluated fields.

    If the pivot of `following` is UNKNOWN, the field after the first placement is evaluated. `pending` nuisance falls
    between the two placements.
    """
    limits, table, scales = play.limits, play.table, play.scales
    nodes = 0
    heights = heights_of(board)
    laid = colored_count(board) + colors_in(pair[0])
    for index in range(len(candidates)):
        orientation, column = int(candidates[index, 0]), int(candidates[index, 1])
        after, links, chain, points = lock(board, heights, orientation, column, pair[0], pair[1], table)
        rows = nuisance_falling(table, pending, chain) // COLUMNS
        if rows:  # nuisance links with nothing, so the links stay
            after = with_nuisance(after, rows, 0, NUISANCE, table[STORED_AT])
        if is_dead(after, table) or following[0] == UNKNOWN:
            values[index] = evaluate(after, links, points, laid, limits, table, scales)
            if is_dead(after, table):
                values[index] += DEAD
            nodes += 1
        else:
            values[index], leaves = _best_next(after, following[0], following[1], points, laid, limits, table, scales)
            nodes += leaves
    return nodes


@lean
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
    """Returns the best value of the next pair's placements, and their number; `points`, `laid` are the first lock's.

    A Big Puyo without two open columns side by side stays where it appears: the field is then evaluated as it is.
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
                after = drop_pair(board, orientation, column, pivot, satellite, table[STORED_AT])
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


@lean
def fill_placements(
    heights: Scalar, pivot: Scalar, satellite: Scalar, limits: Scalar, table: Table, found: Candidates
) -> Scalar:
    """Write (orientation, column) of each placement from the spawn into `found` (24, 2); returns their number.

    They are sorted by orientation, then column. A piece enters and passes only columns within `limits` (entry.py). Of
    two placements that leave the same field only the first is kept.
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
    """Returns the number of coloured puyos of a piece."""
    return 2 if pivot < BIG else 0


@lean
def lock(
    board: Board,
    heights: Scalar,
    orientation: Scalar,
    column: Scalar,
    pivot: Scalar,
    satellite: Scalar,
    table: Table,
) -> tuple[Board, Links, Scalar, Scalar]:
    """Returns the board after a piece and its chain, the board's links, the length of the chain and its points."""
    if pivot < BIG:
        return resolve(drop_pair(board, orientation, column, pivot, satellite, table[STORED_AT]), table)
    return resolve(drop_item(board, heights, column, pivot, table[STORED_AT]), table)
