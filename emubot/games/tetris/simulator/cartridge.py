"""The simulated cartridge as a part of an edition: makes machines, times and compiles its frames; knows no search."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.simulator import play_states
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.games.tetris.timing import NTSC
from emubot.rammap import RamMap

_TIMED_FRAMES: Final = 700  # about the length of a game with random pads at level 18


class TetrisSimulator:
    """Makes machines of one map. One without the timing of a release has none, and says so."""

    def __init__(self, ram_map: RamMap) -> None:
        self._map = ram_map

    def machine(self, rng: np.random.Generator | None, even: bool = False) -> TetrisMachine:
        """Returns a machine; see TetrisMachine."""
        return TetrisMachine(self._map, rng, even)

    def time(self, frames: int) -> float:
        """Returns the CPU time in seconds of this number of frames at level 18 with random pads."""
        rng = np.random.default_rng(0)
        held = rng.choice(np.array([0, 0, 0, 0x01, 0x02, 0x04, 0x40, 0x80], dtype=np.uint8), size=_TIMED_FRAMES)
        held[1::2] = 0
        pads = np.stack([held & ~np.roll(held, 1), held], axis=1).copy()
        nothing = (np.zeros((0, len(reg.FIELDS)), dtype=np.uint8), np.zeros((0, reg.PAGE_SIZE), dtype=np.uint8))
        started = time.process_time()
        for _ in range(frames // _TIMED_FRAMES):
            state, page = _opening()
            sim.replay(state, page, pads, True, NTSC, *nothing)
        return time.process_time() - started


def _opening() -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns the state and the page of a game at level 18 in its first frame."""
    values = {"x": 5, "piece": 2, "next_piece": 18, "level": 18, "play_state": 1, "vram_row": 32, "lfsr_hi": 0x89}
    values |= {"game_mode": reg.MODE_PLAY, "game_mode_state": reg.MODE_STATE_PLAY}
    state = np.array([values.get(name, 0) for name in reg.FIELDS], dtype=np.uint8)
    return state, np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)


def compile_once() -> None:
    """Compile every kernel of the simulator."""
    state, page = _opening()
    sim.step_frame(state, page, 0, 0, NTSC)
    sim.nmi_part(state)
    play_states.choose_piece(state)
    play_states.step_lfsr(0, 1)
    trace_rows = (np.zeros((1, len(reg.FIELDS)), dtype=np.uint8), np.zeros((1, reg.PAGE_SIZE), dtype=np.uint8))
    sim.replay(state, page, np.zeros((1, 2), dtype=np.uint8), True, NTSC, *trace_rows)
