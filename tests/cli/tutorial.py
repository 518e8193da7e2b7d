"""Runs the commands of a page with marked blocks in order, and writes what they print and find into the page.

    python -m tests.cli.tutorial

writes docs/tutorials/cartridge.md anew, in some minutes; it needs the assembler cc65 and the core FCEUmm.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bridges.cores import require_core
from tests.paths import ROOT
from tests.toys.cartridge import build
from tests.toys.shelf import TOYS

PAGE = ROOT / "docs" / "tutorials" / "cartridge.md"
CARTRIDGE = "wide"
BLOCK = re.compile(r"(<!-- (run|excerpt): (\S+) -->\n```\w+\n)(.*?)(?=```)", re.DOTALL)
_MORE = "...\n"  # the end of an excerpt of which the file has more


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yields what the mark of each block says and its argument, and the block."""
    return ((kind, what, block) for _, kind, what, block in BLOCK.findall(text))


def prepare(folder: Path) -> None:
    """Write the cartridge and the core that the tutorial uses into an empty folder."""
    core = require_core("fceumm")
    (folder / "cores").mkdir()
    (folder / "cores" / core.name).symlink_to(core)
    shutil.move(build(TOYS[CARTRIDGE], folder), folder / "unknown.nes")


def environment(folder: Path) -> dict[str, str]:
    """Returns the variables with which the commands run."""
    return {"EMUBOT_CORES": str(folder / "cores"), "XDG_CONFIG_HOME": str(folder / "config"), "COLUMNS": "200"}


def replayed(text: str, folder: Path) -> str:
    """Returns a page with what its commands print now, run in a prepared folder; raises ValueError where one fails."""
    return BLOCK.sub(lambda found: found[1] + _now(found[2], found[3], found[4], folder), text)


def _now(kind: str, what: str, block: str, folder: Path) -> str:
    if kind == "excerpt":
        return _excerpt(block, (folder / what).read_text(encoding="utf-8"))
    command = block.partition("\n")[0]
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command.removeprefix("$ "))],
        cwd=folder,
        env={**os.environ, **environment(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != int(what):
        raise ValueError(f"{command} ended with {done.returncode}: {done.stdout}")
    return f"{command}\n{_lasting(done.stdout.replace(str(folder / 'config'), '~/.config'))}\n"


def _lasting(text: str) -> str:
    """Returns what a command printed, without the version of the core and lines on how far it is."""
    text = re.sub(r"FCEUmm git \w+", "FCEUmm", text)
    return re.sub(r"^[\d,]+ pieces?(, [^;]*)?; \w+\n", "", text, flags=re.MULTILINE).strip()


def _excerpt(block: str, text: str) -> str:
    """Returns as many lines as a block has, from where its first line stands in a text."""
    shown = block.removesuffix(_MORE).splitlines(keepends=True)
    lines = text.splitlines(keepends=True)
    if shown[0] not in lines:
        raise ValueError(f"no line is {shown[0]!r}")
    first = lines.index(shown[0])
    return "".join(lines[first : first + len(shown)]) + (_MORE if block.endswith(_MORE) else "")


def main() -> None:
    """Write the page anew."""
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        prepare(Path(name))
        text = replayed(PAGE.read_text(encoding="utf-8"), Path(name))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
