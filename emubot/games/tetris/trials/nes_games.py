"""The games of NesTrial, piece by piece, without frames; knows no weights, no options and no file."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from emubot.games.pace import Pace
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, Words
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.search.engine import Engine, features_engine, limited
from emubot.games.tetris.trials.untimed import PlaceScratch, place, scratch
from emubot.jit import Scalar, inlined, kernel
from emubot.tempo import parse_taps

KILL_SCREEN: Final = 29
FIGURES: Final = ("score", "lines", "pieces", "tetrises", "level", "reached_29", "nodes")
SCORE_AT, LINES_AT, _PIECES, _TETRISES, _LEVEL, _REACHED, _NODES = range(len(FIGURES))


class GameBounds(NamedTuple):
    """Where a game begins and ends, as in NesTrial; `levels_rise` is 0 or 1."""

    start_level: Scalar
    start_lines: Scalar
    stop_lines: Scalar
    halt: Scalar
    levels_rise: Scalar


def compile_once() -> None:
    """Compile (or load) the kernels, each for its only signature."""
    engine = features_engine(np.zeros(FEATURES), parse_taps("30hz"), NES_NTSC)
    rows, result = np.zeros(BOARD_ROWS, dtype=np.uint16), np.zeros(len(FIGURES), dtype=np.int64)
    play_game(np.random.default_rng(0), rows, GameBounds(0, 0, 1, 0, 1), engine, scratch(), result)


def play_timed(
    rng: np.random.Generator,
    rows: Rows,
    bounds: GameBounds,
    engine: Engine,
    scratch: PlaceScratch,
    result: Words,
    pace: Pace,
) -> None:
    """Play a game like `play_game`, each decision with the budget of the pace."""

    def play_within(boards: int) -> tuple[bool, int]:
        before = int(result[_NODES])
        goes_on = play_piece(rng, rows, bounds, limited(engine, boards), scratch, pieces, result)
        return goes_on, int(result[_NODES]) - before

    pieces = np.zeros(2, dtype=np.int64)
    begin_game(rng, bounds, pieces, result)
    while pace.spend(play_within)[0]:
        pass


@kernel
def play_game(
    rng: np.random.Generator,
    rows: Rows,
    bounds: GameBounds,
    engine: Engine,
    scratch: PlaceScratch,
    result: Words,
) -> None:
    """Play one game from the board `rows` to its end and write its figures into result (7,)."""
    pieces = np.empty(2, dtype=np.int64)
    begin_game(rng, bounds, pieces, result)
    while play_piece(rng, rows, bounds, engine, scratch, pieces, result):
        pass


@inlined
def is_ended(lines: Scalar, level: Scalar, bounds: GameBounds) -> bool:
    """Returns whether a game has come to its last line or to the level that halts it."""
    return bool((bounds.stop_lines and lines >= bounds.stop_lines) or (bounds.halt and level >= bounds.halt))


@kernel
def begin_game(rng: np.random.Generator, bounds: GameBounds, pieces: Words, result: Words) -> None:
    """Write the first piece and the next one into pieces (2,), and the figures before the first lock."""
    result[:] = 0
    result[LINES_AT], result[_LEVEL] = bounds.start_lines, bounds.start_level
    pieces[0] = deal(-1, rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    pieces[1] = deal(pieces[0], rng.integers(0, DRAWS), rng.integers(0, DRAWS))


@kernel
def play_piece(
    rng: np.random.Generator,
    rows: Rows,
    bounds: GameBounds,
    engine: Engine,
    scratch: PlaceScratch,
    pieces: Words,
    result: Words,
) -> bool:
    """Place a piece, deal another one and update the figures; returns whether the game goes on."""
    if is_ended(result[LINES_AT], result[_LEVEL], bounds):
        return False
    lines, rises = result[LINES_AT], bounds.levels_rise
    cleared, level, points, nodes = place(rows, pieces[0], pieces[1], result[_LEVEL], lines, engine, scratch, rises)
    result[_NODES] += nodes
    if cleared < 0:
        return False
    result[LINES_AT] += cleared
    result[_LEVEL] = level
    result[SCORE_AT] += points
    result[_PIECES] += 1
    result[_TETRISES] += cleared == 4
    if level >= KILL_SCREEN:
        result[_REACHED] = 1
    pieces[0] = pieces[1]
    pieces[1] = deal(pieces[0], rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    return True
