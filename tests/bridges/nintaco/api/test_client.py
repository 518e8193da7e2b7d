"""The client of Nintaco's API: every call of the table, alone and without a bridge."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from emubot.bridges.nintaco import (
    UNCHANGED,
    Access,
    Button,
    Client,
    NoMachine,
)
from emubot.bridges.nintaco.api.drawing import Drawing
from emubot.bridges.nintaco.api.files import Files
from emubot.bridges.nintaco.api.machine import Emulator
from emubot.bridges.nintaco.api.pads import Pads
from emubot.bridges.nintaco.api.ppu import Ppu
from emubot.errors import BridgeError, UsageError
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.protocol_table import FORBIDDEN, SIGNATURES

pytestmark = pytest.mark.xdist_group("ports")

WORDS: dict[str, Any] = {"system": "PAL", "sprite": 3, "index": 1, "width": 2, "height": 2, "pixels": [1, 2, 3, 4]}


@pytest.fixture
def server() -> Iterator[FakeNintaco]:
    with FakeNintaco() as running:
        yield running


@pytest.fixture(params=[True, False], ids=["pipelined", "lock step"])
def client(server: FakeNintaco, request: pytest.FixtureRequest) -> Iterator[Client]:
    with Client(port=server.port, pipelines=request.param, reply_timeout=2.0) as connected:
        yield connected


def named(method: Callable[..., Any]) -> int:
    """The id that the docstring names."""
    return int((method.__doc__ or "").split("id ")[-1].split(".")[0].split(":")[0])


def methods() -> list[tuple[str, Callable[..., Any]]]:
    """Every public method that is a call of the API: its docstring names the id."""
    found = inspect.getmembers(Client, inspect.isfunction)
    return [(name, member) for name, member in found if not name.startswith("_") and "id " in (member.__doc__ or "")]


def sample(name: str, parameter: inspect.Parameter) -> Any:
    if name in WORDS:
        return WORDS[name]
    kind = str(parameter.annotation)
    samples = {"int": 5, "bool": True, "str": "a", "Button": Button.LEFT, "Sequence[int]": [1, 2, 3]}
    return 1 if name == "pad" else samples[kind]


@pytest.mark.parametrize(("name", "method"), methods())
def test_each_method_sends_what_the_table_says_and_understands_the_answer(
    name: str, method: Callable[..., Any], client: Client, server: FakeNintaco
) -> None:
    number = named(method)
    parameters = list(inspect.signature(method).parameters.items())[1:]
    arguments = [sample(*item) for item in parameters]
    if name == "draw_chars":
        arguments = ["abc", 1, 2, 3, 4, True]
    if name in {"draw_sprite", "delete_sprite"}:
        client.create_sprite(3, 2, 2, [1, 2, 3, 4])
    if name == "get_pixels":
        server.draws.append([])  # a frame was drawn
    answer = method(client, *arguments)
    client.get_frame_count()  # whatever was queued has gone out, and no answer is left over
    assert server.counts[number] == 1 or name == "get_frame_count", "the call that the docstring names"
    assert (answer is None) == (SIGNATURES[number][1] == "")
    expected = {"i": int, "z": bool, "s": str, "S": list, "I": np.ndarray}.get(SIGNATURES[number][1])
    assert expected is None or isinstance(answer, expected)


def test_the_client_is_complete_and_never_sends_what_stops_the_emulator() -> None:
    numbers = sorted({named(member) for _, member in methods()})
    assert numbers == sorted(SIGNATURES)
    assert not FORBIDDEN & set(numbers)
    assert set(range(23, 165)) == set(numbers) | FORBIDDEN
    assert not {"power_cycle", "close"} & set(dir(Client))


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
            monkeypatch.delattr(socket, "TCP_QUICKACK", raising=False)
        elif not hasattr(socket, "TCP_QUICKACK"):
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
        lambda: client.set_tv_system("SECAM"),  # type: ignore[arg-type]
        lambda: client.add_dot_listener(print, 312, 0),
        lambda: client.add_access_listener(lambda *_: UNCHANGED, Access.PRE_READ, 0x10000),
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


def test_mixins_are_documented() -> None:
    for part in (Drawing, Emulator, Files, Pads, Ppu):
        for name, member in inspect.getmembers(part, inspect.isfunction):
            assert name.startswith("_") or member.__doc__, name
