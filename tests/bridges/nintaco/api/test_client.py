"""The client of Nintaco's API: every call of the table, alone and without a bridge."""

from __future__ import annotations

import inspect
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from emubot.bridges.nintaco import (
    UNCHANGED,
    AccessKind,
    Button,
    Client,
    NoMachine,
)
from emubot.bridges.nintaco.api.calls import Calls
from emubot.bridges.nintaco.api.engine import ApiCall
from emubot.bridges.nintaco.api.wire import NintacoWire
from emubot.errors import BridgeError, UsageError
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.protocol_table import FORBIDDEN, NAMES, REGISTRATIONS, SIGNATURES

pytestmark = pytest.mark.xdist_group("ports")


@pytest.fixture
def server() -> Iterator[FakeNintaco]:
    with FakeNintaco() as running:
        yield running


@pytest.fixture(params=[True, False], ids=["pipelined", "lock step"])
def client(server: FakeNintaco, request: pytest.FixtureRequest) -> Iterator[Client]:
    with Client(port=server.port, pipelines=request.param, reply_timeout=2.0) as connected:
        yield connected


ROWS = [row for row in vars(Calls).values() if isinstance(row, ApiCall) and row.number not in REGISTRATIONS]
ARGUMENTS: dict[str, tuple[Any, ...]] = {  # where samples of the right type would be refused, or are not sent so
    "set_tv_system": ("PAL",),
    "create_sprite": (3, 2, 2, [1, -1, 3, 4]),
    "draw_chars": ("abc", 1, 2, 3, 4, True),
    "draw_polygon": ([1, 2], [3, 4]),
    "draw_polyline": ([1, 2], [3, 4]),
    "fill_polygon": ([1, 2], [3, 4]),
}
SAMPLES: dict[str, Any] = {"i": 3, "z": True, "s": "n\xe4her", "c": "\xe9"}
ANSWERS: dict[str, tuple[bytes, object]] = {
    "": (b"", None),
    "i": (b"\0\0\0\x40", 64),
    "z": (b"\x01", True),
    "s": (b"\0\0\0\x03PAL", "PAL"),
    "S": (b"\0\0\0\x02\0\0\0\x01a\0\0\0\x02bc", ["a", "bc"]),
}
BEFORE = {139: 25, 148: 25, 158: 157, 159: 157, 161: 160, 162: 160}  # is there a machine; how long is this memory


def packed(kind: str, value: Any) -> bytes:
    """By the facts: numbers of four bytes, big-endian; texts and lists after their length."""
    if kind == "i":
        return struct.pack(">i", value)
    if kind == "z":
        return bytes([value])
    text = value.encode("latin-1") if isinstance(value, str) else b"".join(struct.pack(">i", n) for n in value)
    return text if kind == "c" else struct.pack(">i", len(value)) + text


@pytest.mark.parametrize("row", ROWS, ids=[row.__name__ for row in ROWS])
def test_each_row_of_the_table_sends_the_bytes_of_the_facts_and_reads_the_answer(row: ApiCall[..., Any]) -> None:
    kinds, answer = SIGNATURES[row.number]
    arguments = ARGUMENTS.get(row.__name__) or tuple(SAMPLES[kind] for kind in kinds)
    sent = (*arguments, 2) if kinds == "IIi" else arguments  # the number of points
    client = Client()
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as near,
        listener.accept()[0] as far,
    ):
        client._wire = NintacoWire(near, 1.0)
        client.sprites.add(3)
        request = bytes([row.number]) + b"".join(packed(*pair) for pair in zip(kinds, sent, strict=True))
        if row.number in BEFORE:
            request = bytes([BEFORE[row.number]]) + request
            far.sendall(ANSWERS["i"][0])
        coded, value = (struct.pack(">i", 61440) + bytes(4 * 61440), None) if answer == "I" else ANSWERS[answer]
        far.sendall(coded)
        result = row.__get__(client, Client)(*arguments)
        client.flush()
        assert far.recv(1000) == request
        assert result.shape == (240, 256) if answer == "I" else result == value


def test_the_table_is_complete_and_never_sends_what_stops_the_emulator() -> None:
    for row in ROWS:
        assert row.__name__.replace("_", "") in {NAMES[row.number].lower(), "getcharswidth"}
    assert {row.number for row in ROWS} == set(SIGNATURES)
    assert set(range(23, 165)) == set(SIGNATURES) | FORBIDDEN
    assert not {"power_cycle", "close"} & set(dir(Client))


def test_a_row_tells_a_person_its_arguments_and_what_it_does() -> None:
    client = Client()
    assert str(inspect.signature(client.draw_string)) == "(text, x, y, mono=False)"
    assert inspect.getdoc(client.get_s) == "Call 28 of the API: the stack pointer."
    with pytest.raises(TypeError, match="missing a required argument: 'height'"):
        client.draw_rect(1, 2, 3)


