"""Builds toy_core.c, a libretro core of our own, with the flags that make it odd."""

from __future__ import annotations

from pathlib import Path

from emubot.systems.cores import suffix
from tests.programs import compile_c


def build_toy(folder: Path, *flags: str) -> Path:
    """Compile the toy core into this folder; the test is skipped where no C compiler works."""
    made = folder / f"toy_libretro{suffix()}"
    source = Path(__file__).with_name("toy_core.c")
    compile_c("-shared", "-fPIC", *(f"-D{flag}" for flag in flags), source, "-o", made)
    return made
