"""A toy map with everything the shipped ones do not need: the schema carries cartridges nobody here has seen."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.errors import MapError, UsageError
from emubot.pad import Pad
from emubot.rammap import UNKNOWN, parse_map
from emubot.snapshot import Phase

TOY = """\
title: A toy of pairs
family: toy
profile: toy-1
players: 2
identities:
  - title: Toy
    sha1: "1111111111111111111111111111111111111111"
  - title: Toy, second edition
    sha1: "2222222222222222222222222222222222222222"
    timing: {das_initial: 12}
    rules: {colors: 5}
    codes: {empty: 0x0E, kinds: {red: [0x00, 0x01]}}
refuses:
  - {title: Toy for another console, sha1: "3333333333333333333333333333333333333333", reason: it only looks alike}
timing: {profile: toy-ntsc, das_initial: 16, gravity: [30, 20, 10]}
rules: {colors: 4, offset: false, name: toy, table: [0, 8, 16]}
values:
  pixel: [0x10, 0x11]
  column: {at: [0x10, 0x11], offset: -16, divide: 16, overlaps: pixel}
  row: {at: [0x12, 0x13], format: signed, offset: 1}
  score: {at: [0x14, 0x18], bytes: 3, scale: 10}
  coins: {at: 0x20, bytes: 2, format: bcd, order: big}
  clock: {at: 0x22, bytes: 4, format: digits, order: big}
  speed: {at: 0x26, mask: 0x0C, shift: 2}
  paused: {at: 0x26, mask: 0x80, shift: 7}
  blocks: {parts: [{at: [0x28, 0x29]}, {at: [0x2A, 0x2B], times: 256}]}
  state: 0x2C
  mode: 0x2D
  seed: {at: 0x2E, bytes: 2, hidden_from_search: true}
game_counter: clock
# Column by column, from the bottom up, two bytes a cell: a look, then flag, link and code bits.
grid:
  at: [0x0300, 0x0400]
  rows: 4
  columns: 3
  row_stride: 2
  column_stride: 16
  first_row: bottom
  hidden: [[0x0308, 0x0408], [0x030A, 0x040A]]
  cell:
    bytes: 2
    mask: 0x0F00
    shift: 8
    empty: 0x00
    kinds:
      red: 0x01
      blue: [0x02, {from: 0x05, to: 0x06}]
      ghost: {codes: 0x07, solid: false}
      strange: learn
    flags: {linked: 0x8000, marked: 0x4000}
pieces:
  - {id: 0, piece: pair, cells: [[0, 0], [0, 1]], clockwise: 1, counterclockwise: 1}
  - {id: 1, piece: pair, cells: [[0, 0], [-1, 0]], clockwise: 0, counterclockwise: 0}
phases:
  - {state: mode_menu, phase: menu, when: {state: 0}}
  - {state: level_menu, phase: menu, when: {state: 1}}
  - {state: playing, phase: playing, when: {state: 2, column: {from: 0, to: 2}, paused: 0}}
  - {state: playing, phase: playing, when: {state: 3, row: {not: {from: 5}}, paused: {not: 1}}}
  - {state: over, phase: over, when: {state: {from: 200}}}
events:
  spawn: {before: {state: [2, 3], row: {not: [0, 1]}}, after: {state: [2, 3], row: 0}}
buttons: {left: LEFT, right: RIGHT, rotate_clockwise: A, hard_drop: UP, start: START}
menu:
  pace: 6
  asked:
    mode: {from: 0, to: 2, default: 0}
    level: {from: 1, to: 24, default: 3}
  steps:
    - {state: mode_menu, tap: DOWN, until: {mode: {asked: mode}}}
    - {state: [mode_menu, over], tap: START}
    - {state: level_menu, when: {asked.level: {to: 20}}, tap: RIGHT, until: {speed: {asked: level, modulo: 4}}}
    - {state: level_menu, when: {asked.mode: {not: 2}}, tap: START, hold: A+B}
