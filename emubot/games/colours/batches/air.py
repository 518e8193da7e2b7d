"""A piece in the air, frame by frame, in arrays of many games: turns, shifts, falls; knows no family.

The compiled twin of board/control.py and simulator/generator.py.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.control import AFTER_REPEAT, FIRST_REPEAT
from emubot.games.colours.board.turning import CLOCKWISE, COUNTERCLOCKWISE, Turning
from emubot.games.colours.simulator.generator import FEEDBACK, SHIFTS
from emubot.jit import Scalar, inlined, lean
from emubot.pad import Pad

# The first counters of a game: the piece under control, all 0 if there is none.
ORIENTATION, COLUMN, ROW, DROP_TIMER, REPEAT, AIR = range(6)
# The first words that a game keeps and does not show: its state, the frames until the state acts, whether a quick turn
# may be next, the pad of the frame before, its generator.
STATE, WAIT, PRIMED, HELD, GENERATOR = range(5)

_A, _B, _DOWN, _LEFT, _RIGHT = int(Pad.A), int(Pad.B), int(Pad.DOWN), int(Pad.LEFT), int(Pad.RIGHT)
_NONE: Final = -1  # the state of an attempt that there is not
SEEDS: Final = 0xFFFF  # of a generator, which is never in state 0

Words = NDArray[np.int64]
Cells = NDArray[np.uint8]


class Turns(NamedTuple):
    """How a piece turns in a field with so many hidden rows, as Turning says.

    `cells` is int64 (states, parts, 2), `attempts` int64 (2, states, most, 3) and ends with the state -1, `shown` int64
    (states,). A piece has its orientations twice if it can have quick turns.
    """

    cells: Words
    attempts: Words
    shown: Words
    orientations: Scalar
    hidden: Scalar


def turns_of(turning: Turning, hidden: int) -> Turns:
    """Returns a turning in arrays, for a field with so many hidden rows."""
    most = max(len(attempts) for turns in turning.turns for attempts in turns)
    tried = np.full((2, len(turning.cells), most + 1, 3), _NONE, dtype=np.int64)
    for direction in (CLOCKWISE, COUNTERCLOCKWISE):
        for state, attempts in enumerate(turning.turns[direction]):
            tried[direction, state, : len(attempts)] = attempts
    return Turns(
        np.array(turning.cells, dtype=np.int64),
        tried,
        np.array(turning.shown, dtype=np.int64),
        len({*turning.shown}),
        hidden,
    )


@lean
def below(own: Words, generator: Scalar, limit: Scalar, least_bits: Scalar) -> Scalar:
    """Returns a number from 0 to `limit` - 1 from the generator at this place among a game's own words."""
    mask = (1 << least_bits) - 1
    while mask < limit - 1:
        mask = mask << 1 | 1
    state = own[generator]
    while True:
        for _ in range(SHIFTS):
            state = state >> 1 ^ (FEEDBACK if state & 1 else 0)
        if state & mask < limit:
            own[generator] = state
            return state & mask


@inlined
def fits(cells: Cells, turns: Turns, state: Scalar, column: Scalar, row: Scalar) -> bool:
    """Returns whether all cells of a piece are between the walls, above the floor and free; see board/control.py."""
    rows, columns = cells.shape
    for part in range(turns.cells.shape[1]):
        x, index = column + turns.cells[state, part, 0], row + turns.cells[state, part, 1] + turns.hidden
        if not 0 <= x < columns or index >= rows or (index >= 0 and cells[index, x] != 0):
            return False
    return True


@lean
def control(
    air: Words,
    own: Words,
    cells: Cells,
    turns: Turns,
    gravity: Scalar,
    soft_drop: Scalar,
    new: Scalar,
    held: Scalar,
) -> bool:
    """Play one frame under control; `air` are a game's counters. Returns whether the piece locks."""
    if new & (_A | _B):
        _turn(air, own, cells, turns, CLOCKWISE if new & _A else COUNTERCLOCKWISE)
    step = 0
    if new & (_LEFT | _RIGHT):
        air[REPEAT] = 0
        step = -1 if new & _LEFT else 1
    elif held & (_LEFT | _RIGHT):
        air[REPEAT] += 1
        if air[REPEAT] == FIRST_REPEAT:
            air[REPEAT] = AFTER_REPEAT
            step = -1 if held & _LEFT else 1
    state = _state(air[ORIENTATION], turns)
    if step != 0 and fits(cells, turns, state, air[COLUMN] + step, air[ROW]):
        air[COLUMN] += step
    if held & _DOWN and not held & (_LEFT | _RIGHT):
        air[DROP_TIMER] = min(air[DROP_TIMER], soft_drop)
    air[DROP_TIMER] -= 1
    if air[DROP_TIMER] > 0:
        return False
    air[DROP_TIMER] = 0
    if not fits(cells, turns, state, air[COLUMN], air[ROW] + 1):
        return True
    air[ROW] += 1
    air[DROP_TIMER] = gravity
    return False


@inlined
def _state(orientation: Scalar, turns: Turns) -> Scalar:
    state = 0
    while turns.shown[state] != orientation:
        state += 1
    return state


@lean
def _turn(air: Words, own: Words, cells: Cells, turns: Turns, direction: Scalar) -> None:
    attempts = turns.attempts[direction, _state(air[ORIENTATION], turns) + own[PRIMED] * turns.orientations]
    for attempt in range(len(attempts)):
        state = attempts[attempt, 0]
        if state == _NONE:
            return
        column, row = air[COLUMN] + attempts[attempt, 1], air[ROW] + attempts[attempt, 2]
        if (attempts[attempt, 2] >= 0 or row >= -turns.hidden) and fits(cells, turns, state, column, row):
            air[ORIENTATION], air[COLUMN], air[ROW] = turns.shown[state], column, row
            own[PRIMED] = 1 if state != _state(turns.shown[state], turns) else 0
            return


@inlined
def clear(air: Words) -> None:
    """No piece is under control any more."""
    for index in range(AIR):
        air[index] = 0
