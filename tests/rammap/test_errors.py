"""A wrong map says so in one sentence: which file, line and key, what was found, what is allowed; and never crashes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import EmubotError, MapError
from emubot.rammap import all_maps, load_map, map_errors, parse_map
from emubot.rammap.strict_yaml import SIZE_LIMIT, Hex, parse_source

BASE = """\
title: A toy
family: toy
profile: toy
players: 2
values:
  x: [0x10, 0x20]
  state: 0x30
  low: {at: 0x40, bytes: 2}
regions:
  stack: {at: 0x0100, bytes: 16}
grid:
  at: 0x0200
  rows: 4
  columns: 3
  row_stride: 3
  column_stride: 1
  cell:
    empty: 0x00
    kinds:
      red: 0x01
      wall: {codes: {from: 0x08, to: 0x0F}, solid: true}
phases:
  - {state: title, phase: menu, when: {state: 0}}
  - {state: playing, phase: playing, when: {state: 1, x: {from: 0, to: 2}}}
buttons: {left: LEFT, right: RIGHT, start: START}
menu:
  pace: 8
  asked:
    level: {from: 0, to: 9, default: 0}
  steps:
    - {state: title, tap: START}
"""

DIGEST = "A" * 40
CODE_FORMS = "a code in hex, a range {from, to}, a list of these, or the word learn"
TEST_FORMS = "a number, a list of numbers, {from, to} or {not: ...}"
VALUE_KEYS = (
    "bytes, format, order, mask, shift, table, otherwise, "
    "at, parts, offset, scale, divide, overlaps, hidden_from_search"
)

# (written, written instead, the sentence after "toy.yaml:")
WRONG = [
    # keys
    ("rows: 4", "row: 4", "13: grid.row: this key is unknown, did you mean rows; allowed are at, rows, columns, "
     "row_stride, row_table, column_stride, first_row, hidden, shows_piece, cell, screen."),
    ("  rows: 4\n", "", "11: grid: the key `rows` is missing."),
    ("  state: 0x30", "  state: 0x30\n  state: 0x31", "8: values.state: this key stands twice, first in line 7."),
    ("bytes: 2}", "bytes: 2, adress: 0x41}", f"8: values.low.adress: this key is unknown, allowed are {VALUE_KEYS}."),
    ("  state:", "  2state:", "7: values.2state: found '2state', allowed is a name of small letters, digits and _."),
    ("  low:", "  playfield:", "8: values.playfield: this name is taken, choose another."),
    ("left: LEFT, ", "", "25: buttons: the key `left` is missing."),
    ("players: 2", "players: 2\n? [a]\n: 3", "5: found a list or mapping as a key, keys are plain names."),
    # hex where an address, code or mask is meant, decimals elsewhere
    ("state: 0x30", "state: 48", "7: values.state: found 48, allowed is an address in hex such as 0x60, "
     "a list with one for each player, or a mapping with more."),
    ("state: 0x30", "state: {at: 48}", "7: values.state.at: found 48, allowed is hex from 0x00 to 0xFFFF, "
     "such as 0x60."),
    ("at: 0x40", "at: [0x40, 65]", "8: values.low.at[1]: found 65, allowed is hex from 0x00 to 0xFFFF, such as 0x60."),
    ("state: 0x30", "state: {at: 0x30, mask: 3}", "7: values.state.mask: found 3, allowed is hex from 0x01 to "
     "0xFFFFFFFF, such as 0x61."),
    ("empty: 0x00", "empty: 0", f"18: grid.cell.empty: found 0, allowed is {CODE_FORMS}."),
    ("rows: 4", "rows: 0x04", "13: grid.rows: found 0x04, allowed is a decimal number from 1 to 32."),
    ("rows: 4", "rows: 04", "13: grid.rows: found '04', allowed is a decimal number from 1 to 32."),
    ("rows: 4", "rows: 99", "13: grid.rows: found 99, allowed is a decimal number from 1 to 32."),
    ("rows: 4", "rows: true", "13: grid.rows: found true, allowed is a decimal number from 1 to 32."),
    ("rows: 4", "rows: 4.5", "13: grid.rows: found '4.5', allowed is a decimal number from 1 to 32."),
    ("rows: 4", "rows:", "13: grid.rows: found nothing, write a value or leave the key out."),
    ("rows: 4", "rows: [4]", "13: grid.rows: found [4], allowed is a decimal number from 1 to 32."),
    ("{state: 0}", "{state: 0x00}", "23: phases[0].when.state: found 0x00, allowed is a decimal number from "
     "-999999999 to 999999999."),
    # places
    ("state: 0x30", "state: 0x0800", "7: values.state: found a byte at 0x0800, allowed is 0x0000 to 0x07FF "
     "(ram) and 0x6000 to 0x7FFF (wram)."),
    ("at: 0x0200", "at: 0x07FC", "11: grid: found a byte at 0x0800, allowed is 0x0000 to 0x07FF (ram) and 0x6000 to "
     "0x7FFF (wram)."),
    ("at: 0x0200", "at: 0x7FFC", "11: grid: found a byte at 0x8000, allowed is 0x0000 to 0x07FF (ram) and 0x6000 to "
     "0x7FFF (wram)."),
    ("state: 0x30", "state: 0x41", "8: values.low: the byte 0x0041 belongs to state as well, write "
     "`overlaps: [state]` if that is meant."),
    ("state: 0x30", "state: 0x20", "6: values.x: the byte 0x0020 belongs to state as well, write "
     "`overlaps: [state]` if that is meant."),
    ("at: 0x0200", "at: 0x0100", "11: grid: the byte 0x0100 belongs to stack as well, write `overlaps: [stack]` if "
     "that is meant."),
    ("state: 0x30", "state: {at: 0x30, overlaps: low}", "7: values.state.overlaps: found low, which shares no byte "
     "with state."),
    ("state: 0x30", "state: {at: 0x30, overlaps: nix}", "7: values.state.overlaps: found nix, which is no value, "
     "region or playfield."),
    ("bytes: 2}", "bytes: 2, hidden_from_search: true}\n  part: {at: 0x41, overlaps: low}", "9: values.part: shows "
     "low, so it needs `hidden_from_search: true` as well."),
    ("row_stride: 3", "row_stride: 2", "11: grid: two cells share the byte 0x0202, check the strides and the hidden "
     "rows (the first of 2 errors)."),
    ("state: 0x30", "state: [0x30, 0x31, 0x32]", "7: values.state.at: found 3 addresses, allowed is one, or one for "
     "each of 2 players."),
    ("state: 0x30", "state: [0x30, 0x30]", "7: values.state.at: the same address stands for two players, write it "
     "once if they share it."),
    # formats
    ("bytes: 2}", "bytes: 5}", "8: values.low.bytes: found 5, allowed is 1 to 4 for the format binary."),
    ("bytes: 2}", "mask: 0x1FF}", "8: values.low.mask: found 0x1FF, allowed is at most 0xFF where `bytes` is 1."),
    ("bytes: 2}", "mask: 0x03, shift: 2}", "8: values.low.shift: found 2, which shifts every bit of the mask away."),
    ("bytes: 2}", "format: octal}", "8: values.low.format: found 'octal', allowed is 'binary', 'signed', 'bcd' or "
     "'digits'."),
    ("{at: 0x40, bytes: 2}", "{bytes: 2}", "8: values.low: found the keys bytes, allowed is either at or parts, "
     "exactly one of them."),
    ("bytes: 2}", "hidden_from_search: yes}", "8: values.low.hidden_from_search: found 'yes', allowed is true or "
     "false."),
    ("bytes: 2}", "scale: 0}", "8: values.low.scale: found 0, allowed is a decimal number from -999999999 to "
     "999999999, but not 0."),
    ("bytes: 2}", "table: {0x00: 1, 0x100: 2}}", "8: values.low.table.0x100: found 0x100, which the bits 0xFF after "
     "mask and shift cannot be."),
    ("bytes: 2}", "table: {4: 1}}", "8: values.low.table.4: found '4', allowed is a code in hex, such as 0x04."),
    ("bytes: 2}", "table: {0x04: 1, 0x4: 2}}", "8: values.low: found the keys at, table, allowed is a table that lists "
     "each code once."),
    ("bytes: 2}", "table: {0x04: 0x01}}", "8: values.low.table.0x04: found 0x01, allowed is a decimal number from "
     "-999999999 to 999999999."),
    ("bytes: 2}", "format: bcd, table: {0x04: 1}}", "8: values.low: found the keys at, format, table, allowed is "
     "either a table or a format, for a table reads the word itself."),
    ("bytes: 2}", "otherwise: 3}", "8: values.low: found the keys at, otherwise, allowed is otherwise only beside a "
     "table."),
    ("bytes: 2}", "divide: 2, table: {0x04: 1}}", "8: values.low: found the keys at, divide, table, allowed is a table "
     "without divide, for it lists the numbers themselves."),
    # cells
    ("empty: 0x00", "empty: 0x01", "20: grid.cell.kinds.red: code 0x01 already belongs to empty."),
    ("empty: 0x00", "empty: 0x100", "18: grid.cell.empty: found 0x100, allowed are codes up to 0xFF, `from` not "
     "above `to`."),
    ("empty: 0x00", "empty: lern", f"18: grid.cell.empty: found 'lern', allowed is {CODE_FORMS}."),
    ("red: 0x01", "red: {from: 0x03, to: 0x02}", "20: grid.cell.kinds.red: found 0x03 to 0x02, allowed are codes up "
     "to 0xFF, `from` not above `to`."),
    ("red: 0x01", "red: {from: 0x03}", "20: grid.cell.kinds.red: the key `to` is missing."),
    ("empty: 0x00", "bytes: 5\n    empty: 0x00", "18: grid.cell.bytes: found 5, allowed is a decimal number from "
     "1 to 4."),
    ("empty: 0x00", "bytes: 4\n    empty: 0x00", "17: grid.cell.mask: this leaves more than 16 bits of code, choose a "
     "smaller mask or a larger shift."),
    # phases, conditions, menus, buttons
    ("phase: menu", "phase: menus", "23: phases[0].phase: found 'menus', allowed is 'menu', 'playing', 'locked', "
     "'clearing', 'paused', 'over' or 'unknown'."),
    ("state: playing, phase", "state: title, phase", "24: phases[1].phase: found playing, but the state title is menu "
     "elsewhere."),
    ("when: {state: 0}", "when: {}", "23: phases[0].when: found {}, allowed is at least one entry."),
    ("when: {state: 0}", "when: {stat: 0}", "23: phases[0].when.stat: found stat, which is no value of this map."),
    ("when: {state: 0}", "when: {asked.level: 0}", "23: phases[0].when.asked.level: found asked.level, which is no "
     "value of this map."),
    ("{state: 0}", "{state: {from: 3, to: 1}}", "23: phases[0].when.state: found from 3 to 1, `from` must not be "
     "above `to`."),
    ("{state: 0}", "{state: {nott: 1}}", "23: phases[0].when.state.nott: this key is unknown, did you mean not; "
     "allowed are any, from, to, not."),
    ("{state: 0}", "{state: {from: 1, not: 2}}", f"23: phases[0].when.state: found the keys from, not, allowed is "
     f"{TEST_FORMS}."),
    ("{state: 0}", "{state: []}", f"23: phases[0].when.state: found [], allowed is {TEST_FORMS}."),
    ("state: title, tap", "state: titel, tap", "31: menu.steps[0].state: found titel, allowed are playing, title."),
    ("tap: START}", "tap: START, hold: START}", "31: menu.steps[0].hold: the button that is tapped cannot be held as "
     "well."),
    ("tap: START}", "tap: [A, START], hold: START}", "31: menu.steps[0].hold: the button that is tapped cannot be held "
     "as well."),
    ("tap: START}", "tap: []}", "31: menu.steps[0].tap: found [], allowed is a button, or a list of 1 to 16 "
     "buttons that are tapped in turn."),
    ("tap: START}", "tap: [START, none]}", "31: menu.steps[0].tap: found 'none', allowed is a button, A B SELECT START "
     "UP DOWN LEFT RIGHT, or several joined by +."),
    ("tap: START}", "tap: START, until: {state: {asked: typ}}}", "31: menu.steps[0].until.state: found typ, which "
     "`menu.asked` does not have."),
    ("tap: START}", "tap: START, when: {asked.type: 1}}", "31: menu.steps[0].when.asked.type: found asked.type, which "
     "is no value of this map nor asked for."),
    ("default: 0", "default: 10", "29: menu.asked.level: found the default 10 outside 0 to 9."),
    ("left: LEFT", "left: LEFFT", "25: buttons.left: found 'LEFFT', allowed is a button, A B SELECT START UP DOWN "
     "LEFT RIGHT, or several joined by +."),
    ("left: LEFT", "left: LEFT+RIGHT", "25: buttons.left: found 'LEFT+RIGHT', allowed is a pad without opposite "
     "directions."),
    # the rest of the map
    ("players: 2", "players: 2\nforesight: [x]",
     "5: foresight: found x, which is no value of this map that is hidden_from_search."),
    ("players: 2", "players: 2\ngame_counter: frames", "5: game_counter: found frames, which is no value of this map."),
    ("players: 2", "players: 2\nidentities: [{title: a, sha1: 12}]", "5: identities[0].sha1: found 12, allowed is 40 "
     'hex digits in quotes, such as "0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F".'),
    ("players: 2", f"players: 2\nidentities: [{{title: a, sha1: {DIGEST}}}, {{title: b, sha1: {DIGEST.lower()}}}]",
     "5: identities[1].sha1: this hash stands twice in the map."),
    ("players: 2", f"players: 2\nidentities: [{{title: a, sha1: {DIGEST}, size: 24576, prg: 32768}}]",
     "5: identities[0].prg: found 32768, but PRG and CHR together have 24576 bytes by `size`."),
    ("players: 2", f"players: 2\nidentities: [{{title: a, sha1: {DIGEST}, codes: {{kinds: {{blue: 0x02}}}}}}]",
     "5: identities[0].codes.kinds.blue: found blue, allowed are red, wall."),
    ("players: 2", f"players: 2\nidentities: [{{title: a, sha1: {DIGEST}, asked: {{speed: {{from: 0, to: 1, "
     "default: 0}}}]", "5: identities[0].asked.speed: found speed, which `menu.asked` does not have."),
    ("players: 2", f"players: 2\nidentities: [{{title: a, sha1: {DIGEST}, asked: {{level: {{from: 0, to: 1, "
     "default: 2}}}]", "5: identities[0].asked.level: found the default 2 outside 0 to 1."),
    ("players: 2", "players: 2\npieces: [{id: 0, piece: I, cells: [[0, 0]], clockwise: 1, counterclockwise: 0}]",
     "5: pieces[0].clockwise: found 1, which is no orientation's id."),
    ("players: 2", "players: 2\npieces: [{id: 0, piece: I, cells: [[0, 0]], clockwise: {to: 1, cycle: 1}, "
     "counterclockwise: 0}]", "5: pieces[0].clockwise: found 1, which is no orientation's id."),
    ("players: 2", "players: 2\npieces: [{id: 0, piece: I, cells: [[0, 0]], clockwise: {cycle: 1}, "
     "counterclockwise: 0}]", "5: pieces[0].clockwise: the key `to` is missing."),
    ("players: 2", "players: 2\npieces:\n  - {id: 0, piece: I, cells: [[0, 0]], clockwise: 0, counterclockwise: 0, "
     "spawn: [3, 0]}\n  - {id: 1, piece: I, cells: [[0, 0]], clockwise: 0, counterclockwise: 0, spawn: [4, 0]}",
     "7: pieces[1].spawn: I has a spawn already, a piece enters in one place."),
    ("players: 2", "players: 2\nplace: {cells: [{x: x, y: row}]}\npieces: [{id: 0, piece: I, cells: [[0, 0]], "
     "clockwise: 0, counterclockwise: 0}]", "5: place.cells[0].y: found row, which is no value of this map."),
    ("players: 2", "players: 2\nplace: {cells: [{x: x, y: state}]}\npieces: [{id: 7, piece: I, "
     "cells: [[0, 0], [1, 0]], clockwise: 7, counterclockwise: 7}]",
     "5: place.cells: found 1, but orientation 7 has 2."),
    ("players: 2", "players: 2\nplace: {cells: [{x: x, y: x}]}", "5: place: the cells are compared with those of "
     "`pieces`, list them."),
    ("state: 0x30", "state: [none, none]", "7: values.state: found ['none', 'none'], allowed is an address, or a "
     "list with an address or none for each player."),
    ("at: 0x0200", "at: [0x0200, none]", "12: grid.at[1]: found 'none', allowed is hex from 0x00 to 0xFFFF, such as "
     "0x60."),
    ("players: 2\nvalues:\n  x: [0x10, 0x20]", "players: 2\ngame_counter: x\nvalues:\n  x: [0x10, none]",
     "5: game_counter: found x, which not every player has."),
    ("players: 2", "players: 2\npieces: []", "5: pieces: found [], allowed is a list of orientations, or the word "
     "learn."),
    ("players: 2", "players: 2\npiece_codes: {}", "5: piece_codes: found {}, allowed is a mapping from a kind's name "
     "to its codes, or the word learn."),
    ("players: 2", "players: 2\npiece_codes: {a: 0x01, b: [0x02, 0x01]}", "5: piece_codes.b: code 0x01 already "
     "belongs to a."),
    ("players: 2", "players: 2\npiece_codes: {a: 1}", f"5: piece_codes.a: found 1, allowed is {CODE_FORMS}."),
    ("empty: 0x00", "mask: lern\n    empty: 0x00", "18: grid.cell.mask: found 'lern', allowed is hex from 0x01 to "
     "0xFFFFFFFF, such as 0x61."),
    ("empty: 0x00", "mask: learn\n    shift: 2\n    empty: 0x00", "19: grid.cell.shift: found 2, leave it out where "
     "the mask is still to be learnt."),
    ("  cell:", "  screen: {at: [[16, 32]], cell: [8, 8]}\n  cell:", "17: grid.screen.at: found 1 places, allowed is "
     "one for each of 2 players."),
    ("  cell:", "  screen: {at: [[16, 256], [0, 0]], cell: [8, 8]}\n  cell:", "17: grid.screen.at[0][1]: found 256, "
     "allowed is a decimal number from 0 to 255."),
    ("players: 2", "players: 2\nrules: {a: 0x05}", "5: rules.a: found 0x05, allowed is a decimal number, a list of "
     "them, true, false or text."),
    ("title: A toy", "title: 7", "1: title: found 7, allowed is a line of text."),
    ("title: A toy\n", "title: A toy\n---\nfamily: b\n", "2: found a second document, one file holds one map."),
    # what YAML offers and a map has no use for
    ("state: 0x30", "state: &a 0x30", "7: found the anchor &a, write the value out instead."),
    ("state: 0x30", "state: *a", "7: found the alias *a, write the value out instead."),
    ("state: 0x30", "state: !!python/object:os.system 0x30", "7: found the tag tag:yaml.org,2002:python/object:"
     "os.system, tags are not allowed."),
    ("players: 2", "players: " + "[" * 5000, "4: found more than 12 levels, a map is not nested that deeply."),
    ("title: A toy", "title: 'A toy", "5: this is not YAML: found unexpected end of stream."),
    ("title: A toy", "\ttitle: A toy", "1: this is not YAML: found character '\\t' that cannot start any token."),
]  # fmt: skip


def complaint_of(text: str) -> str:
    with pytest.raises(MapError) as caught:
        parse_map(text, "toy.yaml")
    return str(caught.value)


def test_the_base_of_the_table_is_right() -> None:
    assert parse_map(BASE, "toy.yaml").title == "A toy"


@pytest.mark.parametrize(("written", "instead", "sentence"), WRONG, ids=[f"{b[:40]!r}" for _, b, _ in WRONG])
def test_each_mistake_has_its_sentence(written: str, instead: str, sentence: str) -> None:
    assert written in BASE
    found = complaint_of(BASE.replace(written, instead, 1))
    if "not YAML: found unexpected end" in sentence:  # the parser's line is the end of the file
        sentence = f"{BASE.count(chr(10)) + 1}{sentence[1:]}"
    assert found == f"toy.yaml:{sentence}"


def test_an_empty_file_and_one_that_is_no_mapping() -> None:
    assert complaint_of("") == "toy.yaml:1: found nothing, a map begins with a key such as `title:`."
    assert complaint_of("# just a remark\n").startswith("toy.yaml:1: found nothing")
    assert complaint_of("hello").startswith("toy.yaml:1: found 'hello', allowed is a mapping with the keys title,")


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert complaint_of(bomb) == "toy.yaml:1: found the anchor &a, write the value out instead."


@pytest.mark.parametrize("text", ['title: "\\e[2J"', '"ti\\0tle": x', 'a: {"\\x9b": 1}', "title: !%1B%5B x"])
def test_no_control_character_comes_through_a_key_a_value_or_a_tag(text: str) -> None:
    assert complaint_of(text).isprintable()


@pytest.mark.parametrize("levels", [13, 20_000])
def test_nothing_is_nested_deeply(levels: int) -> None:
    assert complaint_of("[" * levels + "]" * levels) == (
        "toy.yaml:1: found more than 12 levels, a map is not nested that deeply."
    )


def test_files_that_cannot_be_maps(tmp_path: Path) -> None:
    def refusal(path: Path) -> str:
        with pytest.raises(MapError) as caught:
            load_map(path)
        return str(caught.value)

    file = tmp_path / "m.yaml"
    assert refusal(file) == f"{file} cannot be read (No such file or directory); check the path."
    file.write_bytes(b"#" * SIZE_LIMIT + b"\n")
    assert refusal(file) == (
        f"{file} is not a map: it is larger than 65,536 bytes; name a map file, which is a short text."
    )
    file.write_bytes(BASE.encode() + b"# caf\xe9\n")
    assert refusal(file) == f"{file}:32: found a byte that is not UTF-8, save the file as UTF-8 text."
    file.write_bytes(BASE.encode() + b"\x00")
    assert refusal(file).startswith(f"{file}:1: this is not YAML: unacceptable character #x0000")
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    assert refusal(folder) == (
        f"{folder} is not a map: it is a folder, not a regular file; name a map file, which is a short text."
    )


def test_maps_are_found_by_path_then_in_the_users_folder_then_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(tmp_path))
    with pytest.raises(MapError, match=r"no address map .toy.; known are .*nes_tetris_usa"):
        load_map("toy")
    shipped = load_map("nes_tetris_usa")
    own = tmp_path / "ram_maps"
    own.mkdir()
    (own / "toy.yaml").write_text(BASE)
    (own / "nes_tetris_usa.yaml").write_text(BASE)
    assert load_map("toy").path == own / "toy.yaml"
    assert load_map("toy").name == "toy"
    assert load_map("nes_tetris_usa").title == "A toy"
    assert load_map(shipped.path).title == shipped.title
    names = [found.name for found in all_maps()]
    assert names == sorted(names)
    assert {"toy", "nes_tetris_usa"} <= set(names)


# Whatever is done to a map, it loads or it is refused by one of our own errors.

TOKENS = sorted({word for line in BASE.splitlines() for word in line.split()} | {"learn", "- ", "{", "}", "&a", "*a"})
TREE = parse_source(BASE, "toy.yaml").data


def outcome(text: str) -> bool:
    try:
        parse_map(text, "toy.yaml")
    except MapError as error:
        sentence = str(error)
    else:
        return True
    assert re.fullmatch(r"toy\.yaml:\d+: .*\.", sentence), sentence
    return False


def written(node: Any) -> str:
    """A tree as flow-style YAML."""
    if isinstance(node, dict):
        return "{" + ", ".join(f"'{key}': {written(value)}" for key, value in node.items()) + "}"
    if isinstance(node, list):
        return "[" + ", ".join(map(written, node)) + "]"
    if isinstance(node, bool):
        return str(node).lower()
    return repr(node) if isinstance(node, int) else "'" + str(node).replace("'", "''") + "'"


def test_writing_a_tree_back_gives_the_same_map() -> None:
    assert parse_source(written(TREE), "x").data == TREE
    assert outcome(written(TREE))


def paths(node: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [here, *(path for key, child in children for path in paths(child, (*here, key)))]


SCALARS = st.one_of(
    st.integers(-(10**10), 10**10),
    st.integers(0, 0xFFFFFFFF).map(Hex),
    st.integers(0, 0x7FF).map(Hex),
    st.booleans(),
    st.sampled_from(TOKENS),
    st.text(max_size=5),
    st.sampled_from([[], {}, [1], [[]], {"at": Hex(1)}, {"from": 1, "to": 2}, {"not": 1}, {"asked": "level"}]),
)


def changed(node: Any, path: tuple[Any, ...], kind: str, value: Any, name: str) -> Any:
    if not path:
        return value
    key, *rest = path
    copy = dict(node) if isinstance(node, dict) else list(node)
    if rest or kind == "alter":
        copy[key] = changed(node[key], tuple(rest), kind, value, name)
    elif kind == "drop" or isinstance(copy, list):
        del copy[key]
    else:
        copy[name] = copy.pop(key)
    return copy


@settings(max_examples=150, deadline=None)
@given(
    path=st.sampled_from(paths(TREE)),
    kind=st.sampled_from(["drop", "rename", "alter"]),
    value=SCALARS,
    name=st.one_of(st.sampled_from(TOKENS), st.text(max_size=8)),
)
def test_a_changed_tree_loads_or_is_refused(path: tuple[Any, ...], kind: str, value: Any, name: str) -> None:
    outcome(written(changed(TREE, path, kind, value, name)))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 4), characters=st.text(min_size=1, max_size=3))
def test_a_changed_text_loads_or_is_refused(seed: int, edits: int, characters: str) -> None:
    rng = random.Random(seed)
    text = BASE
    for _ in range(edits):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(["", characters, rng.choice(TOKENS)]) + text[place + rng.randrange(4) :]
    outcome(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_refused(text: str) -> None:
    assert not outcome(text)


def test_every_map_error_is_one_of_the_family() -> None:
    assert issubclass(MapError, EmubotError)
    assert MapError.exit_code == 2


@pytest.mark.parametrize(
    ("written", "instead", "words"),
    [
        ("players: 2", "players: 2\nspace: ram", "5: space: this key is unknown, it is gone: an address alone says"),
        ("phases:", "timing: {entry_delay: 10}\nphases:", "timing.entry_delay: this key is unknown, it is now called"),
        ("phases:", "timing: {soft_drop_every: 2}\nphases:", "it is gone: `soft_drop` is the frames per row while"),
        ("phases:", "timing: {clear_delay: 20}\nphases:", "it is gone: `vanish` is the frames that vanishing lines"),
    ],
)
def test_a_key_of_earlier_versions_says_what_replaced_it(written: str, instead: str, words: str) -> None:
    with pytest.raises(MapError) as refused:
        parse_map(BASE.replace(written, instead, 1), "toy")
    assert words in str(refused.value)
    assert "did you mean" not in str(refused.value)


def test_one_mistake_hides_no_other_one(tmp_path: Path) -> None:
    file = tmp_path / "toy.yaml"
    file.write_text(
        BASE.replace("players: 2", "players: 2\nspace: ram\ngame_counter: ticks")
        .replace("state: title, tap", "state: titel, tap")
        .replace("default: 0", "default: 10"),
        encoding="utf-8",
    )
    found = [line.removeprefix(f"{file}:") for line in map_errors(file)]
    assert [line.split(":")[1].strip() for line in found] == [
        *("space", "game_counter", "menu.asked.level", "menu.steps[0].state")
    ]
