"""A cartridge whose piece is found by its sprites, which count upwards, is played like any other."""

from __future__ import annotations

import pytest

from emubot import Goal, Pilot
from emubot.bridges.simulated import SimulatedBridge
from emubot.games import open_edition
from emubot.pilot import Skill
from emubot.rammap import RamMap
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights
from tests.games.tetris.random_cartridges import PLAYING, ROWS, TIMED, Stranger, stranger_map

SPRITES = "".join(
    f"  sprite_{n}_x: {{at: 0x{0x700 + 4 * n + 3:04X}, offset: -16, divide: 8}}\n"
    f"  sprite_{n}_y: {{at: 0x{0x700 + 4 * n:04X}, offset: -{(ROWS - 1) * 8}, scale: -1, divide: 8}}\n"
    for n in range(4)
)
CELLS = ", ".join(f"{{x: sprite_{n}_x, y: sprite_{n}_y}}" for n in range(4))
BY_SPRITES = (
    ("  x: {at: 0x23, offset: -32, divide: 8} # pixels\n", ""),
    ("  y: {at: 0x24, format: signed}\n", SPRITES),
    ("pieces:\n", f"place: {{cells: [{CELLS}]}}\npieces:\n"),
)
NO_ID = ("  piece: {at: 0x21, mask: 0x7F}\n", "")


class Sprites(Stranger):
    """The cartridge with its piece's sprites, in an order that changes; those of no piece are outside the picture."""

    def _publish(self) -> None:
        super()._publish()
        cells = self._cells() if self._state == PLAYING or self.pieces else []
        for number in range(4):
            column, row = cells[number - self.quarters] if len(cells) == 4 else (40, 0)
            self.ram[0x700 + 4 * number] = 8 * (ROWS - 1 - row)
            self.ram[0x700 + 4 * number + 3] = (16 + 8 * column) % 256


def played(ram_map: RamMap, pieces: int) -> tuple[Pilot, Sprites]:
    machine = Sprites(ram_map, seed=1)
    bridge, edition = SimulatedBridge(machine), open_edition(ram_map)
    pilot = Pilot(bridge, Goal(pieces, None), edition, Skill(load_weights("dt10"), tempo_for_speed(10)))
    pilot.run()
    return pilot, machine


@pytest.mark.jit
def test_a_piece_by_its_sprites_is_planned_to_the_frame() -> None:
    pilot, machine = played(stranger_map(TIMED, *BY_SPRITES), pieces=60)
    tally = pilot.tally
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (60, 0, 0, 0)
    assert tally.lines == machine.lines > 15


@pytest.mark.jit
def test_nothing_but_the_sprites_is_enough_where_each_input_is_read_back() -> None:
    pilot, machine = played(stranger_map(*BY_SPRITES, NO_ID), pieces=60)
    assert (pilot.tally.pieces, pilot.tally.misplaced, pilot.tally.games) == (60, 0, 0)
    assert pilot.tally.lines == machine.lines > 15
