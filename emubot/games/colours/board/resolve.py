"""Resolves a lock: links, groups, chains and their points; knows no pairs, no time and no search.

Equal colours link up, down, left and right; the hidden row links and pops only if the rules say so. A group of enough
puyos pops, and the nuisance beside it pops with it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from emubot.games.bits import popcount
from emubot.games.colours.board.popping import Step, popping
from emubot.games.colours.board.words import Board, filled, removed
from emubot.games.colours.layout import COLUMN, FLOOR, HALF, LANE, WORD
from emubot.games.colours.scoring import DEATH_AT, GROUP_AT, LINKING_AT, Table, group_bonus, step_points
from emubot.jit import Scalar, inlined, lean

# Links between cells: with the cell above, then with the cell to the right, each as two words.
Links: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar]
Words: TypeAlias = tuple[Scalar, Scalar]

_QUICK_SIZE: Final = 4  # the group size of `popping`


@inlined
def right_of(left: Scalar, right: Scalar) -> Words:
    """Returns the words with every column moved to the place of its left neighbour."""
    return left >> LANE | (right & COLUMN) << (HALF - 1) * LANE, right >> LANE


@inlined
def left_of(left: Scalar, right: Scalar) -> Words:
    """Returns the words with every column moved to the place of its right neighbour."""
    return left << LANE & WORD, (right << LANE & WORD) | left >> (HALF - 1) * LANE


@inlined
def links_of(board: Board, linking: Scalar) -> Links:
    """Returns the links on a board; `linking` is the mask of one column's cells that can link, from the floor up."""
    a1, a2, a4, b1, b2, b4 = board[0], board[1], board[2], board[4], board[5], board[6]
    cells = linking * FLOOR
    a, b = (a1 | a2 | a4) & ~(a1 & a2 & a4) & cells, (b1 | b2 | b4) & ~(b1 & b2 & b4) & cells
    # A cell of the same kind as a coloured one is coloured. A bit shifted out of a column is the next one's bit 15.
    below = cells >> 1
    up_a = a & below & ~((a1 ^ a1 >> 1) | (a2 ^ a2 >> 1) | (a4 ^ a4 >> 1))
    up_b = b & below & ~((b1 ^ b1 >> 1) | (b2 ^ b2 >> 1) | (b4 ^ b4 >> 1))
    n1, m1 = right_of(a1, b1)
    n2, m2 = right_of(a2, b2)
    n4, m4 = right_of(a4, b4)
    return up_a, up_b, a & ~((a1 ^ n1) | (a2 ^ n2) | (a4 ^ n4)), b & ~((b1 ^ m1) | (b2 ^ m2) | (b4 ^ m4))


@inlined
def grown(links: Links, a: Scalar, b: Scalar) -> Words:
    """Returns the cells of two words and all cells that are linked with one of them."""
    up_a, up_b, right_a, right_b = links
    to_a, to_b = left_of(a & right_a, b & right_b)
    from_a, from_b = right_of(a, b)
    return (
        a | (a & up_a) << 1 | (a >> 1 & up_a) | to_a | (from_a & right_a),
        b | (b & up_b) << 1 | (b >> 1 & up_b) | to_b | (from_b & right_b),
    )


@inlined
def beside(a: Scalar, b: Scalar) -> Words:
    """Returns the neighbours of the cells of two words."""
    to_a, to_b = left_of(a, b)
    from_a, from_b = right_of(a, b)
    return a << 1 | a >> 1 | to_a | from_a, b << 1 | b >> 1 | to_b | from_b


@inlined
def _step_of(board: Board, table: Table) -> Step:
    """Returns what pops in the next step of a chain with groups of four; all are 0 if nothing does."""
    return popping(board[0], board[1], board[2], board[4], board[5], board[6], table[LINKING_AT])


@lean
def _step_of_any_size(board: Board, table: Table) -> Step:
    linking = table[LINKING_AT] * FLOOR
    gray_a, gray_b = board[0] & board[1] & board[2] & linking, board[4] & board[5] & board[6] & linking
    a, b = (board[0] | board[1] | board[2]) & linking & ~gray_a, (board[4] | board[5] | board[6]) & linking & ~gray_b
    a, b, _, _ = _each_group(board, a, b, table)
    near_a, near_b = beside(a, b)
    return a, b, a | (near_a & gray_a), b | (near_b & gray_b)


