"""Sets the emulator's speed, and gives the emulator back as it was at the end, even after a kill."""

from __future__ import annotations

from typing import Final

from emubot.bridges.attachment import Attachment
from emubot.bridges.nintaco.api.client import Client
from emubot.bridges.protocol import AS_SET, EmuSpeed
from emubot.errors import UsageError
from emubot.interrupts import held_back

_NORMAL: Final = 100  # percent
_NORMAL_SPEED: Final = Client.set_speed.pack(_NORMAL)
_MOMENT: Final = 0.25  # seconds for another emubot that only looks whether there is a Nintaco
_CHANGED: Final = "speed"  # the note that emubot has changed the speed


class SpeedControl:
    """The requested speed of a client's emulator; AS_SET keeps the user's speed."""

    def __init__(self, client: Client, emu_speed: EmuSpeed) -> None:
        """Raises UsageError if the speed is not above 0."""
        self._client = client
        self._percent = None if emu_speed == AS_SET else _percentage(emu_speed)
        self._attachment = Attachment("nintaco", client.host, client.port)

    def claim(self, wait: float) -> None:
        """Reserve the emulator until `hang_up`. Raises EmulatorBusy if another emubot has it for `wait` seconds."""
        self._attachment.claim(max(wait, _MOMENT))

    def set(self) -> None:
        """Queue the requested speed, or 100 % if a killed emubot has left another speed."""
        self._attachment.connected()
        if self._percent is not None:
            self._attachment.note(_CHANGED)
            self._client.last_words = _NORMAL_SPEED
            self._client.set_speed(self._percent)
        elif _CHANGED in self._attachment.left():
            self._client.set_speed(_NORMAL)

    def obeyed(self) -> None:
        """Call this at the first event after `set`: the speed that a killed emubot left is then corrected."""
        if self._percent is None:
            self._attachment.forget()

    def hang_up(self) -> None:
        """Disconnect with the last words, delete the note if they were taken, and let other emubots attach.

        Harmless when called again.
        """
        with held_back():
            if self._client.disconnect() and self._client.last_words:
                self._attachment.forget()
            self._attachment.release()


def _percentage(factor: float | None) -> int:
    """Returns a factor on the console's speed as Nintaco's percentage; 0 means no limit. Raises UsageError."""
    if factor is None:
        return 0
    if not 0 < factor < float("inf"):
        raise UsageError(f"The emulator's speed must be a number above 0, not {factor}; leave it out for no limit.")
    return max(round(100 * factor), 1)