"""

RED, BLUE, GHOST, STRANGE = 1, 2, 3, 4


def ram_with(**changes: int) -> bytes:
    ram = bytearray(2048)
    for place, byte in changes.items():
        ram[int(place[1:], 16)] = byte
    return bytes(ram)


def test_numbers_of_every_format() -> None:
    reader = parse_map(TOY, "toy").reader()
    ram = ram_with(a10=48, a12=0xFF, a14=0x10, a15=0x27, a20=0x12, a21=0x34, a22=9, a23=8, a24=7, a25=6, a26=0x88)
    assert reader.value(ram, "pixel") == 48
    assert reader.value(ram, "column") == 2, "a pixel becomes a column"
    assert reader.value(ram, "row") == 0, "-1 and an offset of 1"
    assert reader.value(ram, "score") == 100_000
    assert reader.value(ram, "coins") == 1234
    assert reader.value(ram, "clock") == 9876
    assert (reader.value(ram, "speed"), reader.value(ram, "paused")) == (2, 1)
    assert reader.value(ram_with(a28=0x34, a2A=0x12), "blocks") == 0x1234


def test_each_player_has_addresses_of_its_own() -> None:
    toy = parse_map(TOY, "toy")
    assert toy.addresses("score") == (0x14, 0x15, 0x16)
    assert toy.addresses("score", 1) == (0x18, 0x19, 0x1A)
    assert toy.addresses("blocks", 1) == (0x29, 0x2B)
    assert toy.addresses("coins", 1) == toy.addresses("coins", 0), "one address serves all players"
    assert toy.reader(1).value(ram_with(a18=7), "score") == 70
    with pytest.raises(MapError, match="A toy of pairs has addresses for 2 players, and none for player 3"):
        toy.reader(2)


def test_cells_by_columns_from_the_bottom_with_two_bytes() -> None:
    reader = parse_map(TOY, "toy").reader()
    # Column 1 begins at 0x310; its second cell from the bottom is at 0x312, the code in the second byte.
    ram = ram_with(a313=0xF1, a301=0x05, a327=0x07, a309=0x02, a32B=0x0C, a30B=0x03)
    field, hidden = reader.playfield(ram), reader.hidden(ram)
    assert field.shape == (4, 3)
    assert hidden.shape == (2, 3)
    assert field.flags.c_contiguous
    assert not field.flags.writeable
    assert field[2, 1] == RED
    assert field[3, 0] == BLUE
    assert field[0, 2] == GHOST
    assert np.count_nonzero(field) == 3
    assert hidden[0, 0] == BLUE, "the first hidden row is the nearest"
    assert hidden[1, [0, 2]].tolist() == [UNKNOWN, UNKNOWN], "codes that no kind has are obstacles"
    words = reader.words(ram)
    assert words.shape == (6, 3), "the hidden rows first, the topmost of all on top"
    assert (words[4, 1], words[0, 0], words[1, 0], words[5, 0]) == (0xF100, 0x0300, 0x0200, 0x0500)


def test_kinds_say_their_names_and_what_blocks() -> None:
    toy = parse_map(TOY, "toy")
    reader = toy.reader()
    assert reader.kinds == ("empty", "red", "blue", "ghost", "strange")
    assert [bool(reader.solid[kind]) for kind in (0, RED, BLUE, GHOST, STRANGE, UNKNOWN)] == [
        False, True, True, False, True, True,
    ]  # fmt: skip
    assert toy.learns == ("strange",)


def test_a_layout_of_pairs_with_walls_between_the_cells() -> None:
    """Famicom Puyo's: 14 rows of 16 bytes, two bytes a cell, a wall on each side, the top row hidden."""
    text = TOY[: TOY.index("grid:")] + (
        "grid: {at: [0x0312, 0x0412], rows: 13, columns: 6, row_stride: 16, column_stride: 2,"
        " hidden: [[0x0302, 0x0402]], cell: {bytes: 2, mask: 0xFF00, shift: 8, empty: 0x00,"
        " kinds: {red: 0x01, blue: 0x02, nuisance: 0x07}}}\n" + TOY[TOY.index("pieces:") :]
    )
    reader = parse_map(text, "pairs").reader()
    ram = bytearray(2048)
    for row in range(14):
        ram[0x300 + 16 * row : 0x310 + 16 * row] = bytes.fromhex("0008" + "0000" * 6 + "0008")
    ram[0x300 + 16 * 13 + 2 * 1 + 1] = 1  # row 13 of 0-13, x 1 of 1-6
    ram[0x300 + 16 * 1 + 2 * 6 + 1] = 7
    ram[0x300 + 2 * 3 + 1] = 2
    field = reader.playfield(bytes(ram))
    assert field.shape == (13, 6)
    assert field[12, 0] == 1
    assert field[0, 5] == 3
    assert np.count_nonzero(field) == 2
    assert reader.hidden(bytes(ram)).tolist() == [[0, 0, 2, 0, 0, 0]]


