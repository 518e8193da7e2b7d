"""The clock as it is measured: scripted pieces fall, move and turn by a clock of their own."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from emubot.learn import ClockWatch
from emubot.pad import Pad
from emubot.snapshot import Phase, Piece


@dataclass
class Toy:
    """A game with one piece at a time: falls by itself or with DOWN, obeys after `delay` frames."""

    gravity: int = 20
    soft: int = 3
    delay: int = 0
    wait: int = 9
    level: int = 0
    watch: ClockWatch = field(default_factory=ClockWatch)
    orientation: int = 0
    column: int = 3
    row: int = 0
    timer: int = 0
    due: list[tuple[int, Pad]] = field(default_factory=list)
    held: Pad = Pad.NONE

    def frames(self, count: int, pad: Pad = Pad.NONE) -> None:
        for _ in range(count):
            new, self.held = pad & ~self.held, pad
            if new & (Pad.LEFT | Pad.RIGHT | Pad.A):
                self.due.append((self.delay, new))
            for _, press in [press for press in self.due if press[0] == 0]:
                self.orientation += bool(press & Pad.A)
                self.column += bool(press & Pad.RIGHT) - bool(press & Pad.LEFT)
            self.due = [(left - 1, press) for left, press in self.due if left]
            self.timer += 1
            if self.timer >= (self.soft if pad & Pad.DOWN else self.gravity):
                self.row, self.timer = self.row + 1, 0
            self.watch.frame(Phase.PLAYING, Piece(self.orientation, self.column, self.row), self.level, pad)

    def lock(self, frames: int | None = None) -> None:
        for _ in range(frames or self.wait):
            self.watch.frame(Phase.LOCKED, Piece(self.orientation, self.column, self.row), self.level, Pad.NONE)
        self.row = self.timer = 0


def test_gravity_is_believed_after_three_rows_that_agree() -> None:
    toy = Toy()
    toy.frames(20 * 3)
    assert toy.watch.gravity(0) is None, "the first row ends an interval whose beginning was not seen"
    toy.frames(20)
    assert toy.watch.gravity(0) == 20
    assert toy.watch.gravity(1) is None
    assert toy.watch.levels == {0: (20, 3)}
    toy.level, toy.gravity = 1, 17
    toy.frames(17 * 5)
    assert (toy.watch.gravity(0), toy.watch.gravity(1)) == (20, 17)


def test_a_row_that_took_longer_takes_the_belief_away() -> None:
    toy = Toy()
    toy.frames(20 * 5)
    toy.gravity = 21
    toy.frames(21)
    assert toy.watch.gravity(0) is None
    toy.gravity = 20
    toy.frames(20 * 3)
    assert toy.watch.gravity(0) == 20


def test_rows_with_down_held_all_the_way_are_counted_apart() -> None:
    toy = Toy()
    toy.frames(20 * 2)
    toy.frames(3 * 5, Pad.DOWN)
    assert toy.watch.soft_drop == 3
    assert toy.watch.soft_rows == 5
    assert toy.watch.gravity(0) is None
    toy.frames(2, Pad.DOWN)
    toy.frames(18)
    assert toy.watch.soft_rows == 5, "a row with DOWN for a part of it tells nothing"


@pytest.mark.parametrize("delay", [0, 1, 4])
def test_frames_from_a_press_to_its_effect(delay: int) -> None:
    toy = Toy(delay=delay)
    assert (toy.watch.shift_delay, toy.watch.rotate_delay) == (None, None)
    for _ in range(4):
        for pad in (Pad.LEFT, Pad.A, Pad.RIGHT):
            toy.frames(1, pad)
            toy.frames(6)
    assert (toy.watch.shift_delay, toy.watch.rotate_delay) == (delay, delay)


def test_a_press_without_effect_is_given_up() -> None:
    toy = Toy(gravity=500)
    toy.frames(10)
    toy.watch.frame(Phase.PLAYING, Piece(0, 3, 0), 0, Pad.LEFT)
    for _ in range(80):
        toy.watch.frame(Phase.PLAYING, Piece(0, 3, 0), 0, Pad.NONE)
    toy.watch.frame(Phase.PLAYING, Piece(0, 2, 0), 0, Pad.NONE)
    assert toy.watch.shift_delay is None


def test_the_wait_between_two_pieces_is_the_shortest_seen() -> None:
    toy = Toy()
    toy.frames(5)
    for frames in (30, 9, 12):
        assert toy.watch.entry_delay is None
        toy.lock(frames)
        toy.frames(5)
    assert toy.watch.entry_delay == 9


def test_pauses_and_menus_end_what_was_being_measured() -> None:
    toy = Toy()
    toy.frames(20 * 2 + 5)
    for phase in (Phase.PAUSED, Phase.MENU, Phase.PLAYING):
        toy.watch.frame(phase, None if phase is not Phase.PLAYING else Piece(0, 3, 2), 0, Pad.NONE)
    toy.frames(15)
    assert toy.watch.levels == {}
    toy.frames(20 * 3)
    assert toy.watch.gravity(0) == 20
