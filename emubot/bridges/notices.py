"""What is said of a running emulator: lost, there again, standing still, going on; knows no emulator."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from time import monotonic
from typing import Final

_LOG = logging.getLogger(__name__)
_FIRST: Final = (5.0, 15.0)  # seconds of standing still after which it is said
_LATER: Final = 60.0  # and between two more sentences
_HEARD: Final = 60  # bytes of a stranger's first words
_MOMENT: Final = 1.0  # seconds for them


def lost(reason: str) -> None:
    """A connection is gone, and is made anew."""
    _LOG.warning("%s Connecting anew.", reason)


def back(emulator: str) -> None:
    """It was made."""
    _LOG.warning("%s is there again: playing on.", emulator)


class Standstill:
    """Says that a game stands still, ever more rarely, and once that it goes on."""

    def __init__(self, emulator: str, remedy: str) -> None:
        self._emulator, self._remedy = emulator, remedy
        self._since: float | None = None
        self._said = 0

    def waits(self) -> None:
        """Still no frame."""
        now = monotonic()
        if self._since is None:
            self._since = now
        due = _FIRST[self._said] if self._said < len(_FIRST) else _LATER * (self._said - len(_FIRST) + 1)
        if now - self._since >= due:
            self._said += 1
            _LOG.warning("The game in %s stands still: %s.", self._emulator, self._remedy)

    def moves(self) -> None:
        """A frame."""
        if self._said:
            _LOG.warning("The game in %s goes on.", self._emulator)
        self._since, self._said = None, 0


def overheard(peer: socket.socket, begun: bytes) -> bytes:
    """The first words of a peer that does not answer as expected, with what has come of them already.

    It is told that nothing more will be asked: many a server answers only then.
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
