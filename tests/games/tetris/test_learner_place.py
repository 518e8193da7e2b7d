"""A piece given by its cells, with the orientations stated: what cells are empty and full is learnt all the same."""

from __future__ import annotations

import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import MapError
from emubot.games.tetris.family import GAME
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.games.tetris.learning.open_map import OpenDecoder
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import parse_map
from emubot.snapshot import Piece
from emubot.tempo import tempo_for_speed
from tests.games.tetris.shuffled import replaced
from tests.games.tetris.toy_blocks import LOCKED, PLAYING, Toy, ToyMachine

AT, PARKED = 0x50, 0xF0  # the cells: x, y of each; where they are between pieces
CELL = "cell: {empty: 0x00, kinds: {block: 0x07}}"
TOY = Toy(columns=9, rows=16, hidden=1, turns=2)  # each orientation has cells of its own


class Coordinates(ToyMachine):
    """The toy, with the cells of its piece in place of x, y and a number."""

    def _write(self) -> None:
        super()._write()
        self.ram[0x11:0x14] = 0
        for number, (dx, dy) in enumerate(self.toy.cells[self.number]):
            seen = self.state in (PLAYING, LOCKED)
            place = (self.x + dx, (self.y + dy) & 0xFF) if seen else (PARKED, PARKED)
            self.ram[AT + 2 * number : AT + 2 * number + 2] = place


def text_of(cell: str) -> str:
    values = "".join(
        f"  x_{part}: 0x{AT + 2 * part:02X}\n  y_{part}: {{at: 0x{AT + 2 * part + 1:02X}, format: signed}}\n"
        for part in range(4)
    )
    points = ", ".join(f"{{x: x_{part}, y: y_{part}}}" for part in range(4))
    return replaced(
        TOY.map_text(),
        ("  piece: 0x11\n  x: {at: 0x12, format: signed}\n  y: {at: 0x13, format: signed}\n", values),
        ("pieces:\n", f"place: {{cells: [{points}]}}\npieces:\n"),
        (CELL, cell),
    )


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize(
    "cell",
    [
        "cell: {empty: 0x00, kinds: {block: learn}}",
        "cell: {empty: learn, kinds: {block: learn}}",
        "cell: {mask: learn, empty: learn, kinds: {block: learn}}",
    ],
    ids=["kinds", "empty", "mask"],
)
def test_codes_are_learnt_in_play(cell: str) -> None:
    ram_map = parse_map(text_of(cell), "toy")
    edition, tempo = GAME.open(ram_map), tempo_for_speed(10)
    pilot = Pilot(SimulatedBridge(Coordinates(TOY, 2)), Goal(60, games=None), edition, Skill(tempo=tempo))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (60, 0, 0)
    assert pilot.edition.ram_map.codes == {"empty": (0,), "block": (7,)}
    assert pilot.edition.ram_map.learns == ()


def test_an_open_map_shows_the_piece_by_its_cells() -> None:
    decoder, machine = (
        OpenDecoder(parse_map(text_of("cell: {empty: learn, kinds: {block: learn}}"), "toy")),
        Coordinates(TOY, 2),
    )
    assert decoder(machine.ram.tobytes()).current is None
    machine.state, machine.number, machine.x, machine.y = PLAYING, 8, 3, 4
    machine._write()
    current = decoder(machine.ram.tobytes()).current
    assert isinstance(current, Piece)
    assert (current.column, current.row) == (3, 4)
    assert {*TOY.cells[current.orientation]} == {*TOY.cells[8]}
    machine.ram[AT] = 8
    assert decoder(machine.ram.tobytes()).current is None, "cells that do not touch are no piece"


def test_cells_do_not_tell_pieces_that_are_open() -> None:
    text = text_of(CELL)
    with pytest.raises(MapError, match="the cells are compared with those of `pieces`, list them"):
        parse_map(text[: text.index("pieces:\n")] + "pieces: learn\n" + text[text.index("phases:\n") :], "toy")


def test_values_of_the_cells_are_needed() -> None:
    text = text_of("cell: {empty: learn, kinds: {block: learn}}")
    assert isinstance(GAME.open(parse_map(text, "toy")).learner(), TetrisLearner)
    with pytest.raises(MapError, match="found y_3, which is no value of this map"):
        parse_map(replaced(text, (f"  y_3: {{at: 0x{AT + 7:02X}, format: signed}}\n", "")), "toy")
