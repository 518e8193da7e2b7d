"""What a board is worth before hidden pieces: each with its exact probability, each with its best lock; knows no reach.

A piece that leads to less than the mean is a loss, and death is the greatest. Losses can count more than their
probability or less (`Lookahead.loss_weight`): that is how much risk is taken.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.columns import Stacks
from emubot.games.tetris.evaluation.leaf import leaf_value, prepare
from emubot.games.tetris.evaluation.points import is_over
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import COLUMNS
from emubot.games.tetris.search.plies import CACHE, PIECES, SHARED_PLACES, Lookahead, descend, placements
from emubot.jit import Scalar, inlined, lean

DEEP_LOCKS: Final = 3  # locks of the third piece after which the fourth is searched, by a usual budget
# CHAIN[before, piece]: the probability of a piece after the piece before, from the cartridge's two draws.
_plain_deal = getattr(deal, "py_func", deal)  # needs no compiler
CHAIN: Final = np.zeros((PIECES, PIECES))
for _before, _first, _second in np.ndindex(PIECES, DRAWS, DRAWS):
    CHAIN[_before, _plain_deal(_before, _first, _second)] += 1 / DRAWS**2


@lean
def expect(depth: Scalar, before: Scalar, lines: Scalar, level: Scalar, look: Lookahead) -> tuple[float, Scalar]:
    """Returns what the board of this depth is worth before an unknown piece that follows `before`, and the nodes."""
    memory = look.memory
    board, places, outcomes = memory.boards[depth], memory.places[depth], memory.outcomes[depth]
    nodes, prepared = 0, False
    for piece in range(PIECES):
        slot, key = _slot(board.stacks[:], piece)
        if memory.keys[slot] != key:
            count, best = _borrowed(key, look.shared)
            if count < 0:
                if not prepared:
                    prepare(board, lines, level, look.player)
                    prepared = True
                count = placements(depth, piece, look.begin, level, look)
                best = 0.0 if count == 0 else -np.inf
                for index in range(count):
                    best = max(best, leaf_value(board, places[index], lines, level, look.player))
                if look.shared.used:
                    _lend(key, count, best, look.shared)
            memory.keys[slot], memory.cached[slot] = key, best
            nodes += count
        outcomes[piece] = memory.cached[slot]
    return _mean_of(outcomes, before, look.loss_weight), nodes


@inlined
def _borrowed(key: Scalar, shared: np.record) -> tuple[Scalar, float]:
    """Returns the number of locks and the value that another thread has found for this key, (-1, 0.0) if none has."""
    if shared.used == 0:
        return -1, 0.0
    place = _shared_place(key)
    count, value = shared.counts[place], shared.values[place]
    if shared.checks[place] != _check(key, count, value, shared.turn):
        return -1, 0.0
    return count, value


@inlined
def _lend(key: Scalar, count: Scalar, value: float, shared: np.record) -> None:
    place = _shared_place(key)
    shared.counts[place], shared.values[place] = count, value
    shared.checks[place] = _check(key, count, value, shared.turn)


@inlined
def _shared_place(key: Scalar) -> Scalar:
    return key >> 20 & (SHARED_PLACES - 1)


@inlined
def _check(key: Scalar, count: Scalar, value: float, turn: Scalar) -> Scalar:
    return key ^ np.float64(value).view(np.int64) ^ count << 32 ^ turn << 40


@lean
def expect_twice(
    depth: Scalar, before: Scalar, lines: Scalar, level: Scalar, locks: Scalar, look: Lookahead
) -> tuple[float, Scalar]:
    """Like `expect`, with the piece after that searched too, after the best locks, as many as `locks`."""
    memory = look.memory
    board, places, values = memory.boards[depth], memory.places[depth], memory.values[:]
    outcomes, nodes = memory.outcomes[depth], 0
    prepare(board, lines, level, look.player)
    for piece in range(PIECES):
        if look.shared.stop:
            break
        count = placements(depth, piece, look.begin, level, look)
        for index in range(count):
            values[index] = leaf_value(board, places[index], lines, level, look.player)
        nodes += count
        best = 0.0 if count == 0 else -np.inf
        for _ in range(min(count, locks)):
            index = largest(values, count)
            values[index] = -np.inf
            gained, after, level_then = descend(depth, places[index], lines, level, look)
            if not is_over(after, level_then, look.player):
                value, more = expect(depth + 1, piece, after, level_then, look)
                gained += value
                nodes += more
            best = max(best, gained)
        outcomes[piece] = best
    return _mean_of(outcomes, before, look.loss_weight), nodes


@lean
def _mean_of(outcomes: NDArray[np.float64], before: Scalar, loss_weight: float) -> float:
    """Returns the mean of what each piece leads to after `before`; losses count as `Lookahead` says."""
    mean = 0.0
    for piece in range(PIECES):
        mean += CHAIN[before, piece] * outcomes[piece]
    if loss_weight == 1.0:
        return mean
    total, weights = 0.0, 0.0
    for piece in range(PIECES):
        weight = CHAIN[before, piece] * (loss_weight if outcomes[piece] < mean else 1.0)
        total += weight * outcomes[piece]
        weights += weight
    return total / weights


@lean
def largest(values: NDArray[np.float64], count: Scalar) -> Scalar:
    """Returns the index of the largest of the first `count` values, the first of equal ones."""
    best = 0
    for index in range(1, count):
        if values[index] > values[best]:
            best = index
    return best


@lean
def _slot(stacks: Stacks, piece: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the place in the cache of this piece on this board, and the key that must stand there."""
    mixed = np.uint64(piece + 1) * np.uint64(0x9E3779B97F4A7C15)  # spread, or the first column could make up for it
    for column in range(COLUMNS):
        mixed = (mixed ^ np.uint64(stacks[column])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(CACHE - 1)), np.int64(mixed >> np.uint64(1)) | 1
