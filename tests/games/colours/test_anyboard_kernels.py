"""The kernels of fields of any size: against the bitboards on six columns, against slow twins on all others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot.errors import MapError, WeightsError
from emubot.games.colours.board.anyboard_bounds import Bounds, bounds_of, limits_of, scratch_of
from emubot.games.colours.board.anyboard_field import drop_piece, field_of, is_dead, rain, resolve
from emubot.games.colours.evaluation.anyboard_features import evaluate
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.features import FEATURES, POINTS, POPPED
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.reach import entry
from emubot.games.colours.rules import BIG, CARBUNCLE, COLUMNS, FAMICOM_1991, NUISANCE, TSU, Rules, Size, rules_of
from emubot.games.colours.search.anyboard_search import MOST_NODES, AnySearch
from emubot.games.colours.search.search import Position, TwoPlies, placements
from emubot.games.colours.search.two_plies import Pair
from emubot.games.colours.search.ways import Futures, futures_of
from emubot.snapshot import Piece
from emubot.tempo import tempo_for_speed
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights
from tests.games.colours import feature_twins
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import RULES, random_stacks

pytestmark = pytest.mark.jit
SIZES = (Size(4, 6, 0), Size(7, 9, 3), Size(8, 12, 1), Size(12, 20, 2), Size(6, 14, 0))
WEIGHTS = load_weights("famicom_puyo")


def rules_on(size: Size, **more: Any) -> Rules:
    return rules_of("tsu", more, size)


def widened(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Let the twins have so many columns."""
    from tests.games.colours import boards

    for module in (twin, feature_twins, boards):
        monkeypatch.setattr(module, "COLUMNS", columns)


def position(rng: np.random.Generator, rules: Rules) -> tuple[twin.Stacks, Any]:
    """A field on which no group pops, as stacks and as a cells array."""
    stacks = random_stacks(rng, rules)
    twin.resolve(stacks, rules)
    cells = np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8)
    for column, stack in enumerate(stacks):
        for level, kind in enumerate(stack):
            cells[-1 - level, column] = kind
    return stacks, cells


