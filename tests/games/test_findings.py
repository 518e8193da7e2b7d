"""What keeps any family from playing by a map is found, for each player."""

from __future__ import annotations

from emubot.games.findings import never_played
from emubot.rammap import parse_map
from tests.rammap.test_toy import TOY


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
