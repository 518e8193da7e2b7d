"""The scripted Nintaco's side of the wire: calls taken off it, answers put on it, faults on demand; knows no frame."""

from __future__ import annotations

import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from select import select
from typing import Any

from emubot.bridges.nintaco import Client
from tests.bridges.nintaco.protocol_table import REGISTRATIONS, SIGNATURES

ACCESS = 9


class _Interrupting:
    """A client's socket in whose next wait somebody presses Ctrl-C."""

    def __init__(self, real: socket.socket) -> None:
        self._real = real
        self._told = False

    def recv(self, size: int) -> bytes:
        if not self._told:
            self._told = True
            raise KeyboardInterrupt
        data: bytes = self._real.recv(size)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def interrupt(client: Client) -> None:
    """Ctrl-C in the next wait for the server's bytes."""
    wire = client._wire
    assert wire is not None
    wire._socket = _Interrupting(wire._socket)  # type: ignore[assignment]


class GoneError(Exception):
    """The client has left, or is thrown out."""


@dataclass
class Fault:
    """Happens once, when so many bytes in all have been sent, or received.

    "cut" ends the connection, "stall" sends nothing more, "say" sends `data` out of turn and goes on.
    """

    kind: str
    sent: int | None = None
    received: int | None = None
    data: bytes = b""


class FakeWire:
    """What a server knows of its client."""

    drip: float | None
    fault: Fault | None

    def __init__(self) -> None:
        self.clients = 0
        self.sent = self.received = 0
        self.calls: list[tuple[Any, ...]] = []  # (id, arguments...), in order; peeks and pads are only counted
        self.counts: Counter[int] = Counter()
        self.registered: list[list[tuple[int, ...]]] = []  # for each client: (kind, id, body...)
        self.violations: list[str] = []
        self._stop, self._stopper = socket.socketpair()

    def _perform(self, code: int, arguments: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def _welcome(self, connection: socket.socket) -> None:
        """A new client, of whom nothing is known."""
        self.clients += 1
        self._connection = connection
        self._inbox, self._outbox = bytearray(), bytearray()
        self._credit = self._ready = self._answered = False
        self._pending: int | None = None  # the kind of the event that waits for its answer
        self._result = -1
        self._listeners: dict[int, tuple[int, ...]] = {}
        self.registered.append([])

    def _send(self, data: bytes) -> None:
        fault = self.fault
        if fault is not None and fault.sent is not None and self.sent + len(data) > fault.sent:
            cut = fault.sent - self.sent
            self._out(data[:cut])
            self._act(fault)
            data = data[cut:]
        self._out(data)

    def _out(self, data: bytes) -> None:
        self.sent += len(data)
        self._outbox += data

    def _flush(self) -> None:
        """Send what has gathered in one write, which spares the tests thousands of switches between two threads."""
        data, self._outbox = bytes(self._outbox), bytearray()
        if self.drip is None:
            self._connection.sendall(data)
            return
        for byte in data:
            time.sleep(self.drip)
            self._connection.sendall(bytes([byte]))

    def _act(self, fault: Fault) -> None:
        self.fault = None
        self._flush()
        if fault.kind == "say":
            self._connection.sendall(fault.data)
            return
        if fault.kind == "stall":
            while self._receive(None):
                pass
        raise GoneError

    def _receive(self, timeout: float | None) -> bytes:
        self._flush()
        readable = select([self._connection, self._stop], [], [], timeout)[0]
        if self._stop in readable:
            raise GoneError
        if not readable:
            return b""
        data = self._connection.recv(1 << 16)
        if not data:
            raise GoneError
        fault = self.fault
        if fault is not None and fault.received is not None and self.received + len(data) >= fault.received:
            self.received = fault.received
            self._act(fault)
        self.received += len(data)
        return data

    def _pump(self, until: Callable[[], bool]) -> None:
        """Obey the client until then. Calls that have come are obeyed first."""
        while True:
            while self._inbox and self._obey():
                pass
            if until():
                return
            self._inbox += self._receive(0.005)

    def _obey(self) -> bool:
        """Take one message off the inbox; False if it has not come as a whole."""
        code = self._inbox[0]
        if code == 0xFE:
            size = 5 if self._pending == ACCESS else 1
            if len(self._inbox) < size:
                return False
            if self._pending is None:
                self.violations.append("an answer to no event")
            self._result = struct.unpack(">i", self._inbox[1:5])[0] if size == 5 else -1
            self._answered, self._pending = True, None
            del self._inbox[:size]
            return True
        if code == 0xFF:
            if self._credit:
                self.violations.append("a credit on top of one")
            self._credit = True
        elif code == 0xFC:
            self._ready = True
        elif code in REGISTRATIONS:
            return self._register(code)
        elif code - 1 in REGISTRATIONS:
            taken = self._take("i", 1)
            if taken is None:
                return False
            self._listeners.pop(taken[0])
            return True
        elif code in SIGNATURES:
            return self._call(code)
        else:
            raise GoneError  # as the real one does with an id that it does not know
        del self._inbox[:1]
        return True

    def _register(self, kind: int) -> bool:
        body = self._take(REGISTRATIONS[kind], 1)
        if body is None:
            return False
        if body[0] in self._listeners:
            self.violations.append(f"listener {body[0]} twice")
        self._listeners[body[0]] = (kind, *body[1:])
        self.registered[-1].append((kind, *body))
        return True

    def _call(self, code: int) -> bool:
        signature, answer = SIGNATURES[code]
        arguments = self._take(signature, 1)
        if arguments is None:
            return False
        self.counts[code] += 1
        if code not in (69, 75, 85, 25, 158, 161):
            self.calls.append((code, *arguments))
        reply = self._perform(code, arguments)
        if answer:
            if self._pending is None and self._credit and self._ready:
                self.violations.append(f"call {code} while an event may come")
            self._send(_packed(answer, reply))
        return True

    def _take(self, signature: str, start: int) -> tuple[Any, ...] | None:
        """Arguments from the inbox, which are taken off it; None if they have not all come."""
        values: list[Any] = []
        at = start
        for letter in signature:
            size = {"i": 4, "z": 1, "c": 1}.get(letter, 4)
            if len(self._inbox) < at + size:
                return None
            data = bytes(self._inbox[at : at + size])
            at += size
            if letter == "z":
                values.append(data != b"\x00")
            elif letter == "c":
                values.append(data.decode("latin-1"))
            else:
                number = struct.unpack(">i", data)[0]
                if letter == "i":
                    values.append(number)
                    continue
                if not 0 <= number <= (1 << 20 if letter == "I" else 1024):
                    raise GoneError
                width = 4 if letter == "I" else 1
                if len(self._inbox) < at + number * width:
                    return None
                content = bytes(self._inbox[at : at + number * width])
                at += number * width
                values.append(
                    list(struct.unpack(f">{number}i", content)) if letter == "I" else content.decode("latin-1")
                )
        del self._inbox[:at]
        return tuple(values)


def _packed(letter: str, value: Any) -> bytes:
    if letter == "i":
        return int(value).to_bytes(4, "big", signed=True)
    if letter == "z":
        return bytes([value])
    if letter == "s":
        return struct.pack(">i", len(value)) + str(value).encode("latin-1")
    if letter == "I":
        return struct.pack(f">{len(value) + 1}i", len(value), *value)
    return struct.pack(">i", len(value)) + b"".join(_packed("s", text) for text in value)
