"""A family from an installed package is in the arena, with nothing said about it outside the package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emubot.arena import catalogue, cockpit
from emubot.arena.gif import gif_of
from emubot.errors import UsageError
from tests.arena.playing import begin, match_of, play, side
from tests.games.test_third_family import install


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(tmp_path, monkeypatch, "tests.games.toy_family.family:GAME")
    _forget()
    yield
    _forget()


def _forget() -> None:
    for known in (catalogue.families, catalogue.offered, catalogue.demos):
        known.cache_clear()


def test_its_game_and_its_looks_are_offered() -> None:
    offers = catalogue.offers()
    assert {"id": "numbers", "title": "Numbers", "family": "numbers"}.items() <= offers["games"][-1].items()
    assert offers["looks"]["numbers"]["kinds"][1]["colour"] == "#b03060"
    assert "demo:numbers" in dict(cockpit.sources())
    assert cockpit.words_of({"what": "demo:numbers", "bot": "gentle"})[1:3] == ["--demo", "numbers"]


def test_a_person_and_its_bot_play_a_match_that_becomes_a_picture() -> None:
    match = begin(match_of(side("numbers", None, level=3), side("numbers", "gentle", level=3)))
    play(match, 300)
    assert match.sides[1].board.pieces > 0
    content, _ = gif_of(match.replay(), 0.5, 0.5)
    assert content.startswith(b"GIF89a")


def test_the_chance_of_winning_is_told_and_a_family_without_explanations_has_no_coach() -> None:
    match = begin(match_of(side("numbers", "gentle", level=3), side("numbers", "gentle", level=3)))
    play(match, 300)
    assert match.odds is not None
    assert 0 < match.odds.chance() < 1
    alone = begin(match_of(side("numbers", None, level=3)))
    with pytest.raises(UsageError, match="numbers does not offer explained decisions"):
        alone.coach(lambda **words: None)
    play(alone, 60)
    alone.coach(None)
