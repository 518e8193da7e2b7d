"""Real libretro cores and our own cartridges for tests: found, or the test is skipped with the way to get them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from emubot.bridges.libretro.finding import find_core
from emubot.cartridge import Cartridge, load_cartridge
from emubot.errors import CoreNotFound

CORES = ("nestopia", "fceumm")
ROMS = Path(__file__).with_name("roms")

# Where the cartridge pads.s keeps what it read; see its head.
FRAMES, PADS, STEPS, RING = 0x10, 0x12, 0x14, 0x0300


def require_core(name: str) -> Path:
    """The core's file; without it the test is skipped, or fails where EMUBOT_REQUIRE_CORES=1 says it must run.

    Only EMUBOT_CORES counts: what a test run does, and how long it takes, is no matter of what is installed.
    """
    found = core_for_tests(name)
    if found is None:
        remedy = f"needs the core {name} in a folder that EMUBOT_CORES names (tests/bridges/fetch_cores.py FOLDER)"
        if os.environ.get("EMUBOT_REQUIRE_CORES") == "1":
            pytest.fail(remedy)
        pytest.skip(remedy)
    return found


def core_for_tests(name: str | None = None) -> Path | None:
    """The core of this name, or the first, where somebody put it for the tests."""
    try:
        found = find_core(name)
    except CoreNotFound:
        return None
    named = [Path(word).absolute() for word in os.environ.get("EMUBOT_CORES", "").split(os.pathsep) if word]
    return found if found.parent in named else None


def in_each_core(argument: str, quick: str, indirect: bool = False) -> pytest.MarkDecorator:
    """The test in each core: always in the quick one, in the others in long runs. Spread them."""
    cores = [
        pytest.param(name, marks=[pytest.mark.core(name), *([] if name == quick else [pytest.mark.slow])])
        for name in CORES
    ]
    return pytest.mark.parametrize(argument, cores, indirect=indirect)


def pad_cartridge(name: str = "pads") -> Cartridge:
    """Our own pad recorder (`pads`), or the one with lag frames (`pads_lag`)."""
    return load_cartridge(ROMS / f"{name}.nes")


def child(code: str, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh process: what might crash or be killed must not take the tests with it."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, *map(str, words)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
