"""A temporary folder in which tools run, and which nothing outlives: not a tool, not the folder; knows no core.

This file is also the program that owns the folder, and loads nothing but the standard library for that. It ends its
tools and removes the folder as soon as its input ends: when the folder is no longer needed, and when this process was
killed, for the system closes the pipe then.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

Report = Callable[[int], None]  # bytes in the folder so far

_LOOK = 0.1  # seconds between two looks at a tool


class Workshop:
    """The folder, and the owner that runs tools in it."""

    def __init__(self, owner: subprocess.Popen[str], folder: Path) -> None:
        self.folder = folder
        self._owner = owner

    def run(self, command: Sequence[str], report: Report) -> tuple[int, str]:
        """Exit code and everything said, by a tool that takes the folder for its temporary one as well.

        The folder's growth is reported meanwhile. Raises OSError where the tool cannot be started.
        """
        asked, answered = self._owner.stdin, self._owner.stdout
        assert asked is not None
        assert answered is not None
        answers: list[str] = []
        reader = threading.Thread(target=lambda: answers.append(answered.readline()), daemon=True)
        asked.write(json.dumps(list(command)) + "\n")
        asked.flush()
        reader.start()
        while reader.is_alive():
            report(_size(self.folder))
            reader.join(_LOOK)
        told = json.loads(answers[0])
        if "error" in told:
            raise OSError(told["number"], told["error"])
        return told["code"], (self.folder / "log.txt").read_text(encoding="utf-8", errors="replace")


@contextmanager
def workshop(place: Path) -> Iterator[Workshop]:
    """In this block there is a temporary folder inside `place`, which must exist; it is gone after it."""
    command = [sys.executable, __file__, str(place)]
    pipe = subprocess.PIPE
    # In a session of its own: Ctrl-C at the terminal is for us, and then the owner has work to do.
    owner = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", start_new_session=True)
    assert owner.stdin is not None
    assert owner.stdout is not None
    try:
        made = json.loads(owner.stdout.readline())
        if "error" in made:
            raise OSError(made["number"], made["error"])
        yield Workshop(owner, Path(made["folder"]))
    finally:
        owner.stdin.close()
        owner.wait()
        owner.stdout.close()


def _size(folder: Path) -> int:
    """Bytes in the files below a folder in which another process is at work."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone since it was listed
                total += (Path(base) / name).stat().st_size
    return total


def _own(place: str) -> None:
    """The owner's life: make a folder, run what is asked for, one tool after the other, and leave nothing."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # its end is that of its input
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    try:
        folder = Path(tempfile.mkdtemp(prefix=".install-", dir=place))
    except OSError as failure:
        _answer({"number": failure.errno, "error": failure.strerror})
        return
    lines: queue.Queue[str] = queue.Queue()  # an empty one: the end
    threading.Thread(target=_read, args=(sys.stdin, lines), daemon=True).start()
    try:
        _answer({"folder": str(folder)})
        while line := lines.get():
            _answer(_work(json.loads(line), folder, lines))
    except BrokenPipeError:
        pass  # nobody is left to be answered
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read(source: IO[str], lines: queue.Queue[str]) -> None:
    for line in source:
        lines.put(line)
    lines.put("")


def _answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _work(command: list[str], folder: Path, lines: queue.Queue[str]) -> dict[str, object]:
    """Run a tool to its end, or to the end of the input, which is put back."""
    environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder)), "LC_ALL": "C"}
    nothing = subprocess.DEVNULL
    with (folder / "log.txt").open("wb") as log:
        try:
            tool = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=nothing, stdout=log, stderr=log, start_new_session=True
            )
        except OSError as failure:
            return {"number": failure.errno, "error": failure.strerror}
        while tool.poll() is None:
            with suppress(queue.Empty):
                lines.put(lines.get(timeout=_LOOK))  # while a tool runs nothing but the end is said
                _end(tool)
    return {"code": tool.returncode}


def _end(tool: subprocess.Popen[bytes]) -> None:
    """End a tool and all that it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(tool.pid, signal.SIGKILL)
    tool.kill()
    tool.wait()


if __name__ == "__main__":
    _own(sys.argv[1])
