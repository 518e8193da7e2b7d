"""Recordings: what was played is on the disk while it is played, and stays there however the program ends."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from emubot import Goal, Pilot
from emubot.bridges.libretro import connect
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.cli.compiling import compile_kernels
from emubot.demos import image
from emubot.errors import EmubotError, StorageError
from emubot.pad import Pad
from emubot.pilot import Skill
from emubot.pilot.recording import Recording
from emubot.rammap import load_map
from emubot.tempo import tempo_for_speed
from emubot.trace import read_trace
from emubot.weights import load_weights
from tests.bridges.cores import in_each_core, require_core
from tests.families import default_edition, whole_game
from tests.movies.test_fm2 import Keeper, simulated

GAME, MAP = whole_game("tetris"), load_map("nes_tetris_usa")
WEIGHTS = load_weights("meatfighter")
PLAY = "--demo tetris --bridge simulated --view none --weights meatfighter".split()
SECOND = 60  # frames

pytestmark = pytest.mark.jit


class Clock:
    """Seconds that pass with the console's frames, however long they take."""

    def __init__(self, bridge: SimulatedBridge) -> None:
        self.bridge = bridge

    def __call__(self) -> float:
        return self.bridge.frame / SECOND


def recording(
    bridge: SimulatedBridge, path: Path, force: bool = False, pieces: int | None = None
) -> tuple[Pilot, Recording]:
    pilot = Pilot(bridge, Goal(pieces=pieces), GAME.open(MAP), Skill(WEIGHTS, tempo_for_speed(10)))
    about = {"game": "tetris", "map": MAP.name, "core": "FCEUmm x", "bridge": "simulated"}
    return pilot, Recording(path, pilot, "nmi-game", about, force, Clock(bridge))


def play(pilot: Pilot, frames: int) -> None:
    for _ in range(frames):
        pilot.step()


def test_each_second_is_on_the_disk_and_no_longer_in_memory(tmp_path: Path) -> None:
    bridge = simulated(Keeper)
    path, part = tmp_path / "game.npz", tmp_path / "game.npz.part"
    pilot, made = recording(bridge, path)
    assert made.part == part
    play(pilot, 400)
    running = read_trace(part)
    assert running.frames >= made._recorder.rows - SECOND > 100
    assert len(running.inputs) >= bridge.frame - SECOND
    assert len(made._recorder.collected[1]) <= SECOND
    assert len(running.plans)
    assert not path.exists()
    made.close()
    assert [file.name for file in tmp_path.iterdir()] == ["game.npz"]
    written = read_trace(path)
    assert written.frames == made._recorder.rows or written.frames > running.frames
    for name in ("state", "page", "pads", "inputs", "plans"):
        before, after = getattr(running, name), getattr(written, name)
        np.testing.assert_array_equal(after[: len(before)], before)
    assert written.about == running.about
    assert (
        default_edition(GAME.name).recorder.verify(running)
        == default_edition(GAME.name).recorder.verify(written)
        == (0, -1)
    )


def test_a_reset_discards_the_rows_on_the_disk_too(tmp_path: Path) -> None:
    bridge = simulated(Keeper)
    pilot, made = recording(bridge, tmp_path / "game.npz")
    play(pilot, 300)
    assert made.part is not None
    assert read_trace(made.part).frames > 100
    bridge.epoch += 1
    bridge.another = True  # type: ignore[attr-defined]
    play(pilot, 2 * SECOND)
    running = read_trace(made.part)
    assert running.frames <= 2 * SECOND
    assert len(running.inputs) == 0
    made.close()


def test_the_pads_of_an_unfinished_game_play_it_again_on_the_simulator(tmp_path: Path) -> None:
    pilot, made = recording(simulated(Keeper), tmp_path / "game.npz")
    play(pilot, 500)
    assert made.part is not None
    running = read_trace(made.part)
    made.close()
    again = simulated(SimulatedBridge)
    rows = []
    for held in running.inputs:
        for port in (0, 1):
            again.press(port, Pad(int(held[port])))
        again.advance()
        rows.append(np.frombuffer(again.read("ram", 0, 2048), dtype=np.uint8)[running.address])
    np.testing.assert_array_equal(rows[-running.frames :], running.state)


@in_each_core("core", quick="fceumm")
def test_a_movie_of_an_unfinished_game_plays_it_again_in_its_core(tmp_path: Path, core: str) -> None:
    """What `export --fm2` writes of FILE.part, frame by frame from power-on, ends where the file ends."""
    rom, name = image("tetris"), str(require_core(core))
    with connect(rom=rom, core=name, emu_speed=None) as bridge:
        pilot = Pilot(bridge, Goal(games=None), skill=Skill(WEIGHTS))
        about = {"game": "tetris", "core": bridge.facts.emulator, "rom": bridge.facts.rom_identity}
        made = Recording(tmp_path / "game.npz", pilot, "nmi-game", about, clock=lambda: bridge.frame / SECOND)
        play(pilot, 1000)
        part, movie = tmp_path / "game.npz.part", tmp_path / "game.fm2"
        running = read_trace(part)
        assert main(["trace", "export", str(part), "--fm2", str(movie), "-q"]) == 0
        made.close()
    assert running.frames > 300
    lines = [line for line in movie.read_text(encoding="ascii").splitlines() if line.startswith("|")]
    letters = "RLDUTSBA"
    held = [[sum(1 << letters.index(c) for c in port if c != ".") for port in line.split("|")[2:4]] for line in lines]
    held = held[len(held) - len(running.inputs) :]  # a movie of another core begins with frames for FCEUX
    with connect(rom=rom, core=name, emu_speed=None) as bridge:
        rows = []
        for pads in held:
            for port in (0, 1):
                bridge.press(port, Pad(pads[port]))
            bridge.advance()
            rows.append(np.frombuffer(bridge.read("ram", 0, 2048), dtype=np.uint8)[running.address])
    np.testing.assert_array_equal(rows[-running.frames :], running.state)


# How a program ends.


def emubot(*words: str | Path, cwd: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "emubot", *map(str, words)]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows_of(path: Path) -> int:
    try:
        return read_trace(path).frames
    except EmubotError:
        return -1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.xdist_group("signals")
@pytest.mark.parametrize("how", ["kill -9", pytest.param("Ctrl-C twice", marks=pytest.mark.slow)])
def test_a_killed_program_leaves_the_game_it_was_recording(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    file, part = tmp_path / "game.npz", tmp_path / "game.npz.part"
    compile_kernels(default_edition(GAME.name), quiet=True)  # what takes longest, on a machine that is busy
    with emubot("play", *PLAY, "--emu-speed", "2", "--record", "game.npz", cwd=tmp_path) as child:
        deadline = time.monotonic() + 120
        while (seen := rows_of(part)) < 150 and time.monotonic() < deadline:
            assert child.poll() is None
            time.sleep(0.05)
        if how == "kill -9":
            child.kill()
        else:
            child.send_signal(signal.SIGINT)
            time.sleep(0.01)
            child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
    left = part if how == "kill -9" else next(path for path in (file, part) if path.exists())
    trace = read_trace(left)
    assert trace.frames >= seen >= 150
    assert default_edition(GAME.name).recorder.verify(trace) == (0, -1)
    assert main(["trace", "show", str(left)]) == 0
    assert "bridge simulated" in capsys.readouterr().out
    if left == part:
        assert not file.exists()
        before = part.read_bytes()
        assert main(["play", *PLAY, "--emu-speed", "max", "--pieces", "5", "--record", str(file)]) == 0
        assert f"{part} holds a game that was not finished" in caplog.text
        assert part.read_bytes() == before
        assert {path.name for path in tmp_path.iterdir()} == {"game.npz", "game.npz.part"}
        assert read_trace(file).frames > 100


def test_what_cannot_be_written_at_the_end_stays_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.npz"

    def full(path: Path, content: bytes) -> None:
        raise StorageError(f"{path} cannot be written: No space left on device.")

    monkeypatch.setattr("emubot.trace.archive.write_whole", full)
    assert main(["play", *PLAY, "--emu-speed", "max", "--pieces", "5", "--record", str(file)]) == 4
    figures, _, told = capsys.readouterr().err.splitlines()
    assert figures.startswith("pieces: 5 pieces, ")
    assert f'No space left on device; the game is kept in {file}.part, which "emubot trace" reads as it is.' in told
    assert read_trace(tmp_path / "game.npz.part").frames > 100
    assert not file.exists()


def test_a_disk_that_fills_during_the_game_leaves_the_game_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pilot, made = recording(simulated(Keeper), tmp_path / "game.npz")
    play(pilot, 400)
    assert made.part is not None
    part, before = made.part, read_trace(made.part).frames

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StorageError, match="No space left on device; the game is kept in"):
            play(pilot, 2 * SECOND)
        made.close()
    assert read_trace(part).frames >= before > 100


