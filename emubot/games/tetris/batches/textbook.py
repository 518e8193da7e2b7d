"""Textbook games beside each other, one drop a step in each; knows no player and no search.

An action is a number of turns and a leftmost column. Turns go round, and a piece stops at the wall, so each action is a
drop; the mask has those that say where the piece lands.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import Batch, Counter, Shown
from emubot.games.lots import draw
from emubot.games.tetris.batches.shapes import PIECE_LOOKS, in_boxes
from emubot.games.tetris.bounds import GENERATORS, MOST_CAP, parse_board
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.rules import LINE_POINTS, PIECE_NAMES
from emubot.games.tetris.textbook.board import (
    FIRST_ORIENTATION,
    HIDDEN_ROWS,
    PIECES,
    SHAPE,
    TALL,
    WIDTH,
    Words,
    drop,
    topped_out,
)
from emubot.games.tetris.textbook.rules import BAG, NES
from emubot.games.tetris.worlds import REWARDS, TextbookWorld
from emubot.jit import Scalar, inlined, kernel

TURNS: Final = 4
_POINTS: Final = np.array([LINE_POINTS, range(len(LINE_POINTS))], dtype=np.float64)  # by REWARDS and lines

# Of `rules`, int64: the generator, the most pieces (0: any number), and the row of _POINTS.
_GENERATOR, _MOST_PIECES, _REWARD = range(3)
# Of a game's `dealer`, int64: the piece before (-1: none), the pieces in the bag, and the bag.
_BEFORE, _LEFT, _BAG = range(3)
_DEALER_SIZE: Final = _BAG + PIECES
# Of a game's counters: what it has done, the piece to drop, and those after it.
_LINES, _SCORE, _DROPPED, _PIECE = range(4)


class Play(NamedTuple):
    """What the games are made of."""

    rules: Words
    words: NDArray[np.int64]  # (games, columns): a word a column, as features.Stacks
    dealers: NDArray[np.int64]  # (games, _DEALER_SIZE)
    masks: NDArray[np.int8]  # (PIECES, actions): that of each piece
    shadow: Words  # (columns,): working memory


class TextbookBatch(Batch):
    """Games by these rules; see Batch. Kind 1 + p of a cell is that of piece p of PIECE_NAMES."""

    rate = 4.0
    looks = PIECE_LOOKS

    def __init__(self, world: TextbookWorld, games: int) -> None:
        columns, rows = parse_board(world.board)
        done = tuple(Counter(name, 0, MOST_CAP) for name in ("lines", "score", "pieces"))
        coming = ("piece", *(f"next_{number + 1}" for number in range(world.previews)))
        self.numbers = (*done, *(Counter(name, 0, PIECES - 1) for name in coming))
        self.actions = tuple(
            f"turned {turns}, leftmost column {left}" for turns in range(TURNS) for left in range(columns)
        )
        super().__init__(games, rows, columns, HIDDEN_ROWS, masked=True)
        rules = (GENERATORS.index(world.generator), world.cap, REWARDS.index(world.reward))
        self._play = Play(
            np.array(rules, dtype=np.int64),
            np.zeros((games, columns), dtype=np.int64),
            np.zeros((games, _DEALER_SIZE), dtype=np.int64),
            _masks(columns),
            np.zeros(columns, dtype=np.int64),
        )

    def _coming(self, column: int) -> NDArray[np.int64]:
        coming = self.counters[:, _PIECE:]
        return in_boxes(coming, 1 + coming, column)

    def _begin(self, game: int) -> None:
        _begin(self._play, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        return bool(_step(self._play, self._lots, self._shown, actions))


def _masks(columns: int) -> NDArray[np.int8]:
    masks = np.zeros((PIECES, TURNS, columns), dtype=np.int8)
    for piece in range(len(PIECE_NAMES)):
        for turns, orientation in enumerate(range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1])):
            masks[piece, turns, : columns - WIDTH[orientation] + 1] = 1
    return masks.reshape(PIECES, TURNS * columns)


@kernel
def _begin(play: Play, lots: Words, shown: Shown, game: Scalar) -> None:
    cells, dealer, counters = shown.cells[game], play.dealers[game], shown.counters[game]
    for column in range(play.words.shape[1]):
        play.words[game, column] = 0
        for row in range(len(cells)):
            cells[row, column] = 0
    dealer[_BEFORE], dealer[_LEFT] = -1, 0
    for index in range(_PIECE):
        counters[index] = 0
    for index in range(_PIECE, len(counters)):
        counters[index] = _deal(play.rules[_GENERATOR], dealer, lots)
    shown.rewards[game], shown.ended[game], shown.cut[game] = 0.0, False, False
    _show_mask(play.masks[counters[_PIECE]], shown.mask[game])


@inlined
def _show_mask(own: NDArray[np.int8], mask: NDArray[np.int8]) -> None:
    for action in range(len(own)):
        mask[action] = own[action]


@inlined
def _deal(generator: Scalar, dealer: Words, lots: Words) -> Scalar:
    """Returns the next piece, as generators.next_piece does, by the game's own lots."""
    if generator == BAG:
        if dealer[_LEFT] == 0:
            for index in range(PIECES):
                dealer[_BAG + index] = index
            dealer[_LEFT] = PIECES
        taken, last = _BAG + draw(lots, dealer[_LEFT]), _BAG + dealer[_LEFT] - 1
        piece = dealer[taken]
        dealer[taken] = dealer[last]
        dealer[_LEFT] -= 1
    elif generator == NES:
        first = draw(lots, DRAWS)
        piece = deal(dealer[_BEFORE], first, draw(lots, DRAWS))
    else:
        piece = draw(lots, PIECES)
    dealer[_BEFORE] = piece
    return piece


