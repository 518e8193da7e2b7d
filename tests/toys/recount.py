"""Counts misplaced pieces from a toy's bytes alone: what the pilot says of itself is checked against this."""

from __future__ import annotations

from emubot.games.tetris.anyboard.decoder import AnySnapshot
from emubot.games.tetris.rules import DX, DY
from emubot.pilot import Pilot
from emubot.snapshot import Placement, Snapshot
from tests.games.tetris.toy_blocks import Cell
from tests.toys import addresses as at
from tests.toys.toy import LOCKED, PLAYING, Toy


class Recount:
    """Listens to a pilot: `pieces` locked so far, and `misplaced` ones, whose cells are not those of their plan."""

    def __init__(self, pilot: Pilot, toy: Toy) -> None:
        self.pieces = self.misplaced = 0
        self._toy = toy
        self._before: frozenset[Cell] = frozenset()
        self._planned: Placement | None = None
        self._snapshot: Snapshot | None = None
        pilot.on_frame.append(self._see)
        pilot.on_plan.append(self._plan)

    def _plan(self, placement: Placement) -> None:
        self._planned = placement

    def _see(self, ram: bytes, snapshot: Snapshot) -> None:
        if ram[at.STATE] == PLAYING:
            self._before = self._filled(ram)
        elif ram[at.STATE] == LOCKED and self._planned is not None and self._snapshot is not None:
            self.pieces += 1
            self.misplaced += self._filled(ram) - self._before != self._cells(self._planned, self._snapshot)
            self._planned = None
        self._snapshot = snapshot

    def _filled(self, ram: bytes) -> frozenset[Cell]:
        toy = self._toy
        return frozenset(
            (column, row)
            for row in range(-toy.hidden, toy.rows)
            for column in range(toy.columns)
            if ram[at.index_of(toy.address(row, column))] != toy.empty
        )

    def _cells(self, place: Placement, snapshot: Snapshot) -> frozenset[Cell]:
        """Returns the stored cells of a placement."""
        if isinstance(snapshot, AnySnapshot):
            offsets = [*snapshot.pieces.orientations[place.orientation].cells]
        else:
            offsets = [*zip(DX[place.orientation].tolist(), DY[place.orientation].tolist(), strict=True)]
        cells = ((place.column + x, place.row + y) for x, y in offsets)
        return frozenset((x, y) for x, y in cells if y >= -self._toy.hidden)
