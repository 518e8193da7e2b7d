"""An arena in a process of its own, and a browser that looks at it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

from emubot import games
from emubot.arena import catalogue
from emubot.session.compiling import compile_kernels, is_compiled

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
SERVE = """
import signal
import sys
import threading
import time
from emubot.arena import match_pool
from emubot.arena.server import Arena
arena = Arena("127.0.0.1", 0, float(sys.argv[1]))
signal.signal(signal.SIGINT, lambda *_: arena.stop())

def tell():
    while sys.argv[2] == "loaded" and not arena.lobby._link.is_loaded:
        time.sleep(0.02)
    print(arena.url, flush=True)

match_pool.LATER = 0.0
arena.run(threading.Thread(target=tell, daemon=True).start)
"""
PACE = 12.0  # times a console's speed, where a test does not say otherwise
PATIENCE = 90.0  # seconds for whatever a page waits for, on a busy machine

LEAVE_THE_TAB = """() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def for_long(*values: Any) -> Any:
    """A case for "pytest -m slow": it takes a browser and shows little that its neighbours do not."""
    return pytest.param(*values, marks=pytest.mark.slow)


def compile_all() -> None:
    """Compile what matches need, if that was not done: uncompiled kernels play in time, but not at many times that."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        for offer in catalogue.offered().values():
            if not is_compiled(offer.load()):
                compile_kernels(games.open_edition(offer.load()))


@contextmanager
def served(pace: float, cache: Path | None = None) -> Iterator[str]:
    """The address of an arena whose matches run `pace` times as fast as a console.

    `cache` is an empty folder for kernels: then nothing is compiled.
    """
    folder = tempfile.mkdtemp(prefix="emubot-test-")
    env = {**os.environ, "XDG_DATA_HOME": folder}  # where matches are saved
    if cache is None:
        compile_all()
    else:
        env |= {"EMUBOT_CACHE_DIR": str(cache), "EMUBOT_COMPILE_AHEAD": "0"}
    command = [sys.executable, "-c", SERVE, str(pace), "cold" if cache else "loaded"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def missing(what: str) -> NoReturn:
    """Skip, or fail where a browser must be there."""
    if os.environ.get("EMUBOT_REQUIRE_BROWSER") == "1":
        pytest.fail(what)
    pytest.skip(what)


@contextmanager
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        missing('Playwright is not installed: pip install -e ".[browser]"')
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        missing("there is no Chromium (Debian: chromium)")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--mute-audio"])
        yield made
        made.close()


@dataclass
class Visitor:
    """A person at the page: presses keys, and knows what the page shows. `faults` are what its console says."""

    page: Any
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)

    def until(self, holds: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
        """Wait until the page shows something."""
        end = time.monotonic() + patience
        while not holds():
            assert time.monotonic() < end, f"the page never showed {what}; it shows: {self.text}"
            time.sleep(0.02)

    @property
    def text(self) -> str:
        """All text that can be seen."""
        return str(self.page.locator("body").inner_text())

    @property
    def banner(self) -> str:
        """The large words over the boards; empty while the game runs."""
        return str(self.page.locator("#banner").inner_text()) if self.page.locator("#banner").is_visible() else ""

    def sees(self, words: str) -> None:
        """Wait for words."""
        self.until(lambda: words in self.text, repr(words))

    def figure(self, side: int, name: str) -> int:
        """A number beside a board; 0 as long as none is there."""
        found = self.page.locator(".board").nth(side).locator(f'[data-figure="{name}"]').inner_text()
        return int(found.replace(",", "") or 0)

    def choose(self, *sides: tuple[str, str], **rules: str) -> None:
        """Fill in the form: (player, game) of each side, and rules of all of them by their labels."""
        if self.page.locator("#customise").get_attribute("open") is None:
            self.page.locator("#customise summary").click()
        if self.page.locator("#second").is_checked() != (len(sides) == 2):
            self.page.locator("#second").click()
        for number, (player, game) in enumerate(sides):
            self.page.locator(f"#game-{number}").select_option(game)
            self.page.locator(f"#player-{number}").select_option(player)
            for name, value in rules.items():
                rule = self.page.locator(f"#rule-{number}-{name}")
                if rule.count():
                    rule.select_option(value)

    def start(self) -> None:
        """Play, and wait until the game runs."""
        self.page.locator("#go").focus()
        self.page.keyboard.press("Enter")
        self.until(lambda: self.page.locator(".board canvas").count() > 0 and not self.banner, "a running game")

    def link(self, name: str) -> str:
        """The address of an invitation: player, spectator or overlay."""
        link = self.page.locator(f"#link-{name}")
        self.until(link.is_visible, "the invitations")
        return str(link.input_value())

    def leave(self) -> None:
        """Leave a game; the page asks whether to if it runs."""
        start, leave = self.page.locator("#start"), self.page.get_by_role("button", name="Leave the game")
        self.page.get_by_role("button", name="Leave", exact=True).click()
        self.until(lambda: start.is_visible() or leave.is_visible(), "the start screen, or a question")
        if leave.is_visible():
            leave.click()
        self.until(start.is_visible, "the start screen")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def hold(self, key: str) -> None:
        self.page.keyboard.down(key)

    def release(self, key: str) -> None:
        self.page.keyboard.up(key)

    def lose(self) -> str:
        """Hold the key that moves down until the game is over; returns the words of the result."""
        self.hold("ArrowDown")
        words = self.result()
        self.release("ArrowDown")
        return words

    def save(self) -> None:
        """Have the match so far kept."""
        self.page.get_by_role("button", name="Save").click()
        self.sees("Saved.")

    def result(self) -> str:
        """Wait for the end of the match; returns the words of the result."""
        self.until(lambda: self.page.get_by_role("button", name="Rematch").is_visible(), "a result")
        return str(self.page.locator("#over-boards").inner_text())


@contextmanager
def visiting(chromium: Any, url: str) -> Iterator[Visitor]:
    """Somebody who has opened the page; nothing may be logged as an error by its end."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    visitor = Visitor(context.new_page())
    visitor.page.goto(url)
    visitor.until(lambda: visitor.page.locator("#start").is_visible(), "the start screen")
    yield visitor
    context.close()
    assert not visitor.faults
