"""The arena's commands: the key of its page is on no command line, and a file that is no match is named."""

from __future__ import annotations

import contextlib
import re
import stat
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from emubot.arena import feed as arena_feed
from emubot.arena import server
from emubot.cli import browser, feed, main
from tests.cli.refusals import sentence

KEY = "the-key-of-this-session"
URL = f"http://127.0.0.1:4321/#{KEY}"


class Recorder:
    """A browser that only writes down its command line."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._words = folder / "words"
        program = folder / "browser"
        program.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" > {self._words}.part\nmv {self._words}.part {self._words}\n'
        )
        program.chmod(0o755)
        monkeypatch.delenv("EMUBOT_NO_BROWSER", raising=False)
        monkeypatch.setenv("BROWSER", f"{program} %s")
        monkeypatch.setattr(webbrowser, "_browsers", {})
        monkeypatch.setattr(webbrowser, "_tryorder", None)
        self.page = Path()

    def look(self) -> None:
        """Wait for the browser, and check what it was given while it is there."""
        end = time.monotonic() + 20
        while not self._words.exists():
            assert time.monotonic() < end, "no browser was started"
            time.sleep(0.01)
        words = self._words.read_text()
        assert KEY not in words
        self.page = Path(unquote(urlsplit(words.splitlines()[-1]).path))
        assert stat.S_IMODE(self.page.stat().st_mode) == 0o600
        assert stat.S_IMODE(self.page.parent.stat().st_mode) == 0o700
        content = self.page.read_text()
        assert re.findall(r'content="0; url=(.*)"', content) == [URL]


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    return Recorder(tmp_path, monkeypatch)


class FakeArena:
    """A server that serves nothing; `inside` is called while it runs."""

    inside: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, *_: object) -> None:
        self.url = URL
        self.lobby = SimpleNamespace(shows=None, opened=0)

    def standing_session(self) -> Any:
        return SimpleNamespace(receive=None, orders=None)

    def run(self, ready: Callable[[], object]) -> None:
        ready()
        self.inside()

    def stop(self) -> None:
        pass


def test_the_browser_of_the_arena_is_not_given_the_key(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "Arena", type("Looked", (FakeArena,), {"inside": staticmethod(recorder.look)}))
    assert main(["arena"]) == 0
    assert recorder.page.name
    assert not recorder.page.parent.exists(), "it is deleted at the end"


def test_the_browser_of_a_session_is_not_given_the_key(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "Arena", FakeArena)
    mail = SimpleNamespace(put=None)
    quiet = SimpleNamespace(mail=mail, open=lambda: None, close=lambda how: None)
    monkeypatch.setattr(arena_feed, "Feed", lambda *_: quiet)
    with feed.on_page(SimpleNamespace(), SimpleNamespace(result=""), None):  # type: ignore[arg-type]
        recorder.look()
    assert not recorder.page.parent.exists(), "it is deleted at the end"


def test_a_failure_leaves_no_file(recorder: Recorder) -> None:
    with contextlib.suppress(RuntimeError), browser.opened(URL):
        recorder.look()
        raise RuntimeError
    assert not recorder.page.parent.exists()


def test_where_browsers_see_no_temporary_folder_they_are_given_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads = tmp_path / "Downloads"
    monkeypatch.setattr("platformdirs.user_downloads_path", lambda: downloads)
    monkeypatch.setattr(browser, "has_snaps", lambda: True)
    with browser.page_to(URL) as page:
        assert not page.is_relative_to(downloads), "there is no such folder"
    downloads.mkdir()
    monkeypatch.setattr(browser, "has_snaps", lambda: False)
    with browser.page_to(URL) as page:
        assert not page.is_relative_to(downloads)
    monkeypatch.setattr(browser, "has_snaps", lambda: True)
    with browser.page_to(URL) as page:
        assert page.parent.parent == downloads
    assert list(downloads.iterdir()) == []


def test_a_full_disk_opens_nothing_and_ends_nothing(monkeypatch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryDirectory", full)
    with browser.opened(URL):
        pass


def test_a_recorded_game_is_no_match_and_its_commands_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game.npz"
    game.write_bytes(b"PK\x03\x04")
    assert main(["arena", str(game)]) == 2
    assert "the arena saves them as NAME.match.json" in sentence(capsys)
