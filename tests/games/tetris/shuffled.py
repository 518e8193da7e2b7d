"""Falling-block cartridges with random orientation ids, cell codes and bits that mean nothing, and a hand to play them.

Each is the stranger of random_cartridges.py with another look. Its author knows the addresses only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase
from tests.games.tetris.random_cartridges import MAP, NAMES, Stranger, cells_of, listed_pieces, number_of
from tests.games.tetris.toy_blocks import ToyMachine

CELL = MAP[MAP.index("    mask: 0xFF00") : MAP.index("pieces:\n")]
OPEN_CELL = """\
    mask: learn
    empty: learn
    kinds:
      moving: {codes: learn, solid: false}
      block: learn
      other: learn
"""
BUTTONS = ("rotate_clockwise: B, hard_drop: A", "rotate_clockwise: A, rotate_counterclockwise: B, soft_drop: DOWN")
TALK = ("title: A stranger's falling blocks\n", "title: A stranger's falling blocks # whose?\n")


def replaced(text: str, *changes: tuple[str, str]) -> str:
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


class Shuffled(Stranger):
    """The cartridge of a seed. `restless` sets bits of every word at random in every frame."""

    def __init__(
        self,
        seed: int,
        restless: bool = False,
        changes: Sequence[tuple[str, str]] = (BUTTONS,),
        codes: Sequence[int] = (),
    ) -> None:
        rng = Random(seed)
        self.restless = restless
        self.ids: Mapping[int, int] = dict(zip(range(0x64, 0x80), rng.sample(range(128), 28), strict=True))
        self.shift = (rng.randrange(-1, 3), rng.randrange(-1, 2))  # from the box's corner to the map's x and y
        self.codes = [*codes] or rng.sample(range(256), 4)  # empty, moving, the blocks of even and of odd pieces
        self.truth = parse_map(replaced(MAP, *changes, (CELL, self._cell()), *self._pieces()), "shuffled")
        openings = ((CELL, OPEN_CELL), (f"pieces:\n{listed_pieces()}", "pieces: learn"))
        self.open_text = replaced(MAP, *changes, *openings, TALK)
        self.noise = np.random.default_rng(seed)
        super().__init__(self.truth, seed)

    @property
    def open(self) -> RamMap:
        return parse_map(self.open_text, "shuffled")

    def _cell(self) -> str:
        empty, moving, one, other = self.codes
        return (
            f"    mask: 0xFF00\n    shift: 8\n    empty: 0x{empty:02X}\n    kinds:\n"
            f"      moving: {{codes: 0x{moving:02X}, solid: false}}\n      block: 0x{one:02X}\n"
            f"      other: 0x{other:02X}\n"
        )

    def _pieces(self) -> list[tuple[str, str]]:
        dx, dy = self.shift
        lines = []
        for piece in NAMES:
            for quarters in range(4):
                own, *turned = (self.ids[number_of(piece, (quarters + way) % 4)] for way in (0, 1, 3))
                cells = [[x - dx, y - dy] for x, y in cells_of(piece, quarters)]
                lines.append(
                    f"  - {{id: {own}, piece: {piece}, cells: {cells}, clockwise: {turned[0]}, "
                    f"counterclockwise: {turned[1]}}}"
                )
        return [(listed_pieces(), "\n".join(lines))]

    def _lock(self) -> None:
        super()._lock()
        if NAMES.index(self.piece) % 2:
            for x, y in self._cells():
                self.field[y, x] += 1

    def _publish(self) -> None:
        super()._publish()
        dx, dy = self.shift
        values = {"piece": self.ids[number_of(self.piece, self.quarters)], "x": self.x + dx, "y": self.y + dy}
        values["next_piece"] = self.ids[number_of(self.next, 0)]
        self._map.encode(self.ram, values)
        if self.restless:
            self.ram[0x300:0x580:2] = self.noise.integers(0, 256, 0x140)


def bridge_to(machine: Stranger) -> SimulatedBridge:
    return SimulatedBridge(machine)


class Hand:
    """Plays by a learner alone: explores, one input in two frames, then drops."""

    def __init__(self, machine: Stranger | ToyMachine, learner: TetrisLearner, tells: bool = True) -> None:
        """`tells` is false if the learner is not told the pads."""
        self.machine, self.learner, self.tells = machine, learner, tells
        self._frames = 0
        self._reader = learner.ram_map.reader()
        self._pads: list[Pad] = []
        self._phase = Phase.UNKNOWN

    def play(self, pieces: int) -> None:
        while self.machine.pieces < pieces:
            self.frame()

    def frame(self) -> None:
        """One frame of the game."""
        self._frames += 1
        ram = self.machine.ram.tobytes()
        before, (self._phase, _) = self._phase, self._reader.phase(ram)
        pad = Pad.NONE
        if self._phase is not Phase.PLAYING:
            pad = Pad.START if self._frames % 2 else Pad.NONE
        else:
            if before is not Phase.PLAYING:
                self._pads = self._planned(ram)
            pad = self._pads.pop() if self._pads else Pad.DOWN
        self.machine.step([pad])
        self.learner.observe(self.machine.ram.tobytes(), pad if self.tells else None)

    def _planned(self, ram: bytes) -> list[Pad]:
        turns, column = self.learner.explore(None)  # type: ignore[arg-type]
        shift = column - self._reader.value(ram, "x")
        buttons = self.learner.ram_map.buttons
        turn = buttons.rotate_clockwise or buttons.rotate_counterclockwise or Pad.NONE
        way = buttons.left if shift < 0 else buttons.right
        pads: list[Any] = [pad for one in [*[turn] * turns, *[way] * abs(shift)] for pad in (Pad.NONE, one)]
        return [Pad.NONE] * 14 + pads[::-1]
