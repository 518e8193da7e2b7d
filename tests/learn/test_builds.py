"""Twenty builds of the pairs demo that nobody knows: learnt in play in a real core, and nothing is read wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from emubot import games
from emubot.bridges.libretro import LibretroBridge, connect
from emubot.cartridge import load_cartridge
from emubot.cli import main
from emubot.games.colours.decode.codes import PieceCodes
from emubot.games.colours.decode.decode import Decoder
from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.rammap import RamMap, load_map, parse_map
from emubot.rammap.writing import map_text
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights
from tests.bridges.cores import in_each_core, require_core
from tests.demos.pairs_builder import Build, build, chain_power, gravity, true_map

GAME = games.game("puyo")
VERSUS = {"mode": GAME.modes["versus"]}
ITEM_EVERY = 48  # pairs: Big Puyo and Carbuncle in turn


def some_seeds(quick: int, whole: int) -> pytest.MarkDecorator:
    """One build for so many pairs; in long runs all of them, each for more."""
    long = [pytest.param(seed, whole, marks=pytest.mark.slow) for seed in range(1, 21)]
    return pytest.mark.parametrize(("seed", "pairs"), [(7, quick), *long])


def open_map(truth: RamMap) -> RamMap:
    """The map of somebody who knows the addresses and the menus, and nothing that differs from build to build."""
    text = map_text(truth, {})
    text = re.sub(r"^    (mask|empty): .*$", r"    \1: learn", text, flags=re.MULTILINE)
    text = re.sub(r"^    shift: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(    kinds:)(?: \{.*\}|\n(?:      .*\n)+)", "KINDS\n", text, flags=re.MULTILINE)
    names = ", ".join(f"color_{number}: learn" for number in range(1, 7))
    text = text.replace("KINDS", f"    kinds: {{{names}, nuisance: learn, popping: learn}}")
    for key in ("pieces", "piece_codes"):
        text = re.sub(rf"^{key}:.*\n((?:  .*\n)*)", f"{key}: learn\n", text, flags=re.MULTILINE)
    for key in ("timing", "rules"):
        text = re.sub(rf"^{key}:.*\n((?:  .*\n)*)", "", text, flags=re.MULTILINE)
    return parse_map(text, "open_pairs")


class Judge:
    """Compares what a pilot reads with what is true, whenever it plans."""

    def __init__(self, pilot: Pilot, truth: RamMap) -> None:
        self.pilot, self.truth = pilot, truth
        self.true, self.halves = Decoder(truth, pilot.port), PieceCodes(truth)
        self.ram = b""
        self.pairs = self.planned = 0
        self.colors_at: int | None = None
        self.playing = False
        pilot.on_frame.append(self.frame)
        pilot.on_plan.append(lambda _: self.plan())

    def frame(self, ram: bytes, snapshot: Snapshot) -> None:
        self.ram = ram
        playing = snapshot.phase in (Phase.PLAYING, Phase.PAUSED)
        self.pairs += playing and not self.playing
        self.playing = playing
        learnt = self.pilot.edition.ram_map
        if self.colors_at is None and sum(name.startswith("color_") for name in learnt.codes) == 5:
            self.colors_at = self.pairs

    def plan(self) -> None:
        """A placement is chosen: every cell and half must be what it really is, or read as unknown."""
        self.planned += 1
        learnt = self.pilot.edition.ram_map
        own, now, true = PieceCodes(learnt), Decoder(learnt, self.pilot.port)(self.ram), self.true(self.ram)
        meant = {own.kind(code): self.halves.kind(code) for codes in learnt.piece_codes.values() for code in codes}
        meant |= {0: 0, 7: 7}
        for ours, theirs in ((now.playfield, true.playfield), (now.hidden, true.hidden)):
            known = np.isin(ours, list(meant))
            assert (ours[~known] == 8).all()
            read = np.array([meant.get(int(kind), 8) for kind in ours.ravel()]).reshape(ours.shape)
            assert (read[known] == theirs[known]).all()
        assert now.current == true.current
        assert (meant[now.counters["pivot"]], meant[now.counters["satellite"]]) == (
            true.counters["pivot"],
            true.counters["satellite"],
        )


def opened(built: Build, core: str) -> LibretroBridge:
    return connect(rom=load_cartridge(built.path), core=str(require_core(core)), emu_speed=None)


def pilot_of(bridge: LibretroBridge, ram_map: RamMap, asked: dict[str, int], port: int = 0) -> Pilot:
    goal = Goal(None, None, asked)
    weights = load_weights(GAME.facts.default_weights)
    return Pilot(bridge, goal, GAME.open(ram_map), Skill(weights, tempo_for_speed(10)), port=port, leads=port == 0)


@in_each_core("name", quick="fceumm")
@some_seeds(54, whole=100)
@pytest.mark.jit
def test_endless_with_items(name: str, seed: int, pairs: int, tmp_path: Path) -> None:
    """Colours within 60 pairs, items after they came once, nothing wrong on the way; the written map plays."""
    built = build(seed, tmp_path)
    truth = true_map(built)
    with opened(built, name) as bridge:
        pilot = pilot_of(bridge, open_map(truth), {})
        judge = Judge(pilot, truth)
        while judge.pairs < pairs:
            pilot.step()
        learnt = pilot.edition.ram_map
        pilot.stop()
    assert judge.colors_at is not None
    assert judge.colors_at <= 60
    assert judge.planned > 0.7 * pairs
    assert {entry.id: entry for entry in learnt.pieces} == {entry.id: entry for entry in truth.pieces}
    if pilot.tally.games == 0:
        assert learnt.piece_codes["big"] == truth.piece_codes["big"]
        if pairs > 2 * ITEM_EVERY:
            assert learnt.piece_codes["carbuncle"] == truth.piece_codes["carbuncle"]
    assert learnt.rules.get("spawn", (0, 2, 0)) == truth.rules["spawn"]


@in_each_core("name", quick="fceumm")
@some_seeds(30, whole=60)
@pytest.mark.jit
def test_two_players_with_nuisance(name: str, seed: int, pairs: int, tmp_path: Path) -> None:
    """Both learn apart from each other; nuisance is known after it fell once."""
    built = build(seed, tmp_path)
    truth = true_map(built)
    with opened(built, name) as bridge:
        pilots = [pilot_of(bridge, open_map(truth), VERSUS, port) for port in (0, 1)]
        judges = [Judge(pilot, truth) for pilot in pilots]
        match = Match(pilots)
        fell = [False, False]
        while min(judge.pairs for judge in judges) < pairs:
            match.step()
            for port, judge in enumerate(judges):
                snapshot = judge.true(judge.ram)
                if snapshot.phase is Phase.PLAYING and (snapshot.playfield == 7).any():
                    fell[port] = True
                    assert "nuisance" in pilots[port].edition.ram_map.codes
        match.stop()
    assert seed != 7 or all(fell), "the quick one sees nuisance"
    for judge in judges:
        assert judge.colors_at is not None
        assert judge.colors_at <= 60


@in_each_core("name", quick="fceumm")
@pytest.mark.jit
@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 7, 12])
def test_the_command_finds_other_tables_falls_and_pivots(
    name: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = build(seed, tmp_path)
    truth, file, unknown = true_map(built), tmp_path / "own.yaml", tmp_path / "open.yaml"
    unknown.write_text(map_text(open_map(truth), {}), encoding="utf-8")
    words = ["--rom", str(built.path), "--map", str(unknown), "--core", str(require_core(name)), "--out", str(file)]
    assert main(["maps", "learn", *words, "--probe", "--pieces", "60", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert main(["maps", "check", str(file)]) == 0
    learnt = load_map(file)
    assert list(learnt.timing["gravity"]) == gravity(built.true)
    for wait in ("soft_drop", "settle", "per_row", "pop", "spawn_delay"):
        assert learnt.timing[wait] == truth.timing[wait], wait
    assert {entry.id: entry for entry in learnt.pieces} == {entry.id: entry for entry in truth.pieces}
    remark = told["evidence"]["rules.chain_power"]
    measured = [int(word) for word in remark.removeprefix("measured for ").partition(" in")[0].split(", ")]
    power = chain_power(built.true)
    assert max(measured) >= 6
    assert [learnt.rules["chain_power"][step - 1] for step in measured] == [power[step - 1] for step in measured]
    capsys.readouterr()
    play = ["play", "--rom", str(built.path), "--map", str(file), "--core", str(require_core(name))]
    assert main([*play, "--pieces", "30", "--emu-speed", "max", "--view", "none", "--json", "-q"]) == 0
    played = json.loads(capsys.readouterr().out)
    assert (played["pieces"], played["misplaced"], played["replans"]) == (30, 0, 0)
