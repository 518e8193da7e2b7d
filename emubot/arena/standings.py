"""What bots have reached on a wall: each one's games alone, and who has beaten whom; knows no board."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from emubot.trials.statistics import Z95, Sums

FEW: Final = 5  # games, with fewer of which the spread is not known


@dataclass(slots=True)
class Standing:
    """The games of one bot that have ended. A game without points has its count as score."""

    scores: Sums = field(default_factory=Sums)
    counts: Sums = field(default_factory=Sums)
    best: int = 0
    won: float = 0.0  # a draw is half a win
    played: int = 0

    def data(self, number: int) -> dict[str, Any]:
        """Returns a row of the table: `half` is half the 95 % interval of the mean, None if it is not known."""
        games = self.scores.count
        return {
            "entrant": number,
            "games": games,
            "mean": round(self.scores.mean, 2) if games else None,
            "half": round(Z95 * self.scores.error, 2) if games >= FEW else None,
            "best": self.best,
            "count": round(self.counts.mean, 2) if games else None,
            "won": self.won,
            "played": self.played,
        }


@dataclass(slots=True)
class Standings:
    """The table of so many bots."""

    number: int
    table: list[Standing] = field(init=False)
    wins: list[list[float]] = field(init=False)  # of the row's bot against the column's; a draw is half a win
    meetings: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.table = [Standing() for _ in range(self.number)]
        self.wins = [[0.0] * self.number for _ in range(self.number)]
        self.meetings = [[0] * self.number for _ in range(self.number)]

    def add(self, entrant: int, score: int, count: int) -> None:
        """Count a game that has ended."""
        one = self.table[entrant]
        one.scores += Sums(score, score * score, 1)
        one.counts += Sums(count, count * count, 1)
        one.best = max(one.best, score)

    def meet(self, first: int, second: int, winner: int | None) -> None:
        """Count a match of two that has ended; `winner` is one of them, or None."""
        for own, other in ((first, second), (second, first)):
            share = 0.5 if winner is None else float(winner == own)
            self.wins[own][other] += share
            self.meetings[own][other] += 1
            self.table[own].won += share
            self.table[own].played += 1

    def rows(self, alone: bool) -> list[dict[str, Any]]:
        """Returns the rows: by the mean, or by the share of matches that were won; bots without a game come last."""
        rows = [one.data(number) for number, one in enumerate(self.table)]
        if alone:
            return sorted(rows, key=lambda row: (row["mean"] is None, -(row["mean"] or 0)))
        return sorted(rows, key=lambda row: (not row["played"], -row["won"] / max(1, row["played"])))
