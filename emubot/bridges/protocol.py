"""What a bridge is: advance a frame, read memory, set pads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self, runtime_checkable

from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.pad import Pad, describe, legal

RAM_SIZE = 2048
WRAM: Final = (0x6000, 0x2000)  # first CPU address and bytes of the cartridge's memory, if a bridge shows it
AS_SET: Final = "as set"  # the emulator's speed as its user has set it
EmuSpeed = float | Literal["as set"] | None  # a factor on the console's own rate; None: as fast as possible


@dataclass(frozen=True, slots=True)
class BridgeFacts:
    """What a pilot must know about a bridge.

    `latency` is the number of frames from `press` to its effect: 0 means that the pad set before an `advance` is what
    the game reads in that very frame. `spaces` gives (first CPU address, bytes) of each memory space. `rom_identity`
    is, in upper case, the SHA-1 of PRG+CHR without the header; or its MD5 or CRC32 if the emulator reports only that;
    or `file:` and the CRC32 of the whole file; or None if the emulator reports nothing. `one_change` is true if at most
    one button of a port can change in a frame.
    """

    name: str
    emulator: str
    latency: int
    frame_rate: float
    lock_step: bool
    save_states: bool
    spaces: Mapping[str, tuple[int, int]]
    rom_identity: str | None
    one_change: bool = False


@runtime_checkable
class Bridge(Protocol):
    """One running emulator. A port that was never pressed is never written."""

    @property
    def facts(self) -> BridgeFacts:
        """The bridge's measured or known properties; constant while it is open."""

    @property
    def epoch(self) -> int:
        """The number of discontinuities so far: states loaded, resets, reconnections.

        If it has grown after `advance`, earlier observations and presses are no longer valid.
        """

    def advance(self) -> int:
        """Block until the next frame's state is readable; return the frame's number, one more than the last.

        A bridge that is not in lock step may miss frames: the number then grows by all frames that passed. Raises
        BridgeError if the emulator fails, BridgeClosed after `close`.
        """

    def read(self, space: str, address: int, length: int) -> bytes:
        """Return `length` bytes from CPU `address` of a memory space, all of the same frame."""

    def view(self, space: str) -> NDArray[Any] | None:
        """Return a read-only, zero-copy, live uint8 view of the whole space, or None if there is none."""

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; raises as `check_press` does."""

    def release(self, port: int) -> None:
        """Stop writing port 0 or 1 until the next `press`: a person who uses that port too has it back."""

    def close(self) -> None:
        """Release the pads and the emulator; harmless when called again."""


@runtime_checkable
class Remote(Protocol):
    """A bridge to another process; it reads only the followed bytes in each frame."""

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """From the next frame on read only these (CPU address, length) of a space; its other bytes read as 0.

        Another followed space stays followed; all followed bytes are of one frame. `clock` is the address, in this
        space, of a byte that grows by one in each frame of the game, or None if the space has none. A bridge that is
        not in lock step tells frames apart by it.
        """


@runtime_checkable
class Rereadable(Protocol):
    """A bridge whose `read` answers from a copy that arrives with each frame."""

    def reread(self) -> None:
        """Read a frame's bytes once more from the emulator itself, to measure how long that takes."""


@runtime_checkable
class KeepsPads(Protocol):
    """A bridge that powers on its own machine and can record both ports' pads in every frame since."""

    def keep_pads(self) -> None:
        """Record the pads from now on; raises UsageError after the first frame."""

    def pads_since_power_on(self) -> NDArray[Any] | None:
        """Return a new uint8 array (frames, 2) of Pad bits; None if not recorded, or after a reset or state load."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw over the picture: an outline of `width` by `height` console pixels, or a text at its corner.

    `x` and `y` count from the top left of the console's 256 by 240 pixels; `rgb` is 0xRRGGBB.
    """

    x: int
    y: int
    width: int
    height: int
    rgb: int
    text: str = ""


@runtime_checkable
class Drawable(Protocol):
    """A bridge whose emulator can draw over its own picture."""

    def draw(self, marks: Sequence[Mark]) -> None:
        """Show exactly these marks from the next frame on, until the next call."""


def offset_in(spaces: Mapping[str, tuple[int, int]], space: str, address: int, length: int) -> int:
    """Return the offset of CPU `address` in a memory space; raises UsageError if not all `length` bytes are in it."""
    if space not in spaces:
        raise UsageError(f"There is no memory space {space!r}; this bridge has {', '.join(spaces)}.")
    base, size = spaces[space]
    if address < base or length < 0 or address + length > base + size:
        raise UsageError(
            f"{space} is ${base:04X}-${base + size - 1:04X}; {length} bytes from ${address:04X} are not all in it."
        )
    return address - base


def check_press(port: int, pad: Pad) -> None:
    """Raise UsageError if the console has no such port, or for opposite directions.

    Emulators differ in how they report LEFT and RIGHT together, so no bridge sends them.
    """
    if port not in (0, 1):
        raise UsageError(f"There is no controller port {port}: the console has 0 and 1.")
    if not legal(pad):
        raise UsageError(f"Opposite directions cannot be pressed together ({describe(pad)}): leave one out.")


class ClosedByWith(ABC):
    """A base class of bridges: `with connect(...) as bridge:` calls `close` however the block ends."""

    @abstractmethod
    def close(self) -> None:
        """Release the pads and the emulator; harmless when called again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Paced:
    """A base class of bridges that run their emulator themselves; the speed may be set between frames.

    `advance` calls `_pace` first if it is not None.
    """

    _pace: Callable[[], None] | None

    def _keep_pace(self, rate: float, emu_speed: float | None) -> None:
        """Run at `rate` times `emu_speed` frames a second, or as fast as possible (None). Raises UsageError."""
        self._pace = None
        if emu_speed is not None:
            from emubot.bridges.throttle import Throttle

            self._pace = Throttle(rate, emu_speed).wait
        self._rate, self._emu_speed = rate, emu_speed

    @property
    def emu_speed(self) -> float | None:
        """The factor on the console's frame rate, or None for as fast as possible; it may be set between frames.

        Raises UsageError if the speed is not above 0.
        """
        return self._emu_speed

    @emu_speed.setter
    def emu_speed(self, emu_speed: float | None) -> None:
        self._keep_pace(self._rate, emu_speed)


class Ports:
    """The ports that a pilot writes and gives back when it needs them no more; any other port is left alone."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.owned: frozenset[int] = frozenset()  # the ports written last

    def write(self, held: Mapping[int, Pad]) -> None:
        """Hold these pads, by port, and release the other ports that were written before."""
        for port in self.owned - held.keys():
            self._bridge.release(port)
        for port, pad in held.items():
            self._bridge.press(port, pad)
        self.owned = frozenset(held)
