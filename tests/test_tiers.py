"""Some cases of a test are quick, and none is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import quickest

TESTS = """
import pytest

@pytest.mark.few(2)
@pytest.mark.parametrize("number", [0, 1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_it(number): print(f"number {number}.")

@pytest.mark.few(3)
@pytest.mark.parametrize("number", [5])
def test_that(number): print(f"number {number}.")
"""
CONFTEST = """
import pytest
from tests.tiers import keep_few

@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items):
    keep_few(items)
    return (yield)
"""


@pytest.mark.parametrize(("count", "few"), [(1, 1), (1, 5), (5, 1), (5, 2), (6, 3), (140, 28), (7, 6)])
def test_as_many_as_are_asked_for_the_first_among_them_and_spread(count: int, few: int) -> None:
    places = sorted(quickest(count, few))
    assert len(places) == min(count, few)
    assert places[0] == 0
    gaps = {later - earlier for earlier, later in zip(places, [*places[1:], count], strict=True)}
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize(("which", "numbers"), [("not slow", {0, 2, 5}), ("slow", {1, 3, 4})])
def test_every_case_is_quick_or_slow(which: str, numbers: set[int], tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  few\n  slow\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        "-m",
        which,
        f"--rootdir={tmp_path}",
    ]
    ran = subprocess.run([*command, tmp_path], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert {number for number in range(6) if f"number {number}." in ran.stdout} == numbers
