"""Measures games of two players: the points per nuisance puyo, and how long nuisance falls; presses nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from emubot.games.colours.learning.hypotheses import Hypothesis
from emubot.games.colours.learning.observation import PassiveMeasurer
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import EMPTY, NUISANCE
from emubot.learn import MapLearner, ProbeReport
from emubot.rammap import RamMap
from emubot.snapshot import Phase
from emubot.text import counted

PLAYERS: Final = 2
_NARROW: Final = 10  # points are multiples of ten, so a price is accepted if its limits are within a tenth


class Follower(MapLearner, Protocol):
    """A learner of the family."""

    @property
    def hypothesis(self) -> Hypothesis | None:
        """Its only hypothesis, None while there are several."""


@dataclass(slots=True)
class _Side:
    """One player between a lock and the next piece."""

    phase: Phase = Phase.UNKNOWN
    score: int = 0
    points: int = 0  # of the running chain
    since: int = 0  # the frame of the lock or of the last points
    # Attacks on this player that did not fall yet: points, and the first and last frame in which they can be sent.
    pending: list[tuple[int, int, int]] = field(default_factory=list)


class VersusMeasurer:
    """Measures a game for two from all its frames. Attacks are measured only if the map has both players' scores."""

    def __init__(self, ram_map: RamMap, learners: Sequence[Follower]) -> None:
        """`learners` are for this map, one for each player. Raises MapError for rules that the family does not have."""
        self._cap = rules_of_map(ram_map).nuisance_cap
        self._learners = learners
        self._readers = [ram_map.reader(player) for player in range(PLAYERS)]
        self._probe = PassiveMeasurer(ram_map, lambda: self._learners[0].hypothesis)
        self._sides = [_Side() for _ in range(PLAYERS)]
        self._frame = 0
        self._above, self._most = 0, 10**9  # limits of the points per nuisance puyo: more than, at most
        self._falls = 0
        self._largest = 0

    def frame(self, ram: bytes) -> None:
        """Take one frame."""
        self._frame += 1
        for player, learner in enumerate(self._learners):
            learner.observe(ram)
            self._follow(player, ram)
        self._probe.frame(ram)

    def finished(self) -> RamMap:
        """Returns the map with what the first player's learner found, including nuisance."""
        return self._learners[0].finished()

    def evidence(self) -> Mapping[str, str]:
        """Returns a remark for each value that was learnt in games for two."""
        remarks = self._learners[0].evidence()
        return {key: remark for key, remark in remarks.items() if key == "grid.cell.kinds.nuisance"}

    def report(self) -> ProbeReport:
        """Returns what was measured so far."""
        made, waits = ProbeReport(), ProbeReport()
        self._probe.report(waits)
        if "nuisance_wait" in waits.timing:
            made.add("timing", "nuisance_wait", waits.timing["nuisance_wait"], waits.evidence["timing.nuisance_wait"])
        else:
            made.unseen["timing.nuisance_wait"] = "how long nuisance falls"
        if self._falls and self._most - self._above <= max(1, self._most // _NARROW):
            fits = f"{self._above + 1} to {self._most} fit the falls after {self._falls} single attacks"
            made.add("rules", "nuisance_points", self._most, fits)
        elif self._falls:
            made.notes.append(
                f"one nuisance puyo for {self._above + 1} to {self._most} points, from {counted(self._falls, 'fall')}"
            )
        else:
            made.unseen["rules.nuisance_points"] = "what nuisance costs"
        if self._largest >= self._cap:
            made.notes.append(f"nuisance: at most {self._largest} fell at once")
        return made

    def _follow(self, player: int, ram: bytes) -> None:
        side, reader = self._sides[player], self._readers[player]
        phase, _ = reader.phase(ram)
        before, side.phase = side.phase, phase
        score = reader.value(ram, "score") if "score" in reader.names else 0
        if phase.between_pieces:
            if before is Phase.PLAYING:
                side.points, side.since = 0, self._frame
            elif score > side.score:
                side.points, side.since = side.points + score - side.score, self._frame
        elif phase is Phase.PLAYING and before.between_pieces:
            self._fell(player)
            if side.points:
                self._sides[1 - player].pending.append((side.points, side.since, self._frame))
            side.points = 0
        elif phase not in (Phase.PLAYING, Phase.PAUSED):
            self._sides[player] = _Side(phase=phase)
        self._sides[player].score = score

    def _fell(self, player: int) -> None:
        """Compare the nuisance that fell with its attack; nothing follows if two attacks are possible."""
        side, hypothesis = self._sides[player], self._learners[player].hypothesis
        if hypothesis is None or hypothesis.outcome is None:
            side.pending.clear()
            return
        amount = int((hypothesis.cells == NUISANCE).sum() - (hypothesis.outcome.cells == NUISANCE).sum())
        room = bool((hypothesis.cells[0] == EMPTY).all())
        self._largest = max(self._largest, amount)
        certain = [points for points, _, sent in side.pending if sent < side.since]
        if len(certain) == len(side.pending) == 1 and room and amount < self._cap:
            self._falls += 1
            self._above = max(self._above, certain[0] // (amount + 1))
            self._most = min(self._most, certain[0] // amount if amount else self._most)
        if amount or certain:
            side.pending.clear()
