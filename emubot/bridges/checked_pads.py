"""Watches a running cartridge for check_bridge: its clock and the pads it reads, in two RAM layouts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.bridges.protocol import RAM_SIZE, Bridge, BridgeFacts, Remote
from emubot.cartridge import load_cartridge
from emubot.demos import image
from emubot.errors import UsageError
from emubot.pad import Pad, describe, legal
from emubot.text import counted

Faults = Iterator[str]
TOLD: Final = 4  # faults reported of each kind
_IN_A_ROW: Final = 8  # faultless frames in a row after which a cartridge counts as running
_BOOT: Final = 900  # frames
_RANDOM: Final = 64  # pads in lock step
_PRESSES: Final = 24  # presses out of lock step
_PATIENCE: Final = 30  # frames after which a press out of lock step counts as lost
_STEADY: Final = 3  # frames in a row in which a press that arrived must be read
_ON_TIME: Final = 0.75  # share of the presses out of lock step; facts: libretro 5, RetroArch 76 of 80
_LATEST: Final = 8  # latencies tried, in frames, when pads come late
_LEGAL: Final = [Pad(bits) for bits in range(256) if legal(Pad(bits))]
_BUTTONS: Final = [button for button in Pad if button]


@dataclass(frozen=True, slots=True)
class PadAddresses:
    """Where a cartridge keeps its clock and pads: CPU addresses of bytes in RAM.

    `clock` grows by one in each frame. `pads` hold what the game read from port 0 and port 1 in that frame, A in bit 7
    down to RIGHT in bit 0, on every screen of the game.
    """

    clock: int
    pads: tuple[int, int]

    @property
    def addresses(self) -> tuple[int, ...]:
        """All these addresses, in no particular order: the bytes that a `Remote` must follow."""
        return (*self.pads, self.clock)


# emubot/demos: frame_count and pad_held of ram.inc; frame_counter and held_buttons of the other demos' maps
DEMOS: Final = {
    "tetris": PadAddresses(0xB1, (0xF7, 0xF8)),
    "puyo": PadAddresses(0x10, (0x1A, 0x1B)),
    "capsules": PadAddresses(0x10, (0x1A, 0x1B)),
}


def demo_of(facts: BridgeFacts) -> PadAddresses:
    """Returns the layout of the running demo cartridge; raises UsageError if it is none or is not identified."""
    for name, observed in DEMOS.items():
        cartridge = load_cartridge(image(name))
        if facts.rom_identity in cartridge.digests:
            return observed
    raise UsageError(
        f"The bridge says that {facts.rom_identity or 'it cannot tell what'} runs: run a demo cartridge, "
        "or give check_bridge the addresses of your cartridge (observed)."
    )


class ClockedBridge:
    """A bridge whose frames are compared with the cartridge's own clock."""

    def __init__(self, bridge: Bridge, observed: PadAddresses) -> None:
        self.bridge = bridge
        self.facts = bridge.facts
        self.observed = observed
        self.alive = False
        self.epoch = bridge.epoch
        self.uneven: list[str] = []
        self.ram = b""
        self.gone = 0  # frames that the last `step` took
        self.settling = bridge.facts.latency + (1 if bridge.facts.lock_step else _PATIENCE)
        self._number: int | None = None

    def step(self) -> str | None:
        """Advance one frame and read all RAM; returns a fault of the frame's number, or None, and keeps it."""
        number = self.bridge.advance()
        before, self.ram = self.ram, self.bridge.read("ram", 0, RAM_SIZE)
        last, self._number = self._number, number
        self.gone = 1 if last is None else number - last
        wrong = None
        if last is not None and (self.gone < 1 or (self.gone != 1 and self.facts.lock_step)):
            wrong = f"the number of advance() went from {last} to {number}"
        elif before:
            clock = (self.ram[self.observed.clock] - before[self.observed.clock]) % 256
            if self.gone % 256 != clock:
                wrong = f"the number of advance() grew by {self.gone}, and the game's own clock by {clock}"
        if wrong:
            self.uneven.append(wrong)
        return wrong

    def come_alive(self) -> Faults:
        """Wait until the cartridge counts frames."""
        self.alive = False
        self.follow()
        row, known = 0, len(self.uneven)
        for _ in range(_BOOT):
            row = 0 if self.step() else row + 1
            if row > _IN_A_ROW:
                self.alive = True
                del self.uneven[known:]
                return
        why = self.uneven[-1] if self.uneven else "nothing was seen"
        yield f"no {_IN_A_ROW} frames in a row were even among {_BOOT}: {why}; is the cartridge running?"

    def became_another(self) -> None:
        """Forget the clock, because it may have jumped; the frame number must still be continuous."""
        self.ram = b""

    def hold(self, first: Pad, second: Pad) -> bytes:
        """Play one frame with these pads held; returns the RAM after it."""
        self.bridge.press(0, first)
        self.bridge.press(1, second)
        self.step()
        return self.ram

    def think(self, frames: int) -> None:
        """Sleep for the time of this number of frames."""
        time.sleep(frames / self.facts.frame_rate)

    def follow(self) -> None:
        """Make a `Remote` follow the clock and pads, and nothing else."""
        if isinstance(self.bridge, Remote):
            self.bridge.follow("ram", [(address, 1) for address in self.observed.addresses], self.observed.clock)

    @property
    def seen(self) -> tuple[int, int]:
        """The pads that the game read from both ports in the last frame."""
        first, second = self.observed.pads
        return self.ram[first], self.ram[second]

    @property
    def seen_in_words(self) -> str:
        """`seen` in words."""
        return " and ".join(f"{describe(Pad(bits))} from port {port}" for port, bits in enumerate(self.seen))


