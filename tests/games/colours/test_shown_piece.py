"""Pairs and capsules that are drawn into the grid, with the codes of landed cells: the board alone is decoded."""

from __future__ import annotations

import numpy as np
import pytest

from emubot import games
from emubot.errors import MapError
from emubot.games.colours.decode.frame import MatchingSnapshot
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map, parse_map
from emubot.snapshot import Phase, Snapshot
from tests.families import whole_edition

PADS = [Pad.NONE, Pad.NONE, Pad.DOWN, Pad.DOWN, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B]


def shown(ram_map: RamMap) -> RamMap:
    return parse_map(ram_map.text.replace("\ngrid:\n", "\ngrid:\n  shows_piece: true\n"), ram_map.name)


def drawn(ram_map: RamMap, ram: bytes, snapshot: Snapshot) -> bytes:
    """The memory of a cartridge that draws the piece in the air into the grid, with links if cells have them."""
    edition, reader, image = whole_edition(ram_map), ram_map.reader(), bytearray(ram)
    assert edition.depiction is not None
    assert snapshot.current is not None
    fields = [reader.playfield(ram).copy(), reader.hidden(ram).copy()]
    for cell in edition.depiction.cells(snapshot, snapshot.current):
        field, row = (fields[0], cell.row) if cell.row >= 0 else (fields[1], -1 - cell.row)
        if row < len(field):
            field[row, cell.column] = reader.kinds.index(f"color_{cell.kind}")
    ram_map.encode(image, {}, fields[0], fields[1])
    links = [reader.links(ram).copy(), reader.hidden_links(ram).copy()]
    if isinstance(snapshot, MatchingSnapshot):
        for part, field in zip(links, fields, strict=True):
            part[field != (reader.playfield if part is links[0] else reader.hidden)(ram)] = 1
        reader.grid.encode_links(image, links[0], links[1])
    return bytes(image)


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("name", ["demo_pairs", "demo_capsules", "simulated_columns"])
def test_the_board_is_that_without_the_piece(name: str) -> None:
    ram_map = load_map(name)
    machine = whole_edition(ram_map).simulator.machine(np.random.default_rng(1))
    plain, found = (games.game(ram_map.family).open(one).decoder() for one in (ram_map, shown(ram_map)))
    rng, compared = np.random.default_rng(2), 0
    for frame in range(1500):
        ram = machine.ram.tobytes()
        truth = plain(ram)
        if truth.phase is Phase.PLAYING and truth.current is not None:
            decoded = found(drawn(ram_map, ram, truth))
            assert (decoded.current, decoded.phase, decoded.fault) == (truth.current, truth.phase, None)
            assert np.array_equal(decoded.playfield, truth.playfield)
            assert np.array_equal(decoded.hidden, truth.hidden)
            if isinstance(truth, MatchingSnapshot):
                assert isinstance(decoded, MatchingSnapshot)
                assert np.array_equal(decoded.links, truth.links)
                assert np.array_equal(decoded.hidden_links, truth.hidden_links)
            compared += 1
        pad = Pad.START if truth.phase in (Phase.MENU, Phase.OVER) and frame % 8 == 0 else PADS[rng.integers(len(PADS))]
        machine.step((Pad.NONE if truth.phase is Phase.MENU and pad is not Pad.START else pad, Pad.NONE))
    assert compared > 500


def test_codes_of_such_a_grid_are_not_learnt() -> None:
    text = shown(load_map("demo_pairs")).text
    codes = next(line for line in text.splitlines() if line.strip().startswith("color_1:") and "0x" in line)
    indent = codes[: len(codes) - len(codes.lstrip())]
    with pytest.raises(MapError, match="pairs learn codes only of what landed, so state them"):
        games.game("puyo").open(parse_map(text.replace(codes, f"{indent}color_1: learn"), "pairs"))
