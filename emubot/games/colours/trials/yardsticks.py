"""What pairs are compared by: the games of its table of strength, and how fast its kernels are; prints nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import Cells, board_of, heights_of
from emubot.games.colours.bounds import CHAIN, NODES
from emubot.games.colours.evaluation.building import Weighing, chain_value, shape_value
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, FAMICOM_1991, TSU
from emubot.games.colours.scoring import LINKING_AT, Table, table_of
from emubot.games.colours.search.engine import Budget, building_vector, search_for
from emubot.games.colours.search.nodes import read_board, write_board
from emubot.games.colours.search.search import Position, placements
from emubot.games.colours.search.two_plies import Pair, lock_cells
from emubot.games.colours.trials.raw_speed import lock_everywhere, positions_a_second
from emubot.games.trial import Comparison
from emubot.jit import Scalar, kernel
from emubot.weights import load_weights

_WEIGHTS: Final = "chains"  # what is timed takes the same time with others
_FIRST, _LAST = 10, 34  # pairs of a game in whose fields everything is timed
_GAMES: Final = 8
_QUICK: Final = 2_000  # fields of the decisions that lead there
_DROPS: Final = 4_000  # times that all placements on all fields are dropped
_VALUES: Final = 4_000  # times that all fields are valued
_DECISIONS: Final = 60
_BATTLE: Final = 10_000  # fields of a decision in battles: some 4 milliseconds


def comparisons() -> tuple[Comparison, ...]:
    """Returns the games of docs/measurements/puyo.md that are dealt by seeds, in its order."""
    tsu, famicom = TSU.name, FAMICOM_1991.name
    chain = {"pairs": 50, "nodes": NODES}
    endless = {"colors": 6, "pairs": 1_000, "nodes": NODES}
    fast = {**endless, "gravity": 2, "taps": "12hz"}
    battles = [
        Comparison(f"battle, {rules}, against {opponent}", rules, {"nodes": _BATTLE}, against=name)
        for rules in (famicom, tsu)
        for opponent, name in (("builder", "builder"), ("the default two plies deep", "famicom_puyo"))
    ]
    return (
        Comparison("tsu, 50 pairs, two known", tsu, {**chain, "previews": 1}, figure="best_score"),
        Comparison(
            "tsu, 50 pairs, two known, the end not known",
            tsu,
            {**chain, "previews": 1, "horizon": "unknown"},
            figure="best_score",
        ),
        Comparison("tsu, 50 pairs, three known", tsu, {**chain, "previews": 2}, figure="best_score"),
        Comparison("1991, 6 colours, 1,000 pairs", famicom, endless),
        Comparison("1991, 6 colours, 1,000 pairs, two frames a row", famicom, fast),
        *battles,
    )


def speeds() -> Mapping[str, float]:
    """Returns how much is done in a second of CPU time, by name.

    That is positions made on fields of random play, placements dropped, fields valued by chains and by shape, fields
    made by the beam, and decisions. But for the first, the fields are those of games under the Tsu rules, with four
    colours, between their 11th and 34th pair.
    """
    table, weights = table_of(TSU), building_vector(load_weights(_WEIGHTS))
    positions = _positions()
    boards = np.zeros((len(positions), 8), dtype=np.int64)
    fill_boards(np.array([position.cells for position in positions]), boards)
    pairs = np.array([position.pair for position in positions], dtype=np.uint8)
    tried, limits = np.zeros((COLUMNS, 3), dtype=np.int64), limits_of(TSU)
    nodes, decisions = _beam_speeds(positions)
    return {
        "raw_positions_per_second": positions_a_second(TSU),
        "placements_per_second": _rate(lambda times: lock_everywhere(boards, pairs, times, limits, table)[0], _DROPS),
        "chain_values_per_second": _rate(lambda times: value_chains(boards, times, table, weights, tried)[0], _VALUES),
        "shape_values_per_second": _rate(lambda times: value_shapes(boards, times, table, weights)[0], _VALUES),
        "beam_nodes_per_second": nodes,
        "beam_decisions_per_second": decisions,
    }


def _positions() -> list[Position]:
    """Returns positions in the middle of games, each with two next pairs."""
    search = search_for(load_weights(_WEIGHTS), TSU, CHAIN, Budget(_QUICK))
    found = []
    for game in range(_GAMES):
        dealt = np.random.default_rng(game).integers(1, TSU.colors + 1, size=(_LAST + 2, 2)).tolist()
        pairs: list[Pair] = [(pivot, satellite) for pivot, satellite in dealt]
        cells = np.zeros((TSU.stored_rows, COLUMNS), dtype=np.uint8)
        for turn in range(_LAST):
            position = Position(cells.copy(), pairs[turn], tuple(pairs[turn + 1 : turn + 3]))
            places = placements(cells, pairs[turn], TSU)
            choice = search.decide(position, places)
            if choice.index < 0:
                break
            if turn >= _FIRST:
                found.append(position)
            orientation, column = places[choice.index].tolist()
            lock_cells(cells, orientation, column, *pairs[turn], table_of(TSU))
    return found


def _beam_speeds(positions: list[Position]) -> tuple[float, float]:
    """Returns the fields that decisions of the default budget make, and these decisions, in a second."""
    search = search_for(load_weights(_WEIGHTS), TSU, CHAIN)
    chosen = positions[:: max(len(positions) // _DECISIONS, 1)][:_DECISIONS]
    made, started = 0, time.process_time()
    for position in chosen:
        made += search.decide(position, placements(position.cells, position.pair, TSU)).nodes
    seconds = time.process_time() - started
    return made / seconds, len(chosen) / seconds


def _rate(work: Callable[[int], int], times: int) -> float:
    """Returns how much is done in a second; `work` returns how much it did in so many rounds."""
    work(1)
    started = time.process_time()
    done = work(times)
    return done / (time.process_time() - started)


@kernel
def fill_boards(fields: NDArray[np.uint8], boards: NDArray[np.int64]) -> None:
    """Write each settled field (n, stored rows, 6) as a board (n, 8)."""
    for index in range(len(fields)):
        cells: Cells = fields[index]
        write_board(boards, index, board_of(cells))


@kernel
def value_chains(
    boards: NDArray[np.int64], times: Scalar, table: Table, weights: Weighing, tried: NDArray[np.int64]
) -> tuple[Scalar, float]:
    """Value the chains of each board so many times; returns the number of values and their sum."""
    total = 0.0
    for _ in range(times):
        for index in range(len(boards)):
            board = read_board(boards, index)
            total += chain_value(board, links_of(board, table[LINKING_AT]), table, weights, tried)
    return len(boards) * times, total


@kernel
def value_shapes(boards: NDArray[np.int64], times: Scalar, table: Table, weights: Weighing) -> tuple[Scalar, float]:
    """Value the shape of each board so many times; returns the number of values and their sum."""
    total = 0.0
    for _ in range(times):
        for index in range(len(boards)):
            board = read_board(boards, index)
            total += shape_value(board, links_of(board, table[LINKING_AT]), heights_of(board), table, weights)
    return len(boards) * times, total
