"""Toys that do not show what a lock is: no state after it, a piece parked elsewhere, a board that is drawn late."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from emubot.pad import Pad
from emubot.pilot import Pilot
from emubot.snapshot import Piece, Placement, Snapshot
from tests.games.tetris.toy_blocks import Cell
from tests.toys import addresses as at
from tests.toys.machine import ToyMachine
from tests.toys.maps import map_text
from tests.toys.toy import CLEARING, LOCKED, PLAYING, Toy

_BETWEEN = (LOCKED, CLEARING)


@dataclass(frozen=True)
class Manners:
    """How a toy behaves around a lock.

    `at_once`: rows vanish and the next piece enters in the frame of the lock. `hides`: the state stays that of play.
    `parked` are the bytes of x and y until the next piece enters. The board shows a lock `late` frames after it.
    `hard_drop` is a button that drops and locks a piece in the frame of its press. `step_down` moves it a row for each
    press, and nothing lets it fall fast. The pad is read in every `poll`-th frame.
    """

    at_once: bool = False
    hides: bool = False
    parked: tuple[int, int] | None = None
    late: int = 0
    hard_drop: Pad = Pad.NONE
    step_down: Pad = Pad.NONE
    poll: int = 1


class AbruptMachine(ToyMachine):
    """A toy with such manners; `locked` holds the cells of each lock."""

    def __init__(self, toy: Toy, manners: Manners, seed: int = 0xACE1) -> None:
        self.manners = manners
        self.locked: list[frozenset[Cell]] = []
        self._boards: deque[bytes] = deque(maxlen=manners.late + 1)
        super().__init__(toy, seed)

    def step(self, pads: Sequence[Pad]) -> None:
        manners = self.manners
        if self._frames % manners.poll:
            pads = self._held
        new = pads[0] & ~self._held[0]
        drops, lowers = (self.state == PLAYING and new & button for button in (manners.hard_drop, manners.step_down))
        super().step([pad & ~manners.step_down for pad in pads])
        self._held = (pads[0], pads[1])
        if lowers and self.state == PLAYING and self.fits(self.shape, self.x, self.y + 1):
            self.y += 1
            self._write()
        if drops and self.state == PLAYING:
            while self.fits(self.shape, self.x, self.y + 1):
                self.y += 1
            self._lock()
            self._write()

    def _lock(self) -> None:
        self.locked.append(frozenset((self.x + dx, self.y + dy) for dx, dy in self.toy.shapes[self.shape].cells))
        super()._lock()
        if self.manners.at_once:
            self.state = CLEARING
            while self.state == CLEARING:
                self._clear()

    def _write(self) -> None:
        super()._write()
        manners, ram, toy = self.manners, self.ram, self.toy
        if self.state in _BETWEEN:
            if manners.hides:
                ram[at.STATE] = PLAYING
            if manners.parked is not None:
                ram[at.X], ram[at.Y] = manners.parked
        board = [at.index_of(toy.address(row, column)) for row in range(toy.rows) for column in range(toy.columns)]
        self._boards.append(ram[board].tobytes())
        if self.state == PLAYING or self.state in _BETWEEN:
            ram[board] = list(self._boards[0])


def abrupt_map(toy: Toy, manners: Manners) -> str:
    """Returns the map of such a toy."""
    lines = map_text(toy).splitlines()
    if manners.hides or manners.at_once:
        lines = [line for line in lines if not any(f"phase: {name}" in line for name in ("locked", "clearing"))]
    if manners.step_down:
        lines[lines.index("  soft_drop: DOWN")] = f"  step_down: {manners.step_down.name}"
    if manners.poll > 1:
        lines.insert(0, f"timing: {{ press: {manners.poll} }}")
    if manners.hard_drop:
        lines.insert(lines.index("  rotate_clockwise: A"), f"  hard_drop: {manners.hard_drop.name}")
        lines = [line for line in lines if manners.hard_drop is not Pad.DOWN or "soft_drop: DOWN" not in line]
    return "\n".join(lines) + "\n"


class LockRecount:
    """Counts pieces that locked elsewhere than planned, from the toy's own cells."""

    def __init__(self, pilot: Pilot, machine: AbruptMachine) -> None:
        self._pilot, self._machine = pilot, machine
        self._planned: dict[int, frozenset[Cell]] = {}  # by the number of locks before the piece
        self._snapshot: Snapshot | None = None
        pilot.on_frame.append(self._see)
        pilot.on_plan.append(self._plan)

    @property
    def misplaced(self) -> int:
        """The pieces that locked elsewhere."""
        locked = self._machine.locked
        return sum(locked[number] != cells for number, cells in self._planned.items() if number < len(locked))

    def _see(self, _: bytes, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def _plan(self, placement: Placement) -> None:
        if self._machine.state != PLAYING:  # what is shown is parked
            return
        look, there = self._pilot.edition.depiction, Piece(placement.orientation, placement.column, placement.row)
        assert look is not None
        assert self._snapshot is not None
        cells = frozenset((cell.column, cell.row) for cell in look.cells(self._snapshot, there))
        self._planned.setdefault(len(self._machine.locked), cells)
