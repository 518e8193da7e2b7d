"""Resolves a lock: links, groups, chains and their points; knows no pairs, no time and no search.

Equal colours link up, down, left and right; the hidden row links and pops only if the rules say so. A group of enough
puyos pops, and the nuisance beside it pops with it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from emubot.games.bits import popcount
from emubot.games.puyo.board.board import Board, filled, removed
from emubot.games.puyo.scoring import DEATH_AT, GROUP_AT, LINKING_AT, Table, group_bonus, step_points
from emubot.games.puyo.words import COLUMN, FLOOR, HALF, LANE, WORD
from emubot.jit import Scalar, inlined, kernel

# Links between cells: with the cell above, then with the cell to the right, each as two words.
Links: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar]
Words: TypeAlias = tuple[Scalar, Scalar]

_QUICK_SIZE: Final = 4  # the group size that `in_groups` can find from the links


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
def in_groups(links: Links) -> Words:
    """Returns some cells of every group of four or more puyos, and none of a smaller group.

    A group has at least four cells if one cell has three neighbours, or if two linked cells have two each.
    """
    up_a, up_b, right_a, right_b = links
    down_a, down_b = up_a << 1, up_b << 1
    left_a, left_b = left_of(right_a, right_b)
    both_a, both_b = up_a & down_a, up_b & down_b
    sides_a, sides_b = left_a & right_a, left_b & right_b
    either_a, either_b = up_a | down_a, up_b | down_b
    side_a, side_b = left_a | right_a, left_b | right_b
    two_a = both_a | sides_a | (either_a & side_a)
    two_b = both_b | sides_b | (either_b & side_b)
    beside_a, beside_b = right_of(two_a, two_b)
    found_a = (both_a & side_a) | (sides_a & either_a) | (two_a & up_a & two_a >> 1) | (two_a & right_a & beside_a)
    found_b = (both_b & side_b) | (sides_b & either_b) | (two_b & up_b & two_b >> 1) | (two_b & right_b & beside_b)
    return found_a, found_b


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
def whole_groups(links: Links, a: Scalar, b: Scalar) -> Words:
    """Returns all cells of the groups of four or more; `a` and `b` are those of `in_groups`.

    Of two linked cells with two neighbours each, one is among them. So each cell with two neighbours is one of them or
    beside one, and each cell with one neighbour is at most two links away.
    """
    a, b = grown(links, a, b)
    return grown(links, a, b)


@kernel
def _group_at(links: Links, a: Scalar, b: Scalar) -> Words:
    """Returns all cells of the group that a cell belongs to; one of the two words is 0."""
    while True:
        before_a, before_b = a, b
        a, b = grown(links, a, b)
        if a == before_a and b == before_b:
            return a, b


@inlined
def beside(a: Scalar, b: Scalar) -> Words:
    """Returns the neighbours of the cells of two words."""
    to_a, to_b = left_of(a, b)
    from_a, from_b = right_of(a, b)
    return a << 1 | a >> 1 | to_a | from_a, b << 1 | b >> 1 | to_b | from_b


@inlined
def pop_groups(board: Board, links: Links, table: Table, chain: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Returns the cells removed in this step of a chain (from 1) as two words, the points, and the puyos popped.

    The cells include the nuisance beside the groups; the puyos do not. All are 0 if nothing pops.
    """
    linking, size = table[LINKING_AT] * FLOOR, table[GROUP_AT]
    gray_a, gray_b = board[0] & board[1] & board[2] & linking, board[4] & board[5] & board[6] & linking
    if size == _QUICK_SIZE:
        found_a, found_b = in_groups(links)
        gone_a, gone_b = whole_groups(links, found_a, found_b)
        popped = popcount(gone_a) + popcount(gone_b)
        if popped == 0:
            return 0, 0, 0, 0
        bonuses, colors = group_bonus(table, popped), 1
        if popped >= 2 * _QUICK_SIZE:
            _, _, bonuses, colors = _each_group(board, links, gone_a, gone_b, table)
    else:
        left_a = (board[0] | board[1] | board[2]) & linking & ~gray_a
        left_b = (board[4] | board[5] | board[6]) & linking & ~gray_b
        gone_a, gone_b, bonuses, colors = _each_group(board, links, left_a, left_b, table)
        popped = popcount(gone_a) + popcount(gone_b)
        if popped == 0:
            return 0, 0, 0, 0
    points = step_points(table, chain, popped, colors, bonuses)
    if gray_a | gray_b:
        near_a, near_b = beside(gone_a, gone_b)
        gone_a |= near_a & gray_a
        gone_b |= near_b & gray_b
    return gone_a, gone_b, points, popped


@kernel
def _each_group(
    board: Board, links: Links, left_a: Scalar, left_b: Scalar, table: Table
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Returns the cells of all groups of two words that pop, the sum of their bonuses, and the number of colours."""
    gone_a, gone_b, bonuses, colors = 0, 0, 0, 0
    while left_a | left_b:
        seed_a = left_a & -left_a
        seed_b = 0 if left_a else left_b & -left_b
        group_a, group_b = _group_at(links, seed_a, seed_b)
        left_a &= ~group_a
        left_b &= ~group_b
        puyos = popcount(group_a) + popcount(group_b)
        if puyos < table[GROUP_AT]:
            continue
        bonuses += group_bonus(table, puyos)
        kind = 1 if (board[0] & seed_a) | (board[4] & seed_b) else 0
        kind |= 2 if (board[1] & seed_a) | (board[5] & seed_b) else 0
        kind |= 4 if (board[2] & seed_a) | (board[6] & seed_b) else 0
        colors |= 1 << kind
        gone_a |= group_a
        gone_b |= group_b
    return gone_a, gone_b, bonuses, popcount(colors)


@kernel
def chain_from(board: Board, links: Links, table: Table) -> tuple[Board, Links, Scalar, Scalar]:
    """Returns the board after the chain, its links, the length of the chain and its points.

    `links` are those of `board`.
    """
    chain, points = 0, 0
    while True:
        gone_a, gone_b, more, popped = pop_groups(board, links, table, chain + 1)
        if popped == 0:
            return board, links, chain, points
        chain += 1
        points += more
        board = removed(board, gone_a, gone_b)
        links = links_of(board, table[LINKING_AT])


@inlined
def resolve(board: Board, table: Table) -> tuple[Board, Links, Scalar, Scalar]:
    """Returns the same as `chain_from`, for a board without known links; fast if nothing pops."""
    links = links_of(board, table[LINKING_AT])
    found_a, found_b = in_groups(links)
    if found_a | found_b or table[GROUP_AT] != _QUICK_SIZE:
        return chain_from(board, links, table)
    return board, links, 0, 0


@inlined
def is_dead(board: Board, table: Table) -> Scalar:
    """Returns whether a cell is filled that must be empty for the next pair."""
    left, right = filled(board)
    return (left & table[DEATH_AT]) | (right & table[DEATH_AT + 1]) != 0
