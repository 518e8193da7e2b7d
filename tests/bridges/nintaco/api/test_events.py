"""The client of Nintaco's API: every event of the table, its listeners, beginning and end of a connection."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from emubot.bridges.nintaco import (
    UNCHANGED,
    AccessKind,
    Client,
    ConnectionLost,
    Event,
    EventKind,
    ProtocolError,
)
from emubot.bridges.nintaco.api.events import PAYLOAD
from emubot.bridges.nintaco.api.wire import call
from emubot.errors import BridgeError, EmulatorBusy, EmulatorNotFound
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.fake_wire import Fault, interrupt
from tests.bridges.nintaco.protocol_table import REGISTRATIONS

pytestmark = pytest.mark.xdist_group("ports")


@pytest.fixture
def server() -> Iterator[FakeNintaco]:
    with FakeNintaco() as running:
        yield running


def run_until(client: Client, condition: Callable[[], bool]) -> None:
    """Run with a frame listener that ends it."""
    deadline = time.monotonic() + 10

    def check() -> None:
        if condition() or time.monotonic() > deadline:
            client.stop()

    client.add_frame_listener(check)
    client.run(reconnect=False)
    assert condition()


def test_events_reach_their_listeners_in_the_order_of_a_frame(server: FakeNintaco) -> None:
    heard: list[str] = []
    client = Client(port=server.port)
    client.add_activate_listener(lambda: heard.append("activate"))
    client.add_controllers_listener(lambda: heard.append("controllers"))
    client.add_frame_listener(lambda: heard.append("frame"))

    def access(access: AccessKind, address: int, value: int) -> int:
        heard.append(f"{access.name} {address:X} {value}")
        return UNCHANGED

    client.add_access_listener(access, AccessKind.PRE_WRITE, 0x4016)
    run_until(client, lambda: heard.count("frame") == 2)
    writes = ["PRE_WRITE 4016 1", "PRE_WRITE 4016 0"] * 2
    assert heard[:8] == ["activate", "frame", *writes, "controllers", "frame"]
    assert not client.connected


def test_of_two_listeners_the_last_is_first_and_removed_ones_are_silent(server: FakeNintaco) -> None:
    heard: list[int] = []
    client = Client(port=server.port)
    numbers = [client.add_controllers_listener(lambda n=n: heard.append(n)) for n in range(3)]  # type: ignore[misc]
    client.remove_listener(numbers[2])
    client.remove_listener(numbers[2])
    run_until(client, lambda: len(heard) >= 2)
    assert heard[:2] == [1, 0]


@pytest.mark.parametrize("kind", [kind for kind in EventKind if kind is not EventKind.STATUS])
def test_each_kind_of_event_is_registered_and_understood(kind: EventKind) -> None:
    """By hand over a socket pair: the registration's bytes, the event's payload, the answer."""
    heard: list[tuple[object, ...]] = []

    def handle(*values: object) -> int:
        heard.append(values)
        return 0x41

    client, peer = by_hand()
    add = {
        EventKind.ACTIVATE: client.add_activate_listener,
        EventKind.DEACTIVATE: client.add_deactivate_listener,
        EventKind.STOP: client.add_stop_listener,
        EventKind.ACCESS: lambda h: client.add_access_listener(h, AccessKind.POST_READ, 0x4016, 0x4017, 2),
        EventKind.CONTROLLERS: client.add_controllers_listener,
        EventKind.FRAME: client.add_frame_listener,
        EventKind.SCANLINE: lambda h: client.add_scanline_listener(h, 100),
        EventKind.DOT: lambda h: client.add_dot_listener(h, -1, 340),
        EventKind.SPRITE_ZERO: client.add_sprite_zero_listener,
    }
    bodies = {EventKind.ACCESS: (1, 0x4016, 0x4017, 2), EventKind.SCANLINE: (100,), EventKind.DOT: (-1, 340)}
    payloads: dict[EventKind, tuple[object, ...]] = {
        EventKind.ACCESS: (AccessKind.POST_READ, 0x4016, 0x40),
        EventKind.SCANLINE: (100,),
        EventKind.DOT: (-1, 340, 0x2000, True),
        EventKind.SPRITE_ZERO: (30, 8),
    }
    number = add[kind](handle)
    body = (number, *bodies.get(kind, ()))
    assert len(body) == len(REGISTRATIONS[kind])
    client.flush()
    registration = struct.pack(f">B{len(body)}i", kind, *body)
    assert peer.recv(100) == registration
    peer.sendall(struct.pack(">Bi", kind, number) + PAYLOAD[kind].pack(*payloads.get(kind, ())))
    client.dispatch(client.next_event())
    client.remove_listener(number)
    client.flush()
    answer = b"\xfe\x00\x00\x00\x41" if kind is EventKind.ACCESS else b"\xfe"
    assert received(peer, 1 + len(answer) + 5) == b"\xff" + answer + struct.pack(">Bi", kind + 1, number)
    assert heard == [payloads.get(kind, ())]
    client.disconnect()
    peer.close()


def test_a_status_event_carries_a_text() -> None:
    client, peer = by_hand()
    heard: list[str] = []
    number = client.add_status_listener(heard.append)
    peer.sendall(struct.pack(">Bii", EventKind.STATUS, number, 5) + b"hello")
    event = client.next_event()
    assert event == Event(EventKind.STATUS, number, (), "hello")
    client.dispatch(event)
    assert heard == ["hello"]
    client.disconnect()
    peer.close()


def by_hand() -> tuple[Client, socket.socket]:
    """A connected client, and the server's end of its connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = Client(port=listener.getsockname()[1], reply_timeout=1.0, silence=0.1)
        thread = threading.Thread(target=client.connect)
        thread.start()
        peer = listener.accept()[0]
    assert peer.recv(1) == b"\x19"
    peer.sendall(b"\xff" * 4)
    assert peer.recv(1) == b"\xfc"
    thread.join()
    assert client._wire is not None
    client._wire._parting = 0.02  # the peer never takes the last words
    return client, peer


