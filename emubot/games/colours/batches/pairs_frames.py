"""Games of pairs beside each other, frame by frame by the pad, alone or two against each other.

The compiled twin of simulator/simulator.py, without items: what each state does, and when, is said there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import are_below
from emubot.games.batch import STEP_PADS, Shown
from emubot.games.colours.batches import air
from emubot.games.colours.batches.air import Cells, Turns, Words, below, control, turns_of
from emubot.games.colours.batches.field_frames import FieldFrames
from emubot.games.colours.batches.pairs_field import is_any_filled, is_empty, land, mark_groups, rain, remove
from emubot.games.colours.batches.pairs_law import Law, law_of, price_at
from emubot.games.colours.batches.states import CLEARING, FRAMES, LOCKED, OVER, PHASE, PLAYING, REST, enter, wipe
from emubot.games.colours.board.groups import Marks, marks_for
from emubot.games.colours.board.turning import pair_turning
from emubot.games.colours.looks import PAIRS
from emubot.games.colours.rules import EMPTY, OBSTACLE, POPPING, PROFILES
from emubot.games.colours.simulator.simulator import (
    BITS,
    HIGHEST_LEVEL,
    MOST_POINTS,
    PAIRS_PER_LEVEL,
    PlayState,
)
from emubot.games.colours.worlds import CHAIN, WINS, PuyoWorld
from emubot.jit import Scalar, inlined, kernel
from emubot.snapshot import Snapshot

_CONTROL, _SETTLE, _POP = int(PlayState.CONTROL), int(PlayState.SETTLE), int(PlayState.POP)
_NUISANCE, _SPAWN_DELAY, _LOST = int(PlayState.NUISANCE), int(PlayState.SPAWN_DELAY), int(PlayState.LOST)

# Of the counters, after those that all games of colours show.
_LEVEL, _SCORE, _CHAIN, _PENDING, _PIVOT, _SATELLITE, _NEXT = range(REST, REST + 7)
# Of the words that a game keeps for itself, after those of air.py. The first player of a match has its rain.
_PAIRS, _CHAIN_POINTS, _POP_POINTS, _BONUS, _RAIN, _WORDS = range(5, 11)
_FOR_POINTS, _FOR_CHAIN, _FOR_WINS = range(3)


class Play(NamedTuple):
    """What the games are made of."""

    law: Law
    turns: Turns
    marks: Marks
    own: Words  # (games, _WORDS)
    pads: Words
    start_level: Scalar
    skip: Scalar
    cap: Scalar
    reward: Scalar
    seats: Scalar


class PairsFramesBatch(FieldFrames):
    """Games by these rules; with two seats the games 2 n and 2 n + 1 are a match: they are over together."""

    looks = PAIRS

    def __init__(self, world: PuyoWorld, games: int, seats: int = 1) -> None:
        profile = PROFILES[world.rules]
        rules = replace(profile, colors=world.colors or profile.colors)
        turning = pair_turning(EMPTY, rules)
        told = ("level", "score", "chain", "pending")
        kinds = [f"{when}{half}" for when in ("", "next_1_") for half in ("pivot", "satellite")]
        super().__init__(rules, turning, told, kinds, games, world.frame_skip)
        self._play = Play(
            law_of(rules),
            turns_of(turning, rules.hidden_rows),
            marks_for(rules.stored_rows, rules.columns),
            np.zeros((games, _WORDS), dtype=np.int64),
            np.array(STEP_PADS, dtype=np.int64),
            world.start_level,
            world.frame_skip,
            world.cap,
            {CHAIN: _FOR_CHAIN, WINS: _FOR_WINS}.get(world.reward, _FOR_POINTS),
            seats,
        )

    def see(self, snapshot: Snapshot) -> None:
        """Show what a cartridge shows."""
        super().see(snapshot)
        if self.counters[0, PHASE] == CLEARING:  # snapshots have what pops as an obstacle, since a search needs no more
            cells = self._cells[0]
            cells[cells == OBSTACLE] = POPPING

    @property
    def rewarded(self) -> str:
        """The number that is rewarded."""
        return "chain" if self._play.reward == _FOR_CHAIN else "score"

    def current(self, snapshot: Snapshot) -> tuple[int, int]:
        """Returns the kinds of pivot and satellite."""
        return snapshot.counters["pivot"], snapshot.counters["satellite"]

    def gained(self, numbers: Words, cells: Cells) -> int:
        """Returns the points of a frame, or the steps of a chain."""
        at = _CHAIN if self._play.reward == _FOR_CHAIN else _SCORE
        return max(int(self.counters[0, at] - numbers[at]), 0)

    def _begin(self, game: int) -> None:
        _begin(self._play, self._lots[game], self._shown, game)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        return bool(_step(self._play, self._lots, self._shown, actions))


@kernel
def _begin(play: Play, lots: Words, shown: Shown, game: Scalar) -> None:
    own, counters = play.own[game], shown.counters[game]
    wipe(own, lots, shown, game)
    own[_RAIN] = own[air.GENERATOR]
    counters[_LEVEL] = play.start_level
    _deal(play.law, own, counters)
    enter(own, counters, _SPAWN_DELAY, play.law.spawn_delay, LOCKED)


@inlined
def _deal(law: Law, own: Words, counters: Words) -> None:
    for half in range(2):
        counters[_NEXT + half] = 1 + below(own, air.GENERATOR, law.colors, BITS)


@kernel
def _step(play: Play, lots: NDArray[np.int64], shown: Shown, actions: NDArray[np.int64]) -> bool:
    if not are_below(actions, len(play.pads)):
        return False
    for first in range(0, len(actions), play.seats):
        end = first + play.seats
        if shown.ended[first] or shown.cut[first]:
            for game in range(first, end):
                _begin(play, lots[game], shown, game)
            continue
        for game in range(first, end):
            shown.rewards[game] = 0.0
        loser = -1
        for _ in range(play.skip):
            for game in range(first, end):
                shown.counters[game, FRAMES] += 1
            for game in range(first, end):
                if _frame(play, shown, game, play.pads[actions[game]]):
                    loser = game
                    break
            if loser >= 0:
                break
        for game in range(first, end):
            shown.ended[game] = loser >= 0
            shown.cut[game] = 0 < play.cap <= shown.counters[game, FRAMES] and loser < 0
            if play.reward == _FOR_WINS and loser >= 0:
                shown.rewards[game] = -1.0 if game == loser else 1.0
    return True


@inlined
def _frame(play: Play, shown: Shown, game: Scalar, pad: Scalar) -> bool:
    """Play one player's part of a frame; returns whether the player loses."""
    law, own, counters = play.law, play.own[game], shown.counters[game]
    new, own[air.HELD] = pad & ~own[air.HELD], pad
    if own[air.STATE] == _CONTROL:
        gravity = law.gravity[min(counters[_LEVEL], len(law.gravity) - 1)]
        cells = shown.cells[game]
        if control(counters, own, cells, play.turns, gravity, law.soft_drop, new, pad):
            deepest = land(cells, play.turns, counters, counters[_PIVOT:_NEXT])
            air.clear(counters)
            counters[_PIVOT] = counters[_SATELLITE] = 0
            enter(own, counters, _SETTLE, law.settle + law.per_row * deepest, LOCKED)
        return False
    own[air.WAIT] -= 1
    if own[air.WAIT] > 0:
        return False
    return _act(play, shown, game)


