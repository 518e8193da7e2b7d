"""The list of guards: each one's text and test are still there, so that it can be tried without its guard."""

from __future__ import annotations

import re

import pytest

from benchmarks.guards import GUARDS, Guard
from tests.paths import ROOT


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: str(guard.name))
def test_a_guard_and_its_test_are_where_the_list_says(guard: Guard) -> None:
    assert (ROOT / guard.file).read_text(encoding="utf-8").count(guard.text) == 1
    file, *functions = guard.test.split("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert all(re.search(rf"def {function.partition('[')[0]}\b", text) for function in functions)
