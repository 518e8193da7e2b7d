"""A page's connection: what waits to be sent to it, what it may send, and the table where it sits; knows no socket."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from emubot.arena.access import Role
from emubot.arena.limits import INPUTS_A_SECOND, TEXTS_A_SECOND, Allowance

if TYPE_CHECKING:
    from emubot.arena.tables import Table

_MOST_EVENTS: Final = 64  # waiting for one client


@dataclass(eq=False)
class PageConnection:
    """A connection. `outgoing` waits for `news`: all events, and of frames and pictures the newest ones only."""

    role: Role | None = None
    seat: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    table: Table | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    inputs: Allowance = field(default_factory=lambda: Allowance(INPUTS_A_SECOND))
    texts: Allowance = field(default_factory=lambda: Allowance(TEXTS_A_SECOND))
    _events: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_EVENTS))
    _shown: dict[bytes, bytes] = field(default_factory=dict)

    def tell(self, **words: Any) -> None:
        """Send an event."""
        self._events.append(json.dumps(words))
        self.news.set()

    def tell_all(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Send events."""
        for words in events:
            self.tell(**words)

    def show(self, message: bytes) -> None:
        """Send a frame or a picture; it replaces one of the same kind and number that still waits."""
        self._shown[kind_of(message)] = message
        self.news.set()

    def rise(self) -> None:
        """Leave the table: what it has shown and was not sent yet is nobody's any more."""
        self.table = None
        self._shown.clear()

    async def outgoing(self) -> list[str | bytes]:
        """Wait for news and return them, events first."""
        await self.news.wait()
        self.news.clear()
        messages: list[str | bytes] = [*self._events, *self._shown.values()]
        self._events.clear()
        self._shown.clear()
        return messages


def kind_of(message: bytes) -> bytes:
    """Returns what a newer message must have in common with this one to replace it: a picture has a number."""
    return message[:1] if message[:1] == b"\x01" else message[:2]
