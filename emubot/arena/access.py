"""Who may do what: the session's tokens, the names of this host, and the headers of each answer; knows no match."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from emubot.arena.qr import pictures_of
from emubot.listening import EVERYWHERE, is_loopback, outward

_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
_ALONE: Final = (
    "These links are for this machine alone, because its address in a network was not found: "
    "start emubot arena --host ADDRESS with the address by which others reach it."
)


class Role(Enum):
    """What the bearer of a token may do."""

    OWNER = "owner"  # everything
    PLAYER = "player"  # play the other side of a match
    SPECTATOR = "spectator"  # watch


@dataclass(frozen=True, slots=True)
class Access:
    """The tokens of a session and the addresses that it is served under.

    `host` is the address that the server listens on. The owner's token is made anew for each session. `anybody` is the
    role of those who have no token.
    """

    host: str
    port: int
    tokens: Mapping[Role, str] = field(default_factory=lambda: {role: secrets.token_urlsafe(24) for role in Role})

    anybody: Role | None = None

    def role_of(self, token: str) -> Role | None:
        """Returns the role of a token, None for a wrong one; takes the same time for every wrong one."""
        if not token:
            return self.anybody
        given = token.encode()
        found = [role for role, known in self.tokens.items() if hmac.compare_digest(known.encode(), given)]
        return found[0] if found else None

    def url(self, role: Role = Role.OWNER, query: str = "") -> str:
        """Returns the address to open on this machine. The token is in its fragment, which browsers never send."""
        return self._link(self._names[0], role, query)

    def invitations(self) -> dict[str, Any]:
        """Returns the links for guests; as pictures, too, if other machines can follow them."""
        found = outward(self.host)
        name = self._names[0] if found is None else _bracketed(found)
        links = {role.value: self._link(name, role) for role in (Role.PLAYER, Role.SPECTATOR)}
        codes: dict[str, Any] = {}
        if found is not None:
            codes = pictures_of(links)
        elif not is_loopback(self.host):
            codes = {"instead": _ALONE}
        return {**links, "overlay": self.url(Role.SPECTATOR, "?overlay"), **codes}

    def _link(self, name: str, role: Role, query: str = "") -> str:
        token = "" if role is self.anybody else f"#{self.tokens[role]}"
        return f"http://{name}:{self.port}/{query}{token}"

    def is_known_host(self, header: str | None) -> bool:
        """Returns whether a Host header names this server: a page of another name that leads here is refused."""
        if header is None:
            return False
        name, _, port = header.rpartition(":")
        return port == str(self.port) and self._is_known(name)

    def is_own_origin(self, header: str | None) -> bool:
        """Returns whether an Origin header is that of our own page."""
        return header is not None and header.startswith("http://") and self.is_known_host(header[len("http://") :])

    @property
    def headers(self) -> dict[str, str]:
        """The headers of each answer: nothing is loaded from elsewhere, nothing is framed, sniffed or referred."""
        return {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }

    @property
    def _names(self) -> tuple[str, ...]:
        if is_loopback(self.host) or self.host in EVERYWHERE:
            return _LOOPBACK_NAMES
        return (_bracketed(self.host), *_LOOPBACK_NAMES)

    def _is_known(self, name: str) -> bool:
        """A server that listens on all addresses is known by each number of one; names could lead from elsewhere."""
        if name in self._names:
            return True
        if self.host not in EVERYWHERE:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


def _bracketed(address: str) -> str:
    """Returns an address as it stands in a link."""
    return f"[{address}]" if ":" in address else address
