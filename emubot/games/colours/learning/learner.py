"""Finds out from frames what a pairs map leaves open; presses nothing and knows no emulator.

It follows the field by the rules, from the piece codes in memory, and compares. A locked piece shows the meaning of the
codes of its cells; cells that appear without a lock are nuisance. A value stays open in the map until it is certain.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from emubot.errors import MapError
from emubot.games.colours.decode.map_checks import check_pairs
from emubot.games.colours.learning.clock import Clockwork
from emubot.games.colours.learning.experimenter import Experimenter
from emubot.games.colours.learning.exploring import column_for_item, column_for_pair, turns_to_try
from emubot.games.colours.learning.findings import Findings, MapMaker, Statement
from emubot.games.colours.learning.hypotheses import ITEMS_FROM, UNKNOWN, Hypothesis, Lock, Words, distinct
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import COLORS
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Snapshot

_LOG = logging.getLogger(__name__)
_PLACE: Final = ("x", "y", "orientation", "current_bottom", "current_top")
_LOST_IN_A_ROW: Final = 2
_ABOVE: Final = 4  # rows above the stored ones in which a pair may be: further up it is put aside
_Place = tuple[int, int, int, int, int]  # values of _PLACE


class PuyoLearner:
    """Watches one player. Call `observe` for every frame; it returns a better map whenever more is certain."""

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        """Values that the map states are taken as correct. Raises MapError for rules that the family does not have."""
        self._base = ram_map
        self._maker = MapMaker(ram_map)
        self._reader = ram_map.reader(player)
        self._rules = rules_of_map(ram_map)
        self._place_of = self._reader.select(_PLACE)
        self._anew = 0  # how often everything was forgotten
        self._map = ram_map
        self._phase = Phase.UNKNOWN
        self._now: _Place = (0, 0, 0, 0, 0)
        self._before: _Place | None = None  # the last frame of play
        self._begin()

    def _begin(self) -> None:
        """Start with only what the map states."""
        base = self._base
        self._clock = None if "gravity" in base.timing else Clockwork(base.buttons.soft_drop or Pad.NONE)
        self._hypotheses = [self._maker.first_hypothesis()]
        self._found = Findings()
        self._turned: dict[int, int] = {}  # raw orientation -> raw orientation after a clockwise turn
        self._said: Statement | None = None
        self._lock: Lock | None = None
        self._between: list[Words] = []  # the fields between two pieces, each once
        self._words: Words | None = None
        self._turning = False
        self._lost = 0

    @property
    def measuring(self) -> bool:
        """Whether gravity at this level is still to be measured."""
        return self._clock is not None and self._clock.is_open

    def rewind(self) -> None:
        """Forget the field and the last piece, but keep the meaning of codes."""
        self._hypotheses = [hypothesis.without_cells() for hypothesis in self._hypotheses]
        self._lock = self._before = self._words = None
        self._between = []
        self._phase = Phase.UNKNOWN

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """Take one frame; returns a better map if more is known than before, else None.

        `pad` is the pad that the game used in this frame; without it timing is not measured.
        """
        phase, _ = self._reader.phase(ram)
        if pad is not None and self._clock is not None:
            self._measure(ram, phase, pad, self._clock)
        before, self._phase = self._phase, phase
        if phase is Phase.PLAYING:
            return self._playing(ram, before)
        if phase.between_pieces:
            words = self._maker.words(self._reader, ram)
            if self._before is not None:
                self._locked(ram)
            if not self._between or (words != self._between[-1]).any():
                self._between.append(words)
        elif phase is not Phase.PAUSED:
            self._before, self._lock, self._words = None, None, None
        return None

    @property
    def ram_map(self) -> RamMap:
        """The map with everything that is certain so far."""
        return self._map

    @property
    def blind(self) -> bool:
        """Whether too little is known about the piece in the air to predict where it will lock."""
        known = {code for codes in self._map.piece_codes.values() for code in codes}
        return bool({"empty", "mask", "pieces"} & set(self._map.learns)) or not set(self._now[3:]) <= known

    @property
    def open(self) -> tuple[str, ...]:
        """The names of what the pieces so far use and the map does not know yet."""
        known = {code for codes in self._map.piece_codes.values() for code in codes}
        names = [name for name in ("empty", "mask", "pieces") if name in self._map.learns]
        return (*names, *(["piece_codes"] if self._found.pairs and not set(self._now[3:]) <= known else []))

    def explore(self, snapshot: Snapshot) -> tuple[int, int]:
        """Returns how often to turn the piece in the air clockwise, at once, and the column (x) to move it to.

        The choice makes every raw orientation lock once, in a low column where little can pop.
        """
        hypothesis = self._hypotheses[0]
        column, raw, bottom, top = self._now[0], self._now[2], *self._now[3:]
        if bottom == top and bottom not in hypothesis.halves and self._found.pairs > ITEMS_FROM:
            self._turning = False
            return 0, column_for_item(hypothesis.cells, column)
        turns = turns_to_try(self._hypotheses, self._turned, raw)
        self._turning = turns > 0
        own = {hypothesis.halves[code] for code in (bottom, top) if code in hypothesis.halves}
        return turns, column_for_pair(hypothesis.cells, own, column)

    @property
    def hypothesis(self) -> Hypothesis | None:
        """The only hypothesis left, with the outcome of the last lock; None while there are several."""
        return self._hypotheses[0] if len(self._hypotheses) == 1 else None

    def finished(self) -> RamMap:
        """Returns the map to write: without timing that is valid only up to the current level."""
        if self._said is None or self._said.timing is None:
            return self._map
        return self._maker.made(replace(self._said, timing=None))

    def evidence(self) -> Mapping[str, str]:
        """Returns a remark for each learnt value of the map, by its dotted key."""
        clock = {} if self._clock is None else self._clock.evidence()
        return {**self._maker.remarks(self._hypotheses[0], self._found), **clock}

    def prober(self) -> Experimenter:
        """Returns the object that measures rules and timing; it must get each frame after this learner."""
        return Experimenter(self._base, lambda: self.hypothesis, type(self), self._reader.player)

    def _measure(self, ram: bytes, phase: Phase, pad: Pad, clock: Clockwork) -> None:
        value, names = self._reader.value, self._reader.names
        column, row, raw, *_ = self._place_of(ram)
        level = value(ram, "level") if "level" in names else 0
        timer = value(ram, "drop_timer") if "drop_timer" in names else None
        clock.frame(phase, Piece(raw, column, row), level, timer, pad)

    def _playing(self, ram: bytes, before: Phase) -> RamMap | None:
        column, row, raw, bottom, top = self._place_of(ram)
        if not self._is_inside(column, row):
            return None
        self._now = place = (column, row, raw, bottom, top)
        words = self._maker.words(self._reader, ram)
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
        self._hypotheses = distinct(
            [hypothesis for known in self._hypotheses if (hypothesis := known.resting(words, inside)) is not None]
        )
        if not self._hypotheses:
            self._start_anew("a cell changed its code at rest")
        return self._better(words)

    def _is_inside(self, column: int, row: int) -> bool:
        rules = self._rules
        return 0 <= column < rules.columns and -rules.hidden_rows - _ABOVE <= row < rules.visible_rows

    def _spawned(self, words: Words, place: _Place) -> None:
        lock, self._lock = self._lock, None
        if lock is None:  # the first piece that was seen of a game
            self._hypotheses = [hypothesis.without_cells() for hypothesis in self._hypotheses]
        else:
            self._explain(lock, words)
        column, row, raw, *halves = place
        kinds = [self._hypotheses[0].halves.get(code, 0) for code in halves]
        if all(1 <= kind <= COLORS for kind in kinds):
            spawns = self._found.spawns
            spawns[raw, column, row] = spawns.get((raw, column, row), 0) + 1
        self._between = []
        self._found.pairs += 1

    def _locked(self, ram: bytes) -> None:
        """Note the lock in the first frame after play: the piece is still where it locked, if it was not put aside."""
        column, row, raw, *_ = self._place_of(ram)
        if not self._is_inside(column, row):
            column, row, raw, *_ = self._now
        bottom, top = self._now[3:]
        self._lock = Lock(column, row, raw, bottom, top, self._found.pairs)
        self._before, self._turning = None, False

    def _explain(self, lock: Lock, words: Words) -> None:
        found = [hypothesis for known in self._hypotheses for hypothesis in known.after(lock, words)]
        if found:
            self._hypotheses, self._lost = distinct(found), 0
            self._note_popping()
            return
        tracked = all((hypothesis.cells != UNKNOWN).all() for hypothesis in self._hypotheses)
        self._lost += tracked
        if self._lost >= _LOST_IN_A_ROW or (tracked and len(self._hypotheses) > 1):
            self._start_anew(f"pair {lock.number} fell otherwise than the rules say")
        else:
            self._hypotheses = [hypothesis.without_cells() for hypothesis in self._hypotheses]

    def _note_popping(self) -> None:
        """Note the codes of popping cells: of no known kind, in all cells of the first step, before these vanish."""
        hypothesis = self._hypotheses[0]
        if len(self._hypotheses) > 1 or hypothesis.outcome is None or not hypothesis.outcome.popped:
            return
        places = tuple(zip(*hypothesis.outcome.popped, strict=True))
        for words in self._between:
            here = words[places]
            if (hypothesis.evidence.read(here, UNKNOWN) == UNKNOWN).all():
                self._found.note_popping(here.tolist())

    def _start_anew(self, reason: str) -> None:
        """Forget everything. Logs a warning at the 1st, 2nd, 4th, 8th ... time, because noise causes it every frame."""
        self._anew += 1
        level = logging.WARNING if self._anew.bit_count() == 1 else logging.DEBUG
        text = "what was learnt of %s contradicts itself (%s); learning anew, time %d"
        _LOG.log(level, text, self._base.name, reason, self._anew)
        self._begin()

    def _better(self, words: Words) -> RamMap | None:
        """Returns a map with what the only hypothesis left states; None if nothing is new or several are left."""
        if len(self._hypotheses) > 1:
            return None
        timing = None if self._clock is None else self._clock.timing()
        said = self._maker.statement(self._hypotheses[0], self._found, words, timing)
        if said == self._said:
            return None
        try:
            made = self._maker.made(said)
            check_pairs(made)
        except MapError as error:  # no cartridge is like this: noise was read, and the shipped map is not wrong
            self._start_anew(str(error))
            return self._better(words)
        self._said, before, self._map = said, self._map, made
        return made if made.data != before.data else None
