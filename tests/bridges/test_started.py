"""Tests of real emulators are asked for; an emulator that ends at once fails its test at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bridges import fceux, nintaco, retroarch
from tests.bridges.cores import ROMS
from tests.bridges.fceux import emulator as real_fceux
from tests.bridges.retroarch import emulator as real_retroarch
from tests.bridges.started import START
from tests.paths import ROOT

ROOMS = [Path(room.__file__ or "").parent for room in (fceux, nintaco, retroarch)]
PRINTED = "Failed to open session bus: no D-Bus here"
BROKEN = f"#!/bin/sh\necho '{PRINTED}' >&2\nexit 7\n"
SCREEN = f"#!{sys.executable}\nimport os, sys, time\nos.write(int(sys.argv[2]), b'99\\n')\ntime.sleep(60)\n"


def needs_an_emulator(module: Path) -> bool:
    """Whether it has the means to start one, or to find one."""
    text = module.read_text(encoding="utf-8")
    return ".emulator import" in text or "EMUBOT_NINTACO" in text


def test_the_test_command_starts_no_emulator() -> None:
    real = [module for room in ROOMS for module in room.glob("test_*.py") if needs_an_emulator(module)]
    assert len(real) >= len(ROOMS)
    for module in real:
        assert "pytest.mark.emulators" in module.read_text(encoding="utf-8"), module
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "--collect-only", *map(str, real)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "::" in done.stdout) == (pytest.ExitCode.NO_TESTS_COLLECTED, False), done.stdout


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which the emulators are installed, and end as soon as they are started; returns a free folder."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, script in {"fceux": BROKEN, "retroarch": BROKEN, "Xvfb": SCREEN}.items():
        (programs / name).write_text(script, encoding="ascii")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), os.environ["PATH"]]))
    monkeypatch.setattr(real_retroarch, "require_core", lambda name: tmp_path / name)
    return tmp_path / "folder"


def attach_to_fceux(folder: Path) -> None:
    with real_fceux.fceux(folder, ROMS / "pads.nes") as emulator:
        emulator.attach()


def wait_for_fceux(folder: Path) -> None:
    with real_fceux.fceux(folder, ROMS / "pads.nes") as emulator:
        emulator.wrote("replay")


def attach_to_retroarch(folder: Path) -> None:
    with real_retroarch.retroarch(folder, ROMS / "pads.nes", "fceumm") as emulator:
        emulator.attach()


@pytest.mark.few(1)
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("test", [attach_to_fceux, wait_for_fceux, attach_to_retroarch])
def test_an_emulator_that_ends_at_once_fails_its_test_at_once(test: Callable[[Path], None], broken: Path) -> None:
    started = time.monotonic()
    with pytest.raises(AssertionError, match=f"has ended with code 7; it printed:\n{PRINTED}"):
        test(broken)
    assert time.monotonic() - started < START / 4
