"""A browser at an arena, for the tests that use one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.arena.serving import PACE, Visitor, browser, served


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def arena(chromium: Any) -> Iterator[str]:
    with served(PACE) as url:
        yield url


@pytest.fixture
def visitor(chromium: Any, arena: str) -> Iterator[Visitor]:
    """Somebody who has opened the page; nothing may be logged as an error by its end."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    made = Visitor(context.new_page())
    made.page.goto(arena)
    made.until(lambda: made.page.locator("#start").is_visible(), "the start screen")
    yield made
    context.close()
    assert not made.faults
