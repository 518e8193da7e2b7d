"""A bridge whose emulator runs in a child process, so that a crash of a core does not end this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.hosted.available import HOSTED
from emubot.bridges.hosted.line import SPACES
from emubot.bridges.hosted.process import OPENING_LIMIT, ChildProcess
from emubot.bridges.libretro.finding import find_core
from emubot.bridges.protocol import BridgeFacts, ClosedByWith, Paced, check_press, offset_in
from emubot.cartridge import Cartridge, load_cartridge
from emubot.errors import UsageError
from emubot.pad import Pad

_AT_ONCE: Final = 256  # frames of a message
_LOOK_EVERY: Final = 512  # frames between two checks of the emulator's output and of the machine's load


class HostedBridge(Paced, ClosedByWith):
    """A bridge of `HOSTED` in a child process. Implements `Bridge`.

    Latency, memory, states and errors are the same as in this process. If the child ends or hangs, CoreCrashed says
    how, and memory stays as it was after the last whole frame. After Ctrl-C during a frame, the next call finishes it.
    """

    def __init__(self, child: ChildProcess, message: dict[str, Any], emu_speed: float | None) -> None:
        """`message` is the child's answer to the message that opened its emulator."""
        self.epoch = 0  # number of states loaded and resets
        self.frame = 0
        self._child, self._line = child, child.line
        self._facts = BridgeFacts(**{**message["facts"], "spaces": _pairs(message["facts"]["spaces"])})
        self._picture_size: tuple[int, int] = tuple(message["picture_size"])
        self._pads = bytearray(2)
        self._kept: bytearray | None = None
        self._shown: set[str] = set(message["shown"])
        self._views: dict[str, NDArray[np.uint8]] = {}
        start = SPACES
        for name, (_, length) in self._facts.spaces.items():
            self._views[name] = np.frombuffer(self._line.memory[start : start + length].toreadonly(), dtype=np.uint8)
            start += length
        self._keep_pace(self._facts.frame_rate, emu_speed)

    @property
    def facts(self) -> BridgeFacts:
        """The facts of the bridge in the child."""
        return self._facts

    @property
    def process(self) -> int:
        """The process ID of the child."""
        return self._child.process

    def advance(self) -> int:
        """Wait until the frame is due, run it in the child and return its number (1 for the first).

        Raises CoreCrashed if the child ends during the frame or takes more than ten seconds, BridgeClosed after
        `close`, and any error of the emulator.
        """
        line = self._line
        if not line.under_way and line.frames == self.frame:  # else an interrupt left a frame unfinished
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

    def play(self, pads: bytes) -> NDArray[np.uint8]:
        """Play a frame with each of these pads on port 0 at once, as fast as it goes.

        Returns the spaces after each frame, one after the other: a new uint8 array (frames, bytes). That takes one
        message, where `advance` takes two wake-ups a frame. Raises as `advance` does.
        """
        if self._kept is not None:
            del self._kept[2 * self.frame :]
            self._kept += b"".join(bytes((pad, self._pads[1])) for pad in pads)
        parts = [
            self._child.ask("play", pads[at : at + _AT_ONCE], beside=self._pads[1])[1]
            for at in range(0, len(pads), _AT_ONCE)
        ]
        self._pads[:1] = pads[-1:] or self._pads[:1]
        self.frame = self._line.frames
        size = sum(length for _, length in self._facts.spaces.values())
        return np.frombuffer(b"".join(parts), dtype=np.uint8).reshape(len(pads), size)

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address` of "ram" (or "wram", if in `facts.spaces`) after the last frame."""
        start = offset_in(self._facts.spaces, space, address, length)
        if space not in self._shown:
            return self._child.ask("read", space=space, address=address, length=length)[1]
        return self._views[space][start : start + length].tobytes()

    def view(self, space: str) -> NDArray[np.uint8] | None:
        """Returns a read-only, live uint8 array of the whole space, if the emulator provides one."""
        offset_in(self._facts.spaces, space, *self._facts.spaces.get(space, (0, 0)))
        return self._views[space]

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        check_press(port, pad)
        self._pads[port] = pad

    def release(self, port: int) -> None:
        """Release all buttons of port 0 or 1; raises UsageError for another port."""
        self.press(port, Pad.NONE)

    def save(self) -> bytes:
        """Returns the machine's state, for `load` with the same emulator and cartridge, in this process or another."""
        return self._child.ask("save")[1]

    def load(self, state: bytes) -> None:
        """Load a state of `save`; the frame number goes on. Raises StateError, and then nothing has changed."""
        self._child.ask("load", state)
        self.epoch += 1

    def reset(self) -> None:
        """Press the console's reset button; the frame number goes on."""
        self._child.ask("reset")
        self.epoch += 1

    def picture(self) -> NDArray[np.uint8]:
        """Returns the last frame as a new RGB uint8 array (height, width, 3); raises BridgeError if there is none."""
        message, pixels = self._child.ask("picture")
        return np.frombuffer(bytearray(pixels), dtype=np.uint8).reshape(message["shape"])

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels as the emulator announces it; available before the first frame."""
        return self._picture_size

    def close(self) -> None:
        """Release the pads, close the emulator and end the child; harmless when called again."""
        self._pads[:] = bytes(2)
        self._child.close()

    def _keep_pace(self, rate: float, emu_speed: float | None) -> None:
        super()._keep_pace(rate, emu_speed)
        self._child.hurry(emu_speed is None)


class HostedLibretro(HostedBridge):
    """A libretro core in a child process, with sound and the pads since power-on."""

    def __init__(self, child: ChildProcess, message: dict[str, Any], emu_speed: float | None) -> None:
        super().__init__(child, message, emu_speed)
        self.sound_rate: float = message["sound_rate"]  # samples a second of `heard` at `emu_speed` 1

    def keep_pads(self) -> None:
        """Record the pads of every frame for `pads_since_power_on`; raises UsageError after the first frame."""
        if self.frame:
            raise UsageError("Pads are kept from power-on or not at all: ask before the first frame.")
        self._kept = bytearray()

    def pads_since_power_on(self) -> NDArray[np.uint8] | None:
        """Returns the pads of every whole frame as a new uint8 array (frames, 2).

        None if they were not recorded, or after a reset or a loaded state. They are kept in this process, so a crash of
        the core does not lose them.
        """
        if self._kept is None or self.epoch:
            return None
        return np.frombuffer(bytes(self._kept[: 2 * self._line.frames]), dtype=np.uint8).reshape(-1, 2)

    def listen(self) -> None:
        """Keep the sound of all frames from now on for `heard`; without this call sound costs nothing."""
        self._child.ask("listen")

    def heard(self) -> NDArray[np.int16]:
        """Returns the sound since the last call, oldest first, as a new int16 array (samples, 2), left and right."""
        return np.frombuffer(bytearray(self._child.ask("heard")[1]), dtype=np.int16).reshape(-1, 2)


class HostedCynes(HostedBridge):
    """cynes in a child process; a `Remote`, because cynes reads one byte per call."""

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """Read only these (CPU address, length) of a space from now on; other bytes of it read as 0."""
        for address, length in ranges:
            offset_in(self._facts.spaces, space, address, length)
        self._child.ask("follow", space=space, ranges=[list(span) for span in ranges], clock=clock)
        self._shown.add(space)

    def view(self, space: str) -> None:
        """Returns None: cynes has no view of a whole memory. Raises UsageError if there is no such space."""
        super().view(space)


_KINDS: Final = {"libretro": HostedLibretro, "cynes": HostedCynes}


def open_hosted(
    name: str, *, rom: str | Path | Cartridge, emu_speed: float | None = 1.0, core: str | None = None
) -> HostedBridge:
    """Open a bridge of `HOSTED` in a child process; options and errors are those of its `connect`.

    Also raises CoreCrashed if the emulator crashes while it opens, and UsageError for a bridge not in `HOSTED`. Call it
    only if `available.why_not` returns None.
    """
    if name not in HOSTED:
        raise UsageError(f"The bridge {name} runs in no child process: take {' or '.join(HOSTED)}, or open_bridge.")
    cartridge = rom if isinstance(rom, Cartridge) else load_cartridge(Path(rom))
    options, subject = {}, name
    if name == "libretro":
        options["core"] = subject = str(find_core(core))
    elif core is not None:
        raise UsageError(f"The bridge {name} has no option core: leave it out.")
    child = ChildProcess(subject, cartridge.name)
    try:
        words = {"bridge": name, "cartridge": cartridge.name, "options": options}
        message, _ = child.ask("open", cartridge.image, limit=OPENING_LIMIT, **words)
        child.subject = message["facts"]["emulator"]
        return _KINDS[name](child, message, emu_speed)
    except BaseException:
        child.close()
        raise


def _pairs(spaces: dict[str, list[int]]) -> dict[str, tuple[int, int]]:
    """Returns the spaces with tuples, which JSON does not have."""
    return {name: (first, length) for name, (first, length) in spaces.items()}
