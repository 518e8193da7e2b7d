"""Plays a running console the same moment again with other buttons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.image import image_reader
from emubot.bridges.protocol import Bridge
from emubot.errors import UsageError
from emubot.pad import Pad

History = NDArray[np.uint8]  # (frames, bytes): the image after each frame

_SHORTEST: Final = 2  # frames that a tap lasts where nothing is known of the game's pads
_APART: Final = 4  # frames from the end of a tap to the next one, at least


@runtime_checkable
class SavesStates(Protocol):
    """A bridge that returns to an earlier moment."""

    def save(self) -> bytes:
        """Returns the machine's state."""

    def load(self, state: bytes) -> None:
        """Go back to a state."""


@runtime_checkable
class PlaysAhead(Protocol):
    """A bridge that plays many frames for one call."""

    def play(self, pads: bytes) -> NDArray[np.uint8]:
        """Play a frame with each of these pads on port 0; returns all spaces after each, (frames, bytes)."""


def taps(button: Pad, times: int, press: int = _SHORTEST) -> Iterator[Pad]:
    """Yields the pads that tap a button, each time for `press` frames."""
    for _ in range(times):
        yield from [button] * press
        yield from [Pad.NONE] * max(press, _APART)


class Lab:
    """A console of which every moment can be played again.

    An image is the bytes of `ram`, then those of `wram` if the bridge shows it.
    """

    def __init__(self, bridge: Bridge) -> None:
        """Raises UsageError if the bridge has no save states."""
        if not isinstance(bridge, SavesStates) or not bridge.facts.save_states:
            raise UsageError(
                f"{bridge.facts.emulator} has no save states, and finding addresses needs them: take --bridge libretro."
            )
        self._bridge, self._saves = bridge, bridge
        self.spaces = tuple(space for space in ("ram", "wram") if space in bridge.facts.spaces)
        self._read = image_reader(bridge, self.spaces)
        self.frames = 0

    @property
    def bridge(self) -> Bridge:
        """The console's bridge."""
        return self._bridge

    def save(self) -> bytes:
        """Returns this moment."""
        return self._saves.save()

    def load(self, state: bytes) -> None:
        """Go back to a moment."""
        self._saves.load(state)

    def play(self, pads: Iterable[Pad]) -> History:
        """Play a frame with each of these pads; returns the images after them."""
        if isinstance(self._bridge, PlaysAhead):
            held = bytes(int(pad) for pad in pads)
            self.frames += len(held)
            return self._bridge.play(held)[:, : len(self._read())]
        images = [self._frame(pad) for pad in pads]
        return np.frombuffer(b"".join(images), np.uint8).reshape(len(images), len(self._read()))

    def idle(self, frames: int) -> History:
        """Play frames without a button."""
        return self.play([Pad.NONE] * frames)

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        """Go back to a moment and play on from it."""
        self.load(state)
        return self.play(pads)

    def _frame(self, pad: Pad) -> bytes:
        self._bridge.press(0, pad)
        self._bridge.advance()
        self.frames += 1
        return self._read()
