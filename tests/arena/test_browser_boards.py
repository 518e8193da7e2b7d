"""The boards of the page in a real browser, with frames that the tests make: what is drawn, and how often."""

from __future__ import annotations

import pytest

from tests.arena.painting import pixel, show, stage_board
from tests.arena.serving import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.jit, pytest.mark.xdist_group("browser")]

# Of each field with a word in place of a value: whether there is room for the word, and for a number's arrows.
ROOM_OF_WORDS = """() => [...document.querySelectorAll("#panel-emulator input[placeholder]")].map((one) => {
    const pen = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(one);
    pen.font = style.font;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    return [one.id, room >= pen.measureText(one.placeholder).width];
})"""
# Four cells burst as the third step of a chain: what is over the board then, before any of it fades.
A_CHAIN = """() => {
    const cells = (kind) => ({ 56: kind, 57: kind, 58: kind, 59: kind });
    const within = (selector) => [...stage.view.element.querySelectorAll(selector)];
    stage.show({ count: 2 }, cells(1));
    stage.show({ count: 3, inControl: false, garbage: 15 }, cells(8));
    const words = within(".word").map((one) => one.textContent);
    stage.show({}, cells(0));
    return [words, within(".bit").length, getComputedStyle(within(".meter")[0]).getPropertyValue("--share")];
}"""
GREY_AT_MOST = 24  # between the largest and the smallest part of a colour that is grey


def test_of_a_new_frame_only_what_changed_is_drawn(visitor: Visitor) -> None:
    stage_board(visitor, "tetris")
    assert show(visitor, {}, {59: 1, 58: 2, 57: 3}) > 60
    assert show(visitor) == 0, "the same frame again"
    assert show(visitor, {"score": 100, "pieces": 3}) == 0, "figures are no picture"
    assert show(visitor, {}, {50: 1}) == 1, "a cell that is known"
    show(visitor, {"air": [{"column": 2, "row": 3, "kind": 1}]})
    assert show(visitor, {"air": [{"column": 2, "row": 4, "kind": 1}]}) == 2, "where it was, and where it is"


@pytest.mark.parametrize("family", ["puyo", "matching"])
def test_groups_that_burst_keep_their_colour(visitor: Visitor, family: str) -> None:
    stage_board(visitor, family)
    show(visitor, {}, {59: 1, 58: 8})
    before = pixel(visitor, 59, 0.5, 0.25)
    show(visitor, {"inControl": False}, {59: 8})
    rim, inside = pixel(visitor, 59, 0.5, 1 / 7), pixel(visitor, 59, 0.5, 0.25)
    assert inside == before
    assert max(inside) - min(inside) > GREY_AT_MOST
    assert rim == (255, 255, 255)
    assert pixel(visitor, 58, 0.5, 1 / 7) != rim, "a wall that was there before"
    show(visitor, {}, {59: 0})
    assert pixel(visitor, 59, 0.5, 0.25) != before, "it is gone"


def test_a_row_is_counted_and_shown_as_soon_as_it_is_full(visitor: Visitor) -> None:
    """A console shows and counts it a third of a second later, when it is gone."""
    stage_board(visitor, "tetris")
    count = visitor.page.locator('[data-figure="count"]').first
    show(visitor, {"count": 4, "pieces": 7}, dict.fromkeys(range(54, 59), 1))
    show(visitor, {"inControl": False, "pieces": 8}, {59: 1})
    happened = visitor.page.evaluate("stage.view.happened")
    assert (happened["rows"], happened["locked"]) == ([9], True)
    assert count.inner_text() == "5"
    show(visitor, {}, dict.fromkeys(range(54, 60), 0))
    assert count.inner_text() == "5"
    assert visitor.page.evaluate("stage.view.happened.rows") == []
    show(visitor, {"count": 5})
    show(visitor, {"inControl": True})
    assert count.inner_text() == "5"


