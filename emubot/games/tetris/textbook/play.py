"""Plays one game by the textbook rules, from an empty board to its end; knows no file and no settings by name."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.arrays import copy
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.features import Stacks
from emubot.games.tetris.textbook.board import Words, drop, topped_out
from emubot.games.tetris.textbook.generators import DEALER_SIZE, fresh_dealer, next_piece
from emubot.games.tetris.textbook.rules import CAP_LINES_AT, CAP_PIECES_AT, GENERATOR_AT, PREVIEWS_AT, ROWS_AT
from emubot.games.tetris.textbook.search import LEFT_AT, NO_PIECE, OPTION_AT, ORIENTATION_AT, Scratch, best_move
from emubot.jit import Scalar, kernel

FIGURES: Final = ("lines", "pieces", "capped", "nodes")


@kernel
def play(
    rng: np.random.Generator, rules: Words, player: Player, scratch: Scratch
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Play one game; returns (lines, pieces, 1 if a cap stopped it and 0 if a top-out, boards evaluated).

    `scratch` is from search.scratch_for.
    """
    boards, choices, nodes = scratch[0], scratch[3], scratch[4]
    boards[0, :] = 0
    nodes[0] = 0
    dealer = np.empty(DEALER_SIZE, dtype=np.int64)
    fresh_dealer(dealer)
    queue = np.empty(1 + rules[PREVIEWS_AT], dtype=np.int64)
    for index in range(len(queue)):
        queue[index] = next_piece(rules[GENERATOR_AT], dealer, rng)
    hold, lines, pieces = np.int64(NO_PIECE), 0, 0
    while True:
        best_move(hold, queue, rules, player, scratch)
        if choices[0, OPTION_AT] == 1:
            first = hold < 0
            hold = queue[0]
            if first:
                shift_queue(queue, rules[GENERATOR_AT], dealer, rng)
        lines += apply(boards, choices[0])
        pieces += 1
        if topped_out(boards[0], rules[ROWS_AT]):
            return lines, pieces, 0, nodes[0]
        if 0 < rules[CAP_LINES_AT] <= lines or 0 < rules[CAP_PIECES_AT] <= pieces:
            return lines, pieces, 1, nodes[0]
        shift_queue(queue, rules[GENERATOR_AT], dealer, rng)


@kernel
def apply(boards: Stacks, choice: Words) -> Scalar:
    """Drop the chosen piece on board 0 in place; returns the rows removed. Board 1 is working memory."""
    _, removed, _ = drop(boards[0], boards[1], choice[ORIENTATION_AT], choice[LEFT_AT])
    copy(boards[1], boards[0])
    return removed


@kernel
def shift_queue(queue: Words, generator: Scalar, dealer: Words, rng: np.random.Generator) -> None:
    """Remove the first piece and add a new one at the end."""
    for index in range(len(queue) - 1):
        queue[index] = queue[index + 1]
    queue[len(queue) - 1] = next_piece(generator, dealer, rng)
