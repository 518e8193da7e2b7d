"""How a run is cut up: seeds, sizes, ranges."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.trials.selfplay.units import parse_range, ranges, sizes
from emubot.trials.work import seed_of


def test_units_have_seeds_of_their_own() -> None:
    seeds = [seed_of(seed, index) for seed in range(20) for index in range(200)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 1 << 64 for seed in seeds)
    assert max(seeds) > 1 << 63
    # What a run counts must not change from one version to the next.
    assert seed_of(0, 0) == 15793235383387715774
    assert seed_of(7, 123) == 621031239228817789


@given(st.integers(1, 10_000), st.integers(1, 500))
def test_sizes_make_up_the_run(pieces: int, unit: int) -> None:
    found = sizes(pieces, unit)
    assert sum(found) == pieces
    assert set(found[:-1]) <= {unit}
    assert 1 <= found[-1] <= unit


@given(st.sets(st.integers(0, 60)))
def test_ranges_hold_exactly_their_units(units: set[int]) -> None:
    found = ranges(list(units))
    assert list(chain.from_iterable(range(first, end) for first, end in found)) == sorted(units)
    assert all(end < first for (_, end), (first, _) in pairwise(found))


@pytest.mark.parametrize("text", ["", "3", "3:", ":3", "3:3", "4:3", "-1:3", "a:b", "1:2:3", "0:9999999999999999"])
def test_a_range_that_is_none_is_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="is not a range of units"):
        parse_range(text)


def test_a_range() -> None:
    assert parse_range("0:20") == range(20)


def test_a_run_of_too_many_units_is_one_sentence() -> None:
    with pytest.raises(UsageError, match=r"1,048,576 pieces are too many units of 1: choose a larger --unit\."):
        sizes(1 << 20, 1)
    assert len(sizes((1 << 20) - 1, 1)) == (1 << 20) - 1
