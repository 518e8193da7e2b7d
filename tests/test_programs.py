"""Programs that happen to be installed decide nothing: a broken one skips its test, and fails it where required."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot.bridges.libretro import finding
from emubot.systems.cores import suffix
from tests.bridges.cores import require_core
from tests.programs import compile_c, require_cc65, tracked_files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.fixture(params=["#!/bin/sh\necho you have not agreed >&2\nexit 1\n", "", None], ids=["fails", "empty", "none"])
def broken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing but broken programs, or with none; returns a folder that looks like a checkout."""
    if request.param is not None:
        for name in ("ca65", "ld65", "cc", "git"):
            (tmp_path / name).write_text(request.param, encoding="ascii")
            (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for variable in [name for name in os.environ if name.startswith("EMUBOT_REQUIRE")]:
        monkeypatch.delenv(variable)
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("use", "required"),
    [(require_cc65, "EMUBOT_REQUIRE_CC65"), (lambda: compile_c("-c", "a.c"), "EMUBOT_REQUIRE_CC")],
    ids=["cc65", "cc"],
)
def test_a_broken_program_skips_its_test_and_fails_it_where_required(
    use: Callable[[], None], required: str, broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(pytest.skip.Exception, match="needs"):
        use()
    monkeypatch.setenv(required, "1")
    with pytest.raises(pytest.fail.Exception, match="needs"):
        use()


def test_without_git_what_needs_a_checkout_is_skipped(broken: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="needs a git that works"):
        tracked_files(broken)


def test_in_an_unpacked_source_package_all_files_are_the_repositorys_but_what_was_made_there(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("__pycache__/\n*.egg-info/\n/build/\n/.ci/venv/\n", encoding="utf-8")
    ours = {"PKG-INFO", "emubot/a.py", ".ci/run", "tests/data/kept/a.json"}
    made = {"emubot/__pycache__/a.pyc", "emubot.egg-info/SOURCES.txt", "build/lib/a.py", ".ci/venv/bin/python"}
    for name in ours | made:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert tracked_files(tmp_path) == sorted({*ours, ".gitignore"})


def test_a_core_of_somebodys_retroarch_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "retroarch_folders", lambda: [tmp_path])
    monkeypatch.setattr(finding, "install_folder", lambda: tmp_path / "own")
    monkeypatch.delenv("EMUBOT_CORES", raising=False)
    monkeypatch.delenv("EMUBOT_REQUIRE_CORES", raising=False)
    core = tmp_path / f"fceumm_libretro{suffix()}"
    core.touch()
    assert finding.find_core("fceumm") == core
    with pytest.raises(pytest.skip.Exception, match="needs the core fceumm"):
        require_core("fceumm")
    monkeypatch.setenv("EMUBOT_CORES", str(tmp_path))
    assert require_core("fceumm") == core
