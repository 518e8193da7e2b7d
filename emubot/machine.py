"""What a game family's simulator is to others: memory that moves one frame at a time; knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, runtime_checkable

from numpy.typing import NDArray

from emubot.pad import Pad

FRAME_RATE_NTSC: Final = 39375000 / 655171  # 60.0988 Hz; facts: libretro section 4
FRAME_RATE_PAL: Final = 26601712.5 / 5 / (341 * 312)  # 50.0070 Hz; the same for the Dendy
ROW: Final = 6  # units of garbage in a row of any family: a row of pairs has six cells


@runtime_checkable
class Machine(Protocol):
    """A simulated cartridge: what the simulated bridge runs instead of an emulator."""

    @property
    def ram(self) -> NDArray[Any]:
        """The live uint8 array of 2,048 bytes of ram, or of these and 8,192 of wram; always the same array."""

    @property
    def identity(self) -> str:
        """What stands in for the cartridge's SHA-1, for example `simulated:nes_tetris_usa`."""

    @property
    def frame_rate(self) -> float:
        """The console's frames a second: FRAME_RATE_NTSC or FRAME_RATE_PAL."""

    def step(self, pads: Sequence[Pad]) -> None:
        """Play one frame (NMI part, then game part) with the two ports' pads; `ram` shows the result."""


@runtime_checkable
class Versus(Protocol):
    """A machine whose one-player game can meet that of another machine, of whatever family, by exchanging garbage."""

    @property
    def grain(self) -> int:
        """The units of the smallest garbage that can fall here: ROW for whole rows, 1 for single cells."""

    def sent(self) -> Sequence[int]:
        """Returns what the player cleared since the last call, oldest first: amounts as the family's offers count."""

    def receive(self, units: int) -> None:
        """Let this much garbage fall after the next lock; `units` is a multiple of `grain`."""


@runtime_checkable
class Hovering(Protocol):
    """A machine whose pieces can wait in the air: with `hovers` they fall only while DOWN is held."""

    hovers: bool