def test_values_arrive_as_they_were_given(client: Client, server: FakeNintaco) -> None:
    client.write_cpu(0x0400, 0xEF)
    client.set_n(True)
    client.draw_string("näher", -1, 2, mono=True)
    client.draw_polygon([1, 2], [3, 4])
    client.draw_char("é", 7, 8)
    client.draw_chars("abc", 1, 2, 3, 4)
    client.create_sprite(9, 1, 2, [-1, 0x30])
    client.add_cheat(0xC000, 1, -1, "one", False)
    client.set_speed(-3)
    client.flush()
    client.get_frame_count()
    assert server.calls == [
        (71, 0x0400, 0xEF),
        (39, True),
        (114, "näher", -1, 2, True),
        (100, [1, 2], [3, 4], 2),
        (112, "é", 7, 8),
        (113, "abc", 1, 2, 3, 4, False),
        (115, 9, 1, 2, [-1, 0x30]),
        (151, 0xC000, 1, -1, "one", False),
        (123, 0),
    ]


def test_memory_comes_in_blocks(client: Client, server: FakeNintaco) -> None:
    server.machine.ram[:] = np.arange(2048) % 251
    for address, length in ((0, 2048), (0, 0), (5, 1), (3, 6), (1021, 1027)):
        assert client.peek_block(address, length) == server.machine.ram[address : address + length].tobytes()
    server.machine.ram[:] = 0xFF
    assert client.peek_block(0, 8) == b"\xff" * 8, "four bytes of $FF are no absent machine"
    assert client.peek_cpu_32(0) == -1
    assert len(client.peek_block(0xFFFF, 1)) == 1
    with pytest.raises(UsageError, match="not all in it"):
        client.peek_block(0xFFFF, 2)


def test_the_cartridge_comes_as_a_whole(client: Client, server: FakeNintaco) -> None:
    server.rom = (bytes(range(256)) * 8, b"chr")
    assert client.read_rom() == b"".join(server.rom)
    server.rom = (b"p", b"")
    assert client.read_rom() == b"p"


def test_many_reads_are_one_write_where_the_system_allows_it(
    server: FakeNintaco, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.socket.send
    for quick, writes in ((True, 1), (False, 9)):
        if not quick:
            monkeypatch.setattr(sys, "platform", "darwin")
        elif sys.platform != "linux":
            continue
        with Client(port=server.port) as client:
            sent: list[int] = []
            client.flush()

            def send(self: socket.socket, data: Any, sent: list[int] = sent) -> int:
                sent.append(len(data))
                return real(self, data)

            with monkeypatch.context() as patch:
                patch.setattr(socket.socket, "send", send)
                client.peek_block(0, 32)
        assert len(sent) == writes


def test_no_machine_is_an_error_never_a_value(server: FakeNintaco) -> None:
    server.running = False
    with Client(port=server.port) as client:
        asks: list[Callable[[], object]] = [
            client.get_frame_count,
            client.get_a,
            client.is_n,
            client.get_tv_system,
            client.get_file_info,
            client.read_rom,
            lambda: client.peek_cpu(0),
            lambda: client.peek_block(0, 9),
            lambda: client.read_gamepad(0, Button.A),
        ]
        for ask in asks:
            with pytest.raises(NoMachine, match="no cartridge"):
                ask()
        with pytest.raises(BridgeError, match="no frame yet"):
            client.get_pixels()


def test_what_the_server_would_end_the_connection_over_is_refused_here(client: Client) -> None:
    refused: list[Callable[[], object]] = [
        lambda: client.draw_string("x" * 1025, 0, 0),
        lambda: client.draw_string("☃", 0, 0),
        lambda: client.draw_string("two\nlines", 0, 0),
        lambda: client.draw_chars("\0", 0, 1, 0, 0),
        lambda: client.get_string_width("\t"),
        lambda: client.open("☃.nes"),
        lambda: client.draw_char("☃", 0, 0),
        lambda: client.draw_char("ab", 0, 0),
        lambda: client.draw_chars("ab", 1, 2, 0, 0),
        lambda: client.draw_polygon([0] * 1025, [0] * 1025),
        lambda: client.draw_polyline([0], []),
        lambda: client.create_sprite(0, 1025, 0, []),
        lambda: client.create_sprite(0, 2, 2, [0]),
        lambda: client.draw_sprite(1, 0, 0),
        lambda: client.delete_sprite(1),
        lambda: client.write_gamepad(4, Button.A, True),
        lambda: client.set_color(0x200),
        lambda: client.set_a(1 << 31),
        lambda: client.read_prg_rom(64),
        lambda: client.quick_save_state(10),
        lambda: client.set_tv_system("SECAM"),
        lambda: client.add_dot_listener(print, 312, 0),
        lambda: client.add_access_listener(lambda *_: UNCHANGED, AccessKind.PRE_READ, 0x10000),
        client.answer,
    ]
    for ask in refused:
        with pytest.raises(UsageError):
            ask()
    assert client.get_frame_count() == 0, "and the connection stands"


def test_a_call_with_an_answer_waits_until_no_event_can_come(client: Client) -> None:
    while client.poll(0.0) is not None:
        client.answer()
    with pytest.raises(UsageError, match="ask while an event is held"):
        client.get_frame_count()