@kernel
def _act(play: Play, shown: Shown, game: Scalar) -> bool:
    """Do what a player's state does at the end of its wait; returns whether the player loses."""
    law, own, counters, cells = play.law, play.own[game], shown.counters[game], shown.cells[game]
    if own[air.STATE] == _SETTLE:
        _look_for_groups(play, shown, game)
    elif own[air.STATE] == _POP:
        deepest = remove(cells)
        points = min(counters[_SCORE] + own[_POP_POINTS], MOST_POINTS) - counters[_SCORE]
        counters[_SCORE] += points
        own[_CHAIN_POINTS] += own[_POP_POINTS]
        if play.reward == _FOR_POINTS:
            shown.rewards[game] += points
        enter(own, counters, _SETTLE, law.settle + law.per_row * deepest, LOCKED)
    elif own[air.STATE] == _NUISANCE:
        enter(own, counters, _SPAWN_DELAY, law.spawn_delay, LOCKED)
    elif is_any_filled(cells, law.death):
        enter(own, counters, _LOST, 1, OVER)
        return True
    else:
        own[_PAIRS] += 1
        if play.seats == 1:
            counters[_LEVEL] = min(HIGHEST_LEVEL, play.start_level + own[_PAIRS] // PAIRS_PER_LEVEL)
        counters[air.ORIENTATION], counters[air.COLUMN], counters[air.ROW] = law.spawn[0], law.spawn[1], law.spawn[2]
        counters[air.DROP_TIMER] = law.gravity[min(counters[_LEVEL], len(law.gravity) - 1)]
        counters[air.REPEAT] = own[air.PRIMED] = 0
        counters[_PIVOT], counters[_SATELLITE] = counters[_NEXT], counters[_NEXT + 1]
        _deal(law, own, counters)
        enter(own, counters, _CONTROL, 0, PLAYING)
    return False


@inlined
def _look_for_groups(play: Play, shown: Shown, game: Scalar) -> None:
    law, own, counters, cells = play.law, play.own[game], shown.counters[game], shown.cells[game]
    points = mark_groups(cells, law.first, law.group, play.marks, law.table, counters[_CHAIN] + 1)
    if points > 0:
        counters[_CHAIN] += 1
        own[_POP_POINTS] = points
        if play.reward == _FOR_CHAIN:
            shown.rewards[game] += 1
        enter(own, counters, _POP, law.pop, CLEARING)
        return
    if counters[_CHAIN] > 0:
        _end_chain(play, shown, game)
    amount = min(counters[_PENDING], law.most_falling)
    if amount > 0:
        counters[_PENDING] -= amount
        rain(cells, amount, play.own[game - game % play.seats], _RAIN)
        enter(own, counters, _NUISANCE, law.nuisance_wait, LOCKED)
    else:
        enter(own, counters, _SPAWN_DELAY, law.spawn_delay, LOCKED)


@inlined
def _end_chain(play: Play, shown: Shown, game: Scalar) -> None:
    """Send the chain's nuisance, and keep the points of an all-clear for the next attack."""
    law, own, counters = play.law, play.own[game], shown.counters[game]
    if play.seats > 1:
        amount = min((own[_CHAIN_POINTS] + own[_BONUS]) // price_at(law, counters[FRAMES]), law.most_sent)
        if law.offset:
            cancelled = min(amount, counters[_PENDING])
            counters[_PENDING] -= cancelled
            amount -= cancelled
        other = game + 1 - 2 * (game % 2)
        shown.counters[other, _PENDING] = min(shown.counters[other, _PENDING] + amount, law.most_pending)
    own[_BONUS] = law.all_clear if is_empty(shown.cells[game]) else 0
    counters[_CHAIN] = own[_CHAIN_POINTS] = 0