def test_an_address_alone_says_which_memory() -> None:
    small = (
        "title: t\nfamily: toy\nprofile: toy\nvalues: {state: 0x6000, last: 0x7FFF, count: 0x07FF}\n"
        "grid: {at: 0x6100, rows: 2, columns: 2, row_stride: 2, column_stride: 1,"
        " cell: {empty: 0x00, kinds: {red: 0x01}}}\n"
        "phases: [{state: playing, phase: playing, when: {state: 1}}]\n"
        "buttons: {left: LEFT, right: RIGHT, start: START}\n"
    )
    toy = parse_map(small, "w")
    assert (toy.spaces, toy.image_size) == (("ram", "wram"), 0x2800)
    ram = bytearray(0x2800)
    toy.encode(ram, {"state": 1, "last": 9, "count": 7}, np.array([[0, 1], [1, 0]], dtype=np.uint8))
    reader = toy.reader()
    assert (ram[0x800], ram[0x27FF], ram[0x07FF], bytes(ram[0x900:0x904])) == (1, 9, 7, b"\0\1\1\0")
    assert reader.phase(bytes(ram)) == (Phase.PLAYING, "playing")
    assert reader.value(bytes(ram), "last") == 9
    assert toy.addresses("last") == (0x7FFF,)
    assert toy.addresses("count") == (0x07FF,)
    assert toy.menu_step(bytes(ram), {}) is None


@pytest.mark.parametrize(
    ("changes", "phase", "state"),
    [
        ({"a2C": 0}, Phase.MENU, "mode_menu"),
        ({"a2C": 2, "a10": 16}, Phase.PLAYING, "playing"),
        ({"a2C": 2, "a10": 15}, Phase.UNKNOWN, "unknown"),
        ({"a2C": 2, "a10": 63}, Phase.PLAYING, "playing"),
        ({"a2C": 2, "a10": 64}, Phase.UNKNOWN, "unknown"),
        ({"a2C": 2, "a10": 16, "a26": 0x80}, Phase.UNKNOWN, "unknown"),
        ({"a2C": 3, "a12": 3}, Phase.PLAYING, "playing"),
        ({"a2C": 3, "a12": 4}, Phase.UNKNOWN, "unknown"),
        ({"a2C": 199}, Phase.UNKNOWN, "unknown"),
        ({"a2C": 200}, Phase.OVER, "over"),
        ({"a2C": 255}, Phase.OVER, "over"),
    ],
)
def test_phases(changes: dict[str, int], phase: Phase, state: str) -> None:
    assert parse_map(TOY, "toy").reader().phase(ram_with(**changes)) == (phase, state)


def test_events_have_a_before_and_an_after() -> None:
    reader = parse_map(TOY, "toy").reader()
    low, top = ram_with(a2C=2, a12=9), ram_with(a2C=2, a12=0xFF)
    assert reader.event("spawn", low, top)
    assert not reader.event("spawn", top, top)
    assert not reader.event("spawn", top, low)
    with pytest.raises(KeyError):
        reader.event("nothing", low, top)


def test_menus_lead_to_what_was_asked_from_wherever_they_stand() -> None:
    toy = parse_map(TOY, "toy")

    def taps(asked: dict[str, int], **changes: int) -> tuple[Pad, Pad, str] | None:
        step = toy.menu_step(ram_with(**changes), asked)
        return None if step is None else (step.tap, step.hold, step.label)

    assert taps({"mode": 2}, a2C=0, a2D=1) == (Pad.DOWN, Pad.NONE, "mode_menu: DOWN")
    assert taps({"mode": 2}, a2C=0, a2D=2) == (Pad.START, Pad.NONE, "mode_menu: START")
    assert taps({}, a2C=0, a2D=0) == (Pad.START, Pad.NONE, "mode_menu: START"), "the default mode is 0"
    assert taps({"level": 7}, a2C=1, a26=0x08) == (Pad.RIGHT, Pad.NONE, "level_menu: RIGHT")
    held = (Pad.START, Pad.A | Pad.B, "level_menu: START while holding A+B")
    assert taps({"level": 7}, a2C=1, a26=0x0C) == held, "7 modulo 4 is what the menu shows"
    assert taps({"level": 21}, a2C=1, a26=0x00) == held, "`when` looks at what was asked"
    assert taps({"level": 3, "mode": 2}, a2C=1, a26=0x0C) is None
    assert taps({}, a2C=2, a10=16) is None
    assert taps({}, a2C=99) is None
    assert taps({}, a2C=200) == (Pad.START, Pad.NONE, "over: START")
    assert toy.menu_pace == 6


