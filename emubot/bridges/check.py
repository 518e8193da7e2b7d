"""check_bridge: checks that a bridge keeps the promises of the Bridge protocol.

It is for authors of a bridge, like Gymnasium's check_env: run it in your tests, on an emulator that runs one of
emubot's demo cartridges (`emubot.demos.image`). It reads a frame counter and the pads that the cartridge read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np

from emubot.bridges.checked_pads import (
    TOLD,
    ClockedBridge,
    Faults,
    PadAddresses,
    demo_of,
    held_or_tapped,
    left_alone,
    released,
)
from emubot.bridges.protocol import RAM_SIZE, WRAM, Bridge, BridgeFacts, Remote
from emubot.errors import BridgeClosed, EmubotError, UsageError
from emubot.pad import Pad

RATES: Final = {"NTSC": 60.0988, "PAL and Dendy": 50.007}  # frames a second; NES hardware reference: clock rates
_IDENTITY: Final = r"[0-9A-F]{40}|[0-9A-F]{32}|(file:)?[0-9A-F]{8}|simulated:\S+"  # SHA-1, MD5, CRC32
_THINKING: Final = 3  # frames of pause between two reads of one frame
_REPLAYED: Final = 30  # frames played after a save and again after its load


class BridgeCheckError(EmubotError):
    """A bridge breaks the protocol: one line for each fault."""


def check_bridge(make: Callable[[], Bridge], observed: PadAddresses | None = None, seed: int = 0) -> None:
    """Check a bridge. Raises BridgeCheckError with all faults; errors of `make` pass through.

    `make` connects to an emulator that runs a demo cartridge. It is called twice, the second time after the first
    bridge was closed with buttons held. If it attaches to a running emulator, it must be the same one both times.
    `observed` says where the cartridge keeps its clock and pads. None selects the demo cartridge that
    `facts.rom_identity` names, and raises UsageError if it names none. `seed` determines the pads pressed.

    In lock step each pad must arrive after exactly `facts.latency` frames. Otherwise three of four presses must do so,
    not counting presses during which a frame was missed, and every press must arrive within half a second.
    """
    faults: list[str] = []
    bridge = make()
    try:
        facts = bridge.facts
        faults += _spoken("facts", lambda: _facts(bridge, facts))
        if faults:
            raise BridgeCheckError("\n".join(faults))
        looked_at = observed or demo_of(facts)
        first = ClockedBridge(bridge, looked_at)
        faults += _first(first, seed)
    finally:
        faults += _spoken("close", lambda: _close(bridge))
    if first.alive:
        bridge = make()
        try:
            faults += _second(ClockedBridge(bridge, looked_at), seed)
        finally:
            bridge.close()
    if faults:
        raise BridgeCheckError("\n".join(faults))


def _first(watched: ClockedBridge, seed: int) -> list[str]:
    """Run all checks before the close; buttons are held on both ports at the end."""
    rng = np.random.default_rng(seed)
    faults = []
    if isinstance(watched.bridge, Remote):
        faults += _spoken("follow", lambda: _follow(watched))
    faults += _spoken("frames", watched.come_alive)
    if not watched.alive:
        return faults
    faults += _spoken("ports", lambda: held_or_tapped(watched, (0,), rng))
    faults += _spoken("refusals", lambda: _refusals(watched))
    faults += _spoken("ports", lambda: held_or_tapped(watched, (0, 1), rng))
    faults += _spoken("release", lambda: left_alone(watched))
    faults += _spoken("reads", lambda: _reads(watched))
    faults += _spoken("epoch", lambda: _epoch(watched))
    if watched.facts.save_states:
        faults += _spoken("states", lambda: _states(watched, rng))
    if callable(getattr(watched.bridge, "reset", None)):
        faults += _spoken("reset", lambda: _reset(watched))
    faults += _spoken("frames", lambda: iter(watched.uneven))
    with suppress(EmubotError):  # the checks above have reported it
        watched.hold(Pad.A | Pad.RIGHT, Pad.B | Pad.LEFT)
    return faults


def _second(watched: ClockedBridge, seed: int) -> list[str]:
    """Check a second bridge: no button is held any more, and port 1 works alone."""
    faults = _spoken("frames of the second bridge", watched.come_alive)
    if watched.alive:
        faults += _spoken("close", lambda: released(watched))
        faults += _spoken("ports", lambda: held_or_tapped(watched, (1,), np.random.default_rng(seed)))
        faults += _spoken("frames of the second bridge", lambda: iter(watched.uneven))
    return faults


def _spoken(kind: str, faults: Callable[[], Iterator[str]]) -> list[str]:
    """Returns the first faults of a kind as sentences; an exception counts as a fault."""
    spoken: list[str] = []
    try:
        spoken += islice(faults(), TOLD)
    except EmubotError as failure:
        spoken.append(f"raised {type(failure).__name__}: {failure}")
    except Exception as failure:  # third-party code: any exception is a fault
        spoken.append(f"raised {type(failure).__name__} ({failure}), and errors must be emubot's own (emubot.errors)")
    return [f"{kind}: {fault.rstrip('.')}." for fault in dict.fromkeys(spoken)]


def _facts(bridge: Any, facts: BridgeFacts) -> Faults:
    """Check the bridge's facts about itself."""
    names = ("facts", "epoch", "advance", "read", "view", "press", "close")
    if missing := [name for name in names if not hasattr(bridge, name)]:
        yield f"the bridge has no {', '.join(missing)}"
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", str(facts.name)):
        yield f"name {facts.name!r} must be a word of small letters, digits and -, as after --bridge"
    if not facts.emulator or "\n" in facts.emulator:
        yield f"emulator {facts.emulator!r} must be a line of text: the program and its version"
    if not isinstance(facts.latency, int) or facts.latency < 0:
        yield f"latency {facts.latency!r} must be a whole number of frames, 0 or more"
    if not any(abs(facts.frame_rate / rate - 1) < 0.001 for rate in RATES.values()):
        known = ", ".join(f"{rate} ({name})" for name, rate in RATES.items())
        yield f"frame_rate {facts.frame_rate!r} must be the console's own: {known}"
    if facts.spaces.get("ram") != (0, RAM_SIZE):
        yield f"spaces must have ram at (0, {RAM_SIZE}), and have {dict(facts.spaces)}"
    if facts.spaces.get("wram", WRAM) != WRAM:
        yield f"spaces must have wram at {WRAM} or not at all, and have {dict(facts.spaces)}"
    for name, (base, size) in facts.spaces.items():
        if base < 0 or size < 1 or base + size > 0x10000:
            yield f"the space {name} at ({base}, {size}) does not lie in the CPU's 64 KiB"
    if facts.rom_identity is not None and not re.fullmatch(_IDENTITY, facts.rom_identity):
        yield f"rom_identity {facts.rom_identity!r} must be a SHA-1, MD5 or CRC32 in upper case, simulated:..., or None"


