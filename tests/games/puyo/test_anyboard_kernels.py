"""The kernels of fields of any size: against the bitboards on six columns, against slow twins on all others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot.errors import MapError, WeightsError
from emubot.games.colours.board.cells_bounds import Bounds, bounds_of, limits_of, scratch_of
from emubot.games.colours.board.cells_field import drop_piece, field_of, is_dead, rain, resolve
from emubot.games.colours.evaluation.cells_features import evaluate
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.features import FEATURES, POINTS, POPPED
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES
from emubot.games.colours.reach import entry
from emubot.games.colours.rules import BIG, CARBUNCLE, COLUMNS, FAMICOM_1991, NUISANCE, TSU, Rules, Size, rules_of
from emubot.games.colours.search.anyboard_search import AnySearch
from emubot.games.colours.search.search import Position, TwoPlies, placements
from emubot.games.colours.search.two_plies import Pair
from emubot.snapshot import Piece
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights
from tests.games.puyo import feature_twins
from tests.games.puyo import field_twin as twin
from tests.games.puyo.boards import RULES, random_stacks

pytestmark = pytest.mark.jit
SIZES = (Size(4, 6, 0), Size(7, 9, 3), Size(8, 12, 1), Size(12, 20, 2), Size(6, 14, 0))
WEIGHTS = load_weights("famicom_puyo")


def rules_on(size: Size, **more: Any) -> Rules:
    return rules_of("tsu", more, size)


def widened(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Let the twins have so many columns."""
    from tests.games.puyo import boards

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
