"""Recorded games of NES Tetris as snapshots, and the frames that are made of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from emubot.games.edition import Broadcast, Edition
from emubot.games.recorded import edition_of, game_of, memory_of
from emubot.publish.frame import Frame
from emubot.snapshot import Snapshot
from emubot.trace import read_trace
from tests import paths

RECORDED = sorted(paths.RECORDED.glob("*.npz"))


@cache
def played(path: Path) -> tuple[Edition, list[Snapshot]]:
    """The game's edition, and a snapshot for each row."""
    trace = read_trace(path)
    game = game_of(trace)
    assert game is not None
    edition = edition_of(trace, game)
    decode = edition.decoder()
    return edition, [decode(memory_of(trace, row, edition.ram_map)) for row in range(trace.frames)]


def broadcast_of(edition: Edition) -> Broadcast:
    """The part that makes and reads frames."""
    assert edition.broadcast is not None
    return edition.broadcast


@cache
def filmed(path: Path) -> list[Frame]:
    """A frame for each row of a recorded game."""
    edition, snapshots = played(path)
    camera = broadcast_of(edition).camera()
    return [camera(snapshot, 17 * row) for row, snapshot in enumerate(snapshots)]
