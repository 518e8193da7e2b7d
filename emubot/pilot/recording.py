"""Writes the frames of a pilot to trace files, one per game; knows no game's addresses."""

from __future__ import annotations

import itertools
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from emubot import interrupts
from emubot.bridges.protocol import Bridge, KeepsPads
from emubot.errors import EmubotError, StorageError, UsageError
from emubot.games.edition import part_of
from emubot.games.recorded import SPACES
from emubot.pad import Pad
from emubot.pilot.pilot import Pilot
from emubot.snapshot import Placement, Snapshot
from emubot.trace import LARGEST, PartFile, write_trace

_LOG = logging.getLogger(__name__)
_SECOND: Final = 1.0  # seconds of play that a power cut can lose at most
_ROOM: Final = 4  # a game is cut at 1/_ROOM of the largest trace


class Recording:
    """Writes `FILE`, `FILE-2`, ... while a pilot plays; `close` writes the game that is still running.

    The running game is in `FILE.part`, on the disk except for its last second. It becomes FILE when it ends, so one of
    the two exists however the program ends. FILE is replaced only with `force`; later games take the next free number.
    If the bridge can keep them, each file also holds the pads of both ports since power-on. Pads that the map does not
    find in memory are those of the pilot.
    """

    def __init__(
        self,
        path: Path,
        pilot: Pilot,
        order: str,
        about: dict[str, Any],
        force: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin the `.part` file beside `path`; call it before the first frame. `clock` returns seconds.

        Raises StorageError if the file cannot be written, UsageError if the family records no games.
        """
        self.paths: list[Path] = []
        self._path, self._force, self._clock = path, force, clock
        edition = pilot.edition
        self._about = {**about, SPACES: [*edition.ram_map.spaces]}
        recorder = part_of(edition, "recorder", edition.recorder, "recorded games")
        self._recorder, self._records = recorder.begin(order), recorder.records
        self._most_rows = LARGEST // _ROOM // self._recorder.layout.width
        self._pilot, self._held = pilot, Pad.NONE
        self._bridge, self._epoch = pilot.bridge, pilot.bridge.epoch
        self._pads = _kept_pads(pilot.bridge)
        self._part: PartFile | None = self._begun()
        pilot.on_frame.append(self._hear_frame)
        pilot.on_plan.append(self._hear_plan)
        pilot.on_replan.append(self._hear_plan)

    @property
    def part(self) -> Path | None:
        """The `.part` file of the game that is not written yet, or None."""
        return None if self._part is None else self._part.path

    def close(self) -> None:
        """Write the running game, if there is one. A game left on its first frame has no rows and is dropped.

        An interrupt waits for it. Raises StorageError if it cannot be written; the message says where the game is kept.
        """
        with interrupts.held_back():
            self._close()

    def _hear_frame(self, ram: bytes, snapshot: Snapshot) -> None:
        before, self._held = self._held, self._pilot.used_pad or Pad.NONE
        if self._bridge.epoch != self._epoch:  # the rows so far do not lead to this frame
            self._epoch = self._bridge.epoch
            self._recorder.discard()
        if self._records(snapshot):
            if self._recorder.rows >= self._most_rows:
                self.close()
            self._recorder.add(ram, bytes((self._held & ~before, self._held)))
            if self._part is None:
                self._part = self._begun()
        elif self._recorder.running:
            self.close()
        if self._part is not None and self._clock() - self._kept >= _SECOND:
            self._sync(self._part)

    def _close(self) -> None:
        part = self._part
        if part is None:
            return
        if not self._recorder.rows:
            self._part = None
            part.remove()
        else:
            self._sync(part)
            try:
                trace, path = part.game(), self._free()
                write_trace(path, trace)
            except EmubotError as failure:
                raise self._given_up(part, failure) from failure
            self._part = None
            self.paths.append(path)
            part.remove()
        self._recorder.discard()

    def _hear_plan(self, placement: Placement) -> None:
        self._recorder.plan(placement.orientation, placement.column, placement.row)

    def _begun(self) -> PartFile:
        """Begin the `.part` file of the next game, and return it."""
        made = PartFile(self._free(), self._recorder.layout, {**self._about, "number": len(self.paths) + 1})
        self._kept = self._clock()
        for older in made.older:
            _LOG.warning(
                "%s holds a game that was not finished, by a run that ended early or goes on: it stays as it is, "
                "and this game is recorded in %s.",
                older,
                made.path,
            )
        return made

    def _sync(self, part: PartFile) -> None:
        """Write to the disk what was recorded so far."""
        self._kept = self._clock()
        try:
            part.add(self._recorder, None if self._pads is None else self._pads.pads_since_power_on())
        except StorageError as failure:
            raise self._given_up(part, failure) from failure

    def _given_up(self, part: PartFile, failure: EmubotError) -> StorageError:
        """Stop recording a game that cannot be written, and return the error that says where it is kept."""
        self._part = None
        self._recorder.discard()
        part.close()
        return StorageError(
            f'{str(failure).rstrip(".")}; the game is kept in {part.path}, which "emubot trace" reads as it is.'
        )

    def _free(self) -> Path:
        """Returns the path for the next game."""
        numbers = itertools.count(len(self.paths) + 1)
        paths = (
            self._path.with_stem(f"{self._path.stem}-{number}") if number > 1 else self._path for number in numbers
        )
        return next(path for path in paths if (self._force and path == self._path) or not os.path.lexists(path))


def _kept_pads(bridge: Bridge) -> KeepsPads | None:
    """Make the bridge keep its pads and return it; None if it cannot, or if it ran before the recording began."""
    if not isinstance(bridge, KeepsPads):
        return None
    try:
        bridge.keep_pads()
    except UsageError:
        return None
    return bridge
