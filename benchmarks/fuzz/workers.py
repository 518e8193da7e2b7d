"""A process that does cases, watched by the one that wants them: what hangs, dies or takes too much is a verdict too.

As a program it is that process: cases come in as lines of JSON, verdicts go out.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final, Self

from benchmarks.fuzz import cases
from benchmarks.fuzz.originals import ROOT

CPU_SECONDS: Final = 10.0  # of one case; a case of images or of a pilot takes a second
MEMORY: Final = 1 << 30  # bytes more than the worker has when it begins
_WALL_SECONDS: Final = 120.0  # the machine may be busy, and files may block
_START_SECONDS: Final = 900.0  # a first start compiles
_READY: Final = "ready"
PROGRAM: tuple[str, ...] = ("-m", "benchmarks.fuzz.workers")
WARM_UP: tuple[str, ...] = cases.KINDS  # compiled and loaded before there are limits


class Worker:
    """One such process; begun anew by itself where it ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def do(self, kind: str, seed: int, kept: Sequence[int] | None = None) -> tuple[str, int]:
        """The verdict on a case, and what it counts as."""
        process = self.begin()
        case = json.dumps([kind, seed, None if kept is None else list(kept)])
        try:
            assert process.stdin is not None
            process.stdin.write(case.encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # what it ended with is said below
        answer = self._line(process, _WALL_SECONDS)
        if answer is None:
            self._end()
            return f"no answer in {_WALL_SECONDS:.0f} seconds", 1
        if not answer:
            code = process.wait()
            self._end()
            return f"the process ended by {signal.Signals(-code).name if code < 0 else f'exit code {code}'}", 1
        said, count = json.loads(answer)
        return str(said), int(count)

    def begin(self) -> subprocess.Popen[bytes]:
        """The process, started and warm; a first start compiles."""
        if self._process is not None:
            return self._process
        environment = {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", **os.environ}
        self._process = process = subprocess.Popen(
            [sys.executable, *PROGRAM],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment,
        )  # fmt: skip
        if self._line(process, _START_SECONDS) != json.dumps(_READY).encode() + b"\n":
            self._end()
            raise RuntimeError("no worker starts: what it printed is above")
        return process

    @staticmethod
    def _line(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
        """Its next line; empty where it ended, None where it says nothing for so long."""
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            return process.stdout.readline() if selector.select(seconds) else None

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()


class TooLong(Exception):
    """A case took more CPU time than any may."""


def _alarm(number: int, frame: FrameType | None) -> None:
    raise TooLong(f"more than {CPU_SECONDS:.0f} seconds of CPU time")


def _watch_files() -> None:
    """A file may not name another one to be opened: what is read beside the program's own files is a fault."""
    folders = (ROOT, sys.prefix, sys.base_prefix, *filter(None, sys.path), *_caches())
    own = tuple(os.path.realpath(str(folder)) + os.sep for folder in folders)
    temporary = os.path.realpath(tempfile.gettempdir()) + os.sep

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event in {"subprocess.Popen", "os.system", "socket.connect"}:
            raise AssertionError(f"{event} {arguments[0]!r}")
        if event != "open" or isinstance(arguments[0], int | None):
            return
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if not path.startswith((temporary + cases.FOLDER, *own)) and path not in {"/dev/null", "/dev/urandom"}:
            raise AssertionError(f"opens {path}")

    sys.addaudithook(hear)


def _caches() -> list[str]:
    given = os.environ.get("EMUBOT_CACHE_DIR")
    return [given] if given else [str(Path.home() / ".cache")]


def _limit_memory() -> None:
    """On Linux alone, where a process can see what it has."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError):
        return
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MEMORY, MEMORY))


def main() -> None:
    """Do the cases that come in until no more come."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed meanwhile is no answer
    for kind in WARM_UP:
        for seed in range(cases.first(kind)):
            cases.judge(kind, seed)
    _limit_memory()
    _watch_files()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever watches ends it
    signal.signal(signal.SIGPROF, _alarm)
    _answer(answers, _READY)
    for line in sys.stdin.buffer:
        kind, seed, kept = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        try:
            verdict = cases.judge(kind, seed, kept)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        _answer(answers, [verdict.said, verdict.count])


def _answer(answers: Any, what: object) -> None:
    answers.write(json.dumps(what).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
