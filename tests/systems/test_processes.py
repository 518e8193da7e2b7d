"""Other processes on each system."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from typing import Any

import pytest

from emubot.systems import processes
from tests.systems.conftest import Become

NO_WINDOW, NEW_GROUP, BELOW_NORMAL = 0x08000000, 0x00000200, 0x00004000


class Process:
    """A child that keeps what is done to it."""

    pid = 1 << 30

    def __init__(self) -> None:
        self.done: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.done.append((name, *given))


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("this system has no such thing")


def test_programs_start_apart(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, flag in (("NO_WINDOW", NO_WINDOW), ("NEW_PROCESS_GROUP", NEW_GROUP)):
        monkeypatch.setattr(subprocess, f"CREATE_{name}", flag, raising=False)
    monkeypatch.setattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", BELOW_NORMAL, raising=False)
    for system in ("Linux", "macOS"):
        become(system)
        assert processes.apart() == processes.apart(lowest=True) == {"start_new_session": True}
        assert processes.passes_files()
    become("Windows")
    assert processes.apart() == {"creationflags": NO_WINDOW | NEW_GROUP}
    assert processes.apart(lowest=True) == {"creationflags": NO_WINDOW | NEW_GROUP | BELOW_NORMAL}
    assert not processes.passes_files()


def test_priority_and_end(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(os, "setpriority", lambda *given: asked.append(given), raising=False)
    monkeypatch.setattr(os, "PRIO_PROCESS", 0, raising=False)
    monkeypatch.setattr(os, "killpg", lambda *given: asked.append(given), raising=False)
    monkeypatch.setattr(signal, "SIGKILL", 9, raising=False)
    for system, done in (
        ("Linux", [(0, 5, 19), (Process.pid, 9)]),
        ("macOS", [(0, 5, 19), (Process.pid, 9)]),
        ("Windows", []),
    ):
        become(system)
        process: Any = Process()
        processes.lower(5)
        processes.end_all(process)
        assert asked == done
        assert process.done == [("kill",), ("wait",)]
        asked.clear()
        process = Process()
        processes.ask_to_end(process)
        assert process.done == [("terminate",) if system == "Windows" else ("send_signal", signal.SIGTERM)]


def test_only_linux_ends_a_child_with_its_parent(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", refuse)
    for system in ("macOS", "Windows", "FreeBSD"):
        become(system)
        processes.end_with(os.getppid())
    become("Linux")
    with pytest.raises(AssertionError, match="no such thing"):
        processes.end_with(os.getppid())


def test_on_windows_nobody_is_asked_whether_it_lives(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "posix":
        become("Linux")
        assert processes.is_alive(os.getpid())
        assert not processes.is_alive((1 << 22) + 1)
        assert processes.is_alive(1 << 40), "no process can be asked"
    become("Windows")
    monkeypatch.setattr(os, "kill", refuse)
    assert processes.is_alive((1 << 22) + 1)


def test_processors_are_counted_as_each_system_tells_them(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5, 6}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    counted = {}
    for system in ("Linux", "macOS", "Windows"):
        become(system)
        counted[system] = processes.processors()
    assert counted == {"Linux": 3, "macOS": 7, "Windows": 7}
    assert not processes.is_crowded()
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processes.processors() == 1


def test_an_end_in_words() -> None:
    assert processes.how_it_ended(3) == "ended by itself with exit code 3"
    assert processes.how_it_ended(-signal.SIGTERM).startswith("was ended by SIGTERM (")
    assert processes.how_it_ended(-1000) == "was ended by signal 1000"
