"""A client's listeners, typed by kind, with numbers that stay the same after a reconnection; knows no socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emubot.bridges.nintaco.api.calls import Calls, within
from emubot.bridges.nintaco.api.events import (
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
    """Each `add_...` method returns the listener's number for `remove_listener`.

    Handlers run one at a time while the emulator stands still, and may make any call. Work of more than a few
    milliseconds slows the game down; do it in another thread. If there are several listeners of one kind, the last one
    added is called first. Listeners may be added before `connect`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._listeners: dict[int, Listener] = {}
        self._next_listener = 0

    def add_activate_listener(self, handler: PlainHandler) -> int:
        """Add a handler for the first event of a machine, also after another one was opened or a state loaded."""
        return self._add(EventKind.ACTIVATE, handler)

    def add_deactivate_listener(self, handler: PlainHandler) -> int:
        """Add a handler for the loss of the machine or connection; until the next activation nothing can be read."""
        return self._add(EventKind.DEACTIVATE, handler)

    def add_stop_listener(self, handler: PlainHandler) -> int:
        """Add a handler for the program server's stop; the known server disconnects before sending it (facts: 3.3)."""
        return self._add(EventKind.STOP, handler)

    def add_access_listener(
        self, handler: AccessHandler, access: Access, first: int, last: int | None = None, bank: int = -1
    ) -> int:
        """Add a handler for the CPU's accesses to an address of `first`..`last`; `bank` -1 means any bank.

        The handler gets (access, address, value) and returns the byte to read or write instead, or UNCHANGED. Each
        call costs a round trip.
        """
        within(first, 0, 0xFFFF, "An address")
        bounds = (Access(access), first, -1 if last is None else within(last, first, 0xFFFF, "The last address"), bank)
        return self._add(EventKind.ACCESS, handler, *bounds)

    def add_controllers_listener(self, handler: PlainHandler) -> int:
        """Add a handler that is called before the pads are probed for the next frame."""
        return self._add(EventKind.CONTROLLERS, handler)

    def add_frame_listener(self, handler: PlainHandler) -> int:
        """Add a handler for a complete picture: at scanline 240, before the vertical blank."""
        return self._add(EventKind.FRAME, handler)

    def add_scanline_listener(self, handler: ScanlineHandler, scanline: int) -> int:
        """Add a handler for the start of a scanline; it gets the scanline's number."""
        return self._add(EventKind.SCANLINE, handler, scanline)

    def add_dot_listener(self, handler: DotHandler, scanline: int, dot: int) -> int:
        """Add a handler for the moment when the beam reaches a dot (0 to 340) of a scanline (-1 to 311).

        The handler gets (scanline, dot, VRAM address, rendering).
        """
        return self._add(
            EventKind.DOT, handler, within(scanline, -1, 311, "A scanline"), within(dot, 0, 340, "A dot of a scanline")
        )

    def add_sprite_zero_listener(self, handler: SpriteZeroHandler) -> int:
        """Add a handler for a sprite 0 hit; it gets (scanline, dot)."""
        return self._add(EventKind.SPRITE_ZERO, handler)

    def add_status_listener(self, handler: StatusHandler) -> int:
        """Add a handler for texts about the connection: from the server, and from this client on connect and loss."""
        return self._add(EventKind.STATUS, handler)

    def remove_listener(self, number: int) -> None:
        """Remove a listener; harmless if it is removed already."""
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
        """Returns the calls that register all listeners on a new connection."""
        return b"".join(listener.registration for listener in self._listeners.values())

    def _tell(self, kind: EventKind, *values: object) -> None:
        """Call the listeners of a kind for an event that the server does not send."""
        for listener in reversed(list(self._listeners.values())):
            if listener.kind is kind:
                listener.handler(*values)
