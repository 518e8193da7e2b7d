"""A map that passes its checks and counts no piece, or misses every one, is told of after ten pieces, once."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.games.strength import Strength
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.pilot.doubts import Doubts
from emubot.pilot.tally import Tally
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Piece, Placement
from tests.pilot.test_pilot import FEW, GAME, MAP, WEIGHTS, Spy, pilot_on

TEXT = MAP.path.read_text(encoding="utf-8")
WATCH = '"emubot maps watch" shows what it reads there.'


def own(written: str, instead: str) -> RamMap:
    assert TEXT.count(written) == 1
    return parse_map(TEXT.replace(written, instead), "own")


def played(ram_map: RamMap, frames: int) -> Pilot:
    pilot = Pilot(
        Spy(seed=2),
        Goal(games=None, menu_choices={"level": 19}),
        GAME.open(ram_map),
        Skill(WEIGHTS, strength=Strength(FEW)),
    )
    for _ in range(frames):
        pilot.step()
    return pilot


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("written", ["phase: clearing", "phase: playing", "phase: unknown", "play_state: 9"])
def test_a_lock_is_what_the_board_shows_whatever_the_map_calls_the_frames_after_it(written: str) -> None:
    asked = "play_state: [2, 3, 5, 6, 7, 8]" if "state" in written else "phase: locked"
    pilot = played(own(asked, written), 2500)
    assert pilot.tally.pieces > 40
    assert (pilot.tally.misplaced, pilot.tally.replans) == (0, 0)
    assert pilot.doubts.said == []


@pytest.mark.jit
def test_a_map_that_never_counts_a_piece_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    pilot = played(own("phase: locked", "phase: over"), 2500)
    assert pilot.tally.pieces == 0
    seen = "showed locked (phase over) before the board showed them at rest"
    sentence = f"10 pieces came, and none was counted: the map own {seen}; {WATCH}"
    assert pilot.doubts.said == [sentence]
    assert caplog.messages.count(sentence) == 1


def test_a_good_map_is_not_doubted() -> None:
    pilot = pilot_on(Spy(seed=2), level=19, pieces=15)
    assert pilot.run().pieces == 15
    assert pilot.doubts.said == []


CHOSEN = Placement(1, 5, 17)


def test_pieces_that_all_lock_elsewhere_are_told_of_once() -> None:
    doubts = Doubts(MAP, Tally())
    for number in range(25):
        assert len(doubts.said) == (number >= 10)
        doubts.placed(CHOSEN, Piece(1, 4, 17))
    (sentence,) = doubts.said
    assert sentence.startswith(
        "10 pieces locked, and none where it was meant: the last one at column 4, row 17, orientation 1, not at "
        "column 5, row 17, orientation 1; by the map nes_tetris_usa the piece's place or turn, its cells or a button"
    )


def test_a_piece_that_goes_astray_again_and_again_is_told_of_once() -> None:
    doubts = Doubts(MAP, Tally())
    for again in range(2):
        for times in range(1, 150):
            assert len(doubts.said) == (again or times > 100), times
            doubts.diverted(times)
    assert doubts.said == [
        "a piece went elsewhere than its buttons should move it 100 times: the map nes_tetris_usa says left LEFT, "
        f"right RIGHT, clockwise A, counterclockwise B; {WATCH}"
    ]


class Swapped(Spy):
    """A game that takes LEFT for RIGHT, so that its map is wrong."""

    def press(self, port: int, pad: Pad) -> None:
        sides = Pad.LEFT | Pad.RIGHT
        super().press(port, pad ^ sides if pad & sides else pad)


@pytest.mark.jit
def test_a_piece_that_buttons_move_elsewhere_than_the_map_says_is_not_played_without_a_word() -> None:
    pilot = pilot_on(Swapped(seed=2), level=0)  # no menu needs LEFT or RIGHT
    for _ in range(2000):
        pilot.step()
    assert pilot.tally.misplaced >= pilot.tally.pieces - 1 > 0, "one may fall where it was meant to"
    assert len(pilot.doubts.said) == 1


@pytest.mark.parametrize("right", [0, 5, 9])
def test_one_piece_that_locks_where_it_was_meant_clears_the_map(right: int) -> None:
    doubts = Doubts(MAP, Tally())
    for number in range(25):
        doubts.placed(CHOSEN, Piece(1, 5 if number == right else 4, 17))
    assert doubts.said == []


def test_pieces_lost_after_one_was_counted_are_no_doubt() -> None:
    tally = Tally()
    doubts = Doubts(MAP, tally)
    snapshot = GAME.open(MAP).decoder()(bytes(2048))
    tally.pieces = 1
    for _ in range(20):
        doubts.left(snapshot)
    assert doubts.said == []


@pytest.mark.jit
def test_json_holds_what_was_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--bridge", "simulated", "--view", "none", "--emu-speed", "max", "--pieces", "3", "--nodes", "1", "--json"]
    assert main(["play", "--demo", "tetris", *words]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == []
