"""Recorded in a libretro core, exported, replayed in FCEUX: the same bytes in every frame, and the same score."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot import games
from emubot.bridges.libretro import connect
from emubot.cartridge import Cartridge, load_cartridge
from emubot.cli import main
from emubot.demos import image
from emubot.movies import LATER, fm2
from emubot.pad import Pad, legal
from emubot.rammap import map_for_identity
from emubot.trace import Trace, read_trace
from tests.bridges.cores import CORES, ROMS, pad_cartridge, require_core
from tests.bridges.fceux.emulator import fceux
from tests.families import default_edition

pytestmark = [pytest.mark.emulators, pytest.mark.fceux]

SCRIPT = Path(__file__).with_name("replays.lua")
RAM = 2048
BEGUN = 10  # frames until the cartridge has cleared what the RAM is switched on with

both_cores = pytest.mark.parametrize("core", [pytest.param(name, marks=pytest.mark.core(name)) for name in CORES])


def replayed(folder: Path, rom: Path, movie: Path) -> NDArray[np.uint8]:
    """The RAM after each frame of a movie in FCEUX, (frames, 2048); a few further frames may follow."""
    with fceux(folder, rom, "--playmov", str(movie), script=SCRIPT) as emulator:
        written = emulator.wrote("replay")
    # The first write is of the console as it is switched on.
    return np.frombuffer(written, dtype=np.uint8).reshape(-1, RAM)[1:]


def random_play(cartridge: Cartridge, core: Path, frames: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
    """Pads and RAM of each frame from power-on, and the core's name."""
    rng = np.random.default_rng(6)
    pads = [Pad(bits) for bits in range(256) if legal(Pad(bits))]
    seen = []
    with connect(rom=cartridge, core=str(core), emu_speed=None) as bridge:
        bridge.keep_pads()
        for _ in range(frames):
            for port in (0, 1):
                bridge.press(port, pads[rng.integers(len(pads))])
            bridge.advance()
            seen.append(bridge.read("ram", 0, RAM))
        kept = bridge.pads_since_power_on()
        assert kept is not None
        return kept, np.frombuffer(b"".join(seen), dtype=np.uint8).reshape(-1, RAM), bridge.facts.emulator


@both_cores
def test_every_button_of_both_ports_arrives_in_its_frame(tmp_path: Path, core: str) -> None:
    cartridge = pad_cartridge()
    pads, seen, emulator = random_play(cartridge, require_core(core), 400)
    later = LATER[emulator.split(maxsplit=1)[0]]
    movie = tmp_path / "random.fm2"
    movie.write_text(fm2(pads, cartridge.name, cartridge.md5, later), encoding="ascii")
    again = replayed(tmp_path / "fceux", ROMS / "pads.nes", movie)
    differing = (again[later : later + len(seen)] != seen).any(axis=1)[BEGUN:]
    assert not differing.any(), f"first in frame {BEGUN + differing.argmax()}"


@pytest.mark.jit
@both_cores
@pytest.mark.parametrize(
    ("demo", "words"),
    [("tetris", "--level 19 --pieces 40"), ("puyo", "--pieces 30"), ("puyo", "AIvsAI --pieces 30 --nodes 0")],
    ids=["tetris", "puyo", "two at puyo"],
)
def test_a_demo_game_replays_to_the_same_score(
    tmp_path: Path, core: str, demo: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded, movie = tmp_path / "game.npz", tmp_path / "game.fm2"
    where = ["--demo", demo, "--core", str(require_core(core)), "--emu-speed", "max", "--view", "none", "--json"]
    assert main(["trace", "record", str(recorded), *words.split(), *where]) == 0
    played = json.loads(capsys.readouterr().out)
    assert main(["trace", "export", str(recorded), "--fm2", str(movie)]) == 0
    assert "frames); in FCEUX open" in capsys.readouterr().out
    trace = read_trace(recorded)
    frames = len(trace.inputs) + LATER[trace.about["core"].split()[0]]
    again = replayed(tmp_path / "fceux", image(demo), movie)[:frames]
    start = first_row(trace, again)
    differing = (again[start : start + trace.frames][:, trace.address] != trace.state).any(axis=1)
    assert not differing.any(), f"first in row {differing.argmax()}"
    game, ram_map = games.game(demo), map_for_identity(load_cartridge(image(demo)).sha1)
    for player, figures in enumerate(played["players"]):
        reached = default_edition(game.name).summary(game.open(ram_map).decoder(player)(again[-1].tobytes()))
        assert reached["score"] == figures["score"] > 0


def first_row(trace: Trace, ram: NDArray[np.uint8]) -> int:
    """The frame of row 0: the recording ends with the movie, or a frame before it where it ends with the game."""
    for start in (len(ram) - trace.frames, len(ram) - trace.frames - 1):
        if (ram[start][trace.address] == trace.state[0]).all():
            return start
    raise AssertionError("the game of the recording is not at the end of the movie")
