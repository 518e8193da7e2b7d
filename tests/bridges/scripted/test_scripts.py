"""emubot's scripts for Mesen and BizHawk in a Lua interpreter, over functions that are theirs alone."""

from __future__ import annotations

import hashlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from emubot.bridges import stop_awaiting
from emubot.bridges.check import check_bridge
from emubot.bridges.checked_pads import PadAddresses
from emubot.bridges.protocol import AS_SET
from emubot.bridges.scripted import ScriptedBridge
from emubot.errors import BridgeError, EmulatorNotFound, UsageError
from emubot.pad import Pad
from tests.bridges.fceux.emulator import free_port
from tests.bridges.scripted.running import CONNECTS, Fake, fake
from tests.bridges.started import START

pytestmark = [pytest.mark.emulators, pytest.mark.xdist_group("ports")]

CLOCK, FIRST, SECOND = 0x10, 0x12, 0x13
ROM = bytes(at * 7 % 251 for at in range(32768 + 8192))
BOTH = pytest.mark.parametrize("emulator", [*CONNECTS], indirect=True)


@pytest.fixture
def emulator(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fake]:
    with fake(request.param, tmp_path) as running:
        yield running


def pads(bridge: ScriptedBridge) -> tuple[int, int]:
    first, second = bridge.read("ram", FIRST, 2)
    return first, second


@BOTH
def test_it_keeps_the_promises_of_a_bridge(emulator: Fake) -> None:
    attempts: list[ScriptedBridge] = []

    def make() -> ScriptedBridge:
        attempts.append(emulator.attach())
        return attempts[-1]

    check_bridge(make, PadAddresses(CLOCK, (FIRST, SECOND)))
    assert len(attempts) > 1


@BOTH
def test_the_cartridge_is_known_by_its_bytes(emulator: Fake) -> None:
    with emulator.attach() as bridge:
        assert bridge.facts.rom_identity == hashlib.sha1(ROM, usedforsecurity=False).hexdigest().upper()
        assert bridge.facts.spaces == {"ram": (0, 2048), "wram": (0x6000, 0x2000)}
        bridge.advance()
        assert bridge.read("wram", 0x6000, 3) == bytes(3)


@BOTH
def test_pads_reach_the_very_next_frame_and_other_ports_are_the_keyboards(emulator: Fake) -> None:
    with emulator.attach() as bridge:
        emulator.does("console.keys = { 0x81, 0x42 }")
        bridge.advance()
        bridge.advance()
        assert pads(bridge) == (0x81, 0x42), "nothing was pressed yet"
        bridge.press(0, Pad.LEFT | Pad.B)
        bridge.advance()
        assert pads(bridge) == (0x42, 0x42)
        bridge.press(1, Pad.NONE)
        bridge.advance()
        assert pads(bridge) == (0x42, 0), "a button that is not pressed is up, whatever the keyboard says"
        bridge.release(0)
        bridge.advance()
        assert pads(bridge) == (0x81, 0)
        assert bridge.epoch == 0


def test_both_ports_are_pressed_where_mesen_does_what_it_documents(tmp_path: Path) -> None:
    """Version 2.1.1 does not, so that the script finds out."""
    with fake("mesen", tmp_path, EMUBOT_DOCUMENTED="1") as emulator, emulator.attach() as bridge:
        bridge.press(0, Pad.A)
        bridge.press(1, Pad.LEFT)
        bridge.advance()
        assert pads(bridge) == (0x80, 0x02)


@BOTH
def test_a_loaded_state_begins_a_new_epoch(emulator: Fake) -> None:
    with emulator.attach() as bridge:
        bridge.advance()
        playing = running_on(bridge)
        emulator.does("state_loaded()")
        playing()
        assert bridge.epoch > 0


