"""Matches in a real browser: each kind is chosen, played to its end by keys, and played again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.arena.serving import LEAVE_THE_TAB, PACE, Visitor, for_long, served, visiting
from tests.games.test_third_family import install

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

NOTE_GARBAGE = """() => {
    globalThis.most = 0;
    const show = arena.match.onFrame;
    arena.match.onFrame = (frame) => {
        most = Math.max(most, ...frame.boards.map((board) => board.garbage));
        show.call(arena.match, frame);
    };
}"""
NOTE_CHAINS = """() => {
    globalThis.longest = 0;
    const show = arena.match.onFrame;
    arena.match.onFrame = (frame) => {
        longest = Math.max(longest, frame.boards[1].count);
        show.call(arena.match, frame);
    };
}"""


@pytest.mark.parametrize("game", ["blocks", for_long("blocks-pal"), "pairs"])
def test_alone(visitor: Visitor, game: str) -> None:
    visitor.choose(("person", game))
    visitor.start()
    visitor.hold("ArrowDown")
    assert "Game over" in visitor.result()
    assert visitor.figure(0, "pieces") >= 5


@pytest.mark.parametrize(("left", "right"), [("blocks", "blocks"), ("pairs", "pairs"), ("pairs", "blocks")])
def test_two_people_at_one_keyboard(visitor: Visitor, left: str, right: str) -> None:
    """The left one only drops, the right one waits: the left one loses, in every game."""
    visitor.choose(("person", left), ("person", right))
    visitor.start()
    visitor.hold("s")
    assert "Player 2" in visitor.result().partition(" has won")[0]


@pytest.mark.parametrize(("mine", "its"), [for_long("blocks", "blocks"), ("pairs", "pairs"), ("pairs", "blocks")])
def test_the_full_bot_beats_who_only_drops(visitor: Visitor, mine: str, its: str) -> None:
    visitor.choose(("person", mine), ("full", its))
    visitor.start()
    visitor.hold("ArrowDown")
    assert "Full bot" in visitor.result().partition(" has won")[0]


@pytest.mark.slow
def test_the_result_names_the_longest_chain(visitor: Visitor) -> None:
    """Of all that were seen; the last one is over by then."""
    visitor.choose(("gentle", "pairs"), ("full", "pairs"))
    visitor.page.locator("#pace").select_option("10")
    visitor.page.evaluate(NOTE_CHAINS)
    visitor.start()
    longest = int(visitor.result().rpartition("longest chain ")[2].split()[0])
    assert longest >= visitor.page.evaluate("longest") >= 2


# The tick of the first board, and of the first one of each side whose piece is elsewhere than straight below its start.
NOTE_FIRST_MOVES = """() => {
    globalThis.first = { shown: null, moved: [] };
    const [shapes, show] = [[], arena.match.onFrame];
    arena.match.onFrame = (frame) => {
        show.call(arena.match, frame);
        first.shown ??= frame.tick;
        frame.boards.forEach(({ air }, side) => {
            const top = Math.min(...air.map((cell) => cell.row));
            const shape = air.map((cell) => [cell.row - top, cell.column].join()).sort().join(" ");
            shapes[side] ??= shape;
            if (shape && shape !== shapes[side]) first.moved[side] ??= frame.tick;
        });
    };
}"""
PERSON_AT_MOST, BOT_AT_MOST = 120, 300  # frames


def test_two_bots(visitor: Visitor) -> None:
    visitor.choose(("gentle", "blocks"), ("full", "blocks"), level="18")
    visitor.start()
    assert "Full bot" in visitor.result().partition(" has won")[0]


@pytest.mark.parametrize("mode", ["free", for_long("easy"), for_long("hard"), "extreme", "arcade"])
def test_taking_turns_with_the_bot(visitor: Visitor, mode: str) -> None:
    """Only dropping loses to the bot, in each mode."""
    visitor.choose(("person", "pairs"), ("full", "pairs"))
    visitor.page.locator("#mode").select_option(mode)
    visitor.start()
    visitor.sees("Your turn")
    visitor.hold("ArrowDown")
    visitor.until(lambda: visitor.figure(1, "pieces") >= 1, "the bot's first piece")
    while not visitor.page.get_by_role("button", name="Rematch").is_visible():
        visitor.release("ArrowDown")
        visitor.hold("ArrowDown")
        visitor.page.wait_for_timeout(30)
    assert "Full bot" in visitor.result().partition(" has won")[0]


@pytest.mark.slow
def test_a_match_in_real_time(chromium: Any) -> None:
    """At a console's own pace; a match of two bots at level 18 takes a minute."""
    with served(1.0) as url, visiting(chromium, url) as visitor:
        visitor.choose(("person", "blocks"), ("full", "blocks"), level="18")
        visitor.start()
        begun = time.monotonic()
        visitor.hold("ArrowDown")
        assert "Full bot" in visitor.result().partition(" has won")[0]
        assert visitor.figure(0, "pieces") >= 5
        assert time.monotonic() - begun > 3  # nobody fills a field faster at this pace


