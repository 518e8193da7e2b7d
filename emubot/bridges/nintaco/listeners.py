"""Who listens to what: a client's registrations, typed by kind, with numbers that stay through reconnections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emubot.bridges.nintaco.calls import Calls, within
from emubot.bridges.nintaco.events import (
    Access,
    AccessHandler,
    DotHandler,
    EventKind,
    Listener,
    PlainHandler,
    ScanlineHandler,
    SpriteZeroHandler,
    StatusHandler,
)


class Listeners(Calls):
    """Each `add_...` returns the listener's number, for `remove_listener`.

    Handlers run one at a time while the emulator stands still, and may make any call. What takes longer than a few
    milliseconds slows the game down and belongs into another thread. Of several listeners of one kind the one added
    last is called first. They may be added before `connect`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._listeners: dict[int, Listener] = {}
        self._next_listener = 0

    def add_activate_listener(self, handler: PlainHandler) -> int:
        """A machine has begun to run: the first event, also after another one was opened or a state loaded."""
        return self._add(EventKind.ACTIVATE, handler)

    def add_deactivate_listener(self, handler: PlainHandler) -> int:
        """The machine is gone, until the next activation there is nothing to read; called on a lost connection too."""
        return self._add(EventKind.DEACTIVATE, handler)

    def add_stop_listener(self, handler: PlainHandler) -> int:
        """The program server stops. The server known here ends the connection before it can tell (facts: 3.3)."""
        return self._add(EventKind.STOP, handler)

    def add_access_listener(
        self, handler: AccessHandler, access: Access, first: int, last: int | None = None, bank: int = -1
    ) -> int:
        """The CPU reads, writes or executes at an address of `first`..`last`; `bank` -1 means whatever is mapped there.

        The handler gets (access, address, value) and returns the byte to read or write instead, or UNCHANGED. Each
        hit costs a round trip.
        """
        within(first, 0, 0xFFFF, "An address")
        bounds = (Access(access), first, -1 if last is None else within(last, first, 0xFFFF, "The last address"), bank)
        return self._add(EventKind.ACCESS, handler, *bounds)

    def add_controllers_listener(self, handler: PlainHandler) -> int:
        """The pads are about to be probed for the next frame."""
        return self._add(EventKind.CONTROLLERS, handler)

    def add_frame_listener(self, handler: PlainHandler) -> int:
        """The picture is complete: scanline 240, before the vertical blank."""
        return self._add(EventKind.FRAME, handler)

    def add_scanline_listener(self, handler: ScanlineHandler, scanline: int) -> int:
        """A scanline begins; the handler gets its number."""
        return self._add(EventKind.SCANLINE, handler, scanline)

    def add_dot_listener(self, handler: DotHandler, scanline: int, dot: int) -> int:
        """The beam reaches a dot, 0-340, of a scanline, -1-311.

        The handler gets (scanline, dot, VRAM address, rendering).
        """
        return self._add(
            EventKind.DOT, handler, within(scanline, -1, 311, "A scanline"), within(dot, 0, 340, "A dot of a scanline")
        )

    def add_sprite_zero_listener(self, handler: SpriteZeroHandler) -> int:
        """Sprite 0 is hit; the handler gets (scanline, dot)."""
        return self._add(EventKind.SPRITE_ZERO, handler)

    def add_status_listener(self, handler: StatusHandler) -> int:
        """Somebody has something to say of the connection: the server, or this client when it is made and lost."""
        return self._add(EventKind.STATUS, handler)

    def remove_listener(self, number: int) -> None:
        """Listen no longer; harmless for a number that is gone."""
        listener = self._listeners.pop(number, None)
        if listener is not None and self._wire is not None:
            self._wire.queue(listener.removal)

    def _add(self, kind: EventKind, handler: Callable[..., Any], *body: int) -> int:
        listener = Listener(kind, self._next_listener, body, handler)
        self._next_listener += 1
        self._listeners[listener.id] = listener
        if self._wire is not None:
            self._wire.queue(listener.registration)
        return listener.id

    def _registrations(self) -> bytes:
        """All of them, as a new connection begins."""
        return b"".join(listener.registration for listener in self._listeners.values())

    def _tell(self, kind: EventKind, *values: object) -> None:
        """Call our own listeners of a kind, for what the server cannot say."""
        for listener in reversed(list(self._listeners.values())):
            if listener.kind is kind:
                listener.handler(*values)
