"""What the thinker expects of the next pair against what the planner finds once it is there; play at full speed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.reach.reach import pair_start, reach
from emubot.games.colours.rules import BIG, COLUMNS, ENDLESS, VERSUS, rules_in
from emubot.games.colours.search.engine import aim_in
from emubot.games.motion import Fall
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map
from emubot.snapshot import Piece, Placement
from emubot.tempo import InputState, tempo_for_speed
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM
from tests.games.colours.feature_twins import entered

GAME = whole_game("puyo")
MAP = load_map(GAME.facts.default_map)


def limits_at(speed: int, gravity: int) -> list[int]:
    packed = limits_of(FAMICOM, tempo_for_speed(speed), gravity)
    return [packed >> 4 * column & 15 for column in range(COLUMNS)]


def test_columns_far_from_the_spawn_end_lower_when_pairs_fall_fast() -> None:
    assert limits_at(10, 30) == [12] * COLUMNS
    assert limits_at(10, 2) == [11, 11, 12, 11, 10, 10]
    assert limits_at(10, 1) == [10, 10, 12, 10, 8, 8]
    assert limits_of(FAMICOM) == limits_of(FAMICOM, tempo_for_speed(10), 30)


@pytest.mark.jit
@pytest.mark.parametrize(("speed", "gravity"), [(10, 2), (10, 1), (9, 2), (8, 5), (5, 10)])
def test_a_column_said_to_be_entered_can_be(speed: int, gravity: int) -> None:
    rng = np.random.default_rng(gravity)
    tempo, spawn = tempo_for_speed(speed), FAMICOM.spawn
    limits = limits_at(speed, gravity)
    seen = 0
    for _ in range(60):
        stacks: twin.Stacks = [[7] * int(height) for height in rng.integers(5, FAMICOM.visible_rows, COLUMNS)]
        del stacks[spawn.column][limits[3] :]  # the spawn column itself has room
        start = Piece(spawn.orientation, spawn.column, spawn.row)
        cells = twin.cells_of(stacks, FAMICOM)
        found = reach(
            pair_start(cells, (1, 2), start, FAMICOM), gravity, Fall(gravity, 2), tempo, InputState(), MAP.buttons
        )
        upright = {lock.column for lock in found.locks if lock.orientation == 0}
        expected = entered(stacks, limits, FAMICOM)
        assert expected <= upright
        seen += len(expected - {spawn.column})
    assert seen


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("pairs", [100, pytest.param(400, marks=pytest.mark.slow)])
def test_full_speed_on_the_highest_level_is_survived(pairs: int) -> None:
    bridge = SimulatedBridge(whole_edition(MAP).simulator.machine(np.random.default_rng(3)))
    goal = Goal(pairs, games=1, menu_choices={"level": 15, "colors": 4})
    tally = Pilot(bridge, goal, GAME.open(MAP), Skill(load_weights("famicom_puyo"))).run()
    assert (tally.pieces, tally.misplaced, tally.games) == (pairs, 0, 0)


@pytest.mark.parametrize(
    ("pair", "following"), [((1, 2), ()), ((BIG, BIG), (1, 2)), ((1, 2), (BIG, BIG)), ((0, 1), (1, 2))]
)
def test_what_follows_is_not_foreseen_where_a_pair_is_unknown_or_an_item(
    pair: tuple[int, int], following: tuple[int, ...]
) -> None:
    """For onlookers alone: memory may say anything, and nothing may fail."""
    game = whole_game("puyo")
    ram_map = load_map(game.facts.default_map)
    thinker = game.open(ram_map).thinker(load_weights(game.facts.default_weights), tempo_for_speed(10))
    empty = game.open(ram_map).decoder()(bytes(2048))
    counters = dict(empty.counters) | {"pivot": pair[0], "satellite": pair[1]}
    assert thinker.preview(replace(empty, counters=counters, next=following), Placement(0, 2, 12)) is None


def test_the_aim_and_the_colors_are_those_of_the_game_that_is_on() -> None:
    """A map of two players says in endless play, too, what the other's score is; the mode says that nobody is there."""
    both = {"opponent_score": 0}
    assert aim_in({}) == "score"
    assert aim_in(both) == "battle", "a cartridge that tells no mode"
    assert [aim_in(both | {"mode": mode}) for mode in (ENDLESS, VERSUS)] == ["score", "battle"]
    assert rules_in(FAMICOM, {}) is FAMICOM
    assert [rules_in(FAMICOM, {"colors": count}).colors for count in (4, 6, 0, 9)] == [4, 6, 5, 5]
