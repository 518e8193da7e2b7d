"""Bytes to and from a script: over a plain connection, or as BizHawk carries them; knows no message."""

from __future__ import annotations

import re
import socket
import time
from typing import Final, Protocol

from emubot.systems.sockets import reset_at_close

_SOME: Final = 64 * 1024  # bytes that are read at once
_LONGEST: Final = 7  # digits of a length
_LENGTH: Final = re.compile(rb"(\d{1,%d}) " % _LONGEST)


class Stream(Protocol):
    """A connection to a script."""

    peer: socket.socket

    def send(self, data: bytes, seconds: float) -> None:
        """Send all of it; raises OSError."""

    def receive(self, seconds: float) -> bytes | None:
        """Returns what comes next, None at the end; raises TimeoutError if nothing does, or another OSError."""

    def close(self) -> None:
        """Disconnect; harmless when called again."""


class PlainStream:
    """Bytes as they are."""

    def __init__(self, connected: socket.socket) -> None:
        """Take over a socket."""
        self.peer = connected

    def send(self, data: bytes, seconds: float) -> None:
        """Send all of it; raises OSError."""
        self.peer.settimeout(seconds)
        self.peer.sendall(data)

    def receive(self, seconds: float) -> bytes | None:
        """Returns what comes next, None at the end; raises TimeoutError if nothing does, or another OSError."""
        self.peer.settimeout(seconds)
        return self.peer.recv(_SOME) or None

    def close(self) -> None:
        """Disconnect; harmless when called again."""
        self.peer.close()


class BizHawkStream(PlainStream):
    """Hexadecimal digits, each message after its length and a space, as in BizHawk's SocketServer.cs since 2.6.2."""

    def __init__(self, connected: socket.socket) -> None:
        """Take over a socket.

        However emubot ends, the connection is reset: BizHawk reads on for ever at the end of one that is closed in good
        order, because it takes "no byte" for a byte (SocketServer.cs, ReceiveString).
        """
        super().__init__(connected)
        reset_at_close(connected)
        self._received = bytearray()

    def send(self, data: bytes, seconds: float) -> None:
        """Send all of it as one message; raises OSError."""
        digits = data.hex().upper().encode("ascii")
        super().send(b"%d %s" % (len(digits), digits), seconds)

    def receive(self, seconds: float) -> bytes | None:
        """Returns the next message's bytes; None at the end; what is none of BizHawk's comes back as it is."""
        due = time.monotonic() + seconds
        while True:
            length = _LENGTH.match(self._received)
            if length is None and len(self._received) > _LONGEST:
                return self._all()
            if length is not None and len(self._received) >= length.end() + int(length[1]):
                return self._message(length.end(), int(length[1]))
            some = super().receive(max(due - time.monotonic(), 0.001))
            if some is None:
                return None
            self._received += some

    def _message(self, start: int, count: int) -> bytes:
        digits = bytes(self._received[start : start + count])
        try:
            message = bytes.fromhex(digits.decode("ascii"))
        except ValueError:
            return self._all()
        del self._received[: start + count]
        return message

    def _all(self) -> bytes:
        raw = bytes(self._received)
        self._received.clear()
        return raw
