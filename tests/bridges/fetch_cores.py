"""Puts both tested cores into a folder, for EMUBOT_CORES in continuous integration: `fetch_cores.py FOLDER`.

A core that is there already is kept, so the folder may be cached between runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from emubot.bridges.libretro.installing import SOURCES, core_path, install
from emubot.bridges.libretro.library import probe
from emubot.errors import BridgeError


def fetch(name: str, folder: Path) -> None:
    """Install one core; a fresh container has no package lists yet, so the lists are fetched where that may help."""
    try:
        install(name, folder, probe)
    except BridgeError:
        if name != "nestopia" or not shutil.which("apt-get") or os.geteuid() != 0:
            raise
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        install(name, folder, probe)


def main() -> None:
    folder = Path(sys.argv[1])
    for name in SOURCES:
        path = core_path(name, folder)
        if not path.exists():
            fetch(name, folder)
        sys.stderr.write(f"{probe(path)}: {path}\n")


if __name__ == "__main__":
    main()