def released(watched: ClockedBridge) -> Faults:
    """Check that no button is held after a close with buttons held and a new connection."""
    for _ in range(watched.facts.latency + 1):
        watched.step()
    for _ in range(_IN_A_ROW):
        watched.step()
        if watched.seen != (0, 0):
            yield f"a bridge was closed with buttons held, and the next one's game read {watched.seen_in_words}"


def left_alone(watched: ClockedBridge) -> Faults:
    """Hold both ports and release one: only its buttons must go up, and a new press must hold it again."""
    for _ in range(watched.settling):
        watched.hold(Pad.LEFT, Pad.RIGHT)
    if watched.seen != (Pad.LEFT, Pad.RIGHT):
        yield f"LEFT and RIGHT were held on ports 0 and 1, and the game read {watched.seen_in_words}"
        return
    watched.bridge.release(0)
    for _ in range(watched.settling):
        watched.step()
    if watched.seen != (Pad.NONE, Pad.RIGHT):
        yield f"port 0 was released and port 1 held RIGHT, and the game read {watched.seen_in_words}"
    for _ in range(watched.settling):
        watched.hold(Pad.LEFT, Pad.RIGHT)
    if watched.seen != (Pad.LEFT, Pad.RIGHT):
        yield f"port 0 was pressed again after a release, and the game read {watched.seen_in_words}"


def held_or_tapped(watched: ClockedBridge, ports: tuple[int, ...], rng: np.random.Generator) -> Faults:
    """Press only these ports; the game must read every pad on time, and nothing else."""
    for _ in range(watched.settling):
        for port in ports:
            watched.bridge.press(port, Pad.NONE)
        watched.step()
    yield from _exact(watched, ports, rng) if watched.facts.lock_step else _about(watched, ports)
    for port in ports:
        watched.bridge.press(port, Pad.NONE)
    for _ in range(watched.settling):
        watched.step()
    if watched.seen != (0, 0):
        yield f"both ports were let go, and the game read {watched.seen_in_words}"


