"""The called piece is the drawn one: on every spawn of the recorded games, and of the simulator with pauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from emubot.games.tetris.foresight.draws import Generator, draws
from emubot.games.tetris.foresight.spawns import wait_after
from emubot.games.tetris.rules import PIECE_OF
from emubot.trace import Trace, read_trace
from tests import paths

RECORDED = sorted(paths.RECORDED.glob("*.npz"))
SPAWNS = 307  # in all recorded games together


class Spawn(NamedTuple):
    """A lock and the spawn after it, in rows of a trace."""

    locked: int
    spawned: int


def spawns(trace: Trace) -> Iterator[Spawn]:
    state, locked = trace.column("play_state"), None
    for row in range(1, trace.frames):
        if state[row - 1] == 1 and state[row] == 2:
            locked = row
        elif state[row - 1] == 8 and state[row] == 1 and locked is not None:
            yield Spawn(locked, row)


def generator_in(trace: Trace, row: int) -> Generator:
    """The generator in the frame of a row: these recordings show each frame with the next vertical blank."""
    hi, lo, spawn_id, spawn_count = (int(trace.column(name)[row - 1]) for name in GENERATOR)
    return Generator(hi << 8 | lo, spawn_id, spawn_count)


GENERATOR = ("lfsr_hi", "lfsr_lo", "spawn_id", "spawn_count")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_spawn_of_the_recorded_games_is_called(path: Path) -> None:
    """From the frame of the lock: when the next piece spawns, and which piece is drawn then."""
    trace = read_trace(path)
    called, drawn = [], []
    for lock, spawn in spawns(trace):
        cleared = int(trace.column("completed_lines")[lock:spawn].max())
        wait = wait_after(int(trace.column("y")[lock]), cleared, int(trace.column("frame_lo")[lock - 1]))
        called.append((lock + wait.spawn, draws(generator_in(trace, lock), wait.spawn + 1)[-1]))
        drawn.append((spawn, int(PIECE_OF[trace.column("next_piece")[spawn]])))
    assert called == drawn
    assert called


def test_the_recorded_games_have_so_many_spawns() -> None:
    assert sum(len([*spawns(read_trace(path))]) for path in RECORDED) == SPAWNS
