"""Strangers of colours: drawn alike from a seed, true to their rules in a core, and played from their own maps."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path

import pytest

from emubot import games
from emubot.bridges.libretro import connect
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import parse_map
from emubot.tempo import tempo_for_speed
from tests.bridges.cores import require_core
from tests.programs import require_cc65
from tests.toys.strangers.__main__ import main as write
from tests.toys.strangers.colours import build, colour_stranger, map_text, truth
from tests.toys.strangers.colours.stranger import PAIRS
from tests.toys.strangers.colours.watched import watched

SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] if seed >= 10 else []) for seed in range(60)]


@pytest.mark.few(1)
@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_a_seed_always_draws_the_same_and_nothing_overlaps(first: int) -> None:
    for seed in range(first, first + 250):
        stranger = colour_stranger(seed)
        assert stranger == colour_stranger(seed)
        players, field, addresses = range(stranger.play.players), stranger.field, stranger.addresses
        cells = {field.place(row, column, player) for player in players for row, column in stranger.cells}
        assert len(cells) == len(players) * len(stranger.cells)
        taken = [at for name, at in addresses.items() if name not in ("SCRATCH", "LIST", "MARKS", "STRIPS") and at]
        taken += [at + stranger.shift for name, at in addresses.items() if name.startswith("P_") and len(players) > 1]
        assert len({*taken}) == len(taken)
        assert not {*taken} & {at for at, _ in cells}
        codes = [field.empty, *field.colors, *field.targets, field.nuisance, field.popping]
        assert len({*codes}) == len(codes)
        json.dumps(truth(stranger))


def test_every_property_is_drawn_often_enough_to_be_measured() -> None:
    seen: Counter[str] = Counter()
    for seed in range(300):
        seen.update(truth(colour_stranger(seed))["properties"])
    rare = {name: count for name, count in seen.items() if count < 5 and not name.startswith("board:")}
    assert not rare


@pytest.mark.slow
def test_every_map_is_one(tmp_path: Path) -> None:
    for seed in range(150):
        stranger = colour_stranger(seed)
        ram_map = parse_map(map_text(stranger), stranger.name)
        games.game(ram_map.document.family).open(ram_map)


@pytest.mark.core("fceumm")
@pytest.mark.parametrize("seed", SEEDS)
def test_it_keeps_its_rules(seed: int, tmp_path: Path) -> None:
    stranger = colour_stranger(seed)
    with connect(rom=build(stranger, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        referees = watched(stranger, bridge, frames=1500)
    assert referees[0].games
    assert referees[0].pieces > 1


@pytest.mark.core("fceumm")
def test_a_referee_who_believes_other_rules_finds_a_fault(tmp_path: Path) -> None:
    stranger = next(one for one in map(colour_stranger, range(100)) if one.play.kind == PAIRS and one.play.size == 4)
    believed = dataclasses.replace(stranger, play=dataclasses.replace(stranger.play, size=3))
    with (
        connect(rom=build(stranger, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge,
        pytest.raises(AssertionError, match="none of"),
    ):
        watched(believed, bridge, frames=6000)


@pytest.mark.jit
@pytest.mark.core("fceumm")
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[] if seed in (1, 13, 15) else [pytest.mark.slow]) for seed in range(60)]
)
def test_the_pilot_plays_it_from_its_map(seed: int, tmp_path: Path) -> None:
    stranger = colour_stranger(seed)
    ram_map = parse_map(map_text(stranger), stranger.name)
    edition = games.game(ram_map.document.family).open(ram_map)
    with connect(rom=build(stranger, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        tally = Pilot(bridge, Goal(30, games=None), edition, Skill(tempo=tempo_for_speed(10))).run()
    assert (tally.pieces, tally.misplaced) == (30, 0)


def test_the_command_writes_cartridge_map_and_truth(tmp_path: Path) -> None:
    require_cc65()
    write(["3", "--kind", "colours", "--out", str(tmp_path)])
    assert {path.name for path in tmp_path.iterdir()} == {"colours_3.nes", "colours_3.yaml", "colours_3.json"}
    assert json.loads((tmp_path / "colours_3.json").read_text(encoding="ascii"))["seed"] == 3
