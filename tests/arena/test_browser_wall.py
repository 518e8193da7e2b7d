"""A wall of bots in a real browser: boards, a table that grows, and nothing to scroll for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

HIGHEST = (
    "Math.max(...[...document.querySelectorAll('#wall-boards .board')].map(one => one.getBoundingClientRect().bottom))"
)


@pytest.fixture
def former(visitor: Visitor) -> Iterator[Visitor]:
    """Somebody at the form of walls; the wall is left at the end."""
    visitor.page.get_by_role("tab", name="Wall of bots").click()
    visitor.until(lambda: visitor.page.locator("#wall-shipped").is_enabled(), "whose weights there are")
    yield visitor
    if visitor.page.locator("#wall").is_visible():
        leave(visitor)


def leave(visitor: Visitor) -> None:
    visitor.page.locator("#wall-leave").click()
    visitor.page.get_by_role("button", name="Leave the game").click()
    visitor.until(lambda: visitor.page.locator("#wall-form").is_visible(), "the form of walls again")


def games(visitor: Visitor) -> int:
    """How many games the table has counted."""
    return sum(map(int, visitor.page.locator("#wall-table tbody td:nth-of-type(1)").all_inner_texts()))


def begin(visitor: Visitor, *names: str, pieces: str = "100", meet: bool = False) -> None:
    """Choose who plays, each on a board, by the keys alone, and start."""
    page = visitor.page
    page.locator("#wall-pieces").select_option(pieces)
    if page.locator("#panel-wall details").get_attribute("open") is None:
        page.locator("#panel-wall summary").press("Enter")
    for place in range(16):
        name = f"weights:{names[place]}" if place < len(names) else ""
        page.get_by_label(f"Board {place + 1}: weights").select_option(name)
    if page.locator("#wall-meet").is_checked() != meet:
        page.locator("#wall-meet").press(" ")
    page.locator("#wall-go").press("Enter")
    boards = 16 if meet else len(names)
    visitor.until(lambda: page.locator("#wall-boards canvas.field").count() == boards, "the boards")


def test_a_wall_plays_and_its_table_grows(former: Visitor) -> None:
    page = former.page
    begin(former, "random", "lowest", "pso")
    former.until(lambda: games(former) > 1, "results")
    assert "All get the same pieces" in page.locator("#wall-table caption").inner_text()
    assert set(page.locator("#wall-table tbody th").all_inner_texts()) == {"random", "lowest", "pso"}
    assert page.locator("#wall-boards h3").filter(has_text="★").count() == 1
    former.press("p")
    former.until(lambda: page.locator("#wall-pause").inner_text() == "Go on", "a pause")
    shown = page.locator("#wall-boards .tiny").all_inner_texts()
    former.press("p")
    former.until(lambda: page.locator("#wall-boards .tiny").all_inner_texts() != shown, "the wall again")
    page.evaluate("history.back()")
    former.sees("Leave this game?")
    page.get_by_role("button", name="Stay").click()
    assert page.locator("#wall").is_visible()
    leave(former)
    former.page.get_by_role("tab", name="Play here").click()
    former.until(lambda: page.locator("#demo canvas.field").count() == 1, "the bot behind the cards")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390), (1920, 1080)])
def test_sixteen_boards_fit_without_scrolling(former: Visitor, size: tuple[int, int]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = former.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator("#wall-shipped").click()
    former.until(lambda: page.locator("#wall-boards canvas.field").count() == 16, "the boards")
    former.until(lambda: games(former) > 0, "a result")
    assert page.evaluate(HIGHEST) <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert Axe().run(page).response["violations"] == []


@pytest.mark.slow
def test_a_tournament_has_a_cross_table(former: Visitor) -> None:
    page = former.page
    begin(former, "random", "pso", "lowest", meet=True)
    former.until(lambda: page.locator("#wall-table tbody tr").count() == 3, "the table")
    head = page.locator("#wall-table thead th").all_inner_texts()
    assert head == ["bot", "won", "1", "2", "3"]
    former.until(lambda: "/" in page.locator("#wall-table tbody").inner_text(), "a match that has ended")
    assert page.locator("#wall-table tbody th").first.inner_text().startswith("1 ")


@pytest.mark.slow
def test_a_guest_watches_a_wall_and_orders_nothing(former: Visitor, chromium: object) -> None:
    page = former.page
    page.get_by_role("tab", name="Play here").click()
    former.choose(("middle", "blocks"))
    former.start()
    page.get_by_role("button", name="Invite").click()
    link = former.link("spectator")
    former.leave()
    page.get_by_role("tab", name="Wall of bots").click()
    begin(former, "random", "pso")
    former.until(lambda: games(former) > 0, "a result")
    context = chromium.new_context()  # type: ignore[attr-defined]
    guest = Visitor(context.new_page())
    guest.page.goto(link)
    guest.until(lambda: guest.page.locator("#wall-boards canvas.field").count() == 2 and games(guest) > 0, "the wall")
    assert not guest.page.locator("#wall-pause").is_visible()
    assert not guest.page.locator("#wall-leave").is_visible()
    leave(former)
    guest.sees("The wall has ended")
    context.close()
    assert guest.faults == []
