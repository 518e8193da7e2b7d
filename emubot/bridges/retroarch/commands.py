"""RetroArch's network commands over UDP: version, status, memory.

A command is one line of text, and its answer is one datagram. Once per frame, when the core polls its pads, RetroArch
takes all waiting datagrams. So all lines of one datagram are answered in the same frame (measured with 1.14: 200 of 200
requests of ten reads, on FCEUmm and on Nestopia).
"""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from emubot.errors import BridgeError
from emubot.text import printable

COMMAND_PORT: Final = 55355
MEMORY: Final = "READ_CORE_MEMORY"  # uses the core's own memory map; FCEUmm has one
ACHIEVEMENTS: Final = "READ_CORE_RAM"  # uses the addresses of achievements; works with Nestopia too
VERSION: Final = "VERSION"
STATUS: Final = "GET_STATUS"

_SHOWN: Final = 60  # characters of an unknown peer's text in a message
_ANSWER: Final = 65536
_BLOCK: Final = 0x400  # FCEUmm's memory map has blocks of 1 KiB, and a read stops at the end of its block (measured)
_GAP: Final = 32  # ranges at most this many bytes apart are read as one
_MOST_READS: Final = 32  # in one request

Read = tuple[int, int]  # CPU address, bytes


@dataclass(frozen=True, slots=True)
class Status:
    """RetroArch's status as it reports it.

    `state` is PLAYING, PAUSED or CONTENTLESS. `core` is the core's name, or the console's name if RetroArch has a
    description of the core. `crc32` (upper case, "" if unknown) is of the whole file, header included (measured).
    """

    state: str
    core: str = ""
    content: str = ""
    crc32: str = ""

    @property
    def running(self) -> bool:
        """True if a game is loaded, paused or not."""
        return self.state in ("PLAYING", "PAUSED")


class Commands:
    """The command port of one RetroArch.

    An answer does not name its request. So the socket is closed when a request is given up: late answers then go to a
    closed port, and every answer that arrives belongs to the current request.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = COMMAND_PORT) -> None:
        self.host, self.port = host, port
        self.heard = ""  # the last datagram received by `ask`
        self._socket: socket.socket | None = None

    def tell(self, line: str) -> None:
        """Send a command without an answer, such as FAST_FORWARD or PAUSE_TOGGLE; its arrival is not confirmed."""
        self._connected().send(line.encode("ascii"))

    def ask(self, lines: Sequence[str], timeout: float) -> list[str]:
        """Returns the answers to these commands, in order, each without its last newline; all are of one frame.

        Raises TimeoutError if an answer is missing after `timeout` seconds, ConnectionError if no one listens there,
        BridgeError if the system refuses to send.
        """
        waiting = {_key(line): place for place, line in enumerate(lines)}
        answers = [""] * len(lines)
        due = time.monotonic() + timeout
        self.heard = ""
        peer = self._connected()
        try:
            peer.send("\n".join(lines).encode("ascii"))
            while waiting:
                peer.settimeout(max(due - time.monotonic(), 1e-4))
                text = self.heard = peer.recv(_ANSWER).decode("utf-8", "replace").rstrip("\n")
                place = waiting.pop(_key(text), None)
                if place is not None:  # else a duplicate
                    answers[place] = text
                elif time.monotonic() > due:
                    raise TimeoutError
        except (TimeoutError, ConnectionError):
            self.close()
            raise
        except OSError as error:
            self.close()
            raise BridgeError(
                f"Nothing can be sent to {self.host}:{self.port} ({error}): check the host and the network."
            ) from error
        return answers

    @property
    def peer(self) -> tuple[str, int]:
        """The address in digits, and the port; raises BridgeError if there is no route to it."""
        host, port = self._connected().getpeername()
        return host, port

    def close(self) -> None:
        """Give up the current request; the next one opens another socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self) -> socket.socket:
        """Returns a socket on which no old answer can arrive."""
        if self._socket is None:
            with contextlib.ExitStack() as undo:
                peer = undo.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                try:
                    peer.connect((self.host, self.port))
                except (OSError, OverflowError) as error:
                    raise BridgeError(
                        f"There is no way to {self.host}:{self.port} ({error}): check the host and the port."
                    ) from error
                undo.pop_all()
            self._socket = peer
        return self._socket


def parse_status(answer: str) -> Status:
    """Parse the answer to GET_STATUS, such as `GET_STATUS PLAYING FCEUmm,name of the file,crc32=dfb97c4b`.

    Raises BridgeError if it is no such answer.
    """
    words = answer.split(" ", 2)
    if len(words) < 2 or words[0] != STATUS:
        text = printable(answer, _SHOWN)
        raise BridgeError(f'The program that answers is not RetroArch; it says "{text}": give its command port.')
    core, _, rest = words[2].partition(",") if len(words) == 3 else ("", "", "")
    content, mark, crc32 = rest.rpartition(",crc32=")
    return Status(words[1], printable(core), printable(content if mark else rest), _crc32(crc32) if mark else "")


def _crc32(message: str) -> str:
    """Returns a CRC32 with the leading zeros that RetroArch omits; "" if it is no CRC32, or 0 (not computed)."""
    digits = message.strip().upper()
    known = re.fullmatch("[0-9A-F]{1,8}", digits) and int(digits, 16)
    return digits.zfill(8) if known else ""


def read_command(command: str, read: Read) -> str:
    """Returns the command line for a read: address in hex, length in decimal."""
    address, length = read
    return f"{command} {address:x} {length}"


def parse_read(answer: str, read: Read) -> bytes:
    """Returns the bytes in the answer to a read. Raises BridgeError with RetroArch's reason, or for too few bytes."""
    address, length = read
    words = answer.split(" ", 2)
    message = words[2] if len(words) == 3 else ""
    if message.startswith("-"):
        reason = message.partition(" ")[2] or "the core does not show it"
        raise BridgeError(f"RetroArch cannot read {length} bytes from ${address:04X}: {reason}.")
    try:
        content = bytes.fromhex(message)
    except ValueError:
        content = b""
    if len(content) != length:
        raise BridgeError(
            f"RetroArch answered {len(content)} of {length} bytes from ${address:04X}: use the core FCEUmm or Nestopia."
        )
    return content


def plan_reads(ranges: Sequence[Read]) -> list[Read]:
    """Returns reads that cover all ranges, at most as many as one request takes; near ranges are read as one."""
    gap = _GAP
    while len(reads := _split(_merged(ranges, gap))) > _MOST_READS:
        gap *= 2
    return reads


def _merged(ranges: Sequence[Read], gap: int) -> list[Read]:
    merged: list[Read] = []
    for address, length in sorted(span for span in ranges if span[1] > 0):
        end = address + length
        if merged and address - sum(merged[-1]) <= gap:
            first, held = merged[-1]
            merged[-1] = (first, max(first + held, end) - first)
        else:
            merged.append((address, length))
    return merged


def _split(spans: Sequence[Read]) -> list[Read]:
    reads = []
    for address, length in spans:
        start, end = address, address + length
        while start < end:
            stop = min(end, (start // _BLOCK + 1) * _BLOCK)
            reads.append((start, stop - start))
            start = stop
    return reads


def _key(text: str) -> tuple[str, ...]:
    """Returns what a command and its answer share: the word, and the address of a read.

    The answer to VERSION has no such word.
    """
    words = text.split(None, 2)
    if not words or words[0] not in (MEMORY, ACHIEVEMENTS, STATUS):
        return (VERSION,)
    return (words[0],) if words[0] == STATUS else tuple(words[:2])
