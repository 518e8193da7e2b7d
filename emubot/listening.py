"""A socket that a server of this program listens on, who can reach it, and how it ends; knows no server of ours."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from emubot.errors import StorageError
from emubot.systems.sockets import keep_port
from emubot.text import printable

if TYPE_CHECKING:
    import uvicorn

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = ("0.0.0.0", "::")  # all addresses of this machine
_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # addresses that nobody has
_WAITING: Final = 128  # connections that nobody has accepted yet


def is_loopback(host: str) -> bool:
    """Returns whether an address is of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def outward(host: str) -> str | None:
    """Returns the address by which others reach a server that listens on `host`; None if this machine has none.

    Nothing is sent: the system is asked from which of its addresses it would.
    """
    if host not in EVERYWHERE:
        return None if is_loopback(host) else host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_ELSEWHERE[family], 9))
            found = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(found) or found in EVERYWHERE else found


def listen(host: str, port: int, who: str) -> socket.socket:
    """Returns a socket that listens there; port 0 takes a free one.

    Raises StorageError, which names `who` wanted to listen, if the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once (TCP_NODELAY) only on sockets that name their protocol; else a frame waits up to 40 ms for
    # the acknowledgement of the one before as soon as the page sends too.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        keep_port(made)
        made.bind((host, port))
        made.listen(_WAITING)
    except (OSError, OverflowError, TypeError, UnicodeError) as failure:
        made.close()
        why = getattr(failure, "strerror", None) or str(failure)
        raise StorageError(
            f"{who} cannot listen on {printable(host)}, port {port}: {why}; choose another --port or --host."
        ) from failure
    made.setblocking(False)
    return made


def without_signals(config: uvicorn.Config) -> uvicorn.Server:
    """Returns a server that leaves the signals to emubot: the first one ends the program in order."""
    import uvicorn

    class Server(uvicorn.Server):
        """Captures no signal."""

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    return Server(config)
