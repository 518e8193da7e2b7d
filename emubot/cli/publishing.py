"""`play --publish`: shows the first player's game on NestrisChamps; says what happens to the link, decides nothing."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from emubot.cli import common
from emubot.errors import UsageError

if TYPE_CHECKING:
    from emubot.games.edition import Edition
    from emubot.pilot import Match, Pilot
    from emubot.publish.address import Address
    from emubot.publish.frame import Frame
    from emubot.publish.link import Link
    from emubot.session import Session
    from emubot.snapshot import Snapshot

_PLAYER: Final = 0  # of both, and of two consoles the first: a producer shows one player


def add_option(watch: argparse._ArgumentGroup) -> None:
    """Add `--publish`."""
    watch.add_argument(
        "--publish",
        metavar="wss://HOST",
        help="show player 1's game of falling blocks on a NestrisChamps server, in your own room or, with "
        "wss://HOST/u/LOGIN, in LOGIN's; your secret is in EMUBOT_NTC_SECRET or in a file "
        "(docs/how-to/nestrischamps.md)",
    )


def check(options: argparse.Namespace) -> None:
    """Raise UsageError, before anything is opened, for an address or a secret that cannot be."""
    if options.publish is not None:
        from emubot import extras
        from emubot.publish.address import address_of
        from emubot.publish.secret import secret

        address_of(options.publish)
        extras.PUBLISH.require()
        secret()


@contextlib.contextmanager
def published(opened: Session, match: Match, options: argparse.Namespace) -> Iterator[None]:
    """Shows the frames that are played meanwhile. Raises UsageError for another game, PublishError without a link."""
    if options.publish is None:
        yield
        return
    from emubot.publish.address import address_of
    from emubot.publish.link import Link
    from emubot.publish.secret import secret

    broadcast = opened.edition.broadcast
    if broadcast is None:
        raise UsageError(
            "--publish shows falling blocks on a board of 20 rows and 10 columns, with the usual pieces: leave it out "
            f"for {opened.title}."
        )
    address = address_of(options.publish)
    link = Link(address, secret())
    link.open()
    say = _nothing if options.quiet else common.announce
    say(f"{_whose(address)} shows player 1's game.")
    _Watch(match.pilots[0], broadcast.camera(), link, say)
    try:
        yield
    finally:
        link.close()
        _tell(link, say)


class _Watch:
    """Sends a frame for each of a pilot's frames: of its own snapshot, or of that of the person at the first port."""

    def __init__(
        self, pilot: Pilot, camera: Callable[[Snapshot, int], Frame], link: Link, say: Callable[[str], None]
    ) -> None:
        self._pilot, self._camera, self._link, self._say = pilot, camera, link, say
        self._started = time.monotonic()
        self._edition: Edition | None = None
        pilot.on_frame.append(self._see)

    def _see(self, ram: bytes, snapshot: Snapshot) -> None:
        if self._pilot.port != _PLAYER:
            if self._edition is not self._pilot.edition:
                self._edition = self._pilot.edition
                self._decode = self._edition.decoder(_PLAYER)
            snapshot = self._decode(ram)
        self._link.send(self._camera(snapshot, int(1000 * (time.monotonic() - self._started))))
        _tell(self._link, self._say)


def _whose(address: Address) -> str:
    room = "your room" if address.login is None else f"the room of {address.login}"
    return f"{address.host}, {room},"


def _tell(link: Link, say: Callable[[str], None]) -> None:
    for sentence in link.news():
        say(sentence)


def _nothing(sentence: str) -> None:
    """Say nothing."""