def test_a_person_beats_the_gentlest_bot(chromium: Any) -> None:
    """By putting pieces left and right, where the bot is too slow to put them; what the page shows tells when."""
    with served(3.0) as url, visiting(chromium, url) as visitor:  # a busy machine shows each piece in time to move it
        visitor.choose(("person", "blocks"), ("gentle", "blocks"), level="18")
        visitor.start()
        pieces = -1
        sides = ["ArrowLeft", "ArrowRight"]
        while not visitor.page.get_by_role("button", name="Rematch").is_visible():
            if visitor.figure(0, "pieces") != pieces:
                pieces = visitor.figure(0, "pieces")
                visitor.release(sides[0])
                sides.reverse()
                visitor.hold(sides[0])
        assert "You have won" in visitor.result()


def test_the_show_plays_as_fast_as_the_bot_can(visitor: Visitor) -> None:
    visitor.choose(("middle", "blocks"))
    visitor.page.locator("#pace").select_option("0")
    visitor.start()
    visitor.sees("pieces a second")
    visitor.until(lambda: visitor.figure(0, "pieces") > 200, "hundreds of pieces")
    assert "evaluations a second" in visitor.text


def test_a_match_is_saved_and_gone_through_again(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("middle", "blocks"), ("strong", "pairs"), level="9")
    visitor.start()
    visitor.until(lambda: visitor.figure(0, "pieces") >= 4, "four pieces")
    visitor.save()
    visitor.leave()
    who = "the middle bot (falling blocks) against the strong bot (pairs)"
    visitor.until(lambda: who in page.locator("#replay-name").inner_html(), "who met")
    page.get_by_role("button", name="Open").click()
    visitor.until(lambda: page.locator("#tick-now").inner_text().startswith("0 of"), "the first frame")
    assert page.locator("#match-keys").inner_text() == "P play or stop", "no keys for moving"
    for name in ("Save", "Explain the bot"):
        assert not page.get_by_role("button", name=name).is_visible()
    page.get_by_role("button", name="Next piece").click()
    page.get_by_role("button", name="Next piece").click()
    visitor.until(lambda: visitor.figure(0, "pieces") == 2, "the third piece")
    page.get_by_role("button", name="+ 1 frame").click()
    page.get_by_role("button", name="− 1 frame").click()
    page.get_by_role("button", name="What would the bot do?").click()
    visitor.until(lambda: page.locator(".insight tr.chosen").count() == 1, "advice")
    page.get_by_role("button", name="Play / stop").click()
    visitor.until(lambda: visitor.figure(0, "pieces") >= 4, "the end")
    page.get_by_role("button", name="Review", exact=True).click()
    visitor.sees("Keep the review")
    with page.expect_download() as download:
        page.locator("#review-page").click()
    assert "Accuracy" in Path(download.value.path()).read_text(encoding="utf-8")


def test_a_rematch_and_the_way_back(visitor: Visitor) -> None:
    visitor.choose(("person", "pairs"))
    visitor.start()
    visitor.lose()
    visitor.press("Enter")  # the button of the rematch has the focus
    visitor.until(lambda: not visitor.banner, "a second game")
    assert visitor.figure(0, "pieces") <= 3
    visitor.hold("ArrowDown")
    visitor.result()
    visitor.page.get_by_role("button", name="Back").click()
    visitor.sees("Who plays?")


