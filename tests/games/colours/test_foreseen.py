"""Games that one beam sees as a whole: what the best chain of them is worth, and what they cannot be asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.colours.rules import COLUMNS
from emubot.games.colours.search.search import placements
from emubot.games.colours.trials.trials import PuyoTrial, trial
from emubot.weights import load_weights
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM
from tests.games.colours.field_twin import Stacks

CHAINS = load_weights("chains")


def best_of_all_ways(stacks: Stacks, pairs: list[list[int]], price: int, earned: int = 0, depth: int = 0) -> int:
    """Every placement of every pair."""
    if not pairs:
        return 0
    best = 0
    for orientation, column in placements(twin.cells_of(stacks, FAMICOM), (pairs[0][0], pairs[0][1]), FAMICOM).tolist():
        after = [list(stack) for stack in stacks]
        twin.drop_pair(after, orientation, column, pairs[0][0], pairs[0][1], FAMICOM)
        _, points = twin.resolve(after, FAMICOM)
        worth = earned + points - price * depth if points else 0
        best = max(best, worth, best_of_all_ways(after, pairs[1:], price, earned + points, depth + 1))
    return best


@pytest.mark.jit
def test_a_wide_search_of_few_pairs_finds_the_best_of_all_ways() -> None:
    options = {"colors": 3, "pairs": 3, "foreseen": 512, "aim": "score", "pair_price": 7}
    made = trial(1, "famicom-1991", options)
    seeds = range(6)
    found = made.play([CHAINS], seeds)[:, 0].tolist()
    expected = []
    for seed in seeds:
        dealt = np.random.default_rng(seed).integers(1, 4, size=(3, 2), dtype=np.uint8)
        expected.append(best_of_all_ways([[] for _ in range(COLUMNS)], dealt.tolist(), 7))
    assert found == expected
    assert any(found)


@pytest.mark.jit
def test_who_sees_more_and_weighs_better_is_worth_more() -> None:
    """The start of training is better than weights of nothing, and a wider search better than a narrow one."""
    made = {width: trial(1, "tsu", {"colors": 4, "foreseen": width}) for width in (2, 20)}
    names = {**made[2].settings}
    assert names == {
        "rules": "tsu",
        "colors": 4,
        "pairs": 44,
        "foreseen": 2,
        "aim": "chain",
        "pair_price": 0,
        "gravity": 0,
    }
    nothing = CHAINS.model_copy(update={"values": (0.0,) * len(CHAINS.values)})
    idle, narrow, wide = (
        float(made[width].play([weights], range(20))[:, 0].mean())
        for width, weights in ((20, nothing), (2, CHAINS), (20, CHAINS))
    )
    assert idle < narrow < wide


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"foreseen": 10, "nodes": 500}, "--foreseen is one search of all pairs, for which --nodes means nothing"),
        ({"foreseen": 10, "taps": "12hz"}, "--taps counts only where pairs fall in time"),
        ({"foreseen": 513}, "foreseen"),
        ({"pair_price": 5}, "--pair-price is what training by --foreseen takes"),
    ],
)
def test_what_it_means_nothing_with_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        trial(1, "tsu", options)


def test_without_a_width_there_are_games() -> None:
    """So that a run can leave out what its recipe has."""
    assert isinstance(trial(1, "tsu", {"foreseen": 0, "nodes": 500}), PuyoTrial)


def test_only_weights_of_chains_are_searched_by_it() -> None:
    with pytest.raises(UsageError, match="Only weights of what chains are built on"):
        trial(1, "tsu", {"foreseen": 4}).play([load_weights("reference")], [0])
