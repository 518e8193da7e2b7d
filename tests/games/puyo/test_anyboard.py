"""Pairs on fields of any size: the kernels against those of the six columns, and toy cartridges played from YAML."""

from __future__ import annotations

import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.pilot import Goal, Pilot
from emubot.rammap import parse_map
from emubot.snapshot import Phase, Piece, Placement
from emubot.weights import load_weights
from tests.families import whole_game
from tests.games.puyo.toy_pairs import TOYS, Half, ToyPairs, Untimed

GAME = whole_game("puyo")


@pytest.mark.jit
@pytest.mark.parametrize("toy", TOYS)
def test_a_toy_plays_from_its_map_alone(toy: type[ToyPairs]) -> None:
    """The places are compared cell by cell, with their colours, by what the cartridge itself has locked."""
    ram_map = parse_map(toy.text, toy.__name__.lower())
    machine = toy(seed=5)
    decode = GAME.decoder(ram_map)
    planned: dict[int, frozenset[Half]] = {}  # by the number of pairs that had locked

    def note(placement: Placement) -> None:
        snapshot = decode(machine.ram.tobytes())
        assert snapshot.phase is Phase.PLAYING
        assert bool(placement.timeline) == (toy is not Untimed)
        cells = GAME.cells(snapshot, Piece(placement.orientation, placement.column, placement.row))
        planned[len(machine.locks)] = frozenset((cell.column, cell.row, cell.kind) for cell in cells)

    pilot = Pilot(SimulatedBridge(machine), Goal(200, games=None), GAME, ram_map, load_weights("famicom_puyo"))
    pilot.on_plan.append(note)
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (200, 0, 0)
    assert len(planned) == 200
    assert planned == {number: machine.locks[number] for number in planned}
    assert machine.popped > 100
