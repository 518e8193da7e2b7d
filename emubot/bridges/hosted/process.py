"""Starts, watches and ends a child process and exchanges messages with it."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from emubot.bridges.hosted import talk
from emubot.bridges.hosted.leftovers import FOLDER, sweep
from emubot.bridges.hosted.line import FRAME, SIZE, TALK, Channel, LineLost
from emubot.errors import BridgeClosed, BridgeError, CoreCrashed
from emubot.systems.disk import end_of, nameless_log, shared_memory
from emubot.systems.processes import end_all, how_it_ended, is_crowded, module_environment, processors
from emubot.text import printable

LIMIT: Final = 10.0  # seconds for a frame or a message
OPENING_LIMIT: Final = 60.0  # seconds for Python to start and the emulator to open, on a busy machine
_SLICE: Final = 0.5  # seconds between two checks that the child is alive
_FAREWELL: Final = 2.0  # seconds for the emulator to close by itself
_LOG_LIMIT: Final = 1 << 20  # bytes of the emulator's output that are kept
_LAST_WORDS: Final = 1000  # characters of its end that are logged
_LOG = logging.getLogger(__name__)

_open: weakref.WeakSet[ChildProcess] = weakref.WeakSet()


class ChildProcess:
    """A child that hosts an emulator. Raises CoreCrashed if the child ends or does not answer in time.

    It has its own process group, so that only the parent receives Ctrl-C. The emulator's output goes to an unnamed
    file, its files go to a folder that the parent removes. Errors name the emulator by `subject` and the cartridge by
    `work`. With `wants_speed` both ends may spin while they wait, if there are idle processors.
    """

    def __init__(self, subject: str, work: str) -> None:
        """Start the child; raises BridgeError if the system refuses."""
        self.subject, self.work = subject, work
        self.limit = LIMIT
        self.wants_speed = False
        self._exchanging = False  # true while a message is partly sent or read
        self._closing = False  # a close has begun, perhaps in another thread
        self._failure: str | None = None  # the message of the crash
        sweep()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
        self._log = nameless_log()
        try:
            self._start()
        except OSError as failure:
            shutil.rmtree(self._folder, ignore_errors=True)
            os.close(self._log)
            raise BridgeError(f"No child process can be started for the emulator: {failure.strerror}.") from failure
        self._end = weakref.finalize(
            self,
            _end,
            self._process,
            (self.line.close, self._connection.close),
            (self._lifeline, self._log),
            self._folder,
        )
        _open.add(self)
        _share_processors()

    def _start(self) -> None:
        memory = shared_memory(SIZE)
        bell, far_bell = socket.socketpair()
        self._connection, far_connection = socket.socketpair()
        far_lifeline, self._lifeline = os.pipe()
        passed = (memory, far_bell.fileno(), far_connection.fileno(), far_lifeline)
        # The system ends such a child with the thread that started it, so only the main thread may request this.
        parent = os.getpid() if threading.current_thread() is threading.main_thread() else 0
        command = [sys.executable, "-P", "-m", "emubot.bridges.hosted.child", *map(str, (*passed, parent))]
        try:
            self._process = subprocess.Popen(
                command,
                pass_fds=passed,
                process_group=0,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env={**module_environment(), "TMPDIR": str(self._folder)},
            )
            self.line = Channel(memory, bell, is_child=False)
        except OSError:
            for end in (bell, self._connection):
                end.close()
            os.close(self._lifeline)
            raise
        finally:
            for far in (far_bell, far_connection):
                far.close()
            os.close(far_lifeline)
            os.close(memory)

    def ask(self, do: str, payload: bytes = b"", *, limit: float | None = None, **words: Any) -> talk.Message:
        """Send a message and return its answer (header, bytes). Raises the child's error, CoreCrashed, BridgeClosed."""
        limit = self.limit if limit is None else limit
        self.wait("", limit)
        self._begin_exchange()
        try:
            self._connection.settimeout(limit)
            self.line.post(TALK)
            talk.send(self._connection, {"do": do, **words}, payload)
            header, answer = talk.receive(self._connection)
        except TimeoutError:
            self._give_up("", limit)
        except (LineLost, EOFError, OSError):
            self._lost("")
        self._exchanging = False
        self.wait("", limit)
        talk.raise_error(header)
        return header, answer

    def post_frame(self, pads: bytes | bytearray) -> None:
        """Start a frame with these pads; no request may be under way. Raises CoreCrashed, BridgeClosed."""
        self._check()
        self.line.pads = pads
        try:
            self.line.post(FRAME)
        except LineLost:
            self._lost(self._in_frame())

    def finish_frame(self) -> None:
        """Wait for the frame that is under way. Raises the child's error, CoreCrashed."""
        line = self.line
        if not line.answered_soon():
            self.wait(self._in_frame(), self.limit)
        if line.failed:
            self._begin_exchange()
            header, _ = talk.receive(self._connection)
            self._exchanging = False
            talk.raise_error(header)

    def wait(self, when: str, limit: float) -> None:
        """Wait until no request is under way. Raises CoreCrashed if the child ends, or after `limit` seconds."""
        self._check()
        until = time.monotonic() + limit
        try:
            while not self.line.wait_answer(min(_SLICE, limit)):
                if self._process.poll() is not None:
                    self._lost(when)
                if time.monotonic() >= until:
                    self._give_up(when, limit)
        except LineLost:
            self._lost(when)

    @property
    def process(self) -> int:
        """The process ID."""
        return self._process.pid

    def hurry(self, wanted: bool) -> None:
        """Set whether frames run as fast as possible; both ends then spin if there are idle processors."""
        self.wants_speed = wanted
        _share_processors()

    def look_after(self) -> None:
        """Empty the emulator's output file if it is too long, and decide again whether both ends may spin."""
        if os.fstat(self._log).st_size > _LOG_LIMIT:
            os.ftruncate(self._log, 0)
        if self.wants_speed:
            _share_processors()

    def close(self) -> None:
        """Give the emulator a moment to close by itself, then end the process; harmless when called again."""
        if not self._end.alive:
            return
        self._closing = True
        try:
            self._hang_up()
            if not self.line.under_way:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_FAREWELL)
            self._tell_log(logging.DEBUG)
        finally:
            self._close_at_once()

    def _close_at_once(self) -> None:
        self._end()
        _open.discard(self)
        _share_processors()

    def _hang_up(self) -> None:
        self.line.close()
        self._connection.close()

    def _check(self) -> None:
        if self._failure is not None:
            raise CoreCrashed(self._failure)
        self._check_open()
        if self._exchanging:
            raise BridgeClosed(f"{self.subject} was interrupted in the middle of an answer: connect again.")

    def _check_open(self) -> None:
        if self._closing:
            raise BridgeClosed(f"{self.subject} is closed: connect again.")

    def _begin_exchange(self) -> None:
        self._check()
        self._exchanging = True

    def _in_frame(self) -> str:
        return f" in frame {self.line.frames + 1:,}"

    def _lost(self, when: str) -> NoReturn:
        """Raise CoreCrashed with the way the child ended, after the line is lost."""
        self._check_open()
        try:
            code = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._crashed(f"stopped answering{when}")
        self._crashed(f"{how_it_ended(code)}{when}")

    def _give_up(self, when: str, limit: float) -> NoReturn:
        self._check_open()
        self._crashed(f"did not answer within {limit:g} s{when} and was ended")

    def _crashed(self, what: str) -> NoReturn:
        self._tell_log(logging.WARNING)
        self._closing = True
        self._close_at_once()
        remedy = "play again; if it fails again, take another core with --core"
        self._failure = f"{self.subject} {what}, with {self.work}: {remedy}."
        raise CoreCrashed(self._failure)

    def _tell_log(self, level: int) -> None:
        words = end_of(self._log, _LAST_WORDS).decode("utf-8", "replace").strip()
        if words:
            _LOG.log(level, "%s printed: %s", self.subject, printable(words, _LAST_WORDS))


def _end(
    process: subprocess.Popen[bytes], hang_up: Sequence[Callable[[], None]], files: Sequence[int], folder: Path
) -> None:
    """End the process and all it started, and remove its folder."""
    for close in hang_up:
        close()
    end_all(process)
    for file in files:
        os.close(file)
    shutil.rmtree(folder, ignore_errors=True)


def _share_processors() -> None:
    """Let parent and child spin while they wait if the child wants speed and each has a processor to itself."""
    enough = len(_open) + 1 <= processors() and not is_crowded()
    for child in _open:
        child.line.spin(enough and child.wants_speed)
