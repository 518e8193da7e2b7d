"""The kernels of the beam: layers of fields, each one pair deeper, of which the best are kept; knows no RAM, no clock.

A node is a field with the candidate that it came from, the points on the way to it and the price of that way. Equal
fields are kept once. The worth of a candidate is that of the best chain met on any way from it (`Aim`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import is_dead, resolve
from emubot.games.colours.board.words import (
    Cells,
    board_of,
    drop_pair,
    height_at,
    heights_of,
    with_nuisance,
)
from emubot.games.colours.evaluation.building import TORN, Weighing, access_value, chain_value, shape_value
from emubot.games.colours.reach.entry import columns_entered, columns_for
from emubot.games.colours.rules import COLUMNS, LEFT, NUISANCE, ORIENTATIONS, RIGHT
from emubot.games.colours.scoring import STORED_AT, Table, nuisance_falling
from emubot.games.colours.search.nodes import (
    CHAINS,
    COSTS,
    POINTS,
    RANK,
    STAMP_AT,
    Layer,
    Scratch,
    copy_node,
    place_of,
    read_board,
    sort_best,
    write_board,
)
from emubot.games.colours.search.two_plies import DEAD, Candidates, lock
from emubot.jit import Scalar, inlined, lean

_FIRED: Final = 2  # steps of a chain after which nothing is left of what was built


class Aim(NamedTuple):
    """What a chain is worth: its points, up to `most`, less `price` for each pair until it is fired.

    If `whole` is 1, the points of earlier chains on the way count too. `doubt` is the share of its points that a chain
    loses for each pair until it is fired: pairs to come are searched as if they were known, and others will come.
    """

    most: float
    price: float
    whole: Scalar
    doubt: float


class Plan(NamedTuple):
    """How to search: nodes kept in a layer, and how many times that are looked at closely; limits as in entry.py."""

    width: Scalar
    closely: Scalar
    limits: Scalar


class Beam(NamedTuple):
    """What a search goes by, and the memory that it works in."""

    table: Table
    weights: Weighing
    aim: Aim
    plan: Plan
    memory: Scratch


@inlined
def _worth(points: float, depth: Scalar, aim: Aim) -> float:
    return float(min(points, aim.most) * (1.0 - aim.doubt * depth) - aim.price * depth)


@lean
def plant(
    cells: Cells,
    candidates: Candidates,
    pivot: Scalar,
    satellite: Scalar,
    pending: Scalar,
    beam: Beam,
    worths: NDArray[np.float64],
    values: NDArray[np.float64],
) -> Scalar:
    """Fill the first layer from the candidates of the pair; returns the number of its nodes.

    `worths` (n,) get what each candidate is worth at once, `values` (n,) the value of the field after it, both DEAD if
    it ends the game. `pending` nuisance falls after the lock, without the rest that fills no row.
    """
    table, weights, found = beam.table, beam.weights, beam.memory.first
    board = board_of(cells)
    heights, count = heights_of(board), 0
    for index in range(len(candidates)):
        orientation, column = int(candidates[index, 0]), int(candidates[index, 1])
        after, links, chain, points = lock(board, heights, orientation, column, pivot, satellite, table)
        rows = nuisance_falling(table, pending, chain) // COLUMNS
        if rows:
            after = with_nuisance(after, rows, 0, NUISANCE, table[STORED_AT])
            after, links, _, _ = resolve(after, table)
        if is_dead(after, table):
            worths[index] = values[index] = DEAD
            continue
        write_board(found.boards, count, after)
        found.roots[count] = index
        chains = chain_value(after, links, table, weights, beam.memory.tried)
        price = weights[TORN] * _is_torn(heights, orientation, column)
        tops = heights_of(after)
        values[index] = chains + price + shape_value(after, links, tops, table, weights)
        values[index] += access_value(tops, beam.plan.limits, table, weights)
        numbers = found.numbers
        numbers[count, RANK], numbers[count, CHAINS] = values[index], chains
        numbers[count, POINTS], numbers[count, COSTS] = points, price
        worths[index] = _worth(points, 0, beam.aim)
        count += 1
    return count


@lean
def grow(
    start: Layer, count: Scalar, pairs: NDArray[np.uint8], depth: Scalar, beam: Beam, worths: NDArray[np.float64]
) -> tuple[Scalar, Scalar]:
    """Search the pairs, uint8 (n, 2), from the first `count` nodes of `start`; returns nodes kept and fields made.

    The last layer is left in `memory.parents`. `worths`, one for each candidate, are raised to the best met. `depth` is
    the number of pairs locked before the first of these.
    """
    parents, made = beam.memory.parents, 0
    for index in range(count):
        copy_node(start, index, parents, index)
    for turn in range(len(pairs)):
        born = _breed(count, int(pairs[turn, 0]), int(pairs[turn, 1]), depth + turn, beam, worths)
        made += born
        count = _choose(born, beam)
        if count == 0:
            break
    return count, made


@lean
def _breed(
    count: Scalar, pivot: Scalar, satellite: Scalar, depth: Scalar, beam: Beam, worths: NDArray[np.float64]
) -> Scalar:
    """Lock the pair in all ways on all parents; returns the number of different children."""
    table, weights, aim, memory = beam.table, beam.weights, beam.aim, beam.memory
    parents, children = memory.parents, memory.children
    numbers = children.numbers
    memory.stamp[0] += 1
    stamp, born = memory.stamp[0] << STAMP_AT, 0
    for parent in range(count):
        board = read_board(parents.boards, parent)
        root, chains = parents.roots[parent], parents.numbers[parent, CHAINS]
        earned, costs = parents.numbers[parent, POINTS], parents.numbers[parent, COSTS]
        heights = heights_of(board)
        entered = columns_entered(heights, beam.plan.limits, table, 0)
        for orientation in range(ORIENTATIONS):
            columns = columns_for(entered, orientation, pivot, satellite)
            for column in range(COLUMNS):
                if not columns >> column & 1:
                    continue
                after = drop_pair(board, orientation, column, pivot, satellite, table[STORED_AT])
                after, links, chain, points = resolve(after, table)
                total = earned + points
                if chain:
                    worth = _worth(total if aim.whole else float(points), depth, aim)
                    worths[root] = max(worths[root], worth)
                if is_dead(after, table):
                    continue
                price = costs + weights[TORN] * _is_torn(heights, orientation, column)
                slot, known = place_of(after, children.boards, memory.slots, stamp)
                if known >= 0:
                    if total + price > numbers[known, POINTS] + numbers[known, COSTS]:
                        numbers[known, RANK] += price - numbers[known, COSTS]
                        numbers[known, POINTS], numbers[known, COSTS] = total, price
                        children.roots[known] = root
                    continue
                memory.slots[slot] = stamp | born
                write_board(children.boards, born, after)
                children.roots[born] = root
                hoped = chains if chain < _FIRED else 0.0
                tops = heights_of(after)
                shape = shape_value(after, links, tops, table, weights)
                shape += access_value(tops, beam.plan.limits, table, weights)
                numbers[born, RANK], numbers[born, CHAINS] = hoped + shape + price, hoped
                numbers[born, POINTS], numbers[born, COSTS] = total, price
                born += 1
    return born


@lean
def _choose(born: Scalar, beam: Beam) -> Scalar:
    """Make the best children the parents of the next layer; returns their number.

    First they are ranked with the chains of their parents; the best `closely` times `width` get their own.
    """
    plan, memory = beam.plan, beam.memory
    children, order = memory.children, memory.order
    numbers = children.numbers
    for index in range(born):
        order[index] = index
    looked = min(born, plan.closely * plan.width)
    sort_best(order, numbers, born, looked)
    for place in range(looked):
        index = order[place]
        board, links, _, _ = resolve(read_board(children.boards, index), beam.table)
        chains = chain_value(board, links, beam.table, beam.weights, memory.tried)
        numbers[index, RANK] += chains - numbers[index, CHAINS]
        numbers[index, CHAINS] = chains
    kept = min(looked, plan.width)
    sort_best(order, numbers, looked, kept)
    for place in range(kept):
        copy_node(children, order[place], memory.parents, place)
    return kept


@inlined
def _is_torn(heights: Scalar, orientation: Scalar, column: Scalar) -> Scalar:
    """Returns 1 if the halves of the pair come to lie at different heights side by side."""
    if orientation != RIGHT and orientation != LEFT:
        return 0
    other = column + 1 if orientation == RIGHT else column - 1
    return 1 if height_at(heights, column) != height_at(heights, other) else 0
