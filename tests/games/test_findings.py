"""What keeps any family from playing by a map is found, for each player, and what its family does not know."""

from __future__ import annotations

import re

import pytest

from emubot import games
from emubot.errors import MapError
from emubot.games.findings import RECORDED_TIMING, TIMING_OF_THE_PAD, ChecksMaps, Finding, never_played
from emubot.games.map_words import DescribesMaps, MapWords
from emubot.rammap import RamMap, load_map, parse_map
from emubot.rammap.schema import GameTiming
from tests.floors import FAMILIES
from tests.rammap.test_toy import TOY
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS


def text_of(name: str) -> str:
    return load_map(name).text


# A map of each kind: of a release, of the usual board, of a board of its own, and not known yet.
TETRIS = {
    "release": text_of("nes_tetris_usa"),
    "usual": text_of("tetris_gym"),
    "own": map_text(TOYS["wide"]),
    "open": text_of("tetris_gym").replace("empty: 0xEF", "empty: learn"),
}
TEXTS = {
    **{f"tetris-{name}": text for name, text in TETRIS.items()},
    "puyo": text_of("demo_pairs"),
    "puyo-learnt": text_of("famicom_puyo"),
    "matching": text_of("demo_capsules"),
}


def found_in(text: str) -> list[Finding]:
    """What the family of a map finds in it; the decoder refuses the first of it."""
    ram_map = parse_map(text, "changed")
    game = games.game(ram_map.family)
    assert isinstance(game, ChecksMaps)
    found = list(game.findings(ram_map))
    if found:
        with pytest.raises(MapError) as refused:
            game.open(ram_map).decoder()
        assert str(refused.value) == found[0].text
    return found


def words_of(ram_map: RamMap) -> MapWords:
    game = games.game(ram_map.family)
    assert isinstance(game, DescribesMaps)
    return game.map_words


def test_a_map_with_a_rule_for_each_player_is_played() -> None:
    assert list(never_played(parse_map(TOY, "toy"))) == []


def test_no_rule_for_the_phase_playing_is_found() -> None:
    (found,) = never_played(parse_map(TOY.replace("phase: playing", "phase: paused"), "toy"))
    assert found.key == ("phases",)
    assert "has no rule for the phase playing, so nothing is played" in found.text


def test_a_player_whose_values_meet_no_rule_is_found() -> None:
    half = TOY.replace("row: {at: [0x12, 0x13]", "row: {at: [0x12, none]").replace(
        "overlaps: pixel}", "overlaps: pixel}"
    )
    half = half.replace("column: {at: [0x10, 0x11]", "column: {at: [0x10, none]")
    (found,) = never_played(parse_map(half, "toy"))
    assert "values that player 2 has" in found.text


def with_rule(text: str, rule: str) -> str:
    return text.replace("\nvalues:", f"\nrules: {{ {rule} }}\nvalues:", 1)


def test_there_is_a_map_of_every_family() -> None:
    assert {parse_map(text, "one").family for text in TEXTS.values()} == {*FAMILIES}
    assert all(found_in(text) == [] for text in TEXTS.values())


@pytest.mark.parametrize("name", TEXTS)
def test_a_rule_that_the_family_does_not_have_is_found_with_the_known_ones(name: str) -> None:
    (found,) = found_in(with_rule(TEXTS[name], "no_such_rule: 3"))
    assert found.key in {("rules", "no_such_rule"), ("rules",)}
    assert "no rule 'no_such_rule'" in found.text
    known = words_of(parse_map(TEXTS[name], "one")).rules
    assert all(rule in found.text for rule in known)


@pytest.mark.parametrize("name", TETRIS)
def test_the_points_that_a_probe_writes_are_a_rule(name: str) -> None:
    assert found_in(with_rule(TETRIS[name], "line_points: [40, 100, 300, 1200]")) == []


