"""The bar between two boards in a real browser."""

from __future__ import annotations

import re

import pytest

from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]


def test_a_bar_between_the_boards_tells_who_is_ahead(visitor: Visitor) -> None:
    page, bar = visitor.page, visitor.page.locator("#odds")
    visitor.choose(("gentle", "blocks"), ("gentle", "pairs"))
    visitor.start()
    visitor.until(bar.is_visible, "the bar")
    words = re.fullmatch(
        r"Gentle bot · Falling blocks (\d+) %, Gentle bot · Pairs (\d+) %", bar.get_attribute("aria-valuetext")
    )
    assert words is not None
    assert int(words[1]) + int(words[2]) == 100
    left, right = (page.locator(".board").nth(side).bounding_box() for side in (0, 1))
    place = bar.bounding_box()
    assert left["x"] + left["width"] <= place["x"]
    assert place["x"] + place["width"] <= right["x"]
    figure = page.locator(".odds-text").bounding_box()
    assert figure["x"] + figure["width"] <= place["x"] + place["width"] + 0.5, "a replay has no room on the right"
    page.get_by_role("button", name="Settings").click()
    page.locator("#set-odds").uncheck()
    page.keyboard.press("Escape")
    visitor.until(lambda: not bar.is_visible(), "no bar")


def test_nobody_is_ahead_alone(visitor: Visitor) -> None:
    visitor.choose(("gentle", "columns"))
    visitor.start()
    visitor.until(lambda: visitor.figure(0, "pieces") > 1, "two pieces")
    assert visitor.page.locator("#odds").count() == 0
