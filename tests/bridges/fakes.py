"""Scripted stand-ins for pip, apt-get and dpkg-deb, so that installing is tested without a network."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from pathlib import Path

import pytest

from emubot.bridges.libretro import installing
from emubot.systems import cores

LICENCES = """# Everything
Other words.
# Cores
## Stella
Not ours.
## FCEUmm
Copyright of FCEUmm.
## Snes9x
Not ours either.
# GPLv2 full text
The GPL.
"""


def wheel(path: Path, core: bytes, licences: str | None = LICENCES, copies: int = 1) -> Path:
    """A wheel that holds what the real one does, as far as it is ever opened."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(copies):
            archive.writestr(f"stable_retro{number or ''}/cores/fceumm_libretro{cores.suffix()}", core)
        archive.writestr(f"stable_retro/cores/snes9x_libretro{cores.suffix()}", b"another core")
        if licences is not None:
            archive.writestr("stable_retro-1.0.1.dist-info/licenses/LICENSES.md", licences)
    return path


def publish(monkeypatch: pytest.MonkeyPatch, made: Path) -> None:
    """Let this wheel be the one whose SHA-256 is known."""
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    monkeypatch.setattr(installing, "WHEEL_SHA256", {(cores.system(), cores.processor()): digest})


def tool(folder: Path, name: str, body: str) -> tuple[str, ...]:
    """A command that runs this Python code; its words are `sys.argv[1:]`, and it keeps them in NAME.words."""
    script = folder / f"{name}.py"
    words = folder / f"{name}.words"
    head = f"import shutil, sys\nfrom pathlib import Path\nPath({str(words)!r}).write_text('|'.join(sys.argv[1:]))\n"
    script.write_text(head + body, encoding="utf-8")
    return (sys.executable, str(script))


def pip(folder: Path, made: Path) -> tuple[str, ...]:
    """A pip whose `download` brings this wheel."""
    return tool(
        folder,
        "pip",
        "dest = Path(next(word for word in sys.argv if word.startswith('--dest=')).removeprefix('--dest='))\n"
        "dest.mkdir()\n"
        f"shutil.copy({str(made)!r}, dest / 'stable_retro-1.0.1-cp311-cp311-any.whl')\n",
    )


def failing(folder: Path, said: str) -> tuple[str, ...]:
    """A tool that says this on stderr and fails."""
    return tool(folder, "pip", f"sys.stderr.write({said!r})\nsys.exit(1)\n")
