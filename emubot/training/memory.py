"""What was played lately, to be learnt from again (replay memory); knows no network and no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.training.optimiser import stored

_DECIMALS: Final = 6  # of what is remembered, so that it is short in files and exact


@dataclass(frozen=True, slots=True)
class Experience:
    """Locks of whole games in turn: features of each afterstate, what each cleared, how each ended its game.

    features float64 (m, inputs), gains float64 (m,), ends int64 (m,) of GOES_ON, LOST, STOPPED.
    """

    features: NDArray[np.float64]
    gains: NDArray[np.float64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.gains)

    def latest(self, most: int) -> Experience:
        """The last locks, at most so many."""
        return Experience(self.features[-most:], self.gains[-most:], self.ends[-most:])

    def learnable(self) -> NDArray[np.int64]:
        """The indices of all locks but those whose game was stopped there: nobody knows how it would have gone on."""
        return np.flatnonzero(self.ends != TRUNCATED)

    def plain(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"features": self.features.tolist(), "gains": self.gains.tolist(), "ends": self.ends.tolist()}


def joined(parts: Sequence[Experience]) -> Experience:
    """All parts in their order, rounded as memory keeps them."""
    return Experience(
        np.round(np.concatenate([part.features for part in parts]), _DECIMALS),
        np.round(np.concatenate([part.gains for part in parts]), _DECIMALS),
        np.concatenate([part.ends for part in parts]),
    )


def nothing(inputs: int) -> Experience:
    """No lock at all."""
    return Experience(np.zeros((0, inputs)), np.zeros(0), np.zeros(0, dtype=np.int64))


def remembered(state: Mapping[str, Any], inputs: int) -> Experience:
    """What `plain` wrote. Raises ValueError for anything else."""
    gains = stored(state["gains"], None)
    features = stored(state["features"] or np.empty((0, inputs)), len(gains), inputs)
    ends = stored(state["ends"], len(gains)).astype(np.int64)
    if not np.isin(ends, (RUNNING, TERMINATED, TRUNCATED)).all():
        raise ValueError("a lock goes on, loses its game or is stopped")
    return Experience(features, gains, ends)
