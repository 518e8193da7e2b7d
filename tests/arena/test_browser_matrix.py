"""Every mode in every size, light and dark, to its end: nothing needed is out of sight, and axe finds nothing.

On phones by touch, on larger screens by keys, which reach every control. EMUBOT_SCREENS=FOLDER keeps pictures.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.arena.serving import Visitor, served
from tests.arena.test_browser_phones import OUTSIDE

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.slow, pytest.mark.xdist_group("browser-matrix")]

PACE: Final = 20.0
PHONES: Final = ((390, 844), (390, 664), (844, 390))
SIZES: Final = (*PHONES, (1280, 800), (1920, 1080))
BOARDS: Final = ".board h3, .board canvas"
PLAYED: Final = f"header button, {BOARDS}, .board dd, #touch button, #turn"
BANNER: Final = "header button, #over-boards, #over-boards button"
CONTROLS: Final = f"{BOARDS}, #replay button, #replay select, #replay input, #match-buttons button"
# Marks each control that has the focus from now on; and those of the page, or of its open dialog, that never had it.
WATCH_FOCUS = """() => addEventListener("focusin", ({ target }) => { target.dataset.reached = ""; })"""
NEVER_REACHED = """() => {
    const root = document.querySelector("dialog[open]") ?? document;
    const controls = root.querySelectorAll("button, select, input, summary, a[href], [tabindex='0']");
    return [...controls].filter((one) => !one.disabled && one.tabIndex >= 0 && !("reached" in one.dataset)
        && one.checkVisibility({ visibilityProperty: true })).map((one) => one.outerHTML);
}"""


@pytest.fixture(scope="module")
def quick_arena() -> Iterator[str]:
    with served(PACE) as url:
        yield url


class Player(Visitor):
    """A person with a phone or a keyboard, who looks at the page in both themes."""

    def begin(self, size: tuple[int, int], mode: str) -> None:
        self.size, self.mode, self.looks = size, mode, 0
        self.by_touch = size in PHONES
        self.cdp = self.page.context.new_cdp_session(self.page)
        self.page.evaluate(WATCH_FOCUS)

    def use(self, place: str) -> None:
        """Press a control: by a finger, or by the keyboard alone."""
        control = self.page.locator(place)
        self.until(control.is_visible, place)
        if self.by_touch:
            control.tap()
        else:
            control.focus()
            self.press("Enter")

    def drop(self) -> None:
        """Hold down."""
        if not self.by_touch:
            self.hold("ArrowDown")
            return
        box = self.page.locator('#touch [data-move="DOWN"]').bounding_box()
        assert box is not None
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})

    def let_go(self) -> None:
        if self.by_touch:
            self.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            self.release("ArrowDown")

    def to_the_end(self) -> None:
        """Drop pieces until the game is over; where sides take turns, each turn wants its own press."""
        over = self.page.get_by_role("button", name="Rematch")
        while not over.is_visible():
            self.drop()
            self.page.wait_for_timeout(60 if self.mode == "turns" else 500)
            self.let_go()

    def pause(self) -> None:
        if self.by_touch:
            self.page.locator("#pause").tap()
        else:
            self.press("p")
        self.sees("Paused")

    def go_on(self) -> None:
        self.use("#banner-buttons button >> nth=0")
        self.until(lambda: not self.banner, "the game")

    def look(self, state: str, needed: str = "", least: int = 1, keyboard: bool = False) -> None:
        """Look at this state in both themes."""
        from axe_playwright_python.sync_playwright import Axe

        what = f"{self.mode} {state} {self.size}"
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            found = Axe().run(self.page).response["violations"]
            assert not found, (what, scheme, [(one["id"], one["nodes"][0]["html"]) for one in found])
            if "EMUBOT_SCREENS" in os.environ:
                name = f"{self.mode}-{self.looks}-{state}-{self.size[0]}x{self.size[1]}-{scheme}.png"
                self.page.screenshot(path=Path(os.environ["EMUBOT_SCREENS"]) / name)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.size[0], f"{what} is too wide"
        if needed:
            shown = self.page.evaluate(OUTSIDE, needed)
            assert shown["outside"] == [], f"{what}: out of sight"
            assert shown["shown"] >= least, what
        if keyboard and not self.by_touch:
            self.reach_everything(what)
        self.looks += 1

    def reach_everything(self, what: str) -> None:
        for _ in range(120):
            self.press("Tab")
            if not (left := self.page.evaluate(NEVER_REACHED)):
                return
        assert left == [], f"{what}: no key leads there"

    def is_still(self) -> None:
        """With reduced motion nothing moves any more."""
        self.page.emulate_media(reduced_motion="reduce")
        self.page.wait_for_timeout(400)
        before = self.page.screenshot()
        self.page.wait_for_timeout(700)
        assert self.page.screenshot() == before, f"{self.mode}: something moves"
        self.page.emulate_media(reduced_motion="no-preference")

    def played(self, least: int) -> None:
        """A running game, its pause, its end."""
        self.until(lambda: self.page.locator(".board canvas.field").count() > 0 and not self.banner, "a game")
        self.pause()
        self.look("paused", BANNER, 3, keyboard=True)
        self.go_on()
        self.look_while_it_runs(least)
        self.to_the_end()
        self.look("over", BANNER, 4, keyboard=True)
        self.is_still()

    def look_while_it_runs(self, least: int) -> None:
        """A game does not wait for axe: what is needed is in sight."""
        shown = self.page.evaluate(OUTSIDE, PLAYED)
        assert shown["outside"] == [], f"{self.mode} {self.size}: out of sight"
        assert shown["shown"] >= least
        if "EMUBOT_SCREENS" in os.environ:
            name = f"{self.mode}-{self.looks}-running-{self.size[0]}x{self.size[1]}.png"
            self.page.screenshot(path=Path(os.environ["EMUBOT_SCREENS"]) / name)

    def saved(self) -> None:
        """Save the match that is over, and open it again."""
        if self.page.locator("#more").is_visible():
            self.page.locator("#more").tap()
        self.use("#save")
        self.sees("Saved.")
        if self.by_touch:
            self.page.locator("#leave").tap()
        else:
            self.use("#leave")
        self.use("#open-replay")
        self.until(lambda: "0 of" in self.page.locator("#tick-now").inner_text(), "the recorded match")


def alone(one: Player) -> None:
    one.look("first page", "header button, [role=tab], .card, #home-game, #customise summary", 10, keyboard=True)
    one.page.emulate_media(reduced_motion="reduce")
    one.page.reload()
    one.until(lambda: one.page.locator("#start").is_visible(), "the first page")
    one.page.evaluate(WATCH_FOCUS)
    one.is_still()
    one.use("#card-play")
    one.played(1 + 2 + 4)


def versus(one: Player) -> None:
    one.use("#card-beat")
    one.played(2 + 4 + 8)


def two_people(one: Player) -> None:
    one.choose(("person", "columns"), ("person", "columns"))
    one.use("#go")
    one.played(2 + 4 + 8)


def turns(one: Player) -> None:
    one.choose(("person", "pairs"), ("gentle", "pairs"))
    one.page.locator("#mode").select_option("arcade")
    one.look("form", keyboard=True)
    one.use("#go")
    one.sees("turn")
    one.played(2 + 4 + 8)


def watch(one: Player) -> None:
    one.choose(("gentle", "pairs"), ("full", "pairs"))
    one.page.locator("#pace").select_option("10")
    one.use("#go")
    one.until(lambda: one.page.locator("#charts canvas").count() > 0, "the charts")
    one.pause()
    one.look("paused", BANNER, 3, keyboard=True)
    one.go_on()
    one.until(lambda: "has won" in one.banner, "the result")


def recorded(one: Player) -> None:
    one.choose(("person", "capsules"), ("gentle", "capsules"))
    one.use("#go")
    one.until(lambda: one.page.locator(".board canvas.field").count() > 0 and not one.banner, "a game")
    one.to_the_end()
    one.saved()
    one.use("#next-piece")
    one.use("#advice")
    one.until(lambda: one.page.locator(".insight").count() > 0, "the advice")
    one.look("replay", CONTROLS, 4 + 10 + 3, keyboard=True)
    one.use("#ask-review")
    one.until(one.page.locator("#review-graph").is_visible, "the graph")
    one.page.locator("#step-on").focus()
    one.press("ArrowRight")
    one.sees("Piece 2, accuracy")
    one.look("review", f"{CONTROLS}, #review-graph, #review-words, #review-page", 4 + 10 + 3 + 3, keyboard=True)
    one.is_still()


def race(one: Player) -> None:
    one.page.locator("#home-game").select_option("columns")
    one.use("#card-play")
    one.until(lambda: one.page.locator(".board canvas.field").count() > 0 and not one.banner, "a game")
    one.to_the_end()
    one.saved()
    one.use("#race")
    one.until(lambda: not one.page.locator("#replay").is_visible() and not one.banner, "a race")
    one.played(2 + 4 + 8)


def cartridge(one: Player) -> None:
    one.use("#tab-emulator")
    one.look("form", keyboard=True)
    one.page.locator("#play-emu_speed, [id$=emu_speed]").first.evaluate(
        "one => { one.closest('details').open = true; }"
    )
    one.page.locator("[id$=emu_speed]").select_option("max")
    one.use("#watch")
    one.until(lambda: one.page.locator(".board canvas.field").count() > 0 and not one.banner, "the session")
    one.until(lambda: one.figure(0, "pieces") > 1, "two pieces")
    one.pause()
    one.look("paused", f"{BANNER}, {BOARDS}, #pictures canvas, #match-buttons button", 3 + 3 + 4, keyboard=True)


def training(one: Player) -> None:
    one.use("#tab-training")
    one.look("form", keyboard=True)
    for name, value in (("method", "ga"), ("game", "matching")):
        one.page.locator(f"#panel-training [id$='-{name}']").first.select_option(value)
    games = one.page.locator("#panel-training [id$='-games']")
    games.evaluate("one => { one.closest('details').open = true; }")
    games.fill("1")
    one.use("#train")
    one.until(one.page.locator("#runs").is_visible, "the training")
    one.until(lambda: "Fitness" in str(one.page.locator("#run-chart").get_attribute("aria-label")), "a generation")
    one.look("running", keyboard=True)
    one.use("#run-stop")
    one.until(
        lambda: not one.page.locator("#run-stop").is_visible() or one.page.locator("#run-stop").is_disabled(), "its end"
    )


def settings(one: Player) -> None:
    one.use("#open-settings")
    one.look("settings", keyboard=True)
    one.is_still()
    one.press("Escape")
    one.until(lambda: not one.page.locator("#settings").is_visible(), "the page behind")


MODES: Final[tuple[Callable[[Player], None], ...]] = (
    *(alone, versus, two_people, turns, watch, recorded, race, cartridge, training, settings),
)


@contextmanager
def player(chromium: Any, url: str, size: tuple[int, int], mode: str) -> Iterator[Player]:
    is_phone = size in PHONES
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=is_phone, is_mobile=is_phone
    )
    one = Player(context.new_page())
    one.page.goto(url)
    one.until(lambda: one.page.locator("#start").is_visible(), "the first page")
    one.begin(size, mode)
    yield one
    context.close()
    assert one.faults == []


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.__name__)
def test_each_mode_in_each_size(
    chromium: Any, quick_arena: str, mode: Callable[[Player], None], size: tuple[int, int]
) -> None:
    with player(chromium, quick_arena, size, mode.__name__) as one:
        mode(one)
