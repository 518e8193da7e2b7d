"""The bridge's parts by themselves: shift registers, the choice of a route, the palette, blocks of memory."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.nintaco.api.calls import Button
from emubot.bridges.nintaco.api.memory import Blocks
from emubot.bridges.nintaco.api.wire import NintacoWire, ProtocolError, call, pack_int
from emubot.bridges.nintaco.overlay import nearest
from emubot.bridges.nintaco.ports import ShiftRegisters, gamepad_calls
from emubot.bridges.nintaco.route import RouteChoice, RouteMeasurement, choose
from emubot.pad import Pad

READS = "R" * 8
NATURAL = f"S{READS}S{READS}P"  # strobed and read twice, then probed: what the real one shows


@pytest.mark.parametrize("count", [-1, 2**20 + 1, 2**31 - 1])
def test_an_answer_of_more_elements_than_any_is_refused_before_they_come(count: int) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as ours,
        server.accept()[0] as theirs,
    ):
        wire = NintacoWire(ours, 20.0, pipelines=False)
        theirs.sendall(pack_int(count))
        with pytest.raises(ProtocolError, match="Nintaco never sends an answer of"):
            wire.read_count(wire.begin_reply())


def strobe(registers: ShiftRegisters) -> None:
    registers.write(1)
    registers.write(0)


@given(pad=st.integers(0, 255), first=st.integers(0, 30))
def test_a_register_gives_its_eight_bits_after_each_strobe_and_then_ones(pad: int, first: int) -> None:
    registers = ShiftRegisters()
    registers.held = [Pad(pad), Pad.NONE]
    for _ in range(first):
        registers.read(0)
    strobe(registers)
    bits = [registers.read(0) for _ in range(8)]
    assert bits == [0x40 | (pad >> (7 - number)) & 1 for number in range(8)]
    assert [registers.read(0) for _ in range(3)] == [0x41] * 3
    assert [registers.read(1) for _ in range(9)] == [0x40] * 8 + [0x41], "a port counts its own reads"


def test_while_the_strobe_is_set_a_is_read_again_and_again() -> None:
    registers = ShiftRegisters()
    registers.held = [Pad.A, Pad.NONE]
    registers.write(1)
    assert [registers.read(0) for _ in range(3)] == [0x41] * 3
    registers.write(0)
    assert [registers.read(0) for _ in range(2)] == [0x41, 0x40]


def test_a_pad_is_written_whole() -> None:
    """All eight buttons, or the user's own would show through."""
    written = gamepad_calls(1, Pad.B | Pad.RIGHT)
    held = {Button.B, Button.RIGHT}
    assert written == b"".join(call(85, 1, button, button in held) for button in Button)


@pytest.mark.parametrize(
    ("order", "watched", "expected"),
    [
        (NATURAL, 0.0166, RouteChoice("access", 0)),
        (NATURAL, 0.0178, RouteChoice("access", 0)),
        (NATURAL, 0.0200, RouteChoice("frame", 1)),  # the round trips slow the game down
        ("P", 0.0166, RouteChoice("frame", 1)),  # the game does not read its pads here
        ("S" + "R" * 7 + "P", 0.0166, RouteChoice("frame", 1)),  # nor all their buttons
        (READS + "P", 0.0166, RouteChoice("frame", 1)),  # nor after a strobe
        (f"PS{READS}", 0.02, RouteChoice("frame", 0)),  # written pads would be taken up before they are read
    ],
)
def test_the_route_is_chosen_by_order_and_time(order: str, watched: float, expected: RouteChoice) -> None:
    assert choose(RouteMeasurement(0.0166, watched, (order,) * 9)) == expected


def test_a_game_that_skips_some_reads_is_still_read() -> None:
    frames = (NATURAL, NATURAL, "P") * 3
    assert choose(RouteMeasurement(0.0166, 0.0166, frames)).route == "access"
    assert choose(RouteMeasurement(0.0166, 0.0166, ("P", "P", NATURAL) * 3)) == RouteChoice("frame", 1)


def test_a_route_that_is_asked_for_is_taken() -> None:
    slow = RouteMeasurement(0.001, 0.1, (NATURAL,))
    assert choose(slow, "access") == RouteChoice("access", 0)
    assert choose(slow, "frame") == RouteChoice("frame", 1)


@pytest.mark.parametrize(
    ("rgb", "index"), [(0x000000, 0x0F), (0xFFFFFF, 0x20), (0x43F611, 0x2A), (0xC82D01, 0x16), (0x4E4E4D, 0x2D)]
)
def test_colours_become_the_nearest_of_the_console(rgb: int, index: int) -> None:
    assert nearest(rgb) == index


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 48)), max_size=6))
def test_blocks_ask_each_word_once_and_mark_each_byte(ranges: list[tuple[int, int]]) -> None:
    wanted = {byte for start, length in ranges for byte in range(start, start + length)}
    blocks = Blocks(ranges)
    assert blocks.words.tolist() == sorted({byte // 4 for byte in wanted})
    marked = {
        int(word) * 4 + byte
        for word, mask in zip(blocks.words, blocks.masks.tolist(), strict=True)
        for byte in range(4)
        if mask >> (8 * byte) & 0xFF
    }
    assert marked == wanted
    assert len(blocks.peeks) == 5 * blocks.count
