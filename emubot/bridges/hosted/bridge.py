"""A bridge whose emulator runs in a child process: what `LibretroBridge` is, and a core that fails takes nothing down.

Knows the child's messages, its line and the pace of frames; knows no core and no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.closing import ClosedByWith
from emubot.bridges.hosted.available import HOSTED
from emubot.bridges.hosted.line import SPACES
from emubot.bridges.hosted.process import OPENING_LIMIT, ChildProcess
from emubot.bridges.libretro.finding import find_core
from emubot.bridges.protocol import BridgeFacts, check_press, offset_in
from emubot.bridges.throttle import Paced
from emubot.cartridge import Cartridge, load_cartridge
from emubot.errors import UsageError
from emubot.pad import Pad

_LOOK_EVERY: Final = 512  # frames between two looks at what the emulator printed and at who needs the processors


class HostedBridge(Paced, ClosedByWith):
    """A bridge of `HOSTED`, in a child process: latency, memory, states and errors as in this one. Implements `Bridge`.

    Where the child ends or hangs, CoreCrashed says how; memory then stays as it was after the last whole frame. Ctrl-C
    while a frame runs leaves the frame to be finished by the next call.
    """

    def __init__(self, child: ChildProcess, told: dict[str, Any], emu_speed: float | None) -> None:
        """`told` is the child's answer to the message that opened its emulator."""
        self.epoch = 0  # states loaded and resets
        self.frame = 0
        self._child, self._line = child, child.line
        self._facts = BridgeFacts(**{**told["facts"], "spaces": _pairs(told["facts"]["spaces"])})
        self._picture_size: tuple[int, int] = tuple(told["picture_size"])
        self._pads = bytearray(2)
        self._kept: bytearray | None = None
        self._shown: set[str] = set(told["shown"])
        self._views: dict[str, NDArray[np.uint8]] = {}
        start = SPACES
        for name, (_, length) in self._facts.spaces.items():
            self._views[name] = np.frombuffer(self._line.memory[start : start + length].toreadonly(), dtype=np.uint8)
            start += length
        self._keep_pace(self._facts.frame_rate, emu_speed)

    @property
    def facts(self) -> BridgeFacts:
        """The properties of the bridge in the child."""
        return self._facts

    @property
    def process(self) -> int:
        """The number of the child process."""
        return self._child.process

    def advance(self) -> int:
        """Wait until the frame is due, have it run, return its number (1 for the first).

        Raises CoreCrashed when the child ends in it or takes more than ten seconds, BridgeClosed after `close`, and
        whatever the emulator raised.
        """
        line = self._line
        if not line.under_way and line.frames == self.frame:  # otherwise one was left behind by an interrupt
            if self._pace is not None:
                self._pace()
            if self._kept is not None:
                del self._kept[2 * self.frame :]  # the pads of a frame that failed
                self._kept += self._pads
            if not self.frame % _LOOK_EVERY:
                self._child.look_after()
            self._child.post_frame(self._pads)
        self._child.finish_frame()
        self.frame = frame = line.frames
        return frame

    def read(self, space: str, address: int, length: int) -> bytes:
        """`length` bytes from CPU `address` of "ram" (or "wram", where `facts.spaces` has it), after the last frame."""
        start = offset_in(self._facts.spaces, space, address, length)
        if space not in self._shown:
            return self._child.ask("read", space=space, address=address, length=length)[1]
        return self._views[space][start : start + length].tobytes()

    def view(self, space: str) -> NDArray[np.uint8] | None:
        """A read-only uint8 array of the whole space that follows the game, where the emulator shows one."""
        offset_in(self._facts.spaces, space, *self._facts.spaces.get(space, (0, 0)))
        return self._views[space]

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        check_press(port, pad)
        self._pads[port] = pad

    def release(self, port: int) -> None:
        """Let go of all buttons of port 0 or 1; raises UsageError for another."""
        self.press(port, Pad.NONE)

    def save(self) -> bytes:
        """The machine's state, for `load` of a bridge with the same emulator and cartridge, in this process or not."""
        return self._child.ask("save")[1]

    def load(self, state: bytes) -> None:
        """Go back to a state of `save`; frames go on counting. Raises StateError, and then nothing has changed."""
        self._child.ask("load", state)
        self.epoch += 1

    def reset(self) -> None:
        """Press the console's reset button; frames go on counting."""
        self._child.ask("reset")
        self.epoch += 1

    def picture(self) -> NDArray[np.uint8]:
        """The last frame as a new uint8 array (height, width, 3), RGB; raises BridgeError before the first frame."""
        told, pixels = self._child.ask("picture")
        return np.frombuffer(bytearray(pixels), dtype=np.uint8).reshape(told["shape"])

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels that the emulator announces, before the first frame too."""
        return self._picture_size

    def close(self) -> None:
        """Release the pads, close the emulator and end the child; harmless when called again."""
        self._pads[:] = bytes(2)
        self._child.close()

    def _keep_pace(self, rate: float, emu_speed: float | None) -> None:
        super()._keep_pace(rate, emu_speed)
        self._child.hurry(emu_speed is None)


class HostedLibretro(HostedBridge):
    """A libretro core in a child process: with sound, and the pads since power-on."""

    def __init__(self, child: ChildProcess, told: dict[str, Any], emu_speed: float | None) -> None:
        super().__init__(child, told, emu_speed)
        self.sound_rate: float = told["sound_rate"]  # samples a second of `heard` at `emu_speed` 1

    def keep_pads(self) -> None:
        """Keep the pads of every frame from power-on for `pads_since_power_on`; raises UsageError after a frame."""
        if self.frame:
            raise UsageError("Pads are kept from power-on or not at all: ask before the first frame.")
        self._kept = bytearray()

    def pads_since_power_on(self) -> NDArray[np.uint8] | None:
        """The pads of every whole frame, a new uint8 array (frames, 2); None if not kept, or after a reset or a state.

        They are kept in this process: a core that fails does not take them with it.
        """
        if self._kept is None or self.epoch:
            return None
        return np.frombuffer(bytes(self._kept[: 2 * self._line.frames]), dtype=np.uint8).reshape(-1, 2)

    def listen(self) -> None:
        """Keep the sound of the frames from now on for `heard`; without it sound costs nothing."""
        self._child.ask("listen")

    def heard(self) -> NDArray[np.int16]:
        """The sound since the last call, oldest first: a new int16 array (moments, 2), left and right."""
        return np.frombuffer(bytearray(self._child.ask("heard")[1]), dtype=np.int16).reshape(-1, 2)


class HostedCynes(HostedBridge):
    """cynes in a child process; a `Remote`, for cynes gives one byte a call."""

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """Read only these (CPU address, length) of a space from now on; other bytes of it read as 0."""
        for address, length in ranges:
            offset_in(self._facts.spaces, space, address, length)
        self._child.ask("follow", space=space, ranges=[list(one) for one in ranges], clock=clock)
        self._shown.add(space)

    def view(self, space: str) -> None:
        """None: cynes shows no memory as a whole. Raises UsageError for a space that is not there."""
        super().view(space)


_KINDS: Final = {"libretro": HostedLibretro, "cynes": HostedCynes}


def open_hosted(
    name: str, *, rom: Path | Cartridge, emu_speed: float | None = 1.0, core: str | None = None
) -> HostedBridge:
    """Open a bridge of `HOSTED` in a child process; the options and errors are those of its `connect`.

    Raises CoreCrashed too, where the emulator fails while it opens, and UsageError for another bridge. It can be called
    where `available.why_not` is None.
    """
    if name not in HOSTED:
        raise UsageError(f"The bridge {name} runs in no child process: take {' or '.join(HOSTED)}, or open_bridge.")
    cartridge = load_cartridge(rom) if isinstance(rom, Path) else rom
    options, subject = {}, name
    if name == "libretro":
        options["core"] = subject = str(find_core(core))
    elif core is not None:
        raise UsageError(f"The bridge {name} has no option core: leave it out.")
    child = ChildProcess(subject, cartridge.name)
    try:
        words = {"bridge": name, "cartridge": cartridge.name, "options": options}
        told, _ = child.ask("open", cartridge.image, limit=OPENING_LIMIT, **words)
        child.subject = told["facts"]["emulator"]
        return _KINDS[name](child, told, emu_speed)
    except BaseException:
        child.close()
        raise


def _pairs(spaces: dict[str, list[int]]) -> dict[str, tuple[int, int]]:
    """JSON knows no tuples."""
    return {name: (first, length) for name, (first, length) in spaces.items()}
