"""FCEUX as a Bridge: takes turns with the script in FCEUX, frame by frame."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges import notices
from emubot.bridges.fceux.inserted import facts_of
from emubot.bridges.fceux.link import FceuxLink, FrameTurn
from emubot.bridges.fceux.wire import FceuxWire
from emubot.bridges.notices import ConnectionLost
from emubot.bridges.protocol import AS_SET, RAM_SIZE, BridgeFacts, ClosedByWith, EmuSpeed, check_press
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound, UsageError
from emubot.interrupts import held_back
from emubot.pad import Pad

PORT: Final = 9998
PATIENCE: Final = 10.0  # seconds
_AGAIN: Final = 0.1  # seconds between two attempts to connect
# All speed modes that a script can set in FCEUX, except "turbo".
_SPEED_MODES: Final[dict[EmuSpeed, bytes | None]] = {AS_SET: None, 1.0: b"normal", None: b"maximum"}


class FceuxBridge(ClosedByWith):
    """A cartridge in a running FCEUX: latency 0, lock step. Implements `Bridge`.

    FCEUX stands still while emubot thinks, but for five seconds at most. Then the game runs on without emubot, and
    `epoch` grows at the next `advance`. It also grows after a reset, a loaded state or a reconnection.
    """

    def __init__(self, host: str, port: int, emu_speed: EmuSpeed, wait: float, patience: float) -> None:
        """Connect; the arguments and errors are those of `connect`."""
        if emu_speed not in _SPEED_MODES:
            raise UsageError(
                f"FCEUX cannot be asked for {emu_speed} times the console's speed: choose it in its own menu "
                "(Emulation, Speed) and leave the option out, or ask for 1 or max."
            )
        self.frame = 0
        self.epoch = 0
        self._at, self._speed, self._patience = (host, port), _SPEED_MODES[emu_speed], patience
        self._forget_pads()
        self._closed = False
        self._ram = bytearray(RAM_SIZE)
        self._view: NDArray[np.uint8] = np.frombuffer(self._ram, dtype=np.uint8)
        self._view.setflags(write=False)
        self._link, self._facts = self._met(time.monotonic() + wait)

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's properties; `rom_identity` is an MD5 if FCEUX does not show the bytes that it has hashed."""
        return self._facts

    def advance(self) -> int:
        """Send the pads, wait for the frame and return its number.

        It waits while FCEUX is paused, and reconnects if the connection is lost. Raises BridgeError if FCEUX does not
        come back within `patience` seconds, runs another cartridge or plays a movie; BridgeClosed after `close`.
        """
        if self._closed:
            raise BridgeClosed("The bridge to FCEUX is closed: connect again.")
        try:
            turn = self._link.turn(self._owned, (self._pads[0], self._pads[1]))
            self.epoch += not turn.follows
        except ConnectionLost as lost:
            turn = self._met_again(lost)
            self.epoch += 1
        self._ram[:] = turn.ram
        self.frame += 1
        return self.frame

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address` of "ram" or "wram", after the last frame."""
        base, size = self._space(space)
        if address < base or length < 0 or address + length > base + size:
            last = base + size - 1
            raise UsageError(f"{space} is ${base:04X}-${last:04X}; {length} bytes from ${address:04X} are not in it.")
        if self._closed:
            raise BridgeClosed("The bridge to FCEUX is closed: connect again.")
        return bytes(self._ram[address : address + length]) if space == "ram" else self._link.memory(address, length)

    def reread(self) -> None:
        """Read all RAM from the script once more."""
        self._link.memory(0, RAM_SIZE)

    def view(self, space: str) -> NDArray[Any] | None:
        """Returns a read-only, live uint8 array of "ram"; None for "wram", which is read on demand."""
        self._space(space)
        return self._view if space == "ram" else None

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        check_press(port, pad)
        self._owned |= 1 << port
        self._pads[port] = int(pad)

    def release(self, port: int) -> None:
        """Stop writing port 0 or 1 until the next `press`: its player has it back."""
        check_press(port, Pad.NONE)
        self._owned &= ~(1 << port)
        self._pads[port] = 0

    def close(self) -> None:
        """Disconnect: the script releases the pads and the game runs on; harmless when called again."""
        with held_back():
            self._closed = True
            self._link.close()

    def _space(self, name: str) -> tuple[int, int]:
        if name not in self._facts.spaces:
            raise UsageError(f"There is no memory space {name!r}; this bridge has {', '.join(self._facts.spaces)}.")
        return self._facts.spaces[name]

    def _forget_pads(self) -> None:
        self._owned = 0  # bit 0: port 0, bit 1: port 1
        self._pads = [0, 0]

    def _met(self, due: float) -> tuple[FceuxLink, BridgeFacts]:
        """Connect and read the current RAM; tries until `due`, at least once. Raises EmulatorNotFound, BridgeError."""
        while True:
            try:
                link = FceuxLink(FceuxWire.dial(*self._at, self._patience))
                try:
                    facts = facts_of(link)
                    self._ram[:] = link.memory(0, RAM_SIZE)
                    if self._speed is not None:
                        link.speed(self._speed)
                except BaseException:
                    link.close()
                    raise
            except (ConnectionLost, EmulatorNotFound) as failure:
                if time.monotonic() + _AGAIN >= due:
                    raise EmulatorNotFound(str(failure)) from None
                time.sleep(_AGAIN)
            else:
                return link, facts

    def _met_again(self, lost: ConnectionLost) -> FrameTurn:
        """Reconnect after a lost connection, release the pads and return a frame of the same cartridge."""
        notices.lost(str(lost))
        self._forget_pads()
        due = time.monotonic() + self._patience
        while True:
            self._link.close()
            try:
                link, facts = self._met(due)
                if facts != self._facts:
                    link.close()
                    raise BridgeError(
                        f"Another cartridge runs in FCEUX now ({link.rom} instead of {self._link.rom}): "
                        "start emubot again for it."
                    )
                self._link = link
                turn = link.turn(0, (0, 0))
                notices.back("FCEUX")
                return turn
            except (ConnectionLost, EmulatorNotFound) as failure:
                if time.monotonic() >= due:
                    raise BridgeError(f"{lost} Nothing came back in {self._patience:g} seconds.") from failure


def connect(
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    wait: float = 0.0,
    emu_speed: EmuSpeed = AS_SET,
    patience: float = PATIENCE,
) -> FceuxBridge:
    """Attach to a running FCEUX in which emubot's script is loaded.

    Tries once, or again and again for `wait` seconds. `emu_speed` AS_SET keeps the speed that the user chose, 1.0 sets
    the console's own and None the fastest. `patience` is the number of seconds for which FCEUX may be silent or away.
    Raises EmulatorNotFound if no script answers, UsageError for another speed, BridgeError for other failures.
    """
    return FceuxBridge(host, port, emu_speed, wait, patience)
