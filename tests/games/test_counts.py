"""Counts add up in any order and come back from JSON as they went."""

from __future__ import annotations

import json
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.games.counts import Counts


def counts_of(locks: list[tuple[int, int]], deaths: int = 0, score: int = 0) -> Counts:
    """The counts of locks as (left behind, chain)."""
    heights = np.bincount([left for left, _ in locks], minlength=1).astype(np.int64)
    chains = np.bincount([chain for _, chain in locks], minlength=1).astype(np.int64)
    cleared = sum(left == 0 for left, _ in locks)
    return Counts(len(locks), deaths, cleared, score, sum(chain for _, chain in locks), heights, chains)


LOCKS = st.lists(st.tuples(st.integers(0, 84), st.integers(0, 19)), max_size=30)


@given(st.lists(LOCKS, max_size=6), st.randoms())
def test_any_split_in_any_order_gives_the_same_totals(stretches: list[list[tuple[int, int]]], random: Any) -> None:
    whole = counts_of([lock for stretch in stretches for lock in stretch])
    parts = [counts_of(stretch) for stretch in stretches]
    random.shuffle(parts)
    assert reduce(add, parts, Counts()) == whole
    assert reduce(add, parts, Counts()).highest == max((left for s in stretches for left, _ in s), default=0)
    assert whole.longest == max((chain for s in stretches for _, chain in s), default=0)


@given(LOCKS, st.integers(0, 9), st.integers(0, 10**12))
def test_json_and_back(locks: list[tuple[int, int]], deaths: int, score: int) -> None:
    counts = counts_of(locks, deaths, score)
    assert Counts.from_dict(json.loads(json.dumps(counts.as_dict()))) == counts


def test_equal_counts_have_equal_hashes_and_other_counts_differ() -> None:
    one = counts_of([(3, 1), (2, 0)])
    padded = Counts(2, 0, 0, 0, 1, np.append(one.heights, [0, 0]), one.chains)
    assert padded == one
    assert hash(padded) == hash(one)
    assert one != counts_of([(3, 1), (1, 0)])
    assert one != "counts"


def test_a_sum_changes_neither_part() -> None:
    one, other = counts_of([(3, 1)]), counts_of([(3, 1), (1, 0)])
    before = one.as_dict(), other.as_dict()
    assert (one + other).pieces == 3
    assert (one.as_dict(), other.as_dict()) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pieces": 3}, "heights does not count 3 pieces"),
        ({"chains": [1]}, "chains does not count 2 pieces"),
        ({"deaths": -1}, "-1 is not a count"),
        ({"score": 1.5}, "1.5 is not a count"),
        ({"score": True}, "True is not a count"),
        ({"heights": []}, "heights must be a list"),
        ({"heights": [2, -1, 1]}, "-1 is not a count"),
        ({"heights": [1 << 70]}, "is not a count"),
        ({"more": 1}, "the figures must be pieces, "),
    ],
)
def test_figures_that_cannot_be_are_refused(change: dict[str, Any], words: str) -> None:
    told = counts_of([(3, 1), (2, 0)]).as_dict() | change
    with pytest.raises(ValueError, match=words):
        Counts.from_dict(told)


def test_counts_below_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="deaths is below 0"):
        Counts(deaths=-1)
    with pytest.raises(ValueError, match="heights does not count 1"):
        Counts(1, heights=np.zeros((1, 1), dtype=np.int64))
