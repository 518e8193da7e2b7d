"""The FCEUX bridge against a scripted peer: turns, questions, and everything that can go wrong on the way."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.bridges.fceux import HOST, connect
from emubot.bridges.protocol import AS_SET, Bridge, EmuSpeed
from emubot.bridges.scripted import ScriptedBridge
from emubot.bridges.scripted.link import ScriptLink
from emubot.bridges.scripted.streams import PlainStream
from emubot.bridges.scripted.wire import ScriptWire
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound, UsageError
from emubot.pad import Pad
from tests.bridges.fceux.peer import (
    BODY,
    IMAGE,
    Console,
    Cut,
    FakeScript,
    Manner,
    Peer,
    cut_after,
    message,
    well_behaved,
)

pytestmark = pytest.mark.xdist_group("ports")

SOON = 5.0  # seconds: for what comes at once on an idle machine
AT_ONCE = 0.2  # seconds: for what never comes


def attached(script: FakeScript, patience: float = SOON) -> ScriptedBridge:
    return connect(port=script.port, patience=patience)


def silent(peer: Peer) -> None:
    """Says nothing of itself, until emubot leaves."""
    with suppress(Cut):
        peer.play()


def after_hello(*manner: Manner) -> Manner:
    """A peer that greets, answers what is asked at attaching, and takes its first turn in a manner of its own."""

    def whole(peer: Peer) -> None:
        peer.hello()
        peer.console.play(peer.until_pads())
        for part in manner:
            part(peer)

    return whole


def test_it_is_a_bridge_in_lock_step_and_names_the_cartridge() -> None:
    with FakeScript() as script, attached(script) as bridge:
        assert isinstance(bridge, Bridge)
        facts = bridge.facts
        assert (facts.name, facts.latency, facts.lock_step, facts.save_states) == ("fceux", 0, True, False)
        assert facts.rom_identity == hashlib.sha1(BODY, usedforsecurity=False).hexdigest().upper()
        assert facts.spaces == {"ram": (0, 2048)}, "the plain board has no RAM at $6000"


def test_other_boards_show_what_is_at_6000() -> None:
    console = Console(image=IMAGE[:6] + b"\x10" + IMAGE[7:])
    with FakeScript(console=console) as script, attached(script) as bridge:
        assert bridge.facts.spaces["wram"] == (0x6000, 0x2000)
        assert bridge.view("wram") is None
        assert len(bridge.read("wram", 0x6000, 0x2000)) == 0x2000


@pytest.mark.parametrize("header", [b"FDS\x1a", b"NES\x1a\xff\xff"], ids=["no header", "another size"])
def test_a_cartridge_whose_bytes_are_not_those_hashed_is_named_by_its_md5(header: bytes) -> None:
    class Hashed(Console):
        @property
        def md5(self) -> str:
            return "0123456789abcdef" * 2

    console = Hashed(image=header + IMAGE[len(header) :] + bytes(0x800000))
    with FakeScript(console=console) as script, attached(script) as bridge:
        assert bridge.facts.rom_identity == "0123456789ABCDEF" * 2


def test_a_greeting_with_impossible_ports_is_an_error() -> None:
    def odd(peer: Peer) -> None:
        peer.hello(pads="x")
        peer.play()

    with FakeScript(odd) as script, pytest.raises(BridgeError, match="does not tell its cartridge"):
        attached(script)


def test_frames_count_by_one_and_the_memory_is_of_the_last_one() -> None:
    with FakeScript() as script, attached(script) as bridge:
        view = bridge.view("ram")
        assert view is not None
        assert not view.flags.writeable
        assert bridge.read("ram", 0, 2) == (100).to_bytes(2), "known before the first frame"
        for frame in (1, 2, 3):
            assert bridge.advance() == frame
            assert bridge.read("ram", 0, 2048) == script.console.ram == np.asarray(view).tobytes()
        assert bridge.epoch == 0


def test_pads_reach_the_very_next_frame_and_a_port_never_pressed_is_not_owned() -> None:
    with FakeScript() as script, attached(script) as bridge:
        bridge.advance()
        bridge.press(0, Pad.A | Pad.LEFT)
        bridge.advance()
        bridge.press(1, Pad.START)
        bridge.press(0, Pad.NONE)
        bridge.advance()
        assert script.console.pads == [(0, 0, 0), (1, 0x82, 0), (3, 0, 0x10)]


def test_a_released_port_is_owned_no_more_until_it_is_pressed_again() -> None:
    with FakeScript() as script, attached(script) as bridge:
        bridge.press(0, Pad.A)
        bridge.press(1, Pad.B)
        bridge.advance()
        bridge.release(0)
        bridge.advance()
        bridge.press(0, Pad.UP)
        bridge.advance()
        assert script.console.pads == [(3, 0x80, 0x40), (2, 0, 0x40), (3, 0x08, 0x40)]
        with pytest.raises(UsageError):
            bridge.release(2)


def test_close_hangs_up_and_may_be_called_again() -> None:
    with FakeScript() as script:
        bridge = attached(script)
        bridge.press(0, Pad.A)
        bridge.advance()
        bridge.close()
        bridge.close()
        assert script.console.hung_up.wait(SOON), "the script lets go of the pads when emubot hangs up"
        with pytest.raises(BridgeClosed):
            bridge.advance()
        with pytest.raises(BridgeClosed):
            bridge.read("ram", 0, 1)


def test_the_speed_is_left_alone_unless_one_is_asked_for() -> None:
    asked: list[tuple[EmuSpeed, list[bytes]]] = [(AS_SET, []), (1.0, [b"normal"]), (None, [b"maximum"])]
    for speed, told in asked:
        with FakeScript() as script, connect(port=script.port, emu_speed=speed) as bridge:
            bridge.advance()
            assert script.console.speeds == told
    with pytest.raises(UsageError, match="its own menu"):
        connect(emu_speed=2.0)


@pytest.mark.parametrize(
    ("space", "address", "length"), [("ram", -1, 1), ("ram", 2047, 2), ("ram", 0, -1), ("wram", 0x6000, 1)]
)
def test_what_is_not_there_cannot_be_read(space: str, address: int, length: int) -> None:
    with FakeScript() as script, attached(script) as bridge, pytest.raises(UsageError):
        bridge.read(space, address, length)


def test_wrong_presses_are_refused() -> None:
    with FakeScript() as script, attached(script) as bridge:
        with pytest.raises(UsageError):
            bridge.press(2, Pad.A)
        with pytest.raises(UsageError):
            bridge.press(0, Pad.LEFT | Pad.RIGHT)
        bridge.advance()
        assert script.console.pads == [(0, 0, 0)]


def test_nobody_there_is_said_with_the_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(EmulatorNotFound, match="bridge-script fceux"):
        connect(port=port)


def test_it_waits_for_an_emulator_that_comes_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    met: list[ScriptedBridge] = []
    waiting = threading.Thread(target=lambda: met.append(connect(port=port, wait=20)))
    waiting.start()
    with socket.create_server(("127.0.0.1", port)) as server:
        connection, _ = server.accept()
        with connection:
            peer = Peer(connection, Console())
            peer.hello()
            playing = threading.Thread(target=silent, args=(peer,))
            playing.start()
            waiting.join(SOON)
            (bridge,) = met
            assert bridge.advance() == 1
            bridge.close()
            playing.join(SOON)


def test_an_emulator_that_takes_the_call_and_says_nothing_is_not_found() -> None:
    with (
        FakeScript(silent) as script,
        pytest.raises(EmulatorNotFound, match="is a cartridge loaded, is it paused"),
    ):
        attached(script, AT_ONCE)


def busy(peer: Peer) -> None:
    peer.send(message(b"E", 0, b"another emubot plays here already: end it first"))


def test_an_emulator_that_has_another_emubot_is_not_found() -> None:
    with FakeScript(busy) as script, pytest.raises(EmulatorNotFound, match="another emubot plays here already"):
        attached(script)


def test_an_emulator_that_gets_free_while_one_waits_is_found() -> None:
    with FakeScript(busy, busy, well_behaved) as script, connect(port=script.port, wait=20) as bridge:
        assert bridge.advance() == 1
        assert script.met == 3


@pytest.mark.parametrize(
    "greeting",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        message(b"F", 1, bytes(2053)),
        message(b"H", 2, b"md5=00\nrom=tiny\n"),
        message(b"H", 1, b"rom=tiny\n"),
        message(b"H", 1, b"md5=00\nrom=tiny\nmovie=playback\n"),
        b"EMUH\0\0\0\1\xff\xff\xff\xff",
    ],
    ids=["another program", "out of turn", "another version", "no cartridge", "a movie plays", "a body without end"],
)
def test_a_wrong_greeting_is_an_error_at_once(greeting: bytes) -> None:
    with FakeScript(lambda peer: peer.send(greeting)) as script:
        with pytest.raises(BridgeError) as caught:
            connect(port=script.port, wait=20)
        assert not isinstance(caught.value, EmulatorNotFound), "waiting longer would not help"
        assert script.met == 1


@pytest.mark.parametrize(
    "turn",
    [
        lambda peer: peer.frame(number=7),
        lambda peer: peer.frame(ram=bytes(2047)),
        lambda peer: peer.send(b"garbage, garbage, garbage"),
        lambda peer: peer.send(message(b"M", 0, b"\0")),
        lambda peer: peer.frame(notes=4),
    ],
    ids=["wrong frame number", "too little RAM", "garbage", "an answer nobody asked for", "a movie plays"],
)
def test_a_broken_frame_is_an_error_and_never_a_guess(turn: Manner) -> None:
    with FakeScript(after_hello(turn)) as script, attached(script) as bridge:
        with pytest.raises(BridgeError):
            bridge.advance()
        assert script.met == 1


def test_a_short_answer_is_an_error() -> None:
    def short(peer: Peer) -> None:
        peer.hello()
        peer.take()
        peer.send(message(b"R", 0, b"NES"))

    with FakeScript(short) as script, pytest.raises(BridgeError, match="3 bytes instead of 16"):
        attached(script)


@pytest.mark.parametrize("notes", [1, 2, 3], ids=["ran on", "state loaded", "both"])
def test_a_machine_that_became_another_one_is_told_by_the_epoch(notes: int) -> None:
    with FakeScript(after_hello(lambda peer: peer.frame(notes), Peer.play)) as script, attached(script) as bridge:
        assert [bridge.advance() for _ in range(3)] == [1, 2, 3]
        assert bridge.epoch == 1


def test_a_jump_of_the_emulators_own_frame_count_is_told_by_the_epoch() -> None:
    def jump(peer: Peer) -> None:
        peer.frame()
        peer.console.play(peer.until_pads())
        peer.console.count += 5
        peer.frame()
        peer.play()

    with FakeScript(after_hello(jump)) as script, attached(script) as bridge:
        seen = [(bridge.advance(), bridge.epoch) for _ in range(3)]
        assert seen == [(1, 0), (2, 1), (3, 1)]


def test_a_paused_emulator_is_waited_for() -> None:
    """Each W says that FCEUX is alive: the patience begins anew."""
    paused = threading.Event()

    def pause(peer: Peer) -> None:
        for _ in range(20):
            peer.send(message(b"W", 0))
            paused.wait(AT_ONCE / 4)
        peer.frame()
        peer.play()

    with FakeScript(after_hello(pause)) as script, attached(script, AT_ONCE * 2) as bridge:
        assert bridge.advance() == 1
        assert (script.met, bridge.epoch) == (1, 0)


def test_after_a_lost_connection_the_pads_are_forgotten_and_the_epoch_grows() -> None:
    def leave(peer: Peer) -> None:
        peer.hello()
        peer.play(2)

    with FakeScript(leave, well_behaved) as script, attached(script) as bridge:
        bridge.press(0, Pad.A)
        assert [bridge.advance() for _ in range(4)] == [1, 2, 3, 4]
        assert bridge.epoch == 1
        assert script.console.pads == [(1, 0x80, 0), (1, 0x80, 0), (0, 0, 0), (0, 0, 0)]


def test_a_script_that_was_stopped_says_so() -> None:
    stopped = after_hello(lambda peer: peer.send(message(b"E", 0, b"the script was stopped in FCEUX")))

    def gone(peer: Peer) -> None:
        del peer

    with FakeScript(stopped, gone) as script, attached(script, AT_ONCE) as bridge:
        with pytest.raises(BridgeError, match="the script was stopped in FCEUX") as caught:
            bridge.advance()
        assert "Nothing came back" in str(caught.value)


def test_another_cartridge_after_a_lost_connection_is_an_error() -> None:
    def swapped(peer: Peer) -> None:
        peer.console.image = IMAGE[:-1] + b"x"
        peer.hello(rom="another")
        peer.play()

    with (
        FakeScript(after_hello(), swapped) as script,
        attached(script) as bridge,
        pytest.raises(BridgeError, match="another instead of tiny"),
    ):
        bridge.advance()


def test_a_silent_emulator_is_left_after_the_patience() -> None:
    with FakeScript(after_hello(silent)) as script, attached(script, AT_ONCE) as bridge, pytest.raises(BridgeError):
        bridge.advance()


def test_a_frame_that_drips_is_given_up_as_a_whole_in_time() -> None:
    """Each byte comes soon enough; all of them do not."""

    def drip(peer: Peer) -> None:
        body = peer.console.count.to_bytes(4) + bytes([0]) + peer.console.ram
        for byte in message(b"F", 1, body):
            peer.send(bytes([byte]))
            time.sleep(AT_ONCE / 10)

    with FakeScript(after_hello(drip), silent) as script, attached(script, AT_ONCE) as bridge:
        with pytest.raises(BridgeError, match=r"has said nothing for 0\.2 seconds"):
            bridge.advance()
        assert bridge.frame == 0


def test_an_interrupted_frame_is_taken_by_the_next_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between pads and frame: frame numbers stay right."""
    with FakeScript() as script, attached(script) as bridge:
        receive = ScriptWire.receive

        def interrupted(wire: ScriptWire, kind: bytes) -> tuple[int, bytes]:
            monkeypatch.setattr(ScriptWire, "receive", receive)
            raise KeyboardInterrupt

        monkeypatch.setattr(ScriptWire, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bridge.advance()
        assert [bridge.advance(), bridge.advance()] == [1, 2]
        assert len(script.console.pads) == 2


WHOLE = 12 + 71 + 3 * (12 + 8192) + 12 + 16 + 12 + 2048 + 3 * (12 + 2053)  # about what three frames take


@settings(max_examples=60, deadline=None)
@given(first=st.integers(0, WHOLE), second=st.integers(0, WHOLE))
def test_a_connection_may_end_after_any_byte(first: int, second: int) -> None:
    """At every boundary and inside every message: three frames come, each of the machine's own, in order."""
    with (
        FakeScript(cut_after(first), cut_after(second), well_behaved) as script,
        connect(port=script.port, wait=20) as bridge,
    ):
        bridge.press(0, Pad.B)
        for frame in (1, 2, 3):
            assert bridge.advance() == frame
            assert bridge.read("ram", 0, 2) == script.console.count.to_bytes(2)
        assert bridge.epoch <= 2
        assert bridge.epoch or script.console.pads == [(1, 0x40, 0)] * 3


@settings(max_examples=60, deadline=None)
@given(noise=st.binary(max_size=64), kind=st.sampled_from([b"", b"EMU", b"EMUF", b"EMUH", b"EMUM"]))
def test_noise_raises_what_is_documented(noise: bytes, kind: bytes) -> None:
    """A fuzz target: bytes in, a frame or an error of ours out."""
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(message(b"H", 1, b"md5=00\nrom=tiny\n") + kind + noise)
        theirs.shutdown(socket.SHUT_WR)
        link = ScriptLink(ScriptWire(PlainStream(ours), HOST, SOON))
        with pytest.raises(BridgeError):
            link.turn(0, (0, 0))
        link.close()
