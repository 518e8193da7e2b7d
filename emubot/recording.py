"""Turns the frames of a pilot into trace files, one a game; knows no game's addresses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from emubot.bridges.protocol import Bridge, KeepsPads
from emubot.errors import UsageError
from emubot.games.protocol import Game
from emubot.pilot import Pilot
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.trace import write_trace


class Recording:
    """Writes `FILE`, `FILE-2`, ... while a pilot plays; `close` writes the game that is still running.

    Where the bridge can keep them, each file also holds the pads of both ports since power-on.
    """

    def __init__(
        self, path: Path, pilot: Pilot, game: Game, ram_map: RamMap, order: str, about: dict[str, Any]
    ) -> None:
        self.paths: list[Path] = []
        self._path, self._about, self._game = path, about, game
        self._recorder = game.recorder(ram_map, order)
        self._bridge, self._epoch = pilot.bridge, pilot.bridge.epoch
        self._pads = _kept_pads(pilot.bridge)
        pilot.on_frame.append(self._hear_frame)
        pilot.on_plan.append(self._hear_plan)
        pilot.on_replan.append(self._hear_plan)

    def close(self) -> None:
        """Write what is not written yet; a game that was left on its first frame has no rows and is dropped."""
        if not self._recorder.rows:
            self._recorder.discard()
        else:
            number = len(self.paths) + 1
            path = self._path if number == 1 else self._path.with_stem(f"{self._path.stem}-{number}")
            trace = self._recorder.finish({**self._about, "number": number})
            inputs = None if self._pads is None else self._pads.pads_since_power_on()
            write_trace(path, trace if inputs is None else replace(trace, inputs=inputs))
            self.paths.append(path)

    def _hear_frame(self, ram: bytes, snapshot: Snapshot) -> None:
        if self._bridge.epoch != self._epoch:  # what was recorded does not lead to this frame
            self._epoch = self._bridge.epoch
            self._recorder.discard()
        if self._game.records(snapshot):
            self._recorder.add(ram)
        elif self._recorder.running:
            self.close()

    def _hear_plan(self, placement: Placement) -> None:
        self._recorder.plan(placement.orientation, placement.column, placement.row)


def _kept_pads(bridge: Bridge) -> KeepsPads | None:
    """The bridge, if it now keeps its pads; None where it cannot, or its machine ran before the recording began."""
    if not isinstance(bridge, KeepsPads):
        return None
    try:
        bridge.keep_pads()
    except UsageError:
        return None
    return bridge
