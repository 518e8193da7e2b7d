"""RetroArch's Remote RetroPad over UDP: one port's buttons.

RetroArch takes one packet per port and frame, and a packet sets or clears one button (measured with 1.14: eight presses
sent together arrive one per frame). So one packet is sent per frame, and no packets queue up.
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

PAD_PORT: Final = 55400  # the first user's port; the second user has the next one

# struct remote_message: port, device (1: joypad), index, button id, state, two bytes of padding.
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
    """One user's pad on the sender's side: the buttons to hold, and those that RetroArch was told to hold."""

    def __init__(self, host: str, base_port: int, user: int) -> None:
        self.port = base_port + user
        self.refused = False  # true if no one listens on that port
        self._host, self._user = host, user
        self._wanted = self._sent_state = Pad.NONE
        self._again = list(_IDS)  # the buttons in the order in which they were last sent, oldest first
        self._sent = False  # true if a packet was sent in this frame
        self._at_rest = False  # true after `let_go` and `free`
        self._socket: socket.socket | None = None  # None until the first `hold`: a pad never held sends nothing

    def hold(self, pad: Pad) -> None:
        """Hold exactly these buttons, with one packet per change; the first goes out at once if the frame has none."""
        self._wanted, self._at_rest = pad, False
        if self._socket is None:
            self._socket = self._connected()
        if self._wanted != self._sent_state and not self._sent:
            self._send_one()

    def let_go(self) -> None:
        """Release all buttons; once RetroArch was told so, send nothing until the next `hold`."""
        if self._socket is not None:
            self.hold(Pad.NONE)
            self._at_rest = True

    def free(self) -> None:
        """Release every button, even if another sender held it, a packet per frame; then send nothing until `hold`."""
        self._sent_state = _EVERY
        self.hold(Pad.NONE)
        self._at_rest = True

    def flush(self) -> None:
        """Send the next change, or repeat an old state, if this frame has no packet yet.

        So a lost packet is repeated within eight frames without changes.
        """
        if self._socket is not None and not self._sent and not (self._at_rest and self._sent_state == self._wanted):
            self._send_one()

    def next_frame(self) -> None:
        """Begin a new frame: RetroArch has taken the last frame's packet."""
        self._sent = False

    def forget(self) -> None:
        """Start again, because RetroArch may be another one: no button is held and none is to be held."""
        self._wanted = self._sent_state = Pad.NONE
        self.refused = self._sent = False
        if self._socket is not None:  # an old socket would still report that the old RetroArch is gone
            self._socket.close()
            self._socket = self._connected()

    def drop(self) -> None:
        """Send the release of every button that may be held, a packet each; RetroArch takes one per frame."""
        self._wanted = Pad.NONE
        if self._socket is not None:
            for button in [button for button in _IDS if button in self._sent_state]:
                self._tell(self._socket, button)

    def close(self) -> None:
        """Release every button and close the socket; a later `hold` opens another one."""
        self.drop()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send_one(self) -> None:
        """Send the next change, releases first, so that opposite directions are never held together."""
        assert self._socket is not None
        changed = self._wanted ^ self._sent_state
        released = [button for button in self._again if button in changed & self._sent_state]
        pressed = [button for button in self._again if button in changed]
        self._tell(self._socket, (released or pressed or self._again)[0])
        self._sent = True

    def _tell(self, peer: socket.socket, button: Pad) -> None:
        held = button in self._wanted
        self._again = [other for other in self._again if other is not button] + [button]
        # Ctrl-C may come just before or after the packet, so a button that may be held counts as held.
        self._sent_state |= button
        try:
            peer.send(_PACKET.pack(self._user, _JOYPAD, 0, _IDS[button], held))
        except ConnectionError:  # the refusal of an earlier packet
            self.refused = True
        except OSError as error:
            raise BridgeError(f"The pad's packets cannot be sent to {self._host}:{self.port} ({error}).") from error
        if not held:
            self._sent_state &= ~button

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
