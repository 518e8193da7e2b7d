"""`emubot doctor` and emulators: what is told of one that runs, one that stands still, one that fails, and none."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from bridges.cores import require_core

from emubot import bridges, games
from emubot.bridges import Bridge, BridgeFacts
from emubot.bridges.simulated import SimulatedBridge
from emubot.cartridge import load_cartridge
from emubot.cli import doctor_bridges, emulators
from emubot.cli.doctor_bridges import bridge_findings
from emubot.demos import image
from emubot.errors import BridgeError, EmulatorNotFound
from emubot.pad import Pad
from emubot.rammap import load_map

TETRIS = load_cartridge(image("tetris"))
Opens = Callable[[dict[str, Bridge | Exception]], dict[str, doctor_bridges.Finding]]


class Running(SimulatedBridge):
    """An emulator with the demo in it; remembers what was pressed."""

    def __init__(self, identity: str | None = TETRIS.sha1, latency: int = 0, told: int | None = None) -> None:
        simulator = games.game("tetris").simulator(load_map("nes_tetris_usa"), np.random.default_rng(0), False)
        super().__init__(simulator, latency=latency)
        self._told = replace(
            super().facts, emulator="Emulator 1.0", rom_identity=identity, latency=latency if told is None else told
        )
        self.pressed: list[Pad] = []
        self.closed = False

    @property
    def facts(self) -> BridgeFacts:
        return self._told

    def press(self, port: int, pad: Pad) -> None:
        self.pressed.append(pad)
        super().press(port, pad)

    def close(self) -> None:
        self.closed = True
        super().close()


@pytest.fixture
def opens(monkeypatch: pytest.MonkeyPatch) -> Opens:
    """What each bridge's name opens; nothing answers to the others."""

    def run(answers: dict[str, Bridge | Exception]) -> dict[str, doctor_bridges.Finding]:
        def open_bridge(name: str, **options: Any) -> Bridge:
            answer = answers.get(name, EmulatorNotFound(f"Nobody is {name}; start one."))
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(bridges, "open_bridge", open_bridge)
        return {finding.name: finding for finding in bridge_findings()}

    return run


def test_a_running_emulator_is_watched_and_nothing_is_pressed(opens: Opens) -> None:
    there = Running(latency=1)
    found = opens({"fceux": there})["fceux"]
    assert found.good is True
    assert found.text.startswith("Emulator 1.0: latency 1 frame, read in ")
    assert found.text.endswith(f"frames a second; cartridge {TETRIS.sha1}, map nes_tetris_usa")
    assert there.pressed == []
    assert there.closed


def test_one_that_emubot_starts_is_measured_by_a_press(opens: Opens) -> None:
    assert "latency 0 frames" in opens({"cynes": Running()})["cynes"].text
    wrong = opens({"cynes": Running(latency=2, told=1)})["cynes"]
    assert wrong.good is False
    assert "latency 2 frames" in wrong.text
    assert "the bridge says 1: report this" in wrong.text


def test_no_emulator_is_worth_a_note_with_the_remedy(opens: Opens) -> None:
    found = opens({})
    assert {name: finding.good for name, finding in found.items()} == dict.fromkeys(found, None)
    assert set(found) == {"libretro", "cynes", "nintaco", "fceux", "retroarch"}
    assert found["fceux"].text == "Nobody is fceux; start one."


def test_a_stranger_at_its_port_is_bad(opens: Opens) -> None:
    found = opens({"nintaco": BridgeError("That is a web server; choose another port.")})["nintaco"]
    assert (found.good, found.text) == (False, "That is a web server; choose another port.")


def test_a_cartridge_no_map_knows_is_told_with_what_to_do(opens: Opens) -> None:
    assert "--map NAME forces a map" in opens({"fceux": Running("0" * 40)})["fceux"].text
    assert "name the map with --map" in opens({"retroarch": Running(None)})["retroarch"].text


def test_an_emulator_that_fails_while_it_is_watched(opens: Opens) -> None:
    class Failing(Running):
        def advance(self) -> int:
            raise BridgeError("It went away; start it again.")

    there = Failing()
    found = opens({"fceux": there})["fceux"]
    assert (found.good, found.text) == (False, "It went away; start it again.")
    assert there.closed


def test_one_that_is_paused_is_not_waited_for(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_bridges, "_PATIENCE", 0.05)
    goes_on = threading.Event()

    class Paused(Running):
        def advance(self) -> int:
            goes_on.wait()
            raise BridgeError("closed meanwhile")

        def close(self) -> None:
            super().close()
            goes_on.set()

    there = Paused()
    assert opens({"nintaco": there})["nintaco"].text == "Emulator 1.0 is there and its game stands still: let it run."
    assert there.closed


@pytest.mark.core("fceumm")
def test_a_real_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMUBOT_CORES", str(require_core("fceumm").parent))
    monkeypatch.setattr(doctor_bridges, "_STARTED", ("libretro",))
    monkeypatch.setattr(emulators, "ATTACHED", ())
    found = {finding.name: finding for finding in bridge_findings()}["libretro"]
    assert found.good is True
    assert "latency 0 frames" in found.text
    assert TETRIS.sha1 in found.text
