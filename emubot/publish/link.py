"""The WebSocket to NestrisChamps, in a thread of its own: never slows down or ends the game; knows no game's rules.

What its server does (github.com/nestrischamps/nestrischamps, routes/websocket.js, modules/Connection.js and
domains/Producer.js): it refuses an unknown secret or login with HTTP 404 before the upgrade. A producer sends its
frames as binary messages, and nothing before them. The server sends text, JSON arrays such as ["_init", {...}], which
are not needed, and ["_kick", REASON] to a producer that must not come back.
"""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import ssl
import threading
from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from emubot.errors import PublishError
from emubot.publish.frame import Frame, encode

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from emubot.publish.address import Address

WAITING: Final = 240  # frames that wait for a slow link, the newest ones
GAP: Final = 1 / 125  # seconds between frames: a console at double speed, and no more for a public server
_SAME: Final = 250  # milliseconds until a frame like the one before is sent again, as its own emulator page does
_LONGEST_PAUSE: Final = 60.0  # seconds between two attempts to connect; they begin with one
_OPEN: Final = 10.0  # seconds for a connection
_LAST: Final = 2.0  # seconds that the last frames have at the end
_IDLE: Final = 0.25  # seconds between two looks at what the server sends
_LARGEST: Final = 1 << 16  # bytes of a message of the server
_NOT_FOUND: Final = 404
_FINAL: Final = frozenset({400, 401, 403, _NOT_FOUND})  # answers that stay the same
_KICKED: Final = 4000  # the code with which the server closes then
_REASONS: Final = {"concurrency_limit": "another program sends with the same secret"}

# The library would log the address, which holds the secret.
_SILENT: Final = logging.Logger("emubot.publish.silent", logging.CRITICAL + 1)


class Refused(PublishError):
    """The server will refuse again."""


