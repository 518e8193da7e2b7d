"""The placements of a piece that moves by its map alone; knows no evaluation and no memory.

If the map says how the piece falls (`timing.gravity`, and a value `drop_timer`: frames until the next row), the way to
a placement is planned frame by frame. If not, it is single moves, with slack for the rows that the piece may fall
meanwhile.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from emubot.games.motion import ClockedFlight, Fall, Flight, Grid, Shapes, apart, moved, straight, timed
from emubot.games.tetris.board.board import Rows, rows_from
from emubot.games.tetris.decode.map_checks import OWN_ID
from emubot.games.tetris.decode.piece_tables import OrientationTables
from emubot.games.tetris.decode.value_names import TIMER
from emubot.games.tetris.rules import COLUMNS, DY, HIDDEN_ROWS
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.schema import Buttons
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo

SLACK: Final = 4  # rows that a piece may fall during its moves if its speed is not known
MOST_SLACK: Final = 12
_MOVES: Final = 7  # about the most moves of one placement
_EXPECTED: Final = 12  # frames per row, where its speed is not known
_HIGHEST: Final = 4  # rows: no turn in place lifts the pivot further

_Frame = TypeVar("_Frame", bound=Snapshot)


@dataclass(frozen=True, slots=True)
class Offer:
    """Placements to choose from. With a `flight`, the chosen one still needs its timeline."""

    placements: tuple[Placement, ...]
    flight: Flight | ClockedFlight | None = None

    @property
    def locks(self) -> NDArray[np.int64]:
        """The orientation, column and row of each placement, (n, 3)."""
        found = [(place.orientation, place.column, place.row) for place in self.placements]
        return np.array(found, dtype=np.int64).reshape(-1, 3)

    def finished(self, chosen: Placement) -> Placement:
        """Returns the chosen placement, with its value and the way to it."""
        place = self.placements[self.placements.index(chosen)]
        if self.flight is None:
            return dataclasses.replace(place, value=chosen.value)
        timeline = self.flight.timeline(chosen.orientation, chosen.column, chosen.row)
        return dataclasses.replace(place, timeline=timeline, value=chosen.value)


class MappedMotion:
    """The motion of one map's pieces under one tempo."""

    def __init__(self, ram_map: RamMap, tempo: Tempo, tables: OrientationTables) -> None:
        self._tables, self._buttons, self._tempo, self._timing = tables, ram_map.buttons, tempo, ram_map.timing
        self._plans_frames, self._press = ram_map.document.plans_frames, ram_map.press

    def ahead(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        """Returns the snapshot after pads already on their way; unchanged outside play or if the fall is not known."""
        piece, counters = snapshot.current, snapshot.counters
        fall = fall_at(self._timing, counters.get("level", 0))
        if piece is None or snapshot.phase is not Phase.PLAYING or fall is None or TIMER not in counters:
            return snapshot
        if not self._plans_frames:
            return snapshot
        number, held = counters[OWN_ID], Pad(counters.get("held_buttons", 0))
        grid = _grid(rows_from(snapshot.playfield, snapshot.hidden), piece)
        shapes = self._tables.shapes(number)
        after = moved(grid, shapes, piece, fall, counters[TIMER], held, pads, self._buttons)
        changed = {TIMER: after.timer, OWN_ID: self._tables.numbers(number)[after.orientation]}
        if pads and "held_buttons" in counters:
            changed["held_buttons"] = int(pads[-1])
        piece = Piece(int(shapes.shown[after.orientation]), after.column, after.row)
        return with_piece(snapshot, piece, after.locked, changed)

    def offers(
        self, rows: Rows, piece: Piece, number: int, level: int, drop_timer: int | None, input_state: InputState
    ) -> Iterator[Offer]:
        """Yields offers, the surest first. If the best placement of one loses the game, look at the next offer.

        `number` is the map's id of the piece in the air; `drop_timer` is None if the map has no such value.
        """
        shapes = self._tables.shapes(number)
        grid, fall = _grid(rows, piece), fall_at(self._timing, level)
        if fall is not None and drop_timer is not None and self._plans_frames and is_immediate(self._timing):
            yield self._timed(grid, shapes, piece, fall, drop_timer, input_state)
            return
        sinks = sinking(input_state.held, self._buttons, self._press)
        for slack in range(slack_rows(fall, self._tempo, self._press), -1, -1):
            found = straight(grid, shapes, piece, self._buttons, slack)
            yield Offer(tuple(filter(_on_board, in_time(found, slack, fall, self._tempo, self._press, sinks=sinks))))

    def _timed(
        self, grid: Grid, shapes: Shapes, piece: Piece, fall: Fall, drop_timer: int, input_state: InputState
    ) -> Offer:
        flight = timed(grid, shapes, piece, fall, drop_timer, self._tempo, input_state, self._buttons)
        placements = (Placement(*lock[:3]) for lock in flight.locks)
        return Offer(tuple(filter(_on_board, placements)), flight)


def fall_at(timing: Mapping[str, Any], level: int) -> Fall | None:
    """Returns how a piece falls at a level by a map's timing; None if the map does not say."""
    table = timing.get("gravity", ())
    return Fall(table[min(level, len(table) - 1)], timing.get("soft_drop", 0)) if table else None


def is_immediate(timing: Mapping[str, Any]) -> bool:
    """Returns whether inputs have their effect in the frame of the press, as far as a map's timing says."""
    return not timing.get("shift_delay") and not timing.get("rotate_delay")


def slack_rows(fall: Fall | None, tempo: Tempo, press: int) -> int:
    """Returns the rows that a piece may fall while single moves are sent, each for `press` frames."""
    if fall is None:
        return SLACK
    frames = tempo.reaction + _MOVES * apart(tempo, press)
    return min(1 + frames // fall.gravity, MOST_SLACK)


def sinking(held: Pad, buttons: Buttons, press: int) -> int:
    """Returns the rows that a piece may fall at once: a game that reads its pad seldom sees a soft drop for longer."""
    return press if press > 1 and held & (buttons.soft_drop or Pad.NONE) else 0


def in_time(
    places: Iterable[Placement], slack: int, fall: Fall | None, tempo: Tempo, press: int, sinks: int = 0
) -> Iterator[Placement]:
    """Yields the placements whose moves are over before a piece that has entered falls further than `slack` rows.

    It falls `sinks` of them at once. With all the slack that is ever asked for, every placement is one.
    """
    frames = (slack + 1 - sinks) * (fall.gravity if fall is not None else _EXPECTED)
    whole = slack >= slack_rows(fall, tempo, press)
    for place in places:
        if whole or not place.moves or tempo.reaction + len(place.moves) * apart(tempo, press) < frames:
            yield place


def with_piece(snapshot: _Frame, piece: Piece, locked: bool, changed: Mapping[str, int]) -> _Frame:
    """Returns the snapshot with the piece at another place, or locked there, and with these counters changed."""
    return dataclasses.replace(
        snapshot,
        phase=Phase.LOCKED if locked else Phase.PLAYING,
        state="locked" if locked else snapshot.state,
        current=piece,
        counters={**snapshot.counters, **changed},
    )


def _on_board(place: Placement) -> bool:
    """Returns whether every cell of a lock is on the board, hidden rows included."""
    return place.row + int(DY[place.orientation].min()) >= -HIDDEN_ROWS


def _grid(rows: Rows, piece: Piece) -> Grid:
    """Returns the board as cells (22, 10), hidden rows on top. Turns in place may lift the pivot; no kick does."""
    cells = (rows[:, None] >> np.arange(COLUMNS, dtype=np.uint16) & 1).astype(np.uint8)
    return Grid(cells, HIDDEN_ROWS, piece.row - _HIGHEST)
