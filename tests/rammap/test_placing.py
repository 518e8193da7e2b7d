"""A piece is found from the coordinates of its cells, in every orientation and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.games.colours.decode.decode import Decoder as PairsDecoder
from emubot.games.colours.decode.map_checks import is_learnt
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.rammap import RamMap, parse_map
from emubot.rammap.layout import Orientation, Turn
from emubot.rammap.placing import CellTable, Placed, placed_by_cells
from emubot.snapshot import Piece
from tests.games.colours.puyo_maps import DEMO
from tests.games.tetris.random_cartridges import MAP, NAMES, PLAYING, cells_of, number_of

Cell = tuple[int, int]

cells = st.tuples(st.integers(-3, 3), st.integers(-3, 3))


def orientation(number: int, where: Sequence[Cell]) -> Orientation:
    return Orientation(id=number, piece="P", cells=tuple(where), clockwise=Turn(to=0), counterclockwise=Turn(to=0))


@given(
    shapes=st.lists(st.lists(cells, min_size=1, max_size=5, unique=True), min_size=1, max_size=6),
    pivot=st.tuples(st.integers(-40, 40), st.integers(-40, 40)),
    data=st.data(),
)
def test_a_piece_comes_back_from_its_cells(shapes: list[list[Cell]], pivot: Cell, data: st.DataObject) -> None:
    table = [orientation(number, shape) for number, shape in enumerate(shapes)]
    number = data.draw(st.integers(0, len(shapes) - 1))
    there = [(pivot[0] + x, pivot[1] + y) for x, y in shapes[number]]
    found = CellTable(table, ordered=True).find(there)
    assert found is not None
    shown = shapes[found.orientation]
    assert [(found.x + x, found.y + y) for x, y in shown] == there, "cell by cell"
    mixed = data.draw(st.permutations(there))
    found = CellTable(table, ordered=False).find(mixed)
    assert found is not None
    shown = shapes[found.orientation]
    assert {(found.x + x, found.y + y) for x, y in shown} == {*there}
    assert found.orientation <= number, "the first in the map that fits"
    assert CellTable(table, ordered=False).find(mixed, number) == Placed(number, *pivot), "the one with this id"
    assert CellTable(table, ordered=True).find(there, -1) == CellTable(table, ordered=True).find(there)


@given(shape=st.lists(cells, max_size=5), ordered=st.booleans())
def test_cells_that_no_piece_has_are_no_piece(shape: list[Cell], ordered: bool) -> None:
    table = [orientation(7, [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (2, 3)])]
    assert CellTable(table, ordered).find(shape) is None


def test_two_positions_are_a_pair_with_its_orientation() -> None:
    pair = [orientation(n, [(0, 0), (dx, dy)]) for n, (dx, dy) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)])]
    table = CellTable(pair, ordered=True)
    assert table.find([(3, 5), (3, 4)]) == Placed(0, 3, 5)
    assert table.find([(3, 4), (3, 5)]) == Placed(2, 3, 4), "the same cells the other way round"
    assert table.find([(3, 4), (3, 4)]) is None
    assert table.find([(3, 4)]) is None


def test_a_turn_moves_the_parts_on() -> None:
    assert Turn(to=1).reordered("abc") == ("a", "b", "c")
    assert Turn(to=1, cycle=1).reordered("abc") == ("c", "a", "b")
    assert Turn(to=1, cycle=-1).reordered("abc") == ("b", "c", "a")


SPRITES = """\
  state: 0x20
  x_0: {at: 0x0700, offset: -16, divide: 8}
  y_0: {at: 0x0703, offset: -31, divide: 8}
  x_1: {at: 0x0704, offset: -16, divide: 8}
  y_1: {at: 0x0707, offset: -31, divide: 8}
  x_2: {at: 0x0708, offset: -16, divide: 8}
  y_2: {at: 0x070B, offset: -31, divide: 8}
  x_3: {at: 0x070C, offset: -16, divide: 8}
  y_3: {at: 0x070F, offset: -31, divide: 8}
  x_4: {at: 0x0710, offset: -16, divide: 8}
  y_4: {at: 0x0713, offset: -31, divide: 8}
