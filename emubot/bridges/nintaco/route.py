"""Chooses the pads' route to the game and measures its latency, in a few frames with no button pressed.

There are two routes (facts, Nintaco 4). *Access*: the bridge answers the game's own reads of $4016 and $4017. They come
after the frame event, so a pad takes effect in the next frame; each read costs a round trip. *Frame*: buttons are
written in the frame event and take effect at the next probe of the pads. If the game reads before that probe, it uses
them one frame later.

The measurement watches a few frames and changes nothing. It records the time of a frame, and the order of the frame
event, the strobes, the reads and the probe. The order gives the latency of each route. The time shows whether the round
trips slow the game down.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

from emubot.bridges.nintaco.api.client import Client
from emubot.bridges.nintaco.api.events import UNCHANGED, AccessKind, Event, EventKind
from emubot.bridges.nintaco.ports import JOY_1, JOY_2
from emubot.bridges.notices import ConnectionLost

Route = Literal["access", "frame"]
RouteName = Literal["auto", "access", "frame"]
ROUTES: Final = ("auto", "access", "frame")

FRAMES: Final = 20  # watched without and then with the pads' listeners: a third of a second each
_FULL_READ: Final = 8  # reads of a port that return all its buttons
_SLOWER: Final = 1.1  # a frame may take this many times as long with the round trips
_WITHIN: Final = 5.0  # seconds within which the frames must come


@dataclass(frozen=True, slots=True)
class RouteMeasurement:
    """The measurement of some frames.

    `alone` and `watched` are the median seconds of a frame without and with the round trips of the pads' reads.
    `frames` has for each frame the order of strobes `S`, reads `R` of $4016 and the probe `P`.
    """

    alone: float
    watched: float
    frames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteChoice:
    """A route and its latency, the frames from a press to its effect."""

    route: Route
    latency: int


def choose(observed: RouteMeasurement, wanted: RouteName = "auto") -> RouteChoice:
    """Returns the wanted route. "auto" gives access, unless the game reads its pads otherwise or becomes slower."""
    reading = [order for order in observed.frames if order.partition("S")[2].count("R") >= _FULL_READ]
    probed_first = bool(reading) and all("P" in order[: order.index("R")] for order in reading)
    frame = RouteChoice("frame", 0 if probed_first else 1)
    access = RouteChoice("access", 0)
    if wanted != "auto":
        return access if wanted == "access" else frame
    readable = 2 * len(reading) > len(observed.frames)
    return access if readable and observed.watched <= _SLOWER * observed.alone else frame


def observe(client: Client, frames: int = FRAMES) -> RouteMeasurement:
    """Measure a running game; a frame event must be held before, and another one is held after."""
    alone = _watch(client, frames)[0]
    listeners = [
        client.add_controllers_listener(ignore_event),
        client.add_access_listener(ignore_access, AccessKind.PRE_WRITE, JOY_1),
        client.add_access_listener(ignore_access, AccessKind.PRE_READ, JOY_1, JOY_2),
    ]
    try:
        watched, orders = _watch(client, frames)
    finally:
        for listener in listeners:
            client.remove_listener(listener)
    return RouteMeasurement(alone, watched, orders)


def _watch(client: Client, frames: int) -> tuple[float, tuple[str, ...]]:
    """Returns the median time of a frame in seconds, and each frame's order of events."""
    times, orders = [], []
    limit = time.monotonic() + _WITHIN
    for _ in range(frames):
        started = time.perf_counter()
        orders.append(_one_frame(client, limit))
        times.append(time.perf_counter() - started)
    return median(times), tuple(orders)


def _one_frame(client: Client, limit: float) -> str:
    """Returns the order of events from the held frame event to the next one."""
    order = ""
    while True:
        client.answer()
        event = client.poll(max(limit - time.monotonic(), 0.0))
        if event is None:
            raise ConnectionLost("Nintaco's frames stopped while their timing was measured: end its pause.")
        if event.kind is EventKind.FRAME:
            return order
        order += _letter(event)


def _letter(event: Event) -> str:
    if event.kind is EventKind.CONTROLLERS:
        return "P"
    if event.kind is not EventKind.ACCESS:
        return ""
    what, address, value = event.values
    if what == AccessKind.PRE_WRITE:
        return "S" if value & 1 else ""
    return "R" if address == JOY_1 else ""


def ignore_event() -> None:
    """A handler that does nothing, for events that are polled."""


def ignore_access(access: AccessKind, address: int, value: int) -> int:
    """A handler that leaves an access unchanged, for events that are polled."""
    return UNCHANGED
