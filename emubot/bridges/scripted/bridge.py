"""An emulator with emubot's script in it as a Bridge: takes turns with the script, frame by frame."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges import notices
from emubot.bridges.notices import ConnectionLost
from emubot.bridges.protocol import RAM_SIZE, BridgeFacts, ClosedByWith, EmuSpeed, check_press
from emubot.bridges.scripted.host import ScriptHost
from emubot.bridges.scripted.inserted import facts_of
from emubot.bridges.scripted.link import BOTH_PORTS, FrameTurn, ScriptLink
from emubot.bridges.scripted.reach import reach
from emubot.bridges.scripted.wire import ScriptWire
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound, UsageError
from emubot.interrupts import held_back
from emubot.pad import Pad

PATIENCE: Final = 10.0  # seconds
_AGAIN: Final = 0.1  # seconds between two attempts to connect


class ScriptedBridge(ClosedByWith):
    """A cartridge in a running emulator: latency 0, lock step. Implements `Bridge`.

    The emulator stands still while emubot thinks, but not for long: then the game runs on without emubot, and `epoch`
    grows at the next `advance`. It also grows after a reset, a loaded state or a reconnection.
    """

    def __init__(
        self, host: ScriptHost, at: tuple[str, int], emu_speed: EmuSpeed, wait: float, patience: float
    ) -> None:
        """Attach at (host, port): tries once, or again and again for `wait` seconds.

        `emu_speed` AS_SET keeps the speed that the user chose, 1.0 sets the console's own and None the fastest.
        `patience` is the number of seconds for which the emulator may be silent or away. Raises EmulatorNotFound if no
        script answers, UsageError for a speed that it cannot set, BridgeError for other failures.
        """
        if emu_speed not in host.speeds:
            raise UsageError(
                f"{host.emulator} cannot be asked for {_times(emu_speed)}: choose it in its own menu "
                f"({host.speed_menu}) and leave the option out{_or_other(host)}."
            )
        self.frame = 0
        self.epoch = 0
        self._host, self._at = host, at
        self._speed, self._patience = host.speeds[emu_speed], patience
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

        It waits while the emulator is paused, and reconnects if the connection is lost. Raises BridgeError if it does
        not come back within `patience` seconds, runs another cartridge or plays a movie; BridgeClosed after `close`.
        """
        if self._closed:
            raise self._is_closed()
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
            raise self._is_closed()
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
        if not self._plugged & 1 << port:
            raise UsageError(
                f"{self._host.emulator} has no controller at port {port + 1}: choose one in its input settings."
            )
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

    def _is_closed(self) -> BridgeClosed:
        return BridgeClosed(f"The bridge to {self._host.emulator} is closed: connect again.")

    def _space(self, name: str) -> tuple[int, int]:
        if name not in self._facts.spaces:
            raise UsageError(f"There is no memory space {name!r}; this bridge has {', '.join(self._facts.spaces)}.")
        return self._facts.spaces[name]

    def _forget_pads(self) -> None:
        self._owned = 0  # bit 0: port 0, bit 1: port 1
        self._pads = [0, 0]

    def _met(self, due: float) -> tuple[ScriptLink, BridgeFacts]:
        """Connect and read the current RAM; tries until `due`, at least once. Raises EmulatorNotFound, BridgeError."""
        while True:
            try:
                stream = reach(self._host, self._at, self._patience)
                link = ScriptLink(ScriptWire(stream, self._host, self._patience))
                try:
                    facts = facts_of(link)
                    self._plugged = int(link.said.get("pads", BOTH_PORTS))
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
                        f"Another cartridge runs in {self._host.emulator} now ({link.rom} instead of "
                        f"{self._link.rom}): start emubot again for it."
                    )
                self._link = link
                turn = link.turn(0, (0, 0))
                notices.back(self._host.emulator)
                return turn
            except (ConnectionLost, EmulatorNotFound) as failure:
                if time.monotonic() >= due:
                    raise BridgeError(f"{lost} Nothing came back in {self._patience:g} seconds.") from failure


def _times(emu_speed: EmuSpeed) -> str:
    return "its fastest" if emu_speed is None else f"{emu_speed} times the console's speed"


def _or_other(host: ScriptHost) -> str:
    return ", or ask for 1 or max" if 1.0 in host.speeds else ""
