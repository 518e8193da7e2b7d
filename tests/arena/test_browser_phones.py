"""The page on a phone: pads under the thumbs, a finger on the board, and nothing that is needed below the fold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.arena.serving import Visitor, for_long

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

SIZES = ((390, 844), (390, 664), (844, 390))
# What is shown of these elements, and what of it lies outside the screen.
OUTSIDE = """(wanted) => {
    const shown = [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility());
    const outside = shown.filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    });
    return { shown: shown.length, outside: outside.map((one) => one.outerHTML) };
}"""
# A finger on the first board: from a place of it, by so many of its cells, in so many milliseconds.
SWIPE = """async ([dx, dy, milliseconds]) => {
    const canvas = document.querySelector(".board canvas.field");
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const cell = width / 10;
    const at = (share) => ({
        clientX: left + width * 0.6 + share * dx * cell,
        clientY: top + height / 3 + share * dy * cell,
    });
    const touch = (name, share) => canvas.dispatchEvent(new PointerEvent(name, {
        ...at(share), pointerId: 1, pointerType: "touch", bubbles: true, cancelable: true,
    }));
    document.querySelector("#stage").setPointerCapture = () => {};
    touch("pointerdown", 0);
    const steps = 8;
    for (let step = 1; step <= steps; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, milliseconds / steps));
        touch("pointermove", step / steps);
    }
    touch("pointerup", 1);
}"""
TOPS = """() => [...document.querySelectorAll("header button")]
    .filter((one) => one.checkVisibility()).map((one) => one.offsetTop)"""
NOTE_MOVES = """() => {
    globalThis.moves = [];
    const touch = arena.match.input.touch;
    arena.match.input.touch = function (move, isDown, time) {
        moves.push(`${isDown ? "+" : "-"}${move}`);
        touch.call(this, move, isDown, time);
    };
}"""


@contextmanager
def phone(chromium: Any, url: str, scheme: str = "light") -> Iterator[Visitor]:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    visitor = Visitor(context.new_page())
    visitor.page.goto(url)
    visitor.until(lambda: visitor.page.locator("#start").is_visible(), "the start screen")
    yield visitor
    context.close()
    assert visitor.faults == []


@pytest.mark.parametrize("scheme", ["light", for_long("dark")])
def test_nothing_that_is_needed_lies_below_the_fold(arena: str, chromium: Any, scheme: str) -> None:
    with phone(chromium, arena, scheme) as visitor:
        page = visitor.page

        def check(wanted: str, least: int) -> None:
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(100)
                found = page.evaluate(OUTSIDE, wanted)
                assert found["outside"] == [], (width, height)
                assert found["shown"] >= least, (width, height)

        check("header button, [role=tab], .card, #customise summary", 10)
        for card in ("play", "beat"):
            page.locator(f"#card-{card}").tap()
            visitor.until(lambda: page.locator(".board canvas.field").count() > 0 and not visitor.banner, "a game")
            check("header button, .board h3, .board canvas, .board dd, #touch button", 3 + 3 + 5 + 5)
            page.locator("#more").tap()
            check("header button, .board canvas, #touch button", 7 + 2 + 5)
            page.locator("#more").tap()
            visitor.press("p")
            visitor.sees("Paused")
            check("header button, #over-boards, #touch button", 3 + 1 + 5)
            visitor.leave()


def test_all_buttons_are_in_one_line_above_and_the_pads_stay_when_the_page_is_scrolled(
    arena: str, chromium: Any
) -> None:
    with phone(chromium, arena) as visitor:
        page = visitor.page
        page.locator("#card-beat").tap()
        visitor.until(lambda: page.locator("#touch button").count() == 5 and not visitor.banner, "a game")
        tops = page.evaluate(TOPS)
        assert len(tops) == 3
        assert len(set(tops)) == 1
        before = page.locator("#touch").bounding_box()
        page.evaluate("document.body.append(Object.assign(document.createElement('p'), { style: 'height: 2000px' }))")
        page.evaluate("scrollTo(0, 500)")
        assert page.evaluate("scrollY") > 0
        assert page.locator("#touch").bounding_box() == before


@pytest.mark.parametrize(
    ("swipe", "moves"),
    [
        ((0, 0, 80), ["+A", "-A"]),
        ((-0.05, 0, 40), ["+A", "-A"]),
        ((2.5, 0, 900), ["+RIGHT", "-RIGHT", "+RIGHT", "-RIGHT"]),
        ((-3.5, 0, 900), ["+LEFT", "-LEFT"] * 3),
        ((0, 4, 900), ["+DOWN", "-DOWN"]),
    ],
)
def test_a_finger_on_the_board_moves_the_piece(
    arena: str, chromium: Any, swipe: tuple[float, float, int], moves: list[str]
) -> None:
    with phone(chromium, arena) as visitor:
        page = visitor.page
        page.locator("#card-play").tap()
        visitor.until(lambda: page.locator("#touch button").count() == 5 and not visitor.banner, "a game")
        page.evaluate(NOTE_MOVES)
        page.evaluate(SWIPE, swipe)
        assert page.evaluate("moves") == moves


def test_a_flick_down_drops_the_piece_and_no_other(arena: str, chromium: Any) -> None:
    with phone(chromium, arena) as visitor:
        page = visitor.page
        page.locator("#card-play").tap()
        visitor.until(lambda: page.locator("#touch button").count() == 5 and not visitor.banner, "a game")
        page.evaluate(NOTE_MOVES)
        page.evaluate(SWIPE, [0, 8, 60])
        visitor.until(lambda: page.evaluate("moves.at(-1)") == "-DOWN", "the end of the drop")
        assert visitor.figure(0, "pieces") == 1
        assert page.evaluate("moves").count("+DOWN") <= 2  # by the drag, and by the flick


def test_a_flick_to_the_side_goes_to_the_wall(arena: str, chromium: Any) -> None:
    with phone(chromium, arena) as visitor:
        page = visitor.page
        page.locator("#card-play").tap()
        visitor.until(lambda: page.locator("#touch button").count() == 5 and not visitor.banner, "a game")
        page.evaluate(NOTE_MOVES)
        page.evaluate(SWIPE, [-2.5, 0, 16])
        assert 3 <= page.evaluate("moves").count("+LEFT") <= 8
        assert set(page.evaluate("moves")) == {"+LEFT", "-LEFT"}


def test_a_lock_is_felt_where_people_want_it(arena: str, chromium: Any) -> None:
    with phone(chromium, arena) as visitor:
        page = visitor.page
        page.evaluate(
            "navigator.vibrate = (milliseconds) => { (globalThis.felt ??= []).push(milliseconds); return true; }"
        )
        page.locator("#card-play").tap()
        visitor.until(lambda: page.locator("#touch button").count() == 5 and not visitor.banner, "a game")
        visitor.hold("ArrowDown")
        visitor.until(lambda: page.evaluate("globalThis.felt?.length > 0"), "a buzz")
        page.emulate_media(reduced_motion="reduce")
        page.evaluate("felt.length = 0")
        pieces = visitor.figure(0, "pieces")
        visitor.until(lambda: visitor.figure(0, "pieces") > pieces or bool(visitor.banner), "another lock")
        assert page.evaluate("felt") == []
        visitor.release("ArrowDown")
