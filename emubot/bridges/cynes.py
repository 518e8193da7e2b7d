"""The cynes bridge: runs a cartridge in the emulator cynes (from PyPI), in this process.

It is for people without a libretro core. Statements about cynes were measured with version 0.1.2: docs/how-to/cynes.md.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro.states import Owner, unwrap, wrap
from emubot.bridges.protocol import RAM_SIZE, WRAM, BridgeFacts, ClosedByWith, Paced, check_press, offset_in
from emubot.cartridge import Cartridge, load_cartridge
from emubot.errors import BridgeClosed, BridgeError
from emubot.extras import CYNES
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.text import printable

_WRAM_BOARDS: Final = frozenset({0, 1, 4})  # mappers behind which cynes has RAM at $6000 (measured)


class CynesBridge(Paced, ClosedByWith):
    """A cartridge in cynes, in this process: latency 0, lock step, save states, no sound. Implements `Bridge`.

    It is a `Remote` too: cynes reads one byte per call, so the bridge reads only the followed bytes.
    """

    def __init__(self, cynes: Any, cartridge: Cartridge, emu_speed: float | None = 1.0) -> None:
        """Power the console on and press its reset button once.

        cynes leaves one byte of the console's state uninitialised, so a cartridge boots in one of two ways, a frame
        apart. A reset after the first frame makes every run the same (measured).
        """
        self.frame = 0
        self.epoch = 0  # number of states loaded and resets
        self._name = f"cynes {cynes.__version__}"
        self._keep_pace(FRAME_RATE_NTSC, emu_speed)
        self._nes: Any = _switched_on(cynes, cartridge, self._name)
        self._nes.step()
        self._nes.reset()
        self._pads = [Pad.NONE, Pad.NONE]
        self._picture: NDArray[np.uint8] | None = None
        self._followed: dict[str, list[tuple[int, int]]] = {}
        self._mirrors: dict[str, bytes] = {}  # of the spaces followed, as of the last frame
        self._owner = Owner("cynes", str(cynes.__version__), cartridge.sha1)
        spaces = {"ram": (0, RAM_SIZE)}
        if cartridge.mapper in _WRAM_BOARDS:
            spaces["wram"] = WRAM
        self._facts = BridgeFacts(
            name="cynes",
            emulator=self._name,
            latency=0,  # measured: 3,000 random pads on either port, each read in its own frame
            frame_rate=FRAME_RATE_NTSC,  # cynes has no PAL console
            lock_step=True,
            save_states=True,
            spaces=spaces,
            rom_identity=cartridge.sha1,
        )

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's properties; the frame rate is the NTSC console's, whatever the cartridge's header says."""
        return self._facts

    def advance(self) -> int:
        """Wait until the frame is due, run it and return its number (1 for the first).

        Raises BridgeError if the program executed an instruction that stops the CPU, BridgeClosed after `close`.
        """
        nes = self._open()
        if self._pace is not None:
            self._pace()
        first, second = self._pads
        nes.controller = first | second << 8  # both in the order of Pad (cynes, README: Controller)
        self._picture = nes.step()
        self._mirrors.clear()
        if nes.has_crashed:
            raise BridgeError(
                "The cartridge's program has run into an instruction that stops the console's CPU: "
                "start it again, or load a state; if it comes again, play the cartridge by --bridge libretro."
            )
        self.frame += 1
        return self.frame

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """Read only these (CPU address, length) of a space from now on; other bytes of it read as 0.

        The console stands still between two frames, so `clock` is not needed. Raises UsageError if bytes are not in
        the space.
        """
        for address, length in ranges:
            offset_in(self._facts.spaces, space, address, length)
        self._followed[space] = list(ranges)
        self._mirrors.pop(space, None)

    def read(self, space: str, address: int, length: int) -> bytes:
        """Returns `length` bytes from CPU `address` of "ram" (or "wram", if in `facts.spaces`), after the last frame.

        After `follow` only the followed bytes are read, the others are 0. Raises BridgeClosed after `close`.
        """
        start = offset_in(self._facts.spaces, space, address, length)
        get = self._open().__getitem__
        if space not in self._followed:
            # Reading RAM has no side effect: states with and without reads are the same over 400 frames (measured).
            return bytes(map(get, range(address, address + length)))
        return self._mirror(space, get)[start : start + length]

    def view(self, space: str) -> None:
        """Returns None: cynes has no view of a whole memory. Raises UsageError if there is no such space."""
        offset_in(self._facts.spaces, space, *self._facts.spaces.get(space, (0, 0)))

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""
        check_press(port, pad)
        self._pads[port] = pad

    def release(self, port: int) -> None:
        """Release all buttons of port 0 or 1; raises UsageError for another port."""
        self.press(port, Pad.NONE)

    def save(self) -> bytes:
        """Returns the machine's state, marked with version, cartridge and checksum; `load` checks them."""
        return wrap(self._open().save().tobytes(), self._owner)

    def load(self, state: bytes) -> None:
        """Load a state of `save`; the frame number goes on. Raises StateError, and then nothing has changed.

        cynes itself accepts any bytes, and reads past the end of too short ones, so it is given only its own states.
        """
        nes = self._open()
        nes.load(np.frombuffer(unwrap(state, self._owner), dtype=np.uint8).copy())
        self._another()

    def reset(self) -> None:
        """Press the console's reset button; the frame number goes on."""
        self._open().reset()
        self._another()

    def picture(self) -> NDArray[np.uint8]:
        """Returns the last frame as a new uint8 array (240, 256, 3), RGB; raises BridgeError before the first frame."""
        self._open()
        if self._picture is None:
            raise BridgeError("There is no picture before the first frame: advance first.")
        return self._picture.copy()

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) in pixels of the console's whole picture."""
        return 256, 240

    def close(self) -> None:
        """Release the pads and the emulator; harmless when called again."""
        self._pads = [Pad.NONE, Pad.NONE]
        self._picture = None  # it is in the emulator's memory and does not keep it alive
        self._nes = None

    def _open(self) -> Any:
        if self._nes is None:
            raise BridgeClosed("The cynes bridge is closed: connect again.")
        return self._nes

    def _another(self) -> None:
        self.epoch += 1
        self._mirrors.clear()

    def _mirror(self, space: str, get: Callable[[int], int]) -> bytes:
        """Returns a whole space with the followed bytes, read once a frame, in their places and 0 elsewhere."""
        if space not in self._mirrors:
            base, size = self._facts.spaces[space]
            mirror = bytearray(size)
            for address, length in self._followed[space]:
                mirror[address - base : address - base + length] = bytes(map(get, range(address, address + length)))
            self._mirrors[space] = bytes(mirror)
        return self._mirrors[space]


