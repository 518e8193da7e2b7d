"""The simulated bridge: a game family's simulator behind the bridge protocol; knows the Machine, never the game."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.protocol import RAM_SIZE, WRAM, BridgeFacts, ClosedByWith, Paced, check_press, offset_in
from emubot.errors import BridgeClosed, UsageError
from emubot.machine import Machine
from emubot.pad import Pad

_FIRST: Final = {"ram": 0, "wram": WRAM[0]}  # the first CPU address of each space


class SimulatedBridge(Paced, ClosedByWith):
    """A `Machine` as a `Bridge`: lock step, no save states; wram too if the machine has 10,240 bytes.

    `drop_rate` is the probability that a frame's new presses on a port are lost. The machine then sees only the
    buttons that it saw in the frame before and that are still held. So a lost press arrives late if it is held longer,
    and never if it was a one-frame tap. Holds are not broken, no other button is pressed, and releases always arrive.
    `latency` delays every pad by that number of frames, as slower bridges do.
    """

    def __init__(
        self,
        machine: Machine,
        emu_speed: float | None = None,
        drop_rate: float = 0.0,
        rng: np.random.Generator | None = None,
        latency: int = 0,
    ) -> None:
        if not 0 <= drop_rate <= 1:
            raise UsageError(f"The drop rate is a probability from 0 to 1, not {drop_rate}.")
        if drop_rate and rng is None:
            raise UsageError("A drop rate needs a random generator (rng), so that a run can be repeated.")
        self.frame = 0
        self.epoch = 0  # constant: a simulator has no states and no reset
        self.dropped = 0  # frames and ports whose new presses were lost
        self._machine = machine
        self._keep_pace(machine.frame_rate, emu_speed)
        self._drop_rate = drop_rate
        self._rng = rng
        self._held = [Pad.NONE, Pad.NONE]
        self._on_the_way = deque([[Pad.NONE, Pad.NONE]] * latency)
        self._seen = [Pad.NONE, Pad.NONE]
        self._views = _views(machine.ram)
        self._closed = False
        self._facts = BridgeFacts(
            name="simulated",
            emulator="simulator",
            latency=latency,
            frame_rate=machine.frame_rate,
            lock_step=True,
            save_states=False,
            spaces={space: (_FIRST[space], len(view)) for space, view in self._views.items()},
            rom_identity=machine.identity,
        )

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's properties; `rom_identity` is the machine's `identity`."""
        return self._facts

    def advance(self) -> int:
        """Wait until the frame is due, play it with the pads held and return its number; raises BridgeClosed."""
        if self._closed:
            raise BridgeClosed("The simulated bridge is closed and cannot run a frame: connect again.")
        if self._pace is not None:
            self._pace()
        self._on_the_way.append(self._held.copy())
        pads = self._on_the_way.popleft()
        self._seen = pads if self._rng is None else [self._arriving(port, pads[port], self._rng) for port in (0, 1)]
        self._machine.step(self._seen)
        self.frame += 1
        return self.frame

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address` of "ram" (or "wram", if in `facts.spaces`)."""
        start = offset_in(self._facts.spaces, space, address, length)
        return self._views[space][start : start + length].tobytes()

    def view(self, space: str) -> NDArray[Any]:
        """Returns a read-only uint8 array over a space of the machine's live memory."""
        if space not in self._views:
            raise UsageError(f"There is no memory space {space!r}; this bridge has {', '.join(self._views)}.")
        return self._views[space]

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        check_press(port, pad)
        self._held[port] = pad

    def held(self, port: int) -> Pad:
        """Returns the buttons that the next frame gets on port 0 or 1, but for latency and lost presses."""
        return self._held[port]

    def release(self, port: int) -> None:
        """Release all buttons of port 0 or 1; raises UsageError for another port."""
        self.press(port, Pad.NONE)

    def close(self) -> None:
        """End the simulation; harmless when called again."""
        self._closed = True

    def _arriving(self, port: int, held: Pad, rng: np.random.Generator) -> Pad:
        """Returns the buttons that the machine sees on a port this frame; draws once for a frame with a new press."""
        seen = self._seen[port]
        if not held & ~seen or rng.random() >= self._drop_rate:
            return held
        self.dropped += 1
        return held & seen


def _views(memory: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Returns read-only views of a machine's spaces. Raises UsageError if its memory has another size."""
    if len(memory) not in (RAM_SIZE, RAM_SIZE + WRAM[1]):
        raise UsageError(f"A machine has 2,048 bytes of ram, or these and 8,192 of wram, not {len(memory):,}.")
    views = {"ram": memory[:RAM_SIZE]}
    if len(memory) > RAM_SIZE:
        views["wram"] = memory[RAM_SIZE:]
    for view in views.values():
        view.setflags(write=False)
    return views


def connect(
    *,
    machine: Machine,
    emu_speed: float | None = None,
    drop_rate: float = 0.0,
    rng: np.random.Generator | None = None,
    latency: int = 0,
) -> SimulatedBridge:
    """Open a bridge over a simulator; `emu_speed` is a factor on the console's frame rate, None for no limit."""
    return SimulatedBridge(machine, emu_speed, drop_rate, rng, latency)
