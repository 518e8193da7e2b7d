"""The day's pieces, the ghost and the results in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arena.serving import PACE, Visitor, served, visiting

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]


@pytest.mark.slow
def test_the_day_s_pieces_are_raced_against_the_best_game_so_far(chromium: Any) -> None:
    with served(PACE) as url, visiting(chromium, url) as visitor:
        page = visitor.page
        visitor.sees("the same for everybody")
        assert not page.locator("#results").is_visible()
        visitor.press("5")
        boards = page.locator(".board canvas.field")
        visitor.until(lambda: boards.count() == 1 and not visitor.banner, "the game of the day")
        assert "Your first result of this day." in visitor.lose()
        page.get_by_role("button", name="Rematch").click()
        visitor.until(lambda: boards.count() == 2 and not visitor.banner, "a race against the ghost")
        visitor.until(lambda: visitor.figure(1, "pieces") > 2, "the ghost's pieces")
        assert page.locator(".board h3").all_inner_texts() == ["You \u00b7 Falling blocks", "Ghost"]
        page.reload()
        visitor.until(lambda: boards.count() == 2, "the race again")
        page.get_by_role("button", name="Go on").first.click()
        visitor.until(lambda: not visitor.banner, "the race again")
        result = visitor.lose()
        assert "ghost" in result.partition("\n")[0]
        assert "of this day" in result
        visitor.leave()
        page.locator("#results summary").click()
        visitor.sees("Today's pieces: best score")
        visitor.sees("your best:")


def test_games_against_a_bot_are_counted_and_a_saved_match_is_raced_against(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("person", "blocks"), ("gentle", "blocks"))
    visitor.start()
    assert "Won 0 of 1 against this bot." in visitor.lose()
    visitor.save()
    visitor.leave()
    page.locator("#results summary").click()
    assert page.locator("#results-table tbody tr").inner_text().split("\t")[:3] == [
        "Gentle bot, falling blocks",
        "1",
        "0",
    ]
    page.get_by_role("button", name="Open").click()
    visitor.until(lambda: page.locator("#tick-now").inner_text().startswith("0 of"), "the recorded match")
    page.locator("#replay-side").select_option("1")
    page.get_by_role("button", name="Race").click()
    visitor.until(lambda: not page.locator("#replay").is_visible() and not visitor.banner, "a race")
    visitor.until(lambda: visitor.figure(1, "pieces") > 0, "the ghost's pieces")
    assert page.locator(".board h3").all_inner_texts()[1] == "Ghost"
    visitor.leave()
