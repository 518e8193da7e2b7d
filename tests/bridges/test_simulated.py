"""The simulated bridge over a machine of a few lines: pads in, frames out, lost presses as described."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.bridges.protocol import Bridge
from emubot.bridges.simulated import SimulatedBridge, connect
from emubot.errors import BridgeClosed, UsageError
from emubot.machine import FRAME_RATE_NTSC, Machine
from emubot.pad import Pad, legal

LEGAL = [Pad(bits) for bits in range(256) if legal(Pad(bits))]


class Recorder:
    """Counts frames in RAM and remembers every pad."""

    identity = "simulated:recorder"
    frame_rate = FRAME_RATE_NTSC

    def __init__(self) -> None:
        self.ram: NDArray[np.uint8] = np.zeros(2048, dtype=np.uint8)
        self.pads: list[tuple[Pad, ...]] = []

    def step(self, pads: Sequence[Pad]) -> None:
        self.pads.append(tuple(pads))
        self.ram[0x10] = len(self.pads) % 256
        self.ram[0x12:0x14] = pads


def test_facts_and_protocol() -> None:
    machine = Recorder()
    assert isinstance(machine, Machine)
    with connect(machine=machine) as bridge:
        assert isinstance(bridge, Bridge)
        facts = bridge.facts
        assert (facts.name, facts.latency, facts.lock_step, facts.save_states) == ("simulated", 0, True, False)
        assert (facts.spaces, facts.rom_identity) == ({"ram": (0, 2048)}, "simulated:recorder")


def test_pads_are_seen_in_the_very_frame_and_held() -> None:
    with connect(machine=Recorder()) as bridge:
        bridge.press(0, Pad.A | Pad.LEFT)
        for frame in (1, 2):
            assert bridge.advance() == frame
            assert bridge.read("ram", 0x10, 4) == bytes([frame, 0, 0x82, 0])
        bridge.press(0, Pad.NONE)
        bridge.press(1, Pad.START)
        bridge.advance()
        assert bridge.read("ram", 0x10, 4) == bytes([3, 0, 0, 0x10])


def test_view_is_live_and_read_only() -> None:
    machine = Recorder()
    with connect(machine=machine) as bridge:
        view = bridge.view("ram")
        bridge.advance()
        assert view[0x10] == 1
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
        machine.ram[0] = 7  # the machine itself still may
        assert view[0] == 7


def test_refusals() -> None:
    bridge = connect(machine=Recorder())
    with pytest.raises(UsageError, match="no controller port 2"):
        bridge.press(2, Pad.A)
    with pytest.raises(UsageError, match="Opposite directions"):
        bridge.press(0, Pad.UP | Pad.DOWN)
    with pytest.raises(UsageError, match="not all in it"):
        bridge.read("ram", 2047, 2)
    with pytest.raises(UsageError, match="no memory space 'wram'"):
        bridge.view("wram")
    bridge.close()
    bridge.close()
    with pytest.raises(BridgeClosed):
        bridge.advance()


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_drop_rate_is_a_probability_and_repeatable(rate: float) -> None:
    with pytest.raises(UsageError, match="from 0 to 1"):
        connect(machine=Recorder(), drop_rate=rate, rng=np.random.default_rng(0))
    with pytest.raises(UsageError, match="needs a random generator"):
        connect(machine=Recorder(), drop_rate=0.5)


def script(bridge: SimulatedBridge, pads: list[tuple[Pad, Pad]]) -> None:
    for first, second in pads:
        bridge.press(0, first)
        bridge.press(1, second)
        bridge.advance()


Scripts = st.lists(st.tuples(st.sampled_from(LEGAL), st.sampled_from(LEGAL)), max_size=40)


@given(Scripts, st.floats(0, 1), st.integers(0, 99))
def test_a_lost_press_invents_nothing_and_breaks_no_hold(pads: list[tuple[Pad, Pad]], rate: float, seed: int) -> None:
    machine = Recorder()
    bridge = connect(machine=machine, drop_rate=rate, rng=np.random.default_rng(seed))
    script(bridge, pads)
    seen = (Pad.NONE, Pad.NONE)
    lost = 0
    for wanted, arrived in zip(pads, machine.pads, strict=True):
        for port in (0, 1):
            assert arrived[port] & ~wanted[port] == 0, "nothing is pressed that was not asked for"
            assert arrived[port] & seen[port] == wanted[port] & seen[port], "a hold is not broken"
            lost += arrived[port] != wanted[port]
        seen = (arrived[0], arrived[1])
    assert bridge.dropped == lost


@given(Scripts, st.integers(0, 99))
def test_the_same_seed_loses_the_same_presses(pads: list[tuple[Pad, Pad]], seed: int) -> None:
    runs = []
    for _ in range(2):
        machine = Recorder()
        script(connect(machine=machine, drop_rate=0.3, rng=np.random.default_rng(seed)), pads)
        runs.append(machine.pads)
    assert runs[0] == runs[1]


def test_drop_rates_of_nought_and_one() -> None:
    pads = [(Pad.A, Pad.B), (Pad.A, Pad.NONE), (Pad.NONE, Pad.NONE)]
    for rate, expected in ((0.0, pads), (1.0, [(Pad.NONE, Pad.NONE)] * 3)):
        machine = Recorder()
        script(connect(machine=machine, drop_rate=rate, rng=np.random.default_rng(0)), pads)
        assert machine.pads == expected


def test_about_the_asked_share_of_taps_is_lost() -> None:
    machine = Recorder()
    bridge = connect(machine=machine, drop_rate=0.2, rng=np.random.default_rng(5))
    script(bridge, [(Pad.A, Pad.NONE), (Pad.NONE, Pad.NONE)] * 1000)
    assert 150 < bridge.dropped < 250
