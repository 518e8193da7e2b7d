"""The latest locks, to learn from them again (replay memory)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.training.state import stored

_DECIMALS: Final = 6  # of the memory, so that it is short in files and exact


@dataclass(frozen=True, slots=True)
class Experience:
    """Locks of whole games in order: features of each afterstate, what each cleared, how each ended its game.

    features float64 (m, inputs), gains float64 (m,), ends int64 (m,) of RUNNING, TERMINATED, TRUNCATED.
    """

    features: NDArray[np.float64]
    gains: NDArray[np.float64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.gains)

    def latest(self, most: int) -> Experience:
        """Returns the last locks, at most `most`."""
        return Experience(self.features[-most:], self.gains[-most:], self.ends[-most:])

    def learnable(self) -> NDArray[np.int64]:
        """Returns the indices of all locks except those at which a game was stopped: its outcome is unknown."""
        return np.flatnonzero(self.ends != TRUNCATED)

    def plain(self) -> dict[str, Any]:
        """Returns everything as JSON values."""
        return {"features": self.features.tolist(), "gains": self.gains.tolist(), "ends": self.ends.tolist()}


def joined(parts: Sequence[Experience]) -> Experience:
    """Returns all parts in order, rounded as the memory stores them."""
    return Experience(
        np.round(np.concatenate([part.features for part in parts]), _DECIMALS),
        np.round(np.concatenate([part.gains for part in parts]), _DECIMALS),
        np.concatenate([part.ends for part in parts]),
    )


def nothing(inputs: int) -> Experience:
    """Returns an empty memory."""
    return Experience(np.zeros((0, inputs)), np.zeros(0), np.zeros(0, dtype=np.int64))


def remembered(state: Mapping[str, Any], inputs: int) -> Experience:
    """Returns what `plain` wrote. Raises ValueError for anything else."""
    gains = stored(state["gains"], None)
    features = stored(state["features"] or np.empty((0, inputs)), len(gains), inputs)
    ends = stored(state["ends"], len(gains)).astype(np.int64)
    if not np.isin(ends, (RUNNING, TERMINATED, TRUNCATED)).all():
        raise ValueError("a lock goes on, loses its game or is stopped")
    return Experience(features, gains, ends)
