"""A socket that a server of this program listens on, and who can reach it; knows no server."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

from emubot.errors import StorageError

LOOPBACK: Final = "127.0.0.1"
_WAITING: Final = 128  # connections that nobody has accepted yet


def is_loopback(host: str) -> bool:
    """Returns whether an address is of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int, who: str) -> socket.socket:
    """Returns a socket that listens there; port 0 takes a free one.

    Raises StorageError, which names `who` wanted to listen, if the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(_WAITING)
    except (OSError, OverflowError) as failure:
        made.close()
        why = getattr(failure, "strerror", None) or str(failure)
        raise StorageError(f"{who} cannot listen on {host}, port {port}: {why}; choose another --port.") from failure
    made.setblocking(False)
    return made