@inlined
def _points_of(board: Board, a: Scalar, b: Scalar, table: Table, chain: Scalar) -> Scalar:
    """Returns the points of step number `chain` (from 1), in which the puyos of two words pop."""
    popped = popcount(a) + popcount(b)
    bonuses, colors = group_bonus(table, popped), 1
    if popped >= 2 * table[GROUP_AT]:
        _, _, bonuses, colors = _each_group(board, a, b, table)
    return step_points(table, chain, popped, colors, bonuses)


@lean
def _each_group(board: Board, left_a: Scalar, left_b: Scalar, table: Table) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Returns the cells of all groups of two words that pop, the sum of their bonuses, and the number of colours.

    All cells are coloured and link. With a cell of a group its whole group is in the words.
    """
    gone_a, gone_b, bonuses, colors = 0, 0, 0, 0
    while left_a | left_b:
        seed_a = left_a & -left_a
        seed_b = 0 if seed_a else left_b & -left_b
        k1 = -1 if (board[0] & seed_a) | (board[4] & seed_b) else 0
        k2 = -1 if (board[1] & seed_a) | (board[5] & seed_b) else 0
        k4 = -1 if (board[2] & seed_a) | (board[6] & seed_b) else 0
        mine_a = left_a & ~((board[0] ^ k1) | (board[1] ^ k2) | (board[2] ^ k4))
        mine_b = left_b & ~((board[4] ^ k1) | (board[5] ^ k2) | (board[6] ^ k4))
        left_a ^= mine_a
        left_b ^= mine_b
        color = 0
        while mine_a | mine_b:
            group_a, group_b = _group_in(mine_a, mine_b)
            mine_a ^= group_a
            mine_b ^= group_b
            puyos = popcount(group_a) + popcount(group_b)
            if puyos >= table[GROUP_AT]:
                bonuses += group_bonus(table, puyos)
                color = 1
                gone_a |= group_a
                gone_b |= group_b
        colors += color
    return gone_a, gone_b, bonuses, colors


@inlined
def _group_in(mine_a: Scalar, mine_b: Scalar) -> Words:
    """Returns the group of the lowest of the cells of one colour."""
    a = mine_a & -mine_a
    b = 0 if a else mine_b & -mine_b
    before_a, before_b = 0, 0
    while a != before_a or b != before_b:
        before_a, before_b = a, b
        near_a, near_b = beside(a, b)
        a |= near_a & mine_a
        b |= near_b & mine_b
    return a, b


@lean
def _chain_from(board: Board, step: Step, table: Table) -> tuple[Board, Scalar, Scalar]:
    """Returns the board after the chain, its length and its points; `step` is the first step of groups of four."""
    quick = table[GROUP_AT] == _QUICK_SIZE
    if not quick:
        step = _step_of_any_size(board, table)
    chain, points = 0, 0
    while step[0] | step[1]:
        chain += 1
        points += _points_of(board, step[0], step[1], table, chain)
        board = removed(board, step[2], step[3])
        step = _step_of(board, table) if quick else _step_of_any_size(board, table)
    return board, chain, points


@inlined
def resolve(board: Board, table: Table) -> tuple[Board, Links, Scalar, Scalar]:
    """Returns the board after the chain, its links, the length of the chain and its points; fast if nothing pops."""
    chain, points = 0, 0
    step = _step_of(board, table)
    if step[0] | step[1] or table[GROUP_AT] != _QUICK_SIZE:
        board, chain, points = _chain_from(board, step, table)
    return board, links_of(board, table[LINKING_AT]), chain, points


@lean
def pop_step(board: Board, table: Table, chain: Scalar) -> tuple[Step, Scalar]:
    """Returns what pops in step number `chain` (from 1), and its points; all are 0 if nothing does."""
    step = _step_of(board, table) if table[GROUP_AT] == _QUICK_SIZE else _step_of_any_size(board, table)
    points = 0
    if step[0] | step[1]:
        points += _points_of(board, step[0], step[1], table, chain)
    return step, points


@inlined
def is_dead(board: Board, table: Table) -> Scalar:
    """Returns whether a cell is filled that must be empty for the next pair."""
    left, right = filled(board)
    return (left & table[DEATH_AT]) | (right & table[DEATH_AT + 1]) != 0
