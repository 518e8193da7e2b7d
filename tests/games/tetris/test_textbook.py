"""Chosen drops, generators and whole games of the textbook rules against slow twins; options and caps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import UsageError, WeightsError
from emubot.games import network as networks
from emubot.games.network import network
from emubot.games.tetris.bounds import GENERATORS
from emubot.games.tetris.evaluation.evaluation import player_of, value_of
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.tetris.textbook import play as playing
from emubot.games.tetris.textbook.generators import DEALER_SIZE, fresh_dealer, next_piece
from emubot.games.tetris.textbook.rules import TextbookRules
from emubot.games.tetris.textbook.search import best_move, scratch_for
from emubot.games.tetris.textbook.trials import TextbookTrial, textbook_trial
from emubot.weight_parts import FeatureSet, NetworkLayer
from emubot.weights import Weights, load_weights
from tests.games.tetris.afterstates import afterstates
from tests.games.tetris.feature_twins import Grid
from tests.games.tetris.test_textbook_board import grids
from tests.games.tetris.textbook_twins import Dealer, game, ranked, stacks_from

# Whole numbers, so that sums are exact in any order; chance is none. Small ones, so that there are ties.
plain = st.lists(st.integers(-3, 3), min_size=FEATURES - 1, max_size=FEATURES - 1).map(
    lambda values: np.array([*values, 0], dtype=np.float64)
)
pieces = st.integers(0, 6)


def chosen(
    grid: Grid, hold: int, queue: list[int], rules: TextbookRules, weights: NDArray[np.float64]
) -> tuple[float, int, int, int]:
    cells = rules.cells()
    scratch = scratch_for(cells)
    scratch[0][0] = stacks_from(grid)
    value = best_move(hold, np.array(queue, dtype=np.int64), cells, player_of(weights), scratch)
    option, orientation, left, _ = scratch[3][0].tolist()
    return value, option, orientation, left


@settings(deadline=None, max_examples=15)
@given(grids(), pieces, plain)
def test_one_piece_is_dropped_where_the_twin_drops_it(grid: Grid, piece: int, weights: NDArray[np.float64]) -> None:
    rules = TextbookRules(columns=grid.shape[1], rows=len(grid))
    value, option, drop = ranked(grid, -1, (piece,), rules, weights, 1)[0]
    assert chosen(grid, -1, [piece, piece], rules, weights) == (value, option, drop.orientation, drop.left)


@settings(deadline=None, max_examples=5)
@given(grids(8), st.lists(pieces, min_size=2, max_size=4), st.integers(-1, 6), st.booleans(), plain)
def test_two_pieces_with_or_without_hold(
    grid: Grid, queue: list[int], hold: int, may_hold: bool, weights: NDArray[np.float64]
) -> None:
    grid = grid[:, :6]
    grid[grid.all(axis=1), 0] = False
    rules = TextbookRules(grid.shape[1], len(grid), plies=2, hold=may_hold, previews=len(queue) - 1)
    value, option, drop = ranked(grid, hold, tuple(queue), rules, weights, 2)[0]
    assert chosen(grid, hold, queue, rules, weights) == (value, option, drop.orientation, drop.left)


@settings(deadline=None, max_examples=10)
@given(grids(10), pieces, st.integers(1, 5), plain)
def test_the_best_drops_are_compared_by_what_may_follow(
    grid: Grid, piece: int, expect: int, weights: NDArray[np.float64]
) -> None:
    grid = grid[:, :7]
    grid[grid.all(axis=1), 0] = False
    rules = TextbookRules(columns=grid.shape[1], rows=len(grid), expect=expect)
    value, option, drop = ranked(grid, -1, (piece,), rules, weights, 1)[0]
    assert chosen(grid, -1, [piece, piece], rules, weights) == (value, option, drop.orientation, drop.left)


@settings(deadline=None, max_examples=2)
@given(grids(6), st.lists(pieces, min_size=2, max_size=3), st.integers(-1, 6), plain)
def test_so_are_those_of_the_second_piece_and_of_the_one_put_aside(
    grid: Grid, queue: list[int], hold: int, weights: NDArray[np.float64]
) -> None:
    grid = grid[:, :4]
    grid[grid.all(axis=1), 0] = False
    rules = TextbookRules(4, len(grid), plies=2, hold=True, previews=len(queue) - 1, expect=2)
    value, option, drop = ranked(grid, hold, tuple(queue), rules, weights, 2)[0]
    assert chosen(grid, hold, queue, rules, weights) == (value, option, drop.orientation, drop.left)


@pytest.mark.jit
@settings(deadline=None, max_examples=2)
@given(st.lists(pieces, min_size=3, max_size=3), plain)
def test_three_pieces(queue: list[int], weights: NDArray[np.float64]) -> None:
    grid: Grid = np.zeros((5, 4), dtype=np.bool_)
    rules = TextbookRules(4, 5, plies=3, previews=2)
    value, option, drop = ranked(grid, -1, tuple(queue), rules, weights, 3)[0]
    assert chosen(grid, -1, queue, rules, weights) == (value, option, drop.orientation, drop.left)


def test_of_equal_drops_the_lowest_is_taken_then_orientation_then_column() -> None:
    grid: Grid = np.zeros((20, 10), dtype=np.bool_)
    grid[18:, :5] = True
    value, option, orientation, left = chosen(grid, -1, [4, 0], TextbookRules(), np.zeros(FEATURES))
    assert (value, option, orientation, left) == (0.0, 0, 11, 5)  # lying its pivot is in row 1, and upright too


def test_topping_out_is_put_off() -> None:
    grid: Grid = np.zeros((4, 4), dtype=np.bool_)
    grid[1:, :2] = True
    weights = np.zeros(FEATURES)
    weights[FEATURE_NAMES.index("landing_height")] = 1.0
    value, _, orientation, left = chosen(grid, -1, [3, 3], TextbookRules(4, 4), weights)
    assert (value, orientation, left) == (0.5, 10, 2)  # an O stands higher on the left, but above the top row
    assert chosen(grid, -1, [3, 3], TextbookRules(4, 4, plies=2), weights)[0] > DEAD
    grid[0, 2] = True
    assert chosen(grid, -1, [3, 3], TextbookRules(4, 4), weights)[0] == DEAD
    assert chosen(grid, -1, [3, 3], TextbookRules(4, 4, plies=2), weights)[0] == 2 * DEAD


@pytest.mark.parametrize("generator", GENERATORS)
def test_pieces_come_as_the_twin_deals_them(generator: str) -> None:
    dealer, rng = np.zeros(DEALER_SIZE, dtype=np.int64), np.random.default_rng(9)
    fresh_dealer(dealer)
    dealt = [int(next_piece(GENERATORS.index(generator), dealer, rng)) for _ in range(7 * 300)]
    twin = Dealer(generator, np.random.default_rng(9))
    assert dealt == [twin.next() for _ in dealt]
    counts = np.bincount(dealt, minlength=7)
    if generator == "bag":
        assert {tuple(sorted(dealt[at : at + 7])) for at in range(0, len(dealt), 7)} == {tuple(range(7))}
        assert len({tuple(dealt[at : at + 7]) for at in range(0, len(dealt), 7)}) > 250
    assert 300 - 6 * 17 < counts.min() <= counts.max() < 300 + 6 * 17
    repeated = np.mean([a == b for a, b in pairwise(dealt)])
    assert repeated == pytest.approx({"uniform": 1 / 7, "bag": 1 / 49, "nes": 1 / 28}[generator], abs=0.03)


@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2), marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "rules",
    [
        TextbookRules(6, 8, cap_pieces=60),
        TextbookRules(5, 6, generator="bag", hold=True, previews=2, cap_pieces=20),
        TextbookRules(4, 5, generator="nes", plies=2, hold=True, previews=2, cap_pieces=4),
        TextbookRules(7, 9, generator="bag", cap_lines=3),
        TextbookRules(5, 6, expect=3, cap_pieces=8),
    ],
)
def test_whole_games_are_those_of_the_twin(rules: TextbookRules, seeds: tuple[int, ...]) -> None:
    weights = np.zeros(FEATURES)
    for name, weight in {
        "landing_height": -2,
        "holes": -4,
        "rows_removed": 3,
        "bumpiness": -1,
        "has_valley": 1,
    }.items():
        weights[FEATURE_NAMES.index(name)] = weight
    cells = rules.cells()
    player, scratch = player_of(weights), scratch_for(cells)
    for seed in seeds:
        expected = game(seed, rules, weights)
        assert tuple(map(int, playing.play(np.random.default_rng(seed), cells, player, scratch))) == expected


def test_games_are_those_of_their_seeds_and_end_at_caps() -> None:
    trial, weights = textbook_trial({"board": "8x10", "generator": "bag"}), load_weights("dellacherie")
    seeds = [5, 2**64 - 1, 6]
    played = trial.play([weights], seeds)
    assert played.shape == (3, 4)
    assert played.dtype == np.int64
    assert trial.play([weights], seeds[::-1]).tolist() == played[::-1].tolist()
    assert played[:, 2].tolist() == [0, 0, 0]
    capped = textbook_trial({"board": "8x10", "generator": "bag", "cap_pieces": 20}).play([weights], seeds)
    assert capped[:, 1:3].tolist() == [[20, 1]] * 3
    (lines,) = textbook_trial({"cap_lines": 10}).play([load_weights("dt10")], [1]).tolist()
    assert (lines[0], lines[2]) == (10, 1)
    assert trial.play([weights], []).shape == (0, 4)


def test_settings_say_everything() -> None:
    trial = textbook_trial({"board": "4x40", "plies": 3})
    assert trial == TextbookTrial(TextbookRules(4, 40, plies=3, previews=2))
    assert list(trial.settings.items()) == [
        ("rules", "textbook"),
        ("board", "4x40"),
        ("generator", "uniform"),
        ("plies", 3),
        ("hold", False),
        ("previews", 2),
        ("cap_lines", 0),
        ("cap_pieces", 0),
    ]
    assert textbook_trial({"expect": 2}).settings["expect"] == 2
    assert (trial.figures, trial.sides) == (("lines", "pieces", "capped", "nodes"), 1)
    trial.warm_up()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"board": "20"}, "--board is COLUMNSxROWS"),
        ({"board": "3x20"}, "of 4 to 16 columns"),
        ({"board": "10x41"}, "4 to 40 rows, not '10x41'"),
        ({"board": 10}, "--board"),
        ({"generator": "random"}, "--generator of the rules textbook is uniform or bag or nes"),
        ({"plies": 0}, "--plies"),
        ({"plies": 3, "previews": 1}, "--plies 3 needs --previews 2"),
        ({"hold": 1}, "--hold"),
        ({"expect": 65}, "--expect of the rules textbook is a whole number from 0 to 64"),
        ({"cap_lines": -1}, "--cap-lines"),
        ({"cap_pieces": 2.5}, "--cap-pieces"),
        ({"taps": "12hz"}, "no --taps for the rules textbook"),
    ],
)
def test_what_cannot_be_played_is_said(asked: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        textbook_trial(asked)


def test_weights_of_another_game_are_refused() -> None:
    with pytest.raises(WeightsError):
        textbook_trial({}).play([load_weights("reference")], [1])


def by_network(rng: np.random.Generator, names: tuple[str, ...], widths: list[int]) -> Weights:
    layers = [
        NetworkLayer(
            weights=tuple(map(tuple, rng.normal(size=(outputs, inputs)).tolist())),
            biases=tuple(rng.normal(size=outputs).tolist()),
        )
        for inputs, outputs in zip([len(names), *widths], [*widths, 1], strict=True)
    ]
    return Weights(game="tetris", features=FeatureSet(version=FEATURE_VERSION, names=names), network=tuple(layers))


def by_numpy(weights: Weights, features: NDArray[np.float64]) -> float:
    flow = np.array([features[FEATURE_NAMES.index(name)] for name in weights.features.names])
    for number, layer in enumerate(weights.network):
        flow = np.array(layer.weights) @ (flow if number == 0 else np.maximum(flow, 0)) + np.array(layer.biases)
    return float(flow[0])


@pytest.mark.parametrize("widths", [[], [5], [32, 32], [3, 9, 2]])
def test_a_network_gives_what_numpy_gives(widths: list[int]) -> None:
    rng = np.random.default_rng(len(widths))
    weights = by_network(rng, ("holes", "bumpiness", "total_height", "rows_removed"), widths)
    vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)
    scratch = networks.scratch_for(vector, FEATURES)
    for _ in range(5):
        features = rng.normal(size=FEATURES)
        assert network(features, vector, FEATURES, scratch) == pytest.approx(by_numpy(weights, features))


def test_a_network_chooses_by_its_own_value() -> None:
    rng = np.random.default_rng(4)
    weights = by_network(rng, ("chance", "eroded_cells", "mf_wells", "max_height"), [8])
    vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)
    found = afterstates(np.zeros(10, dtype=np.int64), 0, 20)
    values = [by_numpy(weights, made.features) for made in found]
    value, _, orientation, left = chosen(np.zeros((20, 10), dtype=np.bool_), -1, [0, 0], TextbookRules(), vector)
    assert value == pytest.approx(max(values))
    best = found[int(np.argmax(values))]
    assert (orientation, left) == (best.orientation, best.left)
    again = np.zeros(FEATURES)
    again[: FEATURES - 1] = found[0].features[: FEATURES - 1]
    assert value_of(found[0].stacks, 20, again, player_of(vector)) == pytest.approx(values[0])


def test_compiled_for_one_signature() -> None:
    textbook_trial({"cap_pieces": 1}).warm_up()
    textbook_trial({"cap_pieces": 2, "hold": True}).play([load_weights("pso")], [1])
    assert len(getattr(playing.play, "signatures", [None])) == 1
