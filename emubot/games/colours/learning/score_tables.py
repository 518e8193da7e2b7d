"""Derives the tables of points from watched chains, and counts the steps behind each entry; knows no memory.

The points of a step are 10 * popped * (chain power + bonus of the number of colours + bonus of each group's size). The
factor is at least 1 (facts: Famicom Puyo 4). One colour and a group of four give no bonus: these are the first entries
of their tables. An entry can be derived from a step in which all other entries are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from emubot.games.colours.rules import PROFILES, Rules

SMALLEST: Final = 4  # the group size of the first group bonus
_UNIT: Final = 10
Entry = tuple[str, int]  # table and index


@dataclass(frozen=True, slots=True)
class _Seen:
    entries: tuple[Entry, ...]  # one for each addend
    factor: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A table, the indices that were measured, and the source of the others."""

    numbers: tuple[int, ...]
    seen: tuple[int, ...]
    rest: str


class ScoreTables:
    """Call `add` for every step of every chain, then read the tables."""

    def __init__(self, rules: Rules) -> None:
        """`rules` give the smallest and the largest factor, and the lengths of the tables."""
        self._rules = rules
        self._steps: Counter[_Seen] = Counter()
        self._lengths = {
            "chain_power": len(rules.chain_power),
            "color_bonus": len(rules.color_bonus),
            "group_bonus": len(rules.group_bonus),
        }

    def add(self, chain: int, sizes: tuple[int, ...], colors: int, points: int) -> None:
        """Add the points of step number `chain` (from 1), for groups of these sizes in this number of colours."""
        factor, rest = divmod(points, _UNIT * sum(sizes))
        if rest or not self._rules.least_multiplier <= factor <= self._rules.most_multiplier:
            return
        groups = [("group_bonus", min(size - SMALLEST, self._lengths["group_bonus"] - 1)) for size in sizes]
        entries = (("chain_power", chain - 1), ("color_bonus", colors - 1), *sorted(groups))
        self._steps[_Seen(entries, factor)] += 1

    def entries(self) -> Mapping[Entry, tuple[int, int]]:
        """Returns the derived entries: (table, index) -> (its number, the number of steps that it follows from)."""
        zero = {("color_bonus", 0): (0, 0), ("group_bonus", 0): (0, 0), ("chain_power", 0): (0, 0)}
        known: dict[Entry, tuple[int, int]] = dict(zero)
        grows = True
        while grows:
            grows = False
            for seen, count in self._steps.items():
                open_entries = [entry for entry in seen.entries if entry not in known]
                limits = (self._rules.least_multiplier, self._rules.most_multiplier)
                if len(set(open_entries)) != 1 or seen.factor in limits:
                    continue
                rest = seen.factor - sum(known[entry][0] for entry in seen.entries if entry in known)
                each, odd = divmod(rest, len(open_entries))
                if not odd and each >= 0:
                    known[open_entries[0]] = (each, count)
                    grows = True
        return {entry: found for entry, found in known.items() if entry not in zero}

    def bounds(self) -> Mapping[Entry, int]:
        """Returns upper limits: of entries in a step with the smallest factor whose other entries are all known."""
        known = {entry: number for entry, (number, _) in self.entries().items()}
        found: dict[Entry, int] = {}
        for seen in self._steps:
            left = [entry for entry in seen.entries if entry[1] and entry not in known]
            if seen.factor == self._rules.least_multiplier and len(left) == 1:
                most = max(seen.factor - sum(known.get(entry, 0) for entry in seen.entries), 0)
                found[left[0]] = min(most, found.get(left[0], most))
        return found

    def contradictions(self) -> int:
        """Returns the number of steps whose points differ from those of the entries."""
        known = {entry: number for entry, (number, _) in self.entries().items()}
        wrong = 0
        for seen, count in self._steps.items():
            numbers = [0 if index == 0 else known.get((table, index)) for table, index in seen.entries]
            if None not in numbers:
                total = sum(number for number in numbers if number is not None)
                wrong += count * (self._clamped(total) != seen.factor)
        return wrong

    def table(self, name: str) -> Measured | None:
        """Returns a whole table from what was seen; None if nothing was seen.

        The first published table that agrees with all entries and upper limits seen is returned, these rules' first. If
        there is none, an entry that was not seen is the entry before it, or its upper limit if that is smaller.
        """
        exact = {index: number for (table, index), (number, _) in self.entries().items() if table == name}
        most = {index: number for (table, index), number in self.bounds().items() if table == name}
        if not exact and not most:
            return None
        for rules in (self._rules, *PROFILES.values()):
            published: tuple[int, ...] = getattr(rules, name)
            fits = all(_entry(published, index) == number for index, number in exact.items())
            if fits and all(_entry(published, index) <= number for index, number in most.items()):
                return Measured(published, tuple(sorted(exact)), f"the rest as in {rules.name}, which these fit")
        numbers = [0]
        for index in range(1, max([*exact, *most]) + 1):
            numbers.append(exact.get(index, min(most.get(index, numbers[-1]), numbers[-1])))
        return Measured(tuple(numbers), tuple(sorted(exact)), "the rest as the entry before")

    def _clamped(self, total: int) -> int:
        return min(max(total, self._rules.least_multiplier), self._rules.most_multiplier)


def _entry(table: tuple[int, ...], index: int) -> int:
    return table[min(index, len(table) - 1)]