def test_pause_by_key_and_by_leaving_the_tab(visitor: Visitor) -> None:
    visitor.choose(("person", "blocks"))
    visitor.start()
    visitor.press("p")
    visitor.sees("Paused")
    pieces = visitor.figure(0, "pieces")
    visitor.hold("ArrowDown")
    visitor.page.wait_for_timeout(1500 / PACE + 300)
    assert visitor.figure(0, "pieces") == pieces
    visitor.release("ArrowDown")
    visitor.press("p")
    visitor.until(lambda: not visitor.banner, "the game again")
    visitor.page.evaluate(LEAVE_THE_TAB)
    visitor.sees("Paused")


def test_a_page_that_is_loaded_again_has_its_match_again(visitor: Visitor) -> None:
    visitor.choose(("person", "blocks"), ("easy", "blocks"))
    visitor.start()
    visitor.hold("ArrowDown")
    visitor.until(lambda: visitor.figure(0, "pieces") >= 2, "two pieces")
    visitor.page.reload()
    visitor.sees("Paused")
    assert visitor.figure(0, "pieces") >= 2
    visitor.page.get_by_role("button", name="Go on").first.click()
    visitor.until(lambda: not visitor.banner, "the game again")


def test_a_game_that_is_over_and_saved_is_still_over_when_the_page_is_loaded_again(visitor: Visitor) -> None:
    visitor.choose(("person", "pairs"))
    visitor.start()
    visitor.hold("ArrowDown")
    before = visitor.result()
    visitor.release("ArrowDown")
    visitor.save()
    visitor.page.reload()
    assert visitor.result() == before
    visitor.page.get_by_role("button", name="Rematch").click()
    visitor.until(lambda: not visitor.banner, "a second game")


def test_a_person_meets_the_bot_with_capsules(visitor: Visitor) -> None:
    visitor.choose(("person", "capsules"), ("full", "capsules"), level="9")
    visitor.start()
    visitor.hold("ArrowDown")
    assert "Full bot" in visitor.result().partition(" has won")[0]
    visitor.release("ArrowDown")


def test_two_bots_meet_with_capsules(visitor: Visitor) -> None:
    """Whoever clears all targets of the stage wins."""
    visitor.choose(("gentle", "capsules"), ("full", "capsules"))
    visitor.start()
    assert "Full bot" in visitor.result().partition(" has won")[0]


@pytest.mark.parametrize("other", ["blocks", for_long("pairs"), for_long("columns")])
def test_capsules_meet_another_game(visitor: Visitor, other: str) -> None:
    """What one side clears falls on the other one."""
    visitor.choose(("strong", "capsules"), ("gentle", other), level="9")
    visitor.page.evaluate(NOTE_GARBAGE)
    visitor.start()
    assert "Strong bot" in visitor.result().partition(" has won")[0]
    assert visitor.page.evaluate("most") > 0


def test_a_game_of_an_installed_family_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Any
) -> None:
    install(tmp_path, monkeypatch, "tests.games.toy_family.family:GAME")
    with served(PACE) as url, visiting(chromium, url) as visitor:
        offered = visitor.page.locator("#emulator-options")
        visitor.until(lambda: "Demo cartridge: numbers" in offered.inner_html(), "its demo")
        visitor.choose(("person", "numbers"), ("full", "numbers"), level="3")
        visitor.start()
        visitor.hold("ArrowDown")
        assert "Full bot" in visitor.result().partition(" has won")[0]
        assert "numbers" in visitor.page.locator("#over-boards").inner_text(), "its own word for a piece"


def test_an_arena_that_has_compiled_nothing_lets_a_person_and_a_bot_play_at_once(tmp_path: Path, chromium: Any) -> None:
    """Counted in frames, which take four times as long as a console's, so that a busy machine has time for them."""
    with served(0.25, tmp_path) as url, visiting(chromium, url) as visitor:
        visitor.choose(("person", "blocks"), ("full", "blocks"))
        visitor.page.evaluate(NOTE_FIRST_MOVES)
        visitor.page.locator("#go").click()
        visitor.until(lambda: visitor.page.evaluate("first.shown") is not None, "a board")
        visitor.hold("ArrowLeft")
        visitor.until(lambda: visitor.page.evaluate("first.moved.filter(Number.isInteger).length") > 1, "moves")
        shown, (person, bot) = (visitor.page.evaluate(f"first.{name}") for name in ("shown", "moved"))
        assert person - shown <= PERSON_AT_MOST
        assert bot - shown <= BOT_AT_MOST
        visitor.sees("two pieces deep: nothing is compiled in the background")
    assert not list(tmp_path.rglob("*.nbc")), "nothing was compiled"
