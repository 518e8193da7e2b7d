"""Hypotheses about the meaning of a cartridge's bytes, with their consequences; knows no frames and no map.

A hypothesis says where each half of a pair is in each raw orientation, and which piece code is which colour. The kind
of every cell of the field follows from that. All possible values of what is open are tried. A hypothesis in which two
kinds of cells have the same code is contradictory and is dropped. So the last one left is proven, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.control import Falling
from emubot.games.colours.rules import (
    BIG,
    CARBUNCLE,
    COLORS,
    EMPTY,
    ITEMS,
    NUISANCE,
    OBSTACLE,
    POPPING,
    SATELLITE,
    Rules,
)
from emubot.games.colours.simulator import field as happens
from emubot.learn import CodeEvidence

UNKNOWN: Final = OBSTACLE  # a cell whose kind is not known from any observation
_CHAINS_SEEN: Final = 3
ITEMS_FROM: Final = 12  # items are rare: none is expected among this number of first pieces

Kinds = NDArray[np.uint8]  # (stored rows, columns), the topmost hidden row first
Words = NDArray[Any]  # the same shape: each cell's bytes as one number
Offset = tuple[int, int]
Halves = tuple[Offset, Offset]  # offsets of the bottom and the top half from the map's x and y, rows downwards

# A pair rotates around one of its halves, which is at the map's x and y.
_STANCES: Final[tuple[Halves, ...]] = tuple(
    halves for satellite in SATELLITE for halves in (((0, 0), satellite), (satellite, (0, 0)))
)


@dataclass(frozen=True, slots=True)
class Lock:
    """A piece that locked: the map's x, y and orientation, its two raw codes, its number from 1."""

    column: int
    row: int
    orientation: int
    bottom: int
    top: int
    number: int


