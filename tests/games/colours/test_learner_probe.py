"""The probe finds the rules and the clock of a cartridge that has others: on the simulator, through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.bridges import open_bridge
from emubot.cli import main
from emubot.games import game
from emubot.games.colours.learning.experiments import Experiments
from emubot.games.colours.learning.learner import PuyoLearner
from emubot.games.colours.rules import FAMICOM_1991
from emubot.learn import ProbeReport
from emubot.pad import Pad
from emubot.pilot import Skill
from emubot.rammap import RamMap, load_map
from emubot.session import session
from emubot.session.request import SessionRequest
from emubot.session.seating import Seat
from emubot.weights import load_weights
from tests.games.colours.random_cartridges import Hand, Looks, open_with_menus, stranger

GAME = game("puyo")
RULES = {"chain_power": [0, 5, 17, 29, 41, 53, 65, 77, 89, 101], "group_bonus": [0, 1, 3, 5, 7, 9, 11, 20]}
WAITS = {"settle": 11, "per_row": 3, "pop": 15, "nuisance_wait": 9, "spawn_delay": 7}


def with_rules(seed: int, **rules: Any) -> Looks:
    made = stranger(seed)
    made.rules.update(rules)
    made.waits.update(WAITS)
    return Looks(made, np.random.default_rng(seed))


def run(looks: Looks, ram_map: RamMap) -> ProbeReport:
    """Every experiment with a map that knows everything."""
    report = ProbeReport()
    learner = PuyoLearner(ram_map)
    prober = learner.prober()
    script = Experiments(ram_map, report).run()
    pad = next(script)
    while True:
        looks.step([pad, Pad.NONE])
        ram = looks.ram.tobytes()
        learner.observe(ram, pad)
        prober.frame(ram)
        try:
            pad = script.send(ram)
        except StopIteration:
            return prober.report().joined(report)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(
    ("seed", "kicks"),
    [
        (2, {"wall_kick": True, "floor_kick": True, "quick_turn": False}),
        pytest.param(3, {"wall_kick": False, "floor_kick": True, "quick_turn": False}, marks=pytest.mark.slow),
        pytest.param(4, {"wall_kick": True, "floor_kick": False, "quick_turn": True}, marks=pytest.mark.slow),
    ],
)
def test_kicks_tables_waits_and_falls_are_found(seed: int, kicks: dict[str, bool]) -> None:
    looks = with_rules(seed, **RULES, **kicks)
    found = run(looks, open_with_menus(looks.made, known=True))
    assert {name: found.rules.get(name) for name in kicks} == kicks
    assert found.timing["gravity"] == tuple(looks.made.gravity)
    assert {name: found.timing[name] for name in WAITS if name != "nuisance_wait"} == {
        name: frames for name, frames in WAITS.items() if name != "nuisance_wait"
    }
    assert found.timing["soft_drop"] == 2
    power = found.rules["chain_power"]
    assert len(power) >= 6
    remark = found.evidence["rules.chain_power"]
    measured = [int(word) for word in remark.removeprefix("measured for ").partition(" in")[0].split(", ")]
    assert {2, 3, 4, 6} <= set(measured)
    assert [power[step - 1] for step in measured] == [RULES["chain_power"][step - 1] for step in measured]
    assert found.unseen["timing.nuisance_wait"] == "how long nuisance falls"
    assert not set(found.unseen) & set(found.evidence)
    assert "4 rows" in found.evidence["timing.gravity"]


def test_watching_alone_says_what_it_saw_and_what_not() -> None:
    looks = with_rules(2)
    learner = PuyoLearner(looks.made.open)
    prober = learner.prober()
    hand = Hand(looks, learner, seed=2)
    pads = [Pad.NONE, Pad.NONE]
    while hand.pairs < 60:
        looks.step(pads)
        pads = [hand.pad(), Pad.NONE]
        prober.frame(looks.ram.tobytes())
    found = prober.report()
    assert found.timing["per_row"] == WAITS["per_row"]
    assert not {"wall_kick", "floor_kick", "quick_turn"} & set(found.rules)
    assert "gravity" not in found.timing
    assert "rules.hidden_pops" in found.unseen or found.rules["hidden_pops"] is False
    assert any(note.startswith("pairs: 120 halves of 5 colours") for note in found.notes)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [120, pytest.param(300, marks=pytest.mark.slow)])
def test_nuisance_for_points_and_its_wait_are_found_in_games_for_two(pairs: int) -> None:
    looks = with_rules(3, nuisance_points=50)
    looks.machine.console.mode, looks.machine.console.colors = 2, 4
    known = open_with_menus(looks.made, known=True).learnt(codes={"nuisance": []})
    duel = PuyoLearner(known).prober().duel(known)
    assert duel is not None
    assert set(duel.report().unseen) == {"rules.nuisance_points", "timing.nuisance_wait"}
    hands = [Hand(looks, PuyoLearner(looks.made.open, player), player, 3 + player) for player in (0, 1)]
    pads = [Pad.NONE, Pad.NONE]
    while min(hand.pairs for hand in hands) < pairs:
        looks.step(pads)
        pads = [hand.pad() for hand in hands]
        duel.frame(looks.ram.tobytes())
    found = duel.report()
    assert found.rules == {"nuisance_points": 50}
    assert found.timing == {"nuisance_wait": WAITS["nuisance_wait"]}
    assert found.unseen == {}
    assert duel.finished().codes["nuisance"] == looks.truth.codes["nuisance"]
    assert "fell unlocked in" in duel.evidence()["grid.cell.kinds.nuisance"]


@pytest.mark.jit
@pytest.mark.slow
def test_the_command_writes_what_was_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    looks = with_rules(5, **RULES)

    def opened(request: SessionRequest) -> session.Session:
        bridge = open_bridge("simulated", machine=looks)
        edition, skill = (
            GAME.open(open_with_menus(looks.made)),
            Skill(load_weights(GAME.facts.default_weights), request.tempos[0]),
        )
        seat = Seat(bridge, 0, True, skill, skill.mind(edition))
        return session.Session(edition, [bridge], [seat], {}, 0)

    monkeypatch.setattr(session, "open_session", opened)
    file = tmp_path / "own.yaml"
    words = ["maps", "learn", "--demo", "puyo", "--pieces", "40", "--probe", "--json", "--out", str(file)]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["timing"]["gravity"] == list(looks.made.gravity)
    written = load_map(file)
    assert written.timing["gravity"] == tuple(looks.made.gravity)
    assert {name: written.timing[name] for name in ("settle", "pop")} == {"settle": 11, "pop": 15}
    assert written.rules["chain_power"][:5] == (0, 5, 17, 29, 41)
    assert written.rules["quick_turn"] is FAMICOM_1991.quick_turn
    text = file.read_text(encoding="utf-8")
    assert "# not seen: how long nuisance falls\n" in text
    assert "  gravity: [" in text
    assert "# rows that fell by themselves at level 0: 4 rows" in text
