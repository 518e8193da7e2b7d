"""What a search decides: the best of its candidates by their values; knows no board and no value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any, Final, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from emubot.games.variety import Choose

Ranked: TypeAlias = tuple[NDArray[np.float64], int]  # each candidate's value, and the number of fields valued
PositionT = TypeVar("PositionT")

_NOTHING: Final = -1e12  # the value of no candidate


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of the chosen candidate (-1: there is none), its value, and the number of evaluated fields."""

    index: int
    value: float
    nodes: int


class Decider(ABC, Generic[PositionT]):
    """A search with fixed rules, weights and budget. Of equal candidates the first one is chosen."""

    @abstractmethod
    def rank(self, position: PositionT, candidates: NDArray[Any]) -> Ranked:
        """Returns each candidate's value, float64 (n,), and the number of fields searched; raises like `decide`."""

    def decide(
        self,
        position: PositionT,
        candidates: NDArray[Any],
        choose: Choose | None = None,
        known: Ranked | None = None,
    ) -> Choice:
        """Returns the best of the placements in `candidates`, integers (n, 2) or (n, 3).

        These are orientation, column, and the row of a piece that may slide, from the highest visible row. If `choose`
        is given, it chooses. `known` is what `rank` has returned for these, if they have been searched before. Raises
        ValueError if the field does not fit the rules.
        """
        values, nodes = self.rank(position, candidates) if known is None else known
        if not len(values):
            return Choice(-1, _NOTHING, nodes)
        index = int(values.argmax()) if choose is None else choose(candidates.tolist(), values.tolist())
        return Choice(index, float(values[index]), nodes)


def key_of(position: Any, candidates: NDArray[Any]) -> Hashable:
    """Returns a value that is equal for positions and candidates for which a search finds the same."""
    values = (candidates, *(getattr(position, entry.name) for entry in fields(position)))
    return tuple(value.tobytes() if isinstance(value, np.ndarray) else value for value in values)
