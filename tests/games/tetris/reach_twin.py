"""The slow, obvious search: every pad in every frame, driving the simulator's own game part over full states."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import ORIENTATION_OF_LANE, Rows
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import PIECE_OF
from emubot.games.tetris.simulator import play_states
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import NTSC, ReleaseTiming
from emubot.pad import Pad
from emubot.tempo import Tempo

LEFT, RIGHT, DOWN, A, B = (int(p) for p in (Pad.LEFT, Pad.RIGHT, Pad.DOWN, Pad.A, Pad.B))


def page_of(rows: Rows) -> NDArray[np.uint8]:
    page = np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)
    for index, mask in enumerate(rows):
        for column in range(10):
            if int(mask) >> column & 1:
                page[(10 * (index - 2) + column) & 0xFF] = 0x7B
    return page


def rows_of(page: NDArray[np.uint8]) -> Rows:
    rows = np.zeros(22, dtype=np.uint16)
    for index in range(22):
        for column in range(10):
            if page[(10 * (index - 2) + column) & 0xFF] < reg.EMPTY:
                rows[index] |= 1 << column
    return rows


def state_of(start: Start, level: int) -> NDArray[np.uint8]:
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    state[reg.GAME_MODE], state[reg.MODE_STATE], state[reg.PLAY_STATE] = 4, 2, 1
    state[reg.VRAM_ROW] = 32
    state[reg.PIECE], state[reg.X], state[reg.Y] = start.orientation, start.column, start.row
    state[reg.FALL_TIMER], state[reg.DAS], state[reg.AUTOREPEAT_Y] = start.fall_timer, start.das, start.autorepeat_y
    state[reg.LEVEL] = level
    state[reg.NEXT_PIECE] = 10
    return state


@numba.njit
def _explore(
    state: NDArray[np.uint8],
    page: NDArray[np.uint8],
    roots: Any,
    das: bool,
    period: int,
    pads: Any,
    timing: ReleaseTiming,
    locks: Any,
) -> int:
    """roots: list of (state key); key packs orientation, x, y, fall timer, das, autorepeat, held, two limiters."""
    seen = set(roots)
    stack = list(roots)
    while stack:
        key = stack.pop()
        shift_wait, turn_wait, held = key & 0xFF, key >> 8 & 0xFF, key >> 16 & 0xFF
        autorepeat, charge, fall = key >> 24 & 0xFF, key >> 32 & 0x1F, key >> 37 & 0xFF
        y, x, piece = key >> 45 & 0x1F, key >> 50 & 0xF, key >> 54 & 0x1F
        for pad in pads:
            new = pad & ~held
            side, turn = pad & (LEFT | RIGHT), pad & (A | B)
            if das:
                if side and pad & DOWN:
                    continue
                shifts, turns = new & (LEFT | RIGHT) != 0, turn != 0
            else:
                if held & (side | turn):
                    continue
                shifts = turns = side != 0 or turn != 0
            if (shifts and shift_wait) or (turns and turn_wait) or (turn & held):
                continue
            state[reg.PLAY_STATE] = 1
            state[reg.PIECE] = piece
            state[reg.X] = x
            state[reg.Y] = y
            state[reg.FALL_TIMER] = fall
            state[reg.DAS] = charge
            state[reg.AUTOREPEAT_Y] = autorepeat
            sim.game_part(state, page, new, pad, timing)
            piece1, x1, y1 = np.int64(state[reg.PIECE]), np.int64(state[reg.X]), np.int64(state[reg.Y])
            if state[reg.PLAY_STATE] == 2:
                if play_states.fits(page, piece1, x1, y1):
                    locks[piece1, x1, y1] = True
                continue
            shift_wait1 = period - 1 if shifts else max(shift_wait - 1, 0)
            turn_wait1 = period - 1 if turns else max(turn_wait - 1, 0)
            code = piece1 << 54 | x1 << 50 | y1 << 45 | np.int64(state[reg.FALL_TIMER]) << 37
            code |= np.int64(state[reg.DAS]) << 32 | np.int64(state[reg.AUTOREPEAT_Y]) << 24
            code |= pad << 16 | turn_wait1 << 8 | shift_wait1
            if code not in seen:
                seen.add(code)
                stack.append(code)
    return len(seen)


def locks_by_search(
    rows: Rows, start: Start, level: int, tempo: Tempo, soft_drop: bool = True, timing: ReleaseTiming = NTSC
) -> tuple[set[tuple[int, int, int]], int]:
    """All (orientation, column, row) that some pads reach, and the number of states looked at."""
    downs = (0, DOWN) if soft_drop else (0,)
    pads = np.array([s | t | d for s in (0, LEFT, RIGHT) for t in (0, A, B) for d in downs], dtype=np.int64)
    helds = (0, LEFT, RIGHT) if start.free_hold and tempo.das else (int(start.held),)
    roots = numba.typed.List(
        [
            start.orientation << 54
            | start.column << 50
            | start.row << 45
            | start.fall_timer << 37
            | start.das << 32
            | start.autorepeat_y << 24
            | held << 16
            | (start.turn_limiter if tempo.das else start.limiter) << 8
            | start.limiter
            for held in helds
        ]
    )
    locks = np.zeros((19, 10, 20), dtype=np.bool_)
    count = _explore(state_of(start, level), page_of(rows), roots, tempo.das, tempo.period, pads, timing, locks)
    return {(int(o), int(x), int(y)) for o, x, y in np.argwhere(locks)}, count


def random_rows(rng: np.random.Generator) -> Rows:
    """A board with a ragged surface, overhangs and holes, sometimes to the top and into the hidden rows."""
    rows = np.zeros(22, dtype=np.uint16)
    top = int(rng.integers(2, 20)) if rng.random() < 0.9 else int(rng.integers(-2, 4))
    density = rng.uniform(0.3, 0.95)
    for row in range(top, 20):
        mask = 0
        for column in range(10):
            if rng.random() < (density if row > top + 2 else density * 0.5):
                mask |= 1 << column
        if mask == 0x3FF:
            mask ^= 1 << int(rng.integers(10))
        rows[row + 2] = mask
    for _ in range(int(rng.integers(0, 4))):  # shafts, so that there is something to fall into and tuck from
        column, until = int(rng.integers(10)), int(rng.integers(5, 22))
        rows[:until] &= np.uint16(0x3FF ^ (1 << column))
    return rows


def random_start(rng: np.random.Generator, tempo: Tempo, spawn: bool) -> Start:
    piece = int(rng.integers(7))
    lanes = [int(o) for o in ORIENTATION_OF_LANE[piece] if o >= 0]
    assert PIECE_OF[lanes[0]] == piece
    if spawn:
        return Start(
            lanes[0],
            autorepeat_y=int(rng.choice([0, 0, 0, 160, 250])),
            das=int(rng.choice([0, 5, 10, 14, 15, 16])),
            held=Pad(int(rng.choice([0, LEFT, RIGHT]))) if tempo.das else Pad.NONE,
            limiter=int(rng.choice([0, 0, 1, 3, 10])),
            turn_limiter=int(rng.choice([0, 0, 2, 9])),
            free_hold=bool(tempo.das and rng.random() < 0.3),
        )
    return Start(
        int(rng.choice(lanes)),
        column=int(rng.integers(10)),
        row=int(rng.integers(0, 15)),
        fall_timer=int(rng.integers(0, 3)),
        das=int(rng.integers(0, 17)),
        held=Pad(int(rng.choice([0, LEFT, RIGHT, DOWN]))) if tempo.das else Pad(int(rng.choice([0, DOWN]))),
        limiter=int(rng.integers(0, tempo.period)),
        turn_limiter=int(rng.integers(0, 6)),
    )