# Each key of `timing` as a map would write it.
WRITTEN = {
    **dict.fromkeys(GameTiming.model_fields, "3"),
    "gravity": "[20, 10]",
    "gravity_value": "x",
    "velocity": "{ table: [4, 9], unit: 256 }",
    "lock_restore": "moves",
    "paces": "[0, 1]",
}


def with_timing(text: str, key: str) -> str:
    """The map with this key of `timing` alone, beside the release's name if it is one's."""
    release = parse_map(text, "one").timing.get("profile")
    stated = {"profile": release, key: WRITTEN[key]} if release else {key: WRITTEN[key]}
    without = re.sub(r"(?m)^timing:.*\n(?:(?: .*)?\n)*", "", text)
    listed = ", ".join(f"{name}: {time}" for name, time in stated.items())
    return without.replace("\nvalues:", f"\ntiming: {{ {listed} }}\nvalues:")


@pytest.mark.few(35)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("key", [key for key in WRITTEN if key != "profile"])
def test_a_time_that_the_family_does_not_use_is_found(name: str, key: str) -> None:
    text = with_timing(TEXTS[name], key)
    family = parse_map(text, "changed").family
    beside = " beside the timing profile nes-ntsc" if name == "tetris-release" else ""
    used = () if beside else (*words_of(parse_map(text, "changed")).timing, *TIMING_OF_THE_PAD)
    told = f"the family {family} does not use timing.{key}{beside}: leave it out."
    found = [] if key in used or key in RECORDED_TIMING else [(("timing", key), told)]
    assert [(one.key, one.text.partition(": ")[2]) for one in found_in(text)] == found


@pytest.mark.parametrize("name", ["puyo", "matching"])
def test_a_release_of_falling_blocks_is_none_of_another_family(name: str) -> None:
    assert [one.key for one in found_in(TEXTS[name].replace("\ntiming:", "\ntiming:\n  profile: nes-ntsc"))] == [
        ("timing", "profile")
    ]


def test_the_times_for_the_record_are_those_that_the_schema_calls_so() -> None:
    assert {*RECORDED_TIMING} == {
        key for key, field in GameTiming.model_fields.items() if "for the record" in str(field.description)
    }


def unused_in(text: str) -> list[tuple[object, str]]:
    """The keys that a map has in vain, each with what is said of it after the file's name."""
    said = [(one.key, one.text.partition(": ")[2]) for one in found_in(text)]
    return [(key, text) for key, text in said if "does not use" in text]


@pytest.mark.parametrize("name", TETRIS)
@pytest.mark.parametrize("codes", ["learn", "{ color_1: 0x01 }"])
def test_falling_blocks_have_no_codes_of_a_pieces_parts(name: str, codes: str) -> None:
    text = TETRIS[name].replace("\nphases:", f"\npiece_codes: {codes}\nphases:", 1)
    assert unused_in(text) == [(("piece_codes",), "the family tetris does not use piece_codes: leave it out.")]


def test_a_release_has_its_own_place_of_the_piece() -> None:
    pieces = "- { id: 0, piece: O, cells: [[0, 0], [1, 0], [0, 1], [1, 1]], clockwise: 0, counterclockwise: 0 }"
    place = "{ cells: [{ x: x, y: y }, { x: x, y: y }, { x: x, y: y }, { x: x, y: y }] }"
    said = "the family tetris does not use place beside the timing profile nes-ntsc: leave it out."
    beside = f"\npieces:\n  {pieces}\nplace: {place}\nphases:"
    assert unused_in(TETRIS["release"].replace("\nphases:", beside, 1)) == [(("place",), said)]


def test_the_family_matching_has_no_place_of_the_cells() -> None:
    place = "place: { cells: [{ x: x, y: y }, { x: x, y: y }] }"
    said = "the family matching does not use place: leave it out."
    assert unused_in(TEXTS["matching"].replace("\nphases:", f"\n{place}\nphases:", 1)) == [(("place",), said)]
