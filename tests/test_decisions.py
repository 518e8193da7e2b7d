"""The same seeds give the same placements: a thousand decisions of each family, as they were once written down.

`python tests/test_decisions.py` writes them anew, for a change that is meant to play otherwise.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.strength import Strength
from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.rammap import load_map
from emubot.snapshot import Placement
from emubot.tempo import parse_taps, tempo_for_speed
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game
from tests.paths import DATA

STORED = DATA / "decisions.json"
EACH = 200  # decisions of a game
QUICK = 25


class Setting(NamedTuple):
    """How a game is played: by which map and weights, at which speed or tap rate, with what chosen in the menus."""

    ram_map: str
    weights: str
    tempo: int | str
    asked: dict[str, int]
    players: int = 1


SETTINGS = {
    "falling blocks from level 18": Setting("nes_tetris_usa", "nes_tetris", 10, {"level": 18}),
    "falling blocks at level 19 by DAS": Setting("nes_tetris_usa", "nes_tetris", "das", {"level": 19}),
    "falling blocks by slow taps": Setting("nes_tetris_usa", "nes_tetris", "12hz", {"level": 5}),
    "falling blocks by a slow bot": Setting("nes_tetris_usa", "meatfighter", 4, {"level": 0}),
    "falling blocks by the swarm's weights": Setting("nes_tetris_usa", "pso", "30hz", {"level": 19}),
    "pairs": Setting("demo_pairs", "famicom_puyo", 10, {"level": 0}),
    "pairs at full speed": Setting("demo_pairs", "famicom_puyo", 10, {"level": 15, "colors": 4}),
    "pairs by a slow bot": Setting("demo_pairs", "builder", 4, {"level": 5}),
    "pairs of the reference": Setting("demo_pairs", "reference", "15hz", {"level": 9}),
    "pairs for two": Setting("demo_pairs", "famicom_puyo", 10, {"level": 3}, players=2),
    "capsules": Setting("demo_capsules", "capsules", 10, {"level": 10, "pace": 1}),
    "capsules at full pace by DAS": Setting("demo_capsules", "capsules-by-hand", "das", {"level": 20, "pace": 2}),
    "capsules by a slow bot": Setting("demo_capsules", "capsules", 4, {"level": 5, "pace": 0}),
    "capsules for two": Setting("demo_capsules", "capsules", 10, {"level": 8, "pace": 2}, players=2),
    "columns by slow taps": Setting("simulated_columns", "capsules", "15hz", {"pace": 2}),
}


def decisions(setting: Setting, count: int) -> list[tuple[int, ...]]:
    """Player, orientation, column, row and frames of the first placements that are chosen for a piece."""
    ram_map = load_map(setting.ram_map)
    game = whole_game(ram_map.family)
    tempo = parse_taps(setting.tempo) if isinstance(setting.tempo, str) else tempo_for_speed(setting.tempo)
    simulator: Any = whole_edition(ram_map).simulator.machine(np.random.default_rng(11))
    bridge = SimulatedBridge(simulator)
    goal = Goal(games=None, menu_choices=setting.asked | ({"mode": 2} if setting.players == 2 else {}))
    found: list[tuple[int, ...]] = []

    def note(player: int, chosen: Placement) -> None:
        found.append((player, chosen.orientation, chosen.column, chosen.row, len(chosen.timeline)))

    pilots = []
    for player in range(setting.players):
        pilot = Pilot(
            bridge,
            goal,
            game.open(ram_map),
            Skill(load_weights(setting.weights), tempo, strength=Strength(0)),
            port=player,
            leads=player == 0,
        )
        pilot.on_plan.append(partial(note, player))
        pilots.append(pilot)
    match = Match(pilots)
    while len(found) < count:
        match.step()
    return found[:count]


def stored() -> dict[str, list[list[int]]]:
    data: dict[str, list[list[int]]] = json.loads(STORED.read_text(encoding="ascii"))
    return data


@pytest.mark.few(5)
@pytest.mark.jit
@pytest.mark.parametrize("count", [QUICK, pytest.param(EACH, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SETTINGS)
def test_the_same_seed_gives_the_same_placements(name: str, count: int) -> None:
    for number, (now, once) in enumerate(zip(decisions(SETTINGS[name], count), stored()[name][:count], strict=True)):
        assert list(now) == once, f"decision {number}"


def test_a_thousand_of_each_family_are_stored() -> None:
    counts = {name: len(once) for name, once in stored().items()}
    assert counts == dict.fromkeys(SETTINGS, EACH)
    each = Counter(load_map(setting.ram_map).family for setting in SETTINGS.values())
    assert {family: games * EACH for family, games in each.items()} == {"matching": 1000, "puyo": 1000, "tetris": 1000}


def write() -> None:
    lines = [f'"{name}": {json.dumps(decisions(setting, EACH))}' for name, setting in SETTINGS.items()]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    write()
