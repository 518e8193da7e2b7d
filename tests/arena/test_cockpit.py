"""What the form offers is what `emubot play` takes, and nothing that the page sends becomes a path or an option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emubot.arena import cockpit, recordings
from emubot.cli.play_options import build_parser
from emubot.errors import UsageError
from emubot.games.tetris.bounds import NODES


def parsed(words: list[str]) -> Any:
    return build_parser().parse_intermixed_args(words)


def test_each_option_is_one_of_play() -> None:
    known = build_parser()._option_string_actions
    for option in cockpit.options():
        assert option.flag is None or option.flag in known, option.name


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "--demo tetris"),
        ({"what": "demo:puyo", "speed": 5, "versus": True, "speed2": 3}, "5 AIvsAI --demo puyo --speed2 3"),
        ({"what": "running", "human": "1"}, "--human 1"),
        (
            {"what": "demo:tetris", "level": 18, "taps": "12hz", "rng": "aware"},
            "--demo tetris --level 18 --taps 12hz --rng aware",
        ),
        ({"what": "demo:puyo", "bot": "gentle"}, "0 --demo puyo --weights pairs-lowest --nodes 0"),
        ({"bot": "full", "weights": "dt10"}, "10 --demo tetris --weights dt10"),
        (
            {"bot": "strong", "speed": 2, "versus": True, "bot2": "easy"},
            "2 AIvsAI --demo tetris --speed2 3 --weights2 lowest-holes-bumps --nodes2 0",
        ),
        (
            {"bot": "gentle", "versus": True, "bot2": "full"},
            f"0 AIvsAI --demo tetris --speed2 10 --weights2 nes_tetris --nodes2 {NODES} --weights lowest --nodes 0",
        ),
        ({"what": "running", "bot": "gentle"}, "0 --nodes 0"),
        ({"what": "demo:tetris", "versus": False, "aggression": 0.25}, "--demo tetris --aggression 0.25"),
    ],
)
def test_choices_become_the_words_of_play(chosen: dict[str, Any], words: str) -> None:
    made = cockpit.words_of(chosen)
    assert made == words.split()
    parsed(made)


def test_a_recording_goes_to_a_file_of_our_own(tmp_path: Path) -> None:
    words = cockpit.words_of({"record": True}, tmp_path / "game.npz")
    assert words == ["--demo", "tetris", "--record", str(tmp_path / "game.npz")]


def test_cartridges_are_named_by_the_files_of_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.nes").touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "folder.nes").mkdir()
    monkeypatch.setenv("EMUBOT_ROMS", str(tmp_path))
    ids = [name for name, _ in cockpit.sources()]
    assert ids == ["demo:tetris", "demo:puyo", "demo:capsules", "rom:mine.nes", "running"]
    assert cockpit.words_of({"what": "rom:mine.nes"}) == ["--rom", str(tmp_path / "mine.nes")]
    monkeypatch.delenv("EMUBOT_ROMS")
    with pytest.raises(UsageError):
        cockpit.words_of({"what": "rom:mine.nes"})


@pytest.mark.parametrize(
    "chosen",
    [
        {"what": "rom:../../etc/passwd"},
        {"what": "/etc/passwd"},
        {"weights": "/tmp/x.json"},
        {"core": "/tmp/evil.so"},
        {"map": "../x.yaml"},
        {"speed": 11},
        {"speed": "5; rm"},
        {"speed": True},
        {"speed": 2.5},
        {"record": "/tmp/x"},
        {"versus": 1},
        {"feed": True},
        {"--rom": "x"},
    ],
)
def test_what_is_not_offered_is_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        cockpit.words_of(chosen)


values = st.one_of(st.booleans(), st.integers(-5, 10**7), st.floats(allow_nan=False), st.text(max_size=12))
names = st.sampled_from([option.name for option in cockpit.options()]) | st.text(max_size=8)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(names, values, max_size=5))
def test_any_choice_is_refused_or_something_that_play_understands(chosen: dict[str, Any]) -> None:
    recordings.make_folder()  # as before a session begins
    words = None
    try:
        words = cockpit.words_of(chosen)
    except UsageError:
        return
    assert parsed(words).feed is False


def test_a_choice_replaces_what_a_preset_has_for_the_same() -> None:
    chosen = {"what": "demo:tetris", "bot": "middle"}
    assert cockpit.command_line(chosen | {"budget_ms": 5.0}) == "emubot play 5 --demo tetris --budget-ms 5"
    assert cockpit.command_line(chosen | {"taps": "12hz"}) == "emubot play --demo tetris --nodes 0 --taps 12hz"