def test_an_emulator_that_fails_leaves_a_whole_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    advance = SimulatedBridge.advance

    def failing(bridge: SimulatedBridge) -> int:
        if bridge.frame == 300:
            raise EmubotError("The console is on fire.")
        return advance(bridge)

    monkeypatch.setattr(SimulatedBridge, "advance", failing)
    assert main(["play", *PLAY, "--emu-speed", "max", "--record", str(tmp_path / "game.npz")]) == 1
    assert "on fire" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["game.npz"]
    assert read_trace(tmp_path / "game.npz").frames > 200


def test_a_session_that_cannot_begin_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise EmubotError("No window.")

    monkeypatch.setattr("emubot.cli.play.shown", fails)
    assert main(["play", *PLAY, "--record", str(tmp_path / "game.npz")]) == 1
    assert "No window." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# Files that are there already.


def test_a_file_that_is_there_is_refused_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("emubot.cli.play._play", lambda *_: pytest.fail("it began to play"))
    file = tmp_path / "game.npz"
    second = tmp_path / "game-player2.npz"
    second.write_bytes(b"another's game")
    assert main(["play", *PLAY, "AIvsAI", "--record", str(file)]) == 2
    assert "game-player2.npz is there already" in capsys.readouterr().err
    file.write_bytes(b"an old game")
    for words in (["play", *PLAY, "--record", str(file)], ["trace", "record", str(file), *PLAY]):
        assert main(words) == 2
        assert "game.npz is there already: name another file, or replace it with --force." in capsys.readouterr().err
    assert file.read_bytes() == b"an old game"
    assert second.read_bytes() == b"another's game"


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices with names")
@pytest.mark.parametrize("more", [[], ["--force"]])
def test_a_device_is_never_recorded_to(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *PLAY, "--record", "/dev/null", *more]) == 2
    assert "/dev/null is a device" in capsys.readouterr().err


def test_with_force_the_file_is_replaced_at_the_end_and_no_other(tmp_path: Path) -> None:
    """Games after the first take the next free number."""
    path, second = tmp_path / "game.npz", tmp_path / "game-2.npz"
    path.write_bytes(b"an old game")
    second.write_bytes(b"an old second game")
    bridge = simulated(Keeper)
    pilot, made = recording(bridge, path, force=True)
    play(pilot, 300)
    assert path.read_bytes() == b"an old game"
    made.close()
    play(pilot, 300)
    made.close()
    assert made.paths == [path, tmp_path / "game-3.npz"]
    assert all(read_trace(file).frames > 100 for file in made.paths)
    assert [read_trace(file).about["number"] for file in made.paths] == [1, 2]
    assert second.read_bytes() == b"an old second game"
    assert len(list(tmp_path.iterdir())) == 3


def test_a_file_that_came_during_the_game_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.npz"
    pilot, made = recording(simulated(Keeper), path)
    play(pilot, 300)
    path.write_bytes(b"another program's")
    made.close()
    assert made.paths == [tmp_path / "game-2.npz"]
    assert path.read_bytes() == b"another program's"


def test_a_game_longer_than_a_trace_may_be_goes_on_in_the_next_file(tmp_path: Path) -> None:
    pilot, made = recording(simulated(Keeper), tmp_path / "game.npz")
    made._most_rows = 150
    play(pilot, 500)
    made.close()
    traces = [read_trace(path) for path in made.paths]
    assert [trace.frames for trace in traces[:-1]] == [150] * (len(traces) - 1)
    assert len(traces) > 2
    assert all(default_edition(GAME.name).recorder.verify(trace) == (0, -1) for trace in traces)


def test_json_names_what_was_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.npz"
    file.write_bytes(b"an old game")
    words = ["trace", "record", "--force", str(file), *PLAY, "--emu-speed", "max", "--pieces", "3", "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["recorded"] == [str(file)]
    assert read_trace(file).frames > 50
