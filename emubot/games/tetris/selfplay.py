"""Tetris flat out: decide, lock, count, next piece, without frames; knows no simulator, no RAM and no file.

Games start at level 18 and are played with two pieces of lookahead by hands that tap every second frame (30 Hz). Each
piece is placed as the search chose; a piece that can lock nowhere ends the game, and the next game starts. Pieces come
by the cartridge's rule (NES Tetris facts 5.2: one draw of eight; the eighth, or the piece before, is drawn again) from
independent random numbers instead of its generator, which counts frames. The level is the cartridge's byte, so 255 is
followed by 0; points are the cartridge's without those of soft drop and without its cap of 999,999.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.counts import Counts
from emubot.games.tetris.board import BOARD_ROWS, Rows, Words, lock
from emubot.games.tetris.features import FEATURE_NAMES, FEATURE_VERSION, FEATURES
from emubot.games.tetris.reach.start import BEGIN_SIZE, COLUMN_AT, hands_of
from emubot.games.tetris.rules import (
    COLUMNS,
    LINE_POINTS,
    NES_NTSC,
    PROFILES,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
    Profile,
)
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search import search_pairs
from emubot.jit import Scalar, kernel
from emubot.tempo import parse_taps
from emubot.weights import Weights

START_LEVEL: Final = 18
TAPS: Final = "30hz"
_DRAWS: Final = 8
_MOST_LINES: Final = 4
_MOST_LOCKS: Final = 4 * ROWS * COLUMNS
_NO_PIECE: Final = 0  # the id before a game's first piece: of no piece as it spawns, so nothing is a repetition
_POINTS: Final = np.array(LINE_POINTS, dtype=np.int64)


def self_play(seed: int, pieces: int, weights: Weights, rules: str | None = None, colors: int | None = None) -> Counts:
    """Play `pieces` locks from an empty playfield on; the same seed plays the same games.

    `rules` names a profile (None: nes-ntsc). Raises UsageError for one the family does not have and for `colors`,
    WeightsError for weights of another game. The game under way at the end is neither a death nor cut from the counts.
    """
    name = NES_NTSC.name if rules is None else rules
    if name not in PROFILES:
        raise UsageError(f"Tetris has no rules {name!r}; known: {', '.join(PROFILES)}.")
    if colors is not None:
        raise UsageError("Tetris has no colours to choose; leave out --colors.")
    return _played(seed, pieces, weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION), PROFILES[name])


def compile_once() -> None:
    """Compile (or load) the kernels of self-play, each with its one true type."""
    _played(0, 1, np.zeros(FEATURES), NES_NTSC)


def _played(seed: int, pieces: int, vector: NDArray[np.float64], profile: Profile) -> Counts:
    # A game deals two pieces before its first lock and one after each; it has one lock at least.
    draws = np.random.default_rng(seed).integers(_DRAWS, size=(3 * pieces, 2), dtype=np.uint8)
    heights = np.zeros(BOARD_ROWS + 1, dtype=np.int64)
    chains = np.zeros(_MOST_LINES + 1, dtype=np.int64)
    gravity, hands = np.array(profile.gravity, dtype=np.int64), hands_of(parse_taps(TAPS), profile)
    deaths, all_clears, points, lines = play(pieces, START_LEVEL, draws, gravity, hands, vector, heights, chains)
    return Counts(pieces, int(deaths), int(all_clears), int(points), int(lines), heights, chains)


@kernel
def play(
    pieces: Scalar,
    start_level: Scalar,
    draws: NDArray[np.uint8],
    gravity: Words,
    hands: Words,
    weights: NDArray[np.float64],
    heights: Words,
    chains: Words,
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Play that many locks, restarting after each top-out; returns (deaths, all-clears, points, lines).

    `draws` uint8 (3 * pieces, 2) are numbers from 0 to 7, a row for each piece dealt; `gravity`, `hands` and `weights`
    as in search_pairs. Adds to `heights` int64 (23,), by rows of stack after a lock, and to `chains` int64 (5,), by
    lines of a lock.
    """
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    found = np.zeros((_MOST_LOCKS, 3), dtype=np.int64)
    values = np.zeros(_MOST_LOCKS)
    begin = np.zeros(BEGIN_SIZE, dtype=np.int64)
    # The wait before a game's first piece falls is left out: on an empty playfield nothing is out of reach without it.
    begin[COLUMN_AT] = SPAWN_COLUMN
    deaths, all_clears, points, lines = 0, 0, 0, 0
    dealt, locked, level, own_lines = 0, 0, start_level, 0
    piece, following = -1, -1
    while locked < pieces:
        if piece < 0:
            rows[:] = 0
            level, own_lines = start_level, 0
            piece = deal(-1, draws[dealt])
            following = deal(piece, draws[dealt + 1])
            dealt += 2
        count, _ = search_pairs(rows, piece, begin, following, level, own_lines, gravity, hands, weights, found, values)
        if count == 0:
            deaths += 1
            piece = -1
            continue
        best = first_choice(found, values, count)
        cleared = lock(rows, found[best, 0], found[best, 1], found[best, 2])
        # The cartridge counts lines before points, so these are for the level reached.
        level = level_after(level, own_lines, cleared)
        own_lines += cleared
        lines += cleared
        points += _POINTS[cleared] * (level + 1)
        height = stack_height(rows)
        heights[height] += 1
        chains[cleared] += 1
        all_clears += height == 0
        locked += 1
        piece = following
        following = deal(piece, draws[dealt])
        dealt += 1
    return deaths, all_clears, points, lines


@kernel
def deal(before: Scalar, draw: NDArray[np.uint8]) -> Scalar:
    """The next piece after piece `before` (-1: a game's first), from two numbers 0-7 (facts: NES Tetris 5.2)."""
    first = int(draw[0])
    if first < len(SPAWN_ORIENTATION) and first != before:
        return first
    spawned = int(SPAWN_ORIENTATION[before]) if before >= 0 else _NO_PIECE
    return (int(draw[1]) + spawned) % len(SPAWN_ORIENTATION)


@kernel
def first_choice(found: NDArray[np.int64], values: NDArray[np.float64], count: Scalar) -> Scalar:
    """The index of the best of `count` locks; ties as in search.rank: lower, smaller orientation, smaller column."""
    best = 0
    for index in range(1, count):
        if values[index] > values[best] or (
            values[index] == values[best]
            and (-found[index, 2], found[index, 0], found[index, 1]) < (-found[best, 2], found[best, 0], found[best, 1])
        ):
            best = index
    return best


@kernel
def stack_height(rows: Rows) -> Scalar:
    """Rows from the floor to the highest filled cell, hidden rows included: 0 to 22."""
    for index in range(BOARD_ROWS):
        if rows[index]:
            return BOARD_ROWS - index
    return 0
