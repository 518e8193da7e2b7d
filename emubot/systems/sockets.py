"""Options of sockets that systems have or lack, and the quickest way to wait for one."""

from __future__ import annotations

import select
import socket
import struct
import sys
from collections.abc import Callable


def reset_at_close(connected: socket.socket) -> None:
    """Let the connection be reset, not closed in good order, however this process ends."""
    kind = "hh" if sys.platform == "win32" else "ii"  # of struct linger
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(kind, 1, 0))


def keep_port(listening: socket.socket) -> None:
    """Let a server have its port again at once after its end, and let no other program have it meanwhile."""
    if sys.platform == "win32":  # where SO_REUSEADDR lets two programs have one port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def quick_acknowledgement() -> int | None:
    """Returns the option by which the system acknowledges at once what it receives; None where there is none."""
    if sys.platform == "linux":
        return socket.TCP_QUICKACK
    return None


def waiter(connected: socket.socket) -> Callable[[float], bool]:
    """Returns a function that waits for something to read, so many seconds at most, and returns whether it came."""
    if sys.platform == "win32":
        return lambda seconds: bool(select.select([connected], [], [], seconds)[0])
    poll = select.poll()
    poll.register(connected, select.POLLIN)
    return lambda seconds: bool(poll.poll(seconds * 1000))
