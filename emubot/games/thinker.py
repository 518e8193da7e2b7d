"""The thinker of every family: checks, ranks, chooses, prepares; knows no game, which is its engine's part.

An engine makes a task of a snapshot: a position, and the placements that the piece can reach in it. It ranks the task,
and finds the way to the placement that is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from emubot.games.thinking import Decision, Thinker
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState

if TYPE_CHECKING:
    from emubot.games.ahead import Ahead
    from emubot.games.variety import Choose

NOWHERE: Final = -1e12  # the value of a decision for a piece that cannot lock anywhere


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The candidates of a task: `places` are integers (n, m), orientation and column first, `values` are float64 (n,).

    Of equal values the first one is the best. `nodes` counts the boards evaluated.
    """

    places: NDArray[Any]
    values: NDArray[np.float64]
    nodes: int

    def at(self, index: int) -> Placement:
        """Returns a candidate of three integers, with its value and no way to it."""
        orientation, column, row = self.places[index].tolist()
        return Placement(orientation, column, row, value=float(self.values[index]))


_Task = TypeVar("_Task")
_Ranked = TypeVar("_Ranked", bound=Ranking)


class Engine(Protocol[_Task, _Ranked]):
    """A family's search, with its weights, tempo and strength fixed. Inherit from it: three methods must be written."""

    def task(self, snapshot: Snapshot, input_state: InputState, shown: bool) -> _Task | None:
        """Returns the task of a snapshot; None if it has no piece to place. `shown` is as for `Thinker.decide`.

        Raises PositionError for a position that the kernels were not made for.
        """

    def rank(self, task: _Task) -> _Ranked:
        """Returns the candidates with their values."""

    def placement(self, task: _Task, ranking: _Ranked, index: int) -> Placement:
        """Returns a candidate with its value and the way to it."""

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns what `Thinker.reroute` does."""
        return None

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns what `Thinker.preview` does."""
        return None

    def coming(self, snapshot: Snapshot, chosen: Placement) -> Sequence[_Task]:
        """Returns the tasks that may come after this placement, one for each piece that may be shown."""
        return ()

    def coming_between(self, snapshot: Snapshot) -> Sequence[_Task] | None:
        """Returns the tasks that may come after this frame; None if they are those that were returned last."""
        return None

    def key(self, task: _Task) -> Hashable:
        """Returns a value that is equal for tasks for which `rank` finds the same."""
        return id(task)

    def another_rank(self) -> Callable[[_Task], _Ranked]:
        """Returns a function that does what `rank` does, in another thread at the same time."""
        return self.rank


class EngineThinker(Thinker, Generic[_Task, _Ranked]):
    """Plans for one player with an engine."""

    def __init__(self, engine: Engine[_Task, _Ranked]) -> None:
        self.engine = engine
        self._ahead: Ahead[_Task, _Ranked] | None = None

    def decide(
        self, snapshot: Snapshot, input_state: InputState, choose: Choose | None = None, shown: bool = True
    ) -> Decision:
        """Returns the placement that `choose` selects among the candidates; None selects the best."""
        engine = self.engine
        task = engine.task(snapshot, input_state, shown)
        if task is None:
            return Decision(None, 0.0, 0)
        ranking = None if self._ahead is None else self._ahead.take(task)
        if ranking is None:
            ranking = engine.rank(task)
        values = ranking.values
        if not len(values):
            return Decision(None, NOWHERE, ranking.nodes)
        index = int(values.argmax()) if choose is None else choose(ranking.places.tolist(), values.tolist())
        return Decision(engine.placement(task, ranking, index), float(values[index]), ranking.nodes)

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a timeline from here; None if it cannot be reached or without known timing."""
        return self.engine.reroute(snapshot, input_state, chosen)

    def preview(self, snapshot: Snapshot, chosen: Placement) -> Piece | None:
        """Returns where the next piece is to go; None if it is not known, or if there is no placement."""
        return self.engine.preview(snapshot, chosen)

    def prepare(self, snapshot: Snapshot, chosen: Placement) -> None:
        """Begin to search the decisions that may come after this placement, one for each piece that may be shown."""
        self._begin(self.engine.coming(snapshot, chosen))

    def prepare_between(self, snapshot: Snapshot) -> None:
        """Begin anew if what may come is not what is prepared for."""
        self._begin(self.engine.coming_between(snapshot))

    def _begin(self, tasks: Sequence[_Task] | None) -> None:
        if not tasks:
            return
        if self._ahead is None:
            from emubot.games.ahead import Ahead

            self._ahead = Ahead(self.engine.another_rank(), self.engine.key)
        self._ahead.prepare(tasks)
