"""What goes wrong between the client and the server: cuts, stalls, nonsense at any byte, bytes one by one."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emubot.bridges.nintaco import Client, ConnectionLost, EventKind, bridge, connect, route
from emubot.bridges.nintaco.api.wire import NintacoWire
from emubot.bridges.nintaco.route import RouteName
from emubot.errors import BridgeError, EmulatorNotFound
from emubot.pad import Pad
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.fake_wire import Fault

pytestmark = pytest.mark.xdist_group("ports")

ANY = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
QUESTIONS = ["get_a", "is_n", "get_file_info", "get_pixels", "get_tv_system", "read_rom"]
QUICK: dict[str, Any] = {"reply_timeout": 0.2, "silence": 0.2}


def talk(server: FakeNintaco, **options: Any) -> None:
    """A short visit in which every kind of message occurs."""
    client = Client(port=server.port, **options)
    client.add_activate_listener(print)
    client.add_frame_listener(print)
    client.add_controllers_listener(print)
    with client:
        for kind in (EventKind.ACTIVATE, EventKind.FRAME, EventKind.CONTROLLERS):
            event = client.next_event()
            assert event.kind is kind
            assert client.peek_block(0, 8) == bytes(8)
            assert client.get_file_info() == "a.nes"
            assert client.get_archive_entries("a.zip") == ["one.nes", "two.nes"]
            assert not client.is_paused()
            client.answer()


def sizes(pipelines: bool) -> tuple[int, int]:
    """Bytes that the server sends and receives in an undisturbed talk."""
    with FakeNintaco(file_info="a.nes") as server:
        talk(server, pipelines=pipelines)
        return server.sent, server.received


@pytest.mark.parametrize(
    ("way", "pipelines"),
    [
        ("sent", True),
        ("received", False),
        pytest.param("sent", False, marks=pytest.mark.slow),
        pytest.param("received", True, marks=pytest.mark.slow),
    ],
)
def test_a_connection_may_end_after_any_byte(way: str, pipelines: bool) -> None:
    sent, received = sizes(pipelines)
    for place in range(sent) if way == "sent" else range(1, received - 12):
        fault = Fault("cut", sent=place) if way == "sent" else Fault("cut", received=place)
        with FakeNintaco(file_info="a.nes", fault=fault) as server:
            with pytest.raises((ConnectionLost, EmulatorNotFound)):
                talk(server, pipelines=pipelines, **QUICK)
            talk(server, pipelines=pipelines)


@ANY
@given(place=st.integers(0, 160), pipelines=st.booleans())
def test_a_server_may_fall_silent_after_any_byte(place: int, pipelines: bool) -> None:
    with FakeNintaco(file_info="a.nes", fault=Fault("stall", sent=place)) as server:
        with pytest.raises((ConnectionLost, EmulatorNotFound), match=r"did not answer|has been silent|says nothing"):
            talk(server, pipelines=pipelines, reply_timeout=0.05, silence=0.05)
        talk(server, pipelines=pipelines)


@ANY
@given(place=st.integers(0, 160), data=st.binary(min_size=1, max_size=40))
def test_nonsense_is_an_error_of_ours_or_changes_a_value(place: int, data: bytes) -> None:
    """No byte tells of itself what it belongs to: what is well-formed is believed, nothing else happens."""
    with FakeNintaco(file_info="a.nes", fault=Fault("say", sent=place, data=data)) as server:
        try:
            talk(server, reply_timeout=0.05, silence=0.05)
        except (BridgeError, AssertionError):
            server.violations.clear()


@contextmanager
def wired() -> Iterator[tuple[Client, socket.socket]]:
    """A client on a wire whose other end is ours."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        near = socket.create_connection(listener.getsockname())
        far = listener.accept()[0]
    client = Client(reply_timeout=0.05, silence=0.05)
    client._wire = NintacoWire(near, 0.02)
    with far:
        yield client, far
        client.disconnect()


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=300), ends=st.booleans())
def test_whatever_comes_the_wait_for_events_ends(data: bytes, ends: bool) -> None:
    """Any bytes at all, then the end of the stream or silence: events, then one of our errors."""
    with wired() as (client, far):
        far.sendall(data)
        if ends:
            far.shutdown(socket.SHUT_WR)
        with pytest.raises(BridgeError):
            take_all(client)
        assert not client.connected


