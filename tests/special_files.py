"""What is no regular file and must never be opened; tests of pipes run in a process of their own, with a limit."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 60  # a process that opened a pipe would wait for ever

posix_only = pytest.mark.skipif(os.name == "nt", reason="no such files on Windows")


def special_files(folder: Path) -> dict[str, Path]:
    """One of each kind, by the word messages have for it; the device is the system's own."""
    pipe, path, link = folder / "pipe", folder / "socket", folder / "link"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    link.symlink_to("/dev/null")
    inner = folder / "folder"
    inner.mkdir()
    return {"a pipe": pipe, "a socket": path, "a device": link, "a folder": inner}


def python(script: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script with these words in a process of its own; fails where it does not end."""
    command = [sys.executable, "-c", script, *map(str, words)]
    nothing = subprocess.DEVNULL
    return subprocess.run(command, stdin=nothing, capture_output=True, text=True, timeout=SECONDS, check=False)


def emubot(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of emubot so."""
    return python("import sys\nfrom emubot.cli import main\nsys.exit(main(sys.argv[1:]))", *words)
