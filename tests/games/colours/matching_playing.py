"""Simulated matching cartridges in tests: started, played by random pads, seen through the decoder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from emubot.datafiles import shipped
from emubot.games.colours.simulator.machine import MatchingMachine
from emubot.games.colours.simulator.matching_simulator import Simulator
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map, parse_map

DEMO = (shipped("ram_maps") / "demo_capsules.yaml").read_text(encoding="utf-8")
BUTTONS = (Pad.NONE, Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.DOWN, Pad.DOWN)


@cache
def demo_map() -> RamMap:
    """The map of the demo cartridge."""
    return load_map("demo_capsules")


def strange_map() -> RamMap:
    """The same game in another layout: kinds and links share bits, pieces turn from their upper right cell."""
    text = DEMO[: DEMO.index("identities:")] + DEMO[DEMO.index("timing:") : DEMO.index("grid:")] + STRANGE
    text += DEMO[DEMO.index("phases:") :]
    for written, instead in (
        ("y: [0x3C, 0x3D]", "y: { at: [0x3C, 0x3D], format: signed }"),
        ("x: { from: 0, to: 7 }", "x: { from: 1, to: 8 }"),
        ("y: { from: 0, to: 15 }", "y: { from: -1, to: 14 }"),
        ("orientation: { from: 0, to: 3 }", "orientation: { from: 1, to: 7 }"),
    ):
        assert written in text
        text = text.replace(written, instead)
    return parse_map(text, "strange")


STRANGE = """\
grid:
  at: [0x0600, 0x0500]
  rows: 16
  columns: 8
  row_stride: 8
  column_stride: 1
  first_row: bottom
  cell:
    empty: 0xFF
    kinds:
      color_2: [0x40, 0x50, 0x60, 0x70, 0x80]
      color_1: [0x41, 0x51, 0x61, 0x71, 0x81]
      color_3: [0x42, 0x52, 0x62, 0x72, 0x82]
      target_1: 0xD1
      target_2: 0xD0
      target_3: 0xD2
      vanishing: { from: 0xB0, to: 0xBF }
    link: { mask: 0xF0, shift: 4, none: 0x08, left: 0x07, right: 0x06, up: 0x05, down: 0x04 }
pieces:
  - { id: 7, piece: pair, cells: [[-1, 1], [0, 1]], clockwise: 1, counterclockwise: 3 }
  - { id: 1, piece: pair, cells: [[-1, 0], [-1, 1]], clockwise: 2, counterclockwise: 7 }
  - { id: 2, piece: pair, cells: [[0, 1], [-1, 1]], clockwise: 3, counterclockwise: 1 }
  - { id: 3, piece: pair, cells: [[-1, 1], [-1, 0]], clockwise: 7, counterclockwise: 2 }
piece_codes: { color_1: 0x00, color_2: 0x01, color_3: 0x05 }
"""


def tap(machine: MatchingMachine, *pads: Pad) -> None:
    """Press each pad of the first player for a frame, and wait until a screen would be drawn."""
    for pad in pads:
        for held in (pad, Pad.NONE, Pad.NONE, Pad.NONE):
            machine.step((held, Pad.NONE))


def started(ram_map: RamMap, players: int = 1, stage: int = 0, seed: int = 2) -> MatchingMachine:
    """A machine in the first frames of a game."""
    machine = MatchingMachine(ram_map, np.random.default_rng(seed))
    tap(machine, Pad.START, *[Pad.UP] * stage, *[Pad.SELECT] * (players - 1), Pad.START)
    return machine


def running(machine: MatchingMachine) -> Simulator:
    """The machine's game."""
    assert machine.game is not None
    return machine.game


def mash(machine: MatchingMachine, frames: int, seed: int) -> Iterator[int]:
    """Random pads of both players, frame by frame; yields the number of each frame after it."""
    rng = np.random.default_rng(seed)
    for frame in range(frames):
        first, second = (BUTTONS[rng.integers(len(BUTTONS))] for _ in range(2))
        machine.step((first, second))
        yield frame
