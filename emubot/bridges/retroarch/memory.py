"""The console's memory in RetroArch: the command that reads it and the spaces it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from emubot.bridges.protocol import RAM_SIZE, WRAM
from emubot.bridges.retroarch.commands import (
    ACHIEVEMENTS,
    MEMORY,
    Commands,
    Read,
    Status,
    parse_read,
    plan_reads,
    read_command,
)
from emubot.errors import BridgeError, UsageError

_REMEDY: Final = "load the game with the core FCEUmm (Load Core), whose memory every RetroArch reads"


@dataclass(frozen=True, slots=True)
class Memory:
    """How to read this core's memory: the command, and (first CPU address, bytes) of each space."""

    command: str
    spaces: Mapping[str, tuple[int, int]]

    def check(self, space: str, address: int, length: int) -> None:
        """Raise UsageError unless all these bytes are in the space; RetroArch may send bytes behind it (measured)."""
        if space not in self.spaces:
            raise UsageError(f"There is no memory space {space!r}; this bridge has {', '.join(self.spaces)}.")
        base, size = self.spaces[space]
        if length < 0 or address < base or address + length > base + size:
            raise UsageError(
                f"{space} is ${base:04X}-${base + size - 1:04X}; {length} bytes from ${address:04X} are not all in it."
            )

    def lines(self, reads: Sequence[Read]) -> list[str]:
        """Returns the commands for these reads."""
        return [read_command(self.command, read) for read in reads]


def find_memory(commands: Commands, status: Status, timeout: float) -> Memory:
    """Find the command that reads this core's RAM. Raises BridgeError with a remedy, TimeoutError, ConnectionError."""
    whole = plan_reads([(0, RAM_SIZE)])
    ways = (MEMORY, ACHIEVEMENTS)
    answers = commands.ask([read_command(way, read) for way in ways for read in (*whole, (WRAM[0], 1))], timeout)
    reasons = []
    for way in ways:
        ram, wram = answers[: len(whole)], answers[len(whole)]
        del answers[: len(whole) + 1]
        try:
            for answer, read in zip(ram, whole, strict=True):
                parse_read(answer, read)
        except BridgeError as error:
            reasons.append(f"{way}: {str(error).rpartition(': ')[2].rstrip('.')}")
            continue
        return Memory(way, {"ram": (0, RAM_SIZE)} | ({"wram": WRAM} if _shown(wram) else {}))
    raise BridgeError(
        f"RetroArch does not show the memory of its core {status.core} ({'; '.join(reasons)}): {_REMEDY}."
    )


def _shown(answer: str) -> bool:
    try:
        parse_read(answer, (WRAM[0], 1))
    except BridgeError:
        return False
    return True
