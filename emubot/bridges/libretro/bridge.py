"""The libretro bridge: pads in, frames, RAM, save states and pictures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro import abi
from emubot.bridges.libretro.core import NOTHING_HELD, Answers, Core
from emubot.bridges.libretro.finding import find_core
from emubot.bridges.libretro.states import Owner, unwrap, wrap
from emubot.bridges.protocol import RAM_SIZE, WRAM, BridgeFacts, ClosedByWith, Paced, check_press, offset_in
from emubot.cartridge import Cartridge, load_cartridge
from emubot.errors import CoreError, UsageError
from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL
from emubot.pad import Pad, legal

_BUTTONS = {
    Pad.A: abi.JOYPAD_A,
    Pad.B: abi.JOYPAD_B,
    Pad.SELECT: abi.JOYPAD_SELECT,
    Pad.START: abi.JOYPAD_START,
    Pad.UP: abi.JOYPAD_UP,
    Pad.DOWN: abi.JOYPAD_DOWN,
    Pad.LEFT: abi.JOYPAD_LEFT,
    Pad.RIGHT: abi.JOYPAD_RIGHT,
}

_ROUNDED = 0.2  # frames a second by which cores round


class _CoreSpace:
    """A copy of one memory of the core, renewed after every frame, so that no caller gets a pointer into the core."""

    def __init__(self, base: int, pointer: Any, size: int) -> None:
        self.base = base
        self.size = size
        self.mirror = bytearray(size)
        self.renew = partial(abi.ffi.memmove, abi.ffi.from_buffer(self.mirror), pointer, size)
        self.view: NDArray[np.uint8] = np.frombuffer(self.mirror, dtype=np.uint8)
        self.view.setflags(write=False)


class LibretroBridge(Paced, ClosedByWith):
    """A cartridge in a libretro core, in this process: latency 0, lock step, save states. Implements `Bridge`."""

    def __init__(self, core: Core, cartridge: Cartridge, emu_speed: float | None = 1.0) -> None:
        """Take over `core` and load the cartridge; on failure the core is closed."""
        self.frame = 0
        self.epoch = 0  # number of states loaded and resets
        self._core = core
        try:
            core.load(cartridge.image, cartridge.region)
            rate = _exact(core.frames_per_second)
            self._keep_pace(rate, emu_speed)
            self._spaces = _spaces(core)
        except BaseException:
            core.close()
            raise
        self._run = core.run
        self._held = core.held
        self._pads = bytearray(2)
        self._kept: bytearray | None = None
        self._renewals = [space.renew for space in self._spaces.values()]
        self._owner = Owner(core.info.name, core.info.version, cartridge.sha1)
        self._facts = BridgeFacts(
            name="libretro",
            emulator=str(core.info),
            latency=0,
            frame_rate=rate,
            lock_step=True,
            save_states=True,
            spaces={name: (space.base, space.size) for name, space in self._spaces.items()},
            rom_identity=cartridge.sha1,
        )
        self._renew()

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's properties; `frame_rate` is exactly the console's, 60.0988 or 50.0070 Hz, which cores round."""
        return self._facts

    def advance(self) -> int:
        """Wait until the frame is due, run it and return its number (1 for the first).

        The game reads the last pressed pads in this frame. Raises BridgeClosed after `close`. Any exception during the
        core's run, KeyboardInterrupt included, is raised at the end of that frame.
        """
        if self._pace is not None:
            self._pace()
        self._run()
        if self._kept is not None:
            self._kept += self._pads  # after `_run`: a failed frame adds no pads
        for renew in self._renewals:
            renew()
        self.frame = frame = self.frame + 1
        return frame

    @property
    def bare_frame(self) -> Callable[[], None]:
        """The core's own frame function, as a baseline for benchmarks of `advance`."""
        return self._core.bare_run

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address` of "ram" (or "wram", if in `facts.spaces`) after the last frame."""
        start = offset_in(self._facts.spaces, space, address, length)
        return bytes(self._spaces[space].mirror[start : start + length])

    def view(self, space: str) -> NDArray[np.uint8]:
        """Returns a read-only, live uint8 array of the whole space; after `close` it keeps the last frame."""
        offset_in(self._facts.spaces, space, *self._facts.spaces.get(space, (0, 0)))
        return self._spaces[space].view

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        answers = _ANSWERS.get(pad)
        if answers is None or port not in (0, 1):
            check_press(port, pad)
            raise UsageError(f"{pad!r} is not a state of a controller: a Pad holds eight buttons.")
        self._held[port] = answers
        self._pads[port] = pad

    def release(self, port: int) -> None:
        """Release all buttons of port 0 or 1; raises UsageError for another port."""
        self.press(port, Pad.NONE)

    def keep_pads(self) -> None:
        """Record the pads of every frame for `pads_since_power_on`; raises UsageError after the first frame."""
        if self.frame:
            raise UsageError("Pads are kept from power-on or not at all: ask before the first frame.")
        self._kept = bytearray()

    def pads_since_power_on(self) -> NDArray[np.uint8] | None:
        """Returns a new uint8 array (frames, 2) of Pad bits; None if not recorded, or after a reset or state load."""
        if self._kept is None or self.epoch:
            return None
        return np.frombuffer(bytes(self._kept), dtype=np.uint8).reshape(-1, 2)

    def save(self) -> bytes:
        """Returns the machine's state, marked with core, cartridge and checksum; `load` checks them."""
        return wrap(self._core.save(), self._owner)

    def load(self, state: bytes) -> None:
        """Load a state of `save`; the frame number goes on. Raises StateError, and then nothing has changed."""
        self._core.restore(unwrap(state, self._owner))
        self.epoch += 1
        self._renew()

    def reset(self) -> None:
        """Press the console's reset button; the frame number goes on."""
        self._core.reset()
        self.epoch += 1
        self._renew()

    def picture(self) -> NDArray[np.uint8]:
        """Returns the last frame as a new RGB uint8 array (height, width, 3); raises BridgeError if there is none."""
        return self._core.picture()

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels as the core announces it; available before the first frame."""
        return self._core.picture_size

    @property
    def sound_rate(self) -> float:
        """Samples per second of `heard` at `emu_speed` 1: the core's rate, corrected like its frame rate."""
        announced = self._core.frames_per_second
        return self._core.sound_rate * (self._facts.frame_rate / announced if announced else 1.0)

    def listen(self) -> None:
        """Keep the sound of all frames from now on for `heard`; without this call sound costs nothing."""
        self._core.sound.listen()

    def heard(self) -> NDArray[np.int16]:
        """Returns the sound since the last call, oldest first, as a new int16 array (samples, 2), left and right.

        Empty without `listen`. Only about the last two seconds are kept.
        """
        return self._core.sound.heard()

    def close(self) -> None:
        """Release the pads and the core and remove its temporary folder; harmless when called again."""
        self._held[:2] = NOTHING_HELD, NOTHING_HELD
        self._core.close()

    def _renew(self) -> None:
        for renew in self._renewals:
            renew()


def connect(*, rom: str | Path | Cartridge, core: str | None = None, emu_speed: float | None = 1.0) -> LibretroBridge:
    """Start a cartridge in a libretro core, stopped before its first frame.

    `rom` is a file or a loaded `Cartridge`. `core` is a short name (nestopia, fceumm), the path of a core file, or None
    for the first core found. `emu_speed` is a factor on the console's frame rate, or None for as fast as possible.
    Raises RomError, CoreNotFound, CoreError.
    """
    cartridge = rom if isinstance(rom, Cartridge) else load_cartridge(Path(rom))
    return LibretroBridge(Core(find_core(core)), cartridge, emu_speed)


def _spaces(core: Core) -> Mapping[str, _CoreSpace]:
    pointer, size = core.memory(abi.MEMORY_SYSTEM_RAM)
    if size < RAM_SIZE:
        raise CoreError(f"The core {core.info} does not show the console's RAM: use nestopia or fceumm.")
    spaces = {"ram": _CoreSpace(0, pointer, RAM_SIZE)}
    pointer, size = core.memory(abi.MEMORY_SAVE_RAM)
    if size >= WRAM[1]:
        spaces["wram"] = _CoreSpace(WRAM[0], pointer, WRAM[1])
    return spaces


def _exact(announced: float) -> float:
    """Returns the frame rate of the console whose rounded one a core announces."""
    return next((rate for rate in (FRAME_RATE_NTSC, FRAME_RATE_PAL) if abs(announced - rate) < _ROUNDED), announced)


def _answers(pad: Pad) -> Answers:
    """Returns a port's answers while `pad` is held."""
    ids = [button_id for button, button_id in _BUTTONS.items() if button in pad]
    answers = list(NOTHING_HELD)
    for button_id in ids:
        answers[button_id] = 1
    answers[abi.JOYPAD_MASK] = sum(1 << button_id for button_id in ids)
    return tuple(answers)


_ANSWERS = {bits: _answers(Pad(bits)) for bits in range(0x100) if legal(Pad(bits))}
