"""The Nintaco bridge against the scripted server: frames, pads, memory, other machines, lost connections."""

from __future__ import annotations

import hashlib
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from emubot.bridges.nintaco import NintacoBridge, connect
from emubot.bridges.nintaco.api.client import Client
from emubot.bridges.nintaco.route import RouteName
from emubot.bridges.protocol import Bridge, Drawable, Mark, Remote
from emubot.errors import BridgeClosed, BridgeError, EmulatorBusy, EmulatorNotFound, UsageError
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.fake_wire import Fault, interrupt
from tests.bridges.test_simulated import Recorder

pytestmark = pytest.mark.xdist_group("ports")

ROUTES: list[RouteName] = ["access", "frame"]


@contextmanager
def attached(**options: Any) -> Iterator[tuple[FakeNintaco, NintacoBridge]]:
    server = FakeNintaco(**options.pop("server", {}))
    with server, connect(port=server.port, **options) as bridge:
        yield server, bridge


def test_facts_and_protocols() -> None:
    with attached(route="frame") as (server, bridge):
        assert isinstance(bridge, Bridge)
        assert isinstance(bridge, Remote)
        assert isinstance(bridge, Drawable)
        facts = bridge.facts
        assert (facts.name, facts.lock_step, facts.save_states) == ("nintaco", True, False)
        assert str(server.port) in facts.emulator
        assert facts.frame_rate == FRAME_RATE_NTSC
        assert facts.spaces["ram"] == (0, 2048)
        assert facts.rom_identity == hashlib.sha1(b"".join(server.rom)).hexdigest().upper()
        assert bridge.epoch == 0


