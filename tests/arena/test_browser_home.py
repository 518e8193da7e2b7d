"""The first screen in a real browser: a bot plays behind four cards, and each card is a game at one click or key."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

BOARDS = {"play": ["You"], "beat": ["You", "Easy bot"], "watch": ["Full bot", "Full bot"]}


def has_demo(visitor: Visitor) -> bool:
    return bool(visitor.page.locator("#demo canvas.field").count() == 1)


@pytest.mark.parametrize(("card", "key"), [("play", "1"), ("beat", "2"), ("watch", "3")])
@pytest.mark.parametrize("way", ["click", "key"])
def test_a_card_begins_a_game(visitor: Visitor, card: str, key: str, way: str) -> None:
    visitor.until(lambda: has_demo(visitor), "a bot that plays")
    if way == "click":
        visitor.page.locator(f"#card-{card}").click()
    else:
        visitor.press(key)
    count = len(BOARDS[card])
    visitor.until(lambda: visitor.page.locator(".board canvas.field").count() == count and not visitor.banner, "a game")
    titles = [title.partition(" · ")[0] for title in visitor.page.locator(".board h3").all_inner_texts()]
    assert titles == BOARDS[card]
    visitor.leave()
    visitor.until(lambda: has_demo(visitor), "the bot again")


def test_a_card_leads_to_the_trainings(visitor: Visitor) -> None:
    visitor.press("4")
    visitor.until(lambda: visitor.page.locator("#train").is_visible(), "the form of trainings")
    assert not has_demo(visitor)
    visitor.page.get_by_role("tab", name="Play here").click()
    visitor.until(lambda: has_demo(visitor), "a bot that plays")


def test_keys_of_the_form_begin_nothing(visitor: Visitor) -> None:
    visitor.choose(("person", "blocks"))
    visitor.page.locator("#seed").press_sequentially("1234")
    assert visitor.page.locator("#seed").input_value() == "1234"
    assert visitor.page.locator("#start").is_visible()


def test_nothing_plays_behind_the_cards_where_motion_is_not_wanted(chromium: Any, arena: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    visitor = Visitor(context.new_page())
    visitor.page.goto(arena)
    visitor.until(lambda: visitor.page.locator("#card-play").is_visible(), "the cards")
    time.sleep(1)
    assert not has_demo(visitor)
    context.close()
    assert visitor.faults == []


def test_the_cards_are_for_the_game_that_was_chosen_last(visitor: Visitor) -> None:
    page = visitor.page
    page.locator("#home-game").select_option("columns")
    page.locator("#card-beat").click()
    titles = page.locator(".board h3")
    visitor.until(lambda: titles.count() == 2, "the game")
    assert titles.all_inner_texts() == ["You \u00b7 Columns of three", "Easy bot \u00b7 Columns of three"]
    visitor.until(lambda: not visitor.banner, "its begin")
    visitor.leave()
    page.reload()
    visitor.until(lambda: page.locator("#home-game").input_value() == "columns", "the last choice")
    page.locator("#home-game").select_option("blocks")
