"""Maps from public documents that nobody here has run: their bytes written by hand, as the documents tell them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.pad import Pad
from emubot.pilot.menus import MenuNavigator
from emubot.rammap import all_maps, load_map
from emubot.snapshot import Phase, Piece
from tests.paths import ROOT

GYM = load_map("tetris_gym")
PENDING = ROOT / "pending_maps"  # maps whose keys or family are not there yet


def gym_ram(**places: int) -> bytes:
    ram = bytearray(2048)
    ram[0x0400:0x0500] = bytes([0xEF]) * 256
    for name, byte in {"aC0": 4, "aA7": 4, "aBD": 3, **places}.items():
        ram[int(name[1:], 16)] = byte
    return bytes(ram)


def test_a_piece_in_the_air_a_stack_and_the_figures() -> None:
    ram = gym_ram(a48=1, a40=5, a41=7, a42=0x0A, aBF=0x12, a44=19, a50=0x47, a51=1, aC=0x30, aD=0x21, aE=1, a4C7=0x7B)
    found = TetrisDecoder(GYM)(ram)
    assert (found.phase, found.current, found.next) == (Phase.PLAYING, Piece(0x0A, 5, 7), (0x12,))
    assert (found.counters["level"], found.counters["lines"], found.counters["score"]) == (19, 147, 12130)
    assert np.argwhere(found.playfield).tolist() == [[19, 9]]


@pytest.mark.parametrize(
    ("places", "phase", "state"),
    [
        ({"aC0": 0}, Phase.MENU, "boot"),
        ({"aC0": 1, "aC1": 2}, Phase.MENU, "title"),
        ({"aC0": 2}, Phase.MENU, "trainers"),
        ({"aC0": 3}, Phase.MENU, "level_menu"),
        ({"aA7": 1, "a48": 1}, Phase.MENU, "starting"),
        ({"aA7": 7, "aBD": 4, "a48": 1}, Phase.PAUSED, "paused"),
        ({"a48": 1, "a42": 19}, Phase.UNKNOWN, "unknown"),
        ({"a48": 4}, Phase.CLEARING, "clearing"),
        ({"a48": 8}, Phase.LOCKED, "locked"),
        ({"a48": 10}, Phase.OVER, "game_over"),
        ({"a48": 0, "aA7": 3}, Phase.OVER, "game_over"),
        ({"aC0": 7}, Phase.UNKNOWN, "unknown"),
    ],
)
def test_states(places: dict[str, int], phase: Phase, state: str) -> None:
    assert GYM.reader().phase(gym_ram(**places)) == (phase, state)


class Menus:
    """The trainer's screens as src/gamemode tells them: only what the map's steps press."""

    def __init__(self, trainer: int, control: int, level: int) -> None:
        self.ram = bytearray(gym_ram(aC0=1, aC1=2, a600=trainer, a764=control, a766=level))
        self.started: int | None = None
        self._before = Pad.NONE

    def step(self, pad: Pad) -> None:
        new, self._before = pad & ~self._before, pad
        screen: dict[int, Callable[[Pad, Pad], None]] = {1: self._title, 2: self._trainers, 3: self._levels}
        screen[self.ram[0xC0]](new, pad)

    def _title(self, new: Pad, held: Pad) -> None:
        self.ram[0xC0] += new == Pad.START

    def _trainers(self, new: Pad, held: Pad) -> None:
        if new == Pad.UP:
            self.ram[0x600] = (self.ram[0x600] - 1) % 36
        self.ram[0xC0] += new == Pad.START

    def _levels(self, new: Pad, held: Pad) -> None:
        control, level = self.ram[0x764], self.ram[0x766]
        assert not (new == Pad.START and control > 1), "it would delete the best scores"
        if new == Pad.START:
            self.started = level + 10 * bool(held & Pad.A)
        elif control:
            self.ram[0x764] = {(1, Pad.LEFT): 0, (2, Pad.UP): 0, (3, Pad.UP): 2, (4, Pad.UP): 2}.get(
                (control, new), control
            )
        elif new == Pad.RIGHT:
            assert level < 9, "it would lead to a level of one's own"
            self.ram[0x766] += 1
        elif new == Pad.LEFT:
            self.ram[0x766] -= level > 0


@pytest.mark.parametrize(("trainer", "control", "level"), [(0, 0, 0), (5, 1, 3), (1, 2, 9), (2, 4, 6)])
@pytest.mark.parametrize("chosen", [0, 7, 9, 18])
def test_the_way_to_a_game(trainer: int, control: int, level: int, chosen: int) -> None:
    menus = Menus(trainer, control, level)
    navigator = MenuNavigator(GYM, {"level": chosen})
    for _ in range(600):
        if menus.started is None:
            menus.step(navigator.pads(bytes(menus.ram))[0])
    assert menus.started == chosen
    assert menus.ram[0x600] == 0


def names_of(folder: Path) -> set[str]:
    return {file.stem for file in folder.glob("*.yaml")}


def test_a_refusal_names_a_map_that_there_is() -> None:
    known = {ram_map.name for ram_map in all_maps()} | names_of(PENDING)
    named = {
        found.group(1)
        for ram_map in all_maps()
        for alike in ram_map.refuses
        if (found := re.search(r"(\w+) is its map", alike.reason))
    }
    assert {"tengen_tetris", "nes_tetris_europe"} <= named <= known


def test_what_nobody_has_run_says_so_and_names_its_sources() -> None:
    for file in (GYM.path, *PENDING.glob("*.yaml")):
        head = file.read_text(encoding="utf-8").partition("\ntitle:")[0]
        assert "NEVER RUN BY US" in head, file
        assert "github.com/" in head, file
