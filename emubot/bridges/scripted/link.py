"""One session with the script in an emulator: greeting, turns, memory reads."""

from __future__ import annotations

from typing import Final, NamedTuple

from emubot.bridges.protocol import RAM_SIZE
from emubot.bridges.scripted.wire import ScriptWire
from emubot.errors import BridgeError
from emubot.text import printable

BOTH_PORTS: Final = "3"  # bits of the ports at which there is a controller
VERSION: Final = 1  # of the protocol that the head of the script describes
_BEFORE_RAM: Final = 5  # bytes before the RAM in a frame: the emulator's frame count (4) and the notes (1)
_MOVIE: Final = 4  # a bit of the notes; the other bits report a discontinuity (ran on alone, state loaded)
_LARGEST_READ: Final = 8192  # bytes that the script sends at once


class FrameTurn(NamedTuple):
    """One frame: the RAM after it, and whether it directly follows the one before."""

    ram: bytes
    follows: bool


class ScriptLink:
    """Takes turns with the script over a newly connected wire.

    `said` is its greeting by names; `rom` is the cartridge's name there.
    """

    def __init__(self, wire: ScriptWire) -> None:
        """Receive the greeting; on failure the wire is closed. Raises ConnectionLost, BridgeError."""
        self._wire, self.host = wire, wire.host
        self._turns = 0
        self._count: int | None = None  # the emulator's own frame count after the last frame
        self._due = False  # true if pads were sent and their frame was not received yet
        try:
            self.said = self._greeted()
        except BaseException:
            wire.close()
            raise

    def _greeted(self) -> dict[str, str]:
        version, body = self._wire.receive(b"H")
        if version != VERSION:
            raise BridgeError(
                f"The script in {self.host.emulator} is of another emubot (protocol {version}): {self.host.restart}."
            )
        lines = body.decode("utf-8", "replace").splitlines()
        said = {name: printable(value) for name, _, value in (line.partition("=") for line in lines)}
        if said.get("movie") == "playback":
            raise self._plays_a_movie()
        known = "md5" in said or {"prg", "chr"} <= said.keys()
        if "rom" not in said or not known or said.get("pads", BOTH_PORTS) not in "0123":
            raise BridgeError(
                f"The script in {self.host.emulator} does not tell its cartridge (it said {said}): {self.host.restart}."
            )
        return said

    @property
    def rom(self) -> str:
        """The cartridge's name in the emulator."""
        return self.said["rom"]

    def _plays_a_movie(self) -> BridgeError:
        return BridgeError(
            f"{self.host.emulator} plays a movie, which presses the pads instead: stop it ({self.host.movie}) and "
            "start again."
        )

    def turn(self, owned: int, pads: tuple[int, int]) -> FrameTurn:
        """Play one frame with the pads of the ports whose bits are set in `owned`; blocks until it was played.

        After Ctrl-C in this call, the next call receives the frame that is still due, whatever its pads were. Raises
        ConnectionLost, or BridgeError if the other side breaks the protocol or a movie plays.
        """
        if not self._due:
            self._wire.send(b"P", self._turns, bytes([owned, *pads]))
            self._due = True
        number, body = self._wire.receive(b"F")
        if number != self._turns + 1 or len(body) != _BEFORE_RAM + RAM_SIZE:
            raise BridgeError(
                f"The script in {self.host.emulator} sent frame {number} with {len(body)} bytes where frame "
                f"{self._turns + 1} with {_BEFORE_RAM + RAM_SIZE} was due: {self.host.restart}."
            )
        self._turns, self._due = number, False
        count, notes = int.from_bytes(body[:4]), body[4]
        if notes & _MOVIE:
            raise self._plays_a_movie()
        follows = not notes and self._count in (None, count - 1)
        self._count = count
        return FrameTurn(body[_BEFORE_RAM:], follows)

    def speed(self, word: bytes) -> None:
        """Set a speed by one of the host's words."""
        self._wire.send(b"V", 0, word)

    def memory(self, address: int, length: int) -> bytes:
        """Returns `length` bytes of the CPU's memory from `address`, as they are now."""
        return self._request(b"M", address, length)

    def cartridge(self, start: int, length: int) -> bytes:
        """Returns `length` bytes of the cartridge from `start`; with a header in front where the script says so."""
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
                raise BridgeError(
                    f"The script in {self.host.emulator} answered with {len(body)} bytes instead of {some}: "
                    f"{self.host.restart}."
                )
            parts.append(body)
            start, length = start + some, length - some
        return b"".join(parts)
