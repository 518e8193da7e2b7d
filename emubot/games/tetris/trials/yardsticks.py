"""What Tetris is compared by: the games of its table of strength, and how fast its kernels are; prints nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, LANES, fill_fits
from emubot.games.tetris.bounds import NODES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.options import TEXTBOOK
from emubot.games.tetris.reach.start import fill_locks
from emubot.games.tetris.rules import COLUMNS, NES_NTSC, NES_PAL, PIECE_NAMES, ROWS
from emubot.games.tetris.search.engine import Engine, decide, engine_for, features_engine
from emubot.games.tetris.search.plies import Lookahead
from emubot.games.tetris.textbook.play import FIGURES
from emubot.games.tetris.textbook.trials import textbook_trial
from emubot.games.tetris.trials.untimed import place, scratch
from emubot.games.trial import SUMMED, Comparison
from emubot.jit import Scalar, kernel
from emubot.tempo import parse_taps
from emubot.weights import load_weights

_LEVEL: Final = 18
_BOARDS: Final = 200
_EVERY: Final = 3  # pieces between two boards
_DECISIONS: Final = 100
_SEARCHES: Final = 1000  # of each board
_PIECES: Final = 60_000  # of textbook games
_STARTS: Final = (0, 9, 15, 18, 19, 29)


def comparisons() -> tuple[Comparison, ...]:
    """Returns the games of docs/measurements/tetris.md, in its order."""

    def nes(taps: str, stop_lines: int = 0, **more: object) -> dict[str, object]:
        ends = {"stop_lines": stop_lines} if stop_lines else {}
        return {"taps": taps, "start_level": _LEVEL, **ends, **more}

    rules = NES_NTSC.name
    matrix = [
        Comparison(f"{profile.name}, start {level}", profile.name, nes("12hz", 230, start_level=level, nodes=3000))
        for profile in (NES_NTSC, NES_PAL)
        for level in _STARTS
    ]
    return (
        Comparison("12 Hz to 230 lines", rules, nes("12hz", 230)),
        Comparison("12 Hz to 230 lines, small budget", rules, nes("12hz", 230, nodes=1500)),
        Comparison("30 Hz to 330 lines", rules, nes("30hz", 330)),
        Comparison("12 Hz from level 29", rules, nes("12hz", start_level=29)),
        Comparison("10 Hz to the end", rules, nes("10hz")),
        Comparison("DAS to 230 lines", rules, nes("das", 230)),
        Comparison("30 Hz to 1,600 lines", rules, nes("30hz", 1600, nodes=3000)),
        *matrix,
        Comparison("B-type 18-5", rules, {"taps": "12hz", "start_level": _LEVEL, "type": "b", "height": 5}),
        Comparison("textbook 10x10", TEXTBOOK, {"board": "10x10"}, "dt10"),
        Comparison("textbook 10x10, expected", TEXTBOOK, {"board": "10x10", "expect": 2}, "dt10"),
    )


def speeds() -> Mapping[str, float]:
    """Returns searches for reach, boards valued, and textbook drops valued, each in a second of CPU time."""
    weights, tempo = load_weights("nes_tetris"), parse_taps("30hz")
    vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
    boards, pieces = _boards(features_engine(vector, tempo, NES_NTSC))
    return {
        "reach_searches_per_second": _reach_speed(boards, pieces, engine_for(weights, tempo, NES_NTSC).look),
        "leaves_per_second": _leaf_speed(boards, pieces, engine_for(weights, parse_taps("12hz"), NES_NTSC, NODES, 230)),
        "textbook_evaluations_per_second": _textbook_speed(),
    }


def _boards(engine: Engine) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Returns boards of a game (_BOARDS, BOARD_ROWS), and the two pieces that come on each (_BOARDS, 2)."""
    rng, memory = np.random.default_rng(0), scratch()
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    boards = np.zeros((_BOARDS, BOARD_ROWS), dtype=np.uint16)
    pieces = rng.integers(len(PIECE_NAMES), size=(_BOARDS, _EVERY, 2))
    for number, coming in enumerate(pieces):
        for piece, following in coming:
            if place(rows, piece, following, _LEVEL, 0, engine, memory, 1)[0] < 0:
                rows[:] = 0
        boards[number] = rows
    return boards, pieces[:, 0].copy()


def _reach_speed(boards: NDArray[np.uint16], pieces: NDArray[np.int64], look: Lookahead) -> float:
    _search_reach(boards[:1], pieces, 1, look)
    started = time.process_time()
    _search_reach(boards, pieces, _SEARCHES, look)
    return len(boards) * _SEARCHES / (time.process_time() - started)


def _leaf_speed(boards: NDArray[np.uint16], pieces: NDArray[np.int64], engine: Engine) -> float:
    found, values = scratch()
    valued, started = 0, 0.0
    for number in range(-1, _DECISIONS):
        if number == 0:
            valued, started = 0, time.process_time()
        piece, following = pieces[number]
        _, nodes, _ = decide(boards[number], piece, engine.look.begin, following, 100, _LEVEL, engine, found, values)
        valued += nodes
    return valued / (time.process_time() - started)


def _textbook_speed() -> float:
    trial, weights = textbook_trial({"board": "10x20", "cap_pieces": _PIECES}), load_weights("dellacherie")
    trial.warm_up()
    started = time.process_time()
    ((*figures,),) = trial.play([weights], [1])
    return float(figures[FIGURES.index(SUMMED)]) / (time.process_time() - started)


@kernel
def _search_reach(boards: NDArray[np.uint16], pieces: NDArray[np.int64], times: Scalar, look: Lookahead) -> Scalar:
    """Search the locks of each board's piece this many times; returns the last frame of the longest."""
    fits, locks, longest = look.memory.fits[:], look.memory.locks[:], 0
    pull = look.gravity[_LEVEL]
    for _ in range(times):
        for number in range(len(boards)):
            piece = pieces[number, 0]
            fill_fits(boards[number], piece, fits)
            frames = fill_locks(fits, LANES[piece], look.begin, pull, look.input_rules, look.reach, locks, look.history)
            longest = max(longest, frames)
    return longest
