"""SIGINT, SIGTERM and SIGHUP from first step to last: one sentence, exit code 130."""

from __future__ import annotations

import _thread
import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot import interrupts
from emubot.cli import main
from tests.paths import ROOT

if sys.platform != "linux":
    pytest.skip("looks at processes as Linux shows them", allow_module_level=True)

from tests.interrupted import PLANTED, Interrupted

pytestmark = pytest.mark.xdist_group("signals")

ALL = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SENTENCE = "emubot: interrupted.\n"


def commanded(body: str) -> str:
    """A program whose command, `emubot doctor`, is this one."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"from emubot.cli import doctor, main\ndef run(_):\n{lines}\ndoctor.run = run\nsys.exit(main())"


@pytest.mark.parametrize(("number", "times"), [*((number, 1) for number in ALL), (signal.SIGINT, 2)])
def test_a_command_ends_with_one_sentence_and_130(number: int, times: int, tmp_path: Path) -> None:
    with Interrupted(tmp_path, ["doctor"], commanded("now()")) as run:
        run.wait_for("now\n")
        run.send(number, times)
        assert run.end() == 130
        assert run.said == f"now\n{SENTENCE}"


@pytest.mark.parametrize("module", ["emubot.cli.doctor", "tempfile"])
def test_so_it_does_while_modules_load(module: str, tmp_path: Path) -> None:
    script = f"Importing.name = {module!r}\nsys.modules.pop({module!r}, None)\nsys.meta_path.insert(0, Importing())\n"
    with Interrupted(tmp_path, ["doctor"], script + "from emubot.cli import main\nsys.exit(main())") as run:
        run.wait_for("now\n")
        run.send(signal.SIGTERM, 2)
        assert run.end() == 130
        assert run.said == f"now\n{SENTENCE}"


JUST_BEFORE = """
import signal, threading
def other():
    time.sleep(0.1)
    os.write(2, b"now\\n")
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
threading.Thread(target=other).start()
"""


@pytest.mark.parametrize("wait", ["time.sleep(100)", "threading.Event().wait(100)"])
def test_one_that_comes_just_before_a_wait_ends_the_wait(wait: str, tmp_path: Path) -> None:
    """Such a signal is noted and ends no wait, as one that another thread gets does."""
    with Interrupted(tmp_path, ["doctor"], commanded(JUST_BEFORE + wait)) as run:
        assert run.end() == 130
        assert run.said == f"now\n{SENTENCE}"


def test_a_second_one_lets_what_cleans_up_finish(tmp_path: Path) -> None:
    body = "try: now()\nfinally:\n    os.write(2, b'cleaning\\n'); time.sleep(0.3); os.write(2, b'clean\\n')"
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(signal.SIGINT)
        run.wait_for("cleaning\n")
        run.send(signal.SIGINT, 5)
        assert run.end() == 130
        assert run.said == f"now\ncleaning\nclean\n{SENTENCE}"


@pytest.mark.parametrize(
    "number", [signal.SIGINT, *(pytest.param(number, marks=pytest.mark.slow) for number in ALL[1:])]
)
@pytest.mark.parametrize("grace", [0.2, pytest.param(interrupts.run.GRACE, marks=pytest.mark.slow)])
def test_a_second_one_ends_what_takes_too_long(number: int, grace: float, tmp_path: Path) -> None:
    body = (
        f"from emubot import interrupts; interrupts.run.GRACE = {grace}\n"
        "try: now()\nfinally:\n    os.write(2, b'cleaning\\n'); time.sleep(600)"
    )
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(number)
        run.wait_for("cleaning\n")
        run.send(number)
        assert run.end() == 130
        assert run.said == f"now\ncleaning\n{SENTENCE}"


@pytest.mark.few(1)
@pytest.mark.parametrize(("code", "said"), [(0, ""), (130, SENTENCE)])
def test_at_the_interpreters_end_they_change_nothing(code: int, said: str, tmp_path: Path) -> None:
    body = f"import atexit; atexit.register(lambda: (os.write(2, b'ending\\n'), time.sleep(0.5)))\nif {code}: now()"
    with Interrupted(tmp_path, ["doctor"], commanded(f"{body}\nreturn 0")) as run:
        if code:
            run.wait_for("now\n")
            run.send(signal.SIGINT)
        run.wait_for("ending\n")
        while run.process.poll() is None:
            run.send(random.choice(ALL))
        assert run.end() == code
        assert run.said.removeprefix("now\n") == f"{said}ending\n"


@pytest.mark.parametrize("shutdown", [0.3, pytest.param(interrupts._SHUTDOWN, marks=pytest.mark.slow)])
def test_a_process_that_cannot_end_is_ended(shutdown: float, tmp_path: Path) -> None:
    body = (
        f"from emubot import interrupts; interrupts._SHUTDOWN = {shutdown}\n"
        "import threading; threading.Thread(target=time.sleep, args=(600,)).start()\nnow()"
    )
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(signal.SIGTERM)
        assert run.end() == 130
        assert run.said == f"now\n{SENTENCE}"


def test_one_in_a_finaliser_is_not_lost(tmp_path: Path) -> None:
    body = (
        "from emubot import interrupts; interrupts.run.GRACE = 0.2\n"
        "class Final:\n    __del__ = now\nFinal()\nos.write(2, b'lost')\ntime.sleep(600)"
    )
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(signal.SIGINT)
        assert run.end() == 130
        assert run.said.replace("lost", "") == f"now\n{SENTENCE}"


def test_one_that_became_another_error_is_still_an_interrupt(tmp_path: Path) -> None:
    body = "try: now()\nexcept KeyboardInterrupt: raise ImportError('numpy failed to load')"
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(signal.SIGTERM)
        assert run.end() == 130
        assert run.said == f"now\n{SENTENCE}"


@pytest.mark.parametrize("work", ["apart(lambda: time.sleep(600))", "noted(print).__enter__(); time.sleep(600)"])
def test_one_that_was_lost_ends_what_would_begin(work: str, tmp_path: Path) -> None:
    """As in the import of a compiled library, which clears it away."""
    body = f"from emubot.interrupts import apart, noted\ntry: now()\nexcept KeyboardInterrupt: pass\n{work}"
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(signal.SIGTERM)
        assert run.end() == 130
        assert run.said == f"now\n{SENTENCE}"


def test_a_thread_runs_when_its_start_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 crashes if it ends before a thread has begun, as one does late on a busy machine."""
    start = _thread.start_new_thread
    begun: list[int] = []

    def start_late(work: Callable[..., None], given: tuple[object, ...]) -> None:
        def late() -> None:
            time.sleep(0.2)
            begun.append(1)
            work(*given)

        start(late, ())

    monkeypatch.setattr(_thread, "start_new_thread", start_late)
    interrupts.run.start_thread(lambda: None)
    assert begun == [1]