def test_menus_refuse_what_they_cannot_give() -> None:
    toy = parse_map(TOY, "toy")
    with pytest.raises(UsageError, match="A toy of pairs has level 1 to 24, not 25"):
        toy.menu_step(bytes(2048), {"level": 25})
    with pytest.raises(UsageError, match="no choice of music in its menus; it can be asked for: mode, level"):
        toy.menu_step(bytes(2048), {"music": 1})


def test_an_identity_overrides_timing_rules_and_codes() -> None:
    toy = parse_map(TOY, "toy")
    first, second = toy.for_identity("1" * 40), toy.for_identity("2" * 40)
    assert (toy.sha1, first.sha1, second.sha1) == (None, "1" * 40, "2" * 40)
    assert dict(first.timing) == {"profile": "toy-ntsc", "das_initial": 16, "gravity": (30, 20, 10)}
    assert dict(second.timing) == {"profile": "toy-ntsc", "das_initial": 12, "gravity": (30, 20, 10)}
    assert second.rules == {"colors": 5, "offset": False, "name": "toy", "table": (0, 8, 16)}
    ram = ram_with(a301=0x0E, a303=0x02, a305=0x01)
    assert first.reader().playfield(ram)[:, 0].tolist() == [0, RED, BLUE, UNKNOWN]
    assert second.reader().playfield(ram)[:, 0].tolist() == [RED, RED, BLUE, 0]
    assert toy.for_identity("3" * 40) is toy


def test_an_identity_overrides_what_its_menus_offer() -> None:
    narrow = TOY.replace(
        "    rules: {colors: 5}",
        "    rules: {colors: 5}\n    asked: {level: {from: 3, to: 3, default: 3, names: [a, b, c, d]}}",
    )
    toy = parse_map(narrow, "toy")
    assert toy.for_identity("1" * 40).menu_choices["level"].high == 24
    second = toy.for_identity("2" * 40)
    assert (toy.cartridge, second.cartridge) == ("A toy of pairs", "Toy, second edition")
    assert set(second.menu_choices) == set(toy.menu_choices)
    assert second.menu_choices["level"].default == 3
    with pytest.raises(UsageError, match="Toy, second edition has level d only, not 4"):
        second.menu_step(bytes(2048), {"level": 4})
    with pytest.raises(UsageError, match="has level d only, not a"):
        second.menu_step(bytes(2048), {"level": 0})


def test_codes_of_an_identity_may_not_collide_with_those_it_keeps() -> None:
    with pytest.raises(MapError, match=r"toy:12: identities\[1\].codes.kinds.blue: code 0x02 already belongs to red"):
        parse_map(TOY.replace("kinds: {red: [0x00, 0x01]}}", "kinds: {red: [0x00, 0x02]}}"), "toy")


def test_the_map_in_the_large() -> None:
    toy = parse_map(TOY, "toy")
    assert (toy.name, toy.title, toy.family, toy.profile, toy.spaces) == (
        "toy",
        "A toy of pairs",
        "toy",
        "toy-1",
        ("ram",),
    )
    assert toy.game_counter == "clock"
    assert toy.players == 2
    assert toy.buttons.rotate_clockwise == Pad.A
    assert toy.buttons.hard_drop == Pad.UP
    assert toy.buttons.rotate_counterclockwise is None
    assert toy.buttons.soft_drop is None
    assert toy.pieces[1].cells == ((0, 0), (-1, 0))
    assert toy.pieces[1].clockwise.to == 0
    assert toy.reader() is toy.reader(0), "a reader is made once"
