"""The pilot at pairs on the simulated bridge: one player and two, with timing and without, by maps of any layout."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.rules import NUISANCE
from emubot.pad import Pad
from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import FULL_SPEED, Tempo, parse_taps, tempo_for_speed
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game
from tests.games.colours.puyo_maps import strange_map

FULL = tempo_for_speed(FULL_SPEED)

pytestmark = pytest.mark.jit
GAME = whole_game("puyo")
MAP = load_map(GAME.facts.default_map)
WEIGHTS = load_weights("reference")


class Spy(SimulatedBridge):
    """A simulated bridge that keeps which port was pressed when."""

    def __init__(self, ram_map: RamMap = MAP, seed: int = 0, latency: int = 0, drop_rate: float = 0.0) -> None:
        rng = np.random.default_rng(99) if drop_rate else None
        machine = whole_edition(ram_map).simulator.machine(np.random.default_rng(seed))
        super().__init__(machine, latency=latency, drop_rate=drop_rate, rng=rng)
        self.written: set[int] = set()

    def press(self, port: int, pad: Pad) -> None:
        self.written.add(port)
        super().press(port, pad)


def pilot_on(bridge: Spy, pieces: int, tempo: Tempo | None = None, ram_map: RamMap = MAP, **asked: int) -> Pilot:
    return Pilot(
        bridge, Goal(pieces, games=None, menu_choices=asked), GAME.open(ram_map), Skill(WEIGHTS, tempo or FULL)
    )


def begin(bridge: SimulatedBridge) -> None:
    """Through the menus by hand, for a map that says nothing of them."""
    for _ in range(2):
        bridge.press(0, Pad.START)
        bridge.advance()
        bridge.press(0, Pad.NONE)
        for _ in range(4):
            bridge.advance()


@pytest.mark.parametrize(
    ("tempo", "level", "latency"),
    [
        (tempo_for_speed(10), 0, 0),
        (tempo_for_speed(10), 15, 0),
        (tempo_for_speed(10), 9, 1),
        (tempo_for_speed(10), 15, 2),
        (tempo_for_speed(5), 3, 0),
        (tempo_for_speed(0), 0, 0),
        (parse_taps("12hz"), 12, 0),
        (parse_taps("das"), 5, 0),
    ],
    ids=str,
)
def test_every_pair_locks_where_it_was_meant_to(tempo: Tempo, level: int, latency: int) -> None:
    bridge = Spy(seed=level, latency=latency)
    tally = pilot_on(bridge, 15, tempo, level=level).run()
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (15, 0, 0, 0)
    assert bridge.written == {0}


def test_a_map_of_another_layout_without_timing_is_enough() -> None:
    """Column by column from the bottom, pixels for places, flags in the cells, turns the other way, no clock."""
    ram_map = strange_map()
    assert "gravity" not in ram_map.timing
    bridge = Spy(ram_map, seed=3)
    begin(bridge)
    placements: list[Placement] = []
    pilot = pilot_on(bridge, 45, ram_map=ram_map)
    pilot.on_plan.append(placements.append)
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (45, 0, 0, None)
    assert not any(placement.timeline for placement in placements)
    assert {placement.orientation for placement in placements} == {0, 1, 2, 3}


def test_two_pilots_share_a_console_and_one_wins() -> None:
    bridge = Spy(seed=8)
    goal = Goal(games=2, menu_choices={"mode": 2, "level": 9, "colors": 6})
    slow = Pilot(bridge, goal, GAME.open(MAP), Skill(WEIGHTS, tempo_for_speed(0)), port=1, leads=False)
    match = Match([Pilot(bridge, goal, GAME.open(MAP), Skill(WEIGHTS)), slow])
    match.run()
    first, second = (pilot.tally for pilot in match.pilots)
    assert match.result == "game over"
    assert first.games == second.games == 2
    assert first.wins is not None
    assert second.wins is not None
    assert first.wins + second.wins == 2
    assert first.wins >= second.wins, "one acts at once, the other after most of a second"
    assert (first.misplaced, first.replans) == (0, 0)
    assert bridge.written == {0, 1}
    assert match.total().pieces == first.pieces + second.pieces


def test_a_goal_of_pieces_for_two_is_reached_by_both() -> None:
    bridge = Spy(seed=2)
    goal = Goal(games=None, menu_choices={"mode": 2})
    pilots = [Pilot(bridge, goal, GAME.open(MAP), Skill(WEIGHTS), port=port, leads=not port) for port in (0, 1)]
    match = Match(pilots, pieces=25)
    match.run()
    assert match.result == "pieces"
    assert min(pilot.tally.pieces for pilot in pilots) >= 25
    assert sum(pilot.tally.score or 0 for pilot in pilots) > 0, "what was reached is counted at the end"


def test_the_second_player_alone_never_writes_the_first_ones_port_nor_the_menus() -> None:
    bridge = Spy()
    pilot = Pilot(
        bridge, Goal(games=None, menu_choices={"mode": 2}), GAME.open(MAP), Skill(WEIGHTS), port=1, leads=False
    )
    for _ in range(200):
        pilot.step()
    assert pilot.tally.pieces == 0
    assert bridge.written == set(), "while somebody else chooses not even its own port is written"


def test_lost_presses_are_noticed_and_the_game_goes_on() -> None:
    bridge = Spy(seed=6, drop_rate=0.05)
    tally = pilot_on(bridge, 60, level=5).run()
    assert tally.pieces == 60
    assert tally.replans > 0
    assert tally.misplaced <= tally.replans


def test_generator_state_never_changes_a_placement() -> None:
    hidden = [name for name, value in MAP.document.values.items() if value.hidden_from_search]
    assert {"generator", "nuisance_generator", "pairs"} <= set(hidden)
    addresses = [address for name in hidden for address in MAP.addresses(name)]
    decode, rng = GAME.open(MAP).decoder(), np.random.default_rng(4)

    def noisy(ram: bytes) -> Snapshot:
        changed = bytearray(ram)
        for address in addresses:
            changed[address] = int(rng.integers(256))
        return decode(bytes(changed))

    def placements(decoder: Callable[[bytes], Snapshot]) -> list[Placement]:
        pilot = pilot_on(Spy(seed=1), 30)
        pilot._decode = decoder
        found: list[Placement] = []
        pilot.on_plan.append(found.append)
        pilot.run()
        return found

    assert placements(decode) == placements(noisy)


def test_nuisance_comes_and_is_read() -> None:
    bridge = Spy(seed=8)
    goal = Goal(games=None, menu_choices={"mode": 2, "level": 9})
    pilots = [Pilot(bridge, goal, GAME.open(MAP), Skill(WEIGHTS), port=port, leads=not port) for port in (0, 1)]
    seen: list[int] = []
    pilots[1].on_frame.append(lambda ram, snapshot: seen.append(int((snapshot.playfield == NUISANCE).sum())))
    Match(pilots, pieces=60).run()
    assert max(seen) > 0
