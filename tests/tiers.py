"""Which cases of a test are quick: all, or of a test that is marked `few` some, spread evenly over them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest


def keep_few(items: Iterable[pytest.Function]) -> None:
    """Mark all but N cases of a test with the marker `few(N)` as slow, beside those that are slow by themselves."""
    tests: dict[tuple[Path, str, int], list[pytest.Function]] = defaultdict(list)
    for item in items:
        marker = item.get_closest_marker("few")
        if marker is not None and item.get_closest_marker("slow") is None:
            tests[item.path, item.originalname, marker.args[0]].append(item)
    for (_, _, number), cases in tests.items():
        for place in set(range(len(cases))) - quickest(len(cases), number):
            cases[place].add_marker(pytest.mark.slow)


def quickest(count: int, few: int) -> set[int]:
    """Returns up to `few` of the places 0 to `count` - 1, the first one among them, as far apart as they can be."""
    return {place for place in range(count) if place * few // count != (place - 1) * few // count}
