"""Frames of NestrisChamps to snapshots of falling blocks: finds the piece by what changes; knows no file and no memory.

A frame shows one picture: the stack and the piece in the air are not told apart, and recordings of a camera have 15 to
60 frames a second, some of them with a cell that was misread. So a piece is what is more than the stack before it, and
it has locked where it was when the next one appears; between two frames nothing is known of its way. What fits neither
is passed over. Rows above the board are not in a frame and are taken for empty.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from emubot.games.tetris.broadcast.pictures import COLOURS, FULL, PLACES, PLACES_OF, bits_of, piece_bits, settled
from emubot.games.tetris.decode.value_names import NES_COUNTERS
from emubot.games.tetris.rules import (
    COLUMNS,
    HIDDEN_ROWS,
    PIECE_OF,
    ROWS,
    SPAWN_COLUMN,
    SPAWN_ORIENTATION,
    SPAWN_ROW,
    Profile,
)
from emubot.publish.frame import Frame
from emubot.snapshot import Phase, Piece, Snapshot

_LOG = logging.getLogger(__name__)
_PATIENCE: Final = 90  # frames that fit nothing before the stack is read anew; a cleared row takes 20
_TOP: Final = (1 << 2 * COLUMNS) - 1  # the two rows in which pieces spawn
_HIDDEN: Final = np.zeros((HIDDEN_ROWS, COLUMNS), dtype=np.uint8)
_HIDDEN.flags.writeable = False
_KINDS: Final = COLOURS[:4]  # by colour: the table is its own inverse
_SPAWNS: Final = [Piece(int(orientation), SPAWN_COLUMN, SPAWN_ROW) for orientation in SPAWN_ORIENTATION]


class TetrisReplay:
    """One recording. A snapshot of a piece's first frame has it where it spawns, wherever it was seen first."""

    def __init__(self, profile: Profile) -> None:
        """`profile` is the release's, for the wait before the first piece of a game."""
        self._wait = 256 - profile.start_wait
        self._game: int | None = None
        self._stack: int | None = 0  # the locked cells as bits; None: not known
        self._piece: Piece | None = None  # in the air, where it was seen last
        self._landed: Piece | None = None  # where the last one locked that did
        self._following: int | None = None  # the piece that was shown as the next one
        self._pieces = self._strays = self._lost = 0

    def snapshots(self, frames: Iterable[Frame]) -> Iterator[Snapshot]:
        """Yields a snapshot of each frame, and more where a piece locked and no frame shows it at rest."""
        held: Snapshot | None = None  # the last one; it may turn out to be of a piece that has locked
        rests = False
        for frame in frames:
            before = self._piece
            snapshot = self._seen(frame, held)
            is_new = snapshot.phase is Phase.PLAYING and self._is_first
            if held is not None and held.phase is Phase.PLAYING and is_new and self._landed is None:
                held = replace(held, phase=Phase.UNKNOWN, state=Phase.UNKNOWN.value, current=None)  # it was lost
            elif held is not None and held.phase is Phase.PLAYING and is_new and before is not None:
                if not rests or held.current != self._landed:
                    yield held
                if held.current != self._landed:
                    yield replace(held, current=self._landed)
                held = replace(held, phase=Phase.LOCKED, state=Phase.LOCKED.value, current=self._landed)
            rests = held is not None and snapshot.current == held.current
            if held is not None:
                yield held
            held = snapshot
        if held is not None:
            yield held
        if self._lost:
            _LOG.warning("The pieces of %d parts of the recording could not be followed.", self._lost)

    def _seen(self, frame: Frame, last: Snapshot | None) -> Snapshot:
        """Returns what a frame shows; the last snapshot once more if it fits nothing."""
        self._is_first = False
        if not frame.is_played:
            self._begin(None)
            return _snapshot(frame, 0, Phase.MENU, None)
        if frame.game != self._game:
            self._begin(frame.game)
        shown = bits_of(frame.cells)
        if shown & FULL == FULL:  # the curtain comes down, and the row below the top is never full in a game
            self._stack = self._piece = None
            return _snapshot(frame, shown, Phase.OVER, None)
        found = self._followed(shown) or self._locked(shown) or self._read_anew(shown)
        if found is None:
            self._strays += 1
            if last is not None and last.phase is not Phase.MENU:
                return last
            return _snapshot(frame, shown, Phase.UNKNOWN, None)
        self._strays = 0
        stack, piece = found
        return self._moved(frame, stack, piece)

    def _moved(self, frame: Frame, stack: int, piece: Piece | None) -> Snapshot:
        """Take a stack and a piece in the air as they are now, and return them."""
        is_new = piece is not None and (self._piece is None or stack != self._stack)
        self._stack, self._piece, self._is_first = stack, piece, is_new
        if piece is None:
            return _snapshot(frame, stack, Phase.LOCKED, None)
        if is_new:
            self._pieces += 1
            piece = _SPAWNS[PIECE_OF[piece.orientation]]
        self._following = frame.following
        starts = self._pieces == 1 and frame.score == 0  # the first piece of a game waits before it falls
        return _snapshot(frame, stack, Phase.PLAYING, piece, self._wait if starts else 0)

    def _begin(self, game: int | None) -> None:
        self._game, self._stack, self._piece, self._following = game, 0, None, None
        self._pieces = self._strays = 0

    def _followed(self, shown: int) -> tuple[int, Piece | None] | None:
        """Returns the stack and the piece if it is the same one, or the first above this stack."""
        stack, piece = self._stack, self._piece
        if stack is None or shown & stack != stack:
            return None
        if piece is not None and shown == stack | piece_bits(piece):  # also one that overlaps the stack
            return stack, piece
        more = shown ^ stack
        if not more:
            return (stack, None) if piece is None else None
        return None if (now := self._place(more, piece)) is None else (stack, now)

    def _locked(self, shown: int) -> tuple[int, Piece | None] | None:
        """Returns the stack after the piece's lock, and the next piece or None."""
        stack, piece = self._stack, self._piece
        if stack is None or piece is None:
            return None
        self._landed = piece
        if found := self._after(shown, settled(stack | piece_bits(piece))):
            return found
        for bits, place in PLACES_OF[PIECE_OF[piece.orientation]]:  # it fell on in frames that are missing
            if not bits & stack and _rests(bits, stack):
                found = self._after(shown, settled(stack | bits))
                if found is not None and found[1] is not None:
                    self._landed = place
                    return found
        return None

    def _after(self, shown: int, stack: int) -> tuple[int, Piece | None] | None:
        if shown & stack != stack:
            return None
        more = shown ^ stack
        if not more:
            return stack, None
        if (new := self._place(more, None)) is not None:
            return stack, new
        spawned = None if self._following is None else _SPAWNS[self._following]
        if spawned is not None and shown == stack | piece_bits(spawned):  # it overlaps the stack: the game ends
            return stack, spawned
        return None

    def _read_anew(self, shown: int) -> tuple[int, Piece | None] | None:
        """Returns stack and piece where a piece has just spawned above a stack that is not known, or no longer."""
        if self._stack is not None and self._pieces and self._strays < _PATIENCE:
            return None
        spawned = next((one for one in _SPAWNS if shown & _TOP == piece_bits(one)), None)
        if spawned is None:
            return None
        self._lost += self._pieces > 0
        self._piece = self._landed = None
        return shown & ~_TOP, spawned

    def _place(self, bits: int, before: Piece | None) -> Piece | None:
        """Returns the piece with these cells: the one of before, nearest to it, or a new one, all of it visible."""
        places = PLACES.get(bits, ())
        if before is None:
            return places[0] if bits.bit_count() == 4 and places else None
        same = [one for one in places if PIECE_OF[one.orientation] == PIECE_OF[before.orientation]]
        return min(same, key=lambda one: abs(one.column - before.column) + abs(one.row - before.row), default=None)


