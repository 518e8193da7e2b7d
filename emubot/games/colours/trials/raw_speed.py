"""Measures how many positions a second the fall of a pair and its chain take, without any search; knows no weights."""

from __future__ import annotations

import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import is_dead, resolve
from emubot.games.colours.board.words import Board, board_of, drop_pair, heights_of
from emubot.games.colours.reach.entry import columns_entered, columns_for, limits_of
from emubot.games.colours.rules import COLUMNS, ORIENTATIONS, Rules
from emubot.games.colours.scoring import STORED_AT, Table, table_of
from emubot.games.colours.search.nodes import read_board
from emubot.games.colours.search.search import placements
from emubot.games.colours.search.two_plies import lock_cells
from emubot.jit import Scalar, lean

FIELDS: Final = 256
LEAST_PUYOS: Final = 24  # on a field in the middle of a game
_APART: Final = 3  # pairs between two fields of one game
_ROUNDS: Final = 40  # over all fields in a measurement: some 200,000 positions

Boards = NDArray[np.int64]  # (n, 8)
Pairs = NDArray[np.uint8]  # (n, 2)


def positions_a_second(rules: Rules, seed: int = 0) -> float:
    """Returns how many positions are made a second of CPU time: all placements of a pair on fields of random play.

    A position is the field after the fall and the chain, with the chain's length and points.
    """
    boards, pairs = mid_game(rules, FIELDS, seed)
    limits, table = limits_of(rules), table_of(rules)
    lock_everywhere(boards, pairs, 1, limits, table)
    started = time.process_time()
    positions, _, _ = lock_everywhere(boards, pairs, _ROUNDS, limits, table)
    return float(positions / (time.process_time() - started))


def mid_game(rules: Rules, count: int, seed: int) -> tuple[Boards, Pairs]:
    """Returns `count` boards in the middle of games of random placements, and the pair that comes next on each."""
    rng = np.random.default_rng(seed)
    cells, table = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8), table_of(rules)
    boards: list[Board] = []
    pairs: list[NDArray[np.uint8]] = []
    since = 0
    while len(boards) < count:
        pair = rng.integers(1, rules.colors + 1, size=2, dtype=np.uint8)
        pivot, satellite = pair.tolist()
        found = placements(cells, (pivot, satellite), rules)
        since += 1
        if since >= _APART and np.count_nonzero(cells) >= LEAST_PUYOS:
            boards.append(board_of(cells))
            pairs.append(pair)
            since = 0
        orientation, column = rng.choice(found).tolist()
        lock_cells(cells, orientation, column, pivot, satellite, table)
        if is_dead(board_of(cells), table):
            cells[:] = 0
    return np.array(boards, dtype=np.int64), np.array(pairs)


@lean
def lock_everywhere(
    boards: Boards, pairs: Pairs, rounds: Scalar, limits: Scalar, table: Table
) -> tuple[Scalar, Scalar, Scalar]:
    """Lock each board's pair in all ways, `rounds` times; returns positions made, their points, and a sum of them.

    The sum is of the words of all positions, so that no part of a position is left out when this is compiled.
    """
    made, total, mixed = 0, 0, 0
    for _ in range(rounds):
        for index in range(len(boards)):
            board, pivot, satellite = read_board(boards, index), int(pairs[index, 0]), int(pairs[index, 1])
            entered = columns_entered(heights_of(board), limits, table, 0)
            for orientation in range(ORIENTATIONS):
                columns = columns_for(entered, orientation, pivot, satellite)
                for column in range(COLUMNS):
                    if columns >> column & 1:
                        after = drop_pair(board, orientation, column, pivot, satellite, table[STORED_AT])
                        after, _, _, points = resolve(after, table)
                        w0, w1, w2, w3, w4, w5, w6, w7 = after
                        mixed ^= w0 ^ w1 << 1 ^ w2 << 2 ^ w3 << 3 ^ w4 << 4 ^ w5 << 5 ^ w6 << 6 ^ w7 << 7
                        total += points
                        made += 1
    return made, total, mixed
