"""Matching games beside each other, frame by frame by the pad, until a stage is won or the game lost.

The compiled twin of simulator/matching_simulator.py for one player: what each state does, and when, is said there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import STEP_PADS, Shown
from emubot.games.colours.batches import air
from emubot.games.colours.batches.air import Turns, Words, below, control, turns_of
from emubot.games.colours.batches.field_frames import FieldFrames
from emubot.games.colours.batches.matching_stage import Stage, gravity_at, stage_of
from emubot.games.colours.batches.planting import plant
from emubot.games.colours.batches.states import CLEARING, FRAMES, LOCKED, OVER, PHASE, PLAYING, REST, enter, wipe
from emubot.games.colours.board.groups import Cells, Marks, marks_for
from emubot.games.colours.board.matching_cells import fall_a_row, mark_lines
from emubot.games.colours.board.matching_law import Law, blocked, law_of, put
from emubot.games.colours.board.turning import piece_turning
from emubot.games.colours.looks import MATCHING
from emubot.games.colours.matching_rules import (
    EMPTY,
    LINK_STEP,
    NO_LINK,
    PACES,
    PROFILES,
    TARGET,
    VANISHING,
)
from emubot.games.colours.simulator.matching_simulator import MOST_POINTS, PlayState
from emubot.games.colours.worlds import CELLS, MatchingWorld
from emubot.jit import Scalar, inlined, kernel, lean
from emubot.snapshot import Snapshot

_CONTROL, _SETTLE, _VANISH, _FALL = (
    int(PlayState.CONTROL),
    int(PlayState.SETTLE),
    int(PlayState.VANISH),
    int(PlayState.FALL),
)
_SPAWN_DELAY, _PLANT, _WON, _LOST = (
    int(PlayState.SPAWN_DELAY),
    int(PlayState.PLANT),
    int(PlayState.WON),
    int(PlayState.LOST),
)
_STEPS = np.array(LINK_STEP, dtype=np.int64)

# Of the counters, after those that all games of colours show: then come the kinds of the piece, and of the next one.
_TARGETS, _SCORE, _CHAIN, _PIECE = range(REST, REST + 4)
# Of the words that a game keeps for itself, after those of air.py.
_PIECES, _WORDS = range(5, 7)


class Play(NamedTuple):
    """What the games are made of."""

    law: Law
    stage: Stage
    turns: Turns
    marks: Marks
    links: NDArray[np.uint8]  # (games, stored rows, columns)
    own: Words  # (games, _WORDS)
    pads: Words
    skip: Scalar
    cap: Scalar
    for_cells: Scalar


class MatchingFramesBatch(FieldFrames):
    """Games by these rules; see FieldFrames. A stage is over with its last target, too."""

    looks = MATCHING

    def __init__(self, world: MatchingWorld, games: int) -> None:
        profile = PROFILES[world.rules]
        rules = replace(profile, colors=world.colors or profile.colors)
        turning = piece_turning(rules)
        told = ("targets", "score", "chain")
        kinds = [f"{when}_{cell + 1}" for when in ("piece", "next_1") for cell in range(rules.piece_cells)]
        super().__init__(rules, turning, told, kinds, games, world.frame_skip)
        self._play = Play(
            law_of(rules),
            stage_of(rules, world.stage, PACES.index(world.pace)),
            turns_of(turning, rules.hidden_rows),
            marks_for(rules.stored_rows, rules.columns),
            np.zeros(self._cells.shape, dtype=np.uint8),
            np.zeros((games, _WORDS), dtype=np.int64),
            np.array(STEP_PADS, dtype=np.int64),
            world.frame_skip,
            world.cap,
            int(world.reward == CELLS),
        )
        self._is_planted = False

    @property
    def rewarded(self) -> str:
        """The targets: of the cells that vanish the field tells."""
        return "kind_1" if self._play.for_cells else "targets"

    def see(self, snapshot: Snapshot) -> None:
        """Show what a cartridge shows."""
        super().see(snapshot)
        if self.counters[0, PHASE] == PLAYING:
            self._is_planted = bool(self._play.stage.targets > 0)
        elif self.counters[0, FRAMES] == 0:
            self._is_planted = False

    def current(self, snapshot: Snapshot) -> list[int]:
        """Returns the kinds of the halves."""
        return [snapshot.counters[f"kind_{part + 1}"] for part in range(self.parts)]

    def gained(self, numbers: Words, cells: NDArray[np.uint8]) -> int:
        """Returns the cells that begin to vanish in a frame, or the targets among them."""
        if self._play.for_cells:
            return max(int((self._cells[0] == VANISHING).sum() - (cells == VANISHING).sum()), 0)
        return max(int(numbers[_TARGETS] - self.counters[0, _TARGETS]), 0)

    def is_won(self) -> bool:
        """Returns whether what a cartridge has shown last is a stage whose last targets are gone."""
        left = self.counters[0, _TARGETS] != 0 or (self._cells[0] == VANISHING).any()
        return self._is_planted and not left

    def _begin(self, game: int) -> None:
        _begin(self._play, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        return bool(_step(self._play, self._lots, self._shown, actions))


@kernel
def _begin(play: Play, lots: Words, shown: Shown, game: Scalar) -> None:
    own, counters, stage = play.own[game], shown.counters[game], play.stage
    wipe(own, lots, shown, game)
    for row in range(play.links.shape[1]):
        for column in range(play.links.shape[2]):
            play.links[game, row, column] = NO_LINK
    _deal(play.law, own, counters)
    if stage.targets > 0:
        enter(own, counters, _PLANT, 1, CLEARING)
    else:
        enter(own, counters, _SPAWN_DELAY, stage.spawn_delay, LOCKED)


@inlined
def _deal(law: Law, own: Words, counters: Words) -> None:
    parts = law.shapes.shape[1]
    for part in range(parts):
        counters[_PIECE + parts + part] = 1 + below(own, air.GENERATOR, law.colors, 0)


@kernel
def _step(play: Play, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, len(play.pads)):
        return False
    for game in range(len(actions)):
        if shown.ended[game] or shown.cut[game]:
            _begin(play, lots[game], shown, game)
            continue
        shown.rewards[game] = 0.0
        pad, frames = play.pads[actions[game]], np.int64(0)
        while frames < play.skip and not shown.ended[game]:
            frames += 1
            shown.ended[game] = _frame(play, shown, game, pad)
        shown.counters[game, FRAMES] += frames
        shown.cut[game] = 0 < play.cap <= shown.counters[game, FRAMES] and not shown.ended[game]
    return True


@inlined
def _frame(play: Play, shown: Shown, game: Scalar, pad: Scalar) -> bool:
    """Play a frame; returns whether the game is over."""
    stage, own, counters = play.stage, play.own[game], shown.counters[game]
    new, own[air.HELD] = pad & ~own[air.HELD], pad
    if own[air.STATE] == _CONTROL:
        cells, parts = shown.cells[game], play.law.shapes.shape[1]
        if control(counters, own, cells, play.turns, gravity_at(stage, own[_PIECES]), stage.soft_drop, new, pad):
            kinds = counters[_PIECE : _PIECE + parts]
            row = counters[air.ROW] + play.turns.hidden
            put(cells, play.links[game], play.law, counters[air.ORIENTATION], counters[air.COLUMN], row, kinds)
            air.clear(counters)
            for part in range(parts):
                kinds[part] = 0
            enter(own, counters, _SETTLE, stage.settle, LOCKED)
        return False
    own[air.WAIT] -= 1
    if own[air.WAIT] > 0:
        return False
    return _act(play, shown, game)


@kernel
def _act(play: Play, shown: Shown, game: Scalar) -> bool:
    """Do what the game's state does at the end of its wait; returns whether it is over."""
    law, stage, own, counters = play.law, play.stage, play.own[game], shown.counters[game]
    cells, links = shown.cells[game], play.links[game]
    if own[air.STATE] == _SETTLE:
        _look_for_lines(play, shown, game)
    elif own[air.STATE] == _VANISH:
        for row in range(cells.shape[0]):
            for column in range(cells.shape[1]):
                if cells[row, column] == VANISHING:
                    cells[row, column] = EMPTY
        if counters[_TARGETS] == 0 and stage.targets > 0:
            counters[_CHAIN] = 0
            enter(own, counters, _WON, 1, CLEARING)
            return True
        enter(own, counters, _FALL, stage.per_row, LOCKED)
    elif own[air.STATE] == _FALL:
        if fall_a_row(cells, links) > 0:
            enter(own, counters, _FALL, stage.per_row, LOCKED)
        else:
            enter(own, counters, _SETTLE, stage.settle, LOCKED)
    elif own[air.STATE] == _PLANT:
        drawn = below(own, air.GENERATOR, stage.rows, 0) * cells.shape[1]
        drawn += below(own, air.GENERATOR, cells.shape[1], 0)
        plant(cells, stage.rows, law.colors, counters[_TARGETS], drawn)
        counters[_TARGETS] += 1
        if counters[_TARGETS] == stage.targets:
            enter(own, counters, _SPAWN_DELAY, stage.spawn_delay, LOCKED)
        else:
            enter(own, counters, _PLANT, 1, CLEARING)
    elif blocked(cells, law):
        enter(own, counters, _LOST, 1, OVER)
        return True
    else:
        _spawn(play, own, counters)
    return False


