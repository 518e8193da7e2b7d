"""What is open in a map, what a map becomes that has learnt, and the file it is written to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import MapError, StorageError, UsageError
from emubot.pad import Pad
from emubot.rammap import UNKNOWN, RamMap, load_map, parse_map, write_map
from emubot.rammap.layout import Orientation, Turn
from emubot.rammap.rewriting import with_screen
from emubot.rammap.strict_yaml import parse_source
from emubot.rammap.writing import map_text
from emubot.snapshot import Phase
from tests.rammap.test_toy import TOY
from tests.toys.maps import map_text as toy_text
from tests.toys.shelf import TOYS

OPEN = """\
title: A game of pairs
family: puyo
profile: famicom-1991
players: 2
identities:
  - {title: Pairs, sha1: "1111111111111111111111111111111111111111"}
  - title: Pairs, second edition
    sha1: "2222222222222222222222222222222222222222"
    timing: {pop: 9}
    rules: {colors: 5}
    codes: {kinds: {wall: {from: 0x0900, to: 0x0903}}}
timing: {gravity: [30, 20], soft_drop: 2}
values:
  x: [0x10, 0x11]
  score: {at: [0x12, none], bytes: 2}
  lives: {parts: [{at: [none, 0x15]}, {at: 0x16, times: 256}]}
  state: 0x17
game_counter: x
grid:
  at: [0x0300, 0x0400]
  rows: 3
  columns: 2
  row_stride: 4
  column_stride: 2
  cell:
    bytes: 2
    mask: learn
    empty: learn
    kinds: {color_1: learn, color_2: {codes: learn, solid: true}, wall: [0x0800, {from: 0x0880, to: 0x0881}]}
  screen: {at: [[16, 32], [160, 32]], cell: [8, 16]}
pieces: learn
piece_codes: {color_1: 0x01, color_2: [0x02, 0x12], big: learn}
phases:
  - {state: playing, phase: playing, when: {state: 1, score: {to: 9}}}
  - {state: over, phase: over, when: {state: {not: 1}}}
  - {state: alone, phase: playing, when: {state: 1, lives: {from: 0}}}
events:
  scored: {before: {score: 0}, after: {score: {from: 1}}}
  ended: {before: {state: 1}, after: {state: 0}}