def _exact(watched: ClockedBridge, ports: tuple[int, ...], rng: np.random.Generator) -> Faults:
    """In lock step: in frame i the game must read the pads pressed for frame i - latency."""
    taps = [pad for button in _BUTTONS for pad in (button, Pad.NONE)]
    pressed = {port: taps + [_LEGAL[at] for at in rng.integers(len(_LEGAL), size=_RANDOM)] for port in ports}
    read: dict[int, list[int]] = {0: [], 1: []}
    for frame in range(len(taps) + _RANDOM):
        for port in ports:
            watched.bridge.press(port, pressed[port][frame])
        watched.step()
        for port in (0, 1):
            read[port].append(watched.seen[port])
    latency = watched.facts.latency
    for port in (0, 1):
        if port not in ports:
            yield from _untouched(port, read[port])
        elif (arrived := _shift(pressed[port], read[port], latency)) is None:
            pairs = zip(pressed[port], read[port][latency:], strict=False)
            wrong = [(pad, Pad(bits)) for pad, bits in pairs if pad != bits]
            pad, bits = wrong[0]
            yield (
                f"{len(wrong)} of {len(read[port])} pads pressed on port {port} were not what the game read after "
                f"{counted(latency, 'frame')}, first {describe(pad)}, read as {describe(bits)}"
            )
        elif arrived != latency:
            after = counted(arrived, "frame")
            yield f"a pad pressed on port {port} arrives after {after}, and facts.latency says {latency}"


def _shift(pressed: list[Pad], read: list[int], stated: int) -> int | None:
    """Returns the latency in frames that explains what the game read; None if no latency does."""
    fits = [late for late in (stated, *range(_LATEST)) if read[late:] == pressed[: len(read) - late]]
    return fits[0] if fits else None


def _untouched(port: int, read: list[int]) -> Faults:
    if touched := [bits for bits in read if bits]:
        yield f"port {port} was never pressed, and the game read {describe(Pad(touched[0]))} from it"


def _about(watched: ClockedBridge, ports: tuple[int, ...]) -> Faults:
    """Not in lock step: the game must read only what was pressed, lose no press, and read most of them on time."""
    took: list[int] = []
    presses = [pad for number in range(_PRESSES) for pad in (_BUTTONS[number % len(_BUTTONS)], Pad.NONE)]
    for before, wanted in zip([Pad.NONE, *presses], presses, strict=False):
        frames, fault = _arrival(watched, ports, before, wanted)
        if fault:
            yield fault
        elif frames is not None:
            took.append(frames - 1)
    latency = watched.facts.latency
    if 2 * len(took) < len(presses):
        yield f"only {len(took)} of {len(presses)} presses came without a missed frame: too few to judge by"
    elif took.count(latency) < _ON_TIME * len(took):
        usual = max(set(took), key=took.count)
        yield (
            f"{took.count(latency)} of {len(took)} presses arrived after the {counted(latency, 'frame')} of "
            f"facts.latency and most after {usual}: {100 * _ON_TIME:.0f} % must"
        )


def _arrival(watched: ClockedBridge, ports: tuple[int, ...], before: Pad, wanted: Pad) -> tuple[int | None, str]:
    """Press a pad and wait until the game reads it on all these ports, for several frames in a row.

    Returns the number of frames it took, or None if frames were missed meanwhile; and a fault, or "".
    """
    for port in ports:
        watched.bridge.press(port, wanted)
    frames, missed, steady = 0, False, 0
    for _ in range(_PATIENCE):
        watched.step()
        for port, bits in enumerate(watched.seen):
            if bits & ~(wanted | before if port in ports else 0):
                return None, f"{describe(Pad(bits))} was read from port {port}, where it was not pressed"
        arrived = all(watched.seen[port] == wanted for port in ports)
        if steady and not arrived:
            return None, f"{describe(wanted)} was held on, and the game then read {watched.seen_in_words}"
        steady += arrived
        if steady <= 1:
            frames += watched.gone
            missed |= watched.gone != 1
        if steady == _STEADY:
            return None if missed else frames, ""
    return None, f"{describe(wanted)} was pressed, and after {_PATIENCE} frames the game read {watched.seen_in_words}"
