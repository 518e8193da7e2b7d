"""A scripted Nintaco: its program server as the facts describe it, over any Machine; with faults on demand.

One thread is both the server's and the emulator's: the game goes on only where an event was answered.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from select import select
from types import TracebackType
from typing import Any, Self

from emubot.pad import Pad
from tests.bridges.nintaco.fake_wire import ACCESS, FakeWire, Fault, GoneError
from tests.bridges.nintaco.protocol_table import SIGNATURES
from tests.bridges.test_simulated import Recorder

ACTIVATE, DEACTIVATE, CONTROLLERS, FRAME = 1, 3, 11, 13
PRE_READ, PRE_WRITE, PRE_EXECUTE = 0, 2, 4
ORDER = [Pad.A, Pad.B, Pad.SELECT, Pad.START, Pad.UP, Pad.DOWN, Pad.LEFT, Pad.RIGHT]


@dataclass
class FakeNintaco(FakeWire):
    """Serves on a port of its own between `__enter__` and `__exit__`, where also its own failures come out."""

    machine: Any = field(default_factory=Recorder)
    rom: tuple[bytes, bytes] = (bytes(range(64)), bytes(range(32)))
    file_info: str = "File name: recorder.nes"
    rest: float = 0.0  # seconds after a client before the next is served; the real one takes 1.0
    heartbeat: float = 0.01  # seconds; the real one's are 13
    polls: int = 2  # times the game reads both pads in a frame
    bits: int = 8  # reads of each port in one of them
    probe_first: bool = False  # no real Nintaco: the pads are latched before the game reads them
    drip: float | None = None  # seconds before each byte
    fault: Fault | None = None
    skip: int = 0  # frames to run without showing them, once
    resets: int = 0  # presses of the console's button to come; the game begins at address 0
    paused: bool = False
    running: bool = True  # a cartridge is open
    unknown_listener: bool = False  # one frame event for a listener that nobody registered, once

    def __post_init__(self) -> None:
        super().__init__()
        self.frames = 0
        self.draws: list[list[tuple[Any, ...]]] = []  # for each frame
        self.written: set[int] = set()  # ports whose pads were overridden
        self.speed = 100
        self.user = [Pad.NONE, Pad.NONE]  # what the person at the keyboard holds
        self._latched = [Pad.NONE, Pad.NONE]
        self._overrides: dict[tuple[int, Pad], bool] = {}
        self._swap: Callable[[], None] | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._failure: BaseException | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopper.close()
        self._thread.join(10)
        assert not self._thread.is_alive(), "the fake server hangs"
        for thing in (self._listener, self._stop):
            thing.close()
        if error is None:
            if self._failure is not None:
                raise self._failure
            assert self.violations == []

    @property
    def listeners(self) -> list[tuple[int, ...]]:
        """(kind, body...) of those that the client has now."""
        return list(self._listeners.values())

    def change(self, action: Callable[[], None]) -> None:
        """At the next frame: the machine is gone, `action`, and there is a machine again."""
        self._swap = action

    # --- the server -------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            while True:
                if self._stop in select([self._listener, self._stop], [], [])[0]:
                    return
                connection = self._listener.accept()[0]
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with connection:
                    self._attend(connection)
                time.sleep(self.rest)
        except BaseException as failure:
            self._failure = failure

    def _attend(self, connection: socket.socket) -> None:
        self._welcome(connection)
        self._active = False
        self._sprites: set[int] = set()
        self._overrides.clear()
        self._latched = [Pad.NONE, Pad.NONE]
        try:
            while True:
                # The real one plays on without listeners; nobody would see anything of it.
                self._pump(lambda: self._ready and self.running and bool(self._listeners))
                self._inbox += self._receive(0.0)
                if self.paused:
                    self._beat()
                else:
                    self._play_frame()
        except (GoneError, OSError):
            return

    def _beat(self) -> None:
        deadline = time.monotonic() + self.heartbeat
        self._pump(lambda: not self.paused or time.monotonic() > deadline)
        if self.paused:
            self._fire(0xFD)

    def _play_frame(self) -> None:
        if not self._active:
            self._active = True
            self._tell(ACTIVATE)
        if self._swap is not None:
            swap, self._swap = self._swap, None
            self._tell(DEACTIVATE)
            swap()
            self._tell(ACTIVATE)
        for _ in range(self.skip):
            self._run_game()
        self.skip = 0
        self.draws.append([])
        if self.unknown_listener:
            self.unknown_listener = False
            self._fire(FRAME, 12345)
        self._tell(FRAME)
        self._run_game()

    def _run_game(self) -> None:
        if self.resets:
            self.resets -= 1
            self._access(PRE_EXECUTE, 0, -1)
        if self.probe_first:
            self._probe()
        pads = [Pad.NONE, Pad.NONE]
        for _ in range(self.polls):
            pads = self._poll_pads()
        self.machine.step(pads)
        self.frames += 1
        if not self.probe_first:
            self._probe()

    def _probe(self) -> None:
        self._tell(CONTROLLERS)
        for port in (0, 1):
            held = {bit: self._overrides.get((port, bit), bool(self.user[port] & bit)) for bit in ORDER}
            self._latched[port] = Pad(sum(bit for bit, on in held.items() if on))
        self._overrides.clear()

    def _poll_pads(self) -> list[Pad]:
        """Strobe, then read each port, as a game does; ones after the eighth bit."""
        for value in (1, 0):
            self._access(PRE_WRITE, 0x4016, value)
        pads = [Pad.NONE, Pad.NONE]
        for number in range(self.bits):
            for port in (0, 1):
                own = bool(self._latched[port] & ORDER[number]) if number < 8 else True
                value = self._access(PRE_READ, 0x4016 + port, -1)
                if value >= 0 and value & ~1 != 0x40:
                    self.violations.append(f"read {value:#x} of an open bus")
                read = own if value < 0 else bool(value & 1)
                if number < 8 and read:
                    pads[port] |= ORDER[number]
                elif number >= 8 and not read:
                    self.violations.append("a zero after the eighth bit")
        return pads

    def _access(self, access: int, address: int, value: int) -> int:
        result = -1
        for number, body in list(self._listeners.items())[::-1]:
            if body[0] == ACCESS and body[1] == access and body[2] <= address <= (body[2] if body[3] < 0 else body[3]):
                answered = self._fire(ACCESS, number, struct.pack(">iii", access, address, value))
                result = answered if answered >= 0 else result
        return result

    def _tell(self, kind: int) -> None:
        for number, body in list(self._listeners.items())[::-1]:
            if body[0] == kind:
                self._fire(kind, number)

    def _fire(self, kind: int, listener: int | None = None, payload: bytes = b"") -> int:
        """Send an event once there is a credit, and wait for its answer."""
        self._pump(lambda: self._credit)
        self._credit, self._answered, self._pending = False, False, kind
        self._send(bytes([kind]) + (b"" if listener is None else struct.pack(">i", listener)) + payload)
        self._pump(lambda: self._answered)
        return self._result

    def _perform(self, code: int, arguments: tuple[Any, ...]) -> Any:
        """Do it; the answer, -1 or nothing where there is no machine."""
        if 92 <= code <= 117 and SIGNATURES[code][1] == "" and self.draws:
            self.draws[-1].append((code, *arguments))
        if code == 123:
            self.speed = arguments[0]
        elif code == 115:
            self._sprites.add(arguments[0])
        elif code in (116, 122) and arguments[0] not in self._sprites:
            raise GoneError
        elif code == 85:
            self._overrides[arguments[0], ORDER[arguments[1]]] = arguments[2]
            self.written.add(arguments[0])
        elif code == 23:
            self.paused = arguments[0]
        there = self._ready and self.running
        answers: dict[int, Callable[[], Any]] = {
            24: lambda: self.paused,
            25: lambda: self.frames,
            69: lambda: self._peek(arguments[0], 1),
            72: lambda: self._peek(arguments[0], 2),
            75: lambda: self._peek(arguments[0], 4),
            119: lambda: [0x0F] * 61440 if self.draws else [],
            130: lambda: ["one.nes", "two.nes"],
            139: lambda: "NTSC",
            148: lambda: self.file_info,
            157: lambda: len(self.rom[0]),
            158: lambda: self.rom[0][arguments[0]],
            160: lambda: len(self.rom[1]),
            161: lambda: self.rom[1][arguments[0]],
        }
        default = {"i": 7, "z": True, "s": "text"}.get(SIGNATURES[code][1])
        nothing = {"i": -1, "z": False, "s": "NTSC", "I": [], "S": []}.get(SIGNATURES[code][1])
        return answers.get(code, lambda: default)() if there else nothing

    def _peek(self, address: int, size: int) -> int:
        data = bytes(self._byte(address + place) for place in range(size))
        number = int.from_bytes(data, "little")
        return number - (1 << 32) if number >= 1 << 31 else number

    def _byte(self, address: int) -> int:
        """Returns what the processor sees: RAM, and from $6000 what the machine's image has after it."""
        ram = self.machine.ram
        if address < 0x2000:
            return int(ram[address % 2048])
        return int(ram[address - 0x6000 + 2048]) if 0 <= address - 0x6000 < len(ram) - 2048 else 0
