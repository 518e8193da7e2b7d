"""Finds out from frames what a falling-block map leaves open; presses nothing and knows no emulator.

The field changes where a piece locks. So these cells are the piece's, seen from its last x and y; what they held before
is empty, what they hold after is solid. Where the grid shows the piece, they have changed by its last frame of play.
An id belongs to the id that a press of the turn button makes of it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from emubot.errors import MapError
from emubot.games.findings import refuse
from emubot.games.tetris.decode.map_checks import is_open
from emubot.games.tetris.learning.experimenter import TetrisExperimenter
from emubot.games.tetris.learning.locks import FAR, NOWHERE, LocksSeen, Place, SeenLock
from emubot.games.tetris.learning.making import MapStatement, TetrisMapMaker
from emubot.games.tetris.learning.open_map import open_findings, place_reader
from emubot.games.tetris.learning.shapes import CLOCKWISE, COUNTERCLOCKWISE, ShapesSeen
from emubot.games.tetris.learning.words import WordsSeen
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.cells import Words
from emubot.snapshot import Phase, Snapshot

_LOG = logging.getLogger(__name__)
_IN_USE: Final = 4  # frames of play after which an id counts as one of the game's, and not as a passing value
_PATIENCE: Final = 12  # frames that a turn may take to show
_ODD_IN_A_ROW: Final = 2


class _Press(NamedTuple):
    """A press of a turn button whose effect is not seen yet."""

    way: int
    number: int  # the id before it
    waited: int  # frames


class TetrisLearner:
    """Watches one player. Call `observe` for every frame; it returns a better map whenever more is certain."""

    def __init__(self, ram_map: RamMap, player: int, decoder: Callable[[RamMap], Callable[[bytes], Snapshot]]) -> None:
        """Values that the map states are taken as correct. `decoder` makes the family's decoder for a map.

        It raises MapError for one that cannot be played. Raises MapError if the map lacks what learning needs.
        """
        refuse(open_findings(ram_map))
        self._base = self._map = ram_map
        self._decoder, self._maker = decoder, TetrisMapMaker(ram_map)
        self._reader = ram_map.reader(player)
        self._place_of = place_reader(ram_map, player)
        self._hidden = len(ram_map.document.grid.hidden)
        self._locks = LocksSeen(ram_map.document.grid)
        buttons = ram_map.buttons
        self._turns = {CLOCKWISE: buttons.rotate_clockwise, COUNTERCLOCKWISE: buttons.rotate_counterclockwise}
        self._main = next((way for way, button in self._turns.items() if button), None)
        self._anew = 0  # how often everything was forgotten
        self._now = NOWHERE
        self._begin()

    def _begin(self) -> None:
        """Start with only what the map states."""
        self._words, self._shapes = WordsSeen(self._maker.bits), ShapesSeen(self._main)
        self._in_use: Counter[int] = Counter()  # id -> frames of play
        self._said: MapStatement | None = None
        self._odd = 0  # locks in a row that contradict what is known
        self._turning = 0  # turns that `explore` asked for and that were not seen yet
        self.rewind()

    def rewind(self) -> None:
        """Forget the field and the last piece, but keep what is known."""
        self._phase = Phase.UNKNOWN
        self._locks.rewind()
        self._flight: Words | None = None  # the field in the last frame of play
        self._held = Pad.NONE
        self._press: _Press | None = None

    @property
    def blind(self) -> bool:
        """Whether too little is known to predict where a piece will lock."""
        return is_open(self._map)

    @property
    def measuring(self) -> bool:
        """Timing is measured by experiments, not in play."""
        return False

    @property
    def open(self) -> tuple[str, ...]:
        """The names of what is in use and not known yet."""
        return tuple(name for name in ("empty", "mask", "pieces") if name in self._map.learns)

    @property
    def ram_map(self) -> RamMap:
        """The map with everything that is certain so far."""
        return self._map

    def observe(self, ram: bytes, pad: Pad | None = None) -> RamMap | None:
        """Take one frame; returns a better map if more is known than before, or if something is open again, else None.

        `pad` is the pad that the game used in this frame; without it a turn is one that `explore` asked for.
        """
        if not self._base.learns:
            return None
        phase, _ = self._reader.phase(ram)
        before, self._phase = self._phase, phase
        if phase is Phase.PLAYING:
            return self._playing(ram, pad, before not in (Phase.PLAYING, Phase.PAUSED))
        if phase.between_pieces or phase is Phase.UNKNOWN:
            self._after_lock(ram, phase, pad)
        elif phase is not Phase.PAUSED:
            self.rewind()
        return None

    def explore(self, snapshot: Snapshot) -> tuple[int, int]:
        """Returns how often to turn the piece in the air, and the column (x) to move it to.

        The choice makes every id lock once, in a low column.
        """
        self._turning = 0 if self._main is None else self._shapes.to_try(self._now.number)
        return self._turning, self._low_column()

    def finished(self) -> RamMap:
        """Returns the map to write."""
        return self._map

    def evidence(self) -> Mapping[str, str]:
        """Returns a remark for each learnt value of the map, by its dotted key."""
        return {} if self._said is None else self._maker.remarks(self._said, self._words, self._shapes)

    def prober(self) -> TetrisExperimenter:
        """Returns the object that measures points and timing."""
        return TetrisExperimenter(self._base, self._reader.player, self._decoder)

    def _playing(self, ram: bytes, pad: Pad | None, fresh: bool) -> RamMap | None:
        words, before, locks = self._reader.words(ram), self._now, self._locks
        now, seen = Place(*(self._place_of(ram) or NOWHERE)), None
        if fresh:
            seen = locks.spawned(words, self._words.mask)
            self._held, self._press = Pad.NONE, None
        elif now == NOWHERE:  # it may be hidden for a moment
            pass
        elif self._flight is not None and locks.is_over(before, now):
            self._fell(None)
            locks.jumped(seen=not self._dropped(pad))
        elif locks.is_elsewhere(before, now):
            self._flight, self._press, self._turning = None, None, 0
        if locks.waits:
            seen = locks.still_waiting(words, now, self._words.mask)
        news = seen is not None and self._locked(seen)
        if not locks.is_near(now):
            return self._better() if news else None
        number = now.number
        self._now = now
        self._in_use[number] += 1
        if self._flight is not None:
            news |= self._maker.opens_mask and not locks.waits and self._noted_rest(words, before.y, now.y)
            news |= self._noted_turn(before.number, number, pad)
        news |= bool(self._maker.passable) and self._noted_flight(words)
        self._flight, self._held = words, pad or Pad.NONE
        return self._better() if news or self._in_use[number] == _IN_USE else None

    def _fell(self, shown: Place | None, pad: Pad | None = None) -> None:
        """The piece in the air is not under control any more; `shown` is as for LocksSeen, `pad` this frame's."""
        if self._flight is not None:
            held, buttons = pad or Pad.NONE, self._base.buttons
            aside = bool(held & buttons.right) - bool(held & buttons.left)
            self._locks.fell(self._now, self._flight, shown, aside)
        self._flight, self._press, self._turning = None, None, 0

    def _dropped(self, pad: Pad | None) -> bool:
        """Returns whether this frame's pad drops a piece at once: its last place is not where it locked."""
        return bool((pad or Pad.NONE) & (self._base.buttons.hard_drop or Pad.NONE))

    def _after_lock(self, ram: bytes, phase: Phase, pad: Pad | None) -> None:
        """Note the place of the lock in the first frame after play, and each field until the next piece."""
        if self._flight is not None:
            self._fell(Place(*(self._place_of(ram) or NOWHERE)) if phase is Phase.LOCKED else None, pad)
        self._locks.between(self._reader.words(ram))

    def _locked(self, seen: SeenLock) -> bool:
        """Note a lock; returns True."""
        lock, cells, before, after = seen
        old, new = ([int(field[row, column]) for column, row in cells] for field in (before, after))
        words = self._words
        if words.codes(old).keys() & words.codes(words.solid).keys() or (
            words.codes(new).keys() & words.codes(words.empty).keys()
        ):
            self._odd += 1
            if self._odd >= _ODD_IN_A_ROW:
                self._start_anew("cells that count as full were filled")
            return True
        self._odd = 0
        words.locked(old, new)
        shape = frozenset((column - lock.x, row - self._hidden - lock.y) for column, row in cells)
        self._shapes.locked(lock.number, shape)
        return True

    def _noted_rest(self, words: Words, row: int, now: int) -> bool:
        """Note bits that changed far from the piece; returns whether the mask became smaller."""
        assert self._flight is not None, "a frame of play came before"
        rows = np.arange(len(words)) - self._hidden
        far = (abs(rows - row) >= FAR) & (abs(rows - now) >= FAR)
        smaller = self._words.at_rest(self._flight[far], words[far])
        if smaller and (self._words.conflict or not self._words.mask):
            self._start_anew("no bit of a cell tells empty from full")
        return smaller

    def _noted_turn(self, before: int, number: int, pad: Pad | None) -> bool:
        """Note the effect of a press, or that it had none; returns whether it told something."""
        if pad is None and self._press is None and self._turning and self._main is not None:
            self._press, self._turning = _Press(self._main, before, -_PATIENCE), self._turning - 1
        new = (pad or Pad.NONE) & ~self._held
        pressed = [way for way, button in self._turns.items() if button and new & button]
        if pressed:
            self._press = _Press(pressed[0], before, 0) if len(pressed) == 1 else None
        press = self._press
        if press is None:
            return False
        if number != press.number:
            self._press = None
            self._shapes.turned(press.way, press.number, number)
            return True
        self._press = press._replace(waited=press.waited + 1) if press.waited < _PATIENCE else None
        if self._press is None:
            self._shapes.stayed(press.way, press.number)
        return self._press is None

    def _noted_flight(self, words: Words) -> bool:
        """Note the words of the piece in the air; returns whether one is new."""
        shape = self._shapes.shape(self._now.number)
        rows, columns = words.shape
        places = [(self._now.y + self._hidden + dy, self._now.x + dx) for dx, dy in shape or ()]
        return self._words.moved(
            int(words[row, column]) for row, column in places if 0 <= row < rows and 0 <= column < columns
        )

    def _low_column(self) -> int:
        """Returns a column that is low, with its neighbours; the middle one of an unknown field."""
        columns = self._base.document.grid.columns
        if not self._locks.settled:
            return columns // 2
        field = self._locks.settled[0]
        masked = field & self._words.mask
        codes, counts = np.unique(masked, return_counts=True)
        empty = [*self._words.codes(self._words.empty)] or [int(codes[counts.argmax()])]
        full = ~np.isin(masked, empty)
        heights = np.where(full.any(axis=0), len(field) - full.argmax(axis=0), 0)
        return min(range(1, columns - 1), key=lambda column: int(heights[column - 1 : column + 3].max()))

    def _start_anew(self, reason: str) -> None:
        """Forget everything. Logs a warning at the 1st, 2nd, 4th, 8th ... time, because noise causes it every frame."""
        self._anew += 1
        level = logging.WARNING if self._anew.bit_count() == 1 else logging.DEBUG
        text = "what was learnt of %s contradicts itself (%s); learning anew, time %d"
        _LOG.log(level, text, self._base.name, reason, self._anew)
        self._begin()

    def _better(self) -> RamMap | None:
        """Returns a map with what is certain; None if nothing changed."""
        numbers = [number for number, frames in self._in_use.items() if frames >= _IN_USE]
        said = self._maker.statement(self._words, self._shapes, numbers)
        if said == self._said:
            return None
        before, self._said = self._map, said
        try:
            self._map = self._maker.made(said)
            if not is_open(self._map):
                self._decoder(self._map)
        except MapError as error:  # no cartridge is like this: noise was read
            self._start_anew(str(error))
            self._map = self._base
        return self._map if self._map.data != before.data else None
