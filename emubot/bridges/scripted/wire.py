"""The script's messages, each whole, checked and with a deadline; knows no emulator."""

from __future__ import annotations

import time
from typing import Final

from emubot.bridges.notices import ConnectionLost, Standstill, overheard
from emubot.bridges.scripted.host import ScriptHost
from emubot.bridges.scripted.streams import Stream
from emubot.errors import BridgeClosed, BridgeError
from emubot.text import printable

_MAGIC: Final = b"EMU"
_HEADER: Final = 12
_SHOWN: Final = 60  # characters of an unknown peer's bytes in an error
_LARGEST: Final = 64 * 1024  # bytes of a body; the script's own answers have at most 8 KiB
_SLICE: Final = 1.0  # seconds of silence that are a standstill, where a script cannot report its pauses


class ScriptWire:
    """One connection to the script: `send` and `receive` messages of (kind, number, body)."""

    def __init__(self, stream: Stream, host: ScriptHost, patience: float) -> None:
        """Take over a stream; a message may take `patience` seconds."""
        self.host = host
        self._stream = stream
        self._patience = patience
        self._received = bytearray()
        self._open = True
        self._known = False  # true once a message of emubot's script has come
        self._standstill = Standstill(host.emulator, "end its pause")

    def send(self, kind: bytes, number: int, body: bytes = b"") -> None:
        """Send one message; raises ConnectionLost."""
        self._must_be_open()
        try:
            self._stream.send(_MAGIC + kind + number.to_bytes(4) + len(body).to_bytes(4) + body, self._patience)
        except OSError as failure:
            raise ConnectionLost(f"{self.host.emulator} is gone ({failure.strerror or failure}).") from None

    def receive(self, kind: bytes) -> tuple[int, bytes]:
        """Returns the next message, which must be of this kind, as (number, body).

        It waits while the emulator is paused. Raises ConnectionLost if the other side ended, went away or was silent,
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
                said = printable(body.decode("utf-8", "replace"))
                raise ConnectionLost(f"{self.host.emulator} ended the connection: {said}.")
            if came != b"W":
                raise BridgeError(
                    f"The script in {self.host.emulator} sent {came!r} where {kind!r} was due: {self.host.restart}."
                )
            self._standstill.waits()

    def close(self) -> None:
        """Disconnect: the script then releases the pads; harmless when called again."""
        self._open = False
        self._stream.close()

    def _must_be_open(self) -> None:
        if not self._open:
            raise BridgeClosed(f"The connection to {self.host.emulator} is closed: connect again.")

    def _header(self, due: float) -> bytes:
        """Returns a message's header. Raises BridgeError if the peer is not emubot's script."""
        try:
            header = self._bytes(_HEADER, due)
        except ConnectionLost:
            said = b"" if self._known else overheard(self._stream.peer, bytes(self._received))
            if not said or _MAGIC.startswith(said[: len(_MAGIC)]):
                raise
            raise self._stranger(said) from None
        if header[: len(_MAGIC)] != _MAGIC or int.from_bytes(header[8:12]) > _LARGEST:
            raise self._stranger(header + self._received)
        self._known = True
        return header

    def _bytes(self, count: int, due: float) -> bytes:
        """Returns the next `count` bytes; raises ConnectionLost if they have not come by `due`.

        A script that is known and cannot report pauses may be silent: then the emulator is paused.
        """
        self._must_be_open()
        while len(self._received) < count:
            waits = self._known and not self.host.tells_pauses
            try:
                some = self._stream.receive(_SLICE if waits else max(due - time.monotonic(), 0.001))
            except TimeoutError:
                if waits:
                    self._standstill.waits()
                    continue
                raise ConnectionLost(
                    f"{self.host.emulator} has said nothing for {self._patience:g} seconds: is a cartridge loaded, is "
                    "it paused, or is a menu or a window of it open?"
                ) from None
            except OSError as failure:
                raise ConnectionLost(f"{self.host.emulator} is gone ({failure.strerror or failure}).") from None
            if some is None:
                raise ConnectionLost(f"{self.host.emulator} is gone: it, or the script in it, was closed.")
            self._received += some
        taken = bytes(self._received[:count])
        del self._received[:count]
        return taken

    def _stranger(self, said: bytes) -> BridgeError:
        answer = printable(said.decode("ascii", "replace"), _SHOWN)
        return BridgeError(
            f'The program that answers is not emubot\'s script in {self.host.emulator}; it says "{answer}": '
            f"{self.host.restart}."
        )
