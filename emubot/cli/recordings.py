"""`play --record`: which files are written, and what is said when one cannot be; records nothing itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from emubot.cli import common
from emubot.errors import EmubotError, UsageError

if TYPE_CHECKING:
    from emubot.pilot import Match, Recording
    from emubot.session import Session


def refuse_existing(options: argparse.Namespace, against_itself: bool) -> None:
    """Refuse to replace existing files by those recordings that are certain to be written."""
    if options.record is not None:
        from emubot.atomic import check_output

        for player in range(2 if against_itself else 1):
            check_output(record_of(options.record, player), force=options.force)


def record_of(path: Path, player: int) -> Path:
    """Returns the path for a player's recorded games."""
    return path if player == 0 else path.with_stem(f"{path.stem}-player{player + 1}")


def recordings(opened: Session, match: Match, options: argparse.Namespace) -> Iterator[Recording]:
    """Yields a recording for each player, none without `--record`. Raises UsageError if the bridge misses frames."""
    if options.record is None:
        return
    if not all(bridge.facts.lock_step for bridge in opened.bridges):
        raise UsageError(
            f"{opened.bridges[0].facts.emulator} does not wait for emubot, and a recording with frames missing proves "
            "nothing: leave out --record, or play by another --bridge."
        )
    from emubot.pilot.recording import Recording

    for player, (seat, pilot) in enumerate(zip(opened.seats, match.pilots, strict=True)):
        path = record_of(options.record, player)
        about = {**opened.about(seat), "seed": options.seed}
        yield Recording(path, pilot, "nmi-game", about, options.force)


class Closes(Protocol):
    """What is written at the end of a game."""

    def close(self) -> None:
        """Write it. Raises EmubotError."""


def closed(recordings: Sequence[Closes]) -> list[EmubotError]:
    """Write what is to be written at the end; returns the errors of what could not be written."""
    failures = []
    for recording in recordings:
        try:
            recording.close()
        except EmubotError as failure:
            failures.append(failure)
    return failures


def tell(failures: list[EmubotError]) -> None:
    """Say which recordings could not be written."""
    for failure in failures:
        common.announce(str(failure))
