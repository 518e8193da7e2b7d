"""Nintaco's wire: how values are written, and a socket on which nothing is waited for without end; knows no method.

Source: facts, Nintaco 3.1 and 3.2. Big-endian, no framing, no sequence numbers: a byte lost or misread is noticed only
by what follows, so after any failure in the middle of a message the connection is closed and made anew.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Sequence
from typing import Final

from emubot.bridges.notices import overheard
from emubot.errors import BridgeError, UsageError

EVENT_REQUEST: Final = b"\xff"  # "I can take one event"
EVENT_RESPONSE: Final = b"\xfe"  # "the event is handled"
HEARTBEAT: Final = 0xFD
READY: Final = b"\xfc"

LONGEST: Final = 1024  # elements of a string or a polygon; the server closes the connection on more
_LONGEST_REPLY: Final = 1 << 20  # elements; a picture has 61,440
_SLICE: Final = 0.25  # seconds in one system call, for Ctrl-C does not interrupt it everywhere
_PARTING: Final = 1.0  # seconds that a server has for the last words
_AT_LEAST: Final = 0.001  # seconds; 0 would mean another mode of the socket
_CHUNK: Final = 512  # calls sent before their replies are read: both directions fit any socket buffer
_INT: Final = struct.Struct(">i")

Value = bool | int | str | bytes | Sequence[int]


class ConnectionLost(BridgeError):
    """The connection broke or fell silent; another one may be made."""


class ProtocolError(BridgeError):
    """The other side sent what no Nintaco sends."""


class NoMachine(BridgeError):
    """Nintaco runs no cartridge now, so that there is nothing to read."""


def pack_int(value: int) -> bytes:
    """Four bytes, signed, big-endian. Raises UsageError beyond 32 bits."""
    try:
        return _INT.pack(value)
    except struct.error:
        raise UsageError(f"{value} does not fit Nintaco's 32-bit numbers.") from None


def call(method: int, *values: Value) -> bytes:
    """The bytes of one call: bool is one byte, int four, str counted Latin-1, bytes as they are, ints counted."""
    return bytes([method]) + b"".join(map(_pack, values))


def pack_text(text: str) -> bytes:
    """Counted Latin-1. Raises UsageError for other characters and for more than 1,024."""
    if len(text) > LONGEST:
        raise UsageError(f"Nintaco takes texts of at most {LONGEST} characters, not {len(text)}: shorten it.")
    try:
        return pack_int(len(text)) + text.encode("latin-1")
    except UnicodeEncodeError:
        raise UsageError(f"Nintaco takes Latin-1 characters only: {text!r} has others.") from None


def _pack(value: Value) -> bytes:
    if isinstance(value, bool):
        return b"\x01" if value else b"\x00"
    if isinstance(value, int):
        return pack_int(value)
    if isinstance(value, str):
        return pack_text(value)
    if isinstance(value, bytes):
        return value
    return pack_int(len(value)) + b"".join(map(pack_int, value))


class _Outbox:
    """Bytes to be sent, and how many of them were; replaced as a whole, so that nothing comes in between."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._sent: list[int] = []

    @property
    def rest(self) -> bytes:
        """What has not gone out yet."""
        return bytes(self.data[sum(self._sent) :])

    def send(self, peer: socket.socket) -> None:
        """Send as much of the rest as goes; raises as `socket.send` does."""
        # Ctrl-C as `send` returns would lose a count that is kept by a statement of its own, and the next byte would
        # then be anybody's guess: so the interpreter is not asked in between.
        self._sent.extend(map(peer.send, (self.rest,)))


