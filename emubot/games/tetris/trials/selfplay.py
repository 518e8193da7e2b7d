"""Plays millions of pieces untimed and counts what their locks leave; knows no simulator, no RAM and no file.

Games start at level 18 and are played with two pieces of lookahead and a tap every second frame (30 Hz). A piece that
can lock nowhere ends the game, and the next game starts. Pieces come by the cartridge's rule (NES Tetris facts 5.2: one
draw of eight; after the eighth, or the piece before, there is a second draw), but from independent random numbers,
because its generator counts frames.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.counts import Counts, Watch
from emubot.games.options import Values, check_rules, read
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, Words
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import COLUMNS, NES_NTSC, PROFILES, ROWS, Profile
from emubot.games.tetris.search.engine import Engine, features_engine
from emubot.games.tetris.trials.untimed import PlaceScratch, place, scratch
from emubot.games.trial import Settings
from emubot.jit import Scalar, kernel
from emubot.tempo import parse_taps
from emubot.weights import Weights

START_LEVEL: Final = 18
TAPS: Final = "30hz"
_MOST_LINES: Final = 4
_WATCHED: Final = 500  # pieces between two calls of the watch: a fraction of a second
# What a stretch is at between two calls of the kernel; the last four are its totals.
_STATE: Final = 9
_DEALT, _LEVEL, _LINES, _PIECE, _NEXT, _DEATHS, _ALL_CLEARS, _POINTS, _CLEARED = range(_STATE)
_NO_GAME: Final = -1  # in place of a piece: the next one begins a game


def settings(rules: str | None, options: Settings) -> str:
    """Returns the profile (None: nes-ntsc). Raises UsageError if there is none of this name, or for any option."""
    name = NES_NTSC.name if rules is None else rules
    check_rules(name, PROFILES, "Tetris")
    read(Values, options, "self-play of Tetris")
    return name


def self_play(
    seed: int, pieces: int, weights: Weights, rules: str = NES_NTSC.name, watch: Watch | None = None
) -> Counts:
    """Play `pieces` locks, from an empty playfield; the same seed plays the same games.

    `rules` names a profile. `watch` may end it earlier. The unfinished game at the end is counted, but not as a death.
    Raises WeightsError if the weights are for another game.
    """
    vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
    return _played(seed, pieces, vector, PROFILES[rules], watch)


def compile_once() -> None:
    """Compile (or load) the kernels of self-play, each for its only signature."""
    _played(0, 1, np.zeros(FEATURES), NES_NTSC)


def _played(
    seed: int, pieces: int, vector: NDArray[np.float64], profile: Profile, watch: Watch | None = None
) -> Counts:
    # A game deals two pieces before its first lock and one after each; it has at least one lock.
    draws = np.random.default_rng(seed).integers(DRAWS, size=(3 * pieces, 2), dtype=np.uint8)
    heights = np.zeros(BOARD_ROWS + 1, dtype=np.int64)
    chains = np.zeros(_MOST_LINES + 1, dtype=np.int64)
    engine, room = features_engine(vector, parse_taps(TAPS), profile), scratch()
    rows, state = np.zeros(BOARD_ROWS, dtype=np.uint16), np.zeros(_STATE, dtype=np.int64)
    state[_PIECE] = _NO_GAME
    placed = 0
    while placed < pieces and (watch is None or watch(placed)):
        more = min(_WATCHED, pieces - placed)
        play(more, START_LEVEL, draws, engine, room, heights, chains, rows, state)
        placed += more
    deaths, all_clears, points, lines = (int(total) for total in state[_DEATHS:])
    return Counts(placed, deaths, all_clears, points, lines, heights, chains)


@kernel
def play(
    pieces: Scalar,
    start_level: Scalar,
    draws: NDArray[np.uint8],
    engine: Engine,
    scratch: PlaceScratch,
    heights: Words,
    chains: Words,
    rows: Rows,
    state: Words,
) -> None:
    """Play `pieces` more locks from `rows` and `state`, restarting after each top-out; both are changed.

    `draws` uint8 (n, 2) are numbers from 0 to 7, a row for each piece dealt. Each lock is added to `heights` int64
    (23,), by the rows of stack after it, and to `chains` int64 (5,), by its lines. `state` int64 (9,) is what `_STATE`
    says; before the first game it has `_NO_GAME` for a piece.
    """
    dealt, level, own_lines = int(state[_DEALT]), int(state[_LEVEL]), int(state[_LINES])
    piece, following = int(state[_PIECE]), int(state[_NEXT])
    locked = 0
    while locked < pieces:
        if piece < 0:
            rows[:] = 0
            level, own_lines = start_level, 0
            piece = deal(-1, int(draws[dealt, 0]), int(draws[dealt, 1]))
            following = deal(piece, int(draws[dealt + 1, 0]), int(draws[dealt + 1, 1]))
            dealt += 2
        cleared, level, more, _ = place(rows, piece, following, level, own_lines, engine, scratch, 1)
        if cleared < 0:
            state[_DEATHS] += 1
            piece = _NO_GAME
            continue
        own_lines += cleared
        state[_CLEARED] += cleared
        state[_POINTS] += more
        height = stack_height(rows)
        heights[height] += 1
        chains[cleared] += 1
        state[_ALL_CLEARS] += height == 0
        locked += 1
        piece = following
        following = deal(piece, int(draws[dealt, 0]), int(draws[dealt, 1]))
        dealt += 1
    state[_DEALT], state[_LEVEL], state[_LINES], state[_PIECE], state[_NEXT] = dealt, level, own_lines, piece, following


@kernel
def stack_height(rows: Rows) -> Scalar:
    """Returns the rows from the floor to the highest filled cell, hidden rows included: 0 to 22."""
    for index in range(BOARD_ROWS):
        if rows[index]:
            return BOARD_ROWS - index
    return 0