@kernel
def _step(play: Play, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, shown.mask.shape[1]):
        return False
    columns, rows = play.words.shape[1], shown.cells.shape[1] - HIDDEN_ROWS
    for game in range(len(actions)):
        if shown.ended[game] or shown.cut[game]:
            _begin(play, lots[game], shown, game)
            continue
        words, counters = play.words[game], shown.counters[game]
        piece = counters[_PIECE]
        first = FIRST_ORIENTATION[piece]
        orientation = first + actions[game] // columns % (FIRST_ORIENTATION[piece + 1] - first)
        left = min(actions[game] % columns, columns - WIDTH[orientation])
        lowest, removed, _ = drop(words, play.shadow, orientation, left)
        for column in range(columns):
            words[column] = play.shadow[column]
        _draw_drop(shown.cells[game], orientation, left, lowest, 1 + piece)
        if removed:
            _remove_full(shown.cells[game])
        counters[_LINES] += removed
        counters[_SCORE] += LINE_POINTS[removed]
        counters[_DROPPED] += 1
        shown.rewards[game] = _POINTS[play.rules[_REWARD], removed]
        shown.ended[game] = topped_out(words, rows)
        shown.cut[game] = 0 < play.rules[_MOST_PIECES] <= counters[_DROPPED] and not shown.ended[game]
        for index in range(_PIECE, len(counters) - 1):
            counters[index] = counters[index + 1]
        counters[len(counters) - 1] = _deal(play.rules[_GENERATOR], play.dealers[game], lots[game])
        _show_mask(play.masks[counters[_PIECE]], shown.mask[game])
    return True


@inlined
def _draw_drop(cells: NDArray[np.uint8], orientation: Scalar, left: Scalar, lowest: Scalar, kind: Scalar) -> None:
    for column in range(WIDTH[orientation]):
        for row in range(TALL[orientation]):
            if SHAPE[orientation, column] >> row & 1:
                cells[len(cells) - 1 - lowest - row, left + column] = kind


@inlined
def _remove_full(cells: NDArray[np.uint8]) -> None:
    """Remove rows without an empty cell; the rows above move down."""
    target = len(cells) - 1
    for row in range(len(cells) - 1, -1, -1):
        full = True
        for column in range(cells.shape[1]):
            if cells[row, column] == 0:
                full = False
        if not full:
            for column in range(cells.shape[1]):
                cells[target, column] = cells[row, column]
            target -= 1
    for row in range(target + 1):
        for column in range(cells.shape[1]):
            cells[row, column] = 0
