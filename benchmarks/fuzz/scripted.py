"""A bridge that serves memory from a script and keeps what was pressed, and the rule of when pressing is allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.protocol import RAM_SIZE, BridgeFacts, ClosedByWith, check_press
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad, describe
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Snapshot

_TRUST: Final = 8  # frames in a row that make sense
_APART: Final = 8  # the most that a game counter may move from one frame seen to the next


class ScriptedBridge(ClosedByWith):
    """Frame after frame the next image; nothing that is pressed has an effect. `epochs` are frames of a new machine."""

    def __init__(
        self,
        images: Sequence[bytes],
        ram_map: RamMap,
        latency: int = 0,
        lock_step: bool = True,
        epochs: Sequence[int] = (),
    ) -> None:
        self.epoch = self.frame = 0
        self.held: dict[int, Pad] = {}
        self._images, self._epochs = images, frozenset(epochs)
        self._ram: NDArray[Any] = np.zeros(RAM_SIZE, dtype=np.uint8)
        self._view = self._ram.view()
        self._view.setflags(write=False)
        sha1 = ram_map.identities[0].sha1 if ram_map.identities else None
        self._facts = BridgeFacts(
            "scripted", "script", latency, FRAME_RATE_NTSC, lock_step, False, {"ram": (0, RAM_SIZE)}, sha1
        )

    @property
    def facts(self) -> BridgeFacts:
        return self._facts

    def advance(self) -> int:
        self.epoch += self.frame in self._epochs
        self._ram[:] = np.frombuffer(self._images[self.frame], dtype=np.uint8)
        self.frame += 1
        return self.frame

    def read(self, space: str, address: int, length: int) -> bytes:
        return self._ram[address : address + length].tobytes()

    def view(self, space: str) -> NDArray[Any] | None:
        return self._view if space == "ram" else None

    def press(self, port: int, pad: Pad) -> None:
        check_press(port, pad)
        self.held[port] = pad

    def release(self, port: int) -> None:
        self.held.pop(port, None)

    def close(self) -> None:
        self.held.clear()


class Sense:
    """What a pilot may do, by the frames seen so far: said here once more, apart from how the pilot comes to it.

    A button may be held only while the map knows the phase, no pause is on, and eight frames in a row made sense since
    the last one that did not: known phases, and where the map names a game counter, that counted on.
    """

    def __init__(self, ram_map: RamMap, decode: Callable[[bytes], Snapshot]) -> None:
        self._counter, self._decode = ram_map.game_counter, decode
        self.forget()

    def forget(self) -> None:
        self._run, self._last = 0, None if self._counter is not None else 0

    def by(self, ram_map: RamMap, decode: Callable[[bytes], Snapshot]) -> Sense:
        """The same frames behind it, another map from now on."""
        other = Sense(ram_map, decode)
        other._run, other._last = self._run, self._last
        return other

    def allows(self, ram: bytes) -> bool:
        """Whether any button may be held after this frame."""
        snapshot = self._decode(ram)
        now = 0 if self._counter is None else snapshot.counters[self._counter]
        counts_on = self._counter is None or (self._last is not None and 0 < now - self._last <= _APART)
        self._last = now
        if snapshot.phase is Phase.UNKNOWN:
            self._run = 0
        elif self._run < _TRUST:
            self._run = self._run + 1 if counts_on else 0
        return self._run >= _TRUST and snapshot.phase is not Phase.PAUSED and snapshot.phase is not Phase.UNKNOWN


def check_held(bridge: ScriptedBridge, port: int, allowed: bool) -> None:
    """Raise AssertionError for a button on nonsense, and for anything on a port that is not the pilot's."""
    for other, pad in bridge.held.items():
        assert other == port, f"port {other} was written, the pilot has {port}"
        assert allowed or not pad, f"{describe(pad)} is held in frame {bridge.frame}, which makes no sense"
