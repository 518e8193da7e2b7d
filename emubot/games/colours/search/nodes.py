"""Nodes of a beam: layers of fields with their numbers, the best of them, and the table of fields; knows no pairs."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.words import Board
from emubot.games.colours.bounds import MOST_WIDTH
from emubot.games.colours.rules import COLUMNS, ORIENTATIONS
from emubot.jit import Scalar, inlined, lean

MOST_CHILDREN: Final = ORIENTATIONS * COLUMNS  # of a node
_WORDS: Final = 8
_SLOTS: Final = 1 << 15  # of the table of fields: more than twice the children of the widest layer
_MASK: Final = (1 << 31) - 1  # products of two 31-bit numbers fit a signed word, compiled or not
_FACTOR: Final = 1_812_433_253
STAMP_AT: Final = 32  # bits of an index in the table of fields

# The numbers of a node.
_NUMBERS: Final = 4
RANK, CHAINS, POINTS, COSTS = range(_NUMBERS)


class Layer(NamedTuple):
    """Nodes: boards int64 (n, 8), index of the candidate int64 (n,), and four numbers each, float64 (n, 4).

    The numbers are the rank, the value of the chains in it, the points on the way, and the price of the way.
    """

    boards: NDArray[np.int64]
    roots: NDArray[np.int64]
    numbers: NDArray[np.float64]


class Scratch(NamedTuple):
    """Memory of one search.

    The first layer, the layer in work, its children, their order, the table of fields with its stamp, and the chains
    tried.
    """

    first: Layer
    parents: Layer
    children: Layer
    order: NDArray[np.int64]
    slots: NDArray[np.int64]
    stamp: NDArray[np.int64]
    tried: NDArray[np.int64]


def layer(nodes: int) -> Layer:
    """Returns room for so many nodes."""
    return Layer(np.zeros((nodes, _WORDS), np.int64), np.zeros(nodes, np.int64), np.zeros((nodes, _NUMBERS)))


def scratch() -> Scratch:
    """Returns the memory of a search; each thread needs its own."""
    children = MOST_WIDTH * MOST_CHILDREN
    return Scratch(
        first=layer(MOST_CHILDREN),
        parents=layer(MOST_WIDTH),
        children=layer(children),
        order=np.zeros(children, np.int64),
        slots=np.zeros(_SLOTS, np.int64),
        stamp=np.zeros(1, np.int64),
        tried=np.zeros((COLUMNS, 3), np.int64),
    )


@lean
def sort_best(order: NDArray[np.int64], numbers: NDArray[np.float64], count: Scalar, wanted: Scalar) -> None:
    """Bring the `wanted` highest ranks among the first `count` to the front of `order`, by quickselect."""
    low, high = 0, count - 1
    while low < high and low < wanted:
        pivot = numbers[order[(low + high) // 2], RANK]
        left, right = low, high
        while left <= right:
            while numbers[order[left], RANK] > pivot:
                left += 1
            while numbers[order[right], RANK] < pivot:
                right -= 1
            if left <= right:
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
        if wanted - 1 <= right:
            high = right
        elif wanted - 1 >= left:
            low = left
        else:
            return


@inlined
def copy_node(start: Layer, index: Scalar, end: Layer, place: Scalar) -> None:
    """Copy a node from one layer to a place in another one."""
    for word in range(_WORDS):
        end.boards[place, word] = start.boards[index, word]
    end.roots[place] = start.roots[index]
    for number in range(_NUMBERS):
        end.numbers[place, number] = start.numbers[index, number]


@inlined
def read_board(boards: NDArray[np.int64], index: Scalar) -> Board:
    """Returns the field of a node."""
    return (
        boards[index, 0],
        boards[index, 1],
        boards[index, 2],
        boards[index, 3],
        boards[index, 4],
        boards[index, 5],
        boards[index, 6],
        boards[index, 7],
    )


@inlined
def write_board(boards: NDArray[np.int64], index: Scalar, board: Board) -> None:
    """Give a node its field."""
    w0, w1, w2, w3, w4, w5, w6, w7 = board
    boards[index, 0], boards[index, 1], boards[index, 2], boards[index, 3] = w0, w1, w2, w3
    boards[index, 4], boards[index, 5], boards[index, 6], boards[index, 7] = w4, w5, w6, w7


@inlined
def place_of(board: Board, boards: NDArray[np.int64], slots: NDArray[np.int64], stamp: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the slot of a field in the table, and the index of the equal child there; -1 if there is none."""
    w0, w1, w2, w3, w4, w5, w6, w7 = board
    mixed = w0 + 3 * w1 + 5 * w2 + 7 * w3 + 11 * w4 + 13 * w5 + 17 * w6 + 19 * w7
    product = ((mixed ^ mixed >> 24) & _MASK) * _FACTOR
    product = ((product ^ product >> 31) & _MASK) * _FACTOR
    slot = (product >> 20) & _SLOTS - 1
    while slots[slot] >= stamp:
        index = slots[slot] - stamp
        if (
            boards[index, 0] == w0
            and boards[index, 1] == w1
            and boards[index, 2] == w2
            and boards[index, 3] == w3
            and boards[index, 4] == w4
            and boards[index, 5] == w5
            and boards[index, 6] == w6
            and boards[index, 7] == w7
        ):
            return slot, index
        slot = slot + 1 & _SLOTS - 1
    return slot, -1
