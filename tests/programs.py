"""Programs that tests use where they are: one that is missing or broken skips its test, or fails it where required."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

CC65 = "2.19"  # what the committed cartridges were assembled with; it calls itself 2.18
TIMEOUT = 60.0


def unusable(remedy: str, required: str) -> NoReturn:
    """Skip the test, or fail it where the environment variable `required` says that it must run."""
    if os.environ.get(required) == "1":
        pytest.fail(remedy)
    pytest.skip(remedy)


def require_cc65() -> None:
    """The assembler and its linker."""
    for tool in ("ca65", "ld65"):
        _, said = _run(tool, "--version")
        if not any(version in said for version in ("V2.18", f"V{CC65}")):
            unusable(f"needs {tool} of cc65 {CC65}: {said}", "EMUBOT_REQUIRE_CC65")


def compile_c(*words: str | Path) -> None:
    """Run the C compiler with these words."""
    works, said = _run("cc", *words)
    if not works:
        unusable(f"needs a C compiler that works: {said}", "EMUBOT_REQUIRE_CC")


def tracked_files(root: Path) -> list[str]:
    """The files of the repository that are there: those that git knows, and in an unpacked source package all.

    What .gitignore names was made by whoever installed or tested there, and is none of them.
    """
    if not (root / ".git").exists():
        return sorted(_walked(root))
    works, said = _run("git", "-C", root, "ls-files", "-z")
    if not works:
        pytest.skip(f"needs a git that works, to know which files are tracked: {said}")
    return [name for name in said.split("\0") if name and (root / name).is_file()]


def _walked(root: Path) -> Iterator[str]:
    ignored = [line.strip("/") for line in (root / ".gitignore").read_text(encoding="utf-8").split()]
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = [name for name in folders if not any((here / name).match(pattern) for pattern in ignored)]
        yield from ((here / name).as_posix() for name in files)


def _run(program: str, *words: str | Path) -> tuple[bool, str]:
    """Whether it did its work, and what it printed or why it did not run."""
    try:
        done = subprocess.run(
            [program, *words], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return False, str(failure)
    works = done.returncode == 0
    return works, done.stdout if works and done.stdout else done.stderr.strip() or f"it ended with {done.returncode}"