def _follow(watched: ClockedBridge) -> Faults:
    """Check that followed bytes are in their places, others read as 0, and bytes outside a space are refused."""
    follow = watched.bridge.follow  # type: ignore[attr-defined]
    watched.bridge.advance()
    if len(watched.bridge.read("ram", watched.observed.clock, 1)) != 1:
        yield "until follow is called, a read must be answered on demand"
    yield from _refused("follow of a space that is not there", lambda: follow("no such space", [(0, 1)], None))
    yield from _refused("follow of 2 bytes from $07FF", lambda: follow("ram", [(RAM_SIZE - 1, 2)], None))
    follow("ram", [(0, RAM_SIZE)], watched.observed.clock)
    watched.bridge.advance()
    watched.follow()
    watched.bridge.advance()
    ram = watched.bridge.read("ram", 0, RAM_SIZE)
    if stray := [at for at, byte in enumerate(ram) if byte and at not in watched.observed.addresses]:
        yield f"bytes that are not followed must read as 0, and ${stray[0]:04X} was {ram[stray[0]]:#04x}"


def _refusals(watched: ClockedBridge) -> Faults:
    """Check that impossible calls raise UsageError and change nothing."""
    bridge = watched.bridge
    calls: list[tuple[str, Callable[[], object]]] = [
        ("press(2, Pad.A)", lambda: bridge.press(2, Pad.A)),
        ("press(-1, Pad.A)", lambda: bridge.press(-1, Pad.A)),
        ("press(0, LEFT+RIGHT)", lambda: bridge.press(0, Pad.LEFT | Pad.RIGHT)),
        ("press(1, UP+DOWN)", lambda: bridge.press(1, Pad.UP | Pad.DOWN)),
        ("read of a space that is not there", lambda: bridge.read("no such space", 0, 1)),
    ]
    for space, (base, size) in watched.facts.spaces.items():
        for address, length in ((base + size - 1, 2), (base + size, 1), (base - 1, 1), (base, -1)):
            calls.append((f"read({space!r}, {address}, {length})", partial(bridge.read, space, address, length)))
    for what, call in calls:
        yield from _refused(what, call)
    with suppress(UsageError):
        if bridge.view("no such space") is not None:
            yield "view of a space that is not there must raise a UsageError, or give None where there are no views"
    for _ in range(watched.settling):
        watched.step()
        if watched.seen != (0, 0):
            yield f"a press that was refused must change nothing, and the game read {watched.seen_in_words}"


