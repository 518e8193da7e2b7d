"""One session with the script in FCEUX: greeting, turns, memory reads."""

from __future__ import annotations

from typing import Final, NamedTuple

from emubot.bridges.fceux.wire import RESTART, FceuxWire
from emubot.bridges.protocol import RAM_SIZE
from emubot.errors import BridgeError
from emubot.text import printable

VERSION: Final = 1  # of the protocol that the head of the script describes
_BEFORE_RAM: Final = 5  # bytes before the RAM in a frame: FCEUX's frame count (4) and the notes (1)
_MOVIE: Final = 4  # a bit of the notes; the other bits report a discontinuity (ran on alone, state loaded)
_LARGEST_READ: Final = 8192  # bytes that the script sends at once
_PLAYS_A_MOVIE: Final = (
    "FCEUX plays a movie, which presses the pads instead: stop it (Movie, Movie Stop) and start again."
)


class FrameTurn(NamedTuple):
    """One frame: the RAM after it, and whether it directly follows the one before."""

    ram: bytes
    follows: bool


class FceuxLink:
    """Takes turns with the script over a newly connected wire.

    `md5` (lower-case hex) and `rom` (a name) identify the cartridge.
    """

    def __init__(self, wire: FceuxWire) -> None:
        """Receive the greeting; on failure the wire is closed. Raises ConnectionLost, BridgeError."""
        self._wire = wire
        self._turns = 0
        self._count: int | None = None  # FCEUX's own frame count after the last frame
        self._due = False  # true if pads were sent and their frame was not received yet
        try:
            self.md5, self.rom = self._greeted()
        except BaseException:
            wire.close()
            raise

    def _greeted(self) -> tuple[str, str]:
        version, body = self._wire.receive(b"H")
        if version != VERSION:
            raise BridgeError(f"The script in FCEUX is of another emubot (protocol {version}): {RESTART}.")
        lines = body.decode("utf-8", "replace").splitlines()
        said = {name: printable(value) for name, _, value in (line.partition("=") for line in lines)}
        if said.get("movie") == "playback":
            raise BridgeError(_PLAYS_A_MOVIE)
        if "md5" not in said or "rom" not in said:
            raise BridgeError(f"The script in FCEUX does not tell its cartridge (it said {said}): {RESTART}.")
        return said["md5"], said["rom"]

    def turn(self, owned: int, pads: tuple[int, int]) -> FrameTurn:
        """Play one frame with the pads of the ports whose bits are set in `owned`; blocks until FCEUX has played it.

        After Ctrl-C in this call, the next call receives the frame that is still due, whatever its pads were. Raises
        ConnectionLost, or BridgeError if the other side breaks the protocol or a movie plays.
        """
        if not self._due:
            self._wire.send(b"P", self._turns, bytes([owned, *pads]))
            self._due = True
        number, body = self._wire.receive(b"F")
        if number != self._turns + 1 or len(body) != _BEFORE_RAM + RAM_SIZE:
            raise BridgeError(
                f"FCEUX's script sent frame {number} with {len(body)} bytes where frame {self._turns + 1} with "
                f"{_BEFORE_RAM + RAM_SIZE} was due: {RESTART}."
            )
        self._turns, self._due = number, False
        count, notes = int.from_bytes(body[:4]), body[4]
        if notes & _MOVIE:
            raise BridgeError(_PLAYS_A_MOVIE)
        follows = not notes and self._count in (None, count - 1)
        self._count = count
        return FrameTurn(body[_BEFORE_RAM:], follows)

    def speed(self, word: bytes) -> None:
        """Set one of FCEUX's speed modes."""
        self._wire.send(b"V", 0, word)

    def memory(self, address: int, length: int) -> bytes:
        """Returns `length` bytes of the CPU's memory from `address`, as they are now."""
        return self._request(b"M", address, length)

    def cartridge(self, start: int, length: int) -> bytes:
        """Returns `length` bytes of the cartridge from `start`: 16 bytes of header, then PRG and CHR."""
        return self._request(b"R", start, length)

    def close(self) -> None:
        """Disconnect: the script then releases the pads."""
        self._wire.close()

    def _request(self, kind: bytes, start: int, length: int) -> bytes:
        parts = []
        while length > 0:
            some = min(length, _LARGEST_READ)
            self._wire.send(kind, start, start.to_bytes(4) + some.to_bytes(4))
            number, body = self._wire.receive(kind)
            if number != start or len(body) != some:
                raise BridgeError(f"FCEUX's script answered with {len(body)} bytes instead of {some}: {RESTART}.")
            parts.append(body)
            start, length = start + some, length - some
        return b"".join(parts)
