"""Bridges over a machine of three bytes: good ones, and one for each promise that a bridge can break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.checked_pads import PadAddresses
from emubot.bridges.protocol import BridgeFacts
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import BridgeError, StateError, UsageError
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad

OBSERVED = PadAddresses(clock=0x10, pads=(0x12, 0x13))


class Recorder:
    """Counts frames at $10 and keeps both pads at $12 and $13; nothing else happens."""

    identity = "simulated:recorder"
    frame_rate = FRAME_RATE_NTSC

    def __init__(self) -> None:
        self.ram: NDArray[np.uint8] = np.zeros(2048, dtype=np.uint8)
        self.ram[0x7FF] = 0x55

    def step(self, pads: Sequence[Pad]) -> None:
        self.ram[0x10] = (int(self.ram[0x10]) + 1) % 256
        self.ram[0x12:0x14] = pads


class Good(SimulatedBridge):
    """Lock step, with save states and a reset button."""

    latency = 0
    changes: tuple[tuple[str, Any], ...] = ()

    def __init__(self, machine: Recorder | None = None) -> None:
        self.machine = machine or Recorder()
        super().__init__(self.machine, latency=self.latency)
        self._facts = replace(self._facts, save_states=True, **dict(self.changes))

    @property
    def facts(self) -> BridgeFacts:
        return self._facts

    def read(self, space: str, address: int, length: int) -> bytes:
        if space != "ram" or address < 0 or length < 0 or address + length > 2048:
            raise UsageError("That is not in ram, $0000-$07FF.")
        return self.machine.ram[address : address + length].tobytes()

    def save(self) -> bytes:
        return b"state" + self.machine.ram.tobytes()

    def load(self, state: bytes) -> None:
        if not state.startswith(b"state"):
            raise StateError("These bytes are no state: load what save() gave.")
        self.machine.ram[:] = np.frombuffer(state[5:], dtype=np.uint8)
        self.epoch += 1

    def reset(self) -> None:
        self.machine.ram[0x10] = 0
        self.epoch += 1


class Wire(Good):
    """Reads no more than it was asked to follow."""

    followed: list[tuple[int, int]] | None = None

    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        for address, length in ranges:
            super().read(space, address, length)
        self.followed = list(ranges)

    def view(self, space: str) -> None:  # type: ignore[override]
        return None

    def read(self, space: str, address: int, length: int) -> bytes:
        whole = super().read(space, address, length)
        if self.followed is None:
            return whole
        kept = {at for first, size in self.followed for at in range(first, first + size)}
        return bytes(byte if at in kept else 0 for at, byte in enumerate(whole, start=address))


class Late(Good):
    latency = 1


class Attached(Good):
    """Not in lock step: one frame late, now and then none; a frame is missed now and then."""

    latency = 1
    changes: tuple[tuple[str, Any], ...] = (("lock_step", False),)
    missed_every = 50
    _calls = 0

    def advance(self) -> int:
        self._calls += 1
        if self._calls % self.missed_every == 0:
            super().advance()
        return super().advance()

    def press(self, port: int, pad: Pad) -> None:
        """A tenth of the presses comes at once."""
        super().press(port, pad)
        if self._calls % 10 == 0:
            for held in self._on_the_way:
                held[port] = pad


GOOD: list[type[Good]] = [Good, Late, Wire, Attached]
BROKEN: dict[type[Good], str] = {}


def breaks(told: str) -> Any:
    """Mark a class as one that must be caught, with what check_bridge tells of it."""

    def mark(bridge: type[Good]) -> type[Good]:
        BROKEN[bridge] = told
        return bridge

    return mark


@breaks("facts: latency -1 must be a whole number of frames, 0 or more")
class NegativeLatency(Good):
    changes = (("latency", -1),)


@breaks("facts: frame_rate 60.0 must be the console's own: 60.0988 (NTSC), 50.007 (PAL and Dendy)")
class RoundRate(Good):
    changes = (("frame_rate", 60.0),)


@breaks("facts: spaces must have ram at (0, 2048)")
class NoRam(Good):
    changes = (("spaces", {"ram": (0, 1024)}),)


@breaks("facts: rom_identity 'da39a3ee' must be a SHA-1, MD5 or CRC32 in upper case")
class SmallLetters(Good):
    changes = (("rom_identity", "da39a3ee"),)


@breaks("facts: name 'My Emulator' must be a word of small letters")
class LongName(Good):
    changes = (("name", "My Emulator"),)


@breaks("facts: emulator '' must be a line of text")
class Nameless(Good):
    changes = (("emulator", ""),)


@breaks("frames: no 8 frames in a row were even among 900: the number of advance() grew by 1, and the game's own clock")
class TwoAtOnce(Good):
    def advance(self) -> int:
        super().advance()
        super().advance()
        self.frame -= 1
        return self.frame


@breaks("frames: the number of advance() grew by 1, and the game's own clock by 2")
class Skips(Good):
    """Misses one frame in a hundred and does not tell."""

    def advance(self) -> int:
        if super().advance() % 100 == 0:
            super().advance()
            self.frame -= 1
        return self.frame


@breaks("frames: the number of advance() went from 99 to 101")
class SkipsAndTells(Good):
    def advance(self) -> int:
        if super().advance() == 100:
            super().advance()
        return self.frame


@breaks("ports: a pad pressed on port 0 arrives after 1 frame, and facts.latency says 0")
class Later(Good):
    latency = 1
    changes = (("latency", 0),)


@breaks("ports: a pad pressed on port 1 arrives after 0 frames, and facts.latency says 1")
class SecondPortSooner(Good):
    latency = 1

    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad)
        if port == 1:
            for held in self._on_the_way:
                held[1] = pad


@breaks("pads pressed on port 0 were not what the game read after 0 frames, first SELECT, read as START")
class WrongButton(Good):
    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad)
        if pad == Pad.SELECT:
            self._held[port] = Pad.START


@breaks("pads pressed on port 0 were not what the game read after 0 frames")
class LosesTaps(Good):
    def advance(self) -> int:
        if self.frame % 30 == 0:
            self._held[0] = Pad.NONE
        return super().advance()


@breaks("ports: port 1 was never pressed, and the game read")
class BothPorts(Good):
    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad)
        self._held[1] = self._held[0]


@breaks("ports: port 0 was never pressed, and the game read")
class SecondIsFirst(Good):
    """Right as long as both ports are pressed, or the first one alone."""

    first = False

    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad)
        self.first |= port == 0
        if not self.first:
            self._held[0] = pad


@breaks("refusals: press(2, Pad.A) must raise a UsageError")
class AnyPort(Good):
    def press(self, port: int, pad: Pad) -> None:
        if port != 2:
            super().press(port, pad)


@breaks("refusals: press(0, LEFT+RIGHT) must raise a UsageError")
class Opposites(Good):
    def press(self, port: int, pad: Pad) -> None:
        if pad == Pad.LEFT | Pad.RIGHT:
            return
        super().press(port, pad)


@breaks("refusals: a press that was refused must change nothing, and the game read LEFT+RIGHT from port 0")
class RefusesLate(Good):
    def press(self, port: int, pad: Pad) -> None:
        if port in (0, 1):
            self._held[port] = pad
        super().press(port, pad)


@breaks("refusals: read('ram', 2047, 2) must raise a UsageError")
class ReadsOn(Good):
    def read(self, space: str, address: int, length: int) -> bytes:
        return super().read(space, address, 1) * 2 if address == 2047 else super().read(space, address, length)


@breaks("refusals: read of a space that is not there must raise a UsageError, not KeyError")
class BareKeyError(Good):
    def read(self, space: str, address: int, length: int) -> bytes:
        if space != "ram":
            raise KeyError(space)
        return super().read(space, address, length)


@breaks("facts: spaces must have wram at (24576, 8192) or not at all")
class SmallWram(Good):
    changes = (("spaces", {"ram": (0, 2048), "wram": (0x6000, 0x800)}),)


@breaks("refusals: view of a space that is not there must raise a UsageError")
class AnyView(Good):
    def view(self, space: str) -> NDArray[Any]:
        return super().view("ram")


@breaks("reads: two reads between two frames differ after 3 frames' time")
class RunsOn(Good):
    """The emulator goes on while one thinks: a second read is of a later frame."""

    reads = 0

    def advance(self) -> int:
        self.reads = 0
        return super().advance()

    def read(self, space: str, address: int, length: int) -> bytes:
        self.reads += 1
        if self.reads == 2:
            self.machine.ram[0x7F0] += 1
        return super().read(space, address, length)


@breaks("reads: a read of the byte $0010 differs from the same byte in a read of all the RAM")
class Torn(Good):
    def read(self, space: str, address: int, length: int) -> bytes:
        whole = super().read(space, address, length)
        return bytes([whole[0] ^ 1]) if (address, length) == (0x10, 1) else whole


@breaks("reads: view('ram') differs from read('ram')")
class StaleView(Good):
    def view(self, space: str) -> NDArray[Any]:
        super().view(space)
        copy: NDArray[Any] = np.zeros(2048, dtype=np.uint8)
        copy.setflags(write=False)
        return copy


@breaks("reads: view('ram') must be a read-only uint8 array of 2048 bytes")
class WritableView(Good):
    def view(self, space: str) -> NDArray[Any]:
        return super().view(space).copy()


@breaks("epoch: it went from 0 to")
class RestlessEpoch(Good):
    def advance(self) -> int:
        self.epoch = self.frame // 100
        return super().advance()


@breaks("epoch: facts changed while the bridge was open")
class NewFacts(Good):
    def advance(self) -> int:
        self._facts = replace(self._facts, emulator="simulator, warm")
        return super().advance()


@breaks("states: epoch must grow when a state is loaded")
class SameEpoch(Good):
    def load(self, state: bytes) -> None:
        super().load(state)
        self.epoch -= 1


@breaks("states: the same pads after load gave another RAM from frame 1 on")
class HalfStates(Good):
    def save(self) -> bytes:
        return b"state" + bytes(2048)


@breaks("states: load must refuse what is no state")
class EatsAnything(Good):
    def load(self, state: bytes) -> None:
        if state.startswith(b"state"):
            super().load(state)


@breaks("reset: epoch must grow at a reset")
class QuietReset(Good):
    def reset(self) -> None:
        self.machine.ram[0x10] = 0


@breaks("frames: the number of advance() went from")
class CountsAnew(Good):
    """Its frames begin with 1 after a state is loaded."""

    def load(self, state: bytes) -> None:
        super().load(state)
        self.frame = 0


@breaks("close: a bridge was closed with buttons held, and the next one's game read A+RIGHT from port 0")
class KeepsPads(Good):
    """The machine it attached to holds the pads on."""

    def __init__(self, machine: Recorder | None = None) -> None:
        super().__init__(machine)
        self._held = [Pad(int(bits)) for bits in self.machine.ram[0x12:0x14]]


@breaks("close: advance after close must raise a BridgeClosed, not BridgeError")
class OtherError(Good):
    def advance(self) -> int:
        if self._closed:
            raise BridgeError("The connection is gone: connect again.")
        return super().advance()


@breaks("close: advance after close must raise a BridgeClosed")
class NeverCloses(Good):
    def close(self) -> None:
        return


@breaks("close: raised BridgeError: It is closed already")
class ClosesOnce(Good):
    def close(self) -> None:
        if self._closed:
            raise BridgeError("It is closed already: leave it.")
        super().close()


@breaks("frames: raised OSError (the line is cut), and errors must be emubot's own")
class ForeignError(Good):
    def advance(self) -> int:
        if self.frame == 5 and not self._closed:
            raise OSError("the line is cut")
        return super().advance()


@breaks("follow: bytes that are not followed must read as 0, and $07FF was 0x55")
class ReadsEverything(Wire):
    def read(self, space: str, address: int, length: int) -> bytes:
        return Good.read(self, space, address, length)


@breaks("follow: follow of a space that is not there must raise a UsageError")
class FollowsAnything(Wire):
    def follow(self, space: str, ranges: Sequence[tuple[int, int]], clock: int | None) -> None:
        if space == "ram":
            super().follow(space, ranges, clock)


@breaks("follow: until follow is called, a read must be answered on demand")
class ReadsNothing(Wire):
    def read(self, space: str, address: int, length: int) -> bytes:
        return super().read(space, address, length) if self.followed else b""


@breaks("presses arrived after the 1 frame of facts.latency and most after 3: 75 % must")
class AttachedLater(Attached):
    latency = 3
    changes = (
        ("lock_step", False),
        ("latency", 1),
    )


@breaks("ports: A was pressed, and after 30 frames the game read - from port 0 and - from port 1")
class AttachedDeaf(Attached):
    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad & ~Pad.A)


@breaks("ports: LEFT was read from port 1, where it was not pressed")
class AttachedBoth(Attached):
    def press(self, port: int, pad: Pad) -> None:
        super().press(port, pad)
        self._held = [pad, pad]


@breaks("ports: only 0 of 48 presses came without a missed frame")
class AttachedSlow(Attached):
    missed_every = 1


@breaks("frames: the number of advance() grew by 1, and the game's own clock by 2")
class AttachedMiscounts(Attached):
    def advance(self) -> int:
        self._calls += 1
        if self._calls % 100 == 0:
            SimulatedBridge.advance(self)
            self.frame -= 1
        return SimulatedBridge.advance(self)


@breaks("facts: the bridge has no press")
class NoPress(Good):
    @property
    def press(self) -> Any:
        raise AttributeError("press")


@breaks("release: port 0 was released and port 1 held RIGHT, and the game read LEFT from port 0 and RIGHT from port 1")
class ReleasesNothing(Good):
    def release(self, port: int) -> None:
        pass


@breaks("release: port 0 was released and port 1 held RIGHT, and the game read - from port 0 and - from port 1")
class ReleasesBoth(Good):
    def release(self, port: int) -> None:
        super().release(0)
        super().release(1)


@breaks("release: port 0 was pressed again after a release, and the game read - from port 0 and RIGHT from port 1")
class ReleasesForEver(Good):
    released = False

    def release(self, port: int) -> None:
        super().release(port)
        self.released = port == 0

    def press(self, port: int, pad: Pad) -> None:
        super().press(port, Pad.NONE if self.released and port == 0 else pad)
