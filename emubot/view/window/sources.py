"""What a window needs of a bridge beyond the Bridge protocol: a picture, and what more there is; knows no emulator."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from emubot.bridges.protocol import Bridge
from emubot.errors import UsageError


@runtime_checkable
class Pictured(Bridge, Protocol):
    """A bridge that shows what is on the screen."""

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels, known before the first frame."""

    def picture(self) -> NDArray[Any]:
        """The last frame, uint8 (height, width, 3), RGB; raises BridgeError before the first one."""


@runtime_checkable
class Sounding(Protocol):
    """A bridge that can be listened to."""

    @property
    def sound_rate(self) -> float:
        """Moments a second, where the emulator runs at its normal speed."""

    def listen(self) -> None:
        """Keep the sound from now on."""

    def heard(self) -> NDArray[Any]:
        """The sound since the last call, int16 (moments, 2)."""


@runtime_checkable
class Paced(Protocol):
    """A bridge whose speed can be set while it runs: a factor, None for as fast as possible."""

    emu_speed: float | None


@runtime_checkable
class Keeping(Protocol):
    """A bridge with save states."""

    def save(self) -> bytes:
        """The machine's state."""

    def load(self, state: bytes) -> None:
        """Go back to a state of `save`; raises StateError."""


def pictured(bridge: Bridge) -> Pictured:
    """The bridge, if it has a picture; UsageError otherwise."""
    if isinstance(bridge, Pictured):
        return bridge
    raise UsageError(
        f"The {bridge.facts.name} bridge has no picture: the window needs --bridge libretro or cynes; "
        "--view board draws any bridge."
    )
