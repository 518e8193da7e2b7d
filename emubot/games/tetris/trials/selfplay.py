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

from emubot.errors import UsageError
from emubot.games.counts import Counts
from emubot.games.options import Options
from emubot.games.tetris.board.board import BOARD_ROWS, Rows, Words
from emubot.games.tetris.evaluation.features import FEATURE_NAMES, FEATURE_VERSION, FEATURES
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import COLUMNS, NES_NTSC, PROFILES, ROWS, Profile
from emubot.games.tetris.search.engine import Engine, features_engine
from emubot.games.tetris.trials.untimed import Scratch, place, scratch
from emubot.games.trial import Settings
from emubot.jit import Scalar, kernel
from emubot.tempo import parse_taps
from emubot.weights import Weights

START_LEVEL: Final = 18
TAPS: Final = "30hz"
_MOST_LINES: Final = 4


def settings(rules: str | None, options: Settings) -> str:
    """Returns the profile (None: nes-ntsc). Raises UsageError if there is none of this name, or for any option."""
    name = NES_NTSC.name if rules is None else rules
    if name not in PROFILES:
        raise UsageError(f"Tetris has no rules {name!r}; known: {', '.join(PROFILES)}.")
    Options(options, "self-play of Tetris", ())
    return name


def self_play(seed: int, pieces: int, weights: Weights, rules: str = NES_NTSC.name) -> Counts:
    """Play `pieces` locks, from an empty playfield; the same seed plays the same games.

    `rules` names a profile. The unfinished game at the end is counted, but not as a death. Raises WeightsError if the
    weights are for another game.
    """
    return _played(
        seed, pieces, weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS)), PROFILES[rules]
    )


def compile_once() -> None:
    """Compile (or load) the kernels of self-play, each for its only signature."""
    _played(0, 1, np.zeros(FEATURES), NES_NTSC)


def _played(seed: int, pieces: int, vector: NDArray[np.float64], profile: Profile) -> Counts:
    # A game deals two pieces before its first lock and one after each; it has at least one lock.
    draws = np.random.default_rng(seed).integers(DRAWS, size=(3 * pieces, 2), dtype=np.uint8)
    heights = np.zeros(BOARD_ROWS + 1, dtype=np.int64)
    chains = np.zeros(_MOST_LINES + 1, dtype=np.int64)
    engine = features_engine(vector, parse_taps(TAPS), profile)
    deaths, all_clears, points, lines = play(pieces, START_LEVEL, draws, engine, scratch(), heights, chains)
    return Counts(pieces, int(deaths), int(all_clears), int(points), int(lines), heights, chains)


@kernel
def play(
    pieces: Scalar,
    start_level: Scalar,
    draws: NDArray[np.uint8],
    engine: Engine,
    scratch: Scratch,
    heights: Words,
    chains: Words,
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Play `pieces` locks, restarting after each top-out; returns (deaths, all-clears, points, lines).

    `draws` uint8 (3 * pieces, 2) are numbers from 0 to 7, a row for each piece dealt. Each lock is added to `heights`
    int64 (23,), by the rows of stack after it, and to `chains` int64 (5,), by its lines.
    """
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    deaths, all_clears, points, lines = 0, 0, 0, 0
    dealt, locked, level, own_lines = 0, 0, start_level, 0
    piece, following = -1, -1
    while locked < pieces:
        if piece < 0:
            rows[:] = 0
            level, own_lines = start_level, 0
            piece = deal(-1, int(draws[dealt, 0]), int(draws[dealt, 1]))
            following = deal(piece, int(draws[dealt + 1, 0]), int(draws[dealt + 1, 1]))
            dealt += 2
        cleared, level, more, _ = place(rows, piece, following, level, own_lines, engine, scratch)
        if cleared < 0:
            deaths += 1
            piece = -1
            continue
        own_lines += cleared
        lines += cleared
        points += more
        height = stack_height(rows)
        heights[height] += 1
        chains[cleared] += 1
        all_clears += height == 0
        locked += 1
        piece = following
        following = deal(piece, int(draws[dealt, 0]), int(draws[dealt, 1]))
        dealt += 1
    return deaths, all_clears, points, lines


@kernel
def stack_height(rows: Rows) -> Scalar:
    """Returns the rows from the floor to the highest filled cell, hidden rows included: 0 to 22."""
    for index in range(BOARD_ROWS):
        if rows[index]:
            return BOARD_ROWS - index
    return 0
