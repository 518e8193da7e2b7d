"""Games of pairs in arrays are those of slow twins on plain columns, alone and two against each other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.batch import Batch
from emubot.games.colours.batches.pairs import PairsBatch
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, NUISANCE, PROFILES, Rules
from emubot.games.colours.search.search import placements
from emubot.games.colours.worlds import PuyoMatchWorld, PuyoWorld
from emubot.games.lots import draw
from emubot.tempo import parse_taps
from tests.games.colours import field_twin as twin
from tests.games.colours.test_battle import RANDOM, Side

pytestmark = pytest.mark.jit
PIVOT = 4  # of the counters: score, chain, pairs and pending come before


def rules_of(world: PuyoWorld) -> Rules:
    profile = PROFILES[world.rules]
    return dataclasses.replace(profile, colors=world.colors or profile.colors)


def chosen(action: int, mask: NDArray[np.int8]) -> tuple[int, int]:
    """Orientation and column of an action, or of the next one in the mask."""
    while not mask[action]:
        action = (action + 1) % len(mask)
    return action // COLUMNS, action % COLUMNS


def cells_in(batch: Batch, game: int) -> NDArray[np.uint8]:
    """The board with the hidden rows."""
    cells: NDArray[np.uint8] = batch._cells[game]
    return cells


@pytest.mark.parametrize(
    "world",
    [
        PuyoWorld(),
        PuyoWorld(rules="tsu", reward="chain"),
        PuyoWorld(colors=4, gravity=2, taps="12hz"),
        PuyoWorld(rules="tsu", colors=3, cap=25),
    ],
    ids=str,
)
def test_games_alone_are_those_of_the_twin(world: PuyoWorld) -> None:
    games, rules = 8, rules_of(world)
    limits = limits_of(rules, parse_taps(world.taps) if world.gravity else None, world.gravity)
    batch = PairsBatch(world, games)
    batch.begin(np.ones(games, dtype=np.bool_), list(range(games)))
    rng = np.random.default_rng(4)
    fields: list[twin.Stacks] = [[[] for _ in range(COLUMNS)] for _ in range(games)]
    scores, pairs, ends, cuts, longest = [0] * games, [0] * games, 0, 0, 0
    for _ in range(120):
        masks, coming = batch.mask.copy(), batch.counters[:, PIVOT:].tolist()
        for game in range(games):
            open_ones = placements(twin.cells_of(fields[game], rules), tuple(coming[game][:2]), rules, limits)
            assert {tuple(place) for place in open_ones.tolist()} == {
                (action // COLUMNS, action % COLUMNS) for action in np.flatnonzero(masks[game]).tolist()
            }
        over = batch.ended | batch.cut
        actions = rng.integers(0, len(batch.actions), games)
        batch.step(actions)
        for game in range(games):
            if over[game]:
                fields[game], scores[game], pairs[game] = [[] for _ in range(COLUMNS)], 0, 0
                assert not cells_in(batch, game).any()
                assert not batch.counters[game, :PIVOT].any()
                continue
            orientation, column = chosen(int(actions[game]), masks[game])
            pivot, satellite = coming[game][:2]
            twin.drop_pair(fields[game], orientation, column, pivot, satellite, rules)
            chain, points = twin.resolve(fields[game], rules)
            scores[game], pairs[game], longest = scores[game] + points, pairs[game] + 1, max(longest, chain)
            assert (cells_in(batch, game) == twin.cells_of(fields[game], rules)).all()
            assert batch.counters[game, :PIVOT].tolist() == [scores[game], chain, pairs[game], 0]
            assert batch.counters[game, PIVOT:-2].tolist() == coming[game][2:]
            assert batch.rewards[game] == (chain if world.reward == "chain" else points)
            dead = any(len(fields[game][x]) > rules.visible_rows - 1 - y for x, y in rules.death_cells)
            assert bool(batch.ended[game]) == (dead or not batch.mask[game].any())
            assert bool(batch.cut[game]) == (not dead and world.cap == pairs[game])
        ends, cuts = ends + int(batch.ended.sum()), cuts + int(batch.cut.sum())
    assert longest > 1
    assert cuts if world.cap else ends


@pytest.mark.parametrize(
    "world",
    [PuyoMatchWorld(colors=2), PuyoMatchWorld(rules="tsu", colors=2, reward="points"), PuyoMatchWorld(cap=9)],
    ids=str,
)
def test_matches_are_those_of_the_twin(world: PuyoMatchWorld) -> None:
    games, rules = 8, rules_of(world)
    batch = PairsBatch(world, games, seats=2)
    batch.begin(np.ones(games, dtype=np.bool_), [seat // 2 for seat in range(games)])
    rng = np.random.default_rng(1)
    sides = [Side(RANDOM) for _ in range(games)]
    fell = won = drawn = 0
    for _ in range(150):
        masks, pairs, over = batch.mask.copy(), batch.counters[:, PIVOT : PIVOT + 2].tolist(), batch.ended | batch.cut
        assert pairs[::2] == pairs[1::2], "both players get the same pairs"
        assert (over[::2] == over[1::2]).all()
        lots, actions = batch._lots.copy(), rng.integers(0, len(batch.actions), games)
        batch.step(actions)
        for first in range(0, games, 2):
            if over[first]:
                sides[first : first + 2] = [Side(RANDOM), Side(RANDOM)]
                continue
            both = sides[first : first + 2]
            for game, side in enumerate(both, first):
                orientation, column = chosen(int(actions[game]), masks[game])
                pivot, satellite = pairs[game]
                twin.drop_pair(side.columns, orientation, column, pivot, satellite, rules)
                side.chain, side.points = twin.resolve(side.columns, rules)
                side.attacks(rules)
                order = [*range(COLUMNS)]
                for place in range(COLUMNS - 1):
                    other = place + int(draw(lots[game], COLUMNS - place))
                    order[place], order[other] = order[other], order[place]
                before = side.pending
                side.suffers(order, rules)
                fell += before - side.pending
            for side, opponent in (both, both[::-1]):
                on_its_way = opponent.pending + side.sent
                opponent.pending = on_its_way if rules.keeps_excess else min(on_its_way, rules.nuisance_cap)
            dead = [side.dead(rules) for side in both]
            for game, side in enumerate(both, first):
                assert (cells_in(batch, game) == twin.cells_of(side.columns, rules)).all()
                assert batch.counters[game, 3] == side.pending
                assert bool(batch.ended[game]) == any(dead)
                wins = dead[first + 1 - game] - dead[game - first] if any(dead) else 0
                assert batch.rewards[game] == (side.points if world.reward == "points" else wins)
            won, drawn = won + (sum(dead) == 1), drawn + (sum(dead) == 2)
    if not world.cap:
        assert min(fell, won) > 0, "the seeds show too little"
    assert bool(batch._cells.max() <= NUISANCE)


def test_two_players_who_do_the_same_are_equal_to_the_end() -> None:
    batch = PairsBatch(PuyoMatchWorld(colors=2), 2, seats=2)
    batch.begin(np.ones(2, dtype=np.bool_), [6, 6])
    rng = np.random.default_rng(0)
    for _ in range(200):
        batch.step(np.repeat(rng.integers(0, len(batch.actions), 1), 2))
        assert (cells_in(batch, 0) == cells_in(batch, 1)).all()
        assert not batch.rewards.any(), "nobody wins"
