"""Playing on from a saved match, in a real browser: from the frame that is shown, against a bot of choice."""

from __future__ import annotations

import pytest

from tests.arena.serving import Visitor

KEEP_FRAMES = """() => {
    const show = arena.match.onFrame;
    arena.match.onFrame = (frame) => { globalThis.shown = frame.boards; show.call(arena.match, frame); };
}"""

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]


@pytest.mark.slow
def test_a_saved_match_goes_on_from_the_frame_that_is_shown_and_the_saved_game_is_whole(visitor: Visitor) -> None:
    page = visitor.page
    page.evaluate(KEEP_FRAMES)
    visitor.choose(("person", "blocks"), ("gentle", "blocks"))
    visitor.start()
    visitor.lose()
    visitor.save()
    visitor.leave()
    results = page.locator("#results-table tbody")
    before = results.inner_text()
    page.get_by_role("button", name="Open").click()
    now = page.locator("#tick-now")
    visitor.until(lambda: now.inner_text().startswith("0 of"), "the recorded match")
    for _ in range(4):
        page.get_by_role("button", name="Next piece").click()
        page.wait_for_timeout(50)
    visitor.until(lambda: visitor.figure(0, "pieces") == 4, "the fifth piece")
    frame, cells = int(page.locator("#tick").input_value()), boards(visitor)
    page.locator("#play-on-bot").select_option("full")
    page.get_by_role("button", name="Play on from here").click()
    visitor.until(lambda: page.locator("#banner").inner_text().startswith("Ready"), "the countdown")
    assert boards(visitor) == cells, "the game stands where the saved one stood"
    assert page.locator(".board h3").all_inner_texts() == [
        "You \u00b7 Falling blocks",
        "Full bot \u00b7 Falling blocks",
    ]
    visitor.until(lambda: not visitor.banner, "the game")
    assert "Not counted: the game went on from a saved one." in visitor.lose()
    page.get_by_role("button", name="Review").click()
    visitor.until(lambda: " of " in now.inner_text(), "the whole game")
    page.locator("#tick").fill(str(frame))
    visitor.until(lambda: now.inner_text().startswith(f"{frame} of"), "the frame of before")
    visitor.until(lambda: boards(visitor) == cells, "what was there before")
    page.locator("#tick").fill(str(page.locator("#tick").get_attribute("max")))
    visitor.until(lambda: page.get_by_role("button", name="Play on from here").is_disabled(), "no game to go on with")
    visitor.leave()
    assert results.inner_text() == before


def boards(visitor: Visitor) -> list[list[int]]:
    """The cells of both boards."""
    return list(visitor.page.evaluate("shown.map((board) => [...board.cells])"))