class Link:
    """A producer's connection. `send` never waits; `news` are sentences for the person, each once.

    `dropped` counts the frames that a slow link left out.
    """

    def __init__(self, address: Address, secret: str, gap: float = GAP, pause: float = 1.0) -> None:
        """`gap` is the time between frames and `pause` the first one between two attempts to connect, in seconds."""
        self.dropped = 0
        self._address, self._url = address, address.url(secret)
        self._gap, self._pause = gap, pause
        self._frames: deque[Frame] = deque(maxlen=WAITING)
        self._some = threading.Condition()
        self._ending = threading.Event()
        self._news: deque[str] = deque()
        self._said: set[str] = set()
        self._last: Frame | None = None
        self._thread: threading.Thread | None = None
        self._connection: ClientConnection | None = None

    def open(self) -> None:
        """Connect, and send from now on. Raises PublishError if the server is not there or refuses."""
        stack = ExitStack()
        first = self._connect(stack)
        self._thread = threading.Thread(target=self._run, args=(stack, first), name="publish", daemon=True)
        self._thread.start()

    def send(self, frame: Frame) -> None:
        """Send a frame soon; one like the one before is sent four times a second."""
        if self._last is not None and _is_same(self._last, frame):
            return
        self._last = frame
        with self._some:
            if len(self._frames) == WAITING and self._connection is not None:
                self.dropped += 1
                self._tell(f"Frames come faster than {self._address.host} takes them: some are not shown there.")
            self._frames.append(frame)
            self._some.notify()

    def news(self) -> list[str]:
        """Returns what happened since the last call, a sentence each."""
        return [self._news.popleft() for _ in range(len(self._news))]

    def close(self) -> None:
        """Send what waits, for two seconds at most, and close the connection; harmless when called again."""
        self._ending.set()
        with self._some:
            self._some.notify()
        thread, self._thread = self._thread, None
        if thread is None:
            return
        thread.join(_LAST)
        connection = self._connection
        if thread.is_alive() and connection is not None:  # it waits for a server that takes nothing
            with contextlib.suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)
            thread.join(_LAST)

    def _run(self, stack: ExitStack, connection: ClientConnection) -> None:
        """Send until the end, over one connection after the other."""
        from websockets.exceptions import ConnectionClosed, WebSocketException

        while True:
            try:
                with stack:
                    self._carry(connection)
                return
            except ConnectionClosed as closed:
                kicked = closed.rcvd is not None and closed.rcvd.code == _KICKED
                lost: Exception = Refused(self._kicked(closed.rcvd.reason)) if closed.rcvd and kicked else closed
            except (PublishError, WebSocketException, OSError) as failure:
                lost = failure
            finally:
                self._connection = None
            if self._ending.is_set():
                return
            if not isinstance(lost, Refused):
                self._tell(f"The connection to {self._address.host} is lost: the game goes on, and emubot tries again.")
                lost_again = self._again(stack := ExitStack())
                if not isinstance(lost_again, PublishError):
                    if lost_again is None:
                        return
                    connection = lost_again
                    self._tell(f"The connection to {self._address.host} is back.")
                    continue
                lost = lost_again
            self._tell(f"{lost} The game goes on and is no longer shown there.")
            return

    def _again(self, stack: ExitStack) -> ClientConnection | PublishError | None:
        """Returns the next connection; the refusal if there will be none; None at the end."""
        pause = self._pause
        while not self._ending.wait(pause):
            try:
                return self._connect(stack)
            except Refused as refused:
                return refused
            except PublishError:
                pause = min(2 * pause, _LONGEST_PAUSE)
        return None

    def _carry(self, connection: ClientConnection) -> None:
        """Send what comes, until the end and until nothing waits."""
        while True:
            with self._some:
                if not self._frames and not self._ending.is_set():
                    self._some.wait(_IDLE)
                frame = self._frames.popleft() if self._frames else None
            self._listen(connection)
            if frame is not None:
                connection.send(encode(frame))
                self._ending.wait(self._gap)
            elif self._ending.is_set():
                return

    def _listen(self, connection: ClientConnection) -> None:
        """Take what the server has sent. Raises Refused if it sends this producer away."""
        while True:
            try:
                message = connection.recv(timeout=0)
            except TimeoutError:
                return
            words = None
            if isinstance(message, str):
                with contextlib.suppress(ValueError, RecursionError):
                    words = json.loads(message)
            if isinstance(words, list) and words[:1] == ["_kick"]:
                raise Refused(self._kicked(str(words[1:2][0]) if words[1:2] else ""))

    def _connect(self, stack: ExitStack) -> ClientConnection:
        from websockets.exceptions import InvalidStatus, WebSocketException
        from websockets.sync.client import connect

        host, failure = self._address.host, ""
        try:
            connection = stack.enter_context(
                connect(
                    self._url,
                    open_timeout=_OPEN,
                    close_timeout=_LAST / 2,
                    max_size=_LARGEST,
                    compression=None,
                    logger=_SILENT,
                )
            )
        except InvalidStatus as answer:
            status, phrase = answer.response.status_code, answer.response.reason_phrase
            raise self._refused(status, phrase) from None
        except TimeoutError:
            failure = f"{host} does not answer: is it the address of a NestrisChamps server?"
        except socket.gaierror:
            failure = f"There is no host {host}: correct --publish, or look at your network."
        except ssl.SSLError as wrong:
            reason = getattr(wrong, "verify_message", "") or wrong.reason or "TLS failed"
            failure = f"{host} cannot be reached by wss ({reason}): correct --publish, or take ws:// if it has no TLS."
        except ConnectionRefusedError:
            failure = f"Nothing listens at {host}: start the server, or correct --publish."
        except OSError as wrong:
            failure = f"{host} cannot be reached ({wrong.strerror or type(wrong).__name__}): correct --publish."
        except (WebSocketException, EOFError, ValueError, ImportError):  # its text may hold the address
            failure = f"{host} does not speak WebSocket at this address: correct --publish."
        if failure:
            raise PublishError(failure)
        with self._some:
            self._frames.clear()  # what waited is old
            self._connection = connection
        return connection

    def _refused(self, status: int, phrase: str) -> PublishError:
        """Returns the error for an answer other than the upgrade. No word of the server is repeated."""
        host = self._address.host
        if status == _NOT_FOUND and "Target" in phrase:
            return Refused(f"{host} knows no user {self._address.login}: correct the /u/LOGIN of --publish.")
        if status == _NOT_FOUND:
            return Refused(f"{host} does not know the secret: copy it anew from the settings page of your account.")
        kind = Refused if status in _FINAL else PublishError
        return kind(f"{host} answers with HTTP {status} and takes no game: correct --publish, or try again later.")

    def _kicked(self, reason: str) -> str:
        known = _REASONS.get(reason, "no reason that emubot knows")
        return f"{self._address.host} has ended the connection: {known}."

    def _tell(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._news.append(sentence)


def _is_same(before: Frame, now: Frame) -> bool:
    """Returns whether a frame shows what the one before shows, a moment later."""
    later = now.milliseconds - before.milliseconds
    return 0 <= later < _SAME and all(getattr(before, name) == getattr(now, name) for name in _SHOWN)


_SHOWN: Final = tuple(name for name in Frame.__slots__ if name != "milliseconds")