grid:
"""
POINTS = ", ".join(f"{{x: x_{number}, y: y_{number}}}" for number in range(5))
SPRITE_MAP = MAP.partition("values:\n")[0] + "values:\n" + SPRITES + MAP.partition("grid:\n")[2]
SPRITE_MAP = SPRITE_MAP.replace("pieces:\n", f"place: {{cells: [{POINTS}]}}\npieces:\n")


def sprites(where: Sequence[Cell]) -> bytes:
    """The RAM of a game that shows its piece by sprites; the spare ones are parked below the picture."""
    ram = bytearray(2048)
    ram[0x20] = PLAYING
    for number in range(5):
        x, y = where[number] if number < len(where) else (0, 26)
        ram[0x0700 + 4 * number], ram[0x0703 + 4 * number] = 16 + 8 * x, 31 + 8 * y
    return bytes(ram)


@cache
def blocks(text: str) -> TetrisDecoder:
    return TetrisDecoder(parse_map(text, "blocks"))


@pytest.mark.parametrize("piece", NAMES)
@settings(max_examples=40, deadline=None)
@given(quarters=st.integers(0, 3), x=st.integers(0, 6), y=st.integers(0, 16), mix=st.randoms())
def test_falling_blocks_are_read_from_their_sprites(piece: str, quarters: int, x: int, y: int, mix: object) -> None:
    """The same place as the one that the id and the pivot give."""
    plain, by_sprites = blocks(MAP), blocks(SPRITE_MAP)
    there = [(x + dx, y + dy) for dx, dy in cells_of(piece, quarters)]
    mix.shuffle(there)  # type: ignore[attr-defined]
    ram = bytearray(2048)
    ram[0x20], ram[0x21], ram[0x23], ram[0x24] = PLAYING, number_of(piece, quarters), 32 + 8 * x, y
    wanted, found = plain(bytes(ram)).current, by_sprites(sprites(there)).current
    assert found is not None
    assert wanted is not None
    assert occupied(found) == occupied(wanted) == {*there}


def test_cells_that_come_in_order_tell_a_piece_from_the_one_turned_by_180_degrees() -> None:
    listed = "pieces:\n" + "".join(
        f"  - {{id: {number}, piece: roll, cells: [[0, 0], [{dx}, {dy}]], clockwise: {(number + 1) % 4}, "
        f"counterclockwise: {(number - 1) % 4}}}\n"
        for number, (dx, dy) in enumerate([(1, 0), (0, 1), (-1, 0), (0, -1)])
    )
    text = SPRITE_MAP.partition("place:")[0] + f"place: {{cells: [{POINTS}]}}\n{listed}phases:\n"
    text += SPRITE_MAP.partition("phases:\n")[2]
    for in_order, ids in ((True, [0, 1, 2, 3]), (False, [0, 1, 0, 1])):
        ram_map = parse_map(text.replace("]}\npieces", f"], in_order: {str(in_order).lower()}}}\npieces"), "rolls")
        read = placed_by_cells(ram_map, 0, ordered=False, id_name="piece")
        assert read is not None
        found = [read(sprites([(4, 9), (4 + dx, 9 + dy)])) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))]
        assert [placed and placed.orientation for placed in found] == ids


def occupied(piece: Piece) -> set[Cell]:
    from emubot.games.tetris.rules import DX, DY

    shape = zip(DX[piece.orientation], DY[piece.orientation], strict=True)
    return {(piece.column + int(dx), piece.row + int(dy)) for dx, dy in shape}


def test_sprites_that_show_no_piece_are_no_piece() -> None:
    decode = blocks(SPRITE_MAP)
    for where in ([], [(0, 0)] * 4, [(0, 0), (2, 0), (4, 0), (6, 0)]):
        assert decode(sprites(where)).current is None


@settings(max_examples=40, deadline=None)
@given(ram=st.binary(min_size=2048, max_size=2048))
def test_any_sprites_can_be_decoded(ram: bytes) -> None:
    blocks(SPRITE_MAP)(bytes([*ram[:0x20], PLAYING, *ram[0x21:]]))


PAIR_VALUES = """\
  bottom_x: {at: [0x0700, 0x0710], offset: -16, divide: 16}
  bottom_y: {at: [0x0701, 0x0711], offset: -16, divide: 16}
  top_x: {at: [0x0702, 0x0712], offset: -16, divide: 16}
  top_y: {at: [0x0703, 0x0713], offset: -16, divide: 16}

