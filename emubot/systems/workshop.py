"""A temporary folder in which tools run; at the end both tools and folder are removed.

This module is also the program that owns the folder. It ends its tools and removes the folder as soon as its input
ends. That happens when the folder is no longer needed, and also when this process is killed, because the system then
closes the pipe.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from emubot.systems.processes import ROOT, apart, end_all
from emubot.systems.signals import ending, ignore

Report = Callable[[int], None]  # bytes in the folder so far

_LOOK: Final = 0.1  # seconds between two checks of a tool
_OWNER: Final = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from {__name__} import own_folder; own_folder(sys.argv[1])"
)


class Workshop:
    """The folder, and the owner process that runs tools in it."""

    def __init__(self, owner: subprocess.Popen[str], folder: Path) -> None:
        self.folder = folder
        self._owner = owner

    def run(self, command: Sequence[str], report: Report) -> tuple[int, str]:
        """Run a tool, with the folder as its temporary folder too; returns its exit code and its whole output.

        `report` receives the folder's size meanwhile. Raises OSError if the tool cannot be started.
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
        answer = json.loads(answers[0])
        if "error" in answer:
            raise OSError(answer["number"], answer["error"])
        return answer["code"], (self.folder / "log.txt").read_text(encoding="utf-8", errors="replace")


@contextmanager
def workshop(place: Path) -> Iterator[Workshop]:
    """Create a temporary folder inside `place`, which must exist, and remove it after the block."""
    command = [sys.executable, "-P", "-c", _OWNER, str(place)]
    pipe = subprocess.PIPE
    # Apart, so that Ctrl-C at the terminal does not end the owner before it has cleaned up.
    owner = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", **apart())
    assert owner.stdin is not None
    assert owner.stdout is not None
    try:
        answer = json.loads(owner.stdout.readline())
        if "error" in answer:
            raise OSError(answer["number"], answer["error"])
        yield Workshop(owner, Path(answer["folder"]))
    finally:
        owner.stdin.close()
        owner.wait()
        owner.stdout.close()


def _size(folder: Path) -> int:
    """Returns the bytes in all files below a folder while another process may change it."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # removed since it was listed
                total += (Path(base) / name).stat().st_size
    return total


def own_folder(place: str) -> None:
    """Own a folder until the input ends, and run the requested tools in it one by one; for a process of its own."""
    ignore(ending())  # the owner ends only with its input
    try:
        folder = Path(tempfile.mkdtemp(prefix=".install-", dir=place))
    except OSError as failure:
        _answer({"number": failure.errno, "error": failure.strerror})
        return
    lines: queue.Queue[str] = queue.Queue()  # an empty string marks the end of the input
    threading.Thread(target=_read, args=(sys.stdin, lines), daemon=True).start()
    try:
        _answer({"folder": str(folder)})
        while line := lines.get():
            _answer(_work(json.loads(line), folder, lines))
    except BrokenPipeError:
        pass  # the parent is gone
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
    """Run a tool until it ends or the input ends; the mark of the input's end is put back into the queue."""
    environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder)), "LC_ALL": "C"}
    nothing = subprocess.DEVNULL
    with (folder / "log.txt").open("wb") as log:
        try:
            tool: subprocess.Popen[bytes] = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=nothing, stdout=log, stderr=log, **apart()
            )
        except OSError as failure:
            return {"number": failure.errno, "error": failure.strerror}
        while tool.poll() is None:
            with suppress(queue.Empty):
                lines.put(lines.get(timeout=_LOOK))  # while a tool runs, only the end of the input can come
                end_all(tool)
    return {"code": tool.returncode}