def connect(*, rom: str | Path | Cartridge, emu_speed: float | None = 1.0) -> CynesBridge:
    """Start a cartridge in cynes, stopped before its first frame.

    `rom` is a file or a loaded `Cartridge`. `emu_speed` is a factor on the console's frame rate, or None for as fast as
    possible. Raises RomError, or BridgeError if cynes is not installed or does not accept the cartridge.
    """
    cartridge = rom if isinstance(rom, Cartridge) else load_cartridge(Path(rom))
    return CynesBridge(_cynes(), cartridge, emu_speed)


def _cynes() -> Any:
    try:
        return import_module("cynes")
    except ImportError as error:
        raise BridgeError(CYNES.refusal(error)) from None


def _switched_on(cynes: Any, cartridge: Cartridge, name: str) -> Any:
    """Returns a console with the cartridge in it; cynes only reads from a file, and has read it all on return."""
    with tempfile.TemporaryDirectory(prefix="emubot-") as folder:
        file = Path(folder) / "cartridge.nes"
        file.write_bytes(cartridge.image)
        try:
            return cynes.NES(str(file))
        except (RuntimeError, ValueError) as error:  # for mappers from 128 its message is no text, a UnicodeDecodeError
            raise BridgeError(
                f"{name} does not take {cartridge.name}, whose board is mapper {cartridge.mapper} "
                f"({_reason(error)}): play it by --bridge libretro."
            ) from None


def _reason(error: Exception) -> str:
    return "it does not say why" if isinstance(error, UnicodeError) else printable(error)
