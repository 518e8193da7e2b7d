"""RetroArch's Remote RetroPad over UDP: one port's buttons; knows no memory, no frames and no game.

RetroArch takes one packet of a port in each frame, and a packet sets or clears one button (measured with 1.14: eight
presses sent together arrive one a frame). So one packet is sent a frame, and none waits in line.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from functools import reduce
from operator import or_
from typing import Final

from emubot.errors import BridgeError
from emubot.pad import Pad

PAD_PORT: Final = 55400  # the first user's; the second has the next one

# struct remote_message: port, device (1: joypad), index, button id, state, two bytes of filling.
_PACKET: Final = struct.Struct("<iiiiH2x")
_JOYPAD: Final = 1
# Ids of libretro.h (RETRO_DEVICE_ID_JOYPAD_*); checked on both cores with the pad recorder of the tests.
_IDS: Final = {
    Pad.B: 0,
    Pad.SELECT: 2,
    Pad.START: 3,
    Pad.UP: 4,
    Pad.DOWN: 5,
    Pad.LEFT: 6,
    Pad.RIGHT: 7,
    Pad.A: 8,
}


_EVERY: Final = reduce(or_, _IDS)


class RemotePad:
    """One user's pad, seen from the sender: what is wanted, and what RetroArch should have heard by now."""

    def __init__(self, host: str, base_port: int, user: int) -> None:
        self.port = base_port + user
        self.refused = False  # nobody listens on that port
        self._host, self._user = host, user
        self._wanted = self._told = Pad.NONE
        self._again = list(_IDS)  # buttons, the one that was told of longest ago first
        self._sent = False  # in this frame
        self._at_rest = False  # let go by its user
        self._socket: socket.socket | None = None  # none until something is pressed: then nothing is ever sent

    def hold(self, pad: Pad) -> None:
        """Hold exactly these buttons as soon as packets get through; the first one is sent at once."""
        self._wanted, self._at_rest = pad, False
        if self._socket is None:
            self._socket = self._connected()
        if self._wanted != self._told and not self._sent:
            self._send_one()

    def let_go(self) -> None:
        """Hold nothing, and once RetroArch was told so send nothing until the next `hold`."""
        if self._socket is not None:
            self.hold(Pad.NONE)
            self._at_rest = True

    def free(self) -> None:
        """Let go of every button, whoever held it, a packet a frame; then send nothing until the next `hold`."""
        self._told = _EVERY
        self.hold(Pad.NONE)
        self._at_rest = True

    def flush(self) -> None:
        """Where this frame has no packet yet: the next change, or an old state once more.

        So a packet that was lost is made up for within eight frames in which nothing changes.
        """
        if self._socket is not None and not self._sent and not (self._at_rest and self._told == self._wanted):
            self._send_one()

    def next_frame(self) -> None:
        """RetroArch has taken the packet of the frame before."""
        self._sent = False

    def forget(self) -> None:
        """RetroArch may be another one: it holds nothing, and nothing is wanted."""
        self._wanted = self._told = Pad.NONE
        self.refused = self._sent = False
        if self._socket is not None:  # an old one would still report that the other RetroArch is gone
            self._socket.close()
            self._socket = self._connected()

    def drop(self) -> None:
        """Let go of every button that may be held at once, a packet each: they are taken one a frame."""
        self._wanted = Pad.NONE
        if self._socket is not None:
            for button in [button for button in _IDS if button in self._told]:
                self._tell(self._socket, button)

    def close(self) -> None:
        """Let go of every button; a pad that is held again after that takes another socket."""
        self.drop()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send_one(self) -> None:
        """The next change, releases first, so that opposite directions are never held together."""
        assert self._socket is not None
        changed = self._wanted ^ self._told
        released = [button for button in self._again if button in changed & self._told]
        pressed = [button for button in self._again if button in changed]
        self._tell(self._socket, (released or pressed or self._again)[0])
        self._sent = True

    def _tell(self, peer: socket.socket, button: Pad) -> None:
        held = button in self._wanted
        self._again = [other for other in self._again if other is not button] + [button]
        # Ctrl-C may come right before the packet or after it: what may be held counts as held.
        self._told |= button
        try:
            peer.send(_PACKET.pack(self._user, _JOYPAD, 0, _IDS[button], held))
        except ConnectionError:  # the answer to an earlier packet
            self.refused = True
        except OSError as error:
            raise BridgeError(f"The pad's packets cannot be sent to {self._host}:{self.port} ({error}).") from error
        if not held:
            self._told &= ~button

    def _connected(self) -> socket.socket:
        with contextlib.ExitStack() as undo:
            peer = undo.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            try:
                peer.connect((self._host, self.port))
            except (OSError, OverflowError) as error:
                raise BridgeError(
                    f"There is no way to {self._host}:{self.port} ({error}): check the host and the pad port."
                ) from error
            undo.pop_all()
        return peer
