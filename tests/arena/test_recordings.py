"""The list of saved matches says when they were and who met, in words."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from emubot.arena import recordings
from emubot.arena.replay import MatchLog
from emubot.arena.request import MatchRequest
from tests.arena.playing import side

OURS, THEN = "match-20260305-091502.match.json", "5 March 2026, 09:15"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    recordings.folder().mkdir(parents=True)
    return recordings.folder()


def save(path: Path) -> None:
    request = MatchRequest(sides=(side("blocks"), side("pairs", "strong")))
    MatchLog().replay(request, 3, {}).write(path)


def titles() -> dict[str, str]:
    return {one["name"]: one["title"] for one in recordings.saved()}


def test_two_matches_of_one_second_have_two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((1_000_000_000.12, 1_000_000_000.57))
    monkeypatch.setattr(time, "time", lambda: next(clock))
    first, second = recordings.new_match(), recordings.new_match()
    assert first != second
    save(first)
    save(second)
    assert {title.partition(":")[0] for title in titles().values()} == {
        time.strftime("%-d %B %Y, %H", time.localtime(1_000_000_000))
    }


def test_a_saved_match_has_its_time_and_its_players(folder: Path) -> None:
    for name in (OURS, "my best.match.json"):
        save(folder / name)
    who = "a person (falling blocks) against the strong bot (pairs)"
    assert titles() == {OURS: f"{THEN}: {who}", "my best.match.json": f"my best: {who}"}


@pytest.mark.parametrize(
    "content", ["", "x", "[]", '{"request": 3}', '{"request":{"sides":[{"game":"chess"}]}}', '{"request":{"sides":[']
)
def test_what_says_nothing_has_its_time_alone(folder: Path, content: str) -> None:
    (folder / OURS).write_text(content, encoding="utf-8")
    assert titles() == {OURS: THEN}
