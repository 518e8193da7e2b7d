"""Messages between a parent and its child, each a JSON header and bytes, always whole."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any, Final

from emubot import errors
from emubot.errors import EmubotError

_HEAD: Final = struct.Struct("<II")  # lengths in bytes of the header and the payload
_LARGEST: Final = 64 << 20

Message = tuple[dict[str, Any], bytes]


def send(connection: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one message. Raises OSError, TimeoutError included."""
    text = json.dumps(header).encode()
    connection.sendall(_HEAD.pack(len(text), len(payload)) + text + payload)


def receive(connection: socket.socket) -> Message:
    """Returns the next message. Raises OSError (TimeoutError included), EOFError if the other end is gone."""
    header, payload = _HEAD.unpack(_exactly(connection, _HEAD.size))
    if header + payload > _LARGEST:
        raise EOFError(f"a message of {header + payload:,} bytes is longer than any of emubot's")
    text = _exactly(connection, header)
    return json.loads(text), _exactly(connection, payload)


def error_header(error: Exception) -> dict[str, Any]:
    """Returns a header that describes an error in the child; it keeps the type of emubot's own errors."""
    kind = type(error).__name__ if isinstance(error, EmubotError) else None
    return {"error": kind, "sentence": str(error) if kind else f"{type(error).__name__}: {error}"}


def raise_error(header: dict[str, Any]) -> None:
    """Raise the error that the header describes, if any; an error that is not emubot's own becomes a RuntimeError."""
    if "error" not in header:
        return
    kind = getattr(errors, str(header["error"]), None)
    if isinstance(kind, type) and issubclass(kind, EmubotError):
        raise kind(header["sentence"])
    raise RuntimeError(header["sentence"])


def _exactly(connection: socket.socket, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        more = connection.recv(min(length - len(received), 1 << 20))
        if not more:
            raise EOFError("the other end is gone")
        received += more
    return bytes(received)
