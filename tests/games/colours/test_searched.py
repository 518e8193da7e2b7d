"""Games and battles turn by turn: the same as by the kernels, with any search, and on the games of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.colours.board import nuisance
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, LETTERS, Rules, rules_of
from emubot.games.colours.search.search import TwoPlies
from emubot.games.colours.trials import battle, searched, untimed
from emubot.games.colours.trials.sequences import read_sequences
from emubot.games.colours.trials.trials import trial
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights
from tests.games.colours.boards import FAMICOM, TSU

REFERENCE, BUILDER = load_weights("reference"), load_weights("builder")
ONE_NEXT = (FAMICOM, rules_of("tsu", {"previews": 1}))
BUILDING = Weights(
    game="puyo",
    features=FeatureSet(version=1, names=("chain", "threes", "link_pairs", "wells", "column_3")),
    values=(100.0, 60.0, 30.0, -40.0, -30.0),
)


@pytest.mark.jit
@pytest.mark.parametrize("rules", ONE_NEXT)
def test_games_are_those_of_the_kernel(rules: Rules) -> None:
    options = {"pairs": 120, "aim": "score", "plies": 2, "previews": 1}
    seeds = [5, 6]
    kernel = trial(1, rules.name, options).play([BUILDER], seeds)
    course = searched.PairsCourse(rules, limits_of(rules))
    for seed, row in zip(seeds, kernel, strict=True):
        pairs = np.random.default_rng(seed).integers(1, rules.colors + 1, size=(121, 2), dtype=np.uint8)
        figures = np.zeros(len(untimed.FIGURES), dtype=np.int64)
        searched.play_game(pairs, two_plies(BUILDER, rules), course, figures)
        assert figures.tolist() == row.tolist()


@pytest.mark.jit
@pytest.mark.parametrize("rules", ONE_NEXT)
def test_battles_are_those_of_the_kernel(rules: Rules) -> None:
    seeds = [5, 6, 7]
    kernel = trial(2, rules.name, {"plies": 2, "previews": 1}).play([BUILDER, REFERENCE], seeds)
    course, exchange = searched.PairsCourse(rules, limits_of(rules)), nuisance.exchange_of(rules)
    for seed, row in zip(seeds, kernel, strict=True):
        pairs = np.random.default_rng(seed).integers(1, rules.colors + 1, size=(501, 2), dtype=np.uint8)
        [columns] = np.random.SeedSequence(seed).spawn(1)
        order = np.random.default_rng(columns).random((500, COLUMNS)).argsort(axis=1)
        figures = np.zeros(len(battle.FIGURES), dtype=np.int64)
        first, second = two_plies(BUILDER, rules), two_plies(REFERENCE, rules)
        searched.play_battle(pairs, order, first, second, course, exchange, figures)
        assert figures.tolist() == row.tolist()


def two_plies(weights: Weights, rules: Rules) -> TwoPlies:
    from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION

    return TwoPlies(rules, weights.vector("puyo", FEATURE_NAMES, FEATURE_VERSION))


@pytest.mark.jit
def test_a_large_chain_ends_a_game_and_is_its_best() -> None:
    options = {"pairs": 30, "nodes": 1, "stop_points": 1000}
    made = trial(1, "tsu", options)
    rows = [dict(zip(made.figures, row, strict=True)) for row in made.play([BUILDING], range(6)).tolist()]
    ended = [row for row in rows if row["best_score"] >= 1000]
    assert ended
    assert min(row["pieces"] for row in ended) < 30
    assert all(row["pieces"] == 30 for row in rows if row not in ended and not row["died"])
    assert all(row["best_score"] <= row["score"] for row in rows)


@pytest.mark.jit
def test_the_games_of_a_file_are_played_by_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("RGBY\nRRRRRR\n")
    games = read_sequences(str(path))
    assert [game.tolist() for game in games] == [[[1, 2], [3, 4]], [[1, 1]] * 3]
    made = trial(1, "tsu", {"sequences": str(path), "pairs": 2, "nodes": 1})
    assert made.settings.items() >= {"sequences": str(path), "colors": 4}.items()
    rows = made.play([BUILDING], [0, 1]).tolist()
    chains = [dict(zip(made.figures, row, strict=True))["best_chain"] for row in rows]
    assert chains == [0, 1], "the second game has four of a colour within two pairs"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("RGX\n", "line 1"),
        ("RG\nRGB\n", "line 2"),
        ("RG\n\nRG\n", "line 2"),
        ("R\u00fcGB\n", "a line is letters of RGBYPO"),
    ],
)
def test_another_file_is_refused_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "games.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        read_sequences(str(path))
    with pytest.raises(UsageError, match="not a regular file"):
        read_sequences(str(tmp_path))
    assert len(LETTERS) == 6


def test_what_a_search_knows_of_the_end() -> None:
    """By default the search counts the pairs that are left; with an unknown horizon it does not."""
    seen: list[int | None] = []

    class Spy(TwoPlies):
        def rank(self, position, candidates):  # type: ignore[no-untyped-def]
            seen.append(position.left)
            assert len(position.following) == 2
            return super().rank(position, candidates)

    pairs = np.ones((5, 2), dtype=np.uint8)
    pairs[:, 1] = 2
    vector = np.zeros(17)
    for known in (True, False):
        course = searched.PairsCourse(TSU, limits_of(TSU), left_known=known)
        searched.play_game(pairs, Spy(TSU, vector), course, np.zeros(len(untimed.FIGURES), dtype=np.int64))
    assert seen == [2, 1, 0, None, None, None]
