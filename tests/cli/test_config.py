"""A person's own defaults: the command line goes before them, wrong ones are told with line and key, scripts go on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st

from emubot.arena.play_link import PlayLink
from emubot.cli import config, main, play, settings
from emubot.cli.parsers import parser_of
from emubot.cli.settings import Config, parse_config
from emubot.errors import UsageError
from tests.cli.refusals import sentence


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of a person who has none yet."""
    path = tmp_path / "own" / "config.toml"
    monkeypatch.setenv("EMUBOT_CONFIG", str(path))
    return path


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def requested(monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    """What `emubot play WORDS` would play: its options and its request."""
    found: list[Any] = []

    def noted(*what: Any) -> int:
        found.append(what)
        return 0

    monkeypatch.setattr(play, "_play", noted)
    assert main(["play", *words]) == 0
    return found[0]


def test_it_is_set_shown_and_unset(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("config set play.speed 5".split()) == 0
    assert main("config set play.view window".split()) == 0
    assert main("config set arena.no-open true".split()) == 0
    assert file.read_text() == '[play]\nview = "window"\nspeed = 5\n\n[arena]\nno-open = true\n'
    capsys.readouterr()
    assert main("config get play.speed".split()) == 0
    assert capsys.readouterr().out == "5\n"
    assert main(["config"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{file}\n")
    assert "  play.speed         5, line 3: bot speed 0-10 (default 10)\n" in said
    assert "  selfplay.jobs      not set: " in said
    assert main("config unset play.speed".split()) == 0
    assert file.read_text() == '[play]\nview = "window"\n\n[arena]\nno-open = true\n'
    capsys.readouterr()
    assert main("config get play.speed".split()) == 1
    assert capsys.readouterr().err == f"emubot: play.speed is not set in {file}.\n"
    assert main(["config", "--json"]) == 0
    told = {row["name"]: row["value"] for row in json.loads(capsys.readouterr().out)["settings"]}
    assert set(told) == set(settings.NAMES)
    assert told["play.view"] == "window"
    assert told["play.speed"] is None


def test_without_the_variable_it_is_in_the_folder_of_the_person(
    user_config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("EMUBOT_CONFIG")
    assert main(["config", "path"]) == 0
    assert capsys.readouterr().out == f"{user_config / 'config.toml'}\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("config set play.spede 5", "play.spede: there is no such setting (did you mean speed?); play has speed, view"),
        ("config set plya.speed 5", "There is no setting 'plya.speed' (did you mean play.speed?); there are "),
        ("config set play.record x", "play.record: there is no such setting; play has "),
        ("config set play.speed 11", "play.speed: '11' is not a whole number from 0 to 10."),
        ("config set play.view bord", "play.view: invalid choice: 'bord' (did you mean board? choose from board, "),
        ("config set arena.no-open maybe", "arena.no-open: it is true or false, not 'maybe'."),
        ("config set play.speed", "set takes a NAME and a VALUE;"),
        ("config get", "get takes a NAME;"),
        ("config list play.speed", "list takes nothing more;"),
        ("config sett play.speed 5", "invalid choice: 'sett' (did you mean set? choose from "),
    ],
)
def test_a_wrong_setting_is_one_sentence(line: str, said: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert said in sentence(capsys)
    assert not file.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[play]\n\nspede = 5\n", ":3: play.spede: there is no such setting (did you mean speed?); play has "),
        ("[play]\nspeed = 11\n", ":2: play.speed: '11' is not a whole number from 0 to 10."),
        ("play.speed = 1.5\n", ":1: play.speed: '1.5' is not a whole number from 0 to 10."),
        ('[play]\nview = ["board"]\n', ":2: play.view: it is a word or a number, not "),
        ("[plya]\nspeed = 5\n", ":1: plya: no command of this name has settings (did you mean play?); these have: "),
        ("speed = 5\n", ":1: speed: no command of this name has settings; these have: play, "),
        ("play = 5\n", ": play is a table, written [play] on a line of its own."),
        ("[play\n", " is not TOML: "),
        ("[play]\nspeed = 5\nspeed = 6\n", " is not TOML: "),
        (b"[play]\nview = '\xff'\n", " is not UTF-8 text: "),
    ],
)
def test_a_wrong_file_is_told_with_line_and_key(
    text: str | bytes, said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir()
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    for words in (["play", "--demo", "tetris"], ["config"]):
        assert main(words) == 2
        assert f"emubot: {file}{said}" in sentence(capsys)
    for words in (["play", "--help"], ["help", "play"]):  # help is never refused
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert f"Your settings cannot be read: {file}{said}" in capsys.readouterr().out


def test_the_command_line_goes_before_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file, '[play]\nspeed = 3\nemu-speed = "max"\nbridge = "simulated"\nwait = 7\n')
    options, request = requested(monkeypatch, "--demo", "tetris")
    assert (options.speed, options.emu_speed, request.bridge, request.wait) == (3, "max", "simulated", 7)
    options, request = requested(monkeypatch, "9", "--demo", "tetris", "--emu-speed", "2", "--wait", "60")
    assert (options.speed, options.emu_speed, request.wait) == (9, "2", 60)
    for words in (["--no-config"], []):
        if not words:
            monkeypatch.setenv("EMUBOT_CONFIG", "")
        options, request = requested(monkeypatch, "--demo", "tetris", *words)
        assert (options.speed, options.emu_speed, request.bridge) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "line", "kept", "passed_over"),
    [
        ("speed = 3", "--demo tetris --taps 12hz", {}, {"speed"}),
        ('bridge = "fceux"', "--demo tetris", {}, {"bridge"}),
        ('bridge = "fceux"', "--rom none.nes --core nestopia", {"core": "nestopia"}, {"bridge"}),
        ('bridge = "fceux"\nemu-speed = 2', "", {"bridge": "fceux"}, {"emu_speed"}),
        ('bridge = "simulated"', "", {}, {"bridge"}),
        ('bridge = "cynes"\ncore = "nestopia"', "--rom none.nes", {"bridge": "cynes"}, {"core"}),
        ('core = "nestopia"', "--demo tetris --bridge simulated", {"bridge": "simulated"}, {"core"}),
        ('core = "nestopia"', "", {}, {"core"}),
        ('view = "window"', "--demo tetris", {}, {"view"}),  # the tests have no terminal
        ('view = "window"', "--demo tetris --json", {}, {"view"}),
    ],
)
def test_what_does_not_go_with_the_command_line_is_passed_over(
    text: str, line: str, kept: dict[str, str], passed_over: set[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(file, f"[play]\n{text}\n")
    options, _ = requested(monkeypatch, *line.split())
    assert {name: getattr(options, name) for name in kept} == kept
    assert {name for name in passed_over if getattr(options, name) is not None} == set()


def test_a_window_is_a_default_at_a_terminal(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "can_redraw", lambda: True)
    written(file, '[play]\nview = "none"\n')
    assert requested(monkeypatch, "--demo", "tetris")[0].view == "none"
    assert requested(monkeypatch, "--demo", "tetris", "--view", "board")[0].view == "board"


def test_other_commands_have_theirs(file: Path) -> None:
    written(file, "[evaluate]\njobs = 3\n[arena]\nport = 7777\nno-open = true\n")
    assert parser_of("evaluate", "tetris").parse(["tetris"]).jobs == 3
    assert parser_of("evaluate", "tetris").parse(["tetris", "--jobs", "2"]).jobs == 2
    assert parser_of("selfplay", "tetris").parse(["tetris"]).jobs == 1
    options = parser_of("arena").parse([])
    assert (options.port, options.no_open) == (7777, True)


def test_help_says_what_is_set(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(file, "[play]\nspeed = 3\n")
    for words, said in (("play --help", True), ("play --help-all", True), ("evaluate tetris --help", False)):
        with pytest.raises(SystemExit):
            main(words.split())
        assert (f"Your settings in {file} are: speed 3.\n" in capsys.readouterr().out) is said


def test_nobody_reads_a_file_that_is_not_asked_for(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(file, "[play\n")
    assert main(["maps", "list"]) == 0
    assert main(["play", "--no-config", "--demo", "tetriss"]) == 2
    assert "invalid choice: 'tetriss'" in capsys.readouterr().err


def test_a_variable_that_is_empty_has_no_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in ("", os.devnull):
        monkeypatch.setenv("EMUBOT_CONFIG", value)
        assert main("config set play.speed 5".split()) == 2
        assert "EMUBOT_CONFIG is set to nothing" in sentence(capsys)


def test_the_tests_read_no_file_of_whoever_runs_them() -> None:
    assert os.environ["EMUBOT_CONFIG"] == ""
    assert settings.config_file() is None


def test_comments_and_other_settings_stay() -> None:
    text = "# mine\n[play] # all of it\nspeed = 5 # slow\n\n[arena]\nport=1\n"
    before = parse_config(text, Path("x"))
    assert config.changed(before, "play", "speed", 7) == text.replace("5", "7")
    assert config.changed(before, "play", "speed", None) == text.replace("speed = 5 # slow\n", "")
    assert config.changed(before, "play", "wait", 3) == text.replace("speed", "wait = 3\nspeed")
    assert config.changed(before, "serve", "port", 3) == f"{text}\n[serve]\nport = 3\n"
    inline = parse_config("play = {speed = 5}\n", Path("x"))
    for value in (None, 7):
        with pytest.raises(UsageError, match=r"says play\.speed in a way of its own: change it there by hand"):
            config.changed(inline, "play", "speed", value)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_file_that_is_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    kept = written(file, "").rename(tmp_path / "dotfiles.toml")
    file.symlink_to(kept)
    assert main("config set play.speed 5".split()) == 0
    assert file.is_symlink()
    assert kept.read_text() == "[play]\nspeed = 5\n"


def test_what_would_move_the_cursor_is_not_printed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(file, '[play]\ncore = "a\\u001b[31mb"\n')
    for words in ("config", "config get play.core", "play --help"):
        with contextlib.suppress(SystemExit):
            main(words.split())
        said = capsys.readouterr().out
        assert "a?[31mb" in said
        assert "\x1b" not in said


_VALUES = {"speed": st.integers(0, 10), "view": st.sampled_from(["board", "none"]), "core": st.text("ab \"'\\#=[]é")}


@settings_of_hypothesis(max_examples=25)
@given(st.lists(st.sampled_from([*_VALUES]).flatmap(lambda name: st.tuples(st.just(name), _VALUES[name] | st.none()))))
def test_any_order_of_changes_leaves_what_was_set_last(changes: list[tuple[str, Any]]) -> None:
    now, wanted = Config(Path("x"), "", {}), {}
    for name, value in changes:
        now = parse_config(config.changed(now, "play", name, value), Path("x"))
        wanted[name] = value
    assert {**now.values.get("play", {})} == {name: value for name, value in wanted.items() if value is not None}


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read_is_one_sentence(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(file, "").chmod(0)
    assert main(["play", "--demo", "tetris"]) == 2
    assert f"{file} cannot be read (Permission denied): mend it, or do without" in sentence(capsys)


def test_a_session_of_the_arena_takes_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has said everything that it wants."""
    started: list[str] = []

    async def exec_(*words: str, **_: object) -> None:
        started.extend(words)
        raise OSError

    async def link() -> None:
        made = PlayLink(["play"], lambda _: None, lambda _: None)
        with pytest.raises(OSError):  # noqa: PT011  # ours
            await made._task

    monkeypatch.setattr(asyncio, "create_subprocess_exec", exec_)
    asyncio.run(link())
    assert started[-3:] == ["play", "--feed", "--no-config"]
