"""A movie that was read is played in a core: each frame of the game is there again, whatever the movie's format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.bridges.libretro import connect
from emubot.cartridge import load_cartridge
from emubot.demos import image
from emubot.games import open_edition
from emubot.movies import LATER, bk2, fm2
from emubot.pad import Pad, legal
from emubot.rammap import map_for
from emubot.review.sources import source_of
from emubot.session.request import SessionRequest
from emubot.snapshot import Snapshot
from tests.bridges.cores import in_each_core, require_core

FRAMES = 900
DEMO = "tetris"


def shown(snapshot: Snapshot) -> tuple[Any, ...]:
    return snapshot.phase, snapshot.state, snapshot.playfield.tolist(), snapshot.current, dict(snapshot.counters)


@in_each_core("core", quick="fceumm")
def test_each_frame_is_there_again(tmp_path: Path, core: str) -> None:
    cartridge, file = load_cartridge(image(DEMO)), str(require_core(core))
    decode = open_edition(map_for(cartridge)).decoder(0)
    rng = np.random.default_rng(7)
    pads = [Pad(bits) for bits in range(256) if legal(Pad(bits))]
    seen = []
    with connect(rom=cartridge, core=file, emu_speed=None) as bridge:
        bridge.keep_pads()
        for frame in range(FRAMES):
            held = pads[rng.integers(len(pads))] if frame > 10 else Pad.NONE
            bridge.press(0, Pad.START if frame % 40 == 20 else held & ~Pad.START)
            bridge.advance()
            seen.append(shown(decode(bridge.read("ram", 0, 2048))))
        kept = bridge.pads_since_power_on()
        later = LATER[bridge.facts.emulator.split()[0]]
    assert kept is not None
    assert len({str(one) for one in seen}) > 50, "a game was played"
    movies = {
        "fm2": fm2(kept, cartridge.name, cartridge.md5, later).encode(),
        "bk2": bk2(kept, cartridge.name, cartridge.md5, later, (), cartridge.file_sha1),
    }
    said: list[str] = []
    for name, content in movies.items():
        movie = tmp_path / f"game.{name}"
        movie.write_bytes(content)
        source = source_of(movie, 0, None, SessionRequest(demo=DEMO, core=file, say=said.append))
        assert [shown(snapshot) for snapshot in source.snapshots] == seen
    assert said == []


def test_another_cartridge_is_named_and_another_header_is_not_refused(tmp_path: Path) -> None:
    movie = tmp_path / "game.bk2"
    movie.write_bytes(bk2(np.zeros((3, 2), dtype=np.uint8), "x", "0" * 32, 1))
    said: list[str] = []
    source_of(movie, 0, None, SessionRequest(demo=DEMO, say=said.append))
    assert said == [
        f"{movie} was made with another file than blocks.nes: if more than its header differs, name that one."
    ]


@pytest.mark.parametrize("named", ["sha1", "md5", "file_sha1"])
def test_the_cartridge_is_known_by_each_of_its_hashes(tmp_path: Path, named: str) -> None:
    """BizHawk hashes the whole file; its movies of FCEUX name the MD5 without the header."""
    movie, said = tmp_path / "game.bk2", list[str]()
    digest = getattr(load_cartridge(image(DEMO)), named)
    pads = np.zeros((3, 2), dtype=np.uint8)
    movie.write_bytes(bk2(pads, "x", digest, 1) if named == "md5" else bk2(pads, "x", "", 1, (), digest))
    source_of(movie, 0, None, SessionRequest(demo=DEMO, say=said.append))
    assert said == []
