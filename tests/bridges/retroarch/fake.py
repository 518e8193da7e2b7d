"""A scripted RetroArch: answers as 1.14 does, one frame for each request; loses and delays as told.

A frame is what RetroArch does when the core polls its pads: answer every line of what waits, then take one packet of
each pad; then the game plays, which moves its clock and copies the pads to RAM.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator

from emubot.bridges.protocol import RAM_SIZE
from emubot.pad import Pad

CLOCK, PADS = 0x10, (0x12, 0x13)  # where its game keeps what it counts and reads
BUTTON = {0: Pad.B, 2: Pad.SELECT, 3: Pad.START, 4: Pad.UP, 5: Pad.DOWN, 6: Pad.LEFT, 7: Pad.RIGHT, 8: Pad.A}
Mischief = Callable[[list[bytes]], list[bytes]]

Packet = tuple[int, int, int, int, int]  # port, device, index, button id, state


class FakeRetroArch:
    """On ports of its own, or on those given: commands, pads. `mischief` changes the answers to the next requests."""

    def __init__(self, listens_for_pads: bool = True, ports: tuple[int, int] = (0, 0)) -> None:
        self.status = "GET_STATUS PLAYING FCEUmm,a game, by us,crc32=dfb97c4b\n"
        self.memory_map = True
        self.shows_ram = True
        self.frames_a_poll = 1
        self.ram = bytearray(range(256)) * (RAM_SIZE // 256)
        self.ram[PADS[0]] = self.ram[PADS[1]] = 0
        self.wram = bytearray()  # from 0x6000 on
        self.asked: list[str] = []
        self.packets: list[list[Packet]] = [[], []]
        self.mischief: deque[Mischief] = deque()
        self._late: list[tuple[bytes, tuple[str, int]]] = []
        self._commands = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._commands.bind(("127.0.0.1", ports[0]))
        self.port: int = self._commands.getsockname()[1]
        self._pads, self.pad_port = neighbours(ports[1])
        if not listens_for_pads:
            self._close_pads()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Gone: nobody listens any more."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join(5)
        self._commands.close()
        self._close_pads()

    def late(self, answers: list[bytes]) -> list[bytes]:
        """Mischief: these answers come before those to the next datagram, to whoever asked."""
        self._late = [(answer, self._asker) for answer in answers]
        return []

    def _serve(self) -> None:
        while True:
            data, self._asker = self._commands.recvfrom(2047)
            if not data:
                return
            late, self._late = self._late, []
            lines = data.decode("ascii").split("\n")
            self.asked += lines
            answers = [answer for line in lines for answer in self._answer(line)]
            if self.mischief:
                answers = self.mischief.popleft()(answers)
            for answer, asker in late:
                self._commands.sendto(answer, asker)
            for answer in answers:
                self._commands.sendto(answer, self._asker)
            if self.status.startswith("GET_STATUS PLAYING"):
                self._play()

    def _answer(self, line: str) -> Iterator[bytes]:
        word, *arguments = line.split()
        if word == "VERSION":
            yield b"1.14.0\n"
        elif word == "GET_STATUS":
            yield self.status.encode()
        elif word in ("READ_CORE_MEMORY", "READ_CORE_RAM"):
            address, length = int(arguments[0], 16), int(arguments[1])
            yield f"{word} {address:x} {self._memory(word, address, length)}\n".encode()

    def _memory(self, word: str, address: int, length: int) -> str:
        if word == "READ_CORE_MEMORY" and not self.memory_map:
            return "-1 no memory map defined"
        if word == "READ_CORE_RAM" and not self.shows_ram:
            return "-1"
        if self.wram and 0x6000 <= address < 0x6000 + len(self.wram):
            return self.wram[address - 0x6000 : address - 0x6000 + length].hex(" ").upper()
        if address >= RAM_SIZE:
            return "-1 no descriptor for address" if word == "READ_CORE_MEMORY" else "-1"
        end = min(address + length, (address // 1024 + 1) * 1024) if word == "READ_CORE_MEMORY" else address + length
        return self.ram[address:end].hex(" ").upper()

    def _play(self) -> None:
        for port, pad in enumerate(self._pads):
            with contextlib.suppress(BlockingIOError):
                packet: Packet = struct.unpack("<iiiiH2x", pad.recv(64))
                self.packets[port].append(packet)
                button, held = BUTTON[packet[3]], bool(packet[4])
                self.ram[PADS[port]] = self.ram[PADS[port]] & ~button | (button if held else 0)
        self.ram[CLOCK] = (self.ram[CLOCK] + self.frames_a_poll) % 256

    def _close_pads(self) -> None:
        for pad in self._pads:
            pad.close()
        self._pads = []


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def neighbours(first: int = 0) -> tuple[list[socket.socket], int]:
    """Two sockets on ports next to each other, from `first` on if it is given."""
    while True:
        with contextlib.ExitStack() as undo, contextlib.suppress(OSError):
            pads = [undo.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)]
            pads[0].bind(("127.0.0.1", first))
            port: int = pads[0].getsockname()[1]
            pads[1].bind(("127.0.0.1", port + 1))
            for pad in pads:
                pad.setblocking(False)
            undo.pop_all()
            return pads, port
