"""Matching games beside each other, a placement a step in each: a stage, or without end; knows no frames.

Placements are straight drops: a piece enters the columns that it reaches before it has fallen too far, turned at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import Counter, Shown
from emubot.games.colours.batches.planting import plant
from emubot.games.colours.board.groups import Marks, marks_for
from emubot.games.colours.board.matching_cells import resolve
from emubot.games.colours.board.matching_law import Law, blocked, law_of, put, rests
from emubot.games.colours.decode.frame import field_of
from emubot.games.colours.looks import MATCHING
from emubot.games.colours.matching_rules import EMPTY, NO_LINK, PROFILES, TARGET
from emubot.games.colours.reach.matching_entry import MOST_PLACES, Drops, distinct, drops_of, fill_drops, fill_tops
from emubot.games.colours.worlds import CELLS, MatchingWorld
from emubot.games.lots import draw
from emubot.games.placing import PlacedBatch
from emubot.jit import Scalar, inlined, kernel
from emubot.snapshot import Snapshot
from emubot.tempo import parse_taps

_MOST: Final = 2**62

# Of `rules`, int64: the targets at the start, the rows that may hold them, the most pieces (0: any number), the reward.
_TARGETS, _TARGET_ROWS, _MOST_PIECES, _FOR_CELLS = range(4)
# Of the counters.
_LEFT, _SCORE, _CHAIN, _LOCKED, _PIECE = range(5)

Words = NDArray[np.int64]


class Scratch(NamedTuple):
    """Working memory, the same for all games."""

    marks: Marks
    tops: Words
    places: Words


class Play(NamedTuple):
    """What the games are made of."""

    rules: Words
    law: Law
    drops: Drops
    links: NDArray[np.uint8]  # (games, stored rows, columns)
    rows: Words  # (games, actions): where each placement comes to rest
    scratch: Scratch


class MatchingBatch(PlacedBatch):
    """Games by these rules; see Batch. Placements that the mask leaves out are the next one, by number, that it has."""

    rate = 2.0
    looks = MATCHING

    def __init__(self, world: MatchingWorld, games: int) -> None:
        profile = PROFILES[world.rules]
        rules = replace(profile, colors=world.colors or profile.colors)
        law, cells = law_of(rules), rules.piece_cells
        coming = (
            f"{when}_{cell + 1}"
            for when in ("piece", *(f"next_{number + 1}" for number in range(rules.previews)))
            for cell in range(cells)
        )
        done = tuple(Counter(name, 0, _MOST) for name in ("targets", "cells", "chain", "pieces"))
        self.numbers = (*done, *(Counter(name, 1, rules.colors) for name in coming))
        self.actions = tuple(
            f"orientation {orientation}, column {column}"
            for orientation in range(len(rules.shapes))
            for column in range(rules.columns)
        )
        super().__init__(games, rules.visible_rows, rules.columns, rules.hidden_rows, masked=True)
        self._cells_of_piece = cells
        targets, rows = rules.stage_targets(world.stage), rules.stage_rows(world.stage)
        self._play = Play(
            np.array((targets, rows, world.cap, world.reward == CELLS), dtype=np.int64),
            law,
            drops_of(parse_taps(world.taps) if world.gravity else None, world.gravity),
            np.zeros(self._cells.shape, dtype=np.uint8),
            np.zeros((games, len(self.actions)), dtype=np.int64),
            Scratch(
                marks_for(rules.stored_rows, rules.columns),
                np.zeros(rules.columns, dtype=np.int64),
                np.zeros((MOST_PLACES, 3), dtype=np.int64),
            ),
        )

    def adopt(self, snapshot: Snapshot) -> None:
        """Go on with the pieces that the cartridge has dealt; before the first lock also with its targets."""
        counters, size = self.counters[0], self._cells_of_piece
        counters[_PIECE : _PIECE + size] = [snapshot.counters[f"kind_{part + 1}"] for part in range(size)]
        counters[_PIECE + size :] = snapshot.next[: counters.size - _PIECE - size]
        if counters[_LOCKED] == 0:
            self._cells[0], self._play.links[0] = field_of(snapshot)
            counters[_LEFT] = (self._cells[0] > TARGET).sum()
        _show_places(self._play, self._shown)

    def action_of(self, place: Sequence[int]) -> int | None:
        """Returns the action of a lock: orientation and column; only straight drops are actions."""
        action = place[0] * self._cells.shape[2] + place[1]
        return action if self._play.rows[0, action] == place[2] else None

    def is_shown(self, snapshot: Snapshot) -> bool:
        """Returns whether the cartridge's field is that of the game."""
        return bool(np.array_equal(field_of(snapshot)[0], self._cells[0]))

    def _coming(self, column: int) -> NDArray[np.int64]:
        pieces = self.counters[:, _PIECE:].reshape(self.games, -1, self._cells_of_piece)
        cells = np.zeros((*pieces.shape, 3), dtype=np.int64)
        shape = np.array(self._play.law.shapes[0], dtype=np.int64)
        box = int(np.ptp(shape[:, 1])) + 2
        cells[..., 0] = box * np.arange(pieces.shape[1])[:, None] + shape[:, 1] - shape[:, 1].min()
        cells[..., 1] = column + shape[:, 0] - shape[:, 0].min()
        cells[..., 2] = pieces
        return cells.reshape(self.games, -1, 3)

    def _begin(self, game: int) -> None:
        _begin(self._play, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        return bool(_step(self._play, self._lots, self._shown, actions))


@kernel
def _show_places(play: Play, shown: Shown) -> None:
    """Show the placements of the first game anew."""
    _show_mask(play, shown, 0)


@kernel
def _begin(play: Play, lots: Words, shown: Shown, game: Scalar) -> None:
    counters, cells = shown.counters[game], shown.cells[game]
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            cells[row, column], play.links[game, row, column] = EMPTY, NO_LINK
    for index in range(_PIECE):
        counters[index] = 0
    for number in range(play.rules[_TARGETS]):
        height = play.rules[_TARGET_ROWS]
        drawn = draw(lots, height) * cells.shape[1]
        drawn += draw(lots, cells.shape[1])
        plant(cells, height, play.law.colors, number, drawn)
    counters[_LEFT] = play.rules[_TARGETS]
    for index in range(_PIECE, len(counters)):
        counters[index] = 1 + draw(lots, play.law.colors)
    shown.rewards[game], shown.ended[game], shown.cut[game] = 0.0, False, False
    _show_mask(play, shown, game)


@inlined
def _show_mask(play: Play, shown: Shown, game: Scalar) -> Scalar:
    """Write the mask of a game, and where its placements come to rest; returns their number."""
    law, scratch, mask = play.law, play.scratch, shown.mask[game]
    kinds = shown.counters[game, _PIECE : _PIECE + law.shapes.shape[1]]
    fill_tops(shown.cells[game], scratch.tops)
    count = fill_drops(scratch.tops, law, distinct(kinds, law), play.drops, scratch.places)
    for action in range(len(mask)):
        mask[action] = 0
    for index in range(count):
        action = scratch.places[index, 0] * shown.cells.shape[2] + scratch.places[index, 1]
        mask[action], play.rows[game, action] = 1, scratch.places[index, 2]
    return count


@kernel
def _step(play: Play, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    most = shown.mask.shape[1]
    if not are_below(actions, most):
        return False
    law, columns = play.law, shown.cells.shape[2]
    size = law.shapes.shape[1]
    for game in range(len(actions)):
        if shown.ended[game] or shown.cut[game]:
            _begin(play, lots[game], shown, game)
            continue
        action = actions[game]
        while shown.mask[game, action] == 0:
            action = (action + 1) % most
        counters, cells, links = shown.counters[game], shown.cells[game], play.links[game]
        kinds = counters[_PIECE : _PIECE + size]
        orientation, column, row = action // columns, action % columns, play.rows[game, action]
        put(cells, links, law, orientation, column, row, kinds)
        chain, removed, targets = np.int64(0), np.int64(0), np.int64(0)
        # Only the first lock can meet lines that it is not part of: the targets of a stage may be one.
        if counters[_LOCKED] == 0 or not rests(cells, law, orientation, column, row):
            chain, _, removed, targets, _ = resolve(cells, links, law.match, law.size, play.scratch.marks)
        counters[_LEFT] -= targets
        counters[_SCORE] += removed
        counters[_CHAIN] = chain
        counters[_LOCKED] += 1
        for index in range(_PIECE, len(counters) - size):
            counters[index] = counters[index + size]
        for index in range(len(counters) - size, len(counters)):
            counters[index] = 1 + draw(lots[game], law.colors)
        shown.rewards[game] = removed if play.rules[_FOR_CELLS] else targets
        won = law.staged and counters[_LEFT] == 0
        shown.ended[game] = _show_mask(play, shown, game) == 0 or won or blocked(cells, law)
        shown.cut[game] = 0 < play.rules[_MOST_PIECES] <= counters[_LOCKED] and not shown.ended[game]
    return True
