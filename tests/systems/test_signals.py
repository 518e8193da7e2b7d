"""Signals on each system: which end a program, how they wake it, and that Windows' branch is enough for two of them."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

import pytest

from emubot.systems import signals
from tests.systems.conftest import Become

pytestmark = pytest.mark.xdist_group("signals")


def test_each_system_has_its_own_signals(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "SIGHUP", "SIGHUP", raising=False)
    monkeypatch.setattr(signal, "SIGBREAK", "SIGBREAK", raising=False)
    for system, last in (("Linux", "SIGHUP"), ("macOS", "SIGHUP"), ("Windows", "SIGBREAK")):
        become(system)
        assert signals.ending() == [signal.SIGINT, signal.SIGTERM, last]
        assert signals.of_terminals() == [signal.SIGINT, last]
        given: dict[object, object] = {}
        with monkeypatch.context() as patch:
            patch.setattr(signal, "signal", given.__setitem__)
            signals.leave_to_parent()
        assert given == {signal.SIGINT: signal.SIG_IGN, last: signal.SIG_IGN}


def test_on_windows_nothing_is_blocked(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    become("Windows")
    with signals.kept_from_children():
        pass


@pytest.mark.parametrize(("system", "sends"), [("Linux", True), ("macOS", True), ("Windows", False)])
def test_a_thread_is_woken_where_threads_get_signals(
    system: str, sends: bool, become: Become, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[int, int]] = []

    def send(thread: int, number: int) -> None:
        sent.append((thread, number))
        if len(sent) > 1:
            raise ProcessLookupError

    monkeypatch.setattr(signal, "pthread_kill", send, raising=False)
    become(system)
    assert signals.wake(1, signal.SIGINT) == sends
    assert signals.wake(2, signal.SIGINT) == sends, "that one has just ended"
    assert sent == ([(1, signal.SIGINT), (2, signal.SIGINT)] if sends else [])


@pytest.mark.parametrize(("system", "patience"), [("Linux", None), ("Windows", 0.1)])
def test_a_wait_lets_signals_be_handled(system: str, patience: float | None, become: Become) -> None:
    class Event(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            asked.append(timeout)
            return len(asked) > 2

    asked: list[float | None] = []
    become(system)
    signals.wait_for(Event())
    assert asked == [patience] * 3


@pytest.mark.parametrize("system", ["Linux", "Windows"])
def test_signals_leave_their_numbers(system: str, become: Become) -> None:
    if sys.platform == "win32" and system == "Linux":
        pytest.skip("Windows waits for sockets only")
    before = signal.signal(signal.SIGINT, lambda *_: None)
    become(system)
    wakeup = signals.Wakeup()
    try:
        wakeup.install()
        assert wakeup.read() == b""
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
        wakeup.wait()
        assert wakeup.read() == bytes([signal.SIGINT] * 2)
        assert wakeup.read() == b""
    finally:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, before)
        wakeup.close()


def test_on_windows_too_a_second_one_ends_what_takes_too_long(tmp_path: Path) -> None:
    interrupted = pytest.importorskip("tests.interrupted")  # needs the terminals of POSIX
    script = """
import tempfile  # which looks for modules of Windows if it is loaded there
sys.platform = "win32"
from emubot.cli import doctor, main
from emubot import interrupts; interrupts.run.GRACE = 0.2
def run(_):
    try: now()
    finally:
        os.write(2, b'cleaning\\n'); time.sleep(600)
doctor.run = run
sys.exit(main())
"""
    with interrupted.Interrupted(tmp_path, ["doctor"], script) as run:
        run.wait_for("now\n")
        run.send(signal.SIGINT)
        run.wait_for("cleaning\n")
        run.send(signal.SIGINT)
        assert run.end() == 130
        assert run.said == "now\ncleaning\nemubot: interrupted.\n"
