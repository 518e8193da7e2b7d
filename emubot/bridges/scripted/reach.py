"""Reaches an emulator's script: calls it, or waits for its call; knows no message."""

from __future__ import annotations

import select
import socket
from typing import Final

from emubot.bridges.scripted.host import ScriptHost
from emubot.bridges.scripted.streams import BizHawkStream, PlainStream, Stream
from emubot.errors import EmulatorNotFound

# Ports at which an emulator's call is awaited. They stay open from attempt to attempt: it calls once, when it starts.
_AWAITED: Final[dict[tuple[str, int], socket.socket]] = {}
_MET: Final[set[tuple[str, int]]] = set()  # those at which one has called: it may call again
_BACKLOG: Final = 4


def reach(host: ScriptHost, at: tuple[str, int], patience: float) -> Stream:
    """Returns a new connection to the script. Raises EmulatorNotFound if there is none at this moment."""
    connected = _awaited(host, at) if host.calls else _called(host, at, patience)
    # A frame is one small message each way, and must not wait for an acknowledgement of the one before.
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return BizHawkStream(connected) if host.calls else PlainStream(connected)


def _called(host: ScriptHost, at: tuple[str, int], patience: float) -> socket.socket:
    try:
        return socket.create_connection(at, timeout=patience)
    except OSError as failure:
        raise EmulatorNotFound(
            f"No {host.emulator} with emubot's script answers at {at[0]}:{at[1]} ({failure.strerror or failure}): "
            f"{host.load}."
        ) from None


def _awaited(host: ScriptHost, at: tuple[str, int]) -> socket.socket:
    if at not in _AWAITED:
        try:
            _AWAITED[at] = socket.create_server(at, backlog=_BACKLOG)
        except OSError as failure:
            raise EmulatorNotFound(
                f"{host.emulator} cannot be awaited at {at[0]}:{at[1]} ({failure.strerror or failure}): another emubot "
                "may wait there; end it, or choose another --port."
            ) from None
    server = _AWAITED[at]
    if not select.select([server], [], [], 0)[0]:
        raise EmulatorNotFound(f"No {host.emulator} has called at {at[0]}:{at[1]} yet: {host.load.format(port=at[1])}.")
    _MET.add(at)
    return server.accept()[0]


def stop_awaiting() -> None:
    """Close the ports at which none has called."""
    for at in [at for at in _AWAITED if at not in _MET]:
        _AWAITED.pop(at).close()
