"""How far units under way are, and whether to stop: a small file that all processes map."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emubot.games.counts import Counts
from emubot.trials.selfplay.units import SelfPlay
from emubot.trials.work import WorkUnit

_STOP, _FIRST = 0, 1  # places in the file: whether to stop, and the pieces of unit 0


@dataclass(frozen=True, slots=True)
class Slate:
    """The file by its path, so that it can be sent to a process."""

    path: Path

    def play(self, unit: WorkUnit[SelfPlay]) -> Counts:
        """Play a unit, and note its pieces as they are placed; it ends early once the run is to stop."""
        numbers = self._numbers()
        place = _FIRST + unit.first

        def watch(pieces: int) -> bool:
            numbers[place] = pieces
            return not numbers[_STOP]

        if not watch(0):  # before the family is loaded, which takes time
            return Counts()
        counts = unit.work.play(unit.players, unit.work.seeds(unit.seed, range(unit.first, unit.end)), watch)
        watch(counts.pieces)
        return counts

    def pieces(self) -> int:
        """Returns the pieces of all units of this run, those under way included."""
        return int(self._numbers()[_FIRST:].sum())

    def stop(self) -> None:
        """Let all units end early."""
        self._numbers()[_STOP] = 1

    def _numbers(self) -> NDArray[np.int64]:
        return np.memmap(self.path, dtype=np.int64, mode="r+")


@contextmanager
def slate_for(units: Sequence[WorkUnit[SelfPlay]]) -> Iterator[Slate]:
    """Yields a slate for these units; its file is gone at the end."""
    with tempfile.TemporaryDirectory(prefix="emubot-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "slate"
        with path.open("wb") as file:
            file.truncate(8 * (_FIRST + max((unit.end for unit in units), default=0)))
        yield Slate(path)
