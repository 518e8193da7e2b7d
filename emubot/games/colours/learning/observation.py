"""Measures rules and timing of a pairs cartridge on the running game, each with its evidence; presses nothing.

It watches what a learner explains: points of chains, frames of every wait, the hidden row, how pairs are dealt. What
was not seen is not reported. The experiments that press buttons are in experiments.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from emubot.games.colours.learning.findings import MapMaker
from emubot.games.colours.learning.hypotheses import UNKNOWN, Hypothesis, Outcome, Words
from emubot.games.colours.learning.score_tables import SMALLEST, ScoreTables
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import COLORS, NUISANCE
from emubot.games.colours.simulator import field as happens
from emubot.learn import ProbeReport
from emubot.rammap import RamMap
from emubot.snapshot import Phase

_FIRST: Final = {"chain_power": 1, "color_bonus": 1, "group_bonus": SMALLEST}  # the meaning of index 0 of a table
_DRAWS: Final = 2000  # simulated sequences to compare with the dealt pairs
_RARE: Final = 0.01


@dataclass(slots=True)
class _Landing:
    """One lock and what followed: (frame, gain) of each change of the score, (frame, words) of each field."""

    frame: int
    scored: list[tuple[int, int]] = field(default_factory=list)
    fields: list[tuple[int, Words]] = field(default_factory=list)


class Line:
    """Fits a line y = base + slope * x to whole numbers."""

    def __init__(self) -> None:
        self.points: Counter[tuple[int, int]] = Counter()

    def add(self, x: int, y: int) -> None:
        """Add one measurement."""
        self.points[x, y] += 1

    def fit(self, slope: int | None = None) -> tuple[int, int] | None:
        """Returns (base, slope) on which the most frequent y of each x agree; None if they disagree or are too few.

        If the slope is given, one x is enough.
        """
        best: dict[int, int] = {}
        for (x, y), _ in sorted(self.points.items(), key=lambda point: point[1]):
            best[x] = y
        if slope is None:
            if len(best) < 2:
                return None
            low, high = min(best), max(best)
            slope, rest = divmod(best[high] - best[low], high - low)
            if rest:
                return None
        bases = Counter(y - slope * x for x, y in best.items())
        base, votes = bases.most_common(1)[0] if bases else (0, 0)
        return (base, slope) if votes * 2 > len(best) and base >= 0 and slope >= 0 else None


class PassiveMeasurer:
    """Measures by watching. It must get every frame after the learner."""

    def __init__(self, ram_map: RamMap, hypothesis: Callable[[], Hypothesis | None], player: int = 0) -> None:
        """`hypothesis` returns the learner's only hypothesis, None while there are several."""
        self._reader = ram_map.reader(player)
        self._maker = MapMaker(ram_map)
        self._rules = rules_of_map(ram_map)
        self._hypothesis = hypothesis
        self._score = "score" if "score" in self._reader.names else None
        self._tables = ScoreTables(self._rules)
        self._settle, self._rest, self._after_nuisance = Line(), Line(), Line()
        self._pop: Counter[int] = Counter()
        self._frame = 0
        self._phase = Phase.UNKNOWN
        self._landing: _Landing | None = None
        self._before_score = 0
        self._hidden_stayed = 0
        self.as_dealt = True  # false during experiments: their pairs are not collected
        self._dealt: list[tuple[int, int]] = []
        self._steps = 0
        self._chains = 0

    def frame(self, ram: bytes) -> None:
        """Take one frame."""
        self._frame += 1
        phase, _ = self._reader.phase(ram)
        before, self._phase = self._phase, phase
        score = self._reader.value(ram, self._score) if self._score else 0
        if phase.between_pieces:
            if before is Phase.PLAYING:
                self._landing = _Landing(self._frame)
            elif self._landing is not None and score > self._before_score:
                self._landing.scored.append((self._frame, score - self._before_score))
            if self._landing is not None:
                self._landing.fields.append((self._frame, self._maker.words(self._reader, ram)))
        elif phase is Phase.PLAYING and before.between_pieces:
            self._spawned(ram)
        elif phase not in (Phase.PLAYING, Phase.PAUSED):
            self._landing = None
        self._before_score = score

    def report(self, made: ProbeReport) -> None:
        """Add to a report what is known so far."""
        self._report_tables(made)
        self._report_waits(made)
        if self._hidden_stayed:
            made.add("rules", "hidden_pops", False, f"{self._hidden_stayed} times puyos of the hidden row did not pop")
        else:
            made.unseen["rules.hidden_pops"] = "whether the hidden row pops"
        made.notes.append(self._generator())

    def _spawned(self, ram: bytes) -> None:
        landing, self._landing = self._landing, None
        value = self._reader.value
        if self.as_dealt:
            self._dealt.append((value(ram, "current_bottom"), value(ram, "current_top")))
        hypothesis = self._hypothesis()
        if hypothesis is None or hypothesis.outcome is None:
            return
        if landing is not None and (hypothesis.outcome.cells != UNKNOWN).all():
            nuisance = bool((hypothesis.cells == NUISANCE).sum() > (hypothesis.outcome.cells == NUISANCE).sum())
            self._measure(landing, hypothesis.outcome, nuisance, hypothesis)
        self._look_at_hidden(hypothesis)

    def _measure(self, landing: _Landing, outcome: Outcome, nuisance: bool, hypothesis: Hypothesis) -> None:
        last, fell = landing.frame, outcome.fell
        if outcome.steps:
            self._chains += 1
            if self._score is None or len(landing.scored) != len(outcome.steps):
                return
            for number, (step, (_, points)) in enumerate(zip(outcome.steps, landing.scored, strict=True), 1):
                self._tables.add(number, step.sizes, step.colors, points)
                self._steps += 1
            marked = self._marked(landing, outcome, hypothesis)
            if marked is not None:
                self._settle.add(outcome.fell, marked - landing.frame)
                self._pop[landing.scored[0][0] - marked] += 1
            last, fell = landing.scored[-1][0], outcome.steps[-1].fell
        line = self._after_nuisance if nuisance else self._rest
        line.add(fell, self._frame - last)

    def _marked(self, landing: _Landing, outcome: Outcome, hypothesis: Hypothesis) -> int | None:
        """Returns the first frame in which no cell of the first step has a kind's code; None if there is none."""
        places = tuple(zip(*outcome.popped, strict=True))
        for frame, words in landing.fields:
            if frame >= landing.scored[0][0]:
                return None
            if (hypothesis.evidence.read(words[places], UNKNOWN) == UNKNOWN).all():
                return frame
        return None

    def _look_at_hidden(self, hypothesis: Hypothesis) -> None:
        """Count the fields at rest with a group that needs the hidden row: there the hidden row did not pop."""
        if (hypothesis.cells == UNKNOWN).any():
            return
        with_hidden = happens.groups(hypothesis.cells, replace(self._rules, hidden_pops=True))
        without = happens.groups(hypothesis.cells, replace(self._rules, hidden_pops=False))
        self._hidden_stayed += bool(with_hidden) and not without

    def _report_tables(self, made: ProbeReport) -> None:
        contradictions = self._tables.contradictions()
        if contradictions:
            made.notes.append(
                f"{contradictions} of {self._steps} steps of chains gave other points than any table says"
            )
            return
        for name in _FIRST:
            found = self._tables.table(name)
            if found is None:
                made.unseen[f"rules.{name}"] = f"the {name.replace('_', ' ')}"
                continue
            entries = ", ".join(str(index + _FIRST[name]) for index in found.seen) or "none exactly"
            made.add("rules", name, found.numbers, f"measured for {entries} in {self._chains} chains; {found.rest}")

    def _report_waits(self, made: ProbeReport) -> None:
        settle, rest = self._settle.fit(), self._rest.fit()
        per_row = settle[1] if settle else rest[1] if rest else None
        if per_row is None:
            made.unseen["timing.per_row"] = "the waits after a lock"
            return
        made.add("timing", "per_row", per_row, f"from {_rows(self._settle, self._rest)} landings")
        settle, rest = self._settle.fit(per_row), self._rest.fit(per_row)
        after = self._after_nuisance.fit(per_row)
        if settle is not None and settle[0] > 0:
            made.add("timing", "settle", settle[0], f"from {_rows(self._settle)} chains")
            made.add("timing", "pop", self._pop.most_common(1)[0][0], f"from {self._pop.total()} chains")
            if rest is not None and rest[0] > settle[0]:
                made.add("timing", "spawn_delay", rest[0] - settle[0], f"from {_rows(self._rest)} landings")
        else:
            made.unseen["timing.settle"] = "how the wait after a lock is divided"
        if after is not None and rest is not None and after[0] > rest[0]:
            made.add("timing", "nuisance_wait", after[0] - rest[0], f"from {_rows(self._after_nuisance)} falls")
        else:
            made.unseen["timing.nuisance_wait"] = "how long nuisance falls"

    def _generator(self) -> str:
        """Returns a sentence about how the colours were dealt."""
        kinds = {code for code, kind in (self._known_halves()).items() if 1 <= kind <= COLORS}
        halves = [code for pair in self._dealt for code in pair if code in kinds]
        counts = np.array(sorted(Counter(halves).values()))
        if len(halves) < 10 * max(len(counts), 1):
            return f"pairs: too few ({len(self._dealt)}) to tell how they are dealt"
        uneven = float(((counts - counts.mean()) ** 2).sum())
        rng = np.random.default_rng(0)
        drawn = rng.multinomial(int(counts.sum()), np.full(len(counts), 1 / len(counts)), size=_DRAWS)
        spread = ((drawn - drawn.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        share = float((spread <= uneven).mean())
        doubles = sum(bottom == top for bottom, top in self._dealt if bottom in kinds)
        how = "as independent draws would be"
        how = "more evenly than independent draws would be: a bag" if share < _RARE else how
        how = "less evenly than independent draws would be" if share > 1 - _RARE else how
        return f"pairs: {len(halves)} halves of {len(counts)} colours, {doubles} doubles, dealt {how}"

    def _known_halves(self) -> Mapping[int, int]:
        hypothesis = self._hypothesis()
        return {} if hypothesis is None else hypothesis.halves


def _rows(*lines: Line) -> int:
    return sum(line.points.total() for line in lines)
