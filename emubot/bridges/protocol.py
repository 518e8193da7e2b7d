"""What a bridge is: advance a frame, read memory, set pads; knows no game and no particular emulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, runtime_checkable

from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.pad import Pad, describe, legal

FRAME_RATE_NTSC = 39375000 / 655171  # 60.0988 Hz; facts: libretro section 4
RAM_SIZE = 2048
AS_SET: Final = "as set"  # the emulator's speed as its user has set it
EmuSpeed = float | Literal["as set"] | None  # a factor on the console's own rate; None: as fast as possible


@dataclass(frozen=True, slots=True)
class BridgeFacts:
    """What a pilot must know of a bridge.

    `latency` is the number of frames from `press` to its effect: 0 means that the pad set before an `advance` is what
    the game reads in that very frame. `spaces` gives (first CPU address, bytes) of each memory space. `rom_identity`
    is the SHA-1 of PRG+CHR without the header, upper case, or its MD5 or CRC32 where the emulator tells no more, or
    `file:` and the CRC32 of the whole file, or None where it does not tell. `one_change` says that a port takes no more
    than one button's change in a frame.
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
        """How often the machine became another one: a state loaded, a reset, a connection lost and made anew.

        When it has grown after `advance`, what was seen and pressed before no longer counts.
        """

    def advance(self) -> int:
        """Block until the next frame's state is readable; return its number, one more than the last one's.

        A bridge that is not in lock step may have missed frames: the number then grows by those that went by. Raises
        BridgeError if the emulator fails, BridgeClosed after `close`.
        """

    def read(self, space: str, address: int, length: int) -> bytes:
        """`length` bytes from CPU `address` of a memory space, all of the same frame."""

    def view(self, space: str) -> NDArray[Any] | None:
        """A read-only zero-copy uint8 view of the whole space that follows the game, or None if there is none."""

    def press(self, port: int, pad: Pad) -> None:
        """Hold exactly these buttons on port 0 or 1 from the next frame on; refuses opposite directions."""

    def release(self, port: int) -> None:
        """Write port 0 or 1 no more until the next `press`: where a person has that port too, it is theirs again."""

    def close(self) -> None:
        """Release the pads and the emulator; harmless when called again."""


@runtime_checkable
class Remote(Protocol):
    """A bridge to another process, which reads every frame no more than what it was asked to follow."""

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        """From the next frame on read these (CPU address, length) of a space; other bytes of it read as 0.

        `clock` is the address of a byte that grows by one in each of the game's frames, None where nobody knows one:
        a bridge that is not in lock step tells frames apart by it.
        """


@runtime_checkable
class Rereadable(Protocol):
    """A bridge whose `read` answers from a copy, which comes with each frame."""

    def reread(self) -> None:
        """Read once more, from the emulator itself, what comes with a frame: for those who time it."""


@runtime_checkable
class KeepsPads(Protocol):
    """A bridge that switched its machine on itself, and can keep what both ports held in every frame since."""

    def keep_pads(self) -> None:
        """Keep them from now on; raises UsageError once a frame has gone by."""

    def pads_since_power_on(self) -> NDArray[Any] | None:
        """A new uint8 array (frames, 2) of Pad bits; None where none were kept, or the machine became another one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw over the picture: a frame of `width` by `height` console pixels, or a text at its corner.

    `x` and `y` count from the top left of the console's 256 by 240; `rgb` is 0xRRGGBB.
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
        """Show these marks, and no others, from the next frame on until told otherwise."""


def offset_in(spaces: Mapping[str, tuple[int, int]], space: str, address: int, length: int) -> int:
    """Where `length` bytes from CPU `address` begin in a memory space; raises UsageError if they are not all in it."""
    if space not in spaces:
        raise UsageError(f"There is no memory space {space!r}; this bridge has {', '.join(spaces)}.")
    base, size = spaces[space]
    if address < base or length < 0 or address + length > base + size:
        raise UsageError(
            f"{space} is ${base:04X}-${base + size - 1:04X}; {length} bytes from ${address:04X} are not all in it."
        )
    return address - base


def check_press(port: int, pad: Pad) -> None:
    """Raise UsageError for a port that the console has not, or for opposite directions.

    What a cartridge sees of LEFT and RIGHT together differs from emulator to emulator, so no bridge sends it.
    """
    if port not in (0, 1):
        raise UsageError(f"There is no controller port {port}: the console has 0 and 1.")
    if not legal(pad):
        raise UsageError(f"Opposite directions cannot be pressed together ({describe(pad)}): leave one out.")
