"""The piece and the pad at the start of a search, and the locks that the piece can reach; knows no evaluation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emubot.games.tetris.board.board import FULL_ROW, LANE, LANE_OF, LANES, ORIENTATION_OF_LANE, Rows, Words, fill_fits
from emubot.games.tetris.reach import das, taps
from emubot.games.tetris.reach.state import Begin, History, InputRules, Scratch
from emubot.games.tetris.rules import COLUMNS, PIECE_OF, ROWS, SPAWN_COLUMN, SPAWN_ROW, Profile
from emubot.jit import Scalar, lean
from emubot.pad import Pad
from emubot.tempo import MAX_PERIOD, Tempo

_LEFT, _RIGHT, _TURNS = int(Pad.LEFT), int(Pad.RIGHT), int(Pad.A | Pad.B)


@dataclass(frozen=True, slots=True)
class Start:
    """The piece before the first planned frame, as in the game's RAM after the frame before.

    `held` is the pad of that frame. `limiter` is the number of frames before the next edge is allowed (with DAS: the
    next direction edge), `turn_limiter` the same for rotation edges with DAS. `free_hold`: the piece has not spawned
    yet, so with DAS either direction may be held from before its first frame, whatever `held` is.
    """

    orientation: int
    column: int = SPAWN_COLUMN
    row: int = SPAWN_ROW
    fall_timer: int = 0
    autorepeat_y: int = 0
    das: int = 0
    held: Pad = Pad.NONE
    limiter: int = 0
    turn_limiter: int = 0
    free_hold: bool = False

    @property
    def piece(self) -> int:
        """The piece's index in rules.PIECE_NAMES."""
        return int(PIECE_OF[self.orientation])

    @property
    def on_board(self) -> bool:
        """Whether the pivot is on the visible board. In RAM it may be elsewhere; then nothing can be searched."""
        return 0 <= self.column < COLUMNS and 0 <= self.row < ROWS

    def begin(self, tempo: Tempo) -> Begin:
        """Returns the same for kernels. A held button cannot be tapped again in the first frame."""
        held = int(self.held)
        direction = das.RIGHT if held & _RIGHT else das.LEFT if held & _LEFT else das.NEUTRAL
        turning = 1 if held & _TURNS else 0
        wait = 256 - self.autorepeat_y if self.autorepeat_y >= 128 else 0
        busy = 1 if (turning or held & (_LEFT | _RIGHT)) and not tempo.das else 0
        return Begin(
            lane=int(LANE_OF[self.orientation]),
            column=self.column,
            row=self.row,
            fall_timer=self.fall_timer,
            wait=wait,
            limiter=max(self.limiter, busy),
            turn_limiter=max(self.turn_limiter, turning),
            direction=direction,
            charge=self.das,
            free_hold=int(self.free_hold),
        )


def input_rules_of(tempo: Tempo, profile: Profile) -> InputRules:
    """Returns the input rules of a tempo under a release's DAS."""
    return InputRules(tempo.reaction, tempo.period, int(tempo.das), profile.das_initial, profile.das_reset)


def gravity_at(level: int, profile: Profile) -> int:
    """Returns the frames per row at a level."""
    return profile.gravity[min(level, len(profile.gravity) - 1)]


@lean
def fill_locks(
    fits: Words,
    lanes: Scalar,
    begin: Begin,
    gravity: Scalar,
    input_rules: InputRules,
    scratch: Scratch,
    locks: Words,
    history: History,
) -> Scalar:
    """Fill locks (20,), by pivot row, with packed words of where the piece can lock; returns the frames until the last.

    `fits` (21,) is from board.fill_fits; `gravity` is in frames per row. See taps.reach_taps and das.reach_das.
    """
    if input_rules.uses_das:
        return das.reach_das(fits, lanes, begin, gravity, input_rules, scratch.das, locks, history)
    return taps.reach_taps(fits, lanes, begin, gravity, input_rules, scratch.taps, locks, history)


def scratch() -> Scratch:
    """Returns the working memory of `fill_locks`."""
    return Scratch(np.zeros(MAX_PERIOD, dtype=np.int64), np.zeros((2, das.BLOCKS, das.WAITS), dtype=np.int64))


def history(frames: int = 0, period: int = 1, uses_das: bool = False) -> History:
    """Returns room to record this number of frames, none by default."""
    return History(
        np.zeros((0 if uses_das else frames, period), dtype=np.int64),
        np.zeros((frames if uses_das else 0, das.BLOCKS, das.WAITS), dtype=np.int64),
        np.full(frames, -1, dtype=np.int64),
    )


def reach(rows: Rows, start: Start, gravity: int, tempo: Tempo, profile: Profile) -> Words:
    """Returns all locks of the piece as int64[20], packed words by pivot row (see board.py).

    `gravity` is in frames per row. Tucks and spins are included. If a piece still overlaps the stack when its drop
    fails, that is not a lock but the end of the game.
    """
    fits = np.zeros(ROWS + 1, dtype=np.int64)
    locks = np.zeros(ROWS, dtype=np.int64)
    if not start.on_board:
        return locks
    fill_fits(rows, start.piece, fits)
    begin, rules = start.begin(tempo), input_rules_of(tempo, profile)
    fill_locks(fits, int(LANES[start.piece]), begin, gravity, rules, scratch(), locks, history())
    return locks


def locks_of(locks: Words, piece: int) -> list[tuple[int, int, int]]:
    """Returns the locks of packed words as (orientation, column, row), topmost row first, then by lane and column."""
    found = []
    for row, word in enumerate(locks):
        for lane in range(int(LANES[piece])):
            columns = int(word) >> (LANE * lane) & FULL_ROW
            orientation = int(ORIENTATION_OF_LANE[piece, lane])
            found += [(orientation, column, row) for column in range(columns.bit_length()) if columns >> column & 1]
    return found
