"""Nintaco's wire format, and a socket on which every wait has a deadline.

Source: facts, Nintaco 3.1 and 3.2. The format is big-endian, without framing or sequence numbers, so a lost or misread
byte is not noticed at once. After any failure inside a message the connection is therefore closed and made again.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Sequence
from typing import Final

from emubot.bridges.notices import ConnectionLost, overheard
from emubot.errors import BridgeError, UsageError
from emubot.systems.sockets import quick_acknowledgement

EVENT_REQUEST: Final = b"\xff"  # "I can take one event"
EVENT_RESPONSE: Final = b"\xfe"  # "the event is handled"
HEARTBEAT: Final = 0xFD
READY: Final = b"\xfc"

LONGEST: Final = 1024  # elements of a string or a polygon; the server closes the connection on more
_LONGEST_REPLY: Final = 1 << 20  # elements; a picture has 61,440
_SLICE: Final = 0.25  # seconds in one system call, because not on every system Ctrl-C interrupts it
_PARTING: Final = 1.0  # seconds that a server has for the last words
_AT_LEAST: Final = 0.001  # seconds; 0 would set the socket to another mode
_CHUNK: Final = 512  # calls sent before their replies are read; both directions fit any socket buffer
_INT: Final = struct.Struct(">i")

Value = bool | int | str | bytes | Sequence[int]


class ProtocolError(BridgeError):
    """The other side sent something that Nintaco never sends."""


class NoMachine(BridgeError):
    """Nintaco runs no cartridge now, so there is nothing to read."""


def pack_int(value: int) -> bytes:
    """Returns four bytes, signed, big-endian. Raises UsageError beyond 32 bits."""
    try:
        return _INT.pack(value)
    except struct.error:
        raise UsageError(f"{value} does not fit Nintaco's 32-bit numbers.") from None


def call(method: int, *values: Value) -> bytes:
    """Returns the bytes of a call: bool one byte, int four, bytes as they are, str (Latin-1) and ints after a count."""
    return bytes([method]) + b"".join(map(_pack, values))


def pack_text(text: str) -> bytes:
    """Returns a count and the text in Latin-1. Raises UsageError for other characters or more than 1,024."""
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
    """Bytes to send, with the number of bytes sent; replaced as a whole, so that an interrupt cannot corrupt it."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._sent: list[int] = []

    @property
    def rest(self) -> bytes:
        """The bytes that are not sent yet."""
        return bytes(self.data[sum(self._sent) :])

    def send(self, peer: socket.socket) -> None:
        """Send as much of the rest as possible; raises as `socket.send` does."""
        # If the count were stored by a separate statement, Ctrl-C just after `send` would lose it, and the position in
        # the stream would be unknown. `extend` and `map` store it without a step of the interpreter in between.
        self._sent.extend(map(peer.send, (self.rest,)))


class NintacoWire:
    """One connection: queued bytes are sent in one write, and each read has one deadline.

    `pipelines` says whether many calls may be under way at once. The server answers in small packets and waits for
    their acknowledgement, and only a system with TCP_QUICKACK sends that at once (facts: Nintaco 0.3). After any
    failure, KeyboardInterrupt included, the wire can only send its last words; after an interrupt these follow the rest
    of the message that it cut.
    """

    def __init__(self, connection: socket.socket, reply_timeout: float, pipelines: bool | None = None) -> None:
        # Without it every second small packet waits 40 ms, and so does the game (facts: Nintaco 0.2).
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._slice = min(_SLICE, reply_timeout / 4)
        connection.settimeout(self._slice)
        self._parting = min(_PARTING, reply_timeout)
        self.reply_timeout = reply_timeout
        self._quick: int | None = quick_acknowledgement()
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
        """Send all queued bytes in one write."""
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
        """Returns whether a byte came within `timeout` seconds; False is not a failure."""
        self._usable()
        if timeout >= self._slice or self._in:
            return self._fill(1, time.monotonic() + timeout)
        self._socket.settimeout(max(timeout, _AT_LEAST))
        try:
            return self._fill(1, time.monotonic() + timeout)
        finally:
            self._socket.settimeout(self._slice)

    def begin_reply(self) -> float:
        """Send all queued bytes; returns the deadline of the whole answer (of time.monotonic)."""
        self.flush()
        return time.monotonic() + self.reply_timeout

    def read(self, count: int, deadline: float) -> bytes:
        """Returns exactly `count` bytes. Raises ConnectionLost if they are not there by `deadline` (time.monotonic)."""
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
        """Returns the next `count` bytes without consuming them; fewer if not all are there by `deadline`."""
        self._usable()
        self._fill(count, deadline)
        return bytes(self._in[:count])

    def overheard(self) -> bytes:
        """Returns all unread bytes and the next ones of an unknown peer; the wire is then no longer usable."""
        self._broken, self._sound_out = True, False
        return overheard(self._socket, bytes(self._in))

    def read_int(self, deadline: float) -> int:
        """Returns a signed 32-bit number."""
        number: int = _INT.unpack(self.read(4, deadline))[0]
        return number

    def read_count(self, deadline: float) -> int:
        """Returns the number of elements that follow. Raises ProtocolError if it is impossible."""
        count = self.read_int(deadline)
        if not 0 <= count <= _LONGEST_REPLY:
            self._broken = True
            raise ProtocolError(f"Nintaco never sends an answer of {count} elements: update emubot, or check the port.")
        return count

    def read_text(self, deadline: float) -> str:
        """Returns a Latin-1 text, which follows its count."""
        return self.read(self.read_count(deadline), deadline).decode("latin-1")

    def replies(self, calls: bytes, count: int, first: bytes = b"") -> bytes:
        """Returns the four-byte answers of `count` calls of equal length, which follow each other in `calls`.

        `first` is one more call, of any length; its answer comes before the others. Calls are pipelined in chunks if
        the system allows it, each chunk with its own deadline; otherwise they are sent one by one.
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
        """End the connection, so that the emulator goes on; it still executes `last_words`, which are void calls.

        Returns whether the server took them. Must not be interrupted: see `held_back`.
        """
        self._broken = True
        self.queue(last_words)
        said = self._sound_out and self._say()
        self._sound_out = False
        self._socket.close()
        return said

    def _say(self) -> bool:
        """Send and wait a moment for the server to read it; a socket closed with unread bytes discards what it sent."""
        try:
            self._send_all(self._parting)
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(self._parting)
            deadline = time.monotonic() + self._parting
            while time.monotonic() < deadline:
                if not self._socket.recv(1 << 16):
                    return True
        except (OSError, ConnectionLost):
            return False  # the server is gone and needs no last words
        return False

    def _usable(self) -> None:
        if self._broken:
            raise ConnectionLost("The connection to Nintaco is no longer usable: connect again.")

    def _fill(self, count: int, deadline: float) -> bool:
        """Receive until `count` bytes are buffered; returns False if they are not there by the deadline."""
        tried = False
        while len(self._in) < count:
            if tried and time.monotonic() > deadline:
                return False
            tried = self._broken = True
            if self._quick is not None and self.pipelines:
                self._socket.setsockopt(socket.IPPROTO_TCP, self._quick, 1)  # the system resets this option
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
