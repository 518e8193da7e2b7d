"""The main job on real input: the demo cartridge in each real core, the bot at its pad, every frame checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.demos import image
from emubot.games.strength import Strength
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.pilot.recording import Recording
from emubot.rammap import load_map
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import tempo_for_speed
from emubot.trace import read_trace
from tests.bridges.cores import in_each_core, require_core
from tests.families import default_edition, whole_game
from tests.pilot.recount import recount

GAME = whole_game("tetris")
MAP = load_map(GAME.facts.default_map)
DECODE = GAME.open(MAP).decoder()
LAG_COUNTER = 0x00E0  # the cartridge counts its own lag frames here, two bytes
FEW = 500  # boards of a decision, where many are made
BUTTONS = (Pad.NONE, Pad.NONE, Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN)


def opened(name: str) -> LibretroBridge:
    return connect(rom=image("tetris"), core=str(require_core(name)), emu_speed=None)


def lag_frames_of(bridge: LibretroBridge) -> int:
    return int.from_bytes(bridge.read("ram", LAG_COUNTER, 2), "little")


def started(bridge: LibretroBridge, level: int) -> Pilot:
    """A pilot on the first play frame, nothing pressed in it yet."""
    pilot = Pilot(bridge, Goal(games=None, menu_choices={"level": level}), skill=Skill(strength=Strength(FEW)))
    while True:
        bridge.advance()
        ram = bridge.read("ram", 0, 2048)
        if DECODE(ram).phase is Phase.PLAYING:
            return pilot
        bridge.press(0, pilot.outside.menu.pads(ram)[0])


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize("pieces", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_piece_from_level_18(name: str, pieces: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the pilot says of itself, and the same counted anew from what was recorded."""
    path = tmp_path / "game.npz"
    words = ["play", "10", "--demo", "tetris", "--level", "18", "--core", str(require_core(name)), "--emu-speed", "max"]
    words += ["--nodes", str(FEW)]
    assert main([*words, "--pieces", str(pieces), "--view", "none", "--json", "--record", str(path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bridge"] == "libretro"
    assert (told["pieces"], told["misplaced"], told["replans"], told["lag_frames"]) == (pieces, 0, 0, 0)
    assert told["lines"] >= 0.25 * pieces  # it builds for Tetrises: 60 pieces may leave eight rows
    assert told["players"][0]["pieces"] == pieces

    traces = [read_trace(Path(recorded)) for recorded in told["recorded"]]
    counts = [recount(trace) for trace in traces]
    assert sum(count.pieces for count in counts) == pieces
    assert sum(count.misplaced + count.replans + count.lag_frames + count.forbidden_pads for count in counts) == 0
    assert sum(count.lines for count in counts) == told["lines"]
    assert [default_edition(GAME.name).recorder.verify(trace) for trace in traces] == [(0, -1)] * len(traces)


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize("pieces", [30, pytest.param(1010, marks=pytest.mark.slow)])
def test_every_piece_is_called_before_it_is_drawn(
    name: str, pieces: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the generator known: pauses and soft drop choose the pieces, and the record replays to the same game."""
    path = tmp_path / "game.npz"
    words = ["play", "--demo", "tetris", "--level", "18", "--core", str(require_core(name)), "--emu-speed", "max"]
    words += ["--rng", "aware", "--taps", "12hz", "--pieces", str(pieces), "--view", "none", "--json"]
    assert main([*words, "--record", str(path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rng"] == "aware"
    assert (told["pieces"], told["misplaced"], told["replans"], told["lag_frames"]) == (pieces, 0, 0, 0)
    assert told["called_right"] == told["called"] >= pieces - told["games"] - 1, "all but the first and last of a game"
    traces = [read_trace(Path(recorded)) for recorded in told["recorded"]]
    assert [trace.about["rng"] for trace in traces] == ["aware"] * len(traces)
    assert [default_edition(GAME.name).recorder.verify(trace) for trace in traces] == [(0, -1)] * len(traces)
    starts = sum(int((trace.pads[:, 0] & Pad.START != 0).sum()) for trace in traces)
    assert starts == 2 * told["pauses"] > 0
    edges = [np.flatnonzero(trace.pads[:, 0] & (0xFF ^ Pad.DOWN)) for trace in traces]
    assert min(int(np.diff(frames).min()) for frames in edges) >= 5, "START is an input like the others"


def mashed(seed: int) -> Callable[[Pad], Pad]:
    """Instead of what the bot wants: random buttons on every other frame, now and then a pause."""
    rng = np.random.default_rng(seed)
    frame = 0

    def pad(wanted: Pad) -> Pad:
        nonlocal frame
        frame += 1
        if rng.random() < 0.01:
            return Pad.START
        return BUTTONS[rng.integers(len(BUTTONS))] if frame % 2 else Pad.NONE

    return pad


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize("longest", [250, pytest.param(4000, marks=pytest.mark.slow)])
def test_ten_recorded_games_are_the_simulators_games(name: str, longest: int, tmp_path: Path) -> None:
    """Bots fast and slow, and mashed buttons with pauses, from level 0 to 19, each to its end or so many frames."""
    frames = 0
    with opened(name) as bridge:
        for number, (level, speed) in enumerate([(0, 10), (5, 6), (9, 3), (12, 4), (16, 2), (18, 0), (19, 10)]):
            pilot = Pilot(
                bridge,
                Goal(menu_choices={"level": level}),
                skill=Skill(tempo=tempo_for_speed(speed), strength=Strength(FEW)),
            )
            recording = Recording(tmp_path / f"bot{number}.npz", pilot, "nmi-game", {})
            play(bridge, pilot, longest)
            recording.close()
            bridge.reset()
        for number, level in enumerate((0, 9, 18)):
            pilot = Pilot(bridge, Goal(menu_choices={"level": level}), skill=Skill(strength=Strength(FEW)))
            recording = Recording(tmp_path / f"mashed{number}.npz", pilot, "nmi-game", {})
            play(bridge, pilot, longest, mashed(number))
            recording.close()
            bridge.reset()
        assert lag_frames_of(bridge) == 0
    paths = sorted(tmp_path.glob("*.npz"))
    assert len(paths) == 10
    for path in paths:
        trace = read_trace(path)
        frames += trace.frames
        assert default_edition(GAME.name).recorder.verify(trace) == (0, -1), path.name
    assert frames > (15_000 if longest == 4000 else 1_000)


def play(bridge: LibretroBridge, pilot: Pilot, frames: int, instead: Callable[[Pad], Pad] | None = None) -> None:
    """Let the pilot play up to so many frames; `instead` overrules its pads while a game is in play."""
    real_press = bridge.press

    def press(port: int, pad: Pad) -> None:
        in_play = instead and DECODE(bridge.read("ram", 0, 2048)).phase not in (Phase.MENU, Phase.OVER)
        real_press(port, instead(pad) if instead and in_play else pad)

    bridge.press = press  # type: ignore[method-assign]
    try:
        for _ in range(frames):
            if pilot.finished:
                return
            pilot.step()
    finally:
        del bridge.press
        bridge.press(0, Pad.NONE)


def shown(snapshot: Snapshot) -> tuple[object, ...]:
    cells = (snapshot.playfield.tobytes(), snapshot.hidden.tobytes())
    return snapshot.phase, snapshot.state, snapshot.current, snapshot.next, snapshot.counters, cells


def scripted(name: str, frames: int) -> Iterator[tuple[object, ...]]:
    rng = np.random.default_rng(12)
    with opened(name) as bridge:
        started(bridge, level=9)
        for frame in range(frames):
            bridge.press(0, BUTTONS[rng.integers(len(BUTTONS))] if frame % 2 else Pad.NONE)
            bridge.advance()
            yield shown(DECODE(bridge.read("ram", 0, 2048)))
        assert lag_frames_of(bridge) == 0


@pytest.mark.parametrize("frames", [400, pytest.param(1500, marks=pytest.mark.slow)])
def test_both_cores_show_the_same_states_for_the_same_script(frames: int) -> None:
    """From the first play frame on, the same buttons."""
    shown = zip(scripted("nestopia", frames), scripted("fceumm", frames), strict=True)
    assert [frame for frame, (first, second) in enumerate(shown) if first != second] == []


@in_each_core("name", quick="nestopia")
@pytest.mark.parametrize("pieces", [25, pytest.param(60, marks=pytest.mark.slow)])
def test_the_simulated_bridge_makes_the_same_placements(name: str, pieces: int) -> None:
    """Started from the core's RAM on its first play frame, piece by piece."""
    with opened(name) as bridge:
        pilot = started(bridge, level=18)
        machine = TetrisMachine(MAP, None)
        machine.load(bridge.read("ram", 0, 2048))
        real = placements(pilot, pieces)
    again = Pilot(SimulatedBridge(machine), Goal(games=None), GAME.open(MAP), Skill(strength=Strength(FEW)))
    simulated = placements(again, pieces)
    assert len(real) == pieces
    assert real == simulated


def placements(pilot: Pilot, pieces: int) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    pilot.on_plan.append(lambda p: found.append((p.orientation, p.column, p.row)))
    while len(found) < pieces:
        pilot.step()
    return found