def _rests(bits: int, stack: int) -> bool:
    """Returns whether the piece with these cells cannot fall."""
    lowest = FULL << COLUMNS * (ROWS - 1)
    return bool(bits & lowest or bits << COLUMNS & stack)


def _snapshot(frame: Frame, stack: int, phase: Phase, piece: Piece | None, wait: int = 0) -> Snapshot:
    """Returns a snapshot of a frame with these locked cells. What a frame does not hold is 0: timers and buttons."""
    packed = np.frombuffer(stack.to_bytes(ROWS * COLUMNS // 8, "little"), dtype=np.uint8)
    filled = np.unpackbits(packed, bitorder="little")
    playfield = (_KINDS[np.frombuffer(frame.cells, dtype=np.uint8)] * filled).reshape(ROWS, COLUMNS)
    playfield.flags.writeable = False
    counters = dict.fromkeys(NES_COUNTERS, 0) | {
        "level": frame.level or 0,
        "lines": frame.lines or 0,
        "score": frame.score or 0,
        "das": frame.das or 0,
        "play_state": 1,
        "autorepeat_y": wait,
    }
    following = () if frame.following is None else (int(SPAWN_ORIENTATION[frame.following]),)
    return Snapshot(phase, phase.value, playfield, _HIDDEN, piece, following, counters)
