"""The figures of a session at the pad, per player and summed; knows no bridge and no game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

_SUMMED = ("pieces", "misplaced", "replans", "games", "wins", "lines", "score", "decision_ms", "nodes")
_PERCENTILES = (("p50", 50), ("p99", 99), ("max", 100))


@dataclass(slots=True)
class Tally:
    """One player's running figures. `lag_frames` is None where the map names no game counter."""

    pieces: int = 0
    misplaced: int = 0
    replans: int = 0
    lag_frames: int | None = None
    games: int = 0
    wins: int = 0
    lines: int = 0
    score: int = 0
    level: int = 0
    decision_ms: list[float] = field(default_factory=list)
    nodes: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Both players' figures together; `level` is the higher one."""
        known = [lag for lag in (self.lag_frames, other.lag_frames) if lag is not None]
        summed = {name: getattr(self, name) + getattr(other, name) for name in _SUMMED}
        return Tally(**summed, lag_frames=sum(known) if known else None, level=max(self.level, other.level))

    def as_dict(self) -> dict[str, Any]:
        """The figures under their documented names; `wins` counts games against somebody."""
        return {
            "pieces": self.pieces,
            "lines": self.lines,
            "score": self.score,
            "level": self.level,
            "games": self.games,
            "wins": self.wins,
            "misplaced": self.misplaced,
            "replans": self.replans,
            "lag_frames": self.lag_frames,
            "nodes": self.nodes,
            "decision_ms": percentiles(self.decision_ms),
        }


def percentiles(milliseconds: list[float]) -> dict[str, float]:
    """p50, p99 and max in milliseconds, zeros where nothing was measured."""
    if not milliseconds:
        return {name: 0.0 for name, _ in _PERCENTILES}
    return {name: round(float(np.percentile(milliseconds, place)), 3) for name, place in _PERCENTILES}