def stacks_of(field: Any, heights: Any) -> twin.Stacks:
    assert all((field[height:, column] == 0).all() for column, height in enumerate(heights))
    return [field[:height, column].tolist() for column, height in enumerate(heights)]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_on_six_columns_the_values_are_those_of_the_bitboards(rules: Rules) -> None:
    rng = np.random.default_rng(4)
    search, candidates = AnySearch(rules, WEIGHTS), placements(np.zeros((rules.stored_rows, 6)), (1, 2), rules)
    two_plies = TwoPlies(rules, WEIGHTS.vector("puyo", FEATURE_NAMES, 1))
    for number in range(12):
        _, cells = position(rng, rules)
        pair, shown = (int(rng.integers(1, 5)), 3), (int(rng.integers(1, 6)), 2)
        known: tuple[tuple[Pair, ...], ...] = ((), (shown,), ((BIG, BIG),), ((CARBUNCLE, CARBUNCLE),))
        following, pending = known[number % 4], int(rng.integers(0, 40))
        given = Position(cells, pair, following, pending)
        expected, nodes = two_plies.rank(given, candidates)
        found, same = search.rank(cells, pair, following, candidates.astype(np.int64), pending)
        assert nodes == same
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("hidden_pops", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_chains_on_any_field(size: Size, hidden_pops: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    widened(monkeypatch, size.columns)
    rules = rules_on(size, hidden_pops=hidden_pops, group_size=3)
    rng, bounds, scratch = np.random.default_rng(1), bounds_of(rules), scratch_of(rules)
    longest = 0
    for _ in range(60):
        stacks = random_stacks(rng, rules)
        cells = np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8)
        for column, stack in enumerate(stacks):
            cells[len(cells) - len(stack) :, column] = stack[::-1]
        field, heights = field_of(cells, rules)
        assert stacks_of(field, heights) == stacks
        found, expected = resolve(field, heights, bounds, scratch), twin.resolve(stacks, rules)
        assert found == expected
        assert stacks_of(field, heights) == stacks
        longest = max(longest, found[0])
    assert longest > 1


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_pieces_fall_on_any_field(size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    widened(monkeypatch, size.columns)
    rules = rules_on(size)
    rng = np.random.default_rng(2)
    for _ in range(40):
        stacks, cells = position(rng, rules)
        field, heights = field_of(cells, rules)
        orientation, column = int(rng.integers(4)), int(rng.integers(1, size.columns - 1))
        drop_piece(field, heights, orientation, column, 2, 3)
        twin.drop_pair(stacks, orientation, column, 2, 3, rules)
        rain(field, heights, 2)
        for at in [*range(size.columns)] * 2:
            twin.drop(stacks, at, NUISANCE, rules)
        assert stacks_of(field, heights) == stacks


def features_of(cells: Any, rules: Rules, bounds: Bounds, points: int, laid: int) -> dict[str, float]:
    values = {}
    for number, name in enumerate(FEATURE_NAMES):
        weights = np.zeros(FEATURES)
        weights[number] = 1.0
        field, heights = field_of(cells, rules)
        scales, scratch = scales_of(weights), scratch_of(rules)
        values[name] = evaluate(field, heights, points, laid, limits_of(rules), bounds, scales, scratch)
    return values


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_features_on_any_field(size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    widened(monkeypatch, size.columns)
    rules = rules_on(size)
    rng, bounds = np.random.default_rng(3), bounds_of(rules)
    best, chances = 0.0, set()
    for _ in range(25):
        stacks, cells = position(rng, rules)
        found = features_of(cells, rules, bounds, points=2500, laid=50)
        chances.add(found.pop("chance"))
        assert found.pop(FEATURE_NAMES[POINTS]) == pytest.approx(0.5)
        assert found.pop(FEATURE_NAMES[POPPED]) == pytest.approx(feature_twins.popped(stacks, rules, 50))
        expected = {name: feature_twins.TWINS[name](stacks, rules) for name in found}
        assert found == pytest.approx(expected)
        best = max(best, found["potential"])
    assert best > 0
    assert len(chances) > 20
    assert all(0 <= chance < 1 for chance in chances)


def test_the_potential_leaves_the_field_as_it_was() -> None:
    rules = rules_on(Size(8, 12, 1))
    weights = np.ones(FEATURES)
    _, cells = position(np.random.default_rng(5), rules_on(Size(6, 12, 1)))
    wide = np.zeros((13, 8), dtype=np.uint8)
    wide[:, 1:7] = cells
    field, heights = field_of(wide, rules)
    before = field.copy(), heights.copy()
    evaluate(field, heights, 0, 0, limits_of(rules), bounds_of(rules), scales_of(weights), scratch_of(rules))
    assert (field == before[0]).all()
    assert (heights == before[1]).all()


def test_the_game_is_lost_where_the_rules_say() -> None:
    rules = rules_on(Size(9, 8, 0), death_cells=[8, 7])
    cells = np.zeros((8, 9), dtype=np.uint8)
    for column, dead in ((7, False), (8, True)):
        cells[7, column] = 1
        assert is_dead(field_of(cells, rules)[0], bounds_of(rules)) == dead


@pytest.mark.parametrize("gravity", [1, 3, 20])
def test_limits_are_those_of_the_six_columns(gravity: int) -> None:
    for speed in (10, 5):
        packed = entry.limits_of(FAMICOM_1991, tempo_for_speed(speed), gravity)
        expected = [packed >> 4 * column & 15 for column in range(COLUMNS)]
        assert limits_of(FAMICOM_1991, tempo_for_speed(speed), gravity).tolist() == expected


def test_fields_that_do_not_fit_are_refused() -> None:
    rules = rules_on(Size(8, 12, 1))
    with pytest.raises(ValueError, match="a field has 13 rows of 8 cells"):
        field_of(np.zeros((13, 6)), rules)
    with pytest.raises(ValueError, match="a cell holds 0 to 8, not 0 to 9"):
        field_of(np.full((13, 8), 9) * np.eye(13, 8, dtype=np.int64), rules)


def test_weights_of_chains_that_are_built_are_refused() -> None:
    with pytest.raises(WeightsError, match="built on 6 columns: choose weights of the field's features"):
        AnySearch(rules_on(Size(8, 12, 1)), load_weights("chains"))


def test_a_third_pair_is_the_mean_over_those_that_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("tsu", {"colors": 2}, Size(5, 9, 1))
    widened(monkeypatch, rules.columns)
    names = tuple(name for name in FEATURE_NAMES if name not in ("points", "popped", "chance"))
    values = tuple(np.random.default_rng(6).normal(size=len(names)).tolist())
    weights = Weights(game="puyo", features=FeatureSet(version=FEATURE_VERSION, names=names), values=values)
    two, three = AnySearch(rules, weights), AnySearch(rules, weights, nodes=MOST_NODES)
    futures = futures_of(2, 2)
    assert futures.weights.tolist() == [0.25, 0.5, 0.25]
    rng = np.random.default_rng(7)
    for _ in range(2):
        _, cells = position(rng, rules)
        cells[:7] = 0
        places, following = open_places(rules, (1, 2))[::5], (2, 1)
        found, nodes = three.rank(cells, (1, 2), (following,), places)
        expected = []
        for place in places.tolist():
            first = after(cells, place, (1, 2), rules)
            ways = [after(first, second, following, rules) for second in open_places(rules, following).tolist()]
            expected.append(max(mean_of_best(two, way, futures, rules) for way in ways))
        assert found == pytest.approx(expected)
        assert nodes > len(places) * len(open_places(rules, following)) * len(futures.weights)


def open_places(rules: Rules, pair: Pair) -> Any:
    """All placements of a pair of two colours on a low field."""
    turns = range(4 if pair[0] != pair[1] else 2)
    ranges = (range(rules.columns), range(rules.columns - 1), range(rules.columns), range(1, rules.columns))
    return np.array([(turn, column) for turn in turns for column in ranges[turn]])


def after(cells: Any, place: tuple[int, int], pair: Pair, rules: Rules) -> Any:
    field, heights = field_of(cells, rules)
    drop_piece(field, heights, *place, *pair)
    resolve(field, heights, bounds_of(rules), scratch_of(rules))
    return field[::-1]


def mean_of_best(search: AnySearch, cells: Any, futures: Futures, rules: Rules) -> float:
    if is_dead(cells[::-1], bounds_of(rules)):
        return float(search.rank(cells, (BIG, BIG), (), np.array([(0, 0)]))[0][0])
    values = [search.rank(cells, (int(a), int(b)), (), open_places(rules, (a, b)))[0].max() for a, b in futures.kinds]
    return float(futures.weights @ np.array(values))


def test_a_field_that_is_decided_by_two_pairs_is_not_searched_further() -> None:
    rules = rules_on(Size(7, 9, 0))
    cells = np.zeros((9, 7), dtype=np.uint8)
    places = open_places(rules, (1, 2))
    two, few, many = (AnySearch(rules, WEIGHTS, nodes).rank for nodes in (0, 100, MOST_NODES))
    expected = two(cells, (1, 2), ((3, 4),), places)[0].tolist()
    assert few(cells, (1, 2), ((3, 4),), places)[0].tolist() == expected
    assert many(cells, (1, 2), ((3, 4),), places)[0].tolist() != expected
    alone, nodes = many(cells, (1, 2), (), places)
    assert (alone.tolist(), nodes) == (two(cells, (1, 2), (), places)[0].tolist(), len(places))


def test_rules_take_over_the_size_of_a_map() -> None:
    rules = rules_on(Size(9, 15, 0))
    assert (rules.size, rules.spawn, rules.death_cells) == (Size(9, 15, 0), Piece(0, 4, 0), ((4, 0),))
    assert rules_of("tsu", {}, TSU.size) is not rules
    assert rules_of("tsu", {}, TSU.size) == TSU
    assert replace(rules, columns=6).size.has_words is False


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        (Size(3, 12, 1), "Pairs are played on 4 to 12 columns, and this grid has 3: correct it."),
        (Size(13, 12, 1), "Pairs are played on 4 to 12 columns, and this grid has 13: correct it."),
        (Size(8, 21, 0), "Pairs are played on 6 to 20 visible rows, and this grid has 21: correct it."),
        (Size(8, 5, 0), "Pairs are played on 6 to 20 visible rows, and this grid has 5: correct it."),
    ],
)
def test_sizes_that_are_not_played(size: Size, sentence: str) -> None:
    with pytest.raises(MapError) as refused:
        rules_on(size)
    assert str(refused.value) == sentence