buttons: {left: LEFT, right: RIGHT, start: START}
menu: {pace: 4, steps: [{state: over, when: {score: 0}, tap: START}, {state: over, tap: SELECT}]}
"""

PAIR = (
    Orientation(id=0, piece="pair", cells=((0, 0), (0, -1)), clockwise=1, counterclockwise=1),
    Orientation(id=1, piece="pair", cells=((0, 0), (-1, 0)), clockwise=0, counterclockwise=0),
)


def test_what_is_open() -> None:
    ram_map = parse_map(OPEN, "pairs")
    assert ram_map.learns == ("empty", "color_1", "color_2", "mask", "pieces", "piece_codes")
    assert dict(ram_map.piece_codes) == {"color_1": (0x01,), "color_2": (0x02, 0x12)}
    assert dict(ram_map.codes) == {"wall": (0x0800, 0x0880, 0x0881)}
    assert ram_map.pieces == ()
    wholly = parse_map(OPEN.replace("{color_1: 0x01, color_2: [0x02, 0x12], big: learn}", "learn"), "pairs")
    assert wholly.learns == ram_map.learns
    assert dict(wholly.piece_codes) == {}
    closed = parse_map(TOY, "toy")
    assert closed.learns == ("strange",)
    assert len(closed.pieces) == 2


def test_the_whole_word_is_the_code_while_the_mask_is_open() -> None:
    ram = bytearray(2048)
    ram[0x301], ram[0x303], ram[0x304], ram[0x305] = 0x08, 0x09, 0x80, 0x08
    kinds = parse_map(OPEN, "pairs").reader().playfield(bytes(ram))
    assert kinds.tolist() == [[3, UNKNOWN], [3, UNKNOWN], [UNKNOWN, UNKNOWN]]


def test_a_value_that_one_player_has_not() -> None:
    ram_map = parse_map(OPEN, "pairs")
    first, second = ram_map.reader(0), ram_map.reader(1)
    assert first.names == {"x", "score", "state"}
    assert second.names == {"x", "lives", "state"}
    with pytest.raises(KeyError):
        second.value(bytes(2048), "score")
    ram = bytearray(2048)
    ram[0x17] = 1
    assert first.phase(bytes(ram)) == (Phase.PLAYING, "playing")
    assert second.phase(bytes(ram)) == (Phase.PLAYING, "alone"), "a condition on what a player has not never holds"
    assert [sorted(reader.events) for reader in (first, second)] == [["ended", "scored"], ["ended"]]
    taps = [step.tap for player in (0, 1) if (step := ram_map.menu_step(bytes(2048), {}, player))]
    assert taps == [Pad.START, Pad.SELECT]
    assert ram_map.addresses("lives", 1) == (0x15, 0x16)


def test_where_the_playfield_is_in_the_picture() -> None:
    ram_map = parse_map(OPEN, "pairs")
    assert (ram_map.screen(), ram_map.screen(1)) == ((16, 32, 8, 16), (160, 32, 8, 16))
    assert parse_map(TOY, "toy").screen() is None
    with pytest.raises(MapError, match="none for player 3"):
        ram_map.screen(2)


def learnt() -> RamMap:
    return parse_map(OPEN, "pairs").learnt(
        mask=0xFF00,
        codes={"empty": [0x0300], "color_1": [0x0500], "color_2": [0x0600, 0x0700]},
        piece_codes={"big": [0x20]},
        pieces=PAIR,
        rules={"colors": 4, "spawn": (0, 2, 0)},
        timing={"gravity": (28, 20), "pop": 12},
    )


def test_a_map_that_has_learnt_knows_more_and_the_first_one_stays() -> None:
    before, after = parse_map(OPEN, "pairs"), learnt()
    assert after.learns == ()
    assert dict(after.codes) == {
        "empty": (0x0300,), "color_1": (0x0500,), "color_2": (0x0600, 0x0700), "wall": (0x0800,),
    }  # fmt: skip
    assert dict(after.piece_codes) == {"color_1": (0x01,), "color_2": (0x02, 0x12), "big": (0x20,)}
    assert after.pieces == PAIR
    assert dict(after.rules) == {"colors": 4, "spawn": (0, 2, 0)}
    assert dict(after.timing) == {"gravity": (28, 20), "soft_drop": 2, "pop": 12}
    ram = bytearray(2048)
    after.encode(ram, {}, np.array([[0, 1], [2, 3], [0, 0]], dtype=np.uint8))
    ram[0x300] = 0x77
    assert after.reader().playfield(bytes(ram)).tolist() == [[0, 1], [2, 3], [0, 0]]
    assert before.learns == parse_map(OPEN, "pairs").learns


def test_what_no_map_may_say_is_not_learnt() -> None:
    with pytest.raises(MapError, match="code 0x300 already belongs to empty"):
        parse_map(OPEN, "pairs").learnt(codes={"empty": [0x300], "color_1": [0x300]})
    with pytest.raises(MapError, match="code 0x00 already belongs to empty"):
        learnt().learnt(mask=0x00FF)


def test_the_place_in_the_picture_is_learnt_and_written(tmp_path: Path) -> None:
    toy = parse_map(toy_text(TOYS["plain"]), "toy")
    one = toy.with_data(with_screen(toy.data, (24, 40, 8, 16)), None)
    assert one.screen() == (24, 40, 8, 16)
    write_map(one, tmp_path / "toy.yaml", {"grid.screen": "seen"})
    assert load_map(tmp_path / "toy.yaml").screen() == (24, 40, 8, 16)
    assert "screen: {at: [[24, 40]], cell: [8, 16]}  # seen" in (tmp_path / "toy.yaml").read_text(encoding="utf-8")


def test_what_is_learnt_is_true_of_one_cartridge() -> None:
    ram_map = parse_map(OPEN, "pairs").for_identity("2" * 40)
    assert dict(ram_map.codes) == {"wall": (0x0900, 0x0901, 0x0902, 0x0903)}
    own = ram_map.learnt(codes={"color_1": [0x0500]}, rules={"colors": 6}).only_for("2" * 40)
    assert [(known.title, known.sha1) for known in own.identities] == [("Pairs, second edition", "2" * 40)]
    again = parse_map(map_text(own, {}), "again").for_identity("2" * 40)
    assert dict(again.codes) == {"color_1": (0x0500,), "wall": (0x0900, 0x0901, 0x0902, 0x0903)}
    assert (again.rules["colors"], again.timing["pop"]) == (6, 9)
    strange = ram_map.only_for("a" * 40, "Found in a drawer")
    assert [(known.title, known.sha1) for known in strange.identities] == [("Found in a drawer", "A" * 40)]
    assert ram_map.only_for(None).identities == ()


def test_the_file_says_what_the_map_says_and_how_it_is_known(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    evidence = {
        "grid.cell.kinds.color_1": "seen in 41 locks,\npairs 3-44",
        "grid.cell.mask": "of 512 cells",
        "pieces": "19 locks",
        "timing.gravity": "level 0: 7 rows",
    }
    write_map(learnt(), file, evidence, "Written by emubot.\n\nSecond line.")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# Written by emubot.\n#\n# Second line.\ntitle: A game of pairs\n")
    assert "      color_1: 0x500  # seen in 41 locks, pairs 3-44\n" in text
    assert "    mask: 0xFF00  # of 512 cells\n" in text
    assert "pieces:  # 19 locks\n" in text
    assert "  gravity: [28, 20]  # level 0: 7 rows\n" in text
    again = load_map(file)
    assert again.data == learnt().data
    assert again.document == learnt().document
    assert [path.name for path in tmp_path.iterdir()] == ["own.yaml"]


@pytest.mark.parametrize("name", ["nes_tetris_usa"])
def test_every_shipped_map_survives_being_written(name: str) -> None:
    ram_map = load_map(name)
    again = parse_map(map_text(ram_map, {}), name)
    assert again.data == ram_map.data
    assert again.document == ram_map.document


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"own\.yaml cannot be written: No such file"):
        write_map(learnt(), tmp_path / "missing" / "own.yaml", {})
    (tmp_path / "own.yaml").mkdir()
    with pytest.raises(UsageError, match=r"own\.yaml is a folder"):
        write_map(learnt(), tmp_path / "own.yaml", {})
    assert [path.name for path in tmp_path.iterdir()] == ["own.yaml"], "nothing is left behind"


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), min_size=1, max_size=40))
def test_any_title_comes_back(title: str) -> None:
    ram_map = parse_map(OPEN, "pairs").only_for("A" * 40, title)
    data = parse_source(map_text(ram_map, {}), "again").data
    assert data["identities"][0]["title"] == title


def test_turns_that_move_parts_and_entries_are_written_and_read_back(tmp_path: Path) -> None:
    flat = Orientation(
        id=0, piece="pair", cells=((0, 0), (1, 0)), clockwise=Turn(to=1), counterclockwise=Turn(to=1, cycle=1)
    )
    upright = Orientation(
        id=1, piece="pair", cells=((0, 0), (0, -1)), clockwise=Turn(to=0, cycle=-1), counterclockwise=Turn(to=0),
        spawn=(3, -1),
    )  # fmt: skip
    write_map(parse_map(OPEN, "pairs").learnt(pieces=(flat, upright)), tmp_path / "pairs.yaml", {})
    text = (tmp_path / "pairs.yaml").read_text(encoding="utf-8")
    assert "clockwise: 1, counterclockwise: {to: 1, cycle: 1}}" in text
    assert load_map(tmp_path / "pairs.yaml").pieces == (flat, upright)
