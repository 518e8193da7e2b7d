"""The family of docs/tutorials/family.md keeps its promises; commands and arena play it, once it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from emubot.arena import catalogue
from emubot.cli import main
from emubot.games.check import GameCheckError, check_game
from emubot.snapshot import Placement
from tests.arena.playing import begin, match_of, play, side
from tests.paths import ROOT


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What pip leaves behind for the package."""
    about = tmp_path / "emubot_dots-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: emubot-dots\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[emubot.games]\ndots = dots.family:GAME\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "docs" / "examples" / "dots")
    known = (catalogue.families, catalogue.offered, catalogue.demos)
    for cache in known:
        cache.cache_clear()
    yield
    for cache in known:
        cache.cache_clear()


def test_it_keeps_its_promises_and_a_broken_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = import_module("dots.family").GAME
    check_game(game, pieces=6)
    monkeypatch.setattr(
        "dots.player.Placement", lambda turn, column, row, **more: Placement(turn, column + 1, row, **more)
    )
    with pytest.raises(GameCheckError, match=r"play: at 30hz a piece locked at Piece\("):
        check_game(game, pieces=6)


def test_it_is_drawn_in_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    assert main("play --demo dots --pieces 4 --emu-speed max --view board".split()) == 0
    assert "pieces: 4 dots, 1 line, 0 misplaced." in capfd.readouterr().err


def test_two_of_it_meet_in_the_arena() -> None:
    match = begin(match_of(side("dots"), side("dots", "full")))
    play(match, 120)
    assert match.sides[1].board.pieces > 0
