"""Which emulator is played in: one started for it, the one named, the first that answers; what is said if none is."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot import bridges
from emubot.bridges import Bridge, BridgeFacts
from emubot.bridges.simulated import SimulatedBridge
from emubot.cartridge import load_cartridge
from emubot.cli import main
from emubot.demos import image
from emubot.errors import BridgeError, EmubotError, EmulatorBusy, EmulatorNotFound, RomError, UsageError
from emubot.games.edition import Edition
from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from emubot.session import emulators, session
from emubot.session.positions import running_position
from emubot.session.request import SessionRequest
from emubot.session.watching import open_stand
from tests.conftest import MakeCartridge
from tests.families import whole_edition

pytestmark = pytest.mark.xdist_group("ports")

PAIRS = load_cartridge(image("puyo"))


class Elsewhere(SimulatedBridge):
    """An emulator that somebody else runs, with this cartridge in it."""

    def __init__(self, identity: str | None) -> None:
        ram_map = load_map("demo_pairs")
        super().__init__(whole_edition(ram_map).simulator.machine(np.random.default_rng(0), False))
        self.identity = identity
        self.open = True
        self.rate = FRAME_RATE_NTSC

    @property
    def facts(self) -> BridgeFacts:
        return replace(
            super().facts, name="elsewhere", emulator="Elsewhere 1.0", rom_identity=self.identity, frame_rate=self.rate
        )

    def close(self) -> None:
        self.open = False


Answers = dict[str, "list[Bridge | EmubotError]"]
Emulators = Callable[[Answers], list[tuple[str, dict[str, Any]]]]


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Emulators:
    """What answers to each attempt, the last answer for ever; returns the attempts made."""

    def run(answers: Answers) -> list[tuple[str, dict[str, Any]]]:
        asked: list[tuple[str, dict[str, Any]]] = []

        def open_bridge(name: str, **options: Any) -> Bridge:
            asked.append((name, options))
            row = answers.get(name) or [EmulatorNotFound(f"Nobody answers as {name}.")]
            answer = row.pop(0) if len(row) > 1 else row[0]
            if isinstance(answer, EmubotError):
                raise answer
            return answer

        monkeypatch.setattr(emulators, "open_bridge", open_bridge)
        monkeypatch.setattr(time, "sleep", lambda seconds: None)
        return asked

    return run


def test_with_nothing_named_the_running_emulators_are_tried_in_turn(running: Emulators) -> None:
    there = Elsewhere(PAIRS.md5)
    asked = running({"retroarch": [there]})
    with contextlib.closing(session.open_session(SessionRequest())) as opened:
        assert [name for name, _ in asked] == ["nintaco", "fceux", "retroarch"]
        assert (opened.edition.ram_map.name, opened.bridges) == ("demo_pairs", [there])
        assert opened.edition.ram_map.sha1 == PAIRS.sha1, "an MD5 is enough to know the cartridge by"
    assert not there.open


def test_it_waits_for_one_that_is_started_later_and_says_so(
    running: Emulators, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[str] = []
    missing = EmulatorNotFound("Nobody answers as fceux.")
    asked = running({"fceux": [missing, missing, Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(bridge="fceux", wait=60, say=heard.append)).close()
    assert len(asked) == 3
    assert heard == ["waiting 60 s for an emulator (fceux); Ctrl-C ends it."]
    assert capsys.readouterr().err == ""


def test_an_emulator_that_serves_another_program_is_said_at_once(running: Emulators) -> None:
    """And it may be free before the time to wait is over."""
    heard: list[str] = []
    busy = EmulatorBusy("Another emubot is attached to nintaco at 127.0.0.1:9999: end it first.")
    running({"nintaco": [busy, busy, busy, Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(bridge="nintaco", wait=60, say=heard.append)).close()
    assert heard == [str(busy), "waiting 60 s for an emulator (nintaco); Ctrl-C ends it."]


def test_none_in_time_is_one_sentence_for_each_and_what_else_to_do(
    running: Emulators, capsys: pytest.CaptureFixture[str]
) -> None:
    running({})
    assert main(["play", "--wait", "0"]) == 3
    said = capsys.readouterr().err
    assert "Nobody answers as nintaco. Nobody answers as fceux. Nobody answers as retroarch." in said
    assert "--rom FILE" in said
    assert main(["play", "--wait", "0", "--bridge", "fceux"]) == 3
    assert capsys.readouterr().err == "emubot: Nobody answers as fceux.\n"


def test_a_stranger_at_one_port_does_not_hide_the_emulator_at_another(running: Emulators) -> None:
    running({"nintaco": [BridgeError("That is a web server.")], "fceux": [Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest()).close()
    with pytest.raises(BridgeError, match="a web server"):
        session.open_session(SessionRequest(bridge="nintaco", wait=60))


def test_only_options_that_the_bridge_has_reach_it(running: Emulators) -> None:
    asked = running({"nintaco": [Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(bridge="nintaco", host="other", port=1234, emu_speed=2.0)).close()
    assert asked == [("nintaco", {"host": "other", "port": 1234, "emu_speed": 2.0})]
    with pytest.raises(UsageError, match=r"The bridge nintaco has no --core: leave it out\."):
        session.open_session(SessionRequest(bridge="nintaco", core="fceumm"))
    with pytest.raises(UsageError, match="--port needs --bridge"):
        session.open_session(SessionRequest(port=9999))


def test_a_cartridge_named_beside_a_running_emulator_must_be_the_one_in_it(
    running: Emulators, make_cartridge: MakeCartridge
) -> None:
    there = Elsewhere(PAIRS.crc32)
    running({"fceux": [there]})
    session.open_session(SessionRequest(bridge="fceux", demo="puyo")).close()
    other = hashlib.sha1(b"another", usedforsecurity=False).hexdigest()
    running({"fceux": [there := Elsewhere(other)]})
    with pytest.raises(RomError, match=r"Elsewhere 1\.0 runs another cartridge .* than pairs\.nes"):
        session.open_session(SessionRequest(bridge="fceux", demo="puyo"))
    assert not there.open


def test_an_emulator_that_cannot_tell_its_cartridge_takes_the_users_word(running: Emulators) -> None:
    running({"retroarch": [Elsewhere(None)]})
    with pytest.raises(Exception, match="does not tell which cartridge it runs"):
        session.open_session(SessionRequest(bridge="retroarch"))
    for word in (SessionRequest(bridge="retroarch", demo="puyo"), SessionRequest(bridge="retroarch", map="demo_pairs")):
        with contextlib.closing(session.open_session(word)) as opened:
            assert opened.edition.ram_map.name == "demo_pairs"


def test_two_consoles_cannot_be_had_of_one_running_emulator(running: Emulators) -> None:
    there = Elsewhere(load_cartridge(image("tetris")).sha1)
    running({"fceux": [there]})
    with pytest.raises(UsageError, match=r"needs two consoles, and Elsewhere 1\.0 is one"):
        session.open_session(SessionRequest(bridge="fceux", against_itself=True))
    assert not there.open


def test_a_person_may_play_in_the_emulators_own_window(running: Emulators) -> None:
    running({"fceux": [Elsewhere(PAIRS.sha1)]})
    with contextlib.closing(session.open_session(SessionRequest(bridge="fceux", human=0))) as opened:
        assert [(seat.port, seat.leads, seat.serves) for seat in opened.seats] == [(1, True, False)]


def test_a_bridge_that_starts_its_own_emulator_needs_a_cartridge(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--bridge", "libretro"]) == 2
    assert capsys.readouterr().err == (
        "emubot: The bridge libretro needs a cartridge: name yours with --rom FILE, or a --demo.\n"
    )


def test_every_bridge_of_ours_is_found_by_its_name() -> None:
    assert {"libretro", "nintaco", "fceux", "retroarch", "cynes", "simulated"} <= set(bridges.known_bridges())
    assert [emulators.runs_elsewhere(SessionRequest(bridge=name)) for name in ("nintaco", "libretro", "simulated")] == [
        True,
        False,
        False,
    ]
    assert not emulators.runs_elsewhere(SessionRequest(rom=Path("mine.nes")))


def test_a_speed_that_one_emulator_cannot_be_given_does_not_end_the_search(
    running: Emulators, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of several candidates the one that can is taken; where none can, that is said."""
    cannot: list[Bridge | EmubotError] = [UsageError("That has no such speed.")]
    running({"nintaco": cannot, "retroarch": [Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(emu_speed=2.0)).close()
    running(dict.fromkeys(emulators.ATTACHED, cannot))
    with pytest.raises(UsageError, match="no such speed"):
        session.open_session(SessionRequest(emu_speed=2.0))


def test_the_stranger_is_told_while_others_are_waited_for(running: Emulators) -> None:
    heard: list[str] = []
    missing = EmulatorNotFound("Nobody answers as fceux.")
    running({"nintaco": [BridgeError("That is a web server.")], "fceux": [missing, missing, Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(wait=60, say=heard.append)).close()
    assert heard[0] == "That is a web server."
    assert not any("web server" in said for said in heard[1:])


def test_the_same_cartridge_under_another_header_is_the_one_named(running: Emulators) -> None:
    header = bytearray(PAIRS.image[:16])
    header[6] ^= 1
    running({"retroarch": [Elsewhere(f"file:{zlib.crc32(bytes(header) + PAIRS.body):08X}")]})
    session.open_session(SessionRequest(bridge="retroarch", demo="puyo")).close()


def test_a_recording_with_gaps_is_refused(
    running: Emulators, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Late(Elsewhere):
        @property
        def facts(self) -> BridgeFacts:
            return replace(super().facts, lock_step=False)

    running({"retroarch": [Late(PAIRS.sha1)]})
    assert main(["play", "--bridge", "retroarch", "--record", str(tmp_path / "game.npz"), "--view", "none"]) == 2
    assert "leave out --record" in capsys.readouterr().err


@pytest.mark.jit
def test_two_bots_in_a_running_game_for_one_end_with_what_was_played(
    running: Emulators, capsys: pytest.CaptureFixture[str]
) -> None:
    there = Elsewhere(PAIRS.sha1)
    somebody = Pilot(there, Goal(menu_choices={"mode": 0}), edition=whole_edition(load_map("demo_pairs")))
    while not somebody.in_game:
        somebody.step()
    running({"fceux": [there]})
    assert main("play AIvsAI --bridge fceux --nodes 0 --pieces 50 --view none --json".split()) == 2
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert said.err.splitlines()[-1] == f"emubot: {told['error']}"
    assert told["error"].startswith("AIvsAI needs the game for two, and in Elsewhere 1.0 player 1 plays alone: ")
    assert ([player["pieces"] for player in told["players"]], told["code"]) == ([3, 0], 2)
    assert not there.open


def test_a_running_emulator_is_let_go_while_the_first_start_compiles(
    running: Emulators, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Elsewhere(PAIRS.sha1), Elsewhere(PAIRS.sha1)
    running({"fceux": [first, second]})
    request = SessionRequest(bridge="fceux")
    opened = session.open_session(request)
    monkeypatch.setattr(session, "is_compiled", lambda edition: False)

    compiled: list[Edition] = []

    def compiles(edition: Edition) -> None:
        assert not first.open, "it is held"
        compiled.append(edition)

    again = session.reopened_if_cold(opened, request, compiles)
    assert (again.bridges, compiled) == ([second], [opened.edition])
    monkeypatch.setattr(session, "is_compiled", lambda edition: True)
    assert session.reopened_if_cold(again, request, compiles) is again


class Played(Elsewhere):
    """Somebody plays there, frame by frame."""

    def __init__(self) -> None:
        super().__init__(PAIRS.sha1)
        self.console = SimulatedBridge(self._machine)
        self.person = Pilot(self.console, Goal(), edition=whole_edition(load_map("demo_pairs")))

    def advance(self) -> int:
        self.person.step()
        return self.console.frame


def test_a_running_game_is_looked_at_until_a_piece_is_in_the_air(
    running: Emulators, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Played()
    running({"fceux": [there]})
    monkeypatch.setattr(session, "is_compiled", lambda ram_map: True)
    found = running_position(SessionRequest(bridge="fceux", wait=60), lambda edition: None)
    assert found.snapshot.current is not None
    assert there.console.frame > 0
    assert not there.open


@pytest.mark.parametrize("what", ["its cartridge is not known", "it does not show the memory"])
def test_who_only_looks_on_lets_go_of_what_cannot_be_shown(
    what: str, running: Emulators, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reader(*_: object) -> object:
        raise UsageError("It does not show the memory.")

    there = Elsewhere("A" * 40 if "cartridge" in what else PAIRS.sha1)
    running({"fceux": [there]})
    monkeypatch.setattr("emubot.bridges.image.image_reader", reader)
    with pytest.raises(EmubotError, match=r"No map knows the cartridge|does not show the memory"):
        open_stand(SessionRequest(bridge="fceux"))
    assert not there.open


@pytest.mark.parametrize("host", ["192.0.2.7", "0.0.0.0", "2001:db8::1"])
def test_another_machine_is_warned_of(host: str, running: Emulators, capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[str] = []
    running({"nintaco": [Elsewhere(PAIRS.sha1), Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(bridge="nintaco", host=host, say=heard.append)).close()
    assert [said.partition(" have")[0] for said in heard] == [f"{host} is not this machine: emulators"]
    session.open_session(SessionRequest(bridge="nintaco", host=host)).close()
    assert capsys.readouterr().err == "", "a program that does not listen is told nothing"


@pytest.mark.parametrize("host", [None, "127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_this_machine_is_not(host: str | None, running: Emulators, capsys: pytest.CaptureFixture[str]) -> None:
    running({"nintaco": [Elsewhere(PAIRS.sha1)]})
    session.open_session(SessionRequest(bridge="nintaco", host=host)).close()
    assert capsys.readouterr().err == ""


def demo_with(**header: int) -> bytes:
    """The demo of falling blocks under another header, by the places of its bytes."""
    made = bytearray(image("tetris").read_bytes())
    for place, byte in header.items():
        made[int(place[1:])] = byte
    return bytes(made)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({}, []),
        ({"b7": 0x44}, ["it.nes: an old tool left other bytes from byte 7 of its header on; it is played with mapper"]),
        ({"b6": 0x70, "b7": 0xA0}, ["it.nes: its header says mapper 167, but this cartridge has mapper 0: it is pla"]),
        ({"b9": 1}, ["it.nes is for PAL consoles, which Elsewhere 1.0 is not: it is played at 60.1"]),
        ({"b7": 8, "b12": 3}, ["it.nes is for Dendy consoles, which Elsewhere 1.0 is not: it is played at 60.1"]),
        ({"b7": 8, "b12": 2}, []),
    ],
)
def test_a_header_that_is_wrong_or_for_another_console_is_said_once(
    header: dict[str, int], said: list[str], running: Emulators, tmp_path: Path
) -> None:
    file = tmp_path / "it.nes"
    file.write_bytes(demo_with(**header))
    asked = running({"libretro": [Elsewhere(None)]})
    heard: list[str] = []
    request = SessionRequest(rom=file, core_process=False, against_itself=True, say=heard.append)
    session.open_session(request).close()
    assert len(asked) == 2, "a console for each"
    right = load_cartridge(image("tetris"))
    assert {options["rom"].sha1 for _, options in asked} == {right.sha1}
    assert {options["rom"].mapper for _, options in asked} == {0}
    assert [sentence[: len(words)] for sentence, words in zip(heard, said, strict=True)] == said


def test_a_cartridge_for_pal_that_runs_so_says_its_frame_rate(running: Emulators, tmp_path: Path) -> None:
    there = Elsewhere(None)
    there.rate = FRAME_RATE_PAL
    running({"libretro": [there]})
    file = tmp_path / "it.nes"
    heard: list[str] = []
    file.write_bytes(demo_with(b9=1))
    session.open_session(SessionRequest(rom=file, core_process=False, say=heard.append)).close()
    assert heard == ["it.nes is for PAL consoles: it is played at 50.0 frames a second."]


@pytest.mark.parametrize("option", ["core", "host", "port"])
def test_the_simulator_refuses_what_it_does_not_read(option: str) -> None:
    given: dict[str, Any] = {option: 99 if option == "port" else "127.0.0.1"}
    with pytest.raises(UsageError, match=f"The bridge simulated has no --{option}: leave it out"):
        session.open_session(SessionRequest(demo="puyo", bridge="simulated", **given))
