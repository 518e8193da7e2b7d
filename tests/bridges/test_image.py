"""The image of a frame: one read for ram, and for ram and wram together, from bridges of every kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from emubot.bridges.image import image_reader
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import UsageError
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad

BOTH = ("ram", "wram")
IMAGE = 0x2800


class Counting:
    """Counts frames in the first byte of each memory."""

    identity = "simulated:counting"
    frame_rate = FRAME_RATE_NTSC

    def __init__(self, size: int = IMAGE) -> None:
        self.ram = np.arange(size).astype(np.uint8)

    def step(self, pads: Sequence[Pad]) -> None:
        self.ram[0] += 1
        self.ram[0x800::IMAGE] += 2


class Distant(SimulatedBridge):
    """A bridge to another process, whose bytes are 0 until they are followed."""

    def __init__(self) -> None:
        super().__init__(Counting())
        self.followed: dict[str, tuple[list[tuple[int, int]], int | None]] = {}

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        self.followed[space] = [*ranges], clock

    def view(self, space: str) -> None:  # type: ignore[override]
        super().view(space)


def test_a_machine_may_have_wram_too() -> None:
    machine = Counting()
    bridge = SimulatedBridge(machine)
    assert bridge.facts.spaces == {"ram": (0, 0x800), "wram": (0x6000, 0x2000)}
    read = image_reader(bridge, BOTH)
    for frame in (1, 2):
        bridge.advance()
        assert read() == machine.ram.tobytes()
        assert (read()[0], read()[0x800]) == (frame, 2 * frame)
    assert bridge.read("wram", 0x6001, 2) == bytes([1, 2])
    assert not bridge.view("wram").flags.writeable
    with pytest.raises(UsageError, match="are not all in it"):
        bridge.read("wram", 0x7FFF, 2)
    with pytest.raises(UsageError, match="A machine has 2,048 bytes of ram, or these and 8,192 of wram, not 4,096"):
        SimulatedBridge(Counting(4096))


def test_ram_alone_is_read_from_the_view_itself() -> None:
    """No cost a frame: the reader is the view's own method."""
    bridge = SimulatedBridge(Counting(2048))
    read = image_reader(bridge, ["ram"])
    assert getattr(read, "__self__", None) is bridge.view("ram")
    bridge.advance()
    assert len(read()) == 2048
    assert read()[0] == 1


def test_a_bridge_without_wram_says_so_in_one_sentence() -> None:
    with pytest.raises(
        UsageError, match="This map needs a bridge with wram, and simulator shows only ram of this"
    ) as no:
        image_reader(SimulatedBridge(Counting(2048)), BOTH)
    assert no.value.exit_code == 2


@pytest.mark.parametrize(("clock", "clocks"), [(0x10, (0x10, None)), (0x6010, (None, 0x6010)), (None, (None, None))])
def test_a_distant_bridge_follows_the_used_bytes_of_each_space(
    clock: int | None, clocks: tuple[int | None, int | None]
) -> None:
    bridge = Distant()
    read = image_reader(bridge, BOTH, [(0x10, 2), (0x7F0, 16), (0x6000, 1), (0x7FFF, 1)], clock)
    assert bridge.followed["ram"] == ([(0x10, 2), (0x7F0, 16)], clocks[0])
    assert bridge.followed["wram"] == ([(0x6000, 1), (0x7FFF, 1)], clocks[1])
    bridge.advance()
    assert len(read()) == IMAGE
    image_reader(bridge, BOTH)
    assert bridge.followed["wram"] == ([(0x6000, 0x2000)], None), "every byte"
