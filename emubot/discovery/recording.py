"""Records what a pilot sees: memory where each piece comes under control, and the rows that vanished meanwhile."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.image import image_reader
from emubot.discovery.lab import History, SavesStates
from emubot.games.tetris.decode.map_checks import OWN_ID
from emubot.pad import Pad
from emubot.pilot import Pilot
from emubot.snapshot import Phase, Placement, Snapshot

_MOST_MARKS: Final = 600  # pieces
_SETTLES: Final = 24  # frames before a lock that may already show it: boards are drawn late
_PRESSED: Final = 6  # frames from a press to its last effect
_MOST_ROWS: Final = 5  # that vanish at once
_CLEARS, _LINES = 8, 45  # clears, and lines of one game, that tell counters from other bytes

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Marks:
    """A moment for each piece, its first frame under control; all arrays have one entry for each of them.

    `images` are (pieces, bytes). `games` number the games, and parts of them; `fresh` says which pieces are the first
    of a game. `rows` vanished since the mark before, 0 at the first one of each part. `dropped` are the rows that the
    piece of the mark before fell while a button dropped it. `ids` are the map's numbers of the pieces. `moved` says
    which bytes changed while the piece was under control, `stirred` which of them did so while no button dropped it.
    """

    images: History
    games: Numbers
    fresh: Bits
    rows: Numbers
    dropped: Numbers
    ids: Numbers
    moved: Bits
    stirred: Bits

    def __len__(self) -> int:
        """Returns the number of pieces."""
        return len(self.images)

    @property
    def inside(self) -> Bits:
        """Which marks follow another one of the same game."""
        return np.asarray(np.diff(self.games, prepend=-1) == 0, np.bool_)

    @property
    def lines(self) -> Numbers:
        """The rows that have vanished so far in the same game, at each mark."""
        total = np.cumsum(self.rows)
        starts = np.flatnonzero(~self.inside)
        return np.asarray(total - np.repeat(total[starts], np.diff(starts, append=len(total))), np.int64)


class _Mark(NamedTuple):
    image: bytes
    game: int
    fresh: bool
    rows: int
    dropped: int
    number: int


class Recorder:
    """Records one pilot; make it before the pilot's first step. The memory that it takes is bounded.

    `states` are the moments of the marks, to be played again; none if the bridge has no save states.
    """

    def __init__(self, pilot: Pilot) -> None:
        self.states: list[bytes] = []
        self._pilot, self._read = pilot, image_reader(pilot.bridge, [*pilot.bridge.facts.spaces])
        self._size = len(self._read())
        self._marks: list[_Mark] = []
        self._moved: list[Bits] = []
        self._stirred: list[Bits] = []
        self._image = bytes(self._size)
        self._snapshot: Snapshot | None = None
        self._game, self._filled, self._locks = -1, 0, -1
        self._left, self._left_at = True, 0  # the menus were seen since the last mark, and the pieces at that time
        self._waiting = deque[tuple[bytes, bool]](maxlen=_SETTLES)
        self._since_drop, self._dropped = _PRESSED, 0
        self._lines = self._longest = 0  # rows that vanished in this game, and in the one with the most of them
        pilot.on_frame.append(self._frame)
        pilot.on_plan.append(self._planned)

    @property
    def is_enough(self) -> bool:
        """Whether so many rows have vanished that counters can be told from other bytes."""
        return sum(mark.rows > 0 for mark in self._marks) >= _CLEARS and self._longest >= _LINES

    def marks(self) -> Marks:
        """Returns the moments at which pieces came."""
        games, fresh, rows, dropped, ids = (
            np.array([mark[place] for mark in self._marks], np.int64) for place in range(1, 6)
        )
        images = _images([mark.image for mark in self._marks], self._size)
        moved, stirred = (np.array(bits, np.bool_).reshape(images.shape) for bits in (self._moved, self._stirred))
        return Marks(images, games, fresh.astype(np.bool_), rows, dropped, ids, moved, stirred)

    def _frame(self, _: bytes, snapshot: Snapshot) -> None:
        before, self._snapshot, self._image = self._snapshot, snapshot, self._read()
        pad, drops = self._pilot.used_pad or Pad.NONE, self._drops()
        self._since_drop = 0 if pad & drops else self._since_drop + 1
        if snapshot.phase in (Phase.MENU, Phase.OVER):
            self._left, self._left_at = True, self._pilot.tally.pieces
        piece = snapshot.current
        if snapshot.phase is not Phase.PLAYING or piece is None or self._pilot.tally.pieces != self._locks:
            self._waiting.clear()
            return
        number = len(self._marks) - 1
        is_dropped = self._since_drop < _PRESSED
        if is_dropped and before is not None and before.current is not None:
            self._dropped += max(piece.row - before.current.row, 0)
        if len(self._waiting) == _SETTLES:
            self._compare(number)
        self._waiting.append((self._image, is_dropped))

    def _compare(self, number: int) -> None:
        """Note what changed between the two oldest frames that wait: no lock has followed them soon."""
        (image, _), (after, is_dropped) = self._waiting[0], self._waiting[1]
        if image != after:
            changed = np.frombuffer(image, np.uint8) != np.frombuffer(after, np.uint8)
            self._moved[number] |= changed
            if not is_dropped:
                self._stirred[number] |= changed

    def _planned(self, _: Placement) -> None:
        snapshot = self._snapshot
        if snapshot is None or len(self._marks) >= _MOST_MARKS:
            return
        filled = int(np.count_nonzero(snapshot.playfield))
        rows = self._vanished(snapshot, filled)
        if self._left or rows is None:
            self._game += 1
            self._lines = 0
        self._lines += rows or 0
        self._longest = max(self._longest, self._lines)
        fresh = self._left and self._pilot.tally.pieces == self._left_at  # no piece before it went without a plan
        self._marks.append(_Mark(self._image, self._game, fresh, rows or 0, self._dropped, self._number()))
        if isinstance(bridge := self._pilot.bridge, SavesStates):
            self.states.append(bridge.save())
        for bits in (self._moved, self._stirred):
            bits.append(np.zeros(self._size, np.bool_))
        self._left, self._filled, self._dropped, self._locks = False, filled, 0, self._pilot.tally.pieces
        self._waiting.clear()

    def _vanished(self, snapshot: Snapshot, filled: int) -> int | None:
        """Returns the rows that vanished since the mark before; None if the board tells something else, too."""
        if self._left or not self._marks or self._pilot.tally.pieces != self._locks + 1:
            return None
        cells = {one.id: len(one.cells) for one in self._pilot.edition.ram_map.pieces}
        rows, rest = divmod(self._filled + cells.get(self._marks[-1].number, 0) - filled, snapshot.playfield.shape[1])
        return rows if not rest and 0 <= rows <= _MOST_ROWS else None

    def _number(self) -> int:
        """Returns the map's own number of the piece in the air."""
        snapshot = self._snapshot
        assert snapshot is not None, "a frame was seen"
        assert snapshot.current is not None, "a piece was seen"
        return snapshot.counters.get(OWN_ID, snapshot.current.orientation)

    def _drops(self) -> Pad:
        buttons = self._pilot.edition.ram_map.buttons
        return (buttons.soft_drop or Pad.NONE) | (buttons.hard_drop or Pad.NONE) | (buttons.step_down or Pad.NONE)


def _images(images: list[bytes], size: int) -> History:
    return np.frombuffer(b"".join(images), np.uint8).reshape(len(images), size)
