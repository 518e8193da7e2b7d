"""The script's side of the conversation, in Python, over real sockets: well-behaved, or as a test wants it."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

HEADER = 12
IMAGE = b"NES\x1a\x01\x01" + bytes(10) + bytes(range(256)) * 64 + bytes(0x2000)  # 16 KiB of PRG, 8 KiB of CHR
BODY = IMAGE[16:]


class Cut(Exception):
    """The connection ends here."""


def message(kind: bytes, number: int, body: bytes = b"") -> bytes:
    return b"EMU" + kind + number.to_bytes(4) + len(body).to_bytes(4) + body


@dataclass
class Console:
    """What runs in the fake emulator: RAM shows the frame count, and what each frame's pads were is kept."""

    image: bytes = IMAGE
    count: int = 100
    pads: list[tuple[int, int, int]] = field(default_factory=list)  # owned, first, second
    speeds: list[bytes] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)

    @property
    def md5(self) -> str:
        return hashlib.md5(self.image[16:], usedforsecurity=False).hexdigest()

    @property
    def ram(self) -> bytes:
        return self.count.to_bytes(2) + bytes(2046)

    @property
    def wram(self) -> bytes:
        """The cartridge's memory, from $6000."""
        return bytes(0x2000)

    @property
    def memory(self) -> bytes:
        """All that the processor sees."""
        return self.ram.ljust(0x6000, b"\0") + self.wram + bytes(0x8000)

    def play(self, pads: bytes) -> None:
        self.pads.append((pads[0], pads[1], pads[2]))
        self.count += 1


class Peer:
    """One connection as the script has it; `budget` cuts it after so many bytes sent."""

    def __init__(self, connection: socket.socket, console: Console, budget: int | None = None) -> None:
        self.connection, self.console, self.budget = connection, console, budget
        self.given = 0
        self._received = b""

    def send(self, data: bytes) -> None:
        if self.budget is not None:
            data, self.budget = data[: self.budget], self.budget - len(data)
        try:
            self.connection.sendall(data)
        except OSError:
            raise Cut from None
        if self.budget is not None and self.budget < 0:
            raise Cut

    def take(self) -> tuple[bytes, int, bytes]:
        header = self._bytes(HEADER)
        assert header[:3] == b"EMU"
        return header[3:4], int.from_bytes(header[4:8]), self._bytes(int.from_bytes(header[8:]))

    def hello(self, version: int = 1, **said: str) -> None:
        lines = {"program": "FCEUX", "rom": "tiny", "md5": self.console.md5, "movie": "", **said}
        self.send(message(b"H", version, "".join(f"{name}={value}\n" for name, value in lines.items()).encode()))

    def frame(self, notes: int = 0, number: int | None = None, ram: bytes | None = None) -> None:
        """Show the frame that was just played."""
        self.given += 1
        shown = self.console.ram if ram is None else ram
        body = self.console.count.to_bytes(4) + bytes([notes]) + shown
        self.send(message(b"F", self.given if number is None else number, body))

    def until_pads(self) -> bytes:
        """Answer questions until the pads of the next frame come."""
        while True:
            kind, number, body = self.take()
            if kind == b"P":
                assert number == self.given, "pads for another frame"
                return body
            if kind == b"V":
                self.console.speeds.append(body)
                continue
            start, length = int.from_bytes(body[:4]), int.from_bytes(body[4:])
            memory = {b"R": self.console.image, b"M": self.console.memory}[kind]
            self.send(message(kind, number, memory[start : start + length]))

    def play(self, frames: int | None = None) -> None:
        """Take turns as the script does, for so many frames or until emubot leaves."""
        while frames is None or frames > 0:
            self.console.play(self.until_pads())
            self.frame()
            frames = None if frames is None else frames - 1

    def _bytes(self, count: int) -> bytes:
        while len(self._received) < count:
            try:
                some = self.connection.recv(65536)
            except OSError:
                some = b""
            if not some:
                raise Cut
            self._received += some
        taken, self._received = self._received[:count], self._received[count:]
        return taken


Manner = Callable[[Peer], None]


def well_behaved(peer: Peer) -> None:
    peer.hello()
    peer.play()


def cut_after(budget: int) -> Manner:
    def manner(peer: Peer) -> None:
        peer.budget = budget
        well_behaved(peer)

    return manner


class FakeScript:
    """Listens like the script: the first connection is treated in the first manner, and so on, the last one for all."""

    def __init__(self, *manners: Manner, console: Console | None = None) -> None:
        self.console = console or Console()
        self.met = 0  # connections so far
        self._manners = manners or (well_behaved,)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._failures: list[BaseException] = []
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    @property
    def port(self) -> int:
        port: int = self._server.getsockname()[1]
        return port

    def __enter__(self) -> FakeScript:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        if self._connection is not None:
            self._connection.close()
        self._thread.join(timeout=20)
        assert not self._thread.is_alive(), "the bridge was not closed"
        self._server.close()
        for failure in self._failures:
            raise failure

    def _serve(self) -> None:
        while True:
            try:
                self._connection, _ = self._server.accept()
            except OSError:
                return
            manner = self._manners[min(self.met, len(self._manners) - 1)]
            self.met += 1
            with self._connection:
                try:
                    manner(Peer(self._connection, self.console))
                except Cut:
                    pass
                except BaseException as failure:
                    self._failures.append(failure)
            self.console.hung_up.set()
