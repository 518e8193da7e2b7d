"""Checks emulators for `emubot doctor`: opens each bridge and watches it for a while; never imports numba."""

from __future__ import annotations

import statistics
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from emubot.errors import CoreCrashed, CoreError, CoreNotFound, EmubotError, EmulatorNotFound
from emubot.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from emubot.bridges import Bridge, BridgeFacts

_SETTLES: Final = 1.0  # seconds before counting: attaching delays an emulator, which then runs faster to catch up
_WATCHED: Final = 3.0  # seconds in which frames are counted
_AT_FULL_SPEED: Final = 0.5  # seconds: hundreds of frames of an emulator that emubot starts without a speed limit
_READS: Final = 60
_PATIENCE: Final = 15.0  # seconds for the whole check of one emulator
_STARTED: Final = ("libretro", "cynes")  # emulators that emubot starts itself
_LATEST: Final = 8  # frames to wait for the effect of a press


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of the report; `good` None is a hint: nothing is broken."""

    name: str
    good: bool | None
    text: str


@dataclass(slots=True)
class _Watch:
    """What was measured in some frames of an emulator."""

    fps: float = 0.0  # the game's own frames per second
    read_ms: float = 0.0  # median time to read from the emulator what a frame of play reads
    latency: int | None = None  # measured in frames; None if it was not seen or nothing may be pressed
    failure: Exception | None = None
    done: bool = False


def bridge_findings(only: str | None = None, **where: Any) -> list[ReportLine]:
    """Returns one finding for each bridge except the simulated one, which needs nothing.

    `only` names the only running emulator to look for. `where` is the host and the port where it listens. A bridge
    whose core is missing or broken has no finding: the core has its own line.
    """
    from emubot.session.emulators import ATTACHED

    running = ATTACHED if only is None else (only,)
    found = [*(_started(name) for name in _STARTED), *(_running(name, where) for name in running)]
    return [finding for finding in found if finding is not None]


def _started(name: str) -> ReportLine | None:
    """Check a bridge whose emulator emubot starts: run the demo cartridge and press its pad to measure latency."""
    from emubot.bridges import open_bridge
    from emubot.bridges.hosted import open_hosted, why_not
    from emubot.cartridge import load_cartridge
    from emubot.demos import FIRST, image

    opener: Callable[..., Bridge] = open_hosted if why_not() is None else open_bridge
    try:
        bridge = opener(name, rom=load_cartridge(image(FIRST)), emu_speed=None)
    except CoreCrashed as crash:
        return ReportLine(name, False, str(crash))
    except (CoreNotFound, CoreError):
        return None  # the core has its own line
    except EmubotError as missing:
        return ReportLine(name, None, str(missing))
    return _watched(name, bridge, press=True)


def _running(name: str, where: dict[str, Any]) -> ReportLine | None:
    """Check a running emulator, if there is one; press nothing. None for one that is never at such a place."""
    from emubot.bridges import open_bridge, options_of, stop_awaiting

    if not where.keys() <= options_of(name):
        return None  # it is not to be found elsewhere
    try:
        bridge = open_bridge(name, **where)
    except EmulatorNotFound as missing:
        return ReportLine(name, None, str(missing))
    except EmubotError as wrong:
        return ReportLine(name, False, str(wrong))
    finally:
        stop_awaiting()
    return _watched(name, bridge, press=False)


def _watched(name: str, bridge: Bridge, press: bool) -> ReportLine:
    """Watch in a separate thread, because a paused emulator does not answer."""
    seen, facts = _Watch(), bridge.facts
    watching = threading.Thread(target=_watch, args=(bridge, seen, press), daemon=True)
    watching.start()
    watching.join(_PATIENCE)
    try:
        bridge.close()
    except EmubotError as failure:
        seen.failure = seen.failure or failure
    if not seen.done:
        return ReportLine(name, None, f"{facts.emulator} is there and its game stands still: let it run.")
    if seen.failure is not None:
        return ReportLine(name, False, str(seen.failure))
    latency = facts.latency if seen.latency is None else seen.latency
    text = (
        f"{facts.emulator}: latency {counted(latency, 'frame')}, read in {seen.read_ms:.2f} "
        f"ms, {seen.fps:,.0f} frames a second; {_cartridge(facts)}"
    )
    if latency != facts.latency:
        return ReportLine(name, False, f"{text}; the bridge says {facts.latency}: report this.")
    return ReportLine(name, True, text)


def _watch(bridge: Bridge, seen: _Watch, press: bool) -> None:
    try:
        _follow(bridge)
        first, started = _frames(bridge, 0.0 if press else _SETTLES)
        last, ended = _frames(bridge, _AT_FULL_SPEED if press else _WATCHED)
        seen.fps = (last - first) / (ended - started)
        seen.read_ms = statistics.median(_read(bridge) for _ in range(_READS)) * 1000
        seen.latency = _latency(bridge) if press else None
    except EmubotError as failure:
        seen.failure = failure
    finally:
        seen.done = True


def _frames(bridge: Bridge, seconds: float) -> tuple[int, float]:
    """Advance for this many seconds; return the number of the last frame and its time in seconds."""
    begun = time.perf_counter()
    while True:
        number, now = bridge.advance(), time.perf_counter()
        if now - begun >= seconds:
            return number, now


def _read(bridge: Bridge) -> float:
    """Returns the seconds needed to read what a frame of play reads."""
    from emubot.bridges import Rereadable

    bridge.advance()
    before = time.perf_counter()
    if isinstance(bridge, Rereadable):
        bridge.reread()
    else:
        bridge.read("ram", 0, 2048)
    return time.perf_counter() - before


def _follow(bridge: Bridge) -> None:
    """Follow memory as in play, so that a bridge without lock step counts the game's own frames."""
    from emubot.bridges.image import image_reader
    from emubot.rammap import map_for_identity

    with suppress(EmubotError):  # the finding reports an unknown cartridge
        ram_map = map_for_identity(bridge.facts.rom_identity)
        image_reader(bridge, ram_map.spaces, ram_map.used, ram_map.clock)


def _latency(bridge: Bridge) -> int | None:
    """Returns the frames from a press to its effect on the first demo cartridge; None if no effect is seen."""
    from emubot.bridges.checked_pads import DEMOS
    from emubot.demos import FIRST
    from emubot.pad import Pad

    pads = DEMOS[FIRST].pads[0]
    bridge.press(0, Pad.SELECT)
    found = next((n for n in range(_LATEST) if bridge.advance() and bridge.read("ram", pads, 1)[0] == Pad.SELECT), None)
    bridge.press(0, Pad.NONE)
    return found


def _cartridge(facts: BridgeFacts) -> str:
    """Returns a phrase: the running cartridge and its map, or the error if no map knows it."""
    from emubot.rammap import map_for_identity

    try:
        return f"cartridge {facts.rom_identity}, map {map_for_identity(facts.rom_identity).name}"
    except EmubotError as unknown:
        return str(unknown)
