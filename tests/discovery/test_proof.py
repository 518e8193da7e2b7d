"""A draft is proved by play, and a piece that it does not know ends the proof at a moment with that piece."""

from __future__ import annotations

import re

from emubot.bridges.image import image_reader
from emubot.discovery.proof import prove
from emubot.pad import Pad
from emubot.rammap import parse_map
from emubot.rammap.placing import placed_by_cells
from tests.learn.remembering import RememberingBridge
from tests.toys.machine import ToyMachine
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS

KIND, NUMBERS = "T", {3, 4, 5, 6}


def test_a_piece_that_the_map_does_not_know_ends_the_proof() -> None:
    whole = map_text(TOYS["wide"])
    text = re.sub(rf"(?m)^  - \{{ id: \d+, piece: {KIND},.*\n", "", whole)
    ram_map, known = parse_map(text, "without"), parse_map(whole, "whole")
    assert {one.id for one in known.pieces} - {one.id for one in ram_map.pieces} == NUMBERS
    bridge = RememberingBridge(ToyMachine(TOYS["wide"]))
    proof = prove(bridge, ram_map, lambda edition: None)
    assert proof.stranger is not None
    assert proof.misplaced == 0
    bridge.load(proof.stranger)
    image = image_reader(bridge, ["ram"])()
    assert known.reader().value(image, "piece") in NUMBERS


def test_a_piece_whose_cells_the_map_does_not_know_ends_the_proof() -> None:
    whole = map_text(TOYS["sprites"])
    text = re.sub(rf"(?m)^  - \{{ id: \d+, piece: {KIND},.*\n", "", whole)
    ram_map, known = parse_map(text, "without"), parse_map(whole, "whole")
    left_out = {one.id for one in known.pieces} - {one.id for one in ram_map.pieces}
    bridge = RememberingBridge(ToyMachine(TOYS["sprites"]))
    proof = prove(bridge, ram_map, lambda edition: None)
    assert proof.stranger is not None
    assert proof.misplaced == 0
    bridge.load(proof.stranger)
    placed = placed_by_cells(known, 0, ordered=False, id_name="piece")
    assert placed is not None
    found = placed(image_reader(bridge, ["ram"])())
    assert found is not None
    assert found.orientation in left_out


def test_a_map_that_knows_all_pieces_is_proved() -> None:
    proof = prove(
        RememberingBridge(ToyMachine(TOYS["wide"])), parse_map(map_text(TOYS["wide"]), "x"), lambda _: None, 50
    )
    assert proof.holds
    assert proof.stranger is None


class _Pressed(RememberingBridge):
    """Remembers what was pressed in the first frame."""

    first: Pad | None = None

    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad)
        self.last = pad

    def advance(self) -> int:
        self.first = self.last if self.first is None else self.first
        return super().advance()


def test_nothing_that_an_experiment_held_is_held_in_a_proof() -> None:
    bridge = _Pressed(ToyMachine(TOYS["wide"]))
    bridge.press(0, Pad.DOWN)
    prove(bridge, parse_map(map_text(TOYS["wide"]), "x"), lambda _: None, 1)
    assert bridge.first is Pad.NONE