@dataclass(frozen=True, slots=True)
class Seen:
    """How often something was observed, and the numbers of the first and the last piece."""

    count: int
    first: int
    last: int

    def seen_again(self, number: int) -> Seen:
        """Returns this with one more observation, in piece `number`."""
        return Seen(self.count + 1, self.first, number)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain: the sizes of its groups, their number of colours, the rows of the deepest fall after it."""

    sizes: tuple[int, ...]
    colors: int
    fell: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a lock: the field at rest, the cells that popped first, all cells that were filled at any time.

    `fell` is the number of rows of the deepest fall of a half after the lock. `steps` are those of the chain.
    """

    cells: Kinds
    popped: tuple[tuple[int, int], ...]
    used: NDArray[np.bool_]
    fell: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """One hypothesis. It is immutable: `after` and `resting` return new ones. `cells` may hold UNKNOWN."""

    rules: Rules
    cells: Kinds
    evidence: CodeEvidence
    halves: Mapping[int, int] = field(default_factory=dict)  # a half's raw code -> its kind
    stances: Mapping[int, Halves] = field(default_factory=dict)  # raw orientation -> where the halves are
    locked: Mapping[int, Seen] = field(default_factory=dict)  # kind -> locks of such halves, or falls of nuisance
    shown: Mapping[int, Seen] = field(default_factory=dict)  # raw orientation -> its locks with two colours
    outcome: Outcome | None = None  # of the last lock
    chains: int = 0  # chains that left the field as expected

    def resting(self, words: Words, place: tuple[int, int] | None = None) -> Hypothesis | None:
        """Returns this with the evidence of a frame in which only the piece moves; None if the frame contradicts it.

        `place` is a cell (row index, column) of the piece in the air, so it is empty in the field.
        """
        cells, evidence = self.cells, self.evidence.copy()
        if place is not None and cells[place] == UNKNOWN:
            cells = cells.copy()
            cells[place] = EMPTY
        evidence.add(cells, words, NUISANCE)
        if evidence.conflict:
            return None
        if (cells == UNKNOWN).any():
            cells = np.where(cells == UNKNOWN, evidence.read(words, UNKNOWN), cells)
        return replace(self, cells=cells, evidence=evidence)

    def without_cells(self) -> Hypothesis:
        """Returns the same hypothesis for another field: its cells are unknown and must be read again."""
        return replace(self, cells=np.full_like(self.cells, UNKNOWN), outcome=None)

    def after(self, lock: Lock, words: Words) -> list[Hypothesis]:
        """Returns the hypotheses that explain the field at rest after a lock; empty if this one cannot explain it."""
        found = [hypothesis for option in self._pairs(lock) for hypothesis in option.explained(words, lock.number)]
        if found or lock.bottom != lock.top:
            return found
        return [hypothesis for option in self._items(lock) for hypothesis in option.explained(words, lock.number)]

    def explained(self, words: Words, number: int) -> Iterator[Hypothesis]:
        """Yields this hypothesis if memory agrees: with the expected field, or with nuisance that fell on it."""
        if self.outcome is None:
            return
        expected = self.outcome.cells
        code, mask = self.evidence.codes.get(EMPTY), self.evidence.mask
        odd = (expected == EMPTY) & ((words & mask) != code)
        fell = bool(odd.any()) and _is_fall(expected, odd)
        # Or popped cells leave another code behind. That is possible if most of them do, and only for the first chains.
        vacated = (expected == EMPTY) & self.outcome.used
        left_behind = bool((odd <= vacated).all()) and 2 * odd.sum() >= vacated.sum() and self.chains < _CHAINS_SEEN
        for cells, holds in ((expected, not fell or left_behind), (np.where(odd, NUISANCE, expected), fell)):
            if not holds:
                continue
            evidence = self.evidence.copy()
            evidence.add(cells, words, NUISANCE)
            if not evidence.conflict:
                locked = _noted(
                    self.locked,
                    {NUISANCE} if (cells == NUISANCE).sum() > (expected == NUISANCE).sum() else set(),
                    number,
                )
                chains = self.chains + bool(self.outcome.steps)
                yield replace(self, cells=cells.astype(np.uint8), evidence=evidence, locked=locked, chains=chains)

    def _pairs(self, lock: Lock) -> Iterator[Hypothesis]:
        """Yields the hypotheses in which the piece was a pair."""
        if (item := self.halves.get(lock.bottom, EMPTY)) > COLORS:
            yield from self._item(lock, item)
            return
        for first in self._colors_of(self.halves, lock.bottom):
            for halves in self._colors_of(first, lock.top):
                yield from self._locked_as(halves, lock)

    def _colors_of(self, halves: Mapping[int, int], code: int) -> Iterator[Mapping[int, int]]:
        """Yields the meanings of halves with this code added: each free colour with known cells, and one new colour."""
        if code in halves:
            yield halves
            return
        free = [kind for kind in range(1, COLORS + 1) if kind not in halves.values()]
        stated = [kind for kind in free if kind in self.evidence.codes]
        for kind in stated + [kind for kind in free if kind not in stated][:1]:
            yield {**halves, code: kind}

    def _locked_as(self, halves: Mapping[int, int], lock: Lock) -> Iterator[Hypothesis]:
        bottom, top = halves[lock.bottom], halves[lock.top]
        if max(bottom, top) > COLORS:
            return
        known = self.stances.get(lock.orientation)
        for stance in (known,) if known else _STANCES:
            if bottom == top and not known and stance[0] != (0, 0):
                continue  # equal halves: swapping them changes nothing
            landed = self._landed(lock, stance, bottom, top)
            if landed is None:
                continue
            told = bottom != top
            yield replace(
                self,
                halves=halves,
                stances={**self.stances, lock.orientation: stance} if told else self.stances,
                shown=_noted(self.shown, {lock.orientation}, lock.number) if told else self.shown,
                locked=_noted(self.locked, {bottom, top}, lock.number),
                outcome=_resolved(*landed, self.rules),
            )

    def _items(self, lock: Lock) -> Iterator[Hypothesis]:
        """Yields the hypotheses in which the piece was an item."""
        if lock.bottom in self.halves or lock.number <= ITEMS_FROM:
            return
        left = [kind for kind in ITEMS if kind not in self.halves.values()]
        if len(left) > 1 and (self._used_up(lock, BIG) == self._used_up(lock, CARBUNCLE)).all():  # both look the same
            yield replace(self, outcome=_resolved(self._used_up(lock, BIG), 0, self.rules))
            return
        for kind in left:
            yield from self._item(lock, kind)

    def _item(self, lock: Lock, kind: int) -> Iterator[Hypothesis]:
        yield replace(
            self,
            halves={**self.halves, lock.bottom: kind},
            locked=_noted(self.locked, {kind}, lock.number),
            outcome=_resolved(self._used_up(lock, kind), 0, self.rules),
        )

    def _used_up(self, lock: Lock, item: int) -> Kinds:
        cells = self.cells.copy()
        happens.land(cells, self.rules, Falling((item, item), column=lock.column, row=lock.row))
        return cells

    def _landed(self, lock: Lock, stance: Halves, bottom: int, top: int) -> tuple[Kinds, int] | None:
        """Returns the field after the halves fell, and the rows of the fall; None if such a pair could not have locked.

        If the orientation is known, overlaps are not checked: at its spawn a half may be inside a puyo.
        """
        known = lock.orientation in self.stances
        cells, supported = self.cells.copy(), False
        parts = sorted(zip(stance, (bottom, top), strict=True), key=lambda part: -part[0][1])
        for (dx, dy), _ in parts:
            column, index = lock.column + dx, lock.row + dy + self.rules.hidden_rows
            if not 0 <= column < self.rules.columns:
                return None
            free = happens.top_free(self.cells, column)
            if index > free and not known:
                return None
            supported |= index >= free
        if not supported:
            return None
        deepest = 0
        for (dx, dy), kind in parts:
            index = happens.top_free(cells, lock.column + dx)
            deepest = max(deepest, index - (lock.row + dy + self.rules.hidden_rows))
            if index >= 0:
                cells[index, lock.column + dx] = kind
        return cells, deepest


