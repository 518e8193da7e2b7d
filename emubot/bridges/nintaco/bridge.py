"""The Nintaco bridge: attaches to a running emulator, in lock step by its frame events.

Between two calls of `advance` the emulator stands still in our frame listener. `advance` answers with the pads and the
drawings, waits for the next frame event, and reads the followed bytes.
"""

from __future__ import annotations

import logging
import time
import weakref
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges import notices
from emubot.bridges.nintaco.api.client import HOST, PORT, RETRY, Client
from emubot.bridges.nintaco.api.events import UNCHANGED, AccessKind, Event, EventKind
from emubot.bridges.nintaco.mirror import SPACES, Mirror
from emubot.bridges.nintaco.overlay import drawn
from emubot.bridges.nintaco.ports import JOY_1, JOY_2, ShiftRegisters, gamepad_calls
from emubot.bridges.nintaco.route import ROUTES, RouteName, choose, ignore_access, ignore_event, observe
from emubot.bridges.nintaco.speed import SpeedControl
from emubot.bridges.notices import ConnectionLost, Standstill
from emubot.bridges.protocol import AS_SET, BridgeFacts, ClosedByWith, EmuSpeed, Mark, check_press
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound, UsageError
from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL
from emubot.pad import Pad

_LOG = logging.getLogger(__name__)
_FIRST_FRAME: Final = 3.0  # an emulator that answers has at least these seconds until its first frame
_RESET_VECTOR: Final = 0xFFFC  # holds the address of the CPU's first instruction
_STROBE: Final = -1  # a key beside the port numbers
PATIENCE: Final = 10.0  # seconds


