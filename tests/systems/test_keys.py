"""Keys of a terminal: what comes, and that the terminal is as before however the program ends."""

from __future__ import annotations

import io
import os
import select
import subprocess
import sys
import types

import pytest

from emubot.systems import terminals
from emubot.systems.keys import Keys, keys
from tests.paths import ROOT

PRELUDE = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
import fcntl, os, signal, termios, time
from emubot.systems import terminals
from emubot.systems.keys import keys
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
before = termios.tcgetattr(0)
def say(*words): os.write(2, (" ".join(map(str, words)) + "\\n").encode())
def same(): say("restored" if termios.tcgetattr(0) == before else "changed")
def next_key(pressed):
    while (key := pressed.poll()) is None: time.sleep(0.001)
    return key
"""


def on_a_terminal(script: str, *typed: bytes) -> list[str]:
    """What a program says on stderr while this is typed, each part after it has said "type"."""
    if sys.platform == "win32":
        pytest.skip("needs a POSIX terminal")
    import pty

    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    os.close(theirs)
    assert program.stderr is not None
    said = b""
    try:
        left = [*typed]
        while select.select([program.stderr], [], [], 30)[0] and (more := os.read(program.stderr.fileno(), 4096)):
            said += more
            while left and said.count(b"type\n") > len(typed) - len(left):
                os.write(ours, left.pop(0))
    finally:
        program.kill()
        program.wait()
        program.stderr.close()
        os.close(ours)
    return said.decode().replace("type\n", "").split()


def test_keys_come_without_enter_and_the_terminal_is_restored() -> None:
    script = """
with keys(sys.stdin) as pressed:
    say(pressed.are_there, pressed.poll())
    say("type")
    while (key := next_key(pressed)) != "q": say(key)
    say("type"); time.sleep(0.1)
same()
say(len(terminals.changed))
import select; say(select.select([0], [], [], 0)[0])
"""
    typed = "p+\r\x1b[A\x1bOB\x1b[1;5C\x1b[15~é\x1b\tq".encode()
    said = on_a_terminal(script, typed, b"rm\n")
    assert said == ["True", "None", "p", "+", "enter", "up", "down", "é", "escape", "tab", "restored", "0", "[]"]


@pytest.mark.parametrize(
    ("body", "typed"),
    [
        ("time.sleep(60)", b"\x03"),
        ("raise SystemExit(1)", b""),
        ("terminals.restore(); same(); os._exit(0)", b""),
    ],
)
def test_it_is_restored_however_the_program_ends(body: str, typed: bytes) -> None:
    script = f"""
try:
    with keys(sys.stdin) as pressed:
        assert not termios.tcgetattr(0)[3] & (termios.ICANON | termios.ECHO)
        say("type"); {body}
except (KeyboardInterrupt, SystemExit): same()
"""
    assert on_a_terminal(script, typed) == ["restored"]


def test_it_is_restored_where_a_second_signal_ends_the_program() -> None:
    # A terminal that turns ^C into a signal drops what is typed in the same moment, the next ^C too.
    script = """
from emubot import interrupts; interrupts.run.GRACE = 0.1
signal.signal(signal.SIGINT, signal.SIG_IGN)
pid = os.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    def command():
        with keys(sys.stdin):
            try: say("type"); time.sleep(60)
            finally: time.sleep(0.05); say("type"); time.sleep(60)
    os._exit(interrupts.program(command, int, ""))
say(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])); same()
"""
    said = on_a_terminal(script, b"\x03", b"\x03")
    assert [word.removeprefix("\x1b[?25h") for word in said] == ["130", "restored"]


def test_in_the_background_no_key_comes_and_nothing_stops() -> None:
    script = """
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
pid = os.fork()
if pid == 0:
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    with keys(sys.stdin) as pressed:
        say(pressed.poll()); same()
        while os.tcgetpgrp(0) != os.getpgrp(): time.sleep(0.001)
        pressed.poll()
        say("type"); say(next_key(pressed))
    same(); os._exit(0)
time.sleep(0.2)
os.tcsetpgrp(0, pid)
status = os.waitpid(pid, os.WUNTRACED)[1]
if os.WIFSTOPPED(status): os.kill(pid, 9); say("stopped")
"""
    assert on_a_terminal(script, b"x") == ["None", "restored", "x", "restored"]


def test_after_a_stop_the_terminal_is_taken_again() -> None:
    """The shell restores its own modes at Ctrl-Z, and `fg` brings them along."""
    script = """
with keys(sys.stdin) as pressed:
    termios.tcsetattr(0, termios.TCSANOW, before)
    pressed.poll()
    say("type"); say(next_key(pressed))
same()
"""
    assert on_a_terminal(script, b"x") == ["x", "restored"]


def test_a_closed_terminal_gives_no_key() -> None:
    script = """
with keys(sys.stdin) as pressed:
    os.close(0)
    say(pressed.poll())
"""
    assert on_a_terminal(script) == ["None"]


@pytest.mark.parametrize("stream", [None, io.StringIO(), io.BytesIO()])
def test_what_is_no_terminal_has_no_keys(stream: io.StringIO | None) -> None:
    with keys(stream) as pressed:
        assert type(pressed) is Keys
        assert not pressed.are_there
        assert pressed.poll() is None


class Console(io.StringIO):
    """Stdin on Windows' console."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0


def test_on_windows_the_console_gives_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = [*"p", "\xe0", "H", "\0", ";", "\r", "é", "\x1b", "\xe0", "K"]
    fake = types.SimpleNamespace(kbhit=lambda: bool(typed), getwch=lambda: typed.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    monkeypatch.setattr(sys, "platform", "win32")
    with keys(Console()) as pressed:
        assert pressed.are_there
        assert [pressed.poll() for _ in range(7)] == ["p", "up", "enter", "é", "escape", "left", None]
    terminals.restore()
