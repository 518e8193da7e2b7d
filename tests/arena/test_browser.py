"""The page in a real browser: settings, explanations, sessions, trainings, guests, and who may see it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from emubot.cli.browser import page_to
from tests.arena.serving import LEAVE_THE_TAB, PACE, Visitor, for_long

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

# After each picture: is what explains the bot of the piece that is shown?
NOTE_EXPLANATIONS = """() => {
    globalThis.seen = { right: 0, wrong: 0 };
    let [told, shown] = [null, null];
    const [explain, show] = [arena.match.onInsight, arena.match.onFrame];
    arena.match.onInsight = (words) => { told = words.piece; explain.call(arena.match, words); };
    arena.match.onFrame = (frame) => {
        const [board] = frame.boards;
        shown = board.pieces - (board.inControl ? 0 : 1); // a piece is shown until the next one comes
        show.call(arena.match, frame);
    };
    const look = () => {
        requestAnimationFrame(look);
        const table = document.querySelector(".insight table");
        if (!table || getComputedStyle(table).visibility !== "visible") return;
        if (told === shown) seen.right += 1;
        else seen.wrong += 1;
    };
    requestAnimationFrame(look);
}"""
# A page whose clock is ahead of the others'.
HURRY = """() => {
    const later = setTimeout;
    globalThis.setTimeout = (act, wait) => later(act, wait / 2);
}"""
# What is needed to play, what of it lies outside the screen, and whether boards overlap.
FIT = """() => {
    const shown = [...document.querySelectorAll(".board h3, .board canvas, .board dd, #touch button, #pause, #leave")];
    const outside = shown.filter((one) => {
        const { left, top, right, bottom, width } = one.getBoundingClientRect();
        return width === 0 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    });
    const boards = [...document.querySelectorAll(".board")].map((one) => one.getBoundingClientRect());
    const fields = [...document.querySelectorAll(".board canvas.field")];
    return {
        shown: shown.length, outside: outside.map((one) => one.outerHTML),
        overlap: boards.length > 1 && boards[0].right > boards[1].left,
        height: Math.min(...fields.map((one) => one.clientHeight / innerHeight)),
        scrolled: scrollY,
    };
}"""

# What would be painted behind the boards of a stream, and what lies outside of it.
OVER_NOTHING = """() => ({
    backgrounds: [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor),
    scheme: getComputedStyle(document.documentElement).colorScheme,
    outside: [...document.querySelectorAll("canvas, dd")].filter((one) => {
        const { right, bottom } = one.getBoundingClientRect();
        return right > innerWidth || bottom > innerHeight;
    }).length,
})"""


def test_the_settings_pause_the_game_and_give_it_back(visitor: Visitor) -> None:
    """Also a game that begins while they are open."""
    settings = visitor.page.get_by_role("button", name="Settings")
    visitor.choose(("person", "blocks"), ("easy", "blocks"))
    visitor.page.locator("#go").focus()
    visitor.press("Enter")
    settings.click()
    visitor.until(lambda: visitor.banner == "Paused", "a pause behind the settings")
    visitor.press("Escape")
    visitor.until(lambda: not visitor.banner, "the game")
    visitor.hold("ArrowLeft")
    settings.click()
    visitor.until(lambda: visitor.banner == "Paused", "a pause behind the settings")
    visitor.release("ArrowLeft")
    pieces = [visitor.figure(side, "pieces") for side in (0, 1)]
    visitor.page.wait_for_timeout(1500 / PACE + 300)
    assert [visitor.figure(side, "pieces") for side in (0, 1)] == pieces
    visitor.page.get_by_role("button", name="Close").click()
    visitor.until(lambda: not visitor.banner, "the game again")
    assert visitor.page.evaluate("arena.match.input.held") == [0], "the key that was released meanwhile is up"
    visitor.press("p")
    visitor.until(lambda: visitor.banner == "Paused", "a pause of the person's own")
    settings.click()
    visitor.press("Escape")
    visitor.page.wait_for_timeout(300)
    assert visitor.banner == "Paused", "which the settings do not end"


def test_the_bot_s_explanation_is_of_the_piece_that_is_shown(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("gentle", "blocks"))
    page.evaluate(NOTE_EXPLANATIONS)
    visitor.start()
    page.get_by_role("button", name="Explain the bot").click()
    for more in (2, 4):
        pieces = visitor.figure(0, "pieces")
        visitor.until(lambda until=pieces + more: visitor.figure(0, "pieces") >= until, "more pieces")  # type: ignore[misc]
        page.get_by_role("button", name="Pause").click()
        visitor.until(lambda: page.locator(".insight table").is_visible(), "the explanation of the piece in the air")
        page.get_by_role("button", name="Go on").first.click()
        visitor.until(lambda: not visitor.banner, "the game again")
    seen = page.evaluate("seen")
    assert seen["wrong"] == 0
    assert seen["right"] >= 2


def test_what_the_bot_would_do_is_of_the_frame_that_is_shown(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose(("middle", "blocks"))
    visitor.start()
    visitor.until(lambda: visitor.figure(0, "pieces") >= 2, "two pieces")
    visitor.save()
    visitor.leave()
    page.get_by_role("button", name="Open").click()
    visitor.until(lambda: page.locator("#tick-now").inner_text().startswith("0 of"), "the first frame")
    page.get_by_role("button", name="Next piece").click()
    page.get_by_role("button", name="What would the bot do?").click()
    visitor.until(lambda: page.locator(".insight table").is_visible(), "advice")
    page.get_by_role("button", name="+ 1 frame").click()
    visitor.until(lambda: not page.locator(".insight table").is_visible(), "no advice of another frame")
    page.get_by_role("button", name="− 1 frame").click()
    visitor.until(lambda: page.locator(".insight table").is_visible(), "the advice of this frame again")


def test_all_that_is_needed_to_play_fits_on_a_phone(arena: str, chromium: Any) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor = Visitor(context.new_page())
    page = visitor.page
    page.goto(arena)
    visitor.until(lambda: page.locator("#start").is_visible(), "the start screen")
    for sides in ([("person", "pairs"), ("gentle", "blocks")], [("person", "blocks")]):
        visitor.choose(*sides)
        visitor.start()
        page.locator('#touch [data-move="LEFT"]').tap()
        visitor.until(lambda: page.evaluate("arena.match.latencies.length"), "the touched button's effect")
        visitor.press("p")
        visitor.until(lambda: visitor.banner == "Paused", "a pause")
        for width, height in ((390, 844), (360, 640), (844, 390), (640, 360)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(100)
            found = page.evaluate(FIT)
            assert found["shown"] == 8 * len(sides) + 7, found
            assert (found["outside"], found["overlap"], found["scrolled"]) == ([], False, 0), (width, height, found)
            assert found["height"] > 0.4, (width, height, found)
        visitor.leave()
        visitor.until(lambda: page.locator("#start").is_visible(), "the start screen")
    assert not visitor.faults
    context.close()


def test_keys_can_be_changed_and_stay_changed(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.locator('[data-key="alone-DOWN"]').click()
    visitor.press("j")
    visitor.page.get_by_role("button", name="Close").click()
    visitor.page.reload()
    visitor.until(lambda: visitor.page.locator("#start").is_visible(), "the start screen")
    visitor.choose(("person", "blocks"))
    visitor.start()
    assert "j down" in visitor.text
    visitor.hold("j")
    assert "Game over" in visitor.result()


@pytest.mark.parametrize("demo", ["puyo", "capsules"])
def test_the_bot_plays_a_demo_cartridge_and_explains_itself(demo: str, visitor: Visitor) -> None:
    """The cockpit: chosen, its command line read, started, explained, stopped."""
    page = visitor.page
    page.get_by_role("tab", name="Watch a cartridge").click()
    page.locator("#option-what").select_option(f"demo:{demo}")
    page.locator("summary", has_text="Who plays").click()
    page.locator("#option-versus").check()
    page.locator("summary", has_text="Emulator").click()
    page.locator("#option-bridge").select_option("simulated")
    visitor.sees(f"emubot play 10 AIvsAI --demo {demo} --emu-speed 1 --bridge simulated")
    page.get_by_role("button", name="Start", exact=True).click()
    visitor.until(lambda: page.locator(".board canvas.field").count() == 2, "two boards")
    page.get_by_role("button", name="Explain the bot").click()
    visitor.until(lambda: page.locator(".insight .taps").count() == 2, "the bots' plans")
    page.get_by_role("button", name="Pause").click()  # so that there is time to explain, and to compile that
    visitor.sees("Paused")
    visitor.until(lambda: page.locator(".insight tr.chosen").count() == 2, "the bots' thoughts")
    page.get_by_role("button", name="Go on").first.click()
    visitor.until(lambda: visitor.figure(0, "pieces") >= 2, "two pieces")
    visitor.leave()
    visitor.until(lambda: page.locator("#start").is_visible(), "the start screen")


def test_a_training_is_started_drawn_watched_and_stopped(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("tab", name="Train a bot").click()
    page.locator("#train-method").select_option("ga")
    page.locator("summary", has_text="How long").click()
    for name, number in (("generations", "500"), ("games", "1"), ("seed", "3")):
        page.locator(f"#train-{name}").fill(number)
    visitor.sees("emubot train tetris --method ga --generations 500 --games 1 --seed 3 --out runs/tetris-ga")
    page.get_by_role("button", name="Start the training").click()
    visitor.sees("2 generations")
    assert "running" in page.locator("#run-words").inner_text()
    assert page.locator("#run-weights tbody tr").count() >= 4
    name = page.locator("#run-first").input_value()
    page.locator("#run-second").select_option(name)
    assert page.locator("#run-chart").get_attribute("aria-label") == f"Fitness by generation of {name} and {name}"
    page.get_by_role("button", name="Watch it play").click()
    visitor.until(lambda: visitor.figure(0, "pieces") >= 1, "a piece of the individual")
    visitor.leave()
    page.get_by_role("button", name="Stop").click()
    visitor.sees("(stopped)")
    reached = page.locator("#run-words").inner_text()
    page.get_by_role("button", name="Go on").click()
    visitor.until(lambda: page.locator("#run-words").inner_text() not in (reached, ""), "more generations")
    page.get_by_role("button", name="Stop").click()
    visitor.sees("(stopped)")


def test_what_cannot_be_played_says_why(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("tab", name="Watch a cartridge").click()
    page.locator("summary", has_text="Emulator").click()
    page.locator("#option-bridge").select_option("simulated")
    page.locator("summary", has_text="Who plays").click()
    page.locator("#option-human").select_option("1")
    page.get_by_role("button", name="Start", exact=True).click()
    visitor.sees("has no game for two that a person and the bot could play")


def shows_boards(visitor: Visitor, number: int) -> bool:
    return bool(visitor.page.locator(".board canvas.field").count() == number)


def test_somebody_who_was_invited_watches_and_somebody_plays_along(visitor: Visitor, chromium: Any) -> None:
    visitor.choose(("person", "pairs"), ("person", "pairs"))
    visitor.start()
    visitor.press("p")
    visitor.sees("Paused")
    visitor.page.get_by_role("button", name="Invite").click()
    links = [visitor.link(name) for name in ("player", "spectator")]
    assert "?overlay#" in visitor.link("overlay")
    context = chromium.new_context()
    friend, watcher = (Visitor(context.new_page()) for _ in links)
    for guest, link in zip((friend, watcher), links, strict=True):
        guest.page.goto(link)
        guest.until(partial(shows_boards, guest, 2), "two boards")
        guest.sees("Paused")
        assert not guest.page.get_by_role("button", name="Leave").is_visible()
        assert not guest.page.get_by_role("button", name="Go on").is_visible()
        guest.press("p")
    friend.page.evaluate(LEAVE_THE_TAB)
    visitor.page.get_by_role("button", name="Go on").first.click()
    friend.page.get_by_role("button", name="Settings").click()  # a guest pauses nothing, and goes on playing
    friend.hold("ArrowDown")
    visitor.result()
    visitor.sees("You have won")
    for guest in (friend, watcher):
        guest.sees("Player 1 · Pairs has won")
        assert guest.page.locator("#banner-buttons button").count() == 0
        assert not guest.page.locator("#notice").inner_text(), "nothing was asked for that a guest may not"
    assert friend.faults == watcher.faults == []
    context.close()


@pytest.mark.slow
def test_a_show_goes_on_for_who_watches_it_by_an_invitation(visitor: Visitor, chromium: Any) -> None:
    visitor.choose(("gentle", "blocks"), ("full", "blocks"), level="18")
    visitor.page.locator("#pace").select_option("10")
    visitor.start()
    visitor.page.get_by_role("button", name="Invite").click()
    context = chromium.new_context()
    guest = Visitor(context.new_page())
    guest.page.goto(visitor.link("spectator"))
    guest.page.evaluate(HURRY)
    guest.until(lambda: "has won" in guest.banner, "the end of the first game")
    guest.until(lambda: shows_boards(guest, 2) and not guest.banner, "the second game")
    guest.until(lambda: guest.figure(1, "pieces") >= 2, "its pieces")
    assert not guest.page.locator("#notice").inner_text()
    assert guest.page.locator("#match").is_visible()
    assert guest.faults == []
    context.close()


@pytest.mark.slow
def test_what_a_session_asked_for_is_forgotten_in_the_next_match(visitor: Visitor) -> None:
    page = visitor.page
    keys = page.locator("#match-keys")
    page.get_by_role("tab", name="Watch a cartridge").click()
    page.locator("#option-what").select_option("demo:puyo")
    page.locator("summary", has_text="Who plays").click()
    page.locator("#option-human").select_option("1")
    page.locator("summary", has_text="Emulator").click()
    page.locator("#option-bridge").select_option("simulated")
    page.get_by_role("button", name="Start", exact=True).click()
    visitor.until(lambda: "on its way to the game" in keys.inner_text(), "the bot in the menus")
    visitor.leave()
    page.get_by_role("tab", name="Play here").click()
    visitor.choose(("person", "blocks"))
    visitor.start()
    assert "move" in keys.inner_text()


def test_without_the_key_in_the_address_nothing_is_shown(visitor: Visitor, arena: str, chromium: Any) -> None:
    context = chromium.new_context()
    stranger = Visitor(context.new_page())
    stranger.page.goto(arena.partition("#")[0] + "#wrong")
    stranger.sees("does not let this page in")
    assert not stranger.page.locator("#start").is_visible()
    context.close()


def test_the_file_that_leads_to_the_page_opens_it(arena: str, chromium: Any) -> None:
    context = chromium.new_context()
    visitor = Visitor(context.new_page())
    with page_to(arena) as page:
        visitor.page.goto(page.as_uri())
        visitor.until(lambda: visitor.page.locator("#start").is_visible(), "the start screen")
    assert visitor.page.url == arena.partition("#")[0]
    assert not visitor.faults
    context.close()


def test_the_key_is_taken_out_of_the_address(visitor: Visitor) -> None:
    assert "#" not in visitor.page.url


def test_nothing_comes_from_another_place(visitor: Visitor, arena: str) -> None:
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.reload()
    visitor.until(lambda: visitor.page.locator("#start").is_visible(), "the start screen")
    own = arena.partition("#")[0]
    assert asked
    assert all(url.startswith((own, own.replace("http", "ws"))) for url in asked), asked


DESKTOP, PHONE = (1280, 800), (390, 844)


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark"), for_long(DESKTOP, "dark"), for_long(PHONE, "light")]
)
def test_everybody_can_use_it(visitor: Visitor, scheme: str, size: tuple[int, int]) -> None:
    """axe finds nothing serious on any screen; nothing is wider than the screen."""
    from axe_playwright_python.sync_playwright import Axe

    page = visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)

    def check(screen: str) -> None:
        found = Axe().run(page).response["violations"]
        serious = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
        assert not serious, f"{screen}: {found}"
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], f"{screen} is too wide"

    check("start")
    for tab in ("Watch a cartridge", "Train a bot", "Play here"):
        page.get_by_role("tab", name=tab).click()
        check(tab)
    visitor.page.get_by_role("button", name="Settings").click()
    check("settings")
    visitor.press("Escape")
    visitor.choose(("person", "pairs"), ("easy", "blocks"))
    visitor.start()
    visitor.press("p")
    visitor.sees("Paused")
    check("pause")
    visitor.press("p")
    visitor.hold("ArrowDown")
    visitor.result()
    check("result")


@pytest.mark.slow
def test_a_person_plays_the_bot_of_a_session_and_asks_for_the_next_game(chromium: Any) -> None:
    words = "play 10 --demo puyo --bridge simulated --view web --human 1 --level 15 --emu-speed 2".split()
    env = {**os.environ, "EMUBOT_NO_BROWSER": "1"}
    command = [sys.executable, "-m", "emubot", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as child:
        assert child.stderr is not None
        said = next(line for line in child.stderr if "watch at" in line)
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        visitor = Visitor(context.new_page())
        visitor.page.goto(said.split()[-1])
        keys = visitor.page.locator("#match-keys")
        visitor.until(lambda: shows_boards(visitor, 2), "the bot's board and the person's")
        visitor.until(lambda: "move" in keys.inner_text(), "the keys")
        assert "You" in visitor.page.locator(".board").nth(1).inner_text()
        visitor.hold("ArrowDown")
        visitor.until(lambda: keys.inner_text() == "x: next game", "the end of the game")
        visitor.release("ArrowDown")
        time.sleep(1)  # A counts after a moment
        assert visitor.banner == "Game over"
        visitor.press("p")
        visitor.until(lambda: visitor.banner == "Paused", "a pause")
        visitor.press("p")
        visitor.until(lambda: visitor.banner == "Game over", "what is asked, after the pause")
        visitor.press("x")
        visitor.until(lambda: "move" in keys.inner_text() and not visitor.banner, "the next game")
        assert visitor.figure(1, "pieces") > 5, "the person's pieces are counted"
        context.close()
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 130
    assert visitor.faults == []


def test_the_page_for_a_stream_shows_a_session_over_nothing(chromium: Any) -> None:
    words = "play --demo tetris --bridge simulated --view web --overlay-only --level 9 --emu-speed 2".split()
    command = [sys.executable, "-m", "emubot", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child, ExitStack() as at_last:
        at_last.callback(child.kill)  # or a failure would wait for the game's end
        assert child.stderr is not None
        said = next(line for line in child.stderr if "a browser source for your stream" in line)
        assert "#" not in said, "its address is the same every time"
        context = chromium.new_context(viewport={"width": 900, "height": 600})
        visitor = Visitor(context.new_page())
        visitor.page.goto(said.split()[-1])
        visitor.until(lambda: shows_boards(visitor, 1), "the board")
        visitor.until(lambda: visitor.figure(0, "pieces") >= 2, "two pieces")
        for word in ("Tetris rate", "drought", "burn", "Bot · speed 10"):
            visitor.sees(word)
        seen = visitor.page.evaluate(OVER_NOTHING)
        assert seen == {"backgrounds": ["rgba(0, 0, 0, 0)"] * 2, "scheme": "normal", "outside": 0}
        visitor.page.goto(said.split()[-1] + "?side=2")
        visitor.until(lambda: visitor.page.locator("#boards[data-sides='0']").count(), "no board: there is one side")
        context.close()
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 130
    assert visitor.faults == []


def test_a_match_of_the_arena_is_on_the_page_for_a_stream(visitor: Visitor, chromium: Any) -> None:
    visitor.choose(("easy", "blocks"), ("easy", "pairs"))
    visitor.start()
    visitor.page.get_by_role("button", name="Invite").click()
    address = visitor.link("overlay")
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    stream = Visitor(context.new_page())
    stream.page.goto(address)
    stream.until(lambda: shows_boards(stream, 2), "both boards")
    stream.sees("Tetris rate")
    stream.page.reload()
    stream.until(lambda: shows_boards(stream, 2), "both boards after a reload")
    stream.sees("Tetris rate")
    assert stream.page.locator(".statistics:not([hidden])").count() == 1, "pairs have none"
    context.close()
    assert stream.faults == []
