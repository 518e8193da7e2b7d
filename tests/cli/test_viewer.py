"""The keys of somebody who watches the board in a terminal: pause, speed, quit; and in a real terminal."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import pytest

from emubot.bridges.protocol import Paced
from emubot.cli.viewer import Viewer
from emubot.systems.keys import Keys

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")


class Typed(Keys):
    """Keys that come one at each poll; None: none has come."""

    def __init__(self, *keys: str | None) -> None:
        self.left = [*keys]
        self.polls = 0

    def poll(self) -> str | None:
        self.polls += 1
        assert self.polls < 10_000, "it never ends"
        return self.left.pop(0) if self.left else None


class Board:
    def leave(self) -> None:
        raise AssertionError("nobody stops it")

    come_back = leave

    def __init__(self) -> None:
        self.keys: Sequence[str] = ()
        self.drawn: list[str] = []
        self.measured = 0

    def redraw(self) -> None:
        self.drawn.append("  ".join(self.keys))

    def measure_anew(self) -> None:
        self.measured += 1


class Console(Paced):
    def __init__(self, speed: float | None = 1.0) -> None:
        self._keep_pace(60.0, speed)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time that passes by sleeping only."""
    now = [1.0]
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    return now


def looked(clock: list[float], consoles: Sequence[Paced], *keys: str | None) -> tuple[Viewer, Board]:
    """A viewer who has pressed these keys before one frame."""
    board = Board()
    made = Viewer(Typed(*keys), board, consoles, lambda: clock[0])
    made.look()
    return made, board


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        (1.0, "-", 0.5),
        (1.0, "--", 0.25),
        (1.0, "-----", 0.25),
        (1.0, "+", 2.0),
        (1.0, "=]", 4.0),
        (2.0, "++", None),
        (None, "+", None),
        (None, "[", 4.0),
        (3.0, "+", 2.0),  # no step of ours: as from 1
        (1.0, "x\t~é", 1.0),
    ],
)
def test_keys_change_the_speed_of_all_consoles(
    before: float | None, keys: str, after: float | None, clock: list[float]
) -> None:
    consoles = [Console(before), Console(before)]
    _, board = looked(clock, consoles, *keys)
    assert [one.emu_speed for one in consoles] == [after, after]
    assert board.measured == sum(key in "-+=[]" for key in keys)
    assert board.keys == ("space pause", "q quit", f"- + speed {'max' if after is None else f'{after:g}x'}")


@pytest.mark.parametrize(("first", "second"), [(" ", " "), ("p", "P"), (" ", "p")])
def test_a_pause_lasts_until_the_key_comes_again(first: str, second: str, clock: list[float]) -> None:
    made, board = looked(clock, [Console()], first, None, *[None] * 40, second)
    assert not made.closed
    assert clock[0] > 2
    assert board.measured == 1, "a pause is no slow game"
    assert "PAUSED, space goes on" in board.drawn[0]
    assert board.drawn[-1].startswith("space pause")
    assert 4 <= len(board.drawn) <= 8, "drawn anew now and then: the terminal may have changed its size"


def test_quitting_ends_a_pause_and_what_was_typed_after_it_is_nothing(clock: list[float]) -> None:
    console = Console()
    made, _ = looked(clock, [console], " ", None, "q", "+")
    assert made.closed
    assert console.emu_speed == 1.0


def test_the_speed_of_somebody_elses_emulator_is_left_alone(clock: list[float]) -> None:
    made, board = looked(clock, [], " ", "-", "p", "+")
    assert board.keys == ("q quit",)
    assert not made.closed
    assert looked(clock, [], "Q")[0].closed


def test_it_looks_thirty_times_a_second(clock: list[float]) -> None:
    typed, board = Typed(), Board()
    asked: list[float] = []
    typed.poll = lambda: asked.append(clock[0])  # type: ignore[method-assign]
    made = Viewer(typed, board, [Console()], lambda: clock[0])
    for _ in range(600):
        made.look()
        clock[0] += 1 / 600
    assert 28 <= len(asked) <= 31


# In a real terminal.

_CONTROLS = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); before = termios.tcgetattr(0)"
PLAY = "play --demo tetris --bridge simulated --level 0"


