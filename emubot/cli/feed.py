"""`play --view web` and `play --feed`: a session for a page, here or behind pipes; decides nothing."""

from __future__ import annotations

import contextlib
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from io import FileIO
from typing import TYPE_CHECKING, Final

from emubot.cli import browser, common

if TYPE_CHECKING:
    from emubot.arena.orders import Order
    from emubot.arena.server import Arena
    from emubot.arena.wire import Input
    from emubot.pilot import Match
    from emubot.session import Session

_LENGTH: Final = struct.Struct("<I")  # as in arena/play_link.py
_LONGEST: Final = 1 << 16
_OVERLAY_PORT: Final = 7788


@contextlib.contextmanager
def piped(opened: Session, match: Match, human: int | None) -> Iterator[Callable[[], None]]:
    """Yields a function that plays one frame; what is seen goes to stdout, orders come from stdin."""
    from emubot.arena.feed import Feed

    writing = threading.Lock()
    out = sys.stdout.buffer

    def send(message: bytes) -> None:
        with writing:
            out.write(_LENGTH.pack(len(message)) + message)
            out.flush()

    feed = Feed(opened, match, send, human)
    threading.Thread(target=_listen, args=(feed.mail.put,), daemon=True).start()
    feed.open()

    def step() -> None:
        feed.step()
        if feed.closed and not match.finished:
            match.stop()
            match.result = "closed"

    yield step
    feed.close(match.result)


def _listen(hear: Callable[[Order | Input], None]) -> None:
    """Read orders until stdin ends, which is an order to end."""
    from emubot.arena.orders import Close, read_order
    from emubot.errors import UsageError

    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as source:  # a lock would outlive the interpreter
        while len(head := _read(source, _LENGTH.size)) == _LENGTH.size:
            (length,) = _LENGTH.unpack(head)
            if length > _LONGEST:
                break
            with contextlib.suppress(UsageError, ValueError):  # what nobody can order is passed over
                hear(read_order(_read(source, length)))
    hear(Close())


def _read(source: FileIO, length: int) -> bytes:
    """Returns this number of bytes, or fewer at the end."""
    data = b""
    while len(data) < length and (more := source.read(length - len(data))):
        data += more
    return data


def _arena(overlay: bool) -> Arena:
    """Returns the server; that of an overlay listens where it did last time, so that a stream finds it again."""
    from emubot.arena.server import Arena
    from emubot.errors import StorageError
    from emubot.listening import LOOPBACK

    if not overlay:
        return Arena(LOOPBACK)
    try:
        return Arena(LOOPBACK, _OVERLAY_PORT, overlay=True)
    except StorageError:
        common.say(f"emubot: port {_OVERLAY_PORT} is taken, so the overlay has another address this time.")
        return Arena(LOOPBACK, overlay=True)


@contextlib.contextmanager
def on_page(opened: Session, match: Match, human: int | None, overlay: bool = False) -> Iterator[Callable[[], None]]:
    """Yields a function that plays one frame, which pages at an address on this machine show.

    With `overlay` there is only the page for a stream, which no browser is opened for.
    """
    from emubot.arena.feed import Feed

    arena = _arena(overlay)
    link = arena.standing_session()
    feed = Feed(opened, match, link.receive, human)
    link.orders = feed.mail.put
    ready = threading.Event()
    thread = threading.Thread(target=arena.run, args=(ready.set,), daemon=True)
    thread.start()
    ready.wait()
    common.say(f"emubot: {'a browser source for your stream:' if overlay else 'watch at'} {arena.url}")
    feed.open()

    def step() -> None:
        feed.step()
        if feed.closed and not match.finished:
            match.stop()
            match.result = "closed"

    try:
        with contextlib.nullcontext() if overlay else browser.opened(arena.url):
            yield step
            feed.close(match.result)
    finally:
        arena.stop()
        thread.join(3)
