"""Where a piece is and what hands hold as a search begins, and the locks it can reach; knows no evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import FULL_ROW, LANE, LANE_OF, LANES, ORIENTATION_OF_LANE, Rows, Words, fill_fits
from emubot.games.tetris.reach import das, taps
from emubot.games.tetris.rules import COLUMNS, PIECE_OF, ROWS, SPAWN_COLUMN, SPAWN_ROW, Profile
from emubot.jit import Scalar, kernel
from emubot.pad import HORIZONTAL, Pad
from emubot.tempo import MAX_PERIOD, Tempo

# Indices of `begin`, int64[10]: a Start as kernels take it.
(
    LANE_AT,
    COLUMN_AT,
    ROW_AT,
    FALL_TIMER_AT,
    WAIT_AT,
    LIMITER_AT,
    TURN_LIMITER_AT,
    DIRECTION_AT,
    CHARGE_AT,
    FREE_HOLD_AT,
) = range(10)
BEGIN_SIZE: Final = 10
# Indices of `input_rules`, int64[5]: a Tempo and the profile's DAS as kernels take them.
REACTION_AT, PERIOD_AT, USES_DAS_AT, DAS_INITIAL_AT, DAS_RESET_AT = range(5)

NO_HISTORY: Final = np.zeros((0, 1), dtype=np.int64)
NO_DAS_HISTORY: Final = np.zeros((0, das.BLOCKS, das.WAITS), dtype=np.int64)
NO_ROWS: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Start:
    """The piece before the first frame that is planned; all as the game's RAM has it after the frame before.

    `held` is the pad of that frame. `limiter`: frames before the next edge is allowed (with DAS: the next direction
    edge), `turn_limiter`: the same for rotation edges with DAS. `free_hold`: the piece is yet to spawn, so that with
    DAS either direction may be held from before its first frame, whatever `held` says.
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
        """Whether the pivot stands on the visible board; RAM may say otherwise, and then nothing can be searched."""
        return 0 <= self.column < COLUMNS and 0 <= self.row < ROWS

    def begin(self, tempo: Tempo) -> Words:
        """The same as int64[10] for kernels. A button that is held cannot be tapped anew in the first frame."""
        direction = das.RIGHT if self.held & Pad.RIGHT else das.LEFT if self.held & Pad.LEFT else das.NEUTRAL
        turning = 1 if self.held & (Pad.A | Pad.B) else 0
        wait = 256 - self.autorepeat_y if self.autorepeat_y >= 128 else 0
        busy = 1 if (turning or self.held & HORIZONTAL) and not tempo.das else 0
        values = (
            int(LANE_OF[self.orientation]),
            self.column,
            self.row,
            self.fall_timer,
            wait,
            max(self.limiter, busy),
            max(self.turn_limiter, turning),
            direction,
            self.das,
            int(self.free_hold),
        )
        return np.array(values, dtype=np.int64)


def input_rules_of(tempo: Tempo, profile: Profile) -> Words:
    """A tempo under a release's DAS rules, as int64[5] for kernels."""
    values = (tempo.reaction, tempo.period, int(tempo.das), profile.das_initial, profile.das_reset)
    return np.array(values, dtype=np.int64)


def gravity_at(level: int, profile: Profile) -> int:
    """Frames per row at a level."""
    return profile.gravity[min(level, len(profile.gravity) - 1)]


@kernel
def fill_locks(
    fits: Words,
    lanes: Scalar,
    begin: Words,
    gravity: Scalar,
    input_rules: Words,
    tap_words: Words,
    das_words: NDArray[np.int64],
    locks: Words,
    tap_history: NDArray[np.int64],
    das_history: NDArray[np.int64],
    history_rows: Words,
) -> Scalar:
    """Fill locks (20,) with either style of hands; see taps.reach_taps and das.reach_das."""
    bit = np.int64(1) << (LANE * begin[LANE_AT] + begin[COLUMN_AT])
    row, fall_timer, wait = begin[ROW_AT], begin[FALL_TIMER_AT], begin[WAIT_AT]
    limiter, turn_limiter = begin[LIMITER_AT], begin[TURN_LIMITER_AT]
    if input_rules[USES_DAS_AT]:
        return das.reach_das(
            fits,
            lanes,
            bit,
            row,
            fall_timer,
            wait,
            gravity,
            limiter,
            turn_limiter,
            begin[DIRECTION_AT],
            begin[CHARGE_AT],
            begin[FREE_HOLD_AT] != 0,
            input_rules[DAS_INITIAL_AT],
            input_rules[DAS_RESET_AT],
            das_words,
            locks,
            das_history,
            history_rows,
        )
    return taps.reach_taps(
        fits,
        lanes,
        bit,
        row,
        fall_timer,
        wait,
        gravity,
        limiter,
        input_rules[PERIOD_AT],
        tap_words,
        locks,
        tap_history,
        history_rows,
    )


def scratch() -> tuple[Words, NDArray[np.int64]]:
    """The working memory of `fill_locks`: tap_words and das_words."""
    return np.zeros(MAX_PERIOD, dtype=np.int64), np.zeros((2, das.BLOCKS, das.WAITS), dtype=np.int64)


def reach(rows: Rows, start: Start, gravity: int, tempo: Tempo, profile: Profile) -> Words:
    """All locks of the piece, as int64[20] packed words by pivot row (see board.py); `gravity` in frames per row.

    Tucks and spins are among them; a piece that still overlaps the stack as its drop fails is no lock but the end.
    """
    fits = np.zeros(ROWS + 1, dtype=np.int64)
    locks = np.zeros(ROWS, dtype=np.int64)
    if not start.on_board:
        return locks
    fill_fits(rows, start.piece, fits)
    fill_locks(
        fits,
        int(LANES[start.piece]),
        start.begin(tempo),
        gravity,
        input_rules_of(tempo, profile),
        *scratch(),
        locks,
        NO_HISTORY,
        NO_DAS_HISTORY,
        NO_ROWS,
    )
    return locks


def locks_of(locks: Words, piece: int) -> list[tuple[int, int, int]]:
    """The locks of packed words as (orientation, column, row), topmost row first, then by lane and column."""
    found = []
    for row, word in enumerate(locks):
        for lane in range(int(LANES[piece])):
            columns = int(word) >> (LANE * lane) & FULL_ROW
            orientation = int(ORIENTATION_OF_LANE[piece, lane])
            found += [(orientation, column, row) for column in range(columns.bit_length()) if columns >> column & 1]
    return found
