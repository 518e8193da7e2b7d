"""The slow, obvious search under a fine clock: every frame with every pad, over tuples; nothing is ever dropped."""

from __future__ import annotations

from typing import NamedTuple

from emubot.games.motion import Clock, Fall, Grid, Shapes
from emubot.pad import HORIZONTAL, Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Step
from emubot.tempo import Tempo
from tests.games.motion_twin import Air, Lock, World


class Ticking(NamedTuple):
    """A piece in the air, and the clock: its fraction, and the frames at rest that are left."""

    air: Air
    fraction: int
    left: int


class ClockWorld(World):
    """The game under a fine clock, one frame at a time."""

    def __init__(self, grid: Grid, shapes: Shapes, clock: Clock, buttons: Buttons) -> None:
        super().__init__(grid, shapes, Fall(1, 1 if clock.softens else 0), buttons)
        self.clock = clock

    def tick(self, before: Ticking, pad: Pad) -> tuple[Ticking, bool]:
        """The piece after a frame with this pad, and whether it locked; waits are left as they are."""
        clock, buttons, new = self.clock, self.buttons, pad & ~before.air.held
        orientation, column, row, *_ = before.air
        for direction, button in enumerate(self.turn_pads):
            if new & button:
                orientation, column, row = self.turned(orientation, column, row, direction)
                break
        for button, shift in ((buttons.left, -1), (buttons.right, 1)):
            if new & button and self.fits(orientation, column + shift, row):
                column += shift
        acted = (orientation, column, row) != before.air[:3]
        if buttons.hard_drop and new & buttons.hard_drop:
            while self.fits(orientation, column, row + 1):
                row += 1
            return Ticking(Air(orientation, column, row, 0, pad), before.fraction, before.left), True
        velocity, fraction = clock.velocity, before.fraction
        if buttons.soft_drop and pad & buttons.soft_drop and not pad & HORIZONTAL:
            velocity = max(velocity, clock.soft_velocity)
            if clock.soft_frames:
                fraction = max(fraction, clock.unit - clock.soft_frames * velocity)
        fraction, left, blocked, fell = fraction + velocity, before.left, False, False
        while fraction >= clock.unit:
            fraction -= clock.unit
            if self.fits(orientation, column, row + 1):
                row, fell = row + 1, True
            else:
                blocked = True
        if clock.lock_delay:
            if fell or (acted and clock.moves_restore):
                left = clock.lock_delay
            if not self.fits(orientation, column, row + 1):
                left -= 1
            blocked = left == 0
        return Ticking(Air(orientation, column, row, 0, pad), fraction, left), blocked

    def locks(self, start: Ticking, tempo: Tempo) -> set[Lock]:
        """Every lock that some pads reach, by what is shown, without soft drop."""
        found: set[Lock] = set()
        now, seen = [start], {start}
        while now:
            then = []
            for piece in now:
                for pad, shift_wait, turn_wait in self.pads(piece.air, tempo, soft_drop=False):
                    after, locked = self.tick(piece, pad)
                    if locked:
                        if self.fits(*after.air[:3]):
                            found.add((self.shown[after.air.orientation], after.air.column, after.air.row))
                        continue
                    held = after.air._replace(held=pad & self.taps, shift_wait=shift_wait, turn_wait=turn_wait)
                    after = after._replace(air=held)
                    if after not in seen:
                        seen.add(after)
                        then.append(after)
            now = then
        return found

    def play(self, piece: Ticking, tempo: Tempo, steps: tuple[Step, ...]) -> Lock:
        """Play a timeline frame by frame, asserting each step and the tempo; where it locked, by what is shown."""
        locked = False
        for step in steps:
            assert not locked, "the piece locked early"
            allowed = {pad: waits for pad, *waits in self.pads(piece.air, tempo, soft_drop=True)}
            assert step.pad in allowed, (step, piece)
            piece, locked = self.tick(piece, step.pad)
            shift_wait, turn_wait = allowed[step.pad]
            piece = piece._replace(air=piece.air._replace(shift_wait=shift_wait, turn_wait=turn_wait))
            assert (self.shown[piece.air.orientation], *piece.air[1:3]) == (step.orientation, step.column, step.row)
        assert locked, "the timeline ends in the air"
        return steps[-1].orientation, steps[-1].column, steps[-1].row
