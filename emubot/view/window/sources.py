"""The window's requirements of a bridge beyond the Bridge protocol: a picture, optionally more."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from emubot.bridges.protocol import Bridge
from emubot.errors import UsageError


@runtime_checkable
class PicturedBridge(Bridge, Protocol):
    """A bridge with a picture of the screen."""

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels, known before the first frame."""

    def picture(self) -> NDArray[Any]:
        """Returns the last frame, uint8 (height, width, 3), RGB; raises BridgeError before the first one."""


@runtime_checkable
class Sounding(Protocol):
    """A bridge with sound."""

    @property
    def sound_rate(self) -> float:
        """Samples per second while the emulator runs at its normal speed."""

    def listen(self) -> None:
        """Keep the sound from now on."""

    def heard(self) -> NDArray[Any]:
        """Returns the sound since the last call, int16 (samples, 2)."""


@runtime_checkable
class SpeedSettable(Protocol):
    """A bridge whose speed can be set while it runs: a factor, or None for as fast as possible."""

    emu_speed: float | None


@runtime_checkable
class Keeping(Protocol):
    """A bridge with save states."""

    def save(self) -> bytes:
        """Returns the machine's state."""

    def load(self, state: bytes) -> None:
        """Load a state of `save`; raises StateError."""


def pictured(bridge: Bridge) -> PicturedBridge:
    """Returns the bridge; raises UsageError if it has no picture."""
    if isinstance(bridge, PicturedBridge):
        return bridge
    raise UsageError(
        f"The {bridge.facts.name} bridge has no picture: the window needs --bridge libretro or cynes; "
        "--view board draws any bridge."
    )
