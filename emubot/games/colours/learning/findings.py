"""Converts a pairs map to the first hypothesis, and the last hypothesis to a better map.

Knows the map's value and kind names; knows no frames and presses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from emubot.games.colours.decode.codes import COLOR_NAMES, PieceCodes
from emubot.games.colours.learning.hypotheses import UNKNOWN, Halves, Hypothesis, Words
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import BIG, CARBUNCLE, EMPTY, NUISANCE, SATELLITE
from emubot.learn import CodeEvidence
from emubot.rammap import RamMap, Reader
from emubot.rammap.grid import code_mask
from emubot.rammap.layout import Orientation, Turn

_CELLS: Final = {"empty": EMPTY, **{name: kind for kind, name in enumerate(COLOR_NAMES, 1)}, "nuisance": NUISANCE}
_HALVES: Final = {name: kind for kind, name in enumerate(COLOR_NAMES, 1)} | {"big": BIG, "carbuncle": CARBUNCLE}
_POPPING: Final = "popping"
_MOST_WORDS: Final = 512  # stored words of popping cells at most; an animation has fewer


@dataclass(slots=True)
class Findings:
    """What was found in addition to the hypotheses."""

    pairs: int = 0
    popping: dict[int, int] = field(default_factory=dict)  # word of a cell about to vanish -> number of cells
    spawns: dict[tuple[int, int, int], int] = field(default_factory=dict)  # raw orientation, x, y -> number of pairs
    codes: dict[int, set[int]] = field(default_factory=dict)  # kind -> its codes, if the map states the mask

    def note_popping(self, words: list[int]) -> None:
        """Count words of cells that are about to vanish."""
        for word in words:
            if word in self.popping or len(self.popping) < _MOST_WORDS:
                self.popping[word] = self.popping.get(word, 0) + 1

    @property
    def spawn(self) -> tuple[int, int, int] | None:
        """Where most pairs appeared: raw orientation, x, y; None if no spawn was seen."""
        return max(self.spawns, key=lambda place: self.spawns[place]) if self.spawns else None


@dataclass(frozen=True, slots=True)
class Statement:
    """Everything that a better map is made of. Equal statements give equal maps."""

    mask: int
    codes: Mapping[int, set[int]]
    popping: tuple[int, ...]
    halves: Mapping[int, int]
    stances: Mapping[int, Halves]
    spawn: tuple[int, int, int] | None
    timing: Mapping[str, Any] | None


class MapMaker:
    """Makes better maps from one map that leaves something open."""

    def __init__(self, base: RamMap) -> None:
        """Raises MapError for rules that the family does not have."""
        self._base = base
        self._rules = rules_of_map(base)
        self._cell = cell = base.document.grid.cell
        self._open_mask = cell.mask == 0
        self._bits = code_mask(cell)
        # Maps each code to the first code of its kind, so that a kind with two codes counts as one. Not used if the
        # mask is open.
        self._first: Words = np.arange((self._bits >> cell.shift) + 1, dtype=np.int64)
        for codes in base.codes.values():
            self._first[list(codes)] = codes[0]

    def first_hypothesis(self) -> Hypothesis:
        """Returns the hypothesis that states what the map states."""
        base, cell = self._base, self._cell
        flags = 0
        for bits in cell.flags.values():
            flags |= bits
        evidence = CodeEvidence(self._bits & ~flags)
        if not self._open_mask:
            for name, kind in _CELLS.items():
                if name in base.codes:
                    evidence.state(kind, base.codes[name][0] << cell.shift)
        halves = {code: kind for name, kind in _HALVES.items() for code in base.piece_codes.get(name, ())}
        stances = {entry.id: (entry.cells[0], entry.cells[1]) for entry in base.pieces}
        cells = np.full((self._rules.stored_rows, self._rules.columns), UNKNOWN, dtype=np.uint8)
        return Hypothesis(self._rules, cells, evidence, halves, stances)

    def words(self, reader: Reader, ram: bytes) -> Words:
        """Returns each stored cell's word, the topmost row first."""
        words = reader.words(ram)
        if self._open_mask:
            return words
        first: Words = self._first[(words & self._bits) >> self._cell.shift] << self._cell.shift
        return first

    def statement(
        self, hypothesis: Hypothesis, found: Findings, words: Words, timing: Mapping[str, Any] | None
    ) -> Statement:
        """Returns what the only hypothesis left states; `words` are those of its cells."""
        mask, codes = self._codes(hypothesis, found, words)
        taken = {code for known in codes.values() for code in known}
        popping = tuple(sorted({word & mask for word in found.popping} - taken))
        return Statement(mask, codes, popping, hypothesis.halves, hypothesis.stances, found.spawn, timing)

    def made(self, said: Statement) -> RamMap:
        """Returns the map with its open values filled in from a statement."""
        base, shift = self._base, self._cell.shift
        if EMPTY not in said.codes:
            return base
        named = {name: sorted(said.codes[kind]) for name, kind in _CELLS.items() if kind in said.codes}
        if said.popping and _POPPING in self._cell.kinds:
            named[_POPPING] = list(said.popping)
        cells = {name: [code >> shift for code in known] for name, known in named.items()}
        if not self._open_mask:
            cells = {name: known for name, known in cells.items() if name not in base.codes}
        halves: dict[str, list[int]] = {}
        for name, kind in _HALVES.items():
            own = [code for code, meant in said.halves.items() if meant == kind]
            if own and name not in base.piece_codes:
                halves[name] = own
        pieces = () if base.pieces else _pieces(said.stances)
        mask = said.mask if self._open_mask else None
        made = base.learnt(mask=mask, codes=cells, piece_codes=halves, pieces=pieces, timing=said.timing)
        spawn = self._spawn(made, said.spawn)
        return made.learnt(rules={"spawn": spawn, "death_cells": spawn[1:]}) if spawn else made

    def remarks(self, hypothesis: Hypothesis, found: Findings) -> Mapping[str, str]:
        """Returns, for each learnt value, how it is known, by its dotted key in the map."""
        remarks = {
            "grid.cell.mask": f"the bits that stay while a cell's kind does, in {found.pairs} pairs",
            "grid.cell.empty": f"where pieces fly and nothing landed, in {found.pairs} pairs",
            f"grid.cell.kinds.{_POPPING}": f"seen in {sum(found.popping.values())} cells about to vanish",
        }
        for name, kind in _CELLS.items():
            if (seen := hypothesis.locked.get(kind)) is not None:
                how = "fell unlocked in" if kind == NUISANCE else "seen in the locks of"
                remarks[f"grid.cell.kinds.{name}"] = f"{how} {seen.count} pairs, {seen.first} to {seen.last}"
        told = ", ".join(f"{raw} in {seen.count}" for raw, seen in sorted(hypothesis.shown.items()))
        remarks["pieces"] = f"locks with two colours: {told}"
        for name, kind in _HALVES.items():
            if (seen := hypothesis.locked.get(kind)) is not None:
                remarks[f"piece_codes.{name}"] = f"{seen.count} pairs, {seen.first} to {seen.last}"
        spawned = f"where {sum(found.spawns.values())} pairs appeared"
        remarks |= {"rules.spawn": spawned, "rules.death_cells": f"{spawned}; that it is this cell is inferred"}
        stated = {f"grid.cell.{'' if name == 'empty' else 'kinds.'}{name}" for name in self._base.codes}
        stated |= {f"piece_codes.{name}" for name in self._base.piece_codes}
        stated = set() if self._open_mask else stated | {"grid.cell.mask"}
        stated |= {"pieces"} if self._base.pieces else set()
        return {key: remark for key, remark in remarks.items() if key not in stated}

    def _codes(self, hypothesis: Hypothesis, found: Findings, words: Words) -> tuple[int, Mapping[int, set[int]]]:
        """Returns the mask, and kind -> codes; a kind may have several codes if the map states the mask."""
        if self._open_mask:
            return hypothesis.evidence.mask, {kind: {code} for kind, code in hypothesis.evidence.codes.items()}
        for kind in _CELLS.values():
            own = words[hypothesis.cells == kind] & self._bits
            found.codes.setdefault(kind, set()).update(np.unique(own).tolist())
        return self._bits, {kind: set(known) for kind, known in found.codes.items() if known}

    def _spawn(self, made: RamMap, place: tuple[int, int, int] | None) -> tuple[int, int, int] | None:
        """Returns (canonical orientation, column, row) of the spawn; None if not known or the same as in the rules."""
        meant = PieceCodes(made).place(place[0]) if place and made.pieces else None
        if place is None or meant is None:
            return None
        spawn = (meant[0], place[1] + meant[1], place[2] + meant[2])
        known = self._rules.spawn
        return None if spawn == (known.orientation, known.column, known.row) else spawn


def _pieces(stances: Mapping[int, Halves]) -> tuple[Orientation, ...]:
    """Returns the four orientations and their quarter turns; empty while one of them is missing."""
    directions = {raw: (bottom[0] - top[0], bottom[1] - top[1]) for raw, (bottom, top) in stances.items()}
    ids = {direction: raw for raw, direction in directions.items()}
    if len(ids) < len(SATELLITE):
        return ()
    return tuple(
        Orientation(
            id=raw,
            piece="pair",
            cells=stances[raw],
            clockwise=Turn(to=ids[-dy, dx]),
            counterclockwise=Turn(to=ids[dy, -dx]),
        )
        for raw, (dx, dy) in sorted(directions.items())
    )
