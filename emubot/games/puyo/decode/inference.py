"""Infers a player's pending nuisance from the opponent's points if the map does not give it; knows no address."""

from __future__ import annotations

from typing import Final

from emubot.games.puyo.rules import NUISANCE, Rules
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
        counters = snapshot.counters
        if "pending" in counters:
            return counters["pending"]
        if "opponent_score" not in counters:
            return 0
        score, nuisance = counters["opponent_score"], int((snapshot.playfield == NUISANCE).sum())
        gained = 0 if self._score is None else score - self._score
        fell = nuisance > self._nuisance
        self._score, self._nuisance = score, nuisance
        sent = min(max(gained, 0) // self._rules.nuisance_points, self._rules.nuisance_cap)
        self._waited = 0 if sent else self._waited + 1
        if fell or gained < 0 or self._waited > _PATIENCE:  # it fell, a new game began, or it was never sent
            self._owed = 0
        else:
            self._owed = min(self._owed + sent, self._rules.nuisance_cap)
        return self._owed
