"""A cartridge that keeps its field in its own memory and its counters in the console's is played and recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot import Goal, Pilot, games
from emubot.bridges.simulated import SimulatedBridge
from emubot.datafiles import shipped
from emubot.errors import TraceError, UsageError
from emubot.games.recorded import memory_of
from emubot.pilot import Skill
from emubot.pilot.recording import Recording
from emubot.rammap import parse_map
from emubot.tempo import tempo_for_speed
from emubot.trace import read_trace
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game
from tests.games.tetris.random_cartridges import TIMED, Stranger, stranger_map

IN_WRAM = ("  at: 0x0300", "  at: 0x6300")
GAME = games.game("tetris")


@pytest.mark.jit
def test_a_field_in_wram_beside_counters_in_ram_is_played_to_the_frame() -> None:
    ram_map = stranger_map(TIMED, IN_WRAM)
    assert ram_map.spaces == ("ram", "wram")
    machine = Stranger(ram_map, seed=2)
    bridge = SimulatedBridge(machine)
    assert bridge.facts.spaces == {"ram": (0, 0x800), "wram": (0x6000, 0x2000)}
    pilot = Pilot(bridge, Goal(60, None), GAME.open(ram_map), Skill(load_weights("dt10"), tempo_for_speed(10)))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (60, 0, 0, 0)
    assert tally.lines == machine.lines > 15


@pytest.mark.jit
def test_a_recording_names_its_spaces_and_its_frames_come_back(tmp_path: Path) -> None:
    ram_map = stranger_map(IN_WRAM)
    pilot = Pilot(SimulatedBridge(Stranger(ram_map, seed=2)), Goal(games=None), GAME.open(ram_map))
    made = Recording(tmp_path / "game.npz", pilot, "nmi-game", {"game": "tetris"})
    images: list[bytes] = []
    pilot.on_frame.append(lambda ram, snapshot: images.append(ram))
    for _ in range(300):
        pilot.step()
    made.close()
    trace = read_trace(tmp_path / "game.npz")
    assert trace.about["spaces"] == ["ram", "wram"]
    decode, row = GAME.open(ram_map).decoder(), trace.frames - 1
    shown, was = decode(memory_of(trace, row, ram_map)), decode(images[-1])
    assert (shown.phase, shown.current, shown.counters) == (was.phase, was.current, was.counters)
    assert np.array_equal(shown.playfield, was.playfield)
    with pytest.raises(TraceError, match="does not fit the map stranger"):
        memory_of(trace, row, stranger_map())


def test_a_bridge_with_ram_alone_says_what_is_missing() -> None:
    bridge = SimulatedBridge(Stranger(stranger_map(), seed=2))
    with pytest.raises(UsageError, match="This map needs a bridge with wram, and simulator shows only ram"):
        Pilot(bridge, Goal(1, None), GAME.open(stranger_map(IN_WRAM)))


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        (
            "nes_tetris_usa",
            {
                "at: [0x0400, 0x0500]": "at: [0x6400, 0x6500]",
                "0x04EC, 0x05EC": "0x64EC, 0x65EC",
                "0x04F6, 0x05F6": "0x64F6, 0x65F6",
            },
        ),
        ("demo_pairs", {"0x0312, 0x0412": "0x6312, 0x6412", "0x0302, 0x0402": "0x6302, 0x6402"}),
    ],
)
def test_a_simulator_writes_both_memories(name: str, changes: dict[str, str]) -> None:
    """The same game as with the whole map in ram."""
    text = (shipped("ram_maps") / f"{name}.yaml").read_text(encoding="utf-8")
    moved = text
    for before, after in changes.items():
        assert before in moved
        moved = moved.replace(before, after)
    results = []
    for ram_map in (parse_map(text, name), parse_map(moved, name)):
        game = whole_game(ram_map.family)
        bridge = SimulatedBridge(whole_edition(ram_map).simulator.machine(np.random.default_rng(3)))
        assert tuple(bridge.facts.spaces) == ram_map.spaces
        pilot = Pilot(bridge, Goal(12, None), game.open(ram_map))
        tally = pilot.run()
        results.append((tally.pieces, tally.misplaced, tally.replans, tally.score, pilot.frames, ram_map.spaces))
    assert results[0][:-1] == results[1][:-1]
    assert [one[-1] for one in results] == [("ram",), ("ram", "wram")]
