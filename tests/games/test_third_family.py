"""Nothing else changes for a third family: one folder, a map, weights and an entry point, and everything plays it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot import games
from emubot.bridges import open_bridge
from emubot.cli import main
from emubot.errors import UsageError
from emubot.games.check import check_game
from emubot.games.edition import Edition, MapEdition, part_of
from emubot.games.protocol import Game
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Recording, Skill
from emubot.rammap import RamMap, load_map
from emubot.tempo import Tempo, parse_taps, tempo_for_speed
from emubot.weights import load_weights
from tests.games.toy_family.edition import NumbersAlone, NumbersEdition, NumbersMachine
from tests.games.toy_family.family import GAME, NumbersGame
from tests.paths import ROOT


class GameAlone:
    """The toy family with what a pilot needs and nothing beside it."""

    name, modes, facts = GAME.name, GAME.modes, GAME.facts
    looks, offers, options = GAME.looks, GAME.offers, GAME.options

    def open(self, ram_map: RamMap) -> Edition:
        return NumbersAlone(self, ram_map)


ALONE = GameAlone()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy as an installed package: what pip leaves behind for an entry point."""
    install(tmp_path, monkeypatch, "tests.games.toy_family.family:GAME")


@pytest.fixture
def installed_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with `Game` alone, no optional part."""
    install(tmp_path, monkeypatch, f"{__name__}:ALONE")


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    about = tmp_path / "site" / "toy_numbers-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-numbers\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[emubot.games]\nnumbers = {entry}\n")
    monkeypatch.syspath_prepend(about.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (about.parent, ROOT))))  # for child processes


def played(tempo: Tempo, level: int, pieces: int, seed: int, latency: int = 0, drop_rate: float = 0.0) -> Pilot:
    ram_map = load_map(GAME.facts.default_map)
    edition = NumbersEdition(GAME, ram_map)
    machine = edition.simulator.machine(np.random.default_rng(seed))
    rng = np.random.default_rng(seed) if drop_rate else None
    bridge = open_bridge("simulated", machine=machine, latency=latency, drop_rate=drop_rate, rng=rng)
    pilot = Pilot(
        bridge,
        Goal(pieces, None, {"level": level}),
        edition,
        Skill(load_weights(GAME.facts.default_weights), tempo),
    )
    pilot.run()
    return pilot


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("tempo", [tempo_for_speed(10), tempo_for_speed(4), parse_taps("das")], ids=lambda t: t.name)
def test_the_pilot_plays_it(tempo: Tempo, level: int) -> None:
    pilot = played(tempo, level, 40, seed=level)
    tally = pilot.tally
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (40, 0, 0, 0)
    assert (pilot.result, tally.level) == ("pieces", level)
    assert tally.lines is not None
    assert tally.score == 30 * (level + 1) * tally.lines
    assert tally.lines >= (2 if tempo.reaction else 8)  # slow hands meet a piece that has landed already


def test_on_a_slower_bridge_too() -> None:
    tally = played(tempo_for_speed(10), 2, 60, seed=3, latency=2).tally
    assert (tally.pieces, tally.misplaced, tally.replans) == (60, 0, 0)


def test_lost_presses_are_planned_anew() -> None:
    tally = played(tempo_for_speed(10), 1, 60, seed=4, drop_rate=0.2).tally
    assert tally.pieces == 60
    assert tally.replans > 5


def told(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    assert main([*words.split(), "--json"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    return figures


@pytest.mark.usefixtures("installed")
def test_an_installed_package_is_found_by_its_entry_point() -> None:
    assert "numbers" in games.names()
    assert games.game("numbers") is GAME


def test_without_the_package_there_is_no_such_game() -> None:
    with pytest.raises(UsageError, match="There is no game 'numbers'"):
        games.game("numbers")


@pytest.mark.usefixtures("installed")
def test_the_commands_know_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = f"play 8 --bridge simulated --map {GAME.facts.default_map} --emu-speed max --pieces 40 --view none"
    figures = told(capsys, f"{words} --record {tmp_path / 'game.npz'}")
    assert (figures["game"], figures["pieces"], figures["misplaced"]) == ("numbers", 40, 0)
    verified = told(capsys, f"trace verify {tmp_path / 'game.npz'}")
    assert verified["mismatches"] == 0
    assert verified["frames"] > 300
    assert main(["trace", "show", str(tmp_path / "game.npz")]) == 0
    assert main(["maps", "check", GAME.facts.default_map]) == 0
    capsys.readouterr()


@pytest.mark.usefixtures("installed")
def test_it_plays_itself(capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, "selfplay numbers --pieces 500 --unit 100")
    assert figures["pieces"] == 500
    assert {"mean_numbers", "max_numbers"} <= set(figures)
    assert sum(figures["histogram"]) == 500


def test_its_machine_goes_on_from_another_ones_memory() -> None:
    ram_map = load_map(GAME.facts.default_map)
    one, other = NumbersMachine(ram_map, 5), NumbersMachine(ram_map, 9)
    rng = np.random.default_rng(1)
    for pad in rng.choice([0, 0x10, 0x80, 1, 2, 4], size=300):
        one.step([Pad(int(pad)), Pad.NONE])
        other.load(one.ram.tobytes())
        assert other.ram.tobytes() == one.ram.tobytes()


def test_a_family_with_game_alone_plays() -> None:
    ram_map = load_map(GAME.facts.default_map)
    bridge = open_bridge("simulated", machine=NumbersMachine(ram_map, 5))
    weights = load_weights(GAME.facts.default_weights)
    tally = Pilot(bridge, Goal(40, None, {"level": 2}), ALONE.open(ram_map), Skill(weights, tempo_for_speed(10))).run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (40, 0, 0)


def test_a_family_with_game_alone_passes_the_check_of_what_it_has() -> None:
    check_game(ALONE)


def test_game_has_seven_members_and_an_edition_needs_seven() -> None:
    members = {name for name in vars(Game) if not name.startswith("_")}
    assert members == {name for name in vars(GameAlone) if not name.startswith("__")}
    assert len(members) == 7
    assert len({name for name in (*vars(NumbersAlone), *vars(MapEdition)) if not name.startswith("_")}) == 7


@pytest.mark.usefixtures("installed_alone")
@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("play --bridge simulated --map MAP --pieces 1", "simulator"),
        ("selfplay numbers --pieces 100", "Measurable"),
        ("evaluate numbers --games 1", "Measurable"),
        ("train numbers --method pso --out OUT", "Measurable"),
        ("trace verify TRACE", "Replayable"),
        ("trace show TRACE", "Replayable"),
        ("explain TRACE", "explainer"),
        ("explain --game numbers TEXT", "Explainable"),
        ("maps learn --bridge simulated --map MAP", "simulator"),
    ],
)
def test_a_command_says_which_part_is_missing(
    words: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded_by(GAME, tmp_path / "game.npz")
    (tmp_path / "board").touch()
    named = {"MAP": GAME.facts.default_map, "OUT": tmp_path / "run", "TRACE": tmp_path / "game.npz"}
    for name, path in {**named, "TEXT": tmp_path / "board"}.items():
        words = words.replace(name, str(path))
    assert main(words.split()) == 2
    said = capsys.readouterr().err
    assert said.startswith("emubot: The family numbers does not offer ")
    assert f"lacks the part {part}" in said
    assert said.count("\n") == 1


def test_what_is_drawn_needs_a_family_that_can_be_drawn() -> None:
    edition = ALONE.open(load_map(GAME.facts.default_map))
    with pytest.raises(UsageError, match="lacks the part depiction"):
        part_of(edition, "depiction", edition.depiction, "pieces to draw")


def recorded_by(game: NumbersGame, path: Path) -> None:
    """A recorded game of the toy family."""
    ram_map = load_map(game.facts.default_map)
    pilot = Pilot(
        open_bridge("simulated", machine=NumbersMachine(ram_map, 5)),
        Goal(3, None),
        game.open(ram_map),
        Skill(load_weights(game.facts.default_weights)),
    )
    recording = Recording(path, pilot, "nmi-game", {"game": game.name, "map": ram_map.name})
    pilot.run()
    recording.close()


@pytest.mark.usefixtures("installed")
def test_a_family_without_kernels_announces_no_compiling(capsys: pytest.CaptureFixture[str]) -> None:
    words = f"play 8 --bridge simulated --map {GAME.facts.default_map} --emu-speed max --pieces 1 --view none"
    assert main(words.split()) == 0
    assert "compil" not in capsys.readouterr().err
