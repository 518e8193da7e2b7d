"""Matching games in arrays are those of the slow field that the simulator plays on."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.batch import Batch
from emubot.games.colours.batches.matching import MatchingBatch
from emubot.games.colours.board.control import fits
from emubot.games.colours.board.matching_cells import empty_field, put_piece, targets_in
from emubot.games.colours.matching_rules import PROFILES, Rules
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.matching_field import plant
from emubot.games.colours.worlds import MatchingWorld
from emubot.games.lots import draw, fresh_lots
from tests.games.colours.matching_board_twin import twin_resolve

pytestmark = pytest.mark.jit
PIECE = 4  # of the counters: targets, cells, chain and pieces come before
Place = tuple[int, int, int]  # orientation, column, row


class Lots(Generator):
    """Draws the targets as the arrays do."""

    def __init__(self, lots: NDArray[np.int64]) -> None:
        super().__init__(1)
        self.lots = lots

    def below(self, limit: int, least_bits: int = 0) -> int:
        return int(draw(self.lots, limit))


def rules_of(world: MatchingWorld) -> Rules:
    profile = PROFILES[world.rules]
    return dataclasses.replace(profile, colors=world.colors or profile.colors)


def drops(cells: NDArray[np.uint8], kinds: tuple[int, ...], rules: Rules) -> dict[tuple[int, int], Place]:
    """The places that a piece falls to after it went aside in its entry row; of equal pieces the first orientation."""
    rows, columns = cells.shape

    def is_free(orientation: int, column: int, row: int) -> bool:
        for dx, dy in rules.shapes[orientation]:
            x, y = column + dx, row + dy + rules.hidden_rows
            if not 0 <= x < columns or y >= rows or (y >= 0 and cells[y, x]):
                return False
        return True

    found, shown = dict[tuple[int, int], Place](), set()
    for orientation in rules.orientations:
        looks = frozenset(zip(rules.shapes[orientation], kinds, strict=True))
        if looks in shown:
            continue
        shown.add(looks)
        for way in (-1, 1):
            column = rules.spawn.column
            while is_free(orientation, column, rules.spawn.row):
                row = rules.spawn.row
                while is_free(orientation, column, row + 1):
                    row += 1
                found[orientation, column] = (orientation, column, row)
                column += way
    return found


def begun(world: MatchingWorld, games: int) -> Batch:
    batch = MatchingBatch(world, games)
    batch.begin(np.ones(games, dtype=np.bool_), list(range(games)))
    return batch


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "world",
    [
        MatchingWorld(),
        MatchingWorld(stage=20, reward="cells", colors=2),
        MatchingWorld(stage=99, cap=5),
        MatchingWorld(rules="columns", colors=3, reward="cells"),
    ],
    ids=str,
)
def test_games_are_those_of_the_slow_field(world: MatchingWorld) -> None:
    games, rules = 5, rules_of(world)
    batch = begun(world, games)
    rng = np.random.default_rng(2)
    fields = [empty_field(rules) for _ in range(games)]
    lots = [fresh_lots(game) for game in range(games)]
    pieces, removed, chains, over = [0] * games, [0] * games, 0, [True] * games
    ends = cuts = 0
    for step in range(120):
        for game in range(games):
            if over[game]:  # begun by the step before
                fields[game], pieces[game], removed[game] = empty_field(rules), 0, 0
                for number in range(rules.stage_targets(world.stage)):
                    plant(fields[game][0], rules, world.stage, number, Lots(lots[game]))
                assert batch.counters[game, 0] == rules.stage_targets(world.stage) == targets_in(fields[game][0])
                assert batch.counters[game, 1:PIECE].tolist() == [0, 0, 0]
            assert (batch._cells[game] == fields[game][0]).all(), f"game {game} before step {step}"
        over, lots = (batch.ended | batch.cut).tolist(), [*batch._lots.copy()]
        actions = rng.integers(0, len(batch.actions), games)
        coming, masks = batch.counters[:, PIECE:].tolist(), batch.mask.copy()
        batch.step(actions)
        for game in range(games):
            if over[game]:
                continue
            cells, links = fields[game]
            kinds = tuple(coming[game][: rules.piece_cells])
            open_ones = drops(cells, kinds, rules)
            columns = rules.columns
            said = {(action // columns, action % columns) for action in np.flatnonzero(masks[game]).tolist()}
            assert said == set(open_ones)
            action = int(actions[game])
            while not masks[game][action]:
                action = (action + 1) % len(batch.actions)
            put_piece(cells, links, rules, open_ones[divmod(action, columns)], kinds)
            chain, _, gone, targets, _ = twin_resolve(cells, links, rules.match, rules.match_size)
            pieces[game], removed[game], chains = pieces[game] + 1, removed[game] + gone, chains + chain
            left = targets_in(cells)
            assert batch.counters[game, :PIECE].tolist() == [left, removed[game], chain, pieces[game]]
            assert batch.counters[game, PIECE : -rules.piece_cells].tolist() == coming[game][rules.piece_cells :]
            assert batch.rewards[game] == (gone if world.reward == "cells" else targets)
            won, spawn = bool(rules.targets) and not left, rules.spawn
            shape = rules.shapes[spawn.orientation]
            lost = not fits(cells, rules.hidden_rows, shape, spawn.column, spawn.row) or not batch.mask[game].any()
            assert bool(batch.ended[game]) == (won or lost)
            assert bool(batch.cut[game]) == (world.cap == pieces[game] and not batch.ended[game])
        ends, cuts = ends + int(batch.ended.sum()), cuts + int(batch.cut.sum())
    assert chains
    assert cuts if world.cap else ends


def test_a_stage_without_targets_is_won() -> None:
    games = 3000
    batch = begun(MatchingWorld(colors=2), games)
    rng, best = np.random.default_rng(0), 4
    for _ in range(200):
        before = batch.counters[:, 0].copy()
        batch.step(rng.integers(0, len(batch.actions), games))
        won = batch.ended & (batch.counters[:, 0] == 0)
        assert (batch.rewards[won] == before[won]).all()
        best = min(best, int(batch.counters[:, 0].min()))
    assert best == 0, "nobody won"


def test_a_slow_hand_reaches_less() -> None:
    """By the columns that the mask has at the entry, and as the environment tells it."""
    pytest.importorskip("pettingzoo", reason="needs the extra gym")
    from emubot.gym import VectorEnvironment

    fast: VectorEnvironment = VectorEnvironment("Capsules", 1, gravity=20, taps="30hz")
    slow: VectorEnvironment = VectorEnvironment("Capsules", 1, gravity=1, taps="10hz", stage=20)
    masks = [env.reset(seed=3)[1]["action_mask"].sum() for env in (fast, slow)]
    assert masks[0] > masks[1] > 0