def test_a_second_emubot_is_told_at_once_and_does_not_knock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that waits at the server would be served for nothing once the first emubot has gone."""
    with FakeNintaco() as server:
        with connect(port=server.port), monkeypatch.context() as patch:
            patch.setattr(Client, "connect", lambda *_: pytest.fail("it called the server"))
            started = time.monotonic()
            with pytest.raises(EmulatorBusy, match="Another emubot is attached to nintaco at 127"):
                connect(port=server.port)
            assert time.monotonic() - started < 2
        with connect(port=server.port) as second:
            assert second.advance() == 1


def test_an_attempt_without_success_leaves_the_emulator_to_others() -> None:
    with FakeNintaco(running=False) as server:
        with pytest.raises(EmulatorNotFound, match="runs no game"):
            connect(port=server.port)
        server.running = True
        connect(port=server.port).close()


@pytest.mark.parametrize("route", ROUTES)
def test_a_pad_arrives_after_exactly_the_latency_on_both_ports(route: RouteName) -> None:
    with attached(route=route) as (_, bridge):
        latency = bridge.facts.latency
        assert latency == ROUTES.index(route)
        asked = [(Pad(1 << n), Pad(0x80 >> n)) for n in range(8)]
        asked += [(Pad.LEFT | Pad.A, Pad.NONE), (Pad.NONE, Pad.NONE)]
        seen = []
        for pads in [*asked, *[(Pad.NONE, Pad.NONE)] * latency]:
            for port in (0, 1):
                bridge.press(port, pads[port])
            bridge.advance()
            seen.append((bridge.read("ram", 0x12, 1)[0], bridge.read("ram", 0x13, 1)[0]))
        assert seen[latency:] == asked


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("bits", [8, 24])
def test_a_game_may_read_more_bits_than_there_are_and_twice_a_frame(route: RouteName, bits: int) -> None:
    with attached(route=route, server={"bits": bits, "polls": 3}) as (server, bridge):
        bridge.press(0, Pad.START | Pad.RIGHT)
        for _ in range(4):
            bridge.advance()
        assert server.machine.pads[-1] == (Pad.START | Pad.RIGHT, Pad.NONE)


@pytest.mark.parametrize("route", ROUTES)
def test_a_port_that_was_never_pressed_is_never_written(route: RouteName) -> None:
    with attached(route=route) as (server, bridge):
        watched = len(server.registered[0])
        for _ in range(3):
            bridge.advance()
        assert server.written == set()
        assert len(server.registered[0]) == watched
        bridge.press(1, Pad.A)
        bridge.advance()
        addresses = [body[2] for kind, *body in server.registered[0][watched:] if kind == 9]
        assert server.written == ({1} if route == "frame" else set())
        assert addresses == ([] if route == "frame" else [0x4016, 0x4017]), "the strobe, and reads of the second port"


@pytest.mark.parametrize("route", ROUTES)
def test_a_port_that_is_released_is_its_players_own_again(route: RouteName) -> None:
    with attached(route=route) as (server, bridge):
        for port in (0, 1):
            bridge.press(port, Pad.A)
        for _ in range(3):
            bridge.advance()
        bridge.release(0)
        server.user = [Pad.LEFT, Pad.RIGHT]  # the keyboard
        for _ in range(3):
            bridge.advance()
        assert server.machine.pads[-1] == (Pad.LEFT, Pad.A)
        bridge.release(1)
        bridge.release(1)
        for _ in range(3):
            bridge.advance()
        assert server.machine.pads[-1] == (Pad.LEFT, Pad.RIGHT)
        assert not any(body[1] in (0, 2) for body in server.listeners if body[0] == 9), "nobody listens any more"
        bridge.press(0, Pad.B)
        for _ in range(3):
            bridge.advance()
        assert server.machine.pads[-1] == (Pad.B, Pad.RIGHT)


def test_frames_grow_by_one_and_memory_is_of_one_frame() -> None:
    with attached(route="frame") as (server, bridge):
        bridge.follow("ram", [(0x10, 4), (0x1F3, 9)], None)
        server.machine.ram[0x100:0x200] = range(256)
        for number in range(1, 30):
            assert bridge.advance() == number
            ram = bridge.read("ram", 0, 2048)
            assert ram[0x10] == bridge.read("ram", 0x10, 1)[0] == server.machine.ram[0x10]
        assert ram[0x1F3:0x1FC] == bytes(range(0xF3, 0xFC))
        assert not any(ram[0x14:0x1F3]), "what nobody follows is 0"
        assert bridge.skipped == 0


def test_memory_is_read_on_demand_until_it_is_followed() -> None:
    with attached(route="frame") as (server, bridge):
        bridge.advance()
        peeks = server.counts[75]
        bridge.advance()
        assert server.counts[75] == peeks, "nothing is read every frame"
        server.machine.ram[:] = 5
        assert bridge.read("ram", 2, 7) == bytes([5]) * 7
        assert bridge.view("ram") is None
        bridge.follow("ram", [(3, 2)], 3)
        assert bridge.read("ram", 0, 8) == bytes([0, 0, 0, 5, 5, 0, 0, 0]), "of this very frame"


def test_refusals() -> None:
    with attached(route="frame") as (_, bridge):
        with pytest.raises(UsageError, match="no controller port 2"):
            bridge.press(2, Pad.A)
        with pytest.raises(UsageError, match="Opposite directions"):
            bridge.press(0, Pad.LEFT | Pad.RIGHT)
        with pytest.raises(UsageError, match="not all in it"):
            bridge.read("ram", 2047, 2)
        with pytest.raises(UsageError, match="not all in it"):
            bridge.follow("wram", [(0, 1)], None)
        with pytest.raises(UsageError, match="no memory space 'vram'"):
            bridge.read("vram", 0, 1)
        bridge.close()
        bridge.close()
        for use in (bridge.advance, lambda: bridge.press(0, Pad.A), lambda: bridge.read("ram", 0, 1)):
            with pytest.raises(BridgeClosed):
                use()
    with pytest.raises(UsageError, match="no route"):
        NintacoBridge(Client(port=1), route="fast")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="above 0"):
        connect(port=1, emu_speed=0.0)


@pytest.mark.parametrize("route", ROUTES)
def test_close_releases_the_pads_and_the_emulator(route: RouteName) -> None:
    with FakeNintaco() as server:
        with connect(port=server.port, route=route) as bridge:
            bridge.press(0, Pad.A)
            for _ in range(3):
                bridge.advance()
        with connect(port=server.port, route=route) as bridge:
            bridge.advance()
            bridge.advance()
            assert server.machine.pads[-1] == (Pad.NONE, Pad.NONE)
            assert len(server.registered) == 2


@pytest.mark.parametrize(("factor", "percent"), [(1.0, 100), (2.0, 200), (0.001, 1), (None, 0)])
def test_the_speed_is_set_if_asked_for_and_put_back(factor: float | None, percent: int) -> None:
    with FakeNintaco() as server:
        with connect(port=server.port, route="frame", emu_speed=factor) as bridge:
            bridge.advance()
            assert server.speed == percent
        with connect(port=server.port, route="frame") as bridge:
            bridge.advance()
        assert [call for call in server.calls if call[0] == 123] == [(123, percent), (123, 100)]


def test_marks_are_drawn_in_every_frame_until_told_otherwise() -> None:
    with attached(route="access") as (server, bridge):
        bridge.draw([Mark(8, 16, 24, 8, 0xFFFFFF), Mark(1, 2, 0, 0, 0xFFFFFF, "ne\nxt ☃"), Mark(0, 0, 0, 5, 0)])
        for _ in range(3):
            bridge.advance()
        bridge.draw([])
        bridge.advance()
        *before, after, _ = server.draws
        assert before[-2:] == [[(92, 0x20), (102, 8, 16, 23, 7), (114, "ne?xt ?", 1, 2, False), (92, 0x0F)]] * 2
        assert after == []


def test_frames_go_out_in_one_write_each(monkeypatch: pytest.MonkeyPatch) -> None:
    with attached(route="frame") as (_, bridge):
        bridge.follow("ram", [(0, 256)], None)
        bridge.press(0, Pad.A)
        bridge.press(1, Pad.B)
        bridge.draw([Mark(0, 0, 8, 8, 0)])
        sent: list[int] = []
        real = socket.socket.send

        def send(self: socket.socket, data: Any) -> int:
            sent.append(len(data))
            return real(self, data)

        monkeypatch.setattr(socket.socket, "send", send)
        bridge.advance()
        assert len(sent) == 2, "pads, drawings, answer and credit; then all reads"


@pytest.mark.parametrize("route", ROUTES)
def test_another_state_is_another_epoch(route: RouteName) -> None:
    with attached(route=route) as (server, bridge):
        bridge.press(0, Pad.A)
        bridge.advance()
        bridge.advance()
        server.change(lambda: setattr(server, "frames", 5000))
        assert (bridge.advance(), bridge.epoch) == (3, 1)
        bridge.advance()
        assert bridge.advance() == 5
        assert server.machine.pads[-1] == (Pad.NONE, Pad.NONE), "what was pressed before is forgotten"
        assert (bridge.epoch, bridge.skipped) == (1, 0)


@pytest.mark.parametrize("route", ROUTES)
def test_a_reset_is_noticed_by_the_first_instruction_after_it(route: RouteName) -> None:
    with attached(route=route) as (server, bridge):
        bridge.press(0, Pad.A)
        bridge.advance()
        server.resets = 1
        assert (bridge.advance(), bridge.epoch) == (2, 1)
        bridge.advance()
        assert (bridge.advance(), bridge.epoch) == (4, 1)
        assert server.machine.pads[-1] == (Pad.NONE, Pad.NONE)


def test_a_frame_counter_that_goes_back_is_another_machine() -> None:
    with attached(route="frame") as (server, bridge):
        bridge.advance()
        server.frames = 0
        assert (bridge.advance(), bridge.epoch) == (2, 1)
        assert (bridge.advance(), bridge.epoch) == (3, 1)


def test_another_cartridge_is_refused_and_the_emulator_let_go() -> None:
    def change() -> None:
        server.rom = (b"\x01" * 64, b"")
        server.file_info = "File name: other.nes"

    with attached(route="frame") as (server, bridge):
        server.change(change)
        with pytest.raises(BridgeError, match="Another cartridge"):
            bridge.advance()
    with attached(route="frame") as (server, bridge):
        server.change(lambda: setattr(server, "file_info", "File name: the same under another name.nes"))
        bridge.advance()
        bridge.advance()
        assert bridge.epoch == 1


def test_frames_that_were_not_shown_are_noticed(caplog: pytest.LogCaptureFixture) -> None:
    with attached(route="frame") as (server, bridge), caplog.at_level(logging.WARNING):
        bridge.advance()
        server.skip = 3
        assert [bridge.advance(), bridge.advance()] == [5, 6]
        assert bridge.skipped == 3
        assert "3 frames" in caplog.text


def test_a_pause_is_waited_for_through_heartbeats() -> None:
    with attached(route="frame") as (server, bridge):
        bridge.advance()
        beats = iter(range(4))
        real = server._beat

        def beat() -> None:
            real()
            server.paused = next(beats, None) is not None

        server._beat = beat  # type: ignore[method-assign]
        server.paused = True
        bridge.advance()
        bridge.advance()
        assert bridge.frame == 3
        assert bridge._client.heartbeats == 5
        assert bridge.epoch == 0


def test_where_nothing_runs_the_remedy_is_told() -> None:
    with FakeNintaco(running=False) as server, pytest.raises(EmulatorNotFound, match="open one"):
        connect(port=server.port)
    with FakeNintaco(paused=True) as server, pytest.raises(EmulatorNotFound, match="end a pause"):
        connect(port=server.port)
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    with pytest.raises(EmulatorNotFound, match="Start Program Server"):
        connect(port=port)


def test_the_server_may_start_after_us(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused twice, then somebody listens."""
    real = socket.create_connection
    with FakeNintaco() as server:
        refusals = iter([ConnectionRefusedError(111, "refused")] * 2)

        def dial(*where: Any, **options: Any) -> socket.socket:
            for refusal in refusals:
                raise refusal
            return real(*where, **options)

        monkeypatch.setattr(socket, "create_connection", dial)
        with connect(port=server.port, wait=20.0, route="frame") as bridge:
            assert bridge.advance() == 1


