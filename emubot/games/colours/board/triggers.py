"""The chains of a field that one to three puyos of one colour can set off; knows no points, no features and no search.

A trigger is a column, a colour and the fewest puyos of it that make a group of four on top of that column. The field
is settled, groups of four have popped, and groups are of four (`popping`).
"""

from __future__ import annotations

from typing import TypeAlias

from emubot.games.colours.board.popping import popping
from emubot.games.colours.board.resolve import Links, Words, beside, grown, left_of, right_of
from emubot.games.colours.board.words import Board, removed
from emubot.games.colours.layout import FLOOR
from emubot.jit import Scalar, inlined

# Cells of groups of one, two and three puyos, each as two words.
Groups: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]
# Tops of columns where one, two and three puyos are a trigger, each as two words.
Triggers: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]


@inlined
def groups_of(board: Board, links: Links, cells: Scalar) -> Groups:
    """Returns the coloured cells in groups of one, two and three; `cells` is the mask of one column that can link."""
    up_a, up_b, right_a, right_b = links
    down_a, down_b = up_a << 1, up_b << 1
    left_a, left_b = left_of(right_a, right_b)
    any_a, any_b = up_a | down_a | left_a | right_a, up_b | down_b | left_b | right_b
    two_a = (up_a & down_a) | (left_a & right_a) | ((up_a | down_a) & (left_a | right_a))
    two_b = (up_b & down_b) | (left_b & right_b) | ((up_b | down_b) & (left_b | right_b))
    # A group of three is a cell with two links and its neighbours.
    three_a, three_b = grown(links, two_a, two_b)
    linking = cells * FLOOR
    all_a = (board[0] | board[1] | board[2]) & ~(board[0] & board[1] & board[2]) & linking
    all_b = (board[4] | board[5] | board[6]) & ~(board[4] & board[5] & board[6]) & linking
    return all_a & ~any_a, all_b & ~any_b, any_a & ~three_a, any_b & ~three_b, three_a, three_b


@inlined
def cells_of_color(board: Board, color: Scalar, cells: Scalar) -> Words:
    """Returns the cells of a colour that can link; `cells` as for `groups_of`."""
    k1, k2, k4 = -(color & 1), -(color >> 1 & 1), -(color >> 2 & 1)
    return (
        ~((board[0] ^ k1) | (board[1] ^ k2) | (board[2] ^ k4)) & cells * FLOOR,
        ~((board[4] ^ k1) | (board[5] ^ k2) | (board[6] ^ k4)) & cells * FLOOR,
    )


@inlined
def first_pop(mine_a: Scalar, mine_b: Scalar, board: Board, added_a: Scalar, added_b: Scalar, cells: Scalar) -> Words:
    """Returns the cells of the field that pop if puyos are added to those of their colour: without the added puyos.

    `cells` as for `groups_of`. Triggers that pop the same cells set off the same chain.
    """
    linking = cells * FLOOR
    mine_a |= added_a
    mine_b |= added_b
    # Beside the added puyos are groups of at most three.
    a, b = added_a, added_b
    for _ in range(3):
        near_a, near_b = beside(a, b)
        a |= near_a & mine_a
        b |= near_b & mine_b
    near_a, near_b = _nuisance_beside(board, a, b, linking)
    return (a & ~added_a) | near_a, (b & ~added_b) | near_b


@inlined
def _nuisance_beside(board: Board, a: Scalar, b: Scalar, linking: Scalar) -> Words:
    """Returns the nuisance beside the cells of two words."""
    gray_a, gray_b = board[0] & board[1] & board[2] & linking, board[4] & board[5] & board[6] & linking
    if gray_a | gray_b == 0:
        return gray_a, gray_b
    near_a, near_b = beside(a, b)
    return near_a & gray_a, near_b & gray_b


@inlined
def chain_after(board: Board, a: Scalar, b: Scalar, cells: Scalar) -> Scalar:
    """Returns the steps of a chain whose first step pops the cells of two words; `cells` as for `groups_of`."""
    length = 1
    while True:
        board = removed(board, a, b)
        _, _, a, b = popping(board[0], board[1], board[2], board[4], board[5], board[6], cells)
        if a | b == 0:
            return length
        length += 1


