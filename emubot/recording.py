"""Turns the frames of a pilot into trace files, one a game; knows no game's addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from emubot.games.protocol import Game
from emubot.pilot import Pilot
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.trace import write_trace


class Recording:
    """Writes `FILE`, `FILE-2`, ... while a pilot plays; `close` writes the game that is still running."""

    def __init__(
        self, path: Path, pilot: Pilot, game: Game, ram_map: RamMap, order: str, about: dict[str, Any]
    ) -> None:
        self.paths: list[Path] = []
        self._path, self._about, self._game = path, about, game
        self._recorder = game.recorder(ram_map, order)
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
            write_trace(path, self._recorder.finish({**self._about, "number": number}))
            self.paths.append(path)

    def _hear_frame(self, ram: bytes, snapshot: Snapshot) -> None:
        if self._game.records(snapshot):
            self._recorder.add(ram)
        elif self._recorder.running:
            self.close()

    def _hear_plan(self, placement: Placement) -> None:
        self._recorder.plan(placement.orientation, placement.column, placement.row)
