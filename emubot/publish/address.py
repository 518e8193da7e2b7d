"""Where NestrisChamps is: what `--publish` names, and the path with the secret; opens nothing.

Paths, from github.com/nestrischamps/nestrischamps (routes/websocket.js): /ws/room/producer/SECRET is one's own room,
and /ws/room/u/LOGIN/producer/SECRET the match room of somebody else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from emubot.errors import UsageError

_FORM: Final = re.compile(r"(wss?)://(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?(?:/u/([a-z0-9_-]+))?/?", re.ASCII)
_HIGHEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Address:
    """A server, and the login of whose room is joined; None: one's own."""

    scheme: str
    host: str  # with its port, if one is named
    login: str | None = None

    def url(self, secret: str) -> str:
        """Returns the address of a producer. It holds the secret: never show it."""
        room = "" if self.login is None else f"u/{self.login}/"
        return f"{self.scheme}://{self.host}/ws/room/{room}producer/{secret}"


def address_of(text: str) -> Address:
    """Returns the address that `--publish` names. Raises UsageError, without the text: it may hold a secret."""
    found = _FORM.fullmatch(text)
    if found is None or int((found[3] or ":1")[1:]) not in range(1, _HIGHEST_PORT + 1):
        raise UsageError(
            "--publish takes wss://HOST or ws://HOST, with :PORT if it has another, and with /u/LOGIN for the room of "
            "somebody else; the secret is not part of it."
        )
    return Address(found[1], f"{found[2]}{found[3] or ''}", found[4])