def received(peer: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count and (more := peer.recv(count - len(data))):
        data += more
    return data


def test_an_event_for_an_unknown_listener_is_answered_and_passed_over(server: FakeNintaco) -> None:
    server.unknown_listener = True
    frames: list[int] = []
    client = Client(port=server.port)
    client.add_frame_listener(lambda: frames.append(client.get_frame_count()))
    run_until(client, lambda: len(frames) >= 3)
    assert frames[:3] == [0, 1, 2]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_handler_that_fails_lets_the_emulator_go_before_it_is_told(
    server: FakeNintaco, failure: type[BaseException]
) -> None:
    client = Client(port=server.port)

    def fail() -> None:
        raise failure("our own")

    client.add_frame_listener(fail)
    client.connect()
    event = client.next_event()
    with pytest.raises(failure, match="our own"):
        client.dispatch(event)
    assert client.connected
    assert client.get_frame_count() >= 0, "the connection is in good order"
    client.disconnect()


def test_a_call_that_was_interrupted_in_a_handler_ends_the_connection(server: FakeNintaco) -> None:
    client = Client(port=server.port)

    def ask() -> None:
        interrupt(client)
        client.get_frame_count()

    client.add_frame_listener(ask)
    client.connect()
    with pytest.raises(KeyboardInterrupt):
        client.dispatch(client.next_event())
    assert not client.connected, "half an answer would be taken for another one"


def test_a_run_connects_anew_with_the_same_numbers_and_says_so(
    server: FakeNintaco, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    gone: list[bool] = []
    client = Client(port=server.port)
    client.add_status_listener(said.append)
    client.add_deactivate_listener(lambda: gone.append(True))

    def cut() -> None:
        if server.clients == 1:
            server.fault = Fault("cut", sent=server.sent)
        else:
            client.stop()

    client.add_frame_listener(cut)
    client.run()
    assert server.registered[0] == server.registered[1]
    assert len(said) == 3
    assert said[0] == said[2]
    assert "ended the connection" in said[1]
    assert gone == [True]


def test_what_was_queued_goes_out_before_the_end(server: FakeNintaco) -> None:
    client = Client(port=server.port)
    client.connect()
    client.last_words = call(123, 100)
    client.set_paused(True)
    client.disconnect()
    client.disconnect()
    with Client(port=server.port):
        assert server.calls == [(23, True), (123, 100)]
    with pytest.raises(ConnectionLost, match="call connect"):
        client.set_paused(True)
    server.paused = False


def test_the_second_program_is_told_that_the_server_is_busy(server: FakeNintaco) -> None:
    with Client(port=server.port):
        second = Client(port=server.port, reply_timeout=0.2)
        with pytest.raises(EmulatorBusy, match="one at a time"):
            second.connect()


def test_a_server_that_rests_between_two_clients_is_waited_for() -> None:
    with FakeNintaco(rest=0.1) as server:
        for _ in range(2):
            with Client(port=server.port) as client:
                assert client.get_frame_count() == 0


def test_something_else_on_the_port_is_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with listener.accept()[0] as connection:
                connection.sendall(b"HTTP/1.1 400")

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(BridgeError, match="not Nintaco") as caught:
            Client(port=listener.getsockname()[1]).connect()
        thread.join()
        assert not isinstance(caught.value, EmulatorNotFound)


def test_a_heartbeat_is_answered_alone_with_a_pause_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has one flag for two kinds of answers: this one may not come close to another, nor the next wait."""
    client, peer = by_hand()
    seen: list[bytes] = []

    def sleep(seconds: float) -> None:
        assert seconds > 0
        seen.append(received(peer, 1))

    monkeypatch.setattr("emubot.bridges.nintaco.api.client.time.sleep", sleep)
    peer.sendall(b"\xfd")
    with pytest.raises(ConnectionLost, match="silent"):
        client.next_event()
    assert seen == [b"\xff", b"\xfe"]
    assert received(peer, 1) == b"\xff"
    peer.close()


def test_silence_without_a_heartbeat_ends_the_wait() -> None:
    client, peer = by_hand()
    peer.sendall(b"\xfd")
    with pytest.raises(ConnectionLost, match="silent"):
        client.next_event()
    assert received(peer, 3) == b"\xff\xfe\xff", "the heartbeat was answered"
    peer.close()


@pytest.mark.parametrize("junk", [b"\x63", b"\x15\0\0\0\0\xff\xff\xff\xff", b"\x15\0\0\0\0\x7f\0\0\0"])
def test_nonsense_is_called_that(junk: bytes) -> None:
    client, peer = by_hand()
    peer.sendall(junk)
    with pytest.raises(ProtocolError, match="update emubot"):
        client.next_event()
    assert not client.connected
    peer.close()
