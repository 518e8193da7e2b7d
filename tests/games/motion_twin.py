"""The slow, obvious search: one frame with every pad that hands may press, over sets of cells and plain tuples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from emubot.games.motion import Fall, Grid, Shapes
from emubot.pad import HORIZONTAL, Pad, legal
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Step
from emubot.tempo import InputState, Tempo, parse_taps

Lock = tuple[int, int, int]


class Air(NamedTuple):
    """A piece in the air, by orientation of the tables, after some frame."""

    orientation: int
    column: int
    row: int
    timer: int
    held: Pad = Pad.NONE
    shift_wait: int = 0
    turn_wait: int = 0


class World:
    """The game: one frame at a time."""

    def __init__(self, grid: Grid, shapes: Shapes, fall: Fall, buttons: Buttons) -> None:
        self.grid, self.fall, self.buttons = grid, fall, buttons
        self.cells = [[(int(x), int(y)) for x, y in shape] for shape in shapes.cells]
        self.attempts = [[[tuple(map(int, a)) for a in listed] for listed in side] for side in shapes.turns]
        self.shown = shapes.shown.tolist()
        rows, columns = grid.solid.shape
        self.filled = {(x, y - grid.hidden) for y in range(rows) for x in range(columns) if grid.solid[y, x]}
        self.turn_pads = (buttons.rotate_clockwise or Pad.NONE, buttons.rotate_counterclockwise or Pad.NONE)
        self.turning = self.turn_pads[0] | self.turn_pads[1]
        self.taps = self.turning | buttons.left | buttons.right | (buttons.hard_drop or Pad.NONE)
        self.fits = cache(self._fits)
        self._choices: dict[bool, list[Pad]] = {drop: list(self._pads(drop)) for drop in (False, True)}

    def _fits(self, orientation: int, column: int, row: int) -> bool:
        rows, columns = self.grid.solid.shape
        return all(
            0 <= column + x < columns and row + y < rows - self.grid.hidden and (column + x, row + y) not in self.filled
            for x, y in self.cells[orientation]
        )

    def turned(self, orientation: int, column: int, row: int, direction: int) -> Lock:
        for new, shift, lift in self.attempts[direction][orientation]:
            if new < 0:
                break
            if lift < 0 and row + lift < self.grid.ceiling:
                continue
            if self.fits(new, column + shift, row + lift):
                return new, column + shift, row + lift
        return orientation, column, row

    def frame(self, air: Air, pad: Pad) -> tuple[Air, bool]:
        """The piece after a frame with this pad, and whether it locked; waits are left as they are."""
        new = pad & ~air.held
        orientation, column, row, timer, *_ = air
        for direction, button in enumerate(self.turn_pads):
            if new & button:
                orientation, column, row = self.turned(orientation, column, row, direction)
                break
        for button, shift in ((self.buttons.left, -1), (self.buttons.right, 1)):
            if new & button and self.fits(orientation, column + shift, row):
                column += shift
        below = (orientation, column, row + 1)
        if self.buttons.hard_drop and new & self.buttons.hard_drop:
            while self.fits(orientation, column, row + 1):
                row += 1
            return Air(orientation, column, row, timer, pad), True
        down = self.buttons.soft_drop
        if self.fall.soft_drop and down and pad & down and not pad & HORIZONTAL:
            timer = min(timer, self.fall.soft_drop)
        timer -= 1
        if timer > 0:
            return Air(orientation, column, row, timer, pad), False
        if self.fits(*below):
            return Air(orientation, column, row + 1, self.fall.gravity, pad), False
        return Air(orientation, column, row, 0, pad), True

    def _pads(self, soft_drop: bool) -> Iterator[Pad]:
        downs = {Pad.NONE, self.buttons.soft_drop or Pad.NONE} if soft_drop else {Pad.NONE}
        for side in (Pad.NONE, self.buttons.left, self.buttons.right):
            for turn in {Pad.NONE, *self.turn_pads}:
                yield from (side | turn | down for down in downs if legal(side | turn | down))
        if self.buttons.hard_drop:
            yield self.buttons.hard_drop

    def pads(self, air: Air, tempo: Tempo, soft_drop: bool) -> Iterator[tuple[Pad, int, int]]:
        """Every pad hands may give now, with the waits after it: edges in tempo, every tap one frame."""
        for pad in self._choices[soft_drop]:
            if pad & self.taps & air.held:
                continue
            shifts, turns = bool(pad & HORIZONTAL), bool(pad & self.turning)
            if self.buttons.hard_drop and pad & self.buttons.hard_drop:
                shifts = turns = True
            if not tempo.das:
                shifts = turns = shifts or turns
            if (shifts and air.shift_wait) or (turns and air.turn_wait):
                continue
            shift_wait = tempo.period - 1 if shifts else max(air.shift_wait - 1, 0)
            turn_wait = tempo.period - 1 if turns else max(air.turn_wait - 1, 0)
            yield pad, shift_wait, turn_wait

    def explore(self, start: Air, tempo: Tempo, soft_drop: bool) -> dict[Lock, int]:
        """Every lock that some pads reach, by what is shown, with the fewest frames."""
        found: dict[Lock, int] = {}
        now, seen, frames = [start], {start}, 0
        while now:
            frames += 1
            then = []
            for air in now:
                for pad, shift_wait, turn_wait in self.pads(air, tempo, soft_drop):
                    after, locked = self.frame(air, pad)
                    place = (self.shown[after.orientation], after.column, after.row)
                    if locked:
                        if self.fits(*after[:3]):
                            found.setdefault(place, frames)
                        continue
                    after = after._replace(held=pad & self.taps, shift_wait=shift_wait, turn_wait=turn_wait)
                    if after not in seen:
                        seen.add(after)
                        then.append(after)
            now = then
        return found


def air_of(world: World, shapes: Shapes, start: Piece, timer: int, tempo: Tempo, input_state: InputState) -> Air:
    busy = 1 if input_state.held & world.taps else 0  # what is held is first let go
    rest, turn_rest = max(input_state.rest, busy), max(input_state.turn_rest if tempo.das else input_state.rest, busy)
    return Air(shapes.index(start.orientation), start.column, start.row, timer, input_state.held, rest, turn_rest)


def follow(world: World, air: Air, tempo: Tempo, steps: tuple[Step, ...]) -> Lock:
    """Play a timeline frame by frame, asserting each step and the tempo; where it locked, by what is shown."""
    locked = False
    for step in steps:
        assert not locked, "the piece locked early"
        allowed = {pad: waits for pad, *waits in world.pads(air, tempo, soft_drop=True)}
        assert step.pad in allowed, (step, air)
        after, locked = world.frame(air, step.pad)
        air = after._replace(shift_wait=allowed[step.pad][0], turn_wait=allowed[step.pad][1])
        assert (world.shown[air.orientation], air.column, air.row) == (step.orientation, step.column, step.row)
    assert locked, "the timeline ends in the air"
    return steps[-1].orientation, steps[-1].column, steps[-1].row


def shapes_of(*orientations: tuple[tuple[int, int], ...], kicks: tuple[tuple[int, int], ...] = ()) -> Shapes:
    """A piece that turns through these orientations, every turn with the same kicks."""
    count = len(orientations)
    turns = np.full((2, count, 2 + len(kicks), 3), -1, dtype=np.int8)
    if count > 1:
        for direction, way in enumerate((1, -1)):
            for orientation in range(count):
                for attempt, (shift, lift) in enumerate(((0, 0), *kicks)):
                    turns[direction, orientation, attempt] = ((orientation + way) % count, shift, lift)
    return Shapes(np.array(orientations, dtype=np.int8), turns, np.arange(count) + 3)


BAR = shapes_of(((0, 0), (1, 0), (-1, 0)), ((0, 0), (0, 1), (0, -1)))
KICKED = shapes_of(((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (-1, 0)), kicks=((-1, 0), (1, 0), (0, -1), (1, -2)))
CORNER = shapes_of(((1, 0), (2, 1)), ((1, 1), (2, 0)), kicks=((0, 1),))  # its pivot may stand beside the grid
BLOCK = shapes_of(((0, 0), (1, 0), (0, -1), (1, -1)))
TEMPI = (
    parse_taps("30hz"),
    parse_taps("20hz"),
    parse_taps("10hz"),
    parse_taps("das"),
    Tempo(0, 2, das=False, name="fastest"),
)
ALL_BUTTONS = {"left": "LEFT", "right": "RIGHT", "start": "START"}
TURNS = {"rotate_clockwise": "A", "rotate_counterclockwise": "B"}
BUTTON_SETS = tuple(
    Buttons.model_validate(ALL_BUTTONS | more)
    for more in (
        TURNS | {"soft_drop": "DOWN"},
        TURNS | {"soft_drop": "DOWN", "hard_drop": "UP"},
        {"rotate_clockwise": "B", "hard_drop": "A"},
        {"rotate_counterclockwise": "UP", "soft_drop": "DOWN"},
        {"soft_drop": "DOWN"},
    )
)


@st.composite
def grids(draw: st.DrawFn, columns: int = 5, rows: int = 5) -> Grid:
    """Any cells, floating ones and overhangs included, the highest rows mostly empty."""
    hidden = draw(st.integers(0, 2))
    density = draw(st.sampled_from((0, 1, 3, 5)))
    cells = draw(st.lists(st.integers(0, 9), min_size=rows * columns, max_size=rows * columns))
    solid = np.array(cells, dtype=np.uint8).reshape(rows, columns) < density
    solid[: draw(st.integers(0, 4))] = False
    return Grid(solid, hidden, draw(st.integers(-2 - hidden, 0)))
