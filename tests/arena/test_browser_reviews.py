"""The review in the page, in a real browser: from the result, by its graph and by the arrow keys."""

from __future__ import annotations

import pytest

from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]


def test_the_result_leads_to_a_review_whose_graph_leads_to_each_piece(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("person", "blocks"))
    visitor.start()
    visitor.lose()
    page.get_by_role("button", name="Review").click()
    graph = page.locator("#review-graph")
    visitor.until(graph.is_visible, "the graph of the review")
    assert page.locator("#review-page").is_visible(), "the page for later stays"
    frame = page.locator("#tick")
    visitor.press("ArrowRight")
    visitor.sees("Piece 2, accuracy")
    visitor.until(lambda: int(frame.input_value()) > 0, "the second piece")
    second = int(frame.input_value())
    visitor.press("ArrowRight")
    visitor.sees("Piece 3, accuracy")
    visitor.until(lambda: int(frame.input_value()) > second, "the third piece")
    visitor.press("ArrowLeft")
    visitor.until(lambda: int(frame.input_value()) == second, "the second piece again")
    assert visitor.figure(0, "pieces") == 1
    size = graph.bounding_box()
    assert size is not None
    graph.click(position={"x": size["width"] - 3, "y": 10})
    visitor.until(lambda: visitor.figure(0, "pieces") > 8, "the last piece")
    assert str(graph.get_attribute("aria-valuetext")).startswith("Piece ")
    visitor.leave()
