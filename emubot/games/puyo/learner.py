"""Finds out, from frames alone, what a pairs map leaves open; presses nothing and knows no emulator.

It follows the field by the rules from the piece codes in memory, and compares: what locked tells what its cells' codes
mean, what comes unlocked is nuisance. Until something is certain the map keeps saying that it is not known.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from emubot.games.puyo.codes import COLOR_NAMES, PieceCodes
from emubot.games.puyo.rules import BIG, CARBUNCLE, COLORS, COLUMNS, EMPTY, NUISANCE, SATELLITE, rules_of
from emubot.games.puyo.worlds import UNKNOWN, Halves, Lock, Words, World
from emubot.learn import CodeEvidence
from emubot.rammap import RamMap
from emubot.rammap.layout import Orientation
from emubot.snapshot import Phase, Snapshot

_LOG = logging.getLogger(__name__)
_CELLS: Final = {"empty": EMPTY, **{name: kind for kind, name in enumerate(COLOR_NAMES, 1)}, "nuisance": NUISANCE}
_HALVES: Final = {name: kind for kind, name in enumerate(COLOR_NAMES, 1)} | {"big": BIG, "carbuncle": CARBUNCLE}
_POPPING: Final = "popping"
_PLACE: Final = ("x", "y", "orientation", "current_bottom", "current_top")
_NEXT: Final = ("next_bottom", "next_top")
_BETWEEN: Final = frozenset({Phase.LOCKED, Phase.CLEARING})
_HIGH: Final = 9  # rows from which on a column is no place to try things out
_MOST_WORDS: Final = 512  # of cells that wait to vanish; an animation has fewer
_LOST_IN_A_ROW: Final = 2
_Place = tuple[int, int, int, int, int]  # values of _PLACE


class PuyoLearner:
    """Watches one player. `observe` every frame; it returns a better map whenever more is certain."""

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        """What the map states already is taken as it is. Raises MapError for rules that the family does not have."""
        self._base = ram_map
        self._reader = ram_map.reader(player)
        self._rules = rules_of(ram_map.profile, ram_map.rules)
        self._pieces_of = self._reader.select((*_PLACE, *_NEXT))
        self._cell = cell = ram_map.document.grid.cell
        self._bits = cell.mask or ((1 << 8 * cell.bytes) - 1)
        self._open_mask = self._cell.mask == 0
        self._substitutes = _substitutes(ram_map)
        self._pairs = 0
        self._begin()

    def _begin(self) -> None:
        """Know no more than the map."""
        self._worlds = [self._first_world()]
        self._popping: dict[int, int] = {}  # word -> cells in which it was seen
        self._spawns: dict[tuple[int, int, int], int] = {}
        self._turned: dict[int, int] = {}  # raw orientation -> the one that a clockwise turn makes of it
        self._map = self._base
        self._said: object = None
        self._phase = Phase.UNKNOWN
        self._before: _Place | None = None  # the last frame of play
        self._lock: Lock | None = None
        self._between: list[Words] = []  # the fields between two pieces, each once
        self._words: Words | None = None
        self._turning = False
        self._lost = 0
        self._now: _Place = (0, 0, 0, 0, 0)
        self._following: Sequence[int] = ()

    def observe(self, ram: bytes) -> RamMap | None:
        """One frame; the better map if more is known than a frame ago, else None."""
        phase, _ = self._reader.phase(ram)
        before, self._phase = self._phase, phase
        if phase is Phase.PLAYING:
            return self._playing(ram, before)
        if phase in _BETWEEN:
            words = self._words_of(ram)
            if self._before is not None:
                self._locked(ram)
            if not self._between or (words != self._between[-1]).any():
                self._between.append(words)
        elif phase is not Phase.PAUSED:
            self._before, self._lock, self._words = None, None, None
        return None

    @property
    def ram_map(self) -> RamMap:
        """The map with what is certain by now."""
        return self._map

    @property
    def blind(self) -> bool:
        """Whether too little is known of the piece in the air to promise where it will lock."""
        known = {code for codes in self._map.piece_codes.values() for code in codes}
        return bool({"empty", "mask", "pieces"} & set(self._map.learns)) or not set(self._now[3:]) <= known

    @property
    def open(self) -> tuple[str, ...]:
        """What is in use, as far as was seen, and not known yet."""
        known = {code for codes in self._map.piece_codes.values() for code in codes}
        halves = {code for pair in (self._now[3:], self._following) for code in pair}
        names = [name for name in ("empty", "mask", "pieces") if name in self._map.learns]
        return (*names, *(["piece_codes"] if self._pairs and not halves <= known else []))

    def explore(self, snapshot: Snapshot) -> tuple[int, int]:
        """For the piece in the air: how often to turn it clockwise, at once, and the column (x) to take it to.

        So chosen that every raw orientation is seen locked, in a low column, with little that could pop.
        """
        world = self._worlds[0]
        filled = world.cells != EMPTY
        heights = filled.sum(axis=0)
        here, bottom, top = self._now[0], self._now[3], self._now[4]
        strange = bottom == top and bottom not in world.halves and self._pairs > COLORS
        turns = 0 if strange else self._turns(self._now[2])
        self._turning = turns > 0

        def cost(column: int) -> tuple[int, int, int]:
            around = heights[max(column - 1, 0) : column + 2]
            way = heights[min(column, here) : max(column, here) + 1]
            if strange:  # an item shows what it is where there is something to clear or to colour
                own = heights[column : column + 2]
                return int(own.min() == 0), int(way.max() > _HIGH), abs(column - here)
            return int(max(way.max(), around.max()) > _HIGH), self._touching(column, heights), int(around.max())

        columns = range(COLUMNS - 1) if strange else range(1, COLUMNS - 1)
        return turns, min(columns, key=cost)

    def evidence(self) -> Mapping[str, str]:
        """A remark for each learnt value of the map, by its dotted key."""
        world = self._worlds[0]
        remarks = {"grid.cell.mask": f"the bits that stay while a cell's kind does, in {self._pairs} pairs"}
        for name, kind in _CELLS.items():
            key = name if name == "empty" else f"kinds.{name}"
            seen = world.locked.get(kind)
            if kind == EMPTY:
                remarks[f"grid.cell.{key}"] = f"where pieces fly and nothing landed, in {self._pairs} pairs"
            elif seen is not None:
                how = "fell unlocked in" if kind == NUISANCE else "seen in the locks of"
                remarks[f"grid.cell.{key}"] = f"{how} {seen.count} pairs, {seen.first} to {seen.last}"
        remarks[f"grid.cell.kinds.{_POPPING}"] = f"seen in {sum(self._popping.values())} cells about to vanish"
        shown = sorted(world.shown.items())
        remarks["pieces"] = "locks with two colours: " + ", ".join(f"{raw} in {seen.count}" for raw, seen in shown)
        for name, kind in _HALVES.items():
            if (seen := world.locked.get(kind)) is not None:
                remarks[f"piece_codes.{name}"] = f"{seen.count} pairs, {seen.first} to {seen.last}"
        spawned = f"where {sum(self._spawns.values())} pairs appeared"
        remarks |= {"rules.spawn": spawned, "rules.death_cells": f"{spawned}; that it is this cell is inferred"}
        stated = self._base.codes.keys() | {f"piece_codes.{name}" for name in self._base.piece_codes}
        known = {f"grid.cell.kinds.{name}" for name in stated} | {f"grid.cell.{name}" for name in stated} | stated
        known |= set() if self._open_mask else {"grid.cell.mask"}
        known |= {"pieces"} if self._base.pieces else set()
        return {key: remark for key, remark in remarks.items() if key not in known}

    def _playing(self, ram: bytes, before: Phase) -> RamMap | None:
        column, row, raw, bottom, top, *following = self._pieces_of(ram)
        if not 0 <= column < COLUMNS or row >= self._rules.visible_rows:
            return None
        self._following = following
        self._now = place = (column, row, raw, bottom, top)
        words = self._words_of(ram)
        fresh = before not in (Phase.PLAYING, Phase.PAUSED)
        if fresh:
            self._spawned(words, place)
        elif self._turning and self._before is not None and self._before[2] != raw:
            self._turned[self._before[2]] = raw
        self._before = place
        if not fresh and self._words is not None and np.array_equal(words, self._words):
            return None
        self._words = words
        index = row + self._rules.hidden_rows
        inside = (index, column) if index >= 0 else None
        self._worlds = [world for known in self._worlds if (world := known.resting(words, inside)) is not None]
        if not self._worlds:
            self._start_anew("a cell changed its code at rest")
        return self._better()

    def _spawned(self, words: Words, place: _Place) -> None:
        lock, self._lock = self._lock, None
        if lock is None:  # the first piece of a game, or of what was seen of it
            self._worlds = [world.forgetting() for world in self._worlds]
        else:
            self._explain(lock, words)
        column, row, raw, *halves = place
        kinds = [self._worlds[0].halves.get(code, 0) for code in halves]
        if all(1 <= kind <= COLORS for kind in kinds):
            self._spawns[raw, column, row] = self._spawns.get((raw, column, row), 0) + 1
        self._between = []
        self._pairs += 1

    def _locked(self, ram: bytes) -> None:
        """The first frame after play: where the piece is now is where it locked."""
        column, row, raw, *_ = self._pieces_of(ram)
        bottom, top = self._now[3:]
        self._lock = Lock(column, row, raw, bottom, top, self._pairs)
        self._before, self._turning = None, False

    def _explain(self, lock: Lock, words: Words) -> None:
        found = [world for known in self._worlds for world in known.after(lock, words)]
        if found:
            self._worlds, self._lost = found, 0
            self._note_popping()
            return
        tracked = all((world.cells != UNKNOWN).all() for world in self._worlds)
        self._lost += tracked
        if self._lost >= _LOST_IN_A_ROW or (tracked and len(self._worlds) > 1):
            self._start_anew(f"pair {lock.number} fell otherwise than the rules say")
        else:
            self._worlds = [world.forgetting() for world in self._worlds]

    def _note_popping(self) -> None:
        """Codes that no kind has, in all cells that were to pop, and before they were gone."""
        world = self._worlds[0]
        if len(self._worlds) > 1 or world.outcome is None or not world.outcome.popped:
            return
        places = tuple(zip(*world.outcome.popped, strict=True))
        for words in self._between:
            here = words[places]
            if (world.evidence.read(here, UNKNOWN) == UNKNOWN).all():
                for word in here.tolist():
                    if word in self._popping or len(self._popping) < _MOST_WORDS:
                        self._popping[word] = self._popping.get(word, 0) + 1

    def _start_anew(self, reason: str) -> None:
        _LOG.warning("what was learnt of %s contradicts itself (%s); learning anew", self._base.name, reason)
        phase, now, before = self._phase, self._now, self._before
        self._begin()
        self._phase, self._now, self._before = phase, now, before

    def _better(self) -> RamMap | None:
        """A map with what the only world left says; None if it says nothing new."""
        if len(self._worlds) > 1:
            return None
        world = self._worlds[0]
        mask, codes = world.evidence.mask, dict(world.evidence.codes)
        popping = sorted({word & mask for word in self._popping} - set(codes.values()))
        stances = dict(world.stances) if len(world.stances) == len(SATELLITE) else {}
        spawn = max(self._spawns, key=lambda place: self._spawns[place]) if self._spawns and stances else None
        saying = (mask, codes, popping, world.halves, stances, spawn)
        if saying == self._said or EMPTY not in codes:
            return None
        self._said = saying
        learnt = self._learnt(world, mask, codes, popping, stances)
        if spawn is not None:
            learnt = self._with_spawn(learnt, spawn)
        changed = learnt.data != self._map.data
        self._map = learnt
        return learnt if changed else None

    def _learnt(
        self, world: World, mask: int, codes: Mapping[int, int], popping: list[int], stances: Mapping[int, Halves]
    ) -> RamMap:
        base, shift = self._base, self._cell.shift
        cells = {name: [codes[kind] >> shift] for name, kind in _CELLS.items() if kind in codes}
        if popping and _POPPING in self._cell.kinds:
            cells[_POPPING] = [code >> shift for code in popping]
        if not self._open_mask:
            cells = {name: found for name, found in cells.items() if name not in base.codes}
        names = {kind: name for name, kind in _HALVES.items()}
        halves: dict[str, list[int]] = {}
        for code, kind in world.halves.items():
            if names[kind] not in base.piece_codes:
                halves.setdefault(names[kind], []).append(code)
        pieces = () if base.pieces else _pieces(stances)
        return base.learnt(
            mask=mask if mask != self._cell.mask else None, codes=cells, piece_codes=halves, pieces=pieces
        )

    def _with_spawn(self, learnt: RamMap, spawn: tuple[int, int, int]) -> RamMap:
        raw, column, row = spawn
        meant = PieceCodes(learnt).place(raw)
        if meant is None:
            return learnt
        orientation, dx, dy = meant
        found = (orientation, column + dx, row + dy)
        known = self._rules.spawn
        if found == (known.orientation, known.column, known.row):
            return learnt
        return learnt.learnt(rules={"spawn": found, "death_cells": found[1:]})

    def _turns(self, raw: int) -> int:
        """How many clockwise turns lead to an orientation that was not locked with two colours yet."""
        first = self._worlds[0].stances
        for turns in range(len(SATELLITE)):
            if raw not in first or any(world.stances.get(raw) != first[raw] for world in self._worlds):
                return turns
            if raw not in self._turned:
                return turns + 1
            raw = self._turned[raw]
        return 0

    def _touching(self, column: int, heights: Any) -> int:
        """Cells of the piece's own colours that it could touch in this column or beside it."""
        cells, world = self._worlds[0].cells, self._worlds[0]
        own = {world.halves[code] for code in self._now[3:] if code in world.halves}
        found = 0
        for x in range(max(column - 1, 0), min(column + 2, COLUMNS)):
            top = len(cells) - int(heights[x])
            for y in range(max(top - 2, 0), min(top + 1, len(cells))):
                found += any(0 <= z < COLUMNS and int(cells[y, z]) in own for z in (x - 1, x, x + 1))
        return found

    def _words_of(self, ram: bytes) -> Words:
        words = self._reader.words(ram)
        if self._substitutes is None:
            return words
        shift = self._cell.shift
        first: Words = self._substitutes[(words & self._bits) >> shift] << shift
        return first

    def _first_world(self) -> World:
        """What the map says by itself."""
        base, cell, rules = self._base, self._cell, self._rules
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
        cells = np.full((rules.stored_rows, COLUMNS), UNKNOWN, dtype=np.uint8)
        return World(rules, cells, evidence, halves, stances)


def _substitutes(ram_map: RamMap) -> Words | None:
    """For each code the first one of its kind, where the map knows the mask; so a kind with two codes has one."""
    cell = ram_map.document.grid.cell
    if cell.mask == 0:
        return None
    mask = cell.mask or (1 << 8 * cell.bytes) - 1
    table: Words = np.arange((mask >> cell.shift) + 1, dtype=np.int64)
    for codes in ram_map.codes.values():
        table[list(codes)] = codes[0]
    return table


def _pieces(stances: Mapping[int, Halves]) -> tuple[Orientation, ...]:
    """The four orientations, with what a quarter turn makes of each."""
    directions = {raw: (b[0] - t[0], b[1] - t[1]) for raw, (b, t) in stances.items()}
    by_direction = {direction: raw for raw, direction in directions.items()}
    if len(by_direction) < len(SATELLITE):
        return ()
    return tuple(
        Orientation(
            id=raw,
            piece="pair",
            cells=stances[raw],
            clockwise=by_direction[-dy, dx],
            counterclockwise=by_direction[dy, -dx],
        )
        for raw, (dx, dy) in sorted(directions.items())
    )
