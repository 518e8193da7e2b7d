"""The thinker: what a map says of rules and timing is taken from the map, and refused where the family has it not."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.datafiles import shipped
from emubot.errors import MapError, UsageError, WeightsError
from emubot.explanation import DrawnPosition, ExplainOptions
from emubot.games.strength import Strength
from emubot.games.tetris.bounds import MOST_NODES
from emubot.games.tetris.decode.map_checks import profile_of
from emubot.games.tetris.family import GAME
from emubot.games.tetris.rules import NES_NTSC
from emubot.rammap import load_map
from emubot.session.positions import explainer_of
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights, parse_weights


def test_the_shipped_map_has_the_profile_of_the_usa_release() -> None:
    assert profile_of(load_map(GAME.facts.default_map)) is NES_NTSC


def test_a_profile_the_family_does_not_have_is_named(tmp_path: Path) -> None:
    text = (shipped("ram_maps") / f"{GAME.facts.default_map}.yaml").read_text(encoding="utf-8")
    path = tmp_path / "other.yaml"
    path.write_text(text.replace("profile: nes-ntsc", "profile: nes-moon"), encoding="utf-8")
    with pytest.raises(MapError, match=r"other\.yaml names the profile 'nes-moon'; the tetris family has nes-ntsc"):
        GAME.open(load_map(path)).thinker(load_weights(GAME.facts.default_weights), tempo_for_speed(10))


def test_weights_of_another_game_are_refused() -> None:
    text = (shipped("weights") / "nes_tetris.json").read_text(encoding="utf-8")
    other = parse_weights(text.replace('"game": "tetris"', '"game": "chess"'), "other")
    with pytest.raises(WeightsError, match="for chess, not for tetris"):
        GAME.open(load_map(GAME.facts.default_map)).thinker(other, tempo_for_speed(10))


def test_more_boards_than_kernels_count_are_refused_in_play_and_where_a_decision_is_explained() -> None:
    weights, tempo, refusal = load_weights("nes_tetris"), tempo_for_speed(10), "--nodes of Tetris is 0 to 100,000,000"
    with pytest.raises(UsageError, match=refusal):
        GAME.open(load_map(GAME.facts.default_map)).thinker(weights, tempo, Strength(MOST_NODES + 1))
    edition, snapshot = GAME.position(DrawnPosition(("#.........",), "T", "L"))
    with pytest.raises(UsageError, match=refusal):
        explainer_of(edition).explain(snapshot, weights, tempo, ExplainOptions(MOST_NODES + 1, games=0))
