"""Battles of pairs against a slow twin on plain columns: what a turn sends, cancels and drops, and who has lost."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.colours.board.nuisance import attack, exchange_of, rained_on
from emubot.games.colours.board.words import board_of, fill_cells
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.features import FEATURES
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, NUISANCE, Rules
from emubot.games.colours.scoring import nuisance_of, table_of
from emubot.games.colours.search import search, two_plies
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.games.colours.simulator import field as plain
from emubot.games.colours.trials.battle import FIGURES, play_battle
from emubot.games.colours.trials.untimed import fresh_tries
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, TSU, stacks

Vector = NDArray[np.float64]

REFERENCE = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
# Nuisance is cheap, so that every chain tells; an all-clear is worth twelve.
CHEAP: dict[str, Any] = {"nuisance_points": 7, "all_clear_points": 84, "colors": 3}
GENEROUS = (dataclasses.replace(FAMICOM, **CHEAP), dataclasses.replace(TSU, **CHEAP))


def weighing(**values: float) -> Vector:
    found = np.zeros(FEATURES)
    for name, value in values.items():
        found[FEATURE_NAMES.index(name)] = value
    return found


LOWEST = weighing(peak=1.0, total_height=1.0)
STACKING = weighing(spawn_distance=-1.0)
RANDOM = weighing(chance=1.0)


@dataclass
class Side:
    weights: Vector
    columns: twin.Stacks = field(default_factory=lambda: [[] for _ in range(COLUMNS)])
    pending: int = 0
    bonus: int = 0
    chain: int = 0
    points: int = 0
    sent: int = 0
    nodes: int = 0

    def locks(self, current: tuple[int, int], following: tuple[int, int], rules: Rules, limits: int) -> None:
        cells = twin.cells_of(self.columns, rules)
        options = search.placements(cells, current, rules, limits)
        choice = TwoPlies(rules, self.weights).decide(
            Position(cells, current, (following,), pending=self.pending, limits=limits), options
        )
        self.nodes += choice.nodes
        orientation, column = options[choice.index].tolist()
        twin.drop_pair(self.columns, orientation, column, *current, rules)
        self.chain, self.points = twin.resolve(self.columns, rules)

    def attacks(self, rules: Rules) -> None:
        self.sent = 0
        if self.chain:
            self.sent, self.bonus = nuisance_of(self.points + self.bonus, rules), 0
            if not any(self.columns):
                self.bonus = rules.all_clear_points
        while rules.offset and self.sent and self.pending:
            self.sent, self.pending = self.sent - 1, self.pending - 1

    def suffers(self, order: list[int], rules: Rules) -> None:
        falling = 0 if rules.offset and self.chain else min(self.pending, rules.nuisance_cap)
        self.pending -= falling
        drawn = iter(order)
        cells = twin.cells_of(self.columns, rules)
        plain.rain(cells, falling, lambda: next(drawn))
        self.columns = twin.stacks_of(cells)

    def dead(self, rules: Rules) -> bool:
        return any(len(self.columns[x]) > rules.visible_rows - 1 - y for x, y in rules.death_cells)


def slowly(
    pairs: NDArray[np.uint8], order: NDArray[np.int64], rules: Rules, limits: int, one: Vector, other: Vector
) -> list[int]:
    first, second = sides = Side(one), Side(other)
    dealt = [(int(pivot), int(satellite)) for pivot, satellite in pairs]
    pieces = score = best = sent = 0
    for turn in range(len(dealt) - 1):
        for side in sides:
            side.locks(dealt[turn], dealt[turn + 1], rules, limits)
        for side in sides:
            side.attacks(rules)
            side.suffers(order[turn].tolist(), rules)
        for side, opponent in ((first, second), (second, first)):
            on_its_way = opponent.pending + side.sent
            opponent.pending = on_its_way if rules.keeps_excess else min(on_its_way, rules.nuisance_cap)
        pieces, score, best, sent = pieces + 1, score + first.points, max(best, first.chain), sent + first.sent
        if first.dead(rules) or second.dead(rules):
            both = first.dead(rules) and second.dead(rules)
            return [int(second.dead(rules) and not both), int(both), pieces, score, best, sent, first.nodes]
    return [0, 1, pieces, score, best, sent, first.nodes]


def dealt(seed: int, turns: int, rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    pairs = rng.integers(1, rules.colors + 1, size=(turns + 1, 2), dtype=np.uint8)
    return pairs, rng.random((turns, COLUMNS)).argsort(axis=1)


def quickly(
    pairs: NDArray[np.uint8], order: NDArray[np.int64], rules: Rules, limits: int, one: Vector, other: Vector
) -> list[int]:
    figures = np.zeros(len(FIGURES), dtype=np.int64)
    plays = [two_plies.Play(limits, table_of(rules), scales_of(vector)) for vector in (one, other)]
    play_battle(pairs, order, exchange_of(rules), plays[0], plays[1], fresh_tries(), figures)
    return [int(figure) for figure in figures]


@pytest.mark.few(3)
@pytest.mark.jit
@pytest.mark.parametrize("gravity", [0, 1], ids=["with time", "a row a frame"])
@pytest.mark.parametrize("rules", [FAMICOM, TSU, *GENEROUS], ids=lambda rules: f"{rules.name}-{rules.nuisance_points}")
def test_battles_are_those_of_the_twin(rules: Rules, gravity: int) -> None:
    limits = limits_of(rules, tempo_for_speed(10), gravity) if gravity else limits_of(rules)
    players = [REFERENCE, LOWEST, RANDOM, STACKING]
    seen = []
    for seed in range(12):
        one, other = players[seed % 4], players[(seed // 4 + seed) % 4]
        game = dealt(seed, 60, rules)
        found = quickly(*game, rules, limits, one, other)
        assert found == slowly(*game, rules, limits, one, other), seed
        seen.append(found)
    wins, draws, pieces, _, _, sent, _ = np.sum(seen, axis=0)
    assert min(wins, draws, 12 - wins - draws, sent) > 0, "the seeds show too little"
    assert pieces < 12 * 60


def test_a_short_battle_is_that_of_the_twin() -> None:
    game = dealt(3, 12, GENEROUS[1])
    assert quickly(*game, GENEROUS[1], limits_of(TSU), STACKING, LOWEST) == slowly(
        *game, GENEROUS[1], limits_of(TSU), STACKING, LOWEST
    )


def test_equal_players_draw_whether_both_lose_or_none() -> None:
    assert quickly(*dealt(1, 40, FAMICOM), FAMICOM, limits_of(FAMICOM), STACKING, STACKING)[:2] == [0, 1]
    assert quickly(*dealt(1, 2, FAMICOM), FAMICOM, limits_of(FAMICOM), LOWEST, LOWEST)[:3] == [0, 1, 2]


amounts = st.integers(0, 70)
tried = st.sampled_from((FAMICOM, TSU, *GENEROUS))


@settings(deadline=None)
@given(tried, st.booleans(), st.integers(0, 3), st.integers(0, 5_000), amounts, st.sampled_from([0, 84, 2_100]))
def test_attacks_are_those_of_the_twin(
    rules: Rules, cleared: bool, chain: int, points: int, pending: int, bonus: int
) -> None:
    columns: twin.Stacks = [[], [], [] if cleared else [1], [], [], []]
    side = Side(LOWEST, columns, pending, bonus, chain, points if chain else 0)
    board = board_of(twin.cells_of(columns, rules))
    found = attack(board, chain, side.points, pending, bonus, table_of(rules), exchange_of(rules))
    side.attacks(rules)
    assert found == (side.sent, side.pending, side.bonus)


@settings(deadline=None)
@given(st.data(), tried, amounts, st.integers(0, 2), st.permutations(range(COLUMNS)))
def test_nuisance_falls_as_on_the_frame_simulators_field(
    data: st.DataObject, rules: Rules, pending: int, chain: int, order: list[int]
) -> None:
    side = Side(LOWEST, data.draw(stacks(rules)), pending, chain=chain)
    before = twin.cells_of(side.columns, rules)
    columns = np.array([order], dtype=np.int64)
    after, left = rained_on(board_of(before), pending, chain, columns, 0, table_of(rules))
    cells = np.zeros_like(before)
    fill_cells(after, cells)
    side.suffers(order, rules)
    assert (cells.tolist(), left) == (twin.cells_of(side.columns, rules).tolist(), side.pending)
    assert (cells == NUISANCE).sum() - (before == NUISANCE).sum() <= pending - left
