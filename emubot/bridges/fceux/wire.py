"""The FCEUX script's messages over TCP, each whole, checked and with a deadline."""

from __future__ import annotations

import socket
import time
from typing import Final, Self

from emubot.bridges.notices import ConnectionLost, Standstill, overheard
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound
from emubot.text import printable

RESTART: Final = "stop the script in FCEUX and start the one that emubot bridge-script fceux names"
_MAGIC: Final = b"EMU"
_HEADER: Final = 12
_SHOWN: Final = 60  # characters of an unknown peer's bytes in an error
_LARGEST: Final = 64 * 1024  # bytes of a body; the script's own answers have at most 8 KiB


class FceuxWire:
    """One connection to the script: `send` and `receive` messages of (kind, number, body)."""

    def __init__(self, connected: socket.socket, patience: float) -> None:
        """Take over a socket; a message may take `patience` seconds."""
        self._socket = connected
        self._patience = patience
        self._received = bytearray()
        self._open = True
        self._known = False  # true once a message of emubot's script has come
        self._standstill = Standstill("FCEUX", "end its pause")

    @classmethod
    def dial(cls, host: str, port: int, patience: float) -> Self:
        """Connect; raises EmulatorNotFound if no one listens."""
        try:
            connected = socket.create_connection((host, port), timeout=patience)
        except OSError as failure:
            raise EmulatorNotFound(
                f"No FCEUX with emubot's script answers at {host}:{port} ({failure.strerror or failure}): load the "
                "script that emubot bridge-script fceux names (File, Load Lua Script), and a cartridge."
            ) from None
        # A frame is one small message each way, and must not wait for an acknowledgement of the one before.
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return cls(connected, patience)

    def send(self, kind: bytes, number: int, body: bytes = b"") -> None:
        """Send one message; raises ConnectionLost."""
        self._must_be_open()
        self._socket.settimeout(self._patience)
        try:
            self._socket.sendall(_MAGIC + kind + number.to_bytes(4) + len(body).to_bytes(4) + body)
        except OSError as failure:
            raise ConnectionLost(f"FCEUX is gone ({failure.strerror or failure}).") from None

    def receive(self, kind: bytes) -> tuple[int, bytes]:
        """Returns the next message, which must be of this kind, as (number, body).

        It waits while FCEUX reports a pause. Raises ConnectionLost if the other side ended, went away or was silent,
        BridgeError if the message breaks the protocol.
        """
        while True:
            due = time.monotonic() + self._patience
            header = self._header(due)
            length = int.from_bytes(header[8:12])
            number, body, came = int.from_bytes(header[4:8]), self._bytes(length, due), header[3:4]
            if came == kind:
                self._standstill.moves()
                return number, body
            if came == b"E":
                raise ConnectionLost(f"FCEUX ended the connection: {printable(body.decode('utf-8', 'replace'))}.")
            if came != b"W":
                raise BridgeError(f"FCEUX's script sent {came!r} where {kind!r} was due: {RESTART}.")
            self._standstill.waits()

    def close(self) -> None:
        """Disconnect: the script then releases the pads; harmless when called again."""
        self._open = False
        self._socket.close()

    def _must_be_open(self) -> None:
        if not self._open:
            raise BridgeClosed("The connection to FCEUX is closed: connect again.")

    def _header(self, due: float) -> bytes:
        """Returns a message's header. Raises BridgeError if the peer is not emubot's script."""
        try:
            header = self._bytes(_HEADER, due)
        except ConnectionLost:
            said = b"" if self._known else overheard(self._socket, bytes(self._received))
            if not said or _MAGIC.startswith(said[: len(_MAGIC)]):
                raise
            raise _stranger(said) from None
        if header[: len(_MAGIC)] != _MAGIC or int.from_bytes(header[8:12]) > _LARGEST:
            raise _stranger(header + self._received)
        self._known = True
        return header

    def _bytes(self, count: int, due: float) -> bytes:
        """Returns the next `count` bytes; raises ConnectionLost if they have not come by `due`."""
        self._must_be_open()
        while len(self._received) < count:
            self._socket.settimeout(max(due - time.monotonic(), 0.001))
            try:
                some = self._socket.recv(_LARGEST)
            except TimeoutError:
                raise ConnectionLost(
                    f"FCEUX has said nothing for {self._patience:g} seconds: is a cartridge loaded, is it paused, "
                    "or is a menu or a window of it open?"
                ) from None
            except OSError as failure:
                raise ConnectionLost(f"FCEUX is gone ({failure.strerror or failure}).") from None
            if not some:
                raise ConnectionLost("FCEUX is gone: it, or the script in it, was closed.")
            self._received += some
        taken = bytes(self._received[:count])
        del self._received[:count]
        return taken


def _stranger(said: bytes) -> BridgeError:
    answer = printable(said.decode("ascii", "replace"), _SHOWN)
    return BridgeError(f'The program that answers is not emubot\'s script in FCEUX; it says "{answer}": {RESTART}.')