def _refused(what: str, call: Callable[[], object]) -> Faults:
    try:
        call()
    except UsageError:
        return
    except Exception as failure:  # third-party code: any exception is a fault
        yield f"{what} must raise a UsageError, not {type(failure).__name__}"
    else:
        yield f"{what} must raise a UsageError"


def _reads(watched: ClockedBridge) -> Faults:
    """Check that all reads between two calls of `advance` are of one frame, however long the pause between them."""
    bridge, observed = watched.bridge, watched.observed
    for _ in range(8):
        watched.step()
        block = watched.ram
        if type(block) is not bytes or len(block) != RAM_SIZE:
            yield f"read('ram', 0, {RAM_SIZE}) must give {RAM_SIZE} bytes, not {len(block)} of {type(block).__name__}"
            return
        watched.think(_THINKING)
        if bridge.read("ram", 0, RAM_SIZE) != block:
            yield f"two reads between two frames differ after {_THINKING} frames' time: reads must be of one frame"
        for address in observed.addresses:
            if bridge.read("ram", address, 1) != block[address : address + 1]:
                yield f"a read of the byte ${address:04X} differs from the same byte in a read of all the RAM"
        if (view := bridge.view("ram")) is None:
            continue
        if view.dtype != np.uint8 or view.shape != (RAM_SIZE,) or view.flags.writeable:
            yield f"view('ram') must be a read-only uint8 array of {RAM_SIZE} bytes"
        elif view.tobytes() != block:
            yield "view('ram') differs from read('ram'): it must follow the game"
    for space, (base, size) in watched.facts.spaces.items():
        if len(bridge.read(space, base, size)) != size:
            yield f"read({space!r}, {base}, {size}) must give {size} bytes"


def _epoch(watched: ClockedBridge) -> Faults:
    if watched.epoch != watched.bridge.epoch:
        yield f"it went from {watched.epoch} to {watched.bridge.epoch}, and nothing but pads and frames happened"
    if watched.bridge.facts != watched.facts:
        yield "facts changed while the bridge was open"


def _states(watched: ClockedBridge, rng: np.random.Generator) -> Faults:
    """Check that a state restores the machine, the frame number goes on, and invalid bytes are refused without harm."""
    bridge: Any = watched.bridge
    pads = [Pad(int(bits)) for bits in rng.choice([0, 0x80, 0x40, 1, 2, 4, 8], size=_REPLAYED)]
    for _ in range(watched.settling):
        watched.hold(Pad.NONE, Pad.NONE)
    state, epoch = bridge.save(), bridge.epoch
    first = [watched.hold(pad, Pad.NONE) for pad in pads]
    for _ in range(watched.settling):
        watched.hold(Pad.NONE, Pad.NONE)
    bridge.load(state)
    watched.became_another()
    again = [watched.hold(pad, Pad.NONE) for pad in pads]
    if bridge.epoch <= epoch:
        yield "epoch must grow when a state is loaded"
    if watched.facts.lock_step and again != first:
        frame = next(at for at, (number, other) in enumerate(zip(first, again, strict=True)) if number != other)
        yield f"the same pads after load gave another RAM from frame {frame + 1} on: save and load must keep everything"
    try:
        bridge.load(b"no state")
    except EmubotError:
        pass
    else:
        yield "load must refuse what is no state with an error of emubot (StateError)"
    watched.step()


def _reset(watched: ClockedBridge) -> Faults:
    epoch = watched.bridge.epoch
    watched.bridge.reset()  # type: ignore[attr-defined]
    watched.became_another()
    yield from watched.come_alive()
    if watched.bridge.epoch <= epoch:
        yield "epoch must grow at a reset"


def _close(bridge: Bridge) -> Faults:
    """Check that a bridge can be closed twice and cannot advance after that."""
    bridge.close()
    bridge.close()
    try:
        bridge.advance()
    except BridgeClosed:
        return
    except Exception as failure:  # third-party code: any exception is a fault
        yield f"advance after close must raise a BridgeClosed, not {type(failure).__name__}"
    else:
        yield "advance after close must raise a BridgeClosed"