@inlined
def _spawn(play: Play, own: Words, counters: Words) -> None:
    law, parts, spawn = play.law, play.law.shapes.shape[1], play.stage.spawn
    own[_PIECES] += 1
    counters[air.ORIENTATION], counters[air.COLUMN], counters[air.ROW] = spawn[0], spawn[1], spawn[2]
    counters[air.DROP_TIMER] = gravity_at(play.stage, own[_PIECES])
    counters[air.REPEAT] = own[air.PRIMED] = 0
    for part in range(parts):
        counters[_PIECE + part] = counters[_PIECE + parts + part]
    _deal(law, own, counters)
    enter(own, counters, _CONTROL, 0, PLAYING)


@inlined
def _look_for_lines(play: Play, shown: Shown, game: Scalar) -> None:
    law, stage, own, counters = play.law, play.stage, play.own[game], shown.counters[game]
    cells = shown.cells[game]
    if mark_lines(cells, law.match, law.size, play.marks) == 0:
        counters[_CHAIN] = 0
        enter(own, counters, _SPAWN_DELAY, stage.spawn_delay, LOCKED)
        return
    counters[_CHAIN] += 1
    marked, targets = _mark(cells, play.links[game], play.marks)
    counters[_TARGETS] -= targets
    counters[_SCORE] = min(counters[_SCORE] + targets * counters[_CHAIN] * stage.points, MOST_POINTS)
    shown.rewards[game] += marked if play.for_cells else targets
    enter(own, counters, _VANISH, stage.vanish, CLEARING)


@lean
def _mark(cells: Cells, links: Cells, marks: Marks) -> tuple[Scalar, Scalar]:
    """Show the marked cells as vanishing, and cut their links; returns their number, and that of the targets."""
    marked, targets, gone = np.int64(0), np.int64(0), marks.stamp[0] + 1
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            if marks.seen[row, column] == gone:
                marked += 1
                targets += int(cells[row, column] > TARGET)
                link = links[row, column]
                links[row + _STEPS[link, 1], column + _STEPS[link, 0]] = NO_LINK
                cells[row, column], links[row, column] = VANISHING, NO_LINK
    return marked, targets
