"""What a watcher of a pilot gets after each frame; draws nothing."""

from __future__ import annotations

from dataclasses import dataclass

from emubot.pilot.tally import Tally
from emubot.snapshot import Piece, Placement, Snapshot


@dataclass(frozen=True, slots=True)
class View:
    """What a watcher gets after each frame."""

    frame: int
    snapshot: Snapshot
    chosen: Placement | None
    tally: Tally
    player: int
    preview: Piece | None = None  # the place planned for the next piece, if `Pilot.previews`
    called: Piece | None = None  # the piece after the next one, as it will be shown, if it is known in advance
