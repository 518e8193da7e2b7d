"""Single keys of a terminal, without Enter; the terminal is as before afterwards. Knows no command and draws nothing.

    with keys(sys.stdin) as pressed:
        key = pressed.poll()

A key is the character that it types, or one of the names in `NAMES`.
"""

from __future__ import annotations

import codecs
import os
import sys

from emubot.systems.terminals import changed

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Final, Self, TextIO

NAMES: Final = ("up", "down", "left", "right", "enter", "escape", "backspace", "tab")

_NAMED: Final = {"\r": "enter", "\n": "enter", "\x1b": "escape", "\x7f": "backspace", "\b": "backspace", "\t": "tab"}
_ARROWS: Final = {"A": "up", "B": "down", "C": "right", "D": "left"}  # after ESC [ or ESC O (ECMA-48, xterm)
_SCANNED: Final = {"H": "up", "P": "down", "M": "right", "K": "left"}  # after 0 or 0xE0 (Windows' _getwch)
_AT_ONCE: Final = 1024  # bytes
_LOCAL, _SPECIAL = 3, 6  # places in what tcgetattr returns


def keys(stream: TextIO | None) -> Keys:
    """Returns the keys of the terminal that `stream` reads from; they come between `__enter__` and `__exit__`.

    Where the stream is no terminal, and while another program is in its foreground, no key comes. Ctrl-C still
    interrupts, and Ctrl-Z still stops. A line of input cannot be read meanwhile.
    """
    if stream is None or not _is_terminal(stream):
        return Keys()
    return _ConsoleKeys() if sys.platform == "win32" else _TerminalKeys(stream.fileno())


class Keys:
    """No keys at all: what there is without a terminal."""

    are_there = False  # whether a key can come

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def poll(self) -> str | None:
        """Returns the next key that was pressed, None if there is none; never waits."""
        return None

    def close(self) -> None:
        """Restore the terminal; harmless when called again."""


class _TerminalKeys(Keys):
    """The keys of a POSIX terminal, which meanwhile neither waits for Enter nor shows what is typed."""

    are_there = True

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._before: list[Any] | None = None  # None while the terminal is as it was
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._typed = ""

    def __enter__(self) -> Self:
        changed.append(self.close)
        self._take()
        return self

    def poll(self) -> str | None:
        """Returns the next key that was pressed, None if there is none; never waits."""
        if not self._typed and self._take():
            self._typed = self._decoder.decode(self._read())
        key, self._typed = _first(self._typed)
        return key

    def close(self) -> None:
        """Restore the terminal, and drop what was typed and not polled: the shell would run it."""
        if sys.platform == "win32":
            return
        import termios

        if self.close in changed:
            changed.remove(self.close)
        before, self._before = self._before, None
        try:
            if before is not None and self._is_ours():
                termios.tcflush(self._terminal, termios.TCIFLUSH)
                termios.tcsetattr(self._terminal, termios.TCSANOW, before)
        except (OSError, termios.error):  # the terminal was closed
            return

    def _take(self) -> bool:
        """Let keys come one by one, also again after Ctrl-Z and `fg`. Returns whether they can be read now."""
        if sys.platform == "win32":
            return False
        import termios

        try:
            if not self._is_ours():
                return False
            mode = termios.tcgetattr(self._terminal)
            if mode[_LOCAL] & termios.ICANON:
                self._before = [*mode]
                special = [*mode[_SPECIAL]]
                special[termios.VMIN], special[termios.VTIME] = 1, 0
                mode[_LOCAL] &= ~(termios.ICANON | termios.ECHO)
                mode[_SPECIAL] = special
                termios.tcsetattr(self._terminal, termios.TCSANOW, mode)
        except (OSError, termios.error):  # the terminal was closed
            return False
        return True

    def _is_ours(self) -> bool:
        """Returns whether this program is in the foreground: the system stops others that touch the terminal."""
        return sys.platform != "win32" and os.tcgetpgrp(self._terminal) == os.getpgrp()

    def _read(self) -> bytes:
        import select

        try:
            ready = select.select([self._terminal], [], [], 0)[0]
            return os.read(self._terminal, _AT_ONCE) if ready else b""
        except OSError:  # the terminal was closed
            return b""


class _ConsoleKeys(Keys):
    """The keys of Windows' console, which gives them one by one to whoever asks; there is nothing to restore."""

    are_there = True

    def poll(self) -> str | None:
        """Returns the next key that was pressed, None if there is none; never waits."""
        if sys.platform != "win32":
            return None
        import msvcrt

        while msvcrt.kbhit():
            key = msvcrt.getwch()
            if key not in "\0\xe0":
                return _NAMED.get(key, key)
            if name := _SCANNED.get(msvcrt.getwch()):
                return name
        return None


def _first(typed: str) -> tuple[str | None, str]:
    """Returns the first key of what a terminal sent, and the rest; sequences of keys without a name are dropped."""
    while typed:
        key, rest = typed[0], typed[1:]
        if key != "\x1b" or rest[:1] not in ("[", "O"):
            return _NAMED.get(key, key), rest
        end = next((at for at, char in enumerate(rest[1:], 1) if "@" <= char <= "~"), len(rest))
        if end == 1 and rest[1] in _ARROWS:
            return _ARROWS[rest[1]], rest[2:]
        typed = rest[end + 1 :]
    return None, ""


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty() and stream.fileno() >= 0
    except (OSError, ValueError):  # it is closed, or not a file
        return False
