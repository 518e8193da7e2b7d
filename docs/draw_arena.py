"""Writes the pictures of docs/how-to/arena.md: every screen of the arena, in a real browser, at desktop and phone size.

    python docs/draw_arena.py [FOLDER]

Without a folder it writes the pictures of the page, `docs/pictures/arena-*.png`; with one, all screens, light and dark,
in both sizes, to look at. Needs Playwright and Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

from tests.arena.serving import Visitor, browser, served  # noqa: E402 - from the checkout

SIZES = {"desktop": (1200, 820), "phone": (390, 844)}
BOTS, PIECES = 16, 14  # boards of the wall; that somebody plays with the coach
STEPS = (4, 5, 2, 2, 0)  # to the right and to the left in turn
PICTURES = {
    "start-desktop-light",
    "match-desktop-dark",
    "turns-desktop-light",
    "watch-desktop-light",
    "training-desktop-light",
    "coach-desktop-dark",
    "review-desktop-light",
    "wall-desktop-dark",
}


def screens(visitor: Visitor, keep: Any) -> None:
    """Go through all screens; `keep` takes a picture of each."""
    page = visitor.page
    visitor.until(lambda: page.locator("#demo canvas").count(), "a bot that plays")
    page.wait_for_timeout(12_000)
    keep("start")
    page.get_by_role("button", name="Settings").click()
    keep("settings")
    visitor.press("Escape")
    visitor.choose(("strong", "blocks"), ("strong", "pairs"))
    visitor.page.locator("#seed").fill("7")
    visitor.start()
    page.wait_for_timeout(14_000)
    keep("match")
    visitor.press("p")
    page.get_by_role("button", name="Go on").first.wait_for()
    keep("pause")
    visitor.leave()
    visitor.choose(("person", "pairs"), ("full", "pairs"))
    page.locator("#mode").select_option("easy")
    visitor.start()
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "x"):
        visitor.press(key)
        visitor.hold("ArrowDown")
        page.wait_for_timeout(2_500)
        visitor.release("ArrowDown")
    visitor.until(lambda: "Your turn" in visitor.text, "the turn")
    keep("turns")
    visitor.leave()
    visitor.choose(("person", "pairs"))
    visitor.start()
    visitor.hold("ArrowDown")
    visitor.result()
    visitor.release("ArrowDown")
    keep("result")
    page.get_by_role("button", name="Back").click()
    coach_and_review(visitor, keep)
    page.get_by_role("tab", name="Wall of bots").click()
    visitor.until(lambda: page.locator("#wall-shipped").is_enabled(), "whose weights there are")
    page.locator("#wall-shipped").click()
    visitor.until(lambda: page.locator("#wall-boards canvas.field").count() == BOTS, "the boards")
    page.wait_for_timeout(70_000)
    keep("wall")
    page.locator("#wall-leave").click()
    page.get_by_role("button", name="Leave the game").click()
    page.get_by_role("tab", name="Play here").click()
    visitor.choose(("middle", "blocks"))
    page.locator("#pace").select_option("0")
    visitor.start()
    page.wait_for_timeout(5_000)
    keep("show")
    visitor.leave()
    page.get_by_role("tab", name="Watch a cartridge").click()
    keep("cockpit")
    page.locator("#option-what").select_option("demo:tetris")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Explain the bot").click()
    visitor.until(lambda: page.locator(".insight tr.chosen").count() > 0, "the bot's thoughts")
    page.wait_for_timeout(9_000)
    visitor.press("p")  # or the piece moves on before it is explained
    page.wait_for_timeout(3_000)
    visitor.until(lambda: page.locator(".insight tr.chosen").count() > 0, "the bot's thoughts about this piece")
    keep("watch")
    visitor.press("p")
    page.get_by_role("button", name="Explain the bot").click()
    visitor.leave()
    page.get_by_role("tab", name="Train a bot").click()
    page.locator("summary", has_text="How long").click()
    page.locator("#train-games").fill("1")
    for method, seconds in (("ga", 12), ("pso", 25)):
        page.locator("#train-method").select_option(method)
        page.get_by_role("button", name="Start the training").click()
        page.wait_for_timeout(1000 * seconds)
        page.get_by_role("button", name="Stop").click()
        page.get_by_role("button", name="Go on").wait_for()
    page.locator("summary", has_text="How long").click()
    page.locator("#run-second").select_option(index=2)
    page.locator("#run-logarithm").check()
    page.wait_for_timeout(1_500)
    keep("training")


def coach_and_review(visitor: Visitor, keep: Any) -> None:
    """Play as somebody who is learning, until the coach has a better place; then lose, and review the game."""
    page = visitor.page
    visitor.choose(("person", "blocks"), ("gentle", "pairs"))
    page.locator("#mode").select_option("")
    visitor.start()
    page.locator("#coach").select_option("after")
    for piece in range(PIECES):
        page.wait_for_timeout(400)  # the piece appears
        key = "ArrowLeft" if piece % 2 else "ArrowRight"
        for _ in range(STEPS[piece % len(STEPS)]):
            visitor.hold(key)
            page.wait_for_timeout(50)
            visitor.release(key)
            page.wait_for_timeout(50)
        pieces = visitor.figure(0, "pieces")
        visitor.hold("ArrowDown")
        visitor.until(lambda pieces=pieces: visitor.figure(0, "pieces") > pieces or visitor.banner, "the next piece")
        visitor.release("ArrowDown")
        words = page.locator("#coach-words").inner_text()
        if piece > PIECES // 2 and ("?!" in words or "??" in words):
            break
    keep("coach")
    visitor.lose()
    page.get_by_role("button", name="Review").click()
    visitor.until(page.locator("#review-graph").is_visible, "the graph of the review")
    for _ in range(PIECES):
        visitor.press("ArrowRight")
        page.wait_for_timeout(300)
    keep("review")
    visitor.leave()


def main() -> None:
    """Write the pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with browser() as chromium, served(1.0) as url:
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                if folder is None and not any(name.endswith(f"{size}-{scheme}") for name in PICTURES):
                    continue
                context = chromium.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=size == "phone"
                )
                visitor = Visitor(context.new_page())
                visitor.page.goto(url)
                visitor.until(lambda visitor=visitor: visitor.page.locator("#start").is_visible(), "the start screen")

                def keep(name: str, visitor: Visitor = visitor, ending: str = f"{size}-{scheme}") -> None:
                    full = f"{name}-{ending}"
                    if folder is not None:
                        visitor.page.screenshot(path=folder / f"{full}.png", full_page=True)
                    elif full in PICTURES:
                        visitor.page.evaluate("scrollTo(0, 0)")
                        visitor.page.screenshot(
                            path=DOCS / "pictures" / f"arena-{full}.png", full_page=name in ("watch", "training")
                        )

                screens(visitor, keep)
                context.close()


if __name__ == "__main__":
    main()
