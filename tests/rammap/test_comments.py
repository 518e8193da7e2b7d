"""The comments of a map's author are in every map that is written from it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emubot.rammap import load_map, parse_map, write_map
from emubot.rammap.comments import comments_of
from emubot.rammap.strict_yaml import parse_source
from emubot.rammap.writing import map_text
from tests.rammap.test_learnt import OPEN, PAIR, learnt

REMARK = re.compile(r"(?:^|\s)#(.*)$")
TALKING = """\
# first of all
#
# and then: title: not a key
title: "A # in a title" # beside the title
family: puyo
profile: famicom-1991
# before identities
identities:
  # the first one
  - title: One
    sha1: "1111111111111111111111111111111111111111"
    # its bytes
    size: 3 # few
  - {title: Two, sha1: "2222222222222222222222222222222222222222"} # the second one
values:
  x: 0x10 # pixels
  # two of them
  y: {at: 0x11, # the address
      bytes: 2} # low first
  state: 0x17
grid:
  at: 0x0300
  rows: 3 # rows
  columns: 2
  row_stride: 4
  column_stride: 2
  cell:
    bytes: 2
    mask: learn # which bits?
    empty: learn
    kinds:
      # the red ones
      color_1: learn # or green
# pieces come here
pieces: learn # four of them
phases:
  # a rule
  - state: playing
    phase: playing
    # its condition
    when: {state: 1, x: {from: 0}} # always
  - state: over
    phase: over
    when: {state: # which
      {not: 1}} # or more
buttons: {left: LEFT, right: RIGHT, start: START} # the pad
# the end
"""


def remarks_in(text: str) -> list[str]:
    """The comments of a text whose only other # is in a title."""
    lines = [line.replace("A # in", "A sign in") for line in text.splitlines()]
    return sorted(remark for line in lines if (found := REMARK.search(line)) and (remark := found[1].strip()))


def test_no_comment_is_lost_and_each_is_at_its_key() -> None:
    ram_map = parse_map(TALKING, "talking")
    text = map_text(ram_map, {})
    assert remarks_in(text) == remarks_in(TALKING)
    assert parse_source(text, "again").data == ram_map.data
    for piece in (
        '# first of all\n#\n# and then: title: not a key\ntitle: "A # in a title"  # beside the title\n',
        "# before identities\nidentities:\n  # the first one\n  - title: One\n",
        "    # its bytes\n    size: 3  # few\n",
        '"2222222222222222222222222222222222222222"}  # the second one\n',
        "  x: 0x10  # pixels\n  # two of them\n",
        "  rows: 3  # rows\n",
        "      # the red ones\n      color_1: learn  # or green\n",
        "# pieces come here\npieces: learn  # four of them\n",
        "  # a rule\n  - state: playing\n",
        "    # its condition\n    when: {state: 1, x: {from: 0}}  # always\n",
        "    # or more\n    when: {state: {not: 1}}  # which\n",
        "buttons:  # the pad\n  left: LEFT\n  right: RIGHT\n  start: START\n# the end\n",
    ):
        assert piece in text


def test_what_was_learnt_stands_behind_the_comment_of_its_author(tmp_path: Path) -> None:
    better = parse_map(TALKING, "talking").learnt(
        mask=0xFF00, codes={"empty": [0x300], "color_1": [0x500]}, pieces=PAIR, timing={"pop": 3}
    )
    evidence = {"grid.cell.kinds.color_1": "seen in 3 locks", "timing.pop": "of 3", "grid.cell.mask": "of 9"}
    write_map(better, tmp_path / "own.yaml", evidence, "Written by emubot.")
    text = (tmp_path / "own.yaml").read_text(encoding="utf-8")
    assert text.startswith("# Written by emubot.\n# first of all\n")
    assert "      # the red ones\n      color_1: 0x500  # or green; seen in 3 locks\n" in text
    assert "    mask: 0xFF00  # which bits?; of 9\n" in text
    assert "pieces:  # four of them\n" in text
    kept = remarks_in(re.sub(r"; (seen in 3 locks|of 9)|of 3$|Written by emubot\.", "", text, flags=re.M))
    assert kept == remarks_in(TALKING)
    again = load_map(tmp_path / "own.yaml")
    assert map_text(again, {}) == text, "a second writing changes nothing"


def test_comments_of_what_is_no_longer_there_stay_above_what_is_around_it() -> None:
    ram_map = parse_map(TALKING, "talking").only_for("2" * 40)
    text = map_text(ram_map, {})
    assert remarks_in(text) == remarks_in(TALKING)
    assert "# before identities\n# the first one\n# its bytes\n# few\n# the second one\nidentities:\n" in text
    gone = map_text(ram_map.only_for(None), {})
    assert remarks_in(gone) == remarks_in(TALKING)
    assert gone.endswith("\n# the second one\n# the end\n")


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["nes_tetris_usa", "nes_tetris_europe", "famicom_puyo", "demo_pairs"])
def test_every_comment_of_a_shipped_map_is_written(name: str) -> None:
    ram_map = load_map(name)
    assert len(remarks_in(ram_map.text)) > 10
    text = map_text(ram_map, {})
    assert remarks_in(text) == remarks_in(ram_map.text)
    assert parse_source(text, name).data == ram_map.data


def test_a_map_without_a_text_or_without_comments_has_none() -> None:
    for ram_map in (parse_map(OPEN, "pairs"), learnt()):
        found = comments_of(ram_map.text, ram_map.data)
        assert [*found.above, *found.beside, *found.below] == []
    assert not comments_of("", {}).below