@pytest.mark.parametrize("route", ROUTES)
def test_a_lost_connection_is_made_anew_with_the_same_listeners(route: RouteName) -> None:
    with attached(route=route) as (server, bridge):
        bridge.follow("ram", [(0x10, 4)], None)
        bridge.press(0, Pad.A)
        bridge.advance()
        bridge.advance()
        before = [entry for entry in server.registered[0] if route == "frame" or entry[0] != 11]
        server.fault = Fault("cut", sent=server.sent)
        assert bridge.advance() == 3
        assert bridge.epoch == 1
        assert set(server.registered[1]) <= set(before)
        kinds = [entry[0] for entry in server.registered[1]]
        assert kinds == [1, 3, 13, 9] + [9, 9] * (route == "access")
        bridge.advance()
        assert bridge.advance() == 5
        assert server.machine.pads[-1] == (Pad.NONE, Pad.NONE), "what was pressed before is forgotten"
        bridge.press(0, Pad.B)
        for _ in range(3):
            bridge.advance()
        assert bridge.read("ram", 0x12, 1) == bytes([Pad.B])


def test_a_lost_connection_that_does_not_come_back_is_an_error() -> None:
    server = FakeNintaco()
    with server:
        bridge = connect(port=server.port, route="frame", patience=0.3)
        bridge.advance()
    with pytest.raises(BridgeError, match=r"did not come back within 0\.3 seconds"):
        bridge.advance()
    with pytest.raises(BridgeError):
        bridge.advance()
    bridge.close()


def test_another_cartridge_after_a_lost_connection_is_refused() -> None:
    with attached(route="frame") as (server, bridge):
        bridge.advance()
        server.rom, server.file_info = (b"other", b""), "other"
        server.fault = Fault("cut", sent=server.sent)
        with pytest.raises(BridgeError, match="Another cartridge"):
            bridge.advance()


@pytest.mark.parametrize("route", ROUTES)
def test_ctrl_c_while_waiting_lets_the_emulator_go(route: RouteName) -> None:
    with FakeNintaco() as server:
        with connect(port=server.port, route=route, emu_speed=2.0) as bridge:
            bridge.press(0, Pad.A)
            bridge.advance()
            interrupt(bridge._client)
            with pytest.raises(KeyboardInterrupt):
                bridge.advance()
        with connect(port=server.port, route=route) as bridge:
            bridge.advance()
            bridge.advance()
            assert server.machine.pads[-1] == (Pad.NONE, Pad.NONE)
            assert server.speed == 100, "and at the usual speed"


def test_a_recorder_counts() -> None:
    """The fake's own machine."""
    machine = Recorder()
    machine.step([Pad.A, Pad.NONE])
    assert machine.ram[0x10] == 1
