"""Pairs on fields of any size and with a map's own turns: toy cartridges are played from their YAML alone."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.puyo_edition import PuyoDepiction
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.pilot.tally import Tally
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase, Piece, Placement
from emubot.tempo import FULL_SPEED, Tempo, parse_taps, tempo_for_speed
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game
from tests.games.colours.puyo_maps import DEMO
from tests.games.colours.toy_pairs import (
    TOYS,
    Boxed,
    Half,
    Keeping,
    Narrow,
    Sprites,
    Swapping,
    Tall,
    ToyPairs,
    Untimed,
    Wide,
)
from tests.pieces import PIECES

FULL = tempo_for_speed(FULL_SPEED)

pytestmark = pytest.mark.jit
GAME = whole_game("puyo")
WEIGHTS = load_weights("famicom_puyo")


def map_of(toy: type[ToyPairs]) -> RamMap:
    return parse_map(toy.text, toy.__name__.lower())


def played(toy: type[ToyPairs], pieces: int, tempo: Tempo | None = None, latency: int = 0) -> tuple[ToyPairs, Tally]:
    """Plays the pieces; each plan is compared with what the cartridge itself has locked, with its colours."""
    ram_map, machine = map_of(toy), toy(seed=5)
    decode = GAME.open(ram_map).decoder()
    planned: dict[int, frozenset[Half]] = {}  # by the number of pairs that had locked

    def note(placement: Placement) -> None:
        snapshot = decode(machine.ram.tobytes())
        assert snapshot.phase is Phase.PLAYING
        assert bool(placement.timeline) == (toy is not Untimed)
        cells = PuyoDepiction().cells(snapshot, Piece(placement.orientation, placement.column, placement.row))
        planned[len(machine.locks)] = frozenset((cell.column, cell.row, cell.kind) for cell in cells)

    bridge = SimulatedBridge(machine, latency=latency)
    pilot = Pilot(bridge, Goal(pieces, games=None), GAME.open(ram_map), Skill(WEIGHTS, tempo or FULL))
    pilot.on_plan.append(note)
    tally = pilot.run()
    assert len(planned) == tally.pieces == pieces
    assert planned == {number: machine.locks[number] for number in planned}
    return machine, tally


@pytest.mark.few(3)
@pytest.mark.parametrize("toy", TOYS)
@PIECES
def test_a_toy_plays_from_its_map_alone(toy: type[ToyPairs], pieces: int) -> None:
    machine, tally = played(toy, pieces)
    assert (tally.misplaced, tally.replans) == (0, 0)
    assert machine.popped > (200 if pieces == 200 else 4), "a high field builds long before its first chain"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("toy", "tempo", "latency"),
    [
        (Swapping, tempo_for_speed(10), 2),
        (Boxed, tempo_for_speed(10), 1),
        (Keeping, tempo_for_speed(10), 0),
        (Wide, tempo_for_speed(5), 1),
        (Sprites, parse_taps("das"), 0),
        (Narrow, parse_taps("12hz"), 0),
    ],
    ids=str,
)
def test_a_toy_plays_at_any_tempo_and_with_late_pads(toy: type[ToyPairs], tempo: Tempo, latency: int) -> None:
    _, tally = played(toy, 40, tempo, latency)
    assert (tally.misplaced, tally.replans) == (0, 0)


def learnt(toy: type[ToyPairs], *changes: tuple[str, str]) -> tuple[RamMap, Tally]:
    """Plays by a map with some of its text changed; returns the map that was learnt from it."""
    text = toy.text
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    edition = GAME.open(parse_map(text, "open"))
    pilot = Pilot(SimulatedBridge(toy(seed=5)), Goal(30, games=None), edition, Skill(WEIGHTS))
    tally = pilot.run()
    return pilot.edition.ram_map, tally


def test_codes_are_learnt_on_any_field() -> None:
    colors = "color_1: 0x91, color_2: 0x92, color_3: 0x93, color_4: 0x94, color_5: 0x95"
    halves = "color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04, color_5: 0x05"
    found, tally = learnt(Wide, (colors, re.sub("0x..", "learn", colors)), (halves, re.sub("0x..", "learn", halves)))
    codes = {name: code for name, (code,) in found.codes.items() if name != "empty"}
    assert sorted(codes.values()) == [0x91, 0x92, 0x93, 0x94, 0x95]
    assert {name: (code - 0x90,) for name, code in codes.items()} == found.piece_codes
    assert (found.learns, tally.misplaced) == ((), 0)


def test_gravity_is_measured_on_any_field() -> None:
    found, tally = learnt(Tall, ("timing: {gravity: [6], soft_drop: 1}", "timing: {}"))
    assert (dict(found.timing)["gravity"], tally.misplaced) == ((6,), 0)


PADS = (Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT)


@pytest.mark.few(2)
@pytest.mark.parametrize("toy", [toy for toy in TOYS if toy is not Untimed])
def test_each_frame_is_as_predicted(toy: type[ToyPairs]) -> None:
    """Random pads: turns, kicks off walls and floors, shifts and falls, by the cartridge and by its map."""
    ram_map, machine, rng = map_of(toy), toy(seed=3), Random(1)
    decode = GAME.open(ram_map).decoder()
    turned = 0
    for frame in range(3000):
        before = decode(machine.ram.tobytes())
        press_start = Pad.START if frame % 2 else Pad.NONE
        pad = rng.choice(PADS) if before.phase is Phase.PLAYING else press_start
        machine.held = Pad(before.counters.get("held_buttons", 0))  # where the map does not tell it, none is held
        machine.step([pad, Pad.NONE])
        if before.phase is Phase.PLAYING and before.current is not None:
            ahead, after = GAME.open(ram_map).predict(before, [pad]), decode(machine.ram.tobytes())
            assert (ahead.phase, ahead.current) == (after.phase, after.current)
            assert after.current is not None
            turned += after.current.orientation != before.current.orientation
    assert turned > 100


SEVEN = DEMO.replace("columns: 6", "columns: 7").replace(
    "profile: famicom-1991", "profile: famicom-1991\ntiming: {gravity: [20], soft_drop: 2}"
)
NO_HIDDEN_ROW = SEVEN.replace("  hidden: [[0x0302, 0x0402]]\n", "")
MENU = """\
menu:
  pace: 6
  asked: {mode: {from: 0, to: 2, default: 0}}
  steps:
    - {state: [title, over], tap: START}
    - {state: menu, tap: SELECT, until: {mode: {asked: mode}}}
    - {state: menu, tap: START}
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("text", [SEVEN, NO_HIDDEN_ROW], ids=["7x13+1", "7x13"])
def test_the_simulator_plays_a_map_of_another_size(text: str) -> None:
    ram_map = parse_map(text + MENU, "seven_pairs")
    machine: Machine = whole_edition(ram_map).simulator.machine(np.random.default_rng(2))
    pilot = Pilot(SimulatedBridge(machine), Goal(60, games=None), GAME.open(ram_map), Skill(WEIGHTS))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (60, 0, 0)
    assert tally.score


def test_two_players_on_a_field_of_another_size() -> None:
    ram_map = parse_map(SEVEN + MENU, "seven_pairs")
    bridge = SimulatedBridge(whole_edition(ram_map).simulator.machine(np.random.default_rng(2)))
    goal = Goal(games=1, menu_choices={"mode": 2})
    slow = Pilot(bridge, goal, GAME.open(ram_map), Skill(WEIGHTS, tempo_for_speed(0)), port=1, leads=False)
    match = Match([Pilot(bridge, goal, GAME.open(ram_map), Skill(WEIGHTS)), slow], pieces=150)
    match.run()
    quick = match.pilots[0].tally
    assert (quick.misplaced, quick.replans) == (0, 0)
    assert quick.pieces > slow.tally.pieces > 0
