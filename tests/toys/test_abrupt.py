"""A lock is what the board shows: cartridges without a state for it, with parked pieces and late boards are played."""

from __future__ import annotations

import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import parse_map
from emubot.tempo import tempo_for_speed
from tests.games.tetris.test_learner import check_true
from tests.toys.abrupt import AbruptMachine, LockRecount, Manners, abrupt_map
from tests.toys.shelf import TOYS
from tests.toys.toy import Toy

pytestmark = pytest.mark.jit

PIECES_EACH = 25
UNTIMED = Toy("untimed", states_clock=False, entry=12)
MANNERS = {
    "at once": Manners(at_once=True),
    "hidden": Manners(hides=True),
    "parked far below": Manners(hides=True, parked=(0x05, 0x70)),
    "parked above": Manners(hides=True, parked=(0x05, 0xF0)),
    "parked beside": Manners(hides=True, parked=(0xFF, 0xFF)),
    "parked near": Manners(hides=True, parked=(0x05, 0xFE)),
    "parked with a state": Manners(parked=(0xFF, 0xFF)),
    "parked inside, with a state": Manners(parked=(0x05, 0x05)),
    "at once, late": Manners(at_once=True, late=3),
    "hidden, late": Manners(hides=True, late=4),
    "late with a state": Manners(late=8),
    "parked, late": Manners(hides=True, parked=(0xFF, 0xFF), late=5),
    "hard drop at once": Manners(at_once=True, hard_drop=Pad.DOWN),
    "hard drop with UP": Manners(at_once=True, hard_drop=Pad.UP),
    "hard drop, hidden": Manners(hides=True, hard_drop=Pad.DOWN),
    "hard drop, late and parked": Manners(hides=True, hard_drop=Pad.DOWN, late=2, parked=(0xFF, 0xFF)),
}
PADS = {
    "slow pad": Manners(poll=3),
    "slow pad, at once": Manners(at_once=True, poll=4),
    "slow pad, hard drop": Manners(hides=True, poll=2, hard_drop=Pad.UP),
    "a row a press": Manners(step_down=Pad.DOWN),
    "a row a press, slow pad": Manners(hides=True, step_down=Pad.DOWN, poll=4),
    "a row a press, hard drop": Manners(at_once=True, step_down=Pad.DOWN, hard_drop=Pad.UP),
}
PLAYED = {"untimed": UNTIMED, **{name: TOYS[name] for name in ("plain", "small", "wide", "kicks")}}


def pilot_on(machine: AbruptMachine, text: str, pieces: int, latency: int = 0) -> Pilot:
    edition = games.game("tetris").open(parse_map(text, "abrupt"))
    goal = Goal(pieces, games=None)
    return Pilot(SimulatedBridge(machine, latency=latency), goal, edition, Skill(tempo=tempo_for_speed(10)))


QUICK = ("untimed", "small")
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in PLAYED]


def played(machine: AbruptMachine, text: str, pieces: int) -> tuple[Pilot, LockRecount]:
    pilot = pilot_on(machine, text, pieces)
    recount = LockRecount(pilot, machine)
    for _ in range(pieces * 700):
        if pilot.finished:
            break
        pilot.step()
    return pilot, recount


@pytest.mark.few(6)
@pytest.mark.parametrize("manners", MANNERS.values(), ids=MANNERS.keys())
@pytest.mark.parametrize("name", NAMES)
def test_every_piece_counts_and_locks_where_it_was_meant_to(name: str, manners: Manners) -> None:
    toy = PLAYED[name]
    machine = AbruptMachine(toy, manners)
    pilot, recount = played(machine, abrupt_map(toy, manners), PIECES_EACH)
    tally = pilot.tally
    assert (tally.pieces, tally.misplaced, recount.misplaced) == (PIECES_EACH, 0, 0)
    assert PIECES_EACH <= len(machine.locked) <= PIECES_EACH + 1
    if manners.parked is None:
        assert tally.replans == 0
    assert pilot.doubts.said == []


@pytest.mark.few(2)
@pytest.mark.parametrize("manners", PADS.values(), ids=PADS.keys())
def test_presses_last_as_long_as_the_game_needs_in_menus_and_in_play(manners: Manners) -> None:
    machine = AbruptMachine(UNTIMED, manners)
    pilot, recount = played(machine, abrupt_map(UNTIMED, manners), PIECES_EACH)
    assert (pilot.tally.pieces, pilot.tally.misplaced, recount.misplaced) == (PIECES_EACH, 0, 0)
    assert pilot.tally.replans == 0
    if manners.step_down and not manners.hard_drop:  # 16 rows at 24 frames a row would take longer
        assert pilot.frames < PIECES_EACH * 16 * 12


@pytest.mark.few(4)
@pytest.mark.parametrize("manners", [Manners(at_once=True), Manners(hides=True, late=3), Manners()], ids=str)
@pytest.mark.parametrize(
    ("written", "instead", "least"),
    [
        ("  x: { at: 0x47, format: signed }", "  x: { at: 0x47, offset: 1 }", 15),
        ("[[1, 0], [1, 1]]", "[[0, 0], [0, 1]]", 0),
        ("  at: 0x0400\n", "  at: 0x0430\n", 15),
        ("  at: 0x0400\n", "  at: 0x0402\n", 15),
    ],
    ids=["x one off", "cells of one orientation", "board one column off", "board one row off"],
)
def test_a_wrong_map_counts_its_pieces_as_misplaced(written: str, instead: str, least: int, manners: Manners) -> None:
    toy = TOYS["small"]
    text = abrupt_map(toy, manners)
    assert written in text
    machine = AbruptMachine(toy, manners)
    pilot, recount = played(machine, text.replace(written, instead), 25)
    assert pilot.tally.misplaced >= recount.misplaced >= least


LEARNT_QUICKLY = ("at once, late", "hidden", "parked with a state")
LEARNT = [
    pytest.param(manners, id=name, marks=() if name in LEARNT_QUICKLY else pytest.mark.slow)
    for name, manners in MANNERS.items()
    if name not in ("parked inside, with a state", "parked near")
]


@pytest.mark.few(1)
@pytest.mark.parametrize("manners", LEARNT)
def test_codes_and_pieces_are_learnt_without_a_state_after_the_lock(manners: Manners) -> None:
    toy = TOYS["plain"]
    text = abrupt_map(toy, manners)
    truth = parse_map(text, "truth")
    kinds = text[text.index("kinds: {") : text.index(" }\n", text.index("kinds: {"))]
    text = text[: text.index("pieces:\n")] + "pieces: learn\n" + text[text.index("phases:\n") :]
    machine = AbruptMachine(toy, manners)
    pilot = pilot_on(machine, text.replace(kinds, "kinds: { block: learn }"), 150)
    for _ in range(60_000):
        if pilot.finished:
            break
        pilot.step()
    learner = pilot.learner
    assert isinstance(learner, TetrisLearner)
    assert learner.open == ()
    check_true(learner.finished(), truth)
    # The first piece that is planned may not wait for a board that shows the last experiment after the next entry.
    assert pilot.tally.misplaced <= (manners.late > toy.entry)
