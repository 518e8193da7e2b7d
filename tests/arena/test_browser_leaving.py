"""Who leaves a game in a real browser: what is asked before, and what guests are told and offered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

ASKED = "Leave this game?"


@contextmanager
def guest_of(visitor: Visitor, chromium: Any, role: str = "spectator") -> Iterator[Visitor]:
    visitor.page.get_by_role("button", name="Invite").click()
    context = chromium.new_context()
    guest = Visitor(context.new_page())
    guest.page.goto(visitor.link(role))
    guest.until(lambda: guest.page.locator(".board canvas.field").count() > 0, "a board")
    yield guest
    context.close()
    assert guest.faults == []


@pytest.mark.parametrize("way", ["button", "back"])
def test_a_running_game_is_not_left_unasked(visitor: Visitor, way: str) -> None:
    page = visitor.page
    visitor.choose(("person", "blocks"))
    visitor.start()

    def leave() -> None:
        if way == "back":
            page.evaluate("history.back()")
        else:
            page.get_by_role("button", name="Leave", exact=True).click()

    leave()
    visitor.sees(ASKED)
    visitor.until(lambda: visitor.banner == "Paused", "a pause meanwhile")
    page.get_by_role("button", name="Stay").click()
    visitor.until(lambda: not visitor.banner, "the game again")
    leave()
    visitor.sees(ASKED)
    visitor.press("Escape")
    visitor.until(lambda: not visitor.banner and ASKED not in visitor.text, "the game again")
    leave()
    visitor.sees(ASKED)
    page.get_by_role("button", name="Leave the game").click()
    visitor.until(lambda: page.locator("#start").is_visible(), "the start screen")
    visitor.start()
    visitor.lose()
    leave()
    visitor.until(lambda: page.locator("#start").is_visible(), "the start screen: there is nothing to lose")
    assert ASKED not in visitor.text


def test_guests_are_told_that_the_owner_has_left(visitor: Visitor, chromium: Any) -> None:
    visitor.choose(("gentle", "blocks"), ("gentle", "pairs"))
    visitor.start()
    with guest_of(visitor, chromium) as guest:
        visitor.leave()
        guest.until(lambda: guest.banner == "The game has ended", "that the game has ended")
        guest.sees("This page shows the next game")
        visitor.start()
        guest.until(lambda: not guest.banner and guest.figure(0, "pieces") > 0, "the next game")


def test_guests_see_no_buttons_that_are_not_theirs(visitor: Visitor, chromium: Any) -> None:
    """Also where a recorded match is shown."""
    page = visitor.page
    visitor.choose(("middle", "blocks"))
    visitor.start()
    with guest_of(visitor, chromium) as guest:
        visitor.save()
        visitor.leave()
        assert not page.locator("#notice").inner_text(), "a notice goes with its match"
        page.get_by_role("button", name="Open").click()
        visitor.until(lambda: page.locator("#tick-now").inner_text().startswith("0 of"), "the recorded match")
        guest.until(lambda: guest.figure(0, "pieces") == 0 and not guest.banner, "the recorded match")
        ours = "[...document.querySelectorAll('main button, main input')]"
        shown = f"() => {ours}.filter(one => one.checkVisibility()).length"
        assert guest.page.evaluate(shown) == 0
        assert page.evaluate(shown) > 5


def test_a_link_for_guests_is_copied(visitor: Visitor) -> None:
    page = visitor.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.choose(("person", "blocks"))
    visitor.start()
    page.get_by_role("button", name="Invite").click()
    link = visitor.link("spectator")
    assert link.startswith("http")
    page.get_by_role("button", name="Copy: To watch").click()
    visitor.sees("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_who_opens_a_saved_match_as_soon_as_a_game_is_left_gets_it(visitor: Visitor) -> None:
    """The bot behind the cards would begin when the server says that the game is left."""
    page = visitor.page
    visitor.choose(("person", "blocks"))
    visitor.start()
    visitor.lose()
    visitor.save()
    visitor.leave()
    visitor.until(lambda: page.locator("#open-replay").is_visible(), "the saved match")
    visitor.start()
    visitor.lose()
    page.evaluate("for (const id of ['leave', 'open-replay']) document.getElementById(id).click()")
    visitor.until(lambda: page.locator("#tick-now").inner_text().startswith("0 of"), "the recorded match", 20)
    page.wait_for_timeout(500)
    assert page.locator("#replay").is_visible()
    visitor.leave()
    visitor.until(lambda: page.locator("#demo canvas.field").count() == 1, "the bot behind the cards")
