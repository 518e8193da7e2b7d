"""Two bots on one console: a game for one, in which the second player never comes, ends them with one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import UsageError
from emubot.games.strength import Strength
from emubot.pad import Pad
from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.rammap import load_map
from emubot.tempo import FULL_SPEED, tempo_for_speed
from tests.families import whole_edition

pytestmark = pytest.mark.jit


def pilot(bridge: SimulatedBridge, name: str, port: int, mode: int, speed: int = FULL_SPEED) -> Pilot:
    """A pilot that decides quickly; the first player's chooses in the menus."""
    goal = Goal(games=None, menu_choices={"mode": mode})
    tempo = tempo_for_speed(speed)
    return Pilot(
        bridge,
        goal,
        edition=whole_edition(load_map(name)),
        port=port,
        leads=port == 0,
        skill=Skill(tempo=tempo, strength=Strength(0)),
    )


def console(name: str) -> SimulatedBridge:
    """A simulated console with the cartridge of a map."""
    ram_map = load_map(name)
    return SimulatedBridge(whole_edition(ram_map).simulator.machine(np.random.default_rng(1), False))


@pytest.mark.parametrize("name", ["demo_pairs", "demo_capsules"])
def test_two_bots_in_a_running_game_for_one_are_told_so(name: str) -> None:
    bridge = console(name)
    somebody = pilot(bridge, name, 0, mode=0)
    while not somebody.in_game:
        somebody.step()
    match = Match([pilot(bridge, name, port, mode=2) for port in (0, 1)], 50)
    with pytest.raises(UsageError, match="AIvsAI needs the game for two, and in simulator player 1 plays alone: end"):
        match.run()
    assert [one.tally.pieces for one in match.pilots] == [3, 0]


@pytest.mark.parametrize("name", ["demo_pairs", "demo_capsules"])
def test_a_game_for_two_is_none_for_one_however_slow_a_player_is(name: str) -> None:
    bridge = console(name)
    match = Match([pilot(bridge, name, 0, mode=2), pilot(bridge, name, 1, mode=2, speed=0)], 8)
    match.run()
    assert min(one.tally.pieces for one in match.pilots) >= 8


def test_a_game_that_ends_leads_to_the_game_for_two() -> None:
    """The menus are walked from where the game for one has ended."""
    bridge = console("demo_pairs")
    somebody = pilot(bridge, "demo_pairs", 0, mode=0)
    while not somebody.in_game:
        somebody.step()
    while somebody.in_game:  # nothing is pressed: the column in the middle grows to the top
        bridge.advance()
        somebody.see(bridge.frame)
        somebody.release()
    match = Match([pilot(bridge, "demo_pairs", port, mode=2) for port in (0, 1)], 2)
    match.run()
    assert min(one.tally.pieces for one in match.pilots) >= 2


def test_a_match_that_is_stopped_counts_what_was_reached_and_releases_the_pad() -> None:
    bridge = console("demo_pairs")
    match = Match([pilot(bridge, "demo_pairs", 0, mode=0)])
    edition, pads, score = whole_edition(load_map("demo_pairs")), [Pad(0)], 0
    decode, press = edition.decoder(), bridge.press

    def noted(port: int, pad: Pad) -> None:
        pads.append(pad)
        press(port, pad)

    bridge.press = noted  # type: ignore[method-assign]
    while not (score and pads[-1]):
        match.step()
        score = edition.summary(decode(bytes(bridge.read("ram", 0, 0x800))))["score"]
    assert match.total().score == 0, "a game that goes on is counted when it ends"
    match.stop()
    assert (match.total().score, pads[-1]) == (score, Pad(0))
