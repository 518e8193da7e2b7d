"""The events that Nintaco sends: kinds, payloads, registration of listeners.

Source: facts, Nintaco 3.4 and 3.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import Any, Final, NamedTuple

from emubot.bridges.nintaco.api.wire import call


class EventKind(IntEnum):
    """The kinds of events; the value is also the id of the call that adds a listener."""

    ACTIVATE = 1
    DEACTIVATE = 3
    STOP = 5
    ACCESS = 9
    CONTROLLERS = 11
    FRAME = 13
    SCANLINE = 15
    DOT = 17
    SPRITE_ZERO = 19
    STATUS = 21


class AccessKind(IntEnum):
    """What the CPU does at an access point; the byte's value is known at POST_READ, PRE_WRITE and POST_WRITE."""

    PRE_READ = 0
    POST_READ = 1
    PRE_WRITE = 2
    POST_WRITE = 3
    PRE_EXECUTE = 4
    POST_EXECUTE = 5


class Event(NamedTuple):
    """One event. The emulator stands still until it is answered.

    `values`: ACCESS (what, address, value), SCANLINE (scanline,), DOT (scanline, dot, VRAM address, rendering as 0 or
    1), SPRITE_ZERO (scanline, dot), otherwise (). Only a STATUS event has a `text`.
    """

    kind: EventKind
    listener: int
    values: tuple[int, ...] = ()
    text: str = ""


PAYLOAD: Final[dict[int, Struct]] = {
    EventKind.ACTIVATE: Struct(">"),
    EventKind.DEACTIVATE: Struct(">"),
    EventKind.STOP: Struct(">"),
    EventKind.ACCESS: Struct(">iii"),
    EventKind.CONTROLLERS: Struct(">"),
    EventKind.FRAME: Struct(">"),
    EventKind.SCANLINE: Struct(">i"),
    EventKind.DOT: Struct(">iii?"),
    EventKind.SPRITE_ZERO: Struct(">ii"),
}

PlainHandler = Callable[[], object]
AccessHandler = Callable[[AccessKind, int, int], int]
ScanlineHandler = Callable[[int], object]
DotHandler = Callable[[int, int, int, bool], object]
SpriteZeroHandler = Callable[[int, int], object]
StatusHandler = Callable[[str], object]
UNCHANGED: Final = -1  # an AccessHandler's answer that keeps the value


@dataclass(frozen=True, slots=True)
class Listener:
    """A registration, kept to be sent again after a reconnection; `handler` fits the kind."""

    kind: EventKind
    id: int
    body: tuple[int, ...]
    handler: Callable[..., Any]

    @property
    def registration(self) -> bytes:
        """The call that adds the listener."""
        return call(self.kind, self.id, *self.body)

    @property
    def removal(self) -> bytes:
        """The call that removes the listener."""
        return call(self.kind + 1, self.id)

    def handle(self, event: Event) -> int:
        """Call the handler; returns its answer for an access, UNCHANGED for all other events."""
        kind = event.kind
        if kind is EventKind.ACCESS:
            what, address, value = event.values
            return int(self.handler(AccessKind(what), address, value))
        if kind is EventKind.DOT:
            scanline, dot, address, rendering = event.values
            self.handler(scanline, dot, address, bool(rendering))
        elif kind is EventKind.STATUS:
            self.handler(event.text)
        else:
            self.handler(*event.values)
        return UNCHANGED
