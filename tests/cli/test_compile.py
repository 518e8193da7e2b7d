"""`emubot compile`: what it compiles, once, and that nothing is left for the commands after it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emubot.cli import main
from emubot.games.protocol import Game
from emubot.rammap import RamMap
from emubot.session import purposes
from emubot.session.compiling import Purpose


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch, empty_cache: Path) -> list[str]:
    """The jobs that were done, by families and maps that have two purposes each."""
    assert empty_cache.is_dir()
    jobs: list[str] = []

    def two(kind: str) -> Iterator[Purpose]:
        for number in (1, 2):
            name = f"{kind} {number}"
            yield Purpose(kind, "emubot", name.replace(" ", "-"), lambda name=name: [(name, lambda: jobs.append(name))])  # type: ignore[misc]

    def of_family(game: Game) -> Iterator[Purpose]:
        return two(game.name)

    def by_map(ram_map: RamMap) -> Iterator[Purpose]:
        return two(ram_map.name)

    monkeypatch.setattr(purposes, "of_family", of_family)
    monkeypatch.setattr(purposes, "by_map", by_map)
    monkeypatch.setattr("emubot.cli.compile._PAUSE", 0.0)
    return jobs


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    del found["seconds"]
    return found


def test_play_by_own_maps_comes_first_and_nothing_is_compiled_twice(
    done: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", "tetris", "puyo", "--json", "-q"]) == 0
    maps = ["nes_tetris_usa 1", "nes_tetris_usa 2", "demo_pairs 1", "demo_pairs 2"]
    assert done == [*maps, "tetris 1", "tetris 2", "puyo 1", "puyo 2"]
    assert told(capsys) == {"compiled": 8, "compiled_already": 0}
    assert main(["compile", "tetris", "--json", "-q"]) == 0
    assert told(capsys) == {"compiled": 0, "compiled_already": 4}
    assert len(done) == 8


def test_of_a_map_only_what_play_needs(done: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "--map", "demo_capsules"]) == 0
    assert done == ["demo_capsules 1", "demo_capsules 2"]
    said = capsys.readouterr()
    assert said.out.startswith("Compiled in ")
    first, second, *_ = said.err.splitlines()
    assert first == "emubot: compiling for this machine, first use of demo_capsules: about 1 s ..."
    assert second == "emubot: compiled in 0 s."
    assert main(["compile", "--map", "demo_capsules"]) == 0
    assert capsys.readouterr() == ("Everything was compiled already.\n", "")


def test_a_family_is_whole_when_all_of_it_was_compiled(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from emubot.games import game
    from emubot.session import making

    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    monkeypatch.setattr(making, "program", lambda: [sys.executable, "-c", ""])
    assert making.compile_ahead([game("tetris")])
    assert main(["compile", "tetris", "-q"]) == 0
    assert done
    assert not making.compile_ahead([game("tetris")])
    assert making.compile_ahead([game("puyo")])


PLAY = "play --demo {} --bridge simulated --pieces 3 --emu-speed max --view none"
GENERATION = "--generations 1 --games 1 --final-games 4 --out {}"
AFTER = {
    "tetris": (
        PLAY.format("tetris"),
        "evaluate tetris --rules nes --games 1 --stop-lines 5",
        "evaluate tetris --rules textbook --games 1 --cap-pieces 3",
        "selfplay tetris --pieces 200",
        f"train tetris --method ga --set population=8 {GENERATION}",
        f"train tetris --method td --rules nes --taps 12hz --stop-lines 5 {GENERATION}-td",
    ),
    "puyo": (
        PLAY.format("puyo"),
        "evaluate puyo --games 1",
        "evaluate puyo --games 1 --battle famicom_puyo reference",
        "selfplay puyo --pieces 200",
        f"train puyo --method ga --set population=8 {GENERATION}",
    ),
    "matching": (
        PLAY.format("capsules"),
        "evaluate matching --games 1",
        "evaluate matching --rules columns --games 1",
        "selfplay matching --pieces 200",
    ),
}


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("name", AFTER)
def test_no_command_compiles_anything_afterwards(name: str, tmp_path: Path) -> None:
    environment = os.environ | {"EMUBOT_CACHE_DIR": str(tmp_path)}

    def compiled_by(line: str) -> set[str]:
        before = {*map(str, tmp_path.rglob("*.nbc"))}
        words = [sys.executable, "-m", "emubot", *line.format(tmp_path / "run").split(), "-q"]
        subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
        return {*map(str, tmp_path.rglob("*.nbc"))} - before

    assert compiled_by(f"compile {name}")
    assert {line: compiled_by(line) for line in AFTER[name]} == {line: set() for line in AFTER[name]}
