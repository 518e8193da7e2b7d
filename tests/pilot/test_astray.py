"""The pilot where inputs and frames go astray: lost presses, frames not seen, a wire that takes one change a frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emubot.pad import Pad, legal
from emubot.pilot.scorekeeper import same_place
from emubot.snapshot import Phase, Piece, Placement
from emubot.tempo import parse_taps
from tests.pilot.test_pilot import GAME, MAP, Spy, pilot_on


def test_a_diverted_piece_is_led_to_the_same_place_if_there_is_a_way() -> None:
    """Slow gravity leaves time to repeat a lost press; what locks is what was chosen first."""
    bridge = Spy(seed=3, drop_rate=0.1)
    pilot = pilot_on(bridge, parse_taps("15hz"), level=0, pieces=60)
    chosen: list[Placement] = []
    pilot.on_plan.append(chosen.append)
    again: list[bool] = []
    pilot.on_replan.append(lambda placement: again.append(placement == chosen[-1]))
    tally = pilot.run()
    assert len(again) == tally.replans > 8
    assert all(again), f"{again.count(False)} of {len(again)} changed their minds"
    assert tally.misplaced == 0


class Blinking(Spy):
    """A bridge out of lock step: at these pieces it shows nothing for so long that another piece has come."""

    def __init__(self, blinks: set[int], missed: int, after: int = 10) -> None:
        super().__init__(seed=6)
        self._blinks, self._missed, self._after = blinks, missed, after
        self._decode = GAME.open(MAP).decoder()
        self._facts = replace(self._facts, lock_step=False)
        self.locked = self._in_air = self.unseen = 0
        self.locks: list[Piece] = []
        self._phase = Phase.MENU

    def advance(self) -> int:
        number = self._one()
        self._in_air = self._in_air + 1 if self._phase is Phase.PLAYING else 0
        if self._in_air == self._after and self.locked in self._blinks:
            before = self.locked
            self._blinks.discard(before)
            for _ in range(self._missed):
                number = self._one()
            self.unseen += self.locked - before if self._phase is Phase.PLAYING else 0
        return number

    def _one(self) -> int:
        number = super().advance()
        snapshot = self._decode(self.read("ram", 0, 2048))
        if self._phase is Phase.PLAYING and snapshot.phase is not Phase.PLAYING:
            self.locked += 1
            assert snapshot.current is not None
            self.locks.append(snapshot.current)
        self._phase = snapshot.phase
        return number


@pytest.mark.parametrize(("after", "misplaced"), [(3, 3), (10, 0)])
def test_the_board_tells_where_a_piece_locked_that_nobody_saw(after: int, misplaced: int) -> None:
    bridge = Blinking({5, 8, 13}, missed=110, after=after)  # at level 9 a piece falls 18 rows in 108 frames
    pilot = pilot_on(bridge, level=9, pieces=25)
    chosen: list[Placement] = []
    pilot.on_plan.append(chosen.append)
    tally = pilot.run()
    assert tally.pieces == bridge.locked == len(bridge.locks)
    elsewhere = [not same_place(*pair) for pair in zip(chosen, bridge.locks, strict=True)]
    assert tally.misplaced == sum(elsewhere) == misplaced
    assert bridge.unseen >= 2


def test_a_short_gap_is_no_lock() -> None:
    bridge = Blinking({5, 9, 14}, missed=3)
    tally = pilot_on(bridge, level=9, pieces=25).run()
    assert (tally.pieces, bridge.locked, tally.misplaced) == (25, 25, 0)


class OneChange(Spy):
    """A port of this bridge takes one button's change a frame, as a Remote RetroPad does: the rest comes later."""

    def __init__(self, seed: int, told: bool) -> None:
        super().__init__(seed=seed, latency=1)
        self._facts = replace(self._facts, one_change=told)
        self._wanted = self._taken = Pad.NONE

    def press(self, port: int, pad: Pad) -> None:
        self._wanted = pad

    def advance(self) -> int:
        changed = self._wanted ^ self._taken
        self._taken ^= changed & -changed
        super().press(0, self._taken if legal(self._taken) else Pad.NONE)
        return super().advance()


@pytest.mark.few(1)
@pytest.mark.parametrize(("level", "tempo"), [(9, "30hz"), (18, "30hz"), (5, "15hz")])
def test_plans_are_spread_where_a_port_takes_one_change_a_frame(level: int, tempo: str) -> None:
    tally, clumsy = (
        pilot_on(OneChange(level, told), parse_taps(tempo), level=level, pieces=40).run() for told in (True, False)
    )
    assert (tally.pieces, tally.misplaced, tally.replans) == (40, 0, 0)
    assert clumsy.replans > 5


class Late(OneChange):
    """Now and then a pad comes one frame late, as from a bridge that does not keep step with its emulator."""

    def __init__(self, seed: int, every: int) -> None:
        super().__init__(seed, told=True)
        self._facts = replace(self._facts, lock_step=False)
        self._chance = np.random.default_rng(seed)
        self._every = every
        self.late = 0

    def press(self, port: int, pad: Pad) -> None:
        if self._chance.integers(self._every) == 0 and pad != self._wanted:
            self.late += 1
        else:
            super().press(port, pad)


@pytest.mark.few(1)
@pytest.mark.parametrize(("level", "tempo"), [(18, "30hz"), (9, "30hz"), (5, "15hz")])
def test_an_input_that_comes_late_misplaces_no_piece(level: int, tempo: str) -> None:
    bridge = Late(level, every=50)
    tally = pilot_on(bridge, parse_taps(tempo), level=level, pieces=60).run()
    assert bridge.late > 5
    assert (tally.pieces, tally.misplaced) == (60, 0)