class NintacoBridge(ClosedByWith):
    """A running Nintaco as a `Bridge`, `Remote` and `Drawable`.

    `skipped` counts missed frames, by the emulator's own counter. After a lost connection the bridge tries to reconnect
    for `patience` seconds; the same cartridge must still run. `route` is the way of the pads: see `route.py`.
    """

    def __init__(
        self,
        client: Client,
        *,
        wait: float = 0.0,
        emu_speed: EmuSpeed = AS_SET,
        patience: float = PATIENCE,
        route: RouteName = "auto",
    ) -> None:
        """Attach and hold the emulator in a frame. On failure it releases the emulator and raises as `connect` does."""
        if route not in ROUTES:
            raise UsageError(f"There is no route {route!r} for the pads: choose {', '.join(ROUTES)}.")
        self.frame = self.epoch = self.skipped = 0
        self._client = client
        self._speed = SpeedControl(client, emu_speed)
        weakref.finalize(self, self._speed.hang_up)  # in case Ctrl-C prevents `with` or `close`
        self._patience = patience
        self._ports = ShiftRegisters()
        self._owned: set[int] = set()
        self._heard: dict[int, int] = {}  # the listeners' numbers, by port for its reads and by _STROBE
        self._mirrors = {name: Mirror(name) for name in SPACES}
        self._marks = b""
        self._standstill = Standstill("Nintaco", "end its pause, or open the cartridge")
        self._count = 0  # the emulator's frame counter
        self._fresh = True  # true if a machine was activated since the last frame
        self._closed = False
        client.add_activate_listener(ignore_event)
        client.add_deactivate_listener(ignore_event)
        client.add_frame_listener(ignore_event)
        try:
            until = time.monotonic() + wait
            self._speed.claim(wait)
            self._attach(until)
            # There is no event for the console's reset button, so listen to the first instruction after it.
            client.add_access_listener(ignore_access, AccessKind.PRE_EXECUTE, client.peek_cpu_16(_RESET_VECTOR))
            choice = choose(observe(client), route)
            self._route = choice.route
            self._file = client.get_file_info()
            self._facts = BridgeFacts(
                name="nintaco",
                emulator=f"Nintaco at {client.address}",
                latency=choice.latency,
                frame_rate=FRAME_RATE_NTSC if client.get_tv_system() == "NTSC" else FRAME_RATE_PAL,
                lock_step=True,
                save_states=False,
                spaces=SPACES,
                rom_identity=client.rom_sha1(),
            )
            self._count, self._fresh = client.get_frame_count(), False
        except BaseException:
            self._speed.hang_up()
            raise

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's properties; `latency` is that of the chosen route."""
        return self._facts

    def advance(self) -> int:
        """Finish the held frame with the pads and drawings, hold the next one and return its number.

        Waits while the emulator is paused or has no cartridge. Raises BridgeError if the connection is lost and does
        not come back, or comes back with another cartridge; the emulator then runs on alone.
        """
        if self._closed:
            raise BridgeClosed("The Nintaco bridge is closed and cannot run a frame: connect again.")
        try:
            try:
                self._let_go()
                self._hold_frame()
                count = self._read_frame()
            except ConnectionLost as lost:
                notices.lost(str(lost))
                self._recover(lost)
                count = self._read_frame()
            self.frame += self._frames_since(count)
        except BaseException:
            self._speed.hang_up()
            raise
        return self.frame

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """Read these (CPU address, length) in every frame, the held one included; lock step needs no `clock`."""
        mirror = self._mirror(space)
        mirror.follow(ranges)
        mirror.renew(self._client)

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address` of "ram" or "wram"; in a followed space, other bytes are 0."""
        return self._mirror(space).read(self._client, address, length)

    def reread(self) -> None:
        """Read the followed bytes once more."""
        self._read_frame()

    def view(self, space: str) -> NDArray[np.uint8] | None:
        """Returns None, because the memory belongs to another process."""
        self._mirror(space)
        return None

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        check_press(port, pad)
        if self._closed:
            raise BridgeClosed("The Nintaco bridge is closed and presses nothing: connect again.")
        self._ports.held[port] = pad
        if port in self._owned:
            return
        self._owned.add(port)
        if self._route == "access":
            if _STROBE not in self._heard:
                self._heard[_STROBE] = self._client.add_access_listener(ignore_access, AccessKind.PRE_WRITE, JOY_1)
            where = (JOY_1, JOY_2)[port]
            self._heard[port] = self._client.add_access_listener(ignore_access, AccessKind.PRE_READ, where)

    def release(self, port: int) -> None:
        """Stop writing port 0 or 1 until the next `press`: its player has it back."""
        check_press(port, Pad.NONE)
        self._owned.discard(port)
        self._ports.held[port] = Pad.NONE
        for listener in (port, _STROBE) if not self._owned else (port,):
            if listener in self._heard:
                self._client.remove_listener(self._heard.pop(listener))

    def draw(self, marks: Sequence[Mark]) -> None:
        """Show exactly these marks from the next frame on, until the next call."""
        self._marks = drawn(marks)

    def close(self) -> None:
        """Release the pads and the emulator, with its speed back at 100 % if it was set; harmless when called again."""
        self._closed = True
        self._speed.hang_up()

    def _mirror(self, space: str) -> Mirror:
        if self._closed:
            raise BridgeClosed("The Nintaco bridge is closed and reads nothing: connect again.")
        try:
            return self._mirrors[space]
        except KeyError:
            raise UsageError(f"There is no memory space {space!r}; this bridge has {', '.join(SPACES)}.") from None

    def _attach(self, until: float) -> None:
        """Connect and hold the first frame of a machine; tries again until the time `until` (of time.monotonic)."""
        while True:
            try:
                self._client.connect(max(until - time.monotonic(), 0.0))
                self._speed.set()
                self._hold_frame(max(until, time.monotonic() + _FIRST_FRAME))
                return self._speed.obeyed()
            except ConnectionLost:
                if time.monotonic() + RETRY > until:
                    raise
            time.sleep(RETRY)

    def _recover(self, lost: ConnectionLost) -> None:
        """Attach again, with all pads released."""
        self._client.disconnect()
        self._fresh, self._ports = True, ShiftRegisters()
        try:
            self._attach(time.monotonic() + self._patience)
        except (EmulatorNotFound, ConnectionLost) as error:
            raise BridgeError(f"{lost} It did not come back within {self._patience:g} seconds: {error}") from None
        notices.back("Nintaco")

    def _let_go(self) -> None:
        """Answer the held frame event; the next wait sends everything in one write."""
        if self._route == "frame":
            calls = b"".join(gamepad_calls(port, self._ports.held[port]) for port in sorted(self._owned))
            self._client.queue(calls + self._marks)
        else:
            self._client.queue(self._marks)
        self._client.answer()

    def _hold_frame(self, until: float | None = None) -> None:
        """Answer events until a frame event comes, and hold it. Raises EmulatorNotFound if none comes by `until`."""
        while True:
            if until is None:
                event = self._client.next_event(self._standstill.waits)
            else:
                polled = self._client.poll(until - time.monotonic())
                if polled is None:
                    raise EmulatorNotFound(
                        f"Nintaco ({self._client.address}) answers but runs no game: open one, and end a pause."
                    )
                event = polled
            if event.kind is EventKind.FRAME:
                self._standstill.moves()
                return
            self._client.answer(self._reply(event))

    def _reply(self, event: Event) -> int:
        """Returns the answer to an event that is not a frame event."""
        if event.kind is EventKind.ACCESS:
            access, address, value = event.values
            if access == AccessKind.PRE_READ:
                port = address - JOY_1
                return self._ports.read(port) if port in self._owned else UNCHANGED
            if access == AccessKind.PRE_WRITE:
                self._ports.write(value)
            else:
                self._fresh = True
        elif event.kind in (EventKind.ACTIVATE, EventKind.DEACTIVATE):
            self._fresh, self._ports = True, ShiftRegisters()
        return UNCHANGED

    def _read_frame(self) -> int:
        """Read the followed bytes; returns the emulator's frame counter."""
        count = None
        for mirror in self._mirrors.values():
            if mirror.blocks is not None:
                count = mirror.renew(self._client)
        return self._client.get_frame_count() if count is None else count

    def _frames_since(self, count: int) -> int:
        """Returns the frames since the last call, 1 if none was missed; handles another machine and missed frames."""
        gone, self._count = count - self._count, count
        if self._fresh:
            self._check_cartridge()
        if self._fresh or gone < 1:  # only the counter shows a reset or an earlier state
            self._fresh = False
            self._ports = ShiftRegisters()
            self.epoch += 1
            return 1
        if gone > 1:
            self.skipped += gone - 1
            _LOG.warning("Nintaco ran %d frames that it did not show: is somebody stepping or saving?", gone - 1)
        return gone

    def _check_cartridge(self) -> None:
        """Raise BridgeError if another cartridge runs than at the beginning."""
        file = self._client.get_file_info()
        if file != self._file and self._client.rom_sha1() != self._facts.rom_identity:
            raise BridgeError("Another cartridge runs in Nintaco now: start emubot again to play it.")
        self._file = file


def connect(
    *,
    host: str = HOST,
    port: int = PORT,
    wait: float = 0.0,
    emu_speed: EmuSpeed = AS_SET,
    patience: float = PATIENCE,
    route: RouteName = "auto",
) -> NintacoBridge:
    """Attach to the Nintaco whose program server listens at `host:port`; tries again for `wait` seconds.

    `emu_speed` is a factor on the console's own rate, or None for as fast as possible. At the end a changed speed is
    set to 100 %. A lost connection may take `patience` seconds to come back. Raises EmulatorNotFound if no server
    answers or no game runs, EmulatorBusy if it serves others, UsageError for a wrong speed or route, or BridgeError.
    """
    return NintacoBridge(Client(host, port), wait=wait, emu_speed=emu_speed, patience=patience, route=route)
