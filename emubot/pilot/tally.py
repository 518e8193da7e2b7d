"""The figures of a session, per player and summed, and what a watcher sees of a frame; knows no bridge and no game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np

from emubot.games.edition import FIGURES
from emubot.snapshot import Piece, Placement, Snapshot

_SUMMED = (
    *("pieces", "misplaced", "replans", "adjustments", "games", "decision_ms", "nodes"),
    *("pauses", "called", "called_right"),
)
_DECISIONS: Final = 20_000  # the newest kept at least; bounded, because a session may last for months
_PERCENTILES = (("p50", 50), ("p99", 99), ("max", 100))


@dataclass(slots=True)
class Tally:
    """One player's running figures.

    `lag_frames` is None if the map names no game counter. `lines`, `score`, `level`, `wins`, `completed` and `stages`
    are None if the map does not tell them. `decision_ms` holds the milliseconds of the newest decisions, 20,000 to
    40,000 in a long session.
    """

    pieces: int = 0
    misplaced: int = 0
    replans: int = 0
    adjustments: int = 0
    lag_frames: int | None = None
    games: int = 0
    wins: int | None = 0
    completed: int | None = 0
    stages: int | None = None
    lines: int | None = 0
    score: int | None = 0
    level: int | None = 0
    decision_ms: list[float] = field(default_factory=list)
    nodes: int = 0
    pauses: int = 0
    called: int = 0
    called_right: int = 0

    def __repr__(self) -> str:
        """Returns the figures that are known, without the times of the decisions."""
        known = {name: figure for name, figure in self.as_dict().items() if type(figure) is int}
        return f"Tally({', '.join(f'{name}={figure}' for name, figure in known.items())})"

    @classmethod
    def for_summary(cls, summary: Mapping[str, Any], lag_frames: int | None) -> Self:
        """Returns the figures before the first game; those that are None in the family's summary are None."""
        lines, score, level = (None if summary[name] is None else 0 for name in FIGURES)
        wins, completed = (None if summary.get(name, 0) is None else 0 for name in ("won", "completed"))
        stages = None if summary.get("stages") is None else 0
        return cls(
            lag_frames=lag_frames, lines=lines, score=score, level=level, wins=wins, completed=completed, stages=stages
        )

    def decided(self, milliseconds: float) -> None:
        """Count the time of one decision."""
        self.decision_ms.append(milliseconds)
        if len(self.decision_ms) >= 2 * _DECISIONS:
            del self.decision_ms[:_DECISIONS]

    def add_game(self, summary: Mapping[str, Any]) -> None:
        """Add the results of a game, given by the family's summary."""
        self.lines = _sum(self.lines, summary["lines"])
        self.score = _sum(self.score, summary["score"])
        self.level = _highest(self.level, summary["level"])
        self.wins = _sum(self.wins, summary.get("won", 0))
        self.completed = _sum(self.completed, summary.get("completed", 0))
        self.stages = _sum(self.stages, summary.get("stages"))

    def __add__(self, other: Tally) -> Tally:
        """Returns both players' figures together; `level` is the higher one. If one figure is None, the sum is None.

        Only `lag_frames` is then the other player's.
        """
        known = [lag for lag in (self.lag_frames, other.lag_frames) if lag is not None]
        summed = {name: getattr(self, name) + getattr(other, name) for name in _SUMMED}
        return Tally(
            **summed,
            lag_frames=sum(known) if known else None,
            lines=_sum(self.lines, other.lines),
            score=_sum(self.score, other.score),
            level=_highest(self.level, other.level),
            wins=_sum(self.wins, other.wins),
            completed=_sum(self.completed, other.completed),
            stages=_sum(self.stages, other.stages),
        )

    def as_dict(self) -> dict[str, Any]:
        """Returns the figures under their documented names.

        `adjustments` counts the pieces that changed course when the next one was shown (`Style.see_next`).
        `wins` counts games won against an opponent, `completed` games played to their goal. `stages` counts those won
        in games that have stages, else it is None. `pauses` counts the bot's own, `called` the pieces that it named
        before they were drawn, and `called_right` those that came.
        """
        return {
            "pieces": self.pieces,
            "lines": self.lines,
            "score": self.score,
            "level": self.level,
            "games": self.games,
            "wins": self.wins,
            "completed": self.completed,
            "stages": self.stages,
            "misplaced": self.misplaced,
            "replans": self.replans,
            "adjustments": self.adjustments,
            "lag_frames": self.lag_frames,
            "pauses": self.pauses,
            "called": self.called,
            "called_right": self.called_right,
            "nodes": self.nodes,
            "decision_ms": percentiles(self.decision_ms),
        }


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _highest(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)


def percentiles(milliseconds: list[float]) -> dict[str, float]:
    """Returns p50, p99 and max in milliseconds, zeros if nothing was measured."""
    if not milliseconds:
        return {name: 0.0 for name, _ in _PERCENTILES}
    return {name: round(float(np.percentile(milliseconds, place)), 3) for name, place in _PERCENTILES}


@dataclass(frozen=True, slots=True)
class View:
    """What a watcher gets after each frame."""

    frame: int
    snapshot: Snapshot
    chosen: Placement | None
    tally: Tally
    player: int
    preview: Piece | None = None  # the place planned for the next piece, if `Pilot.previews`
    called: Piece | None = None  # the piece after the next one, as it will be shown, if it is known in advance
