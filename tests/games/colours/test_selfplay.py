"""Self-play of pairs: the same for a seed, against a twin that deals and counts, and the reference's figures."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError, WeightsError
from emubot.games.colours.evaluation.features import FEATURES
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.rules import COLUMNS, Rules, rules_of
from emubot.games.colours.search import search
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.games.colours.trials import selfplay
from emubot.games.colours.trials.selfplay import BLOCK, play, stretch_of
from emubot.games.counts import Counts
from emubot.weight_parts import ValueSet
from emubot.weights import load_weights
from tests.families import whole_game
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, TSU

REFERENCE = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
DEFAULT = load_weights("famicom_puyo").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
SIX_COLORS = rules_of("famicom-1991", {"colors": 6})


def slowly(seed: int, count: int, rules: Rules, weights: NDArray[np.float64], limits: int | None = None) -> Counts:
    rng = np.random.default_rng(seed)
    blocks = [rng.integers(1, rules.colors + 1, size=(BLOCK, 2), dtype=np.uint8) for _ in range(count // BLOCK + 2)]
    pairs = [(int(pivot), int(satellite)) for pivot, satellite in np.concatenate(blocks)[: count + 1]]
    columns: twin.Stacks = [[] for _ in range(COLUMNS)]
    total = Counts()
    for current, following in pairwise(pairs):
        cells = twin.cells_of(columns, rules)
        options = search.placements(cells, current, rules, limits)
        choice = TwoPlies(rules, weights).decide(Position(cells, current, (following,), limits=limits), options)
        orientation, column = options[choice.index].tolist()
        twin.drop_pair(columns, orientation, column, *current, rules)
        chain, points = twin.resolve(columns, rules)
        left = sum(map(len, columns))
        dead = any(len(columns[x]) > rules.visible_rows - 1 - y for x, y in rules.death_cells)
        heights, chains = np.zeros(100, dtype=np.int64), np.zeros(30, dtype=np.int64)
        heights[left] = chains[chain] = 1
        total += Counts(1, int(dead), int(left == 0), points, 0, heights, chains)
        if dead:
            columns = [[] for _ in range(COLUMNS)]
    return total


def test_what_is_not_asked_is_the_profiles() -> None:
    family = whole_game("puyo")
    assert family.self_play_settings(None, {}) == ("famicom-1991", {"colors": 5})
    assert family.self_play_settings("tsu", {}) == ("tsu", {"colors": TSU.colors})
    assert family.self_play_settings(None, {"colors": 6}) == ("famicom-1991", {"colors": 6})
    with pytest.raises(UsageError, match="There are no rules 'none'"):
        family.self_play_settings("none", {})


@pytest.mark.jit
@pytest.mark.parametrize("rules", [SIX_COLORS, TSU])
def test_a_stretch_is_counted_as_the_twin_counts(rules: Rules) -> None:
    assert play(5, 150, rules, REFERENCE) == slowly(5, 150, rules, REFERENCE)


@pytest.mark.jit
def test_a_watch_changes_nothing_and_can_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "_WATCHED", 7)
    assert play(5, 60, SIX_COLORS, REFERENCE, watch=lambda placed: True) == slowly(5, 60, SIX_COLORS, REFERENCE)
    ended = play(5, 60, SIX_COLORS, REFERENCE, watch=lambda placed: placed < 20)
    assert ended.pieces == 21
    assert ended == slowly(5, 21, SIX_COLORS, REFERENCE)


@pytest.mark.jit
def test_in_time_only_some_columns_are_reached() -> None:
    """Pairs that fall fast, and slow inputs: the same twin with the limits of the columns, and another game."""
    stretch = stretch_of(None, {"colors": 6, "gravity": 1, "taps": "........X..."})
    assert stretch.settings == ("famicom-1991", {"colors": 6, "gravity": 1, "taps": "........X..."})
    assert stretch.pace is not None
    limits = stretch.pace.limits(stretch.rules)
    found = stretch.play(5, 150, load_weights("reference"))
    assert found == slowly(5, 150, SIX_COLORS, REFERENCE, limits) != play(5, 150, SIX_COLORS, REFERENCE)


def test_an_aim_plays_by_the_weights_own_set_for_it() -> None:
    reference, builder = load_weights("reference"), load_weights("builder")
    one = ValueSet(
        rules="famicom-1991", colors=(5,), aim="survive", features=reference.features, values=reference.values
    )
    both = builder.model_copy(update={"sets": (one,)})
    surviving = stretch_of(None, {"aim": "survive"})
    assert surviving.settings == ("famicom-1991", {"colors": 5, "aim": "survive"})
    assert surviving.play(3, 40, both) == stretch_of(None, {}).play(3, 40, reference)
    assert stretch_of(None, {}).play(3, 40, both) == stretch_of(None, {}).play(3, 40, builder)
    with pytest.raises(UsageError, match=r"chains that are built by a deeper search: choose other weights\."):
        stretch_of(None, {}).play(3, 40, load_weights("chains"))
    with pytest.raises(UsageError, match=r"weights for the aim battle value chains .*: leave out --aim\."):
        stretch_of(None, {"aim": "battle"}).play(3, 40, load_weights("famicom_puyo"))
    with pytest.raises(WeightsError, match="for tetris, not for puyo"):
        stretch_of(None, {}).play(3, 40, load_weights("pso"))
    with pytest.raises(UsageError, match="--taps counts only where pairs fall in time"):
        stretch_of(None, {"taps": "12hz"})


def test_a_bot_that_stacks_dies_and_starts_anew() -> None:
    bad = np.zeros(FEATURES)
    bad[FEATURE_NAMES.index("spawn_distance")] = -1.0
    found = play(1, 300, FAMICOM, bad)
    assert found == slowly(1, 300, FAMICOM, bad)
    assert found.deaths > 2


def test_a_seed_is_a_game_whatever_the_length() -> None:
    short = play(3, 50, FAMICOM, REFERENCE)
    assert short == play(3, 50, FAMICOM, REFERENCE)
    assert short != play(4, 50, FAMICOM, REFERENCE)
    assert short.pieces == 50


@pytest.mark.slow
@pytest.mark.jit
def test_blocks_join_without_a_seam() -> None:
    count = BLOCK + 40
    assert play(2, count, SIX_COLORS, REFERENCE) == slowly(2, count, SIX_COLORS, REFERENCE)


@pytest.mark.jit
def test_the_reference_stays_low_and_alive() -> None:
    found = play(0, 3_000, SIX_COLORS, REFERENCE)
    mean = float(found.heights @ np.arange(len(found.heights))) / found.pieces
    assert found.deaths == 0
    assert mean <= 11
    assert found.highest <= 42


@pytest.mark.slow
def test_a_million_pairs() -> None:
    found = play(0, 1_000_000, SIX_COLORS, REFERENCE)
    mean = float(found.heights @ np.arange(len(found.heights))) / found.pieces
    assert (found.deaths, mean <= 11, found.highest <= 42) == (0, True, True)


@pytest.mark.jit
@pytest.mark.parametrize("colors", [4, pytest.param(6, marks=pytest.mark.slow)])
def test_the_default_scores_more_than_the_reference(colors: int) -> None:
    rules = rules_of("famicom-1991", {"colors": colors})
    default = play(9, 1_500, rules, DEFAULT)
    assert default.deaths == 0
    assert default.score > 2 * play(9, 1_500, rules, REFERENCE).score


@pytest.mark.slow
@pytest.mark.parametrize("colors", [4, 5, 6])
def test_the_default_lives_through_a_hundred_thousand_pairs(colors: int) -> None:
    rules = rules_of("famicom-1991", {"colors": colors})
    default = play(0, 100_000, rules, DEFAULT)
    assert default.deaths == 0
    assert default.score > 2 * play(0, 100_000, rules, REFERENCE).score
