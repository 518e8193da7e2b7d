"""What a game family's simulator is to others: 2 KiB of RAM that moves one frame at a time; knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, runtime_checkable

from numpy.typing import NDArray

from emubot.pad import Pad

FRAME_RATE_NTSC: Final = 39375000 / 655171  # 60.0988 Hz; facts: libretro section 4
FRAME_RATE_PAL: Final = 26601712.5 / 5 / (341 * 312)  # 50.0070 Hz; the same for the Dendy


@runtime_checkable
class Machine(Protocol):
    """A simulated cartridge: what the simulated bridge runs instead of an emulator."""

    @property
    def ram(self) -> NDArray[Any]:
        """The live uint8 array of 2,048 bytes; always the same array."""

    @property
    def identity(self) -> str:
        """What stands in for the cartridge's SHA-1, for example `simulated:nes_tetris_usa`."""

    @property
    def frame_rate(self) -> float:
        """The console's frames a second: FRAME_RATE_NTSC or FRAME_RATE_PAL."""

    def step(self, pads: Sequence[Pad]) -> None:
        """Play one frame (NMI part, then game part) with the two ports' pads; `ram` shows the result."""
