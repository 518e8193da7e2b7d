"""A connection that is closed if its question does not come in time; knows no answer.

The server's own protocol closes a connection that is silent after an answer, and waits forever for the first question
and for the end of a head. A few hundred of those would leave no place for anybody else.
"""

from __future__ import annotations

import asyncio
import json
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE: Final = 10.0  # seconds in which a question must have come: its head, and then its body
TOO_SLOW: Final = 408


def too_slow() -> dict[str, str]:
    """Returns what a client is told whose question took too long to come."""
    return {"error": f"The question took more than {PATIENCE:g} seconds."}


class Connection(H11Protocol):
    """HTTP/1.1, with a limit of time for the head of each question."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first question."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Take a part of a question; the limit counts from the first part of its head."""
        asked = self.cycle
        super().data_received(data)
        if self.cycle is not asked:
            self._end()
        elif self._limit is None and (asked is None or asked.response_complete):
            self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        self._limit = self.loop.call_later(PATIENCE, self._refuse)

    def _end(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _refuse(self) -> None:
        said = json.dumps(too_slow()).encode()
        head = [
            f"HTTP/1.1 {TOO_SLOW} Request Timeout",
            "content-type: application/json",
            f"content-length: {len(said)}",
            "connection: close",
        ]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + said)
        self.transport.close()
