"""One piece of lookahead: every number in every column that these hands can reach."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from emubot.games.thinking import Decision, Thinker
from emubot.games.variety import Choose
from emubot.pad import Pad
from emubot.snapshot import Placement, Snapshot, Step
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights
from tests.games.toy_family.rules import COLUMNS, DOWN, LEFT, NUMBERS, RIGHT, ROWS, A, Mode, State

FEATURES = ("cleared", "alike", "height")
VERSION = 1
PATIENCE = 200  # frames


class NumbersThinker(Thinker):
    """A search for one player."""

    def __init__(self, weights: Weights, tempo: Tempo) -> None:
        self.tempo, self._vector = tempo, vector(weights)

    def decide(
        self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
    ) -> Decision:
        found = [
            Placement(number, column, row, timeline=steps, value=value)
            for number in range(NUMBERS)
            for column in range(COLUMNS)
            for row, steps, value in self._ways(snapshot, input_state, number, column)
        ]
        best = max(found, key=lambda placement: placement.value, default=None)
        return Decision(best, best.value if best else -np.inf, len(found))

    def _ways(
        self, snapshot: Snapshot, input_state: InputState, number: int, column: int
    ) -> Iterator[tuple[int, tuple[Step, ...], float]]:
        """The way to one placement, if these hands can go it."""
        state = state_of(snapshot)
        state.held_buttons = int(input_state.held)
        rest = max(input_state.rest, input_state.turn_rest)
        steps: list[Step] = []
        while state.mode == Mode.CONTROL and len(steps) < PATIENCE:
            pad = 0
            if state.number != number:
                pad |= A
            if state.x != column:
                pad |= RIGHT if column > state.x else LEFT
            if pad and (rest > 0 or pad & state.held_buttons):
                pad = 0
            elif not pad:
                pad = DOWN
            rest = self.tempo.period - 1 if pad & ~DOWN else max(rest - 1, 0)
            state.step(pad)
            steps.append(Step(Pad(pad), state.number, state.x, state.y))
        if (state.mode, state.number, state.x) == (Mode.LOCKED, number, column):
            row = state.y
            yield row, tuple(steps), float(features(state) @ self._vector)


def vector(weights: Weights) -> NDArray[np.float64]:
    return weights.vector("numbers", FEATURES, VERSION)


def features(state: State) -> NDArray[np.float64]:
    """Of a lock: whether it clears, how many alike it makes on its column, the highest column. Clears."""
    column = state.cells[state.y :, state.x]
    alike = len(column) > 1 and column[0] == column[1]
    cleared = state.clear()
    filled = np.flatnonzero(state.cells.any(axis=1))
    return np.array([cleared, alike, ROWS - filled[0] if len(filled) else 0], dtype=np.float64)


def state_of(snapshot: Snapshot) -> State:
    """The game as far as a player sees it."""
    piece, counters = snapshot.current, snapshot.counters
    assert piece is not None
    state = State(Mode.CONTROL, counters["level"], piece.column, piece.row, piece.orientation)
    state.timer, state.held_buttons = counters["timer"], counters["held_buttons"]
    state.cells[:] = snapshot.playfield
    return state