class Wire:
    """One connection: what is queued goes out in one write, and what is read has a deadline as a whole.

    `pipelines` says whether many calls may be under way at once: the server answers in small packets and waits for
    their acknowledgement, which only a system with TCP_QUICKACK sends at once (facts: Nintaco 0.3). Every failure,
    KeyboardInterrupt included, leaves the wire unusable but for its last words: after an interrupt they still go out,
    behind the rest of the message that it cut.
    """

    def __init__(self, connection: socket.socket, reply_timeout: float, pipelines: bool | None = None) -> None:
        # 0.2: without it every second small packet waits 40 ms, and the game with it (facts: Nintaco 0.2).
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._slice = min(_SLICE, reply_timeout / 4)
        connection.settimeout(self._slice)
        self._parting = min(_PARTING, reply_timeout)
        self.reply_timeout = reply_timeout
        self._quick: int | None = getattr(socket, "TCP_QUICKACK", None)
        self.pipelines = self._quick is not None if pipelines is None else pipelines
        self._sound_out = True
        self._socket = connection
        self._out = _Outbox()
        self._in = bytearray()
        self._broken = False

    def queue(self, data: bytes) -> None:
        """Send this with the next `flush`."""
        self._out.data += data

    def flush(self) -> None:
        """Send what is queued in one write."""
        if not self._out.data:
            return
        self._usable()
        self._broken = True
        self._send_all(self.reply_timeout)
        self._broken = False

    def _send_all(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._out.rest:
            try:
                self._out.send(self._socket)
            except TimeoutError:
                if time.monotonic() > deadline:
                    self._sound_out = False
                    raise ConnectionLost(
                        f"Nintaco took nothing for {seconds:g} seconds: restart its program server."
                    ) from None
            except OSError as error:
                self._sound_out = False
                raise ConnectionLost(f"The connection to Nintaco broke ({error}): is it still running?") from None
        self._out = _Outbox()

    def wait(self, timeout: float) -> bool:
        """Whether a byte has come within `timeout` seconds; no is no failure."""
        self._usable()
        if timeout >= self._slice or self._in:
            return self._fill(1, time.monotonic() + timeout)
        self._socket.settimeout(max(timeout, _AT_LEAST))
        try:
            return self._fill(1, time.monotonic() + timeout)
        finally:
            self._socket.settimeout(self._slice)

    def begin_reply(self) -> float:
        """The moment by which an answer must be there as a whole; sends what is queued."""
        self.flush()
        return time.monotonic() + self.reply_timeout

    def read(self, count: int, deadline: float) -> bytes:
        """Exactly `count` bytes. Raises ConnectionLost if they are not there by `deadline` (of time.monotonic)."""
        self._usable()
        if not self._fill(count, deadline):
            self._broken = True
            raise ConnectionLost(
                f"Nintaco did not answer within {self.reply_timeout:g} seconds: "
                "it hangs, or serves another program (it serves one at a time)."
            )
        data = bytes(self._in[:count])
        del self._in[:count]
        return data

    def look(self, count: int, deadline: float) -> bytes:
        """The next `count` bytes, which stay to be read; fewer if they are not there by `deadline`."""
        self._usable()
        self._fill(count, deadline)
        return bytes(self._in[:count])

    def overheard(self) -> bytes:
        """What has come and was not read, and what else a stranger says; the wire is not usable afterwards."""
        self._broken, self._sound_out = True, False
        return overheard(self._socket, bytes(self._in))

    def read_int(self, deadline: float) -> int:
        """A signed 32-bit number."""
        number: int = _INT.unpack(self.read(4, deadline))[0]
        return number

    def read_count(self, deadline: float) -> int:
        """The number of elements that follow. Raises ProtocolError for one that cannot be."""
        count = self.read_int(deadline)
        if not 0 <= count <= _LONGEST_REPLY:
            self._broken = True
            raise ProtocolError(
                f"An answer of {count} elements is none of Nintaco's: update emubot, or check the port."
            )
        return count

    def read_text(self, deadline: float) -> str:
        """A counted Latin-1 text."""
        return self.read(self.read_count(deadline), deadline).decode("latin-1")

    def replies(self, calls: bytes, count: int, first: bytes = b"") -> bytes:
        """The four-byte answers of `count` calls of one length that stand one after another in `calls`.

        `first` is one more call, of any length, whose answer comes before theirs. Pipelined in chunks where the system
        allows it, each with a deadline of its own, else one by one.
        """
        size = len(calls) // count if count else 1
        step = _CHUNK if self.pipelines else 1
        parts = []
        expected = 0
        if first:
            self.queue(first)
            expected = 4
            if not (self.pipelines and count):
                parts.append(self.read(4, self.begin_reply()))
                expected = 0
        for start in range(0, count, step):
            chunk = min(step, count - start)
            self.queue(calls[start * size : (start + chunk) * size])
            parts.append(self.read(expected + 4 * chunk, self.begin_reply()))
            expected = 0
        return b"".join(parts)

    def close(self, last_words: bytes = b"") -> bool:
        """End the connection, which lets the emulator go on; `last_words` are void calls that it still obeys.

        Returns whether it has taken them. Not to be interrupted: see `held_back`.
        """
        self._broken = True
        self.queue(last_words)
        said = self._sound_out and self._say()
        self._sound_out = False
        self._socket.close()
        return said

    def _say(self) -> bool:
        """Send, and wait a moment until it was read: a socket closed over unread bytes takes its last words back."""
        try:
            self._send_all(self._parting)
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(self._parting)
            deadline = time.monotonic() + self._parting
            while time.monotonic() < deadline:
                if not self._socket.recv(1 << 16):
                    return True
        except (OSError, ConnectionLost):
            return False  # whoever has gone away needs no last words
        return False

    def _usable(self) -> None:
        if self._broken:
            raise ConnectionLost("The connection to Nintaco is no longer usable: connect anew.")

    def _fill(self, count: int, deadline: float) -> bool:
        """Have `count` bytes in hand by the deadline; False if not."""
        tried = False
        while len(self._in) < count:
            if tried and time.monotonic() > deadline:
                return False
            tried = self._broken = True
            if self._quick is not None and self.pipelines:
                self._socket.setsockopt(socket.IPPROTO_TCP, self._quick, 1)  # the system forgets it again and again
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                self._broken = False
                continue
            except OSError as error:
                self._sound_out = False
                raise ConnectionLost(f"The connection to Nintaco broke ({error}): is it still running?") from None
            if not data:
                self._sound_out = False
                raise ConnectionLost("Nintaco ended the connection: is its program server still running?")
            self._in += data
            self._broken = False
        return True
