"""Log messages about a running emulator: lost, back, standing still, moving again; the error of a lost connection."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from time import monotonic
from typing import Final

from emubot.errors import BridgeError

_LOG = logging.getLogger(__name__)
_FIRST: Final = (5.0, 15.0)  # seconds of standstill before the first two messages
_LATER: Final = 60.0  # seconds of standstill between later messages
_HEARD: Final = 60  # bytes read from an unknown peer
_MOMENT: Final = 1.0  # seconds for reading them


class ConnectionLost(BridgeError):
    """The connection to an emulator broke or is silent; it may be made again."""


def lost(reason: str) -> None:
    """Log that a connection is lost and is made again."""
    _LOG.warning("%s Connecting again.", reason)


def back(emulator: str) -> None:
    """Log that the connection is there again."""
    _LOG.warning("%s is there again: playing on.", emulator)


class Standstill:
    """Logs that a game stands still, less and less often, and once that it goes on."""

    def __init__(self, emulator: str, remedy: str) -> None:
        self._emulator, self._remedy = emulator, remedy
        self._since: float | None = None
        self._said = 0

    def waits(self) -> None:
        """Call this while no frame comes."""
        now = monotonic()
        if self._since is None:
            self._since = now
        due = _FIRST[self._said] if self._said < len(_FIRST) else _LATER * (self._said - len(_FIRST) + 1)
        if now - self._since >= due:
            self._said += 1
            _LOG.warning("The game in %s stands still: %s.", self._emulator, self._remedy)

    def moves(self) -> None:
        """Call this for every frame."""
        if self._said:
            _LOG.warning("The game in %s goes on.", self._emulator)
        self._since, self._said = None, 0


def overheard(peer: socket.socket, begun: bytes) -> bytes:
    """Returns the first bytes from a peer that does not answer as expected; `begun` are those already received.

    It closes the sending side of the connection first, because many servers answer only then.
    """
    due = monotonic() + _MOMENT
    with suppress(OSError):
        peer.shutdown(socket.SHUT_WR)
        while len(begun) < _HEARD and (left := due - monotonic()) > 0:
            peer.settimeout(left)
            data = peer.recv(_HEARD)
            if not data:
                break
            begun += data
    return begun[:_HEARD]