@inlined
def triggers_of(mine_a: Scalar, mine_b: Scalar, groups: Groups, tops: Words, cells: Scalar) -> Triggers:
    """Returns the tops of columns where one, two and three puyos make a group with those of their colour.

    `mine_a` and `mine_b` are the cells of the colour, `groups` and `tops` those of the field.
    Where fewer puyos are enough, more are not listed. All added puyos are in rows that link (`cells` as for
    `groups_of`). Two neighbours of one group may count as two groups, so the chain must be tried.
    """
    one_a, one_b, two_a, two_b = groups[0] & mine_a, groups[1] & mine_b, groups[2] & mine_a, groups[3] & mine_b
    three_a, three_b = groups[4] & mine_a, groups[5] & mine_b
    tops_a, tops_b = tops

    # Neighbours of each cell by the size of their group, from below, the left and the right.
    s_left_a, s_left_b = left_of(one_a, one_b)
    s_right_a, s_right_b = right_of(one_a, one_b)
    p_left_a, p_left_b = left_of(two_a, two_b)
    p_right_a, p_right_b = right_of(two_a, two_b)
    t_left_a, t_left_b = left_of(three_a, three_b)
    t_right_a, t_right_b = right_of(three_a, three_b)
    s_sides_a, s_sides_b = s_left_a | s_right_a, s_left_b | s_right_b
    p_sides_a, p_sides_b = p_left_a | p_right_a, p_left_b | p_right_b
    t_sides_a, t_sides_b = t_left_a | t_right_a, t_left_b | t_right_b
    s_below_a, s_below_b, p_below_a, p_below_b = one_a << 1, one_b << 1, two_a << 1, two_b << 1

    # One puyo: neighbours of three in all.
    first_a = t_sides_a | three_a << 1 | (p_left_a & p_right_a) | (p_sides_a & p_below_a)
    first_b = t_sides_b | three_b << 1 | (p_left_b & p_right_b) | (p_sides_b & p_below_b)
    first_a |= ((p_sides_a | p_below_a) & (s_sides_a | s_below_a)) | (s_left_a & s_right_a & s_below_a)
    first_b |= ((p_sides_b | p_below_b) & (s_sides_b | s_below_b)) | (s_left_b & s_right_b & s_below_b)
    # Two: neighbours of two in all, at the top and one above it.
    pair_a, pair_b = p_sides_a | t_sides_a, p_sides_b | t_sides_b
    second_a = pair_a | pair_a >> 1 | p_below_a
    second_b = pair_b | pair_b >> 1 | p_below_b
    high_a, high_b = s_sides_a >> 1, s_sides_b >> 1
    second_a |= (s_left_a & s_right_a) | (s_sides_a & (s_below_a | high_a)) | (s_below_a & high_a)
    second_b |= (s_left_b & s_right_b) | (s_sides_b & (s_below_b | high_b)) | (s_below_b & high_b)
    second_a |= (s_left_a & s_right_a) >> 1
    second_b |= (s_left_b & s_right_b) >> 1
    # Three: any neighbour, up to two above the top.
    any_a, any_b = s_sides_a | pair_a, s_sides_b | pair_b
    third_a = s_below_a | any_a | any_a >> 1 | any_a >> 2
    third_b = s_below_b | any_b | any_b >> 1 | any_b >> 2

    # Each further puyo needs a row more that links.
    one, two, three = cells * FLOOR, (cells >> 1) * FLOOR, (cells >> 2) * FLOOR
    first_a &= tops_a & one
    first_b &= tops_b & one
    second_a &= tops_a & two & ~first_a
    second_b &= tops_b & two & ~first_b
    third_a &= tops_a & three & ~first_a & ~second_a
    third_b &= tops_b & three & ~first_b & ~second_b
    return first_a, first_b, second_a, second_b, third_a, third_b
