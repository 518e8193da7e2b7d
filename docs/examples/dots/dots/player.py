"""What decides in dots: every column that can be reached in time, and the best one by two features."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dots.rules import COLUMNS, LOCKED, PLAYING, State
from emubot.games.thinking import Decision, Thinker
from emubot.games.variety import Choose
from emubot.pad import Pad
from emubot.snapshot import Placement, Snapshot, Step
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

FEATURES, VERSION = ("lines", "height"), 1


class Player(Thinker):
    """Looks at one dot."""

    def __init__(self, weights: Weights, tempo: Tempo) -> None:
        self._weights, self._tempo = weights.vector("dots", FEATURES, VERSION), tempo

    def decide(
        self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
    ) -> Decision:
        """The placement of the highest value."""
        ways = [way for column in range(COLUMNS) for way in self._way(snapshot, input_state, column)]
        best = max(ways, key=lambda placement: placement.value, default=None)
        return Decision(best, best.value if best else -np.inf, len(ways))

    def _way(self, snapshot: Snapshot, input_state: InputState, column: int) -> Iterator[Placement]:
        """The way to one column, pad by pad, if there is time for it."""
        state, steps = state_of(snapshot), list[Step]()
        state.held, rest = int(input_state.held), max(input_state.rest, input_state.turn_rest)
        while state.mode == PLAYING:
            pad = Pad.NONE if state.x == column else Pad.RIGHT if column > state.x else Pad.LEFT
            if pad and (rest > 0 or pad & state.held):
                pad = Pad.NONE
            elif not pad:
                pad = Pad.DOWN
            rest = self._tempo.period - 1 if pad & ~Pad.DOWN else max(rest - 1, 0)
            state.step(pad)
            steps.append(Step(pad, 0, state.x, state.y))
        if state.mode == LOCKED and state.x == column:
            row = state.y
            yield Placement(0, column, row, timeline=tuple(steps), value=float(features(state) @ self._weights))


def features(state: State) -> NDArray[np.float64]:
    """The lines of a lock, and the height of what it leaves."""
    lines = state.clear()
    return np.array([lines, np.count_nonzero(state.cells.any(axis=1))], dtype=np.float64)


def state_of(snapshot: Snapshot) -> State:
    """The game as far as a player sees it."""
    assert snapshot.current is not None
    counters = snapshot.counters
    state = State(PLAYING, snapshot.current.column, snapshot.current.row, counters["timer"], held=counters["held"])
    state.cells[:] = snapshot.playfield
    return state