@BOTH
def test_a_paused_emulator_is_waited_for_and_said_to_stand_still(
    emulator: Fake, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("emubot.bridges.notices._FIRST", (0.1, 0.3))
    monkeypatch.setattr("emubot.bridges.scripted.wire._SLICE", 0.05)
    with emulator.attach(patience=1.0) as bridge:
        bridge.advance()
        playing = running_on(bridge)
        emulator.does("socket.sleep(2.5)")  # the program goes on, and plays no frame
        playing()
        assert "stands still: end its pause." in caplog.text
        assert "goes on." in caplog.text
        assert pads(bridge) == (0, 0)


@BOTH
def test_a_script_that_is_stopped_is_said(emulator: Fake) -> None:
    with emulator.attach(patience=0.5) as bridge:
        bridge.advance()
        playing = running_on(bridge)
        emulator.does("stop()")
        with pytest.raises(BridgeError, match=r"ended the connection: the script was stopped in|is gone"):
            playing()


@pytest.mark.parametrize("emulator", ["mesen"], indirect=True)
def test_mesen_plays_on_when_emubot_thinks_too_long_and_no_callback_is_ended(emulator: Fake) -> None:
    with emulator.attach() as bridge:
        bridge.press(0, Pad.A)
        bridge.advance()
        time.sleep(2.5)
        bridge.advance()
        bridge.advance()
        assert bridge.epoch > 0, "the game went on alone"
        assert "exceeded" not in emulator.said


@pytest.mark.parametrize("emulator", ["mesen"], indirect=True)
def test_another_cartridge_in_mesen_ends_the_play(emulator: Fake) -> None:
    with emulator.attach(patience=0.5) as bridge:
        bridge.advance()
        playing = running_on(bridge)
        emulator.does("swap()")
        with pytest.raises(BridgeError, match="Another cartridge runs in Mesen now \\(another instead of tiny\\)"):
            playing()


def test_a_port_of_mesen_without_a_controller_is_said(tmp_path: Path) -> None:
    with fake("mesen", tmp_path, EMUBOT_ONE_PAD="1") as emulator, emulator.attach() as bridge:
        bridge.press(0, Pad.A)
        with pytest.raises(UsageError, match="Mesen has no controller at port 2: choose one in its input settings"):
            bridge.press(1, Pad.A)


def test_a_controller_that_is_plugged_in_later_is_pressed_at_its_own_port(tmp_path: Path) -> None:
    with fake("mesen", tmp_path, EMUBOT_ONE_PAD="1") as emulator:
        with emulator.attach() as bridge:
            bridge.advance()
        emulator.does("_G.one_pad = nil")
        with emulator.attach() as bridge:
            bridge.press(0, Pad.A)
            bridge.press(1, Pad.LEFT)
            bridge.advance()
            assert pads(bridge) == (0x80, 0x02)


@pytest.mark.parametrize("emulator", ["bizhawk"], indirect=True)
def test_bizhawk_calls_again_while_emubot_waits_at_its_port(emulator: Fake) -> None:
    """So does a session that compiles what it needs: it leaves, and attaches again."""
    with emulator.attach() as bridge:
        bridge.advance()
    with emulator.attach() as bridge:
        bridge.press(1, Pad.B)
        bridge.advance()
        assert pads(bridge) == (0, 0x40)
    assert "left" not in emulator.said


def test_a_port_where_nobody_called_is_closed(tmp_path: Path) -> None:
    port = free_port()
    with pytest.raises(EmulatorNotFound, match=rf"has called at 127\.0\.0\.1:{port} yet: .*--socket_port={port} and"):
        CONNECTS["bizhawk"](port=port)
    stop_awaiting()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_mesen_without_leave_to_listen_says_where_it_is_given(tmp_path: Path) -> None:
    with fake("mesen", tmp_path, EMUBOT_SANDBOXED="1") as emulator:
        due = time.monotonic() + START
        while "allow access to I/O and OS functions and network access" not in emulator.said:
            assert time.monotonic() < due
            time.sleep(0.05)


def test_the_speed_of_mesen_is_not_ours() -> None:
    with pytest.raises(UsageError, match=r"Mesen cannot be asked for its fastest: choose it in its own menu"):
        CONNECTS["mesen"](emu_speed=None)


@pytest.mark.parametrize("emulator", ["bizhawk"], indirect=True)
def test_the_speed_of_bizhawk_is_given_back(emulator: Fake) -> None:
    with emulator.attach(emu_speed=None) as bridge:
        bridge.advance()
        assert emulator.said.splitlines() == ["limit false"]
    due = time.monotonic() + START
    while emulator.said.splitlines() != ["limit false", "limit true"]:
        assert time.monotonic() < due, emulator.said
        time.sleep(0.01)


@pytest.mark.parametrize("emulator", ["bizhawk"], indirect=True)
def test_a_movie_in_bizhawk_presses_the_pads(emulator: Fake) -> None:
    with emulator.attach() as bridge:
        bridge.advance()
        playing = running_on(bridge)
        emulator.does("play_movie()")
        with pytest.raises(BridgeError, match="BizHawk plays a movie"):
            playing()


def test_bizhawk_goes_on_when_emubot_is_killed(tmp_path: Path) -> None:
    """It would read for ever from a connection that is closed in good order."""
    port = free_port()
    program = (
        "import time\n"
        "from emubot.bridges.bizhawk import connect\n"
        "from emubot.errors import EmulatorNotFound\n"
        f"try: connect(port={port})\n"
        "except EmulatorNotFound: print('waits', flush=True)\n"
        f"bridge = connect(port={port}, wait=60)\n"
        "bridge.advance()\n"
        "print('plays', flush=True)\n"
        "time.sleep(60)\n"  # no frame waits to be read: a connection closed with one would be reset in any case
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as emubot:
        assert emubot.stdout is not None
        assert emubot.stdout.readline() == b"waits\n"
        with fake("bizhawk", tmp_path, awaited_at=port) as emulator:
            assert emubot.stdout.readline() == b"plays\n"
            emubot.kill()
            ended(emulator)


def test_nobody_is_awaited_where_somebody_else_listens() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(EmulatorNotFound, match=r"BizHawk cannot be awaited at .* another emubot may wait there"),
    ):
        CONNECTS["bizhawk"](port=taken.getsockname()[1], emu_speed=AS_SET)


def ended(emulator: Fake) -> None:
    """The script has said that emubot left, and the game runs on."""
    due = time.monotonic() + START
    while "emubot has left" not in emulator.said:
        assert time.monotonic() < due, emulator.said
        time.sleep(0.01)
    emulator.does("order_was_run = true")


def running_on(bridge: ScriptedBridge) -> Callable[[], None]:
    """Frames are played in another thread until what is returned is called; it raises what that thread met."""
    over, failures = threading.Event(), list[BaseException]()

    def play() -> None:
        try:
            while not over.is_set():
                bridge.advance()
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=play)
    thread.start()

    def end() -> None:
        time.sleep(0.1)
        over.set()
        thread.join(START)
        if failures:
            raise failures[0]

    return end
