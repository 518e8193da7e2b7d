"""Statistics against known values and a plain computation."""

from __future__ import annotations

import math
import statistics as plain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.trials.statistics import Sums, density, log10_tail, moments, odds_text

# log10 of the standard Gaussian's upper tail, by scipy.stats.norm.logsf.
TAILS = {
    0.0: -0.30102999566398114,
    1.0: -0.7995455414919703,
    1.959963984540054: -1.6020599913279625,
    5.0: -6.5426456723906545,
    10.0: -23.118053405486076,
    20.0: -88.5600953430756,
    30.0: -197.30920926166095,
    37.0: -299.24218117860994,
    40.0: -349.43700645934587,
    100.0: -2173.8715428690343,
}


@pytest.mark.parametrize(("z", "log10"), TAILS.items())
def test_the_tail_is_right_near_and_far(z: float, log10: float) -> None:
    assert log10_tail(z, 0, 1) == pytest.approx(log10, rel=1e-8)
    assert log10_tail(10 + 4 * z, 10, 4) == pytest.approx(log10, rel=1e-8)


def test_the_tail_has_no_step_where_the_formula_changes() -> None:
    below, above = log10_tail(30 - 1e-9, 0, 1), log10_tail(30, 0, 1)
    assert above == pytest.approx(below, abs=1e-6)


def test_a_gaussian_without_width() -> None:
    assert log10_tail(5, 5, 0) == 0
    assert log10_tail(6, 5, 0) == -math.inf
    assert density(5, 5, 0) == 0


def test_density() -> None:
    assert density(0, 0, 1) == pytest.approx(0.3989422804)
    assert density(13, 10, 3) == pytest.approx(0.2419707245 / 3)


@pytest.mark.parametrize(
    ("log10", "text"),
    [
        (-0.30103, "0.500"),
        (0.0, "1.000"),
        (-2.9999, "0.001"),
        (-3.0, "1.0e-3"),
        (-13.64, "2.3e-14"),
        (-88.001, "1.0e-88"),
        (-2173.87154, "1.3e-2174"),
        (-math.inf, "0"),
    ],
)
def test_odds_are_written_as_people_do(log10: float, text: str) -> None:
    assert odds_text(log10) == text


@given(st.lists(st.integers(0, 40), min_size=1, max_size=50))
def test_moments_are_those_of_the_samples(samples: list[int]) -> None:
    histogram = [samples.count(value) for value in range(max(samples) + 1)]
    mean, deviation = moments(histogram)
    assert mean == pytest.approx(plain.fmean(samples))
    assert deviation == pytest.approx(plain.pstdev(samples), abs=1e-12)


def test_moments_of_nothing() -> None:
    assert moments([0, 0]) == (0.0, 0.0)


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=50))
def test_an_estimate_is_mean_and_error_of_the_samples(samples: list[int]) -> None:
    found = Sums(sum(samples), sum(sample * sample for sample in samples), len(samples)).estimate()
    assert found is not None
    error = plain.stdev(samples) / math.sqrt(len(samples))
    assert found.mean == pytest.approx(plain.fmean(samples))
    assert found.se == pytest.approx(error, rel=1e-9, abs=1e-9)
    assert found.low95 == pytest.approx(found.mean - 1.959963984540054 * error, abs=1e-6 * (found.mean + 1))
    assert found.high95 == pytest.approx(found.mean + 1.959963984540054 * error, abs=1e-6 * (found.mean + 1))
    half = found.scaled(0.5)
    assert (half.mean, half.se) == (found.mean / 2, found.se and found.se / 2)


def test_one_sample_has_no_error_and_none_no_mean() -> None:
    assert Sums().estimate() is None
    one = Sums(7, 49, 1).estimate()
    assert one is not None
    assert one.as_dict() == {"mean": 7.0, "se": None, "low95": None, "high95": None}
    assert one.scaled(2).mean == 14
