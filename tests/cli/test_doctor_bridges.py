"""`emubot doctor` and emulators: what is told of one that runs, one that stands still, one that fails, and none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot import bridges
from emubot.bridges import Bridge, BridgeFacts, hosted
from emubot.bridges.simulated import SimulatedBridge
from emubot.cartridge import load_cartridge
from emubot.cli import doctor_bridges, main
from emubot.cli.doctor_bridges import bridge_findings
from emubot.demos import image
from emubot.errors import BridgeError, EmulatorNotFound
from emubot.pad import Pad
from emubot.rammap import load_map
from emubot.session import emulators
from tests.bridges.cores import require_core
from tests.families import whole_edition

TETRIS = load_cartridge(image("tetris"))
Opens = Callable[[dict[str, Bridge | Exception]], dict[str, doctor_bridges.ReportLine]]


class Running(SimulatedBridge):
    """An emulator with the demo in it; remembers what was pressed."""

    def __init__(self, identity: str | None = TETRIS.sha1, latency: int = 0, told: int | None = None) -> None:
        simulator = whole_edition(load_map("nes_tetris_usa")).simulator.machine(np.random.default_rng(0), False)
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

    def run(answers: dict[str, Bridge | Exception]) -> dict[str, doctor_bridges.ReportLine]:
        def open_bridge(name: str, **options: Any) -> Bridge:
            answer = answers.get(name, EmulatorNotFound(f"Nobody is {name}; start one."))
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(bridges, "open_bridge", open_bridge)
        monkeypatch.setattr(hosted, "open_hosted", open_bridge)
        monkeypatch.setattr(doctor_bridges, "_SETTLES", 0.0)
        monkeypatch.setattr(doctor_bridges, "_WATCHED", 0.05)
        monkeypatch.setattr(doctor_bridges, "_AT_FULL_SPEED", 0.05)
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


class Clocked(Running):
    """Has a clock of its own: late at first, which it makes up for, then 60 frames a second; a read takes 5 ms."""

    def __init__(self, clock: list[float], gone: int = 1) -> None:
        super().__init__()
        self._clock, self._gone, self._late = clock, gone, 90

    def advance(self) -> int:
        self._late -= 1
        self._clock[0] += self._gone / (240 if self._late > 0 else 60)
        return super().advance() * self._gone

    def reread(self) -> None:
        self._clock[0] += 0.005


@pytest.mark.parametrize("gone", [1, 2], ids=["every frame seen", "every second frame missed"])
def test_frames_are_the_games_own_and_a_read_is_the_emulators(gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(bridges, "open_bridge", lambda name, **_: Clocked(clock, gone))
    monkeypatch.setattr(doctor_bridges, "_STARTED", ())
    (found,) = [finding for finding in bridge_findings("fceux") if finding.name == "fceux"]
    assert "read in 5.00 ms, 60 frames a second" in found.text


def test_one_that_emubot_starts_is_watched_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs as fast as it can, so a moment holds frames enough; `doctor` took ten seconds otherwise."""
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    for module, opener in ((bridges, "open_bridge"), (hosted, "open_hosted")):
        monkeypatch.setattr(module, opener, lambda name, **_: Clocked(clock))
    monkeypatch.setattr(doctor_bridges, "_STARTED", ("cynes",))
    monkeypatch.setattr(emulators, "ATTACHED", ())
    (found,) = bridge_findings()
    assert found.good is True
    assert clock[0] < 3.0


def test_a_place_that_is_named_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def open_bridge(name: str, **options: Any) -> Bridge:
        asked.append((name, options))
        raise EmulatorNotFound("Nobody.")

    monkeypatch.setattr(bridges, "open_bridge", open_bridge)
    monkeypatch.setattr(doctor_bridges, "_STARTED", ())
    assert main(["doctor", "--host", "192.0.2.7", "--bridge", "fceux", "--port", "1234"]) == 0
    assert asked == [("fceux", {"host": "192.0.2.7", "port": 1234})]
    assert "192.0.2.7 is not this machine" in capsys.readouterr().err
    assert main(["doctor", "--port", "1234"]) == 2
    assert "--port needs --bridge" in capsys.readouterr().err


def test_one_that_emubot_starts_is_measured_by_a_press(opens: Opens) -> None:
    assert "latency 0 frames" in opens({"cynes": Running()})["cynes"].text
    wrong = opens({"cynes": Running(latency=2, told=1)})["cynes"]
    assert wrong.good is False
    assert "latency 2 frames" in wrong.text
    assert "the bridge says 1: report this" in wrong.text


def test_no_emulator_is_worth_a_note_with_the_remedy(opens: Opens) -> None:
    found = opens({})
    assert {name: finding.good for name, finding in found.items()} == dict.fromkeys(found, None)
    assert set(found) == {"libretro", "cynes", *emulators.ATTACHED}
    assert found["fceux"].text == "Nobody is fceux; start one."


def test_a_stranger_at_its_port_is_bad(opens: Opens) -> None:
    found = opens({"nintaco": BridgeError("That is a web server; choose another port.")})["nintaco"]
    assert (found.good, found.text) == (False, "That is a web server; choose another port.")


def test_a_cartridge_no_map_knows_is_told_with_what_to_do(opens: Opens) -> None:
    unknown = opens({"fceux": Running("0" * 40)})["fceux"].text
    assert "emubot play --rom FILE --discover" in unknown
    assert "force a map with --map NAME" in unknown
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
