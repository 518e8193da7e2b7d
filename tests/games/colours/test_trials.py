"""Trials of pairs: figures against a twin that plays slowly, seeds, swapped players, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError, WeightsError
from emubot.games.colours.bounds import NODES
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.rules import COLUMNS, Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.search import Position, TwoPlies, placements
from emubot.games.colours.search.two_plies import fill_placements, lock_cells, search_two_plies
from emubot.games.colours.trials import untimed as solo
from emubot.games.colours.trials.selfplay import play
from emubot.games.colours.trials.trials import PuyoTrial
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights
from tests.families import whole_game
from tests.games.colours.boards import FAMICOM, TSU

FAMILY = whole_game("puyo")
REFERENCE = load_weights("reference")


def weighing(**values: float) -> Weights:
    features = FeatureSet(version=FEATURE_VERSION, names=tuple(values))
    return Weights(game="puyo", features=features, values=tuple(values.values()))


LOWEST = weighing(peak=1.0, total_height=1.0)
STACKING = weighing(spawn_distance=-1.0)
RANDOM = weighing(chance=1.0)


def figures(found: NDArray[np.int64], names: tuple[str, ...], name: str) -> list[int]:
    return [int(value) for value in found[:, names.index(name)]]


def test_what_is_not_asked_is_filled_in() -> None:
    alone = {"rules": "famicom-1991", "colors": 5, "pairs": 1_000, "previews": 1, "nodes": NODES, "gravity": 0}
    assert FAMILY.trial(1, None, {}).settings == alone | {"aim": "score", "horizon": "known", "stop_points": 0}
    one_chain = {"aim": "chain", "pairs": 50, "stop_points": 80_000, "previews": 2}
    assert FAMILY.trial(1, "tsu", {}).settings.items() >= one_chain.items()
    both = {"rules": "tsu", "colors": 4, "pairs": 500, "previews": 2, "nodes": NODES, "gravity": 0}
    assert FAMILY.trial(2, "tsu", {}).settings == both
    assert FAMILY.trial(1, None, {"plies": 2}).settings["nodes"] == 0
    assert FAMILY.trial(1, None, {"budget_ms": 4}).settings["budget_ms"] == 4.0
    options = {"taps": "30hz", "reaction": 0}
    assert FAMILY.trial(1, None, {"gravity": 2}).settings.items() >= ({"gravity": 2} | options).items()
    asked = {"colors": 6, "pairs": 7, "gravity": 5, "taps": "12hz", "reaction": 9}
    battle = FAMILY.trial(2, "famicom-1991", asked)
    assert battle.settings.items() >= ({"rules": "famicom-1991"} | asked).items()
    assert (battle.sides, battle.figures[0], FAMILY.trial(1, None, {}).figures[0]) == (2, "wins", "score")


@pytest.mark.parametrize(
    ("sides", "rules", "asked", "told"),
    [
        (
            1,
            None,
            {"cap_lines": 3},
            "no --cap-lines for the rules famicom-1991: its options are --colors, --pairs, --grav",
        ),
        (2, "tsu", {"aim": "chain"}, "no --aim"),
        (1, "tsu", {"nodes": 10, "plies": 2}, "Give one of --nodes, --budget-ms and --plies"),
        (1, "tsu", {"plies": 3}, "--plies of the rules tsu is 2, not 3"),
        (1, "tsu", {"aim": "lines"}, "--aim of the rules tsu is score or chain or survive, not 'lines'"),
        (1, "tsu", {"sequences": "nowhere.txt"}, "There is no file nowhere.txt"),
        (1, "tsu", {"sequences": "nowhere.txt", "colors": 4}, "--sequences has its own colors"),
        (1, None, {"colors": 7}, "--colors of the rules famicom-1991 is a whole number from 1 to 6, not 7"),
        (2, "tsu", {"pairs": 0}, "--pairs of the rules tsu is a whole number from 1"),
        (1, None, {"pairs": True}, "not True"),
        (1, None, {"taps": "12hz"}, "--taps counts only where pairs fall in time: add --gravity 1 to 255, or leave"),
        (2, "tsu", {"gravity": 0, "reaction": 3}, "--reaction counts only where pairs fall in time"),
        (1, None, {"gravity": 256}, "--gravity of the rules famicom-1991 is a whole number from 0 to 255"),
        (1, None, {"gravity": 2, "taps": "fast"}, "Taps cannot be"),
        (1, "none", {}, "There are no rules 'none'"),
        (3, None, {}, "Pairs are played by one or two"),
    ],
)
def test_what_there_is_not_is_refused(sides: int, rules: str | None, asked: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        FAMILY.trial(sides, rules, asked)


def test_players_are_counted_and_of_this_game() -> None:
    trial = FAMILY.trial(1, None, {"pairs": 1})
    with pytest.raises(UsageError, match="played by 1, not by 2"):
        trial.play([REFERENCE, REFERENCE], [1])
    with pytest.raises(WeightsError, match="for tetris, not for puyo"):
        FAMILY.trial(2, None, {"pairs": 1}).play([REFERENCE, load_weights("pso")], [1])


def nodes_of(seed: int, pairs: int, rules: Rules) -> int:
    """The fields that the reference values in a game, decision by decision."""
    dealt = np.random.default_rng(seed).integers(1, rules.colors + 1, size=(pairs + 1, 2), dtype=np.uint8).tolist()
    cells, nodes = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8), 0
    vector = REFERENCE.vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    for current, following in pairwise((int(pivot), int(satellite)) for pivot, satellite in dealt):
        candidates = placements(cells, current, rules)
        choice = TwoPlies(rules, vector).decide(Position(cells, current, (following,)), candidates)
        nodes += choice.nodes
        orientation, column = candidates[choice.index].tolist()
        lock_cells(cells, orientation, column, *current, table_of(rules))
    return nodes


@pytest.mark.jit
@pytest.mark.parametrize("rules", [FAMICOM, TSU])
def test_a_game_is_the_stretch_of_self_play_that_nobody_loses(rules: Rules) -> None:
    trial = FAMILY.trial(1, rules.name, {"pairs": 100, "aim": "score"})
    vector = REFERENCE.vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    for seed, row in zip((3, 2**64 - 1), trial.play([REFERENCE], [3, 2**64 - 1]), strict=True):
        counts = play(seed, 100, rules, vector)
        assert counts.deaths == 0
        figures = dict(zip(trial.figures, row.tolist(), strict=True))
        assert figures.pop("best_score") <= counts.score
        expected = [counts.score, 100, counts.longest, counts.highest, counts.all_clears, 0, counts.score]
        assert [*figures.values()][:-1] == expected
        assert row[-1] == nodes_of(seed, 100, rules)


def test_a_lost_game_ends_there() -> None:
    trial = FAMILY.trial(1, None, {"pairs": 60})
    found = trial.play([STACKING], range(4))
    pieces = figures(found, trial.figures, "pieces")
    vector = STACKING.vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    assert figures(found, trial.figures, "died") == [1] * 4
    assert figures(found, trial.figures, "kept") == [0] * 4
    for seed, count in enumerate(pieces):
        assert play(seed, count, FAMICOM, vector).deaths == 1
        assert play(seed, count - 1, FAMICOM, vector).deaths == 0


@pytest.mark.jit
def test_what_falls_fast_is_lost_earlier() -> None:
    lengths = [
        FAMILY.trial(1, None, {"pairs": 60} | pace).play([RANDOM], range(200))[:, 1].mean()
        for pace in ({}, {"gravity": 2}, {"gravity": 2, "taps": "12hz"}, {"gravity": 1, "taps": "10hz"})
    ]
    assert all(easier > harder + 0.5 for easier, harder in pairwise(lengths)), lengths


@pytest.mark.jit
@pytest.mark.parametrize(
    ("colors", "pairs"),
    [(5, 300), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((4, 10_000), (5, 10_000), (6, 1_500)))],
)
def test_the_default_is_not_lost_as_fast_as_pairs_ever_fall(colors: int, pairs: int) -> None:
    trial = FAMILY.trial(1, None, {"pairs": pairs, "colors": colors, "gravity": 2, "nodes": 8_000})
    (default,), (by_hand,) = (
        trial.play([load_weights(name)], [11]) for name in (FAMILY.facts.default_weights, "builder")
    )
    assert default[trial.figures.index("died")] == 0
    assert default[0] > by_hand[0]


@pytest.mark.parametrize("sides", [1, 2])
def test_a_seed_is_a_game_whoever_else_is_played(sides: int) -> None:
    trial = FAMILY.trial(sides, None, {"pairs": 30, "colors": 3})
    players = [RANDOM, STACKING][:sides]
    found = trial.play(players, [5, 6, 7])
    assert found.dtype == np.int64
    assert found.shape == (3, len(trial.figures))
    assert (trial.play(players, [7, 5])[::-1] == found[[0, 2]]).all()
    assert len({tuple(row) for row in found.tolist()}) == 3


def test_a_game_is_the_same_as_far_as_it_goes() -> None:
    asked = [{"pairs": 40}, {"pairs": 60}]
    for sides in (1, 2):
        short, long = (FAMILY.trial(sides, None, each).play([STACKING, STACKING][:sides], range(3)) for each in asked)
        assert (short == long).all()  # all are over before


@pytest.mark.jit
def test_swapped_players_swap_wins_and_losses() -> None:
    trial = FAMILY.trial(2, None, {"pairs": 200})
    seeds = range(30)
    few = weighing(colored_puyos=1.0)
    one, other = trial.play([few, LOWEST], seeds), trial.play([LOWEST, few], seeds)
    wins, draws = figures(one, trial.figures, "wins"), figures(one, trial.figures, "draws")
    losses = [1 - won - drawn for won, drawn in zip(wins, draws, strict=True)]
    assert figures(other, trial.figures, "wins") == losses
    assert figures(other, trial.figures, "draws") == draws
    assert figures(other, trial.figures, "pieces") == figures(one, trial.figures, "pieces")
    assert 0 < sum(wins) < 30


@pytest.mark.jit
def test_the_ladder_of_hand_made_players() -> None:
    trial = FAMILY.trial(2, None, {})
    at = trial.figures.index("wins")
    for better, worse in ((RANDOM, STACKING), (LOWEST, RANDOM), (REFERENCE, LOWEST)):
        assert trial.play([better, worse], range(40))[:, at].sum() >= 30


@pytest.mark.slow
@pytest.mark.jit
def test_kernels_are_compiled_for_one_signature() -> None:
    FAMILY.trial(1, None, {"pairs": 3}).play([REFERENCE], [1])
    FAMILY.trial(2, "tsu", {"pairs": 3}).play([REFERENCE, RANDOM], [1])
    trial = FAMILY.trial(1, None, {"pairs": 3})
    assert isinstance(trial, PuyoTrial)
    trial.explore(load_weights("pairs-lowest"), [1], 0.5, 5)
    vector = REFERENCE.vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    TwoPlies(FAMICOM, vector).decide(
        Position(np.zeros((FAMICOM.stored_rows, COLUMNS)), (1, 2), ((3, 4),)), np.array([[0, 3]])
    )
    for kernel in (solo.best_of, solo.take_turn, search_two_plies, fill_placements):
        assert len(getattr(kernel, "signatures", [])) <= 1, "none where they came out of the cache"


def test_warming_up_plays_nothing_that_is_kept() -> None:
    trial = FAMILY.trial(2, "tsu", {"pairs": 3})
    before = trial.play([LOWEST, STACKING], [1])
    trial.warm_up()
    assert (trial.play([LOWEST, STACKING], [1]) == before).all()
