"""The called piece is the drawn one: on every spawn of the recorded games, and of the simulator with pauses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from emubot.errors import UsageError
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.foresight.calls import Caller
from emubot.games.tetris.foresight.draws import GeneratorState, draws
from emubot.games.tetris.foresight.search import GeneratorReader
from emubot.games.tetris.foresight.spawns import wait_after
from emubot.games.tetris.rules import NES_NTSC, PIECE_OF
from emubot.games.tetris.trials.aware_trial import AwareTrial
from emubot.pad import Pad
from emubot.rammap import load_map
from emubot.snapshot import Placement, Step
from emubot.tempo import InputState, Tempo, parse_taps
from emubot.trace import Trace, read_trace
from emubot.weights import load_weights
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


def generator_in(trace: Trace, row: int) -> GeneratorState:
    """The generator in the frame of a row: these recordings show each frame with the next vertical blank."""
    hi, lo, spawn_id, spawn_count = (int(trace.column(name)[row - 1]) for name in GENERATOR)
    return GeneratorState(hi << 8 | lo, spawn_id, spawn_count)


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


@pytest.mark.jit
def test_the_simulated_cartridge_draws_what_was_called() -> None:
    """Games with soft drop and pauses, at two tap rates: every piece called is drawn, and pieces are chosen."""
    for taps, level in (("12hz", 18), ("30hz", 19)):
        trial = AwareTrial(NES_NTSC, parse_taps(taps), level, 8, nodes=1)
        (result,) = trial.play([load_weights("nes_tetris")], [5])
        reached = dict(zip(trial.figures, result.tolist(), strict=True))
        assert reached["called"] == reached["called_right"] == reached["pieces"] - 1
        assert (reached["lines"], reached["tetrises"]) == (8, 2), "it clears nothing but Tetrises"
        assert reached["score"] == 2 * 1200 * (level + 1)
        assert reached["pauses"] > 0


@pytest.mark.parametrize("period", [2, 5, 6])
def test_a_pause_calls_any_other_piece_and_keeps_to_the_tempo(period: int) -> None:
    """From a lock just after a tap: all pieces are within reach, and START is an edge like the others.

    The same piece again is not: with this number of draws both rolls never agree on it.
    """
    tempo = Tempo(0, period, das=False, name="")
    shift = [Step(Pad.LEFT if frame == 23 else Pad.NONE, 10, 4, 18) for frame in range(24)]
    way = Placement(10, 4, 18, tuple(shift))
    caller = Caller(GeneratorState(0x8988, 2, 1), InputState(), tempo, len(shift))
    calls = caller.calls([(way, wait_after(18, 0, 0))])
    assert sorted(calls) == [*range(1, 7)]
    assert sum(not call.starts for call in calls.values()) == 1, "one piece needs no pause"
    for call in calls.values():
        assert len(call.after_lock) == call.spawn - len(shift)
        pads = [step.pad for step in way.timeline] + list(call.after_lock)
        edges = [frame for frame, pad in enumerate(pads) if pad]
        assert min((later - edge for edge, later in itertools.pairwise(edges)), default=period) >= period


def test_snapshots_and_the_blind_search_have_no_generator() -> None:
    ram_map = load_map("nes_tetris_usa")
    assert set(ram_map.document.foresight) == set(GENERATOR)
    assert all(ram_map.document.values[name].hidden_from_search for name in GENERATOR)
    assert not {*GENERATOR} & {*TetrisDecoder(ram_map)(bytes(2048)).counters}


def test_a_map_that_names_no_generator_is_refused(tmp_path: Path) -> None:
    text = (paths.ROOT / "ram_maps" / "nes_tetris_usa.yaml").read_text()
    path = tmp_path / "silent.yaml"
    path.write_text(text.replace("foresight: [lfsr_hi, lfsr_lo, spawn_id, spawn_count]\n", ""))
    with pytest.raises(UsageError, match="does not name the generator"):
        GeneratorReader(load_map(path))