@pytest.mark.parametrize("by", ["settings", "system"])
def test_a_new_theme_is_seen_where_no_frame_comes(visitor: Visitor, by: str) -> None:
    page = visitor.page
    page.emulate_media(color_scheme="light")
    visitor.choose(("person", "blocks"))
    visitor.start()
    visitor.press("p")
    visitor.until(lambda: visitor.banner == "Paused", "a pause")
    ground = """() => [...document.querySelector(".board .field").getContext("2d").getImageData(2, 2, 1, 1).data]"""
    page.wait_for_timeout(200)
    light = page.evaluate(ground)
    if by == "system":
        page.emulate_media(color_scheme="dark")
    else:
        page.get_by_role("button", name="Settings").click()
        page.locator("#set-theme").select_option("dark")
        visitor.press("Escape")
    visitor.until(lambda: max(page.evaluate(ground)[:3]) < min(light[:3]) - 100, "a dark field")


def test_the_button_of_explanations_looks_pressed(visitor: Visitor) -> None:
    visitor.choose(("gentle", "capsules"))
    visitor.start()
    button = visitor.page.get_by_role("button", name="Explain the bot")
    colour = "one => getComputedStyle(one).backgroundColor"
    before = button.evaluate(colour)
    button.click()
    visitor.page.mouse.move(0, 0)
    assert button.evaluate(colour) != before
    assert button.evaluate(colour) != visitor.page.locator("#pause").evaluate(colour)


@pytest.mark.parametrize(("bot", "game"), [("gentle", "capsules"), ("full", "capsules"), ("full", "columns")])
def test_capsules_are_explained(visitor: Visitor, bot: str, game: str) -> None:
    """While the game runs, not only in a pause."""
    visitor.choose((bot, game))
    visitor.start()
    visitor.page.get_by_role("button", name="Explain the bot").click()
    visitor.until(lambda: visitor.page.locator(".insight tr.chosen").is_visible(), "an explanation", 20)


def test_explanations_stand_as_the_boards_do(visitor: Visitor) -> None:
    """Whichever side's words come first."""
    visitor.choose(("gentle", "blocks"), ("gentle", "pairs"))
    visitor.start()
    tell = """side => arena.match.onPlan({ side, piece: 0, inputs: [], frames: 3 })"""
    for side in (1, 0):
        visitor.page.evaluate(tell, side)
    titles = visitor.page.locator("#insights h3").all_inner_texts()
    assert titles == [visitor.page.locator(".board h3").nth(side).inner_text() for side in (0, 1)]


def test_only_games_of_one_frame_rate_are_offered_to_meet(visitor: Visitor) -> None:
    visitor.choose(("person", "blocks"), ("easy", "pairs"))
    second = visitor.page.locator("#game-1")
    assert "blocks-pal" not in second.inner_html()
    visitor.page.locator("#game-0").select_option("blocks-pal")
    assert second.input_value() == "blocks-pal", "what cannot meet it is no longer chosen"
    visitor.start()


def test_no_option_s_usual_value_is_cut_off(visitor: Visitor) -> None:
    visitor.page.get_by_role("tab", name="Watch a cartridge").click()
    for summary in visitor.page.locator("#panel-emulator summary").all()[1:]:
        summary.click()
    seen = visitor.page.evaluate(ROOM_OF_WORDS)
    assert len(seen) > 10
    assert [name for name, fits in seen if not fits] == []


BEST = {
    "name": "I flat",
    "value": 1_218_750.0,
    "chosen": True,
    "parts": [
        {"name": "lines_left", "value": 1_218_700.0, "amount": None},
        {"name": "holes", "value": 50.0, "amount": 1},
    ],
}
WORSE = {
    "name": "I up",
    "value": 1_218_600.0,
    "chosen": False,
    "parts": [
        {"name": "lines_left", "value": 1_218_699.0, "amount": None},
        {"name": "holes", "value": -99.0, "amount": 3},
    ],
}
ALIKE = {**BEST, "name": "I down", "chosen": False}


