"""The window's access to its bridges: pictures, sound, speed, save states."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final

from numpy.typing import NDArray

from emubot.errors import BridgeError
from emubot.pad import Pad
from emubot.view.window.sources import Keeping, PicturedBridge, Sounding, SpeedSettable
from emubot.view.window.speaker import NoSound, Speaker

_LOG = logging.getLogger(__name__)
_NAMES: Final = {None: "as fast as possible", 1.0: "at normal speed", 2.0: "at double speed"}


class RemoteControl:
    """All bridges of a window as one. Commands return the sentence that the window shows."""

    def __init__(self, bridges: Sequence[PicturedBridge], keeps_states: bool) -> None:
        """If `keeps_states` is False, `save` and `load` are refused."""
        self._bridges = bridges
        self._keeps_states = keeps_states
        self._states: list[bytes] = []
        self._speaker: Speaker | None = None
        first = bridges[0]
        self.emu_speed: float | None = first.emu_speed if isinstance(first, SpeedSettable) else 1.0

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """(width, height) of each picture; available before the first frame."""
        return [bridge.picture_size for bridge in self._bridges]

    def pictures(self) -> list[NDArray[Any] | None]:
        """Returns each bridge's picture, uint8 (height, width, 3); None before its first frame."""
        return [_picture(bridge) for bridge in self._bridges]

    def start_sound(self) -> None:
        """Listen to the first bridge; without an audio device, log one warning and stay silent."""
        first = self._bridges[0]
        if not isinstance(first, Sounding):
            return
        try:
            self._speaker = Speaker(first.sound_rate)
        except NoSound as reason:
            _LOG.warning("playing without sound: %s", reason)
            return
        first.listen()

    def pass_sound_on(self) -> None:
        """Pass new samples from the first bridge to the loudspeaker; never waits."""
        first = self._bridges[0]
        if self._speaker is not None and isinstance(first, Sounding):
            self._speaker.feed(first.heard(), self.emu_speed)

    def stop_sound(self) -> None:
        """Release the audio device; harmless when called again."""
        if self._speaker is not None:
            self._speaker.close()
            self._speaker = None

    def mute(self) -> str:
        """Switch the sound off or on."""
        if self._speaker is None:
            return "there is no sound here"
        self._speaker.muted = not self._speaker.muted
        return "sound off" if self._speaker.muted else "sound on"

    def press(self, board: int, port: int, pad: Pad) -> None:
        """Press the person's pad on bridge number `board`."""
        self._bridges[board].press(port, pad)

    def set_speed(self, emu_speed: float | None) -> str:
        """Set the speed of all consoles."""
        if not all(isinstance(bridge, SpeedSettable) for bridge in self._bridges):
            return "this emulator's speed cannot be set from here"
        for bridge in self._bridges:
            if isinstance(bridge, SpeedSettable):
                bridge.emu_speed = emu_speed
        self.emu_speed = emu_speed
        return f"console {_NAMES[emu_speed]}"

    def save(self) -> str:
        """Save the states of all bridges in memory."""
        if not self._keeps_states:
            return "no save states in this session"
        try:
            self._states = [bridge.save() for bridge in self._bridges if isinstance(bridge, Keeping)]
        except BridgeError as failure:
            return str(failure)
        return "this moment is kept"

    def load(self) -> str:
        """Load the saved states."""
        if not self._states:
            return "no moment is kept yet" if self._keeps_states else "no save states in this session"
        try:
            for bridge, state in zip(self._bridges, self._states, strict=True):
                if isinstance(bridge, Keeping):
                    bridge.load(state)
        except BridgeError as failure:
            return str(failure)
        return "back at the moment kept"


def _picture(bridge: PicturedBridge) -> NDArray[Any] | None:
    try:
        return bridge.picture()
    except BridgeError:  # there is no picture before the first frame
        return None
