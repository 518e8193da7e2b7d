"""How the answers of the API's calls are read, and which of them may mean that there is no machine.

An answer of -1 or False may mean it (facts: Nintaco 5). In this case the frame counter is read. It is -1 only if there
is no machine, and then NoMachine is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.wire import NintacoWire, NoMachine, call
from emubot.errors import BridgeError

FRAME_COUNT: Final = call(25)  # the call that tells whether there is a machine
_NOTHING: Final = -1
WIDTH, HEIGHT = 256, 240
T = TypeVar("T")
TvSystem = Literal["NTSC", "PAL", "Dendy"]
TV_SYSTEMS: tuple[TvSystem, ...] = ("NTSC", "PAL", "Dendy")


def counted(count: int) -> int:
    """Returns the frame counter. Raises NoMachine if it tells that there is no machine."""
    if count == _NOTHING:
        raise NoMachine("Nintaco runs no cartridge now: open one.")
    return count


def read_count(wire: NintacoWire, deadline: float) -> int:
    """Reads the frame counter, as `counted`."""
    return counted(wire.read_int(deadline))


class Answer(NamedTuple, Generic[T]):
    """How an answer is read from a wire by a deadline.

    `absent` is the answer if there is no machine. `of_machine` is true if the answer does not tell.
    """

    read: Callable[[NintacoWire, float], T]
    absent: int | None = None
    of_machine: bool = False


def _flag(wire: NintacoWire, deadline: float) -> bool:
    return wire.read(1, deadline) != b"\x00"


def _texts(wire: NintacoWire, deadline: float) -> list[str]:
    return [wire.read_text(deadline) for _ in range(wire.read_count(deadline))]


def _tv_system(wire: NintacoWire, deadline: float) -> TvSystem:
    name = wire.read_text(deadline)
    for system in TV_SYSTEMS:
        if system == name:
            return system
    raise BridgeError(f"Nintaco reports a television system {name!r}, which emubot does not know: update emubot.")


def _picture(wire: NintacoWire, deadline: float) -> NDArray[np.int32]:
    data = wire.read(4 * wire.read_count(deadline), deadline)
    if len(data) != 4 * WIDTH * HEIGHT:
        raise BridgeError("Nintaco has drawn no frame yet: ask from within a frame listener.")
    return np.frombuffer(data, dtype=">i4").astype(np.int32).reshape(HEIGHT, WIDTH)


COUNT = Answer(read_count)
NUMBER = Answer(NintacoWire.read_int, absent=-1)
NUMBER_OF_EMULATOR = Answer(NintacoWire.read_int)
FLAG = Answer(_flag, absent=False)
FLAG_OF_EMULATOR = Answer(_flag)
TEXT = Answer(NintacoWire.read_text)
TEXT_OF_MACHINE = Answer(NintacoWire.read_text, of_machine=True)
TEXTS = Answer(_texts)
TV_SYSTEM = Answer(_tv_system, of_machine=True)  # without a machine the answer is "NTSC"
PICTURE = Answer(_picture)
