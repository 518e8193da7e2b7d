"""The experiments on falling-block cartridges: what they measure is what the cartridge does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from emubot.games.tetris.family import GAME
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.games.tetris.learning.points import PointsSeen
from emubot.learn import ProbeReport
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from tests.games.tetris.random_cartridges import LOCKED, OVER, PLAYING
from tests.games.tetris.shuffled import BUTTONS, Shuffled, replaced
from tests.games.tetris.toy_blocks import Toy, ToyMachine

LEVELS = (
    ("  score: {at: 0x29", "  start_level: 0x2E\n  score: {at: 0x29"),
    ("    - {state: [title, over], tap: START}\n", "    - {state: [title, over], tap: RIGHT, until: {start_level: "
     "{asked: level}}}\n    - {state: [title, over], tap: START}\n"),
    ("  pace: 4\n", "  pace: 4\n  asked:\n    level: {from: 0, to: 2, default: 0}\n"),
)  # fmt: skip


class Timed(Shuffled):
    """A cartridge with a repeat of held buttons, a wait on the ground and a level to choose."""

    def __init__(
        self, seed: int, das: tuple[int, int] = (14, 5), turns: int = 0, wait: int = 0, more: Sequence[Any] = LEVELS
    ) -> None:
        """`das`: frames to the first repeat and from one to the next, (0, 0) for none. `turns`: frames between turns.

        `wait`: frames on the ground after the one in which it came there, 0 for a lock with the next fall.
        """
        self.das, self.turns, self.wait = das, turns, wait
        self.start = self.shifted = self.turned = self.rested = 0
        super().__init__(seed, changes=(BUTTONS, *more))

    @property
    def level(self) -> int:
        return min(self.start + self.lines // 10, 2)

    def step(self, pads: Sequence[Pad]) -> None:
        new = pads[0] & ~self._held
        if self._state not in (PLAYING, LOCKED) and new & Pad.RIGHT:
            self.start = (self.start + 1) % 3
        super().step(pads)

    def _control(self, new: Pad, held: Pad) -> None:
        first, period = self.das
        self.shifted = self.shifted + 1 if held & (Pad.LEFT | Pad.RIGHT) and not new & (Pad.LEFT | Pad.RIGHT) else 0
        if first and self.shifted == first:
            new |= held & (Pad.LEFT | Pad.RIGHT)
            self.shifted -= period
        self.turned = self.turned + 1 if held & (Pad.A | Pad.B) and not new & (Pad.A | Pad.B) else 0
        if self.turns and self.turned == self.turns:
            new |= held & (Pad.A | Pad.B)
            self.turned = 0
        row = self.y
        super()._control(new, held)
        if self.wait and self._state == PLAYING:
            grounded = not self._fits(self.x, self.y + 1, self.quarters)
            self.rested = self.rested + 1 if grounded and self.y == row else 0
            self.timer = max(self.timer, 2) if grounded else self.timer
            if self.rested == self.wait:
                self.rested = 0
                self._lock()

    def _publish(self) -> None:
        super()._publish()
        if "start_level" in self._map.reader().names:
            self._map.encode(self.ram, {"start_level": self.start})


def probed(machine: Machine, ram_map: RamMap) -> ProbeReport:
    learner = GAME.open(ram_map).learner()
    assert isinstance(learner, TetrisLearner)
    prober = learner.prober()
    script = prober.script(ram_map)
    pad = next(script)
    try:
        while True:
            machine.step([pad])
            ram = machine.ram.tobytes()
            assert learner.observe(ram, pad) is None
            prober.frame(ram)
            pad = script.send(ram)
    except StopIteration:
        return prober.report()


def test_repeats_delays_and_the_fall_of_every_level_are_measured() -> None:
    machine = Timed(1, das=(14, 5))
    found = probed(machine, machine.truth)
    assert found.timing == {
        "shift_delay": 0,
        "das_initial": 14,
        "das_reset": 9,
        "rotate_delay": 0,
        "gravity": (11, 9, 7),
        "soft_drop": 2,
    }
    assert "turns: a held turn button does not repeat" in found.notes
    assert "lock: on the ground a piece locks when it would fall next, after 11 frames" in found.notes
    assert "0: " in found.evidence["timing.gravity"]


def test_a_turn_that_repeats_and_a_lock_that_waits() -> None:
    machine = Timed(2, das=(0, 0), turns=9, wait=25, more=())
    found = probed(machine, machine.truth)
    assert "shifts: a held direction does not repeat" in found.notes
    assert "turns: a held turn button turns again after 9 frames" in found.notes
    assert found.timing["lock_delay"] == 26
    assert "gravity" not in found.timing
    assert any(note.startswith("frames per row: 11 at level 0") for note in found.notes)


@pytest.mark.parametrize("delay", [8, 30])
def test_the_wait_on_the_ground_is_what_the_family_plans_with(delay: int) -> None:
    toy = Toy(columns=8, rows=16, lock_delay=delay)
    text = replaced(toy.map_text(), (f"timing: {toy.timing_text}", "timing: {}"))
    found = probed(ToyMachine(toy, seed=3), parse_map(text, "toy"))
    assert found.timing["lock_delay"] == delay


@pytest.mark.slow
def test_a_cartridge_that_never_begins_leaves_all_unseen() -> None:
    machine = Timed(3)
    stuck = replaced(machine.truth.text, ("{state: [title, over], tap: START}", "{state: locked, tap: START}"))
    found = probed(machine, parse_map(stuck, "stuck"))
    assert found.timing == {}
    assert set(found.unseen) == {
        "timing.das_initial", "timing.rotate_delay", "timing.lock_delay", "timing.gravity", "rules.line_points"
    }  # fmt: skip


def test_points_are_the_least_that_a_number_of_lines_gave() -> None:
    machine = Timed(4, more=())
    points = PointsSeen(machine.truth)

    def lock(score: int, lines: int) -> None:
        for state, gain, more in ((PLAYING, 0, 0), (LOCKED, 0, 0), (LOCKED, score, lines), (PLAYING, score, lines)):
            machine._map.encode(
                machine.ram, {"state": state, "score": total[0] + gain, "lines": total[1] + more, "level": 1}
            )
            points.frame(machine.ram.tobytes())
        total[0] += score
        total[1] += lines

    total = [100, 0]
    for score, lines in ((17, 0), (93, 1), (80, 1), (205, 2), (2400, 4)):
        lock(score, lines)
    machine._map.encode(machine.ram, {"state": OVER})
    points.frame(machine.ram.tobytes())
    made = ProbeReport()
    points.report(made)
    assert made.rules == {"line_points": (80, 205)}
    assert made.notes[-1] == "points at level 1: 2400 for lines cleared: 4, the least of 1"
    assert made.unseen == {}


@pytest.mark.parametrize("name", ["score", "lines"])
def test_a_map_without_score_or_lines_tells_no_points(name: str) -> None:
    text = "\n".join(line for line in Timed(5, more=()).truth.text.splitlines() if not line.startswith(f"  {name}:"))
    points, made = PointsSeen(parse_map(text, "fewer")), ProbeReport()
    points.frame(bytes(2048))
    points.report(made)
    assert made == ProbeReport()
