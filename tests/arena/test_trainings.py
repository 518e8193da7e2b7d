"""Trainings of a page: real children that are started, stopped, continued and seen to fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from emubot.arena import runs, trainings
from emubot.arena.access import Role
from emubot.arena.connection import PageConnection
from emubot.arena.form import Value
from emubot.arena.request import RunCommand, TellRun, Train
from emubot.arena.trainings import Trainings
from emubot.errors import UsageError

SHORT: dict[str, Value] = {"method": "ga", "games": 1, "generations": 1000}

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("trainings")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(runs, "user_data", lambda name: tmp_path / "data" / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data" / "runs"


class Page:
    """A page with its trainings, and all that it is told."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.trainings = Trainings(self.events.append)
        self.client = PageConnection(role=Role.OWNER)
        self.client.tell = lambda **words: self.events.append(words)  # type: ignore[method-assign]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [words for words in self.events if words["event"] == kind]

    async def until(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + 120
        while not holds():
            assert time.monotonic() < end, self.events[-3:]
            await asyncio.sleep(0.05)

    async def generations(self, name: str, number: int) -> list[dict[str, Any]]:
        """Ask until the run has this many generations."""
        end = time.monotonic() + 120
        while True:
            assert time.monotonic() < end, self.events[-3:]
            before = len(self.of("run"))
            self.trainings.hear(self.client, TellRun(type="run", name=name))
            await self.until(lambda: len(self.of("run")) > before)  # noqa: B023 - it is called at once
            told = self.of("run")[-1]["generations"]
            if len(told) >= number:
                return list(told)
            await asyncio.sleep(0.1)


def story(tell: Callable[[Page], Awaitable[None]]) -> Page:
    async def all_of_it() -> Page:
        page = Page()
        try:
            await tell(page)
        finally:
            await page.trainings.close()
        return page

    return asyncio.run(all_of_it())


@pytest.mark.slow
def test_a_training_is_started_followed_stopped_and_continued() -> None:
    async def tell(page: Page) -> None:
        page.trainings.hear(page.client, Train(type="train", options=SHORT))
        (name,) = (words["name"] for words in page.of("training"))
        assert page.of("runs")[-1] == {"event": "runs", "names": [name], "running": [name]}
        first = await page.generations(name, 2)
        assert page.of("run")[-1]["running"]
        page.trainings.hear(page.client, RunCommand(type="stop-run", name=name))
        await page.until(lambda: not page.trainings.running)
        assert page.of("runs")[-1]["running"] == []
        reached = await page.generations(name, 2)
        assert reached[: len(first)] == first
        page.trainings.hear(page.client, RunCommand(type="go-on-run", name=name))
        again = await page.generations(name, len(reached) + 1)
        assert again[: len(reached)] == reached

    assert not story(tell).of("said")


@pytest.mark.slow
def test_when_the_arena_ends_its_trainings_end_and_keep_what_is_finished(home: Path) -> None:
    async def tell(page: Page) -> None:
        page.trainings.start(SHORT)
        await page.generations(page.trainings.running[0], 1)

    assert story(tell).trainings.running == []
    (name,) = runs.names()
    assert runs.Histories().of(name, 0)["generations"]


def test_what_train_refuses_is_said_in_its_own_sentence() -> None:
    async def tell(page: Page) -> None:
        page.trainings.start({"game": "puyo", "method": "pso", "rules": "nes"})
        await page.until(lambda: page.of("said"))
        assert not page.trainings.running

    (said,) = story(tell).of("said")
    assert "nes" in said["message"]
    assert "Traceback" not in said["message"]


def test_there_is_an_end_to_their_number_and_strangers_are_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def tell(page: Page) -> None:
        monkeypatch.setattr(trainings, "MOST_TRAININGS", 1)
        name = page.trainings.start(SHORT)
        with pytest.raises(UsageError, match="which is the most"):
            page.trainings.start(SHORT)
        with pytest.raises(UsageError, match="is running"):
            page.trainings.go_on(name)
        with pytest.raises(UsageError, match="does not run"):
            page.trainings.stop("another")

    story(tell)
