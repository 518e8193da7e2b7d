"""The emulator's speed as long as emubot has set it, and how it is given back, after a kill too; knows no frame."""

from __future__ import annotations

from typing import Final

from emubot.bridges.attachment import Attachment
from emubot.bridges.nintaco.client import Client
from emubot.bridges.nintaco.identity import percent
from emubot.bridges.nintaco.wire import call
from emubot.bridges.protocol import AS_SET, EmuSpeed
from emubot.interrupts import held_back

_NORMAL: Final = 100  # percent
_NORMAL_SPEED: Final = call(123, _NORMAL)  # set_speed
_CHANGED: Final = "speed"  # the note that it is not its user's


class Speed:
    """What emubot was asked to do with a client's speed; AS_SET leaves its user's alone."""

    def __init__(self, client: Client, emu_speed: EmuSpeed) -> None:
        """Raises UsageError for a speed that is not above 0."""
        self._client = client
        self._percent = None if emu_speed == AS_SET else percent(emu_speed)
        self._attachment = Attachment("nintaco", client.host, client.port)

    def set(self) -> None:
        """The speed asked for, or 100 % where a killed emubot has left another one; sent with what comes next."""
        if self._percent is not None:
            self._attachment.note(_CHANGED)
            self._client.last_words = _NORMAL_SPEED
            self._client.set_speed(self._percent)
        elif _CHANGED in self._attachment.left():
            self._client.set_speed(_NORMAL)

    def obeyed(self) -> None:
        """An event came after `set`: what a killed emubot had left is mended."""
        if self._percent is None:
            self._attachment.forget()

    def hang_up(self) -> None:
        """Disconnect with the last words, and note whether they were taken; harmless when called again."""
        with held_back():
            if self._client.disconnect() and self._client.last_words:
                self._attachment.forget()