def test_no_thread_starts_otherwise() -> None:
    """`threading` waits for a thread to begin, as `start_thread` does."""
    calls = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "emubot").rglob("*.py"))
        for _ in re.findall("start_new_thread", path.read_text(encoding="utf-8"))
    ]
    assert calls == ["emubot/interrupts/run.py"]


def test_what_must_be_done_whole_is(tmp_path: Path) -> None:
    body = (
        "from emubot.interrupts import held_back\n"
        "with held_back():\n    os.write(2, b'now\\n'); time.sleep(0.5); os.write(2, b'whole\\n')\n"
        "os.write(2, b'later')"
    )
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        run.wait_for("now\n")
        run.send(signal.SIGTERM)
        assert run.end() == 130
        assert run.said == f"now\nwhole\n{SENTENCE}"


def test_two_that_come_before_python_looks_are_two(tmp_path: Path) -> None:
    """The first is only noted, so the second has to end it; both come in one call of C."""
    body = (
        "from emubot.interrupts import noted\nimport ctypes\n"
        "with noted(lambda: os.write(2, b'noted\\n')):\n"
        "    list(map(ctypes.PyDLL(None).kill, [os.getpid()] * 2, [15] * 2))\n    now()"
    )
    with Interrupted(tmp_path, ["doctor"], commanded(body)) as run:
        assert run.end() == 130
        assert run.said.replace("now\n", "") == f"noted\n{SENTENCE}"


@pytest.mark.parametrize("number", ALL)
def test_what_it_was_started_to_ignore_it_ignores(number: signal.Signals, tmp_path: Path) -> None:
    """As nohup does it with SIGHUP, and a shell with the SIGINT of what it runs in the background."""
    body = "os.write(2, b'begun\\n')\nwhile not os.path.exists('go'): time.sleep(0.01)\nnow()"
    script = (
        f"import signal, subprocess\nsignal.signal({int(number)}, signal.SIG_IGN)\n"
        f"os.execv(sys.executable, [sys.executable, '-c', {PLANTED + commanded(body)!r}, 'doctor'])"
    )
    other = ALL[not ALL.index(number)]
    with Interrupted(tmp_path, [], script) as run:
        run.wait_for("begun\n")
        run.send(number, 3)
        (tmp_path / "go").touch()
        run.wait_for("now\n")
        run.send(other)
        assert run.end() == 130
        assert run.said == f"begun\nnow\n{SENTENCE}"


def test_a_closed_terminal_ends_it_with_130(tmp_path: Path) -> None:
    with Interrupted(tmp_path, ["doctor"], commanded("now()"), terminal=True) as run:
        run.wait_for("now")
        run.close()  # nobody's terminal any more: the system sends nothing, for it is no session's controlling one
        run.send(signal.SIGHUP)
        assert run.end() == 130


def test_a_closed_pipe_too(tmp_path: Path) -> None:
    with Interrupted(tmp_path, ["doctor"], commanded("now()")) as run:
        run.wait_for("now")
        run.close()
        run.send(signal.SIGTERM)
        assert run.end() == 130


def test_nobody_elses_handlers_are_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    from emubot.cli import doctor

    seen = []
    before = [signal.getsignal(number) for number in ALL]

    def look(_: list[str]) -> int:
        seen.append([signal.getsignal(number) for number in ALL])
        return 0

    monkeypatch.setattr(doctor, "run", look)
    assert main(["doctor"]) == 0
    assert [signal.getsignal(number) for number in ALL] == before != seen[0]
    thread = threading.Thread(target=main, args=(["doctor"],))
    thread.start()
    thread.join()
    assert seen[1] == before


def test_a_caller_of_main_gets_130_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from emubot.cli import doctor

    def interrupted(_: list[str]) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(600)
        return 0

    monkeypatch.setattr(doctor, "run", interrupted)
    assert [main(["doctor"]) for _ in range(3)] == [130] * 3
