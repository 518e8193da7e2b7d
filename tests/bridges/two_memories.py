"""A map with addresses in ram and in wram, for the bridges to emulators: both memories count the same frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.image import image_reader
from emubot.bridges.protocol import Bridge
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.rammap import parse_map

MAP = parse_map(
    """\
title: A toy with two memories
family: toy
profile: toy
values:
  near: {at: 0x0000, bytes: 2, order: big}
  far: {at: 0x6000, bytes: 2, order: big}
game_counter: near
grid:
  at: 0x6100
  rows: 2
  columns: 2
  row_stride: 2
  column_stride: 1
  cell: {empty: 0x00, kinds: {red: 0x01}}
phases:
  - {state: playing, phase: playing, when: {near: {from: 0}}}
buttons: {left: LEFT, right: RIGHT, start: START}
""",
    "two_memories",
)
FIELD = bytes([0, 1, 1, 0])  # at the grid's address


class TwoMemories:
    """A console that shows its count of frames in both memories."""

    identity = "simulated:two memories"
    frame_rate = FRAME_RATE_NTSC

    def __init__(self) -> None:
        self.ram: NDArray[np.uint8] = np.zeros(MAP.image_size, dtype=np.uint8)
        self.ram[0x900:0x904] = [*FIELD]
        self.count = 0

    def step(self, pads: Sequence[Pad]) -> None:
        self.count += 1
        for start in (0, 0x800):
            self.ram[start : start + 2] = [*self.count.to_bytes(2)]


def check_frames(bridge: Bridge, frames: int = 300) -> None:
    """Check that the image of every frame is of one frame, in both memories."""
    read, reader = image_reader(bridge, MAP.spaces, MAP.used, MAP.clock), MAP.reader()
    before = None
    for _ in range(frames):
        bridge.advance()
        image = read()
        assert len(image) == MAP.image_size
        near, far = reader.value(image, "near"), reader.value(image, "far")
        assert near == far, "both memories are of one frame"
        assert before in (None, near - 1)
        before = near
        assert reader.playfield(image).tolist() == [[0, 1], [1, 0]]
