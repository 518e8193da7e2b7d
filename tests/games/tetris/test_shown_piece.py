"""Cartridges that draw the piece in the air into the grid, with the codes of locked cells: decoded, learnt, played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import MapError
from emubot.games.tetris.family import GAME
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.games.without_piece import WithoutPiece
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map, parse_map
from emubot.tempo import tempo_for_speed
from tests.games.tetris.shuffled import Hand, replaced
from tests.games.tetris.toy_blocks import BOARD, LOCKED, PENTOMINOES, PLAYING, ROW, STATE, Toy, ToyMachine

USUAL, WIDE = Toy(hidden=2), Toy(columns=12, rows=24, hidden=3, boxes=PENTOMINOES)
SHOWN = {toy: (GAME.open(parse_map(replace(toy, shows_piece=True).map_text(), "shown")).decoder(),
               GAME.open(parse_map(toy.map_text(), "plain")).decoder()) for toy in (USUAL, WIDE)}  # fmt: skip


def frames(toy: Toy, seed: int, number: int, state: int) -> tuple[bytes, bytes] | None:
    """A frame with a piece somewhere in a random field where it fits: as the toy writes it, shown and not shown."""
    rng, images = np.random.default_rng(seed), []
    for shows_piece in (True, False):
        machine = ToyMachine(replace(toy, shows_piece=shows_piece), seed)
        machine.field[:] = 7 * (np.random.default_rng(seed).random(machine.field.shape) < 0.3)
        images.append(machine)
    machine = images[0]
    places = [
        (x, y) for x in range(-3, toy.columns) for y in range(-toy.hidden - 1, toy.rows) if machine.fits(number, x, y)
    ]
    if not places:
        return None
    x, y = places[rng.integers(len(places))]
    for one in images:
        one.number, one.x, one.y, one.state = number, x, y, state
        one._write()
    return images[0].ram.tobytes(), images[1].ram.tobytes()


@given(st.sampled_from([USUAL, WIDE]), st.integers(0, 2**32 - 1), st.integers(0, 27))
def test_a_piece_in_play_is_no_part_of_the_board(toy: Toy, seed: int, number: int) -> None:
    made = frames(toy, seed, number, PLAYING)
    if made is None:
        return
    shown, plain = SHOWN[toy]
    found, truth = shown(made[0]), plain(made[1])
    assert found.current == truth.current is not None
    assert found.playfield.tolist() == truth.playfield.tolist()
    assert found.hidden.tolist() == truth.hidden.tolist()
    assert not found.playfield.flags.writeable
    assert not found.hidden.flags.writeable


@pytest.mark.parametrize("toy", [USUAL, WIDE], ids=["usual", "wide"])
def test_while_it_is_locked_its_cells_are_the_board_s(toy: Toy) -> None:
    made = frames(replace(toy, shows_piece=True), 3, 4, PLAYING)
    assert made is not None
    locked = bytearray(made[0])
    locked[STATE] = LOCKED
    shown, plain = SHOWN[toy]
    assert shown(bytes(locked)).playfield.tolist() == plain(bytes(locked)).playfield.tolist()
    assert plain(bytes(locked)).playfield.sum() > shown(made[0]).playfield.sum()


def test_the_board_stays_the_same_array_while_the_piece_moves() -> None:
    without = WithoutPiece()
    field = np.zeros((4, 4), dtype=np.uint8)
    field[3] = 1
    first, hidden = field.copy(), np.zeros((0, 4), dtype=np.uint8)
    first[0, 0] = 2
    second = field.copy()
    second[1, 0] = 2
    board = without((first, hidden), [(0, 0)])
    assert without((first, hidden), [(0, 0)])[0] is board[0]
    assert without((second, hidden), [(0, 1)])[0] is board[0]
    assert (board[0] == field).all()
    assert without((second, hidden), [(0, 0)])[0].tolist() == second.tolist(), "another place of the piece"
    assert without((second, hidden), [(9, 1), (0, -1), (0, 4)])[0].tolist() == second.tolist(), "outside of the board"


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize(
    "toy", [Toy(shows_piece=True), Toy(columns=8, rows=14, hidden=1, shows_piece=True)], ids=["usual", "small"]
)
def test_a_pilot_plays_it_without_a_fault(toy: Toy) -> None:
    edition = GAME.open(parse_map(toy.map_text(), "toy"))
    pilot = Pilot(SimulatedBridge(ToyMachine(toy, 2)), Goal(100, games=None), edition, Skill(tempo=tempo_for_speed(10)))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (100, 0, 0)


class Early(ToyMachine):
    """It draws the next piece while the map still says locked."""

    def _write(self) -> None:
        super()._write()
        if self.state == LOCKED and self._wait == 1:
            number = self.queue[0]
            x, y = self.toy.entry(number)
            for dx, dy in self.toy.cells[number]:
                self.ram[BOARD + ROW * (y + dy) + x + dx] = 7


def test_pieces_that_are_drawn_before_they_are_in_play_are_learnt() -> None:
    toy = Toy(columns=9, rows=16, shows_piece=True)
    text = toy.map_text()
    opened = replaced(text, (text[text.index("pieces:\n") : text.index("phases:\n")], "pieces: learn\n"))
    learner = GAME.open(parse_map(opened, "toy")).learner()
    assert isinstance(learner, TetrisLearner)
    Hand(Early(toy, 4), learner).play(130)
    assert learner.open == ()
    assert {one.id: {*one.cells} for one in learner.finished().pieces} == {
        number: {*cells} for number, cells in enumerate(toy.cells)
    }


def test_the_map_of_a_release_does_not_say_so() -> None:
    text = load_map("nes_tetris_usa").text.replace("grid:\n", "grid:\n  shows_piece: true\n")
    with pytest.raises(MapError, match="shows_piece beside the timing profile nes-ntsc: leave it"):
        GAME.open(parse_map(text, "usa"))