def _resolved(cells: Kinds, fell: int, rules: Rules) -> Outcome:
    """Returns what follows a landing: groups pop until none is left. Changes the array and keeps it in the result."""
    used = cells != EMPTY
    steps = []
    first: tuple[tuple[int, int], ...] = ()
    while popping := happens.groups(cells, rules):
        sizes, colors = tuple(map(len, popping)), len({int(cells[group[0]]) for group in popping})
        happens.mark(cells, rules, popping)
        if not first:
            rows, columns = np.nonzero(cells == POPPING)
            first = tuple(zip(rows.tolist(), columns.tolist(), strict=True))
        _, deepest = happens.remove(cells)
        steps.append(Step(sizes, colors, deepest))
        used |= cells != EMPTY
    return Outcome(cells, first, used, fell, tuple(steps))


def _is_fall(cells: Kinds, odd: NDArray[np.bool_]) -> bool:
    """Returns whether `odd` can be fallen nuisance: on top of all columns, equal within one, or up to the top row."""
    heights = odd.sum(axis=0)
    for column in range(len(heights)):
        top = happens.top_free(cells, column)
        if odd[: top + 1 - heights[column], column].any():
            return False
    room = np.array([happens.top_free(cells, column) + 1 for column in range(len(heights))])
    free = heights[heights < room]
    return bool(not free.size or (free.max() - free.min() <= 1 and heights.max() <= free.min() + 1))


def distinct(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Returns the hypotheses without duplicates: different paths may lead to the same one."""
    found: dict[Any, Hypothesis] = {}
    for hypothesis in hypotheses:
        evidence = hypothesis.evidence
        said = (sorted(part.items()) for part in (hypothesis.halves, hypothesis.stances, evidence.codes))
        found.setdefault((hypothesis.cells.tobytes(), repr([*said]), evidence.mask), hypothesis)
    return list(found.values())


def _noted(seen: Mapping[int, Seen], kinds: set[int], number: int) -> Mapping[int, Seen]:
    return {
        **seen,
        **{kind: seen[kind].seen_again(number) if kind in seen else Seen(1, number, number) for kind in kinds},
    }