def take_all(client: Client) -> None:
    while True:
        client.dispatch(client.next_event())


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(max_size=60), question=st.sampled_from(["get_a", "is_n", "get_file_info", "get_pixels", "read_rom"])
)
def test_whatever_is_answered_no_question_hangs(data: bytes, question: str) -> None:
    with wired() as (client, far):
        far.sendall(data)
        far.shutdown(socket.SHUT_WR)
        try:
            getattr(client, question)()
        except BridgeError:
            return


def test_one_byte_each_50_milliseconds_is_slow_but_right() -> None:
    with FakeNintaco(drip=0.05) as server, Client(port=server.port) as client:
        client.add_frame_listener(print)
        assert client.next_event().kind is EventKind.FRAME
        assert client.get_frame_count() == 0


def test_an_answer_that_drips_is_given_up_as_a_whole_in_time() -> None:
    """Each byte comes soon enough; all of them do not."""
    with FakeNintaco(drip=0.01) as server, Client(port=server.port, reply_timeout=0.2) as client:
        with pytest.raises(ConnectionLost, match=r"within 0\.2 seconds"):
            client.peek_block(0, 256)
        with pytest.raises(ConnectionLost, match="connect again"):
            client.get_frame_count()


@contextmanager
def brief(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A bridge that measures for one frame and waits for little."""
    with monkeypatch.context() as patch:
        patch.setattr(bridge, "Client", partial(Client, reply_timeout=0.1, silence=0.2))
        patch.setattr(bridge, "observe", partial(route.observe, frames=1))
        yield


def play(server: FakeNintaco, way: RouteName, frames: int) -> int:
    """Press and read for some frames; the epochs that began meanwhile."""
    with connect(port=server.port, route=way, wait=1.0, patience=5.0) as played:
        played.follow("ram", [(0x10, 4)], None)
        for number in range(1, frames + 1):
            assert played.advance() == number
            assert played.read("ram", 0x10, 1)[0] == server.machine.ram[0x10]
            played.press(number % 2, Pad.A if number % 3 else Pad.NONE)
        return played.epoch


@settings(ANY, max_examples=6)
@given(
    way=st.sampled_from(["access", "frame"]),
    kind=st.sampled_from(["cut", "stall"]),
    place=st.integers(0, 1200),
    sent=st.booleans(),
)
def test_the_bridge_goes_on_after_a_fault_anywhere(
    way: RouteName, kind: str, place: int, sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = Fault(kind, sent=place if sent else None, received=None if sent else place + 1)
    with (
        brief(monkeypatch),
        monkeypatch.context() as patch,
        FakeNintaco(rom=(b"p", b"c"), polls=1, fault=fault) as server,
    ):
        patch.setattr(bridge, "Client", partial(Client, reply_timeout=0.1, silence=0.2))
        try:
            epochs = play(server, way, 6)
        except BridgeError:
            assert server.fault is None
            epochs = play(server, way, 6)  # it failed while attaching
            assert epochs == 0
        else:
            assert epochs <= 1


@pytest.mark.slow
def test_fuzz_faults_upon_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many visits, several faults each, all kinds: only our errors, and always a next visit."""
    rng = random.Random(4)
    with brief(monkeypatch), FakeNintaco(rom=(b"p", b"c"), polls=1) as server:
        for _ in range(600):
            data = rng.randbytes(rng.randrange(1, 30))
            server.fault = Fault(rng.choice(["cut", "stall", "say"]), server.sent + rng.randrange(1000), None, data)
            try:
                play(server, rng.choice(["access", "frame"]), 8)
            except (BridgeError, AssertionError):
                server.violations.clear()
        server.fault = None
        assert play(server, "access", 8) == 0