class Session:
    """A program on a terminal of its own, which it controls; `shown` is all that it has drawn."""

    def __init__(self, line: str, code: str = "") -> None:
        self.leader, follower = pty.openpty()
        self.before = termios.tcgetattr(self.leader)
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "30"}
        code = code or "import sys; from emubot.cli import main; sys.exit(main())"
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"{_CONTROLS}; {code}",
                *line.split(),
            ],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment,
            start_new_session=True,
        )
        os.close(follower)
        self.shown = ""

    def until(self, words: str, seconds: float = 60) -> None:
        """Read until these words are drawn from here on."""
        end, begin = time.monotonic() + seconds, len(self.shown)
        while words not in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.shown[begin:]):
            assert time.monotonic() < end, self.shown[begin:]
            self.read()

    def read(self) -> bool:
        import select

        if not select.select([self.leader], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self.leader, 1 << 16)
        except OSError:
            return False
        self.shown += data.decode("utf-8", "replace")
        return bool(data)

    def press(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    @property
    def is_as_before(self) -> bool:
        """Whether the terminal waits for Enter and shows what is typed, as it did."""
        return bool(termios.tcgetattr(self.leader)[3] == self.before[3])

    def ended(self) -> int:
        end = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        while self.read() and time.monotonic() < end:
            pass
        return self.process.wait(1)


@contextlib.contextmanager
def terminal(line: str, code: str = "") -> Iterator[Session]:
    session = Session(line, code)
    try:
        yield session
    finally:
        session.process.kill()
        session.process.wait()
        with contextlib.suppress(OSError):
            os.close(session.leader)


@pytest.mark.slow
def test_a_person_pauses_changes_the_speed_and_quits() -> None:
    with terminal(PLAY) as session:
        session.until("space pause  q quit  - + speed 1x")
        assert not session.is_as_before
        session.press("+")
        session.until("speed 2x")
        session.press("p")
        session.until("PAUSED, space goes on  q quit  - + speed 2x")
        session.press(" ")
        session.until("space pause")
        session.press("q")
        assert session.ended() == 0
        assert "closed: " in session.shown
        assert session.is_as_before
        assert session.shown.rfind("\x1b[?25h") > session.shown.rfind("\x1b[?25l"), "the cursor is back"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("paused", [False, True])
def test_a_signal_restores_the_terminal(number: int, paused: bool) -> None:
    with terminal(PLAY) as session:
        session.until("space pause")
        if paused:
            session.press("p")
            session.until("PAUSED")
        session.process.send_signal(number)
        assert session.ended() == 130
        assert session.is_as_before


STOPS = """
import os, sys, time
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    while os.tcgetpgrp(0) != os.getpgrp():
        time.sleep(0.01)
    from emubot.cli import main
    code = main()
    os._exit(code)
import signal
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
with __import__("contextlib").suppress(OSError):
    os.setpgid(child, child)
os.tcsetpgrp(0, child)
_, status = os.waitpid(child, os.WUNTRACED)
assert os.WIFSTOPPED(status), status
os.tcsetpgrp(0, os.getpgrp())
print("stopped with", "the same" if termios.tcgetattr(0)[3] == before[3] else "other", "modes", flush=True)
os.tcsetpgrp(0, child)
os.kill(child, signal.SIGCONT)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.slow
def test_ctrl_z_restores_the_terminal_and_fg_goes_on() -> None:
    with terminal(PLAY, STOPS) as session:
        session.until("space pause")
        session.press("\x1a")
        session.until("stopped with the same modes")
        session.press("p")
        session.until("PAUSED")
        session.press("q")
        assert session.ended() == 0
        assert session.is_as_before
        assert session.shown.rfind("\x1b[?25h") > session.shown.rfind("\x1b[?25l")


BREAKS = """
import sys
from emubot.cli import main, viewer
looks = []
def look(self):
    looks.append(1)
    if len(looks) > 30:
        raise KeyError("broken")
viewer.Viewer.look = look
sys.exit(main())
"""


@pytest.mark.slow
def test_a_mistake_of_ours_restores_the_terminal() -> None:
    with terminal(PLAY, BREAKS) as session:
        session.until("q quit")
        assert session.ended() == 1
        assert "a mistake in emubot" in session.shown
        assert session.is_as_before


NO_STDIN = """
import os, sys
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
from emubot.cli import main
sys.exit(main())
"""


@pytest.mark.slow
def test_without_a_terminal_to_read_from_there_are_no_keys() -> None:
    with terminal(f"{PLAY} --pieces 2 --emu-speed max", NO_STDIN) as session:
        assert session.ended() == 0
        assert "q quit" not in session.shown
