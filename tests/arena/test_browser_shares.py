"""A match as files in a real browser: an animated picture, a film, a match that is dropped onto the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.arena import day
from emubot.arena.match import ArenaMatch
from tests.arena.playing import begin, drop
from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

DROP = """([name, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], name, { type: "application/json" }));
    for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
}"""


@pytest.fixture(scope="module")
def recorded() -> str:
    match = begin(ArenaMatch(day.game_of("2026-03-05"), day.seed_of("2026-03-05")))
    drop(match, 0, 600)
    return match.replay().model_dump_json()


def kept(visitor: Visitor, place: str) -> tuple[str, bytes]:
    """Click the link of a file; returns its name and content."""
    link = visitor.page.locator(f"#{place} a")
    visitor.until(link.is_visible, "a file")
    with visitor.page.expect_download() as download:
        link.click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.mark.slow
def test_the_result_is_kept_as_picture_and_film(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("person", "blocks"), ("gentle", "pairs"))
    visitor.start()
    visitor.lose()
    page.get_by_role("button", name="GIF").click()
    visitor.sees("being drawn")
    name, content = kept(visitor, "banner-files")
    assert (name, content[:6]) == ("match.gif", b"GIF89a")
    page.get_by_role("button", name="WebM").click()
    visitor.until(lambda: not page.locator("#over-boards").is_visible(), "the last seconds again")
    name, content = kept(visitor, "banner-files")
    assert (name, content[:4]) == ("match.webm", b"\x1aE\xdf\xa3")
    assert len(content) > 5_000
    page.get_by_role("button", name="Rematch").click()
    visitor.until(lambda: not visitor.banner, "the next game")
    visitor.leave()


@pytest.mark.parametrize("way", ["drop", "choose"])
def test_a_match_that_is_brought_is_opened_and_kept_as_files(visitor: Visitor, recorded: str, way: str) -> None:
    page = visitor.page
    if way == "drop":
        page.evaluate(DROP, ["my best.match.json", recorded])
    else:
        with page.expect_file_chooser() as chooser:
            page.locator("#open-file").focus()
            visitor.press("Enter")
        chooser.value.set_files(
            {"name": "my best.match.json", "mimeType": "application/json", "buffer": recorded.encode()}
        )
    visitor.until(lambda: page.locator("#tick-now").inner_text().startswith("0 of"), "the brought match")
    page.get_by_role("button", name="WebM").click()
    visitor.until(lambda: visitor.figure(0, "pieces") > 0, "the match as it runs")
    page.get_by_role("button", name="End of the film").click()
    name, content = kept(visitor, "replay-files")
    assert (name, content[:4]) == ("match.webm", b"\x1aE\xdf\xa3")
    page.get_by_role("button", name="GIF").click()
    name, content = kept(visitor, "replay-files")
    assert name.startswith("my best")
    assert content[:6] == b"GIF89a"
    visitor.leave()
    visitor.until(lambda: "my best" in page.locator("#replay-name").inner_text(), "the match in the list")


def test_what_is_no_match_is_refused_in_a_sentence(visitor: Visitor) -> None:
    visitor.page.evaluate(DROP, ["x.json", "{}"])
    visitor.sees("This file is no recorded match")
    assert visitor.page.locator("#start").is_visible()
    assert len(visitor.faults) == 1, "the browser itself notes an answer of 422"
    visitor.faults.clear()


def test_no_file_takes_the_place_of_a_game_that_runs(visitor: Visitor, recorded: str) -> None:
    visitor.choose(("person", "blocks"))
    visitor.start()
    visitor.page.evaluate(DROP, ["a.match.json", recorded])
    visitor.page.wait_for_timeout(300)
    assert not visitor.page.locator("#replay").is_visible()
    visitor.leave()


def test_links_are_qr_codes_where_phones_can_follow_them(visitor: Visitor) -> None:
    shown = """async (words) => {
        const { showInvitations } = await import("/invitations.js");
        showInvitations({ player: "http://10.0.0.2/#a", spectator: "b", overlay: "c", ...words });
        return document.querySelectorAll("#invitations img").length;
    }"""
    picture = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E"
    assert visitor.page.evaluate(shown, {"pictures": {"player": picture}, "instead": ""}) == 1
    assert visitor.page.evaluate(shown, {"pictures": {}, "instead": "Install segno."}) == 0
    assert "Install segno." in str(visitor.page.locator("#invitations").text_content())
