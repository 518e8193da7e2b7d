"""A port that the bot does not own is never written: nobody's controller reads as nothing pressed, on every bridge."""

from __future__ import annotations

from pathlib import Path
from typing import SupportsIndex, cast

import pytest

from emubot.bridges.libretro import LibretroBridge
from emubot.bridges.libretro.core import NOTHING_HELD, Answers
from emubot.bridges.simulated import SimulatedBridge, connect
from emubot.pad import Pad, legal
from tests.bridges.cores import FRAMES, PADS, pad_cartridge
from tests.bridges.test_simulated import Recorder
from tests.bridges.toy import build_toy

LEGAL = [Pad(bits) for bits in range(256) if legal(Pad(bits))]


class Watched(list[Answers]):
    """What a bridge writes to its ports, noted by port."""

    def __init__(self, given: list[Answers]) -> None:
        super().__init__(given)
        self.written: list[object] = []

    def __setitem__(self, port: SupportsIndex | slice, value: object) -> None:
        self.written.append(port)
        super().__setitem__(cast("SupportsIndex", port), cast("Answers", value))


@pytest.mark.parametrize("own", [0, 1])
def test_a_core_sees_no_write_to_the_port_that_was_never_pressed(bridge: LibretroBridge, own: int) -> None:
    other = 1 - own
    watched = Watched(bridge._held)
    bridge._held = watched
    while bridge.read("ram", FRAMES, 1) != b"\x01":
        bridge.advance()
    for pad in LEGAL:
        bridge.press(own, pad)
        bridge._core.held[own] = watched[own]
        bridge.advance()
        assert bridge.read("ram", PADS + own, 1) == bytes([pad])
        assert bridge.read("ram", PADS + other, 1) == b"\x00"
    assert set(watched.written) == {own}
    assert bridge._core.held[other] is NOTHING_HELD, "not even written with the same value"


def test_without_a_press_both_ports_answer_nothing_to_every_question(tmp_path: Path) -> None:
    from emubot.bridges.libretro import connect as open_core

    with open_core(rom=pad_cartridge(), core=str(build_toy(tmp_path, "ASKS_ODDLY")), emu_speed=None) as bridge:
        for _ in range(5):
            bridge.advance()
            assert bridge.read("ram", 1, 4) == bytes(4)


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize("latency", [0, 2])
def test_a_simulated_machine_sees_nothing_on_the_port_that_was_never_pressed(own: int, latency: int) -> None:
    machine = Recorder()
    bridge: SimulatedBridge = connect(machine=machine, latency=latency)
    for pad in LEGAL:
        bridge.press(own, pad)
        bridge.advance()
    assert {pads[1 - own] for pads in machine.pads} == {Pad.NONE}
    assert [pads[own] for pads in machine.pads[latency:]] == LEGAL[: len(LEGAL) - latency]
