"""Ten pieces by a map say what it let expect that did not come true, and at which key to look."""

from __future__ import annotations

import dataclasses

import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.pilot.inspection import PIECES, Inspection
from emubot.pilot.presses import Presses
from emubot.rammap import load_map, parse_map
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece
from tests.toys.abrupt import AbruptMachine, Manners, abrupt_map
from tests.toys.machine import ToyMachine
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS
from tests.toys.toy import Toy

pytestmark = pytest.mark.jit
TOY = Toy("inspected", columns=6, rows=12, level_lines=100)
TEXT = map_text(TOY)


def found(text: str, machine: ToyMachine | None = None) -> dict[str, str]:
    """What an inspection finds, by key."""
    edition = games.game("tetris").open(parse_map(text, "inspected"))
    pilot = Pilot(SimulatedBridge(machine or ToyMachine(TOY)), Goal(PIECES, games=None), edition)
    inspection = Inspection(pilot)
    inspection.run()
    assert pilot.frames < 8000
    return {".".join(map(str, one.key)): one.text for one in inspection.findings()}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["plain", "small", "upward", "sprites", "kicks", "velocity", "second_pad"])
def test_a_true_map_has_no_finding(name: str) -> None:
    assert found(map_text(TOYS[name]), ToyMachine(TOYS[name])) == {}


def test_a_true_map_without_a_state_after_the_lock_has_no_finding() -> None:
    manners, toy = Manners(hides=True, parked=(0xFF, 0xFF), late=3, poll=2), Toy("untimed", states_clock=False)
    assert found(abrupt_map(toy, manners), AbruptMachine(toy, manners)) == {}


def test_demo_pairs_have_no_finding() -> None:
    edition = games.open_edition(load_map("demo_pairs"))
    assert edition.simulator is not None
    pilot = Pilot(SimulatedBridge(edition.simulator.machine(None)), Goal(PIECES, games=None), edition)
    inspection = Inspection(pilot)
    inspection.run()
    assert inspection.findings() == []


def changed(*changes: tuple[str, str]) -> str:
    text = TEXT
    for written, instead in changes:
        assert text.count(written) == 1, written
        text = text.replace(written, instead)
    return text


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        (("state: playing, phase: playing, when: { state: 5 }", "state: playing, phase: playing, when: { state: 99 }"),
         "phases.1", "playing: state is"),
        (("- { state: [title, over], tap: START }", "- { state: [title, over], tap: SELECT }"),
         "menu.steps.0", "title: SELECT led to no game"),
        (("left: LEFT", "left: UP"), "buttons.left", "UP had no effect"),
        (("rotate_clockwise: A", "rotate_clockwise: SELECT"), "buttons.rotate_clockwise", "SELECT had no effect"),
        (("  x: { at: 0x47, format: signed }", "  x: { at: 0x47, offset: 1 }"), "values.x", "1 column aside"),
        (("  at: 0x0400", "  at: 0x0600"), "grid.at", "the board never changed in"),
        (("  lines: { at: 0x50, bytes: 2 }", "  lines: { at: 0x54, bytes: 1 }"), "values.lines", "lines stayed while"),
        (("  next_piece: 0x49", "  next_piece: 0x56"), "values.next_piece", "were others than shown before"),
        (("  y: { at: 0x48, format: signed }", "  y: { at: 0x21, format: signed }"), "values.y", "y was 0 in all"),
        (("state: locked, phase: locked, when: { state: 6 }", "state: locked, phase: locked, when: { state: 60 }"),
         "phases.2", "locked never held, though 10 pieces locked"),
    ],
    ids=lambda one: one if isinstance(one, str) else None,
)  # fmt: skip
def test_a_wrong_key_is_named(change: tuple[str, str], key: str, words: str) -> None:
    findings = found(changed(change))
    assert key in findings, findings
    assert words in findings[key]


def test_buttons_that_are_exchanged_are_the_cause_and_not_the_pieces() -> None:
    findings = found(changed(("left: LEFT", "left: RIGHT"), ("  right: RIGHT", "  right: LEFT")))
    wrong = [text for key, text in findings.items() if key.startswith("buttons")]
    assert wrong
    assert all("moved the piece otherwise" in text for text in wrong)
    assert "pieces" not in findings


def test_a_map_that_is_still_to_be_learnt_says_so_alone() -> None:
    text = TEXT[: TEXT.index("pieces:\n")] + "pieces: learn\n" + TEXT[TEXT.index("phases:\n") :]
    assert found(text) == {"pieces": "pieces is still to be learnt: emubot maps learn comes before this check."}


BUTTONS = Buttons.model_validate({"left": "LEFT", "right": "RIGHT", "rotate_clockwise": "A", "start": "START"})


def test_presses_are_judged_by_what_they_do_within_some_frames() -> None:
    presses, here = Presses(BUTTONS, press=1), Piece(0, 5, 3)
    for _ in range(3):
        presses.frame(here, Pad.NONE)
        presses.frame(here, Pad.LEFT)
        for frame in range(20):
            presses.frame(dataclasses.replace(here, row=3 + frame // 8), Pad.NONE)
        presses.frame(here, Pad.NONE)
        presses.frame(here, Pad.A)
        presses.frame(dataclasses.replace(here, orientation=1), Pad.NONE)
    assert dict(presses.findings()) == {"left": "LEFT had no effect, 3 times of 3"}


def test_a_press_just_before_the_next_piece_is_no_sign() -> None:
    presses, here = Presses(BUTTONS, press=1), Piece(0, 5, 10)
    for _ in range(5):
        presses.frame(here, Pad.NONE)
        presses.frame(here, Pad.LEFT)
        presses.frame(Piece(3, 8, 0), Pad.NONE)
    assert dict(presses.findings()) == {}