"""
PAIR_PLACE = "place: {cells: [{x: bottom_x, y: bottom_y}, {x: top_x, y: top_y}]}\npieces:\n"
PAIR_LINES = [line for line in DEMO.splitlines() if not line.startswith(("  x:", "  y:", "  orientation:"))]
PAIR_MAP = "\n".join(PAIR_LINES).replace("\n\n", f"\n{PAIR_VALUES}", 1).replace("pieces:\n", PAIR_PLACE)


@cache
def pairs(text: str) -> RamMap:
    return parse_map(text, "pairs")


@pytest.mark.parametrize("player", [0, 1])
@settings(max_examples=40, deadline=None)
@given(number=st.integers(0, 3), x=st.integers(0, 5), y=st.integers(0, 12))
def test_a_pair_is_read_from_its_halves(player: int, number: int, x: int, y: int) -> None:
    plain, by_cells = pairs(DEMO), pairs(PAIR_MAP)
    top = x + (0, -1, 0, 1)[number], y + (1, 0, -1, 0)[number]
    parts = {"game_state": 2, "spawn_delay": 0, "current_bottom": 1, "current_top": 2}
    ram, other = bytearray(2048), bytearray(2048)
    plain.encode(ram, {**parts, "x": x, "y": y, "orientation": number}, player=player)
    by_cells.encode(other, parts, player=player)
    for place, column_or_row in enumerate((x, y, *top)):
        other[0x0700 + 0x10 * player + place] = (16 + 16 * column_or_row) & 0xFF
    assert PairsDecoder(by_cells, player)(bytes(other)).current == PairsDecoder(plain, player)(bytes(ram)).current
    other[0x0700 + 0x10 * player] ^= 0x80
    assert PairsDecoder(by_cells, player)(bytes(other)).current is None


def test_what_a_pair_by_its_cells_cannot_do_is_said() -> None:
    untimed = parse_map(PAIR_MAP, "halves")
    assert not is_learnt(untimed), "it reads x, y and orientation"
    with pytest.raises(MapError, match="gives the pair by its cells, so no cartridge can be simulated from it"):
        PuyoMachine(untimed, None)
    with pytest.raises(MapError, match="leaves color_6 to be learnt and gives the pair by its cells"):
        PairsDecoder(parse_map(PAIR_MAP.replace("color_6: 0x06\n", "color_6: learn\n"), "open"))
    with pytest.raises(MapError, match="The place in the map long has 3 cells: give two, the bottom half's first"):
        PairsDecoder(parse_map(PAIR_MAP.replace("y: top_y}]", "y: top_y}, {x: top_x, y: top_y}]"), "long"))
    with pytest.raises(MapError, match="lacks top_y for player 2"):
        PairsDecoder(parse_map(PAIR_MAP.replace("[0x0703, 0x0713]", "[0x0703, none]"), "half"))


def test_falling_blocks_need_the_values_of_every_cell() -> None:
    two = SPRITE_MAP.replace("timing: {}", "timing: {}\nplayers: 2")
    half = parse_map(two.replace("x_4: {at: 0x0710", "x_4: {at: [0x0710, none]"), "half")
    with pytest.raises(MapError, match="lacks the values x_4 for player 2"):
        TetrisDecoder(half)