def test_reasons_say_what_differs_from_the_best_move(visitor: Visitor) -> None:
    """Not the terms of each value, of which most are the same in all."""
    visitor.choose(("gentle", "blocks"))
    visitor.start()
    found = {"side": 0, "piece": None, "unit": "", "meaning": "points", "placements": [BEST, WORSE, ALIKE]}
    visitor.page.evaluate("words => arena.match.onInsight(words)", found)
    rows = [row.locator("td").all_text_contents() for row in visitor.page.locator(".insight tbody tr").all()]
    assert rows == [
        ["I flat", "1,218,750", "the best; beside the next: holes: 2 fewer (149 better)"],
        ["I up", "150 less", "holes: 2 more (149 worse)"],
        ["I down", "the same", "nothing that counts"],
    ]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_happens_is_seen_over_the_board(visitor: Visitor, motion: str) -> None:
    """All but the meter is motion, and off for people who want none."""
    page = visitor.page
    page.emulate_media(reduced_motion=motion)
    stage_board(visitor, "puyo")
    words, bits, meter = page.evaluate(A_CHAIN)
    assert words == (["3 chain"] if motion != "reduce" else [])
    assert bits == (4 if motion != "reduce" else 0)
    assert float(meter) == 0.5


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_cleared_row_is_swept_white(visitor: Visitor, motion: str) -> None:
    page = visitor.page
    page.emulate_media(reduced_motion=motion)
    stage_board(visitor, "tetris")
    show(visitor, {}, dict.fromkeys(range(54, 59), 1))
    page.evaluate("const now = performance.now(); performance.now = () => now + (globalThis.passed ?? 0)")
    show(visitor, {"inControl": False}, {59: 1})
    page.evaluate("passed = 100")
    show(visitor, {}, dict.fromkeys(range(54, 60), 0))
    white = (255, 255, 255)
    swept = [pixel(visitor, at) == white for at in (54, 56, 57, 59)]
    assert swept == ([False, True, True, False] if motion != "reduce" else [False] * 4)
    show(visitor, {"inControl": True})
    assert pixel(visitor, 56) == pixel(visitor, 0), "the next piece comes"


def test_danger_is_shown_as_long_as_it_lasts(visitor: Visitor) -> None:
    stage_board(visitor, "puyo")
    for fill, is_high in (({20: 1}, False), ({8: 1}, True), ({8: 0}, False)):
        show(visitor, {}, fill)
        assert visitor.page.locator(".well.danger").count() == is_high


# The notes that a match of one side plays at each of its frames: a row that is full, and groups that burst in a chain.
HEAR = """async ([family, frames]) => {
    let heard = [];
    const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { heard.push(make.call(this)); return heard.at(-1); };
    arena.net.onFrame = () => {};
    const empty = { rows: 20, columns: 10, air: [], next: [], aim: [], plan: [], over: false, score: 0, level: 0,
                    count: 0, garbage: 0, pieces: 3, inControl: false };
    const notes = [];
    for (const [kind, changes] of [[0, {}], ...frames]) {
        heard = [];
        const cells = new Uint8Array(200).fill(kind, 190);
        arena.match.onFrame({ tick: 1, stage: 1, left: 0, boards: [{ ...empty, cells, ...changes }] });
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        notes.push(heard.map((one) => Math.round(one.frequency.value)));
    }
    return notes.slice(1);
}"""
CLEAR = (523, 659, 784)


def heard(visitor: Visitor, game: str, frames: list[tuple[int, dict[str, int]]]) -> list[list[int]]:
    visitor.choose(("gentle", game))
    visitor.start()
    notes: list[list[int]] = visitor.page.evaluate(HEAR, [game, frames])
    return notes


def test_a_row_is_heard_as_soon_as_it_is_full(visitor: Visitor) -> None:
    full, gone, counted = heard(
        visitor, "blocks", [(1, {"pieces": 4}), (0, {"pieces": 4}), (0, {"pieces": 4, "count": 1})]
    )
    assert full == [*CLEAR]
    assert gone == counted == []


def test_each_step_of_a_chain_is_higher(visitor: Visitor) -> None:
    frames = [(1, {"pieces": 4}), (8, {"count": 1}), (0, {"count": 1}), (2, {"count": 1}), (8, {"count": 2})]
    _, first, _, _, second = heard(visitor, "pairs", frames)
    assert first == [*CLEAR]
    assert second == [round(note * 2 ** (1 / 6)) for note in CLEAR]
