"""Two players on separate boards, piece for piece: lines of one become rows of the other; knows no file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.games.bits import length
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.features import Stacks
from emubot.games.tetris.textbook.board import PIVOT_COLUMN, Words, topped_out
from emubot.games.tetris.textbook.generators import DEALER_SIZE, fresh_dealer, next_piece
from emubot.games.tetris.textbook.play import apply, shift_queue
from emubot.games.tetris.textbook.rules import CAP_PIECES_AT, COLUMNS_AT, GENERATOR_AT, PREVIEWS_AT, ROWS_AT
from emubot.games.tetris.textbook.search import LEFT_AT, NO_PIECE, ORIENTATION_AT, PIVOT_AT, Scratch, best_move
from emubot.jit import Scalar, kernel

FIGURES: Final = ("wins", "draws", "pieces", "sent", "received", "nodes")
SENT: Final = np.array([0, 0, 1, 2, 4], dtype=np.int64)  # rows for the other player, by the lines of one drop
_AFTER_T: Final = 4  # orientation ids below this are those of the T
_CORNERS_OF_A_SPIN: Final = 3
# A player in a game, int64 (4,): rows about to rise, rows sent, rows that rose, successive drops that removed lines.
_PENDING_AT, _SENT_AT, _RISEN_AT, _STREAK_AT = range(4)


@dataclass(frozen=True, slots=True)
class Attacks:
    """Attacks in addition to 1, 2 or 4 rows for 2, 3 or 4 lines of one drop; 0 turns each of them off.

    In each turn both players drop the same piece at once. Rows sent rise from below when the other player's next turn
    begins. All of them have their hole in one column. It is drawn anew each turn, the same for both, so neither has
    better luck. A cell that they lift above the top row ends the game, like a cell that is dropped there.
    `solid_every`: each time after this number of turns, a solid row rises under both. Nothing removes it, so the board
    is then one row lower. `combo`: additional rows for a drop that removes lines right after a drop that did.
    `t_spin`: additional rows for a T that removes lines and has at least three of the four cells diagonal to its middle
    filled, walls and floor included. Drops from above cannot show more of a T-spin, because no piece is turned into its
    place.
    """

    solid_every: int = 0
    combo: int = 0
    t_spin: int = 0


@kernel
def fight(
    rng: np.random.Generator,
    rules: Words,
    attacks: tuple[Scalar, Scalar, Scalar],
    first: Player,
    second: Player,
    first_scratch: Scratch,
    second_scratch: Scratch,
) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]:
    """Play one game; returns FIGURES from the first player's view.

    `pieces` are those of each player: the turns survived. `nodes` are the boards that the first player evaluated. A
    player that tops out loses; if both do so in one turn, it is a draw. After the rules' cap of pieces the lower stack
    wins; equal stacks draw. Both players get the same pieces, so swapping them changes only the point of view.
    `attacks` is (solid_every, combo, t_spin); `rules` is from TextbookRules.cells, without hold.
    """
    solid_every, combo, t_spin = attacks
    own_rules = rules.copy()
    mine, theirs = first_scratch[0], second_scratch[0]
    mine[0, :] = 0
    theirs[0, :] = 0
    first_scratch[4][0] = 0
    dealer = np.empty(DEALER_SIZE, dtype=np.int64)
    fresh_dealer(dealer)
    queue = np.empty(1 + rules[PREVIEWS_AT], dtype=np.int64)
    for index in range(len(queue)):
        queue[index] = next_piece(rules[GENERATOR_AT], dealer, rng)
    counts = np.zeros((2, 4), dtype=np.int64)
    aside, pieces, hole = np.int64(NO_PIECE), 0, 0
    while True:
        if solid_every > 0 and pieces > 0 and pieces % solid_every == 0:
            own_rules[ROWS_AT] = max(own_rules[ROWS_AT] - 1, 0)
        _rise(mine[0], counts[0], hole)
        _rise(theirs[0], counts[1], hole)
        lost, won = topped_out(mine[0], own_rules[ROWS_AT]), topped_out(theirs[0], own_rules[ROWS_AT])
        if not lost and not won:
            best_move(aside, queue, own_rules, first, first_scratch)
            best_move(aside, queue, own_rules, second, second_scratch)
            _strike(mine, first_scratch[3][0], counts[0], counts[1], combo, t_spin)
            _strike(theirs, second_scratch[3][0], counts[1], counts[0], combo, t_spin)
            pieces += 1
            hole = rng.integers(0, rules[COLUMNS_AT])
            lost, won = topped_out(mine[0], own_rules[ROWS_AT]), topped_out(theirs[0], own_rules[ROWS_AT])
        if not lost and not won and pieces >= rules[CAP_PIECES_AT]:
            height, other = _height(mine[0]), _height(theirs[0])
            lost, won = height >= other, height <= other
        if lost or won:
            sent, risen = counts[0, _SENT_AT], counts[0, _RISEN_AT]
            return int(won and not lost), int(won and lost), pieces, sent, risen, first_scratch[4][0]
        shift_queue(queue, rules[GENERATOR_AT], dealer, rng)


@kernel
def _rise(stacks: Stacks, counts: Words, hole: Scalar) -> None:
    """Let the pending rows rise from below, each with column `hole` empty."""
    rising = counts[_PENDING_AT]
    for column in range(len(stacks)):
        stacks[column] = stacks[column] << rising | (0 if column == hole else (1 << rising) - 1)
    counts[_RISEN_AT] += rising
    counts[_PENDING_AT] = 0


@kernel
def _strike(boards: Stacks, choice: Words, counts: Words, other: Words, combo: Scalar, t_spin: Scalar) -> None:
    """Drop the chosen piece, and add the rows that it sends to the other player's pending rows."""
    spun = choice[ORIENTATION_AT] < _AFTER_T and filled_corners(boards[0], choice) >= _CORNERS_OF_A_SPIN
    removed = apply(boards, choice)
    if removed == 0:
        counts[_STREAK_AT] = 0
        return
    sent = SENT[removed]
    if counts[_STREAK_AT] > 0:
        sent += combo
    if spun:
        sent += t_spin
    counts[_STREAK_AT] += 1
    counts[_SENT_AT] += sent
    other[_PENDING_AT] += sent


@kernel
def filled_corners(stacks: Stacks, choice: Words) -> Scalar:
    """Returns how many cells diagonal to the pivot's place are filled before the drop; walls and floor count."""
    column, row = choice[LEFT_AT] + PIVOT_COLUMN[choice[ORIENTATION_AT]], choice[PIVOT_AT]
    count = 0
    for side in (column - 1, column + 1):
        if side < 0 or side >= len(stacks):
            count += 2
        else:
            count += stacks[side] >> (row + 1) & 1
            count += 1 if row == 0 else stacks[side] >> (row - 1) & 1
    return count


@kernel
def _height(stacks: Stacks) -> Scalar:
    filled = np.int64(0)
    for column in range(len(stacks)):
        filled |= stacks[column]
    return length(filled)
