"""Every toy is played from its map: 200 pieces, none misplaced, as image in a core and as its twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot import games
from emubot.bridges.libretro import connect
from emubot.bridges.protocol import Bridge
from emubot.bridges.simulated import SimulatedBridge
from emubot.pilot import Goal, Pilot, Tally
from emubot.rammap import parse_map
from emubot.tempo import tempo_for_speed
from tests.bridges.cores import CORES, require_core
from tests.toys.addresses import LAG_FRAMES
from tests.toys.cartridge import build
from tests.toys.machine import ToyMachine
from tests.toys.maps import map_text
from tests.toys.recount import Recount
from tests.toys.shelf import TOYS

# What the map's language or the family does not have yet, by toy. The list must become empty.
WAITING = {
    "upward": "a negative scale of a value",
    "sprites": "the place of a piece by its cells (place)",
    "sprite_board": "the place of a piece by its cells (place)",
    "wram": "a grid in wram beside values in ram",
    "second_pad": "menu steps on the second pad, and screens that pass by themselves",
    "short": "the place where a piece enters (spawn)",
}
PLAYED = [name for name in TOYS if name not in WAITING]
PIECES = 200


def played(name: str, bridge: Bridge, pieces: int = PIECES) -> Tally:
    """Plays a toy by its map; the pilot's count of misplaced pieces is that of the toy's own bytes."""
    toy, game = TOYS[name], games.game("tetris")
    ram_map = parse_map(map_text(toy), name)
    pilot = Pilot(bridge, Goal(pieces, games=None), game, ram_map, tempo=tempo_for_speed(10))
    recount = Recount(pilot, toy)
    tally = pilot.run()
    assert pilot.result == "pieces"
    assert (recount.pieces, recount.misplaced) == (tally.pieces, tally.misplaced)
    return tally


@pytest.mark.jit
@pytest.mark.parametrize("name", PLAYED)
def test_the_twin_is_played_by_its_map(name: str) -> None:
    machine = ToyMachine(TOYS[name])
    tally = played(name, SimulatedBridge(machine))
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (PIECES, 0, 0, 0)


@pytest.mark.jit
@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize(
    ("core", "pieces"),
    [
        pytest.param("nestopia", 30, marks=pytest.mark.core("nestopia")),
        *(pytest.param(core, PIECES, marks=[pytest.mark.core(core), pytest.mark.slow]) for core in CORES),
    ],
)
def test_the_image_is_played_in_a_core(name: str, core: str, pieces: int, tmp_path: Path) -> None:
    image = build(TOYS[name], tmp_path)
    with connect(rom=image, core=str(require_core(core)), emu_speed=None) as bridge:
        tally = played(name, bridge, pieces)
        assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (pieces, 0, 0, 0)
        assert int.from_bytes(bridge.read("ram", LAG_FRAMES, 2), "little") == 0


def test_what_waits_is_a_toy() -> None:
    assert WAITING.keys() <= TOYS.keys()
