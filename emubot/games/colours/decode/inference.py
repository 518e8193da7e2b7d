"""Infers a player's pending nuisance from the opponent's points if the map does not give it; knows no address."""

from __future__ import annotations

from typing import Final

from emubot.games.colours.rules import NUISANCE, Rules
from emubot.snapshot import Snapshot

_PATIENCE: Final = 4  # own pairs without a new attack after which nuisance that never fell is forgotten


class Pending:
    """Estimates pending nuisance; remembers the opponent's score and the nuisance in the field between two calls."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._score: int | None = None
        self._nuisance = 0
        self._owed = 0
        self._waited = 0

    def on_its_way(self, snapshot: Snapshot) -> int:
        """Returns the nuisance puyos expected after this pair, from the map or inferred; 0 without an opponent.

        Call it once for each own pair.
        """
        owed = self.expected(snapshot)
        counters = snapshot.counters
        if "pending" not in counters and "opponent_score" in counters:
            self._waited = 0 if self._sent(snapshot) else self._waited + 1
            self._score, self._nuisance, self._owed = counters["opponent_score"], _nuisance_in(snapshot), owed
        return owed

    def expected(self, snapshot: Snapshot) -> int:
        """Returns what `on_its_way` would return for this snapshot. Remembers nothing, so call it at any time."""
        counters = snapshot.counters
        if "pending" in counters:
            return counters["pending"]
        if "opponent_score" not in counters:
            return 0
        sent = self._sent(snapshot)
        fell = _nuisance_in(snapshot) > self._nuisance
        new_game = self._score is not None and counters["opponent_score"] < self._score
        never_sent = not sent and self._waited >= _PATIENCE
        if fell or new_game or never_sent:
            return 0
        return min(self._owed + sent, self._rules.nuisance_cap)

    def _sent(self, snapshot: Snapshot) -> int:
        """Returns the nuisance that the opponent's points since the last pair are worth."""
        gained = 0 if self._score is None else snapshot.counters["opponent_score"] - self._score
        return min(max(gained, 0) // self._rules.nuisance_points, self._rules.nuisance_cap)


def _nuisance_in(snapshot: Snapshot) -> int:
    return int((snapshot.playfield == NUISANCE).sum())
