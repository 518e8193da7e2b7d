"""docs/explanation/architecture.md shows the house as it is."""

from __future__ import annotations

import pytest

from docs.draw_architecture import PAGE, PICTURE, page, picture, reduced

pytestmark = pytest.mark.xdist_group("layers")  # each source is parsed once

REMEDY = "after a change of rooms or imports: python docs/draw_architecture.py"


def test_the_picture_is_drawn_from_the_imports() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), REMEDY


def test_the_tables_are_the_first_lines_of_the_rooms() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, REMEDY


def test_imports_that_follow_from_others_are_not_drawn() -> None:
    edges = {("cli", "pilot"), ("pilot", "games"), ("cli", "games"), ("games", "pad"), ("cli", "pad"), ("view", "pad")}
    assert reduced(edges) == {("cli", "pilot"), ("pilot", "games"), ("games", "pad"), ("view", "pad")}
