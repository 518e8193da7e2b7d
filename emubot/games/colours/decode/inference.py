"""Infers a player's pending nuisance from the opponent's points if the map does not give it; knows no address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.games.colours.rules import NUISANCE, Rules
from emubot.snapshot import Snapshot

_PATIENCE: Final = 4  # own pairs without a new attack after which nuisance that never fell is forgotten


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen when a pair was decided: the opponent's score, the nuisance in the field and that on its way.

    `waited` counts the own pairs since the last attack.
    """

    score: int | None = None
    nuisance: int = 0
    owed: int = 0
    waited: int = 0


class Pending:
    """Estimates pending nuisance from what was seen with the pair before; a pair may be asked about several times."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._pair: object = None
        self._before = self._now = _Seen()  # with the last pair, and with this one

    def on_its_way(self, snapshot: Snapshot) -> int:
        """Returns the nuisance puyos expected after this pair, from the map or inferred; 0 without an opponent."""
        kinds = [snapshot.counters.get(name) for name in ("pivot", "satellite")]
        pair = (snapshot.playfield.tobytes(), snapshot.hidden.tobytes(), kinds)
        if pair != self._pair:
            self._pair, self._before = pair, self._now
        owed = self._expected(snapshot, self._before)
        counters = snapshot.counters
        if "pending" not in counters and "opponent_score" in counters:
            waited = 0 if self._sent(snapshot, self._before) else self._before.waited + 1
            self._now = _Seen(counters["opponent_score"], _nuisance_in(snapshot), owed, waited)
        return owed

    def expected(self, snapshot: Snapshot) -> int:
        """Returns what `on_its_way` would return for the next pair. Remembers nothing, so call it at any time."""
        return self._expected(snapshot, self._now)

    def _expected(self, snapshot: Snapshot, before: _Seen) -> int:
        counters = snapshot.counters
        if "pending" in counters:
            return counters["pending"]
        if "opponent_score" not in counters:
            return 0
        sent = self._sent(snapshot, before)
        fell = _nuisance_in(snapshot) > before.nuisance
        new_game = before.score is not None and counters["opponent_score"] < before.score
        never_sent = not sent and before.waited >= _PATIENCE
        if fell or new_game or never_sent:
            return 0
        return min(before.owed + sent, self._rules.nuisance_cap)

    def _sent(self, snapshot: Snapshot, before: _Seen) -> int:
        """Returns the nuisance that the opponent's points since then are worth."""
        gained = 0 if before.score is None else snapshot.counters["opponent_score"] - before.score
        return min(max(gained, 0) // self._rules.nuisance_points, self._rules.nuisance_cap)


def _nuisance_in(snapshot: Snapshot) -> int:
    return int((snapshot.playfield == NUISANCE).sum())
