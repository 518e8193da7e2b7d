"""Builds toy_core.c, a libretro core of our own, with the flags that make it odd."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from emubot.bridges.libretro.finding import SUFFIX


def build_toy(folder: Path, *flags: str) -> Path:
    """Compile the toy core into this folder; the test is skipped where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler (cc)")
    made = folder / f"toy_libretro{SUFFIX}"
    source = Path(__file__).with_name("toy_core.c")
    words = [compiler, "-shared", "-fPIC", *(f"-D{flag}" for flag in flags), str(source), "-o", str(made)]
    subprocess.run(words, check=True)
    return made
