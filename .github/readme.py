"""Runs a command of the README on any system: each of its lines, one after the other, without a shell.

    python .github/readme.py play|test|report

On Windows the words are changed as the README says. `play` plays a short game, and `report` prints what a report of a
fault needs.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHORT = ["--pieces", "3", "--emu-speed", "max", "--view", "none"]
INSTALL = ["core", "install"]
NO_CORE = 3  # how it ends where there is no core to install


def lines_of(mark: str) -> list[list[str]]:
    """Returns the words of each line of the README's block below this mark."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(rf"^<!-- {mark} -->\n```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if block is None:
        raise SystemExit(f"README.md has no block of commands below <!-- {mark} -->.")
    return [shlex.split(line) for line in block[1].replace("\n", " ").split("&&")]


def here(words: list[str]) -> list[str]:
    """Returns the words as this system takes them; `python3` is the Python that runs this."""
    if sys.platform == "win32":
        words = [re.sub(r"^\.venv/bin/(\w+)$", r".venv\\Scripts\\\1.exe", word) for word in words]
    return [sys.executable if word == "python3" else word for word in words]


def run(command: str) -> int:
    """Run a command of the README; returns the exit code of the first line that fails, or 0."""
    if command == "report":
        lines = [[".venv/bin/emubot", "doctor", "--report", "report.txt", "--force"]]
    else:
        lines = lines_of(command)
    if command == "play":
        lines[-1] += SHORT
    for line in lines:
        words = here(line)
        print("$", *words, flush=True)
        code = subprocess.run(words, cwd=ROOT, check=False).returncode
        if code and not (line[1:3] == INSTALL and code == NO_CORE):  # it says what plays meanwhile
            return code
    if command == "report":
        print((ROOT / "report.txt").read_text(encoding="ascii"))
    return 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["play"], ["test"], ["report"]):
        raise SystemExit(__doc__)
    raise SystemExit(run(sys.argv[1]))
