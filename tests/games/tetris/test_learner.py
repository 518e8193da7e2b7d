"""What is learnt of falling-block cartridges that nobody knows: codes, pieces and turns, all true or left open."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.tetris.family import GAME
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.games.tetris.learning.making import TetrisMapMaker
from emubot.pilot import Goal, Pilot, Skill, View
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase, Placement
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights
from tests.games.tetris.shuffled import Hand, Shuffled, bridge_to, replaced
from tests.games.tetris.toy_blocks import PENTOMINOES, SMALL, Toy, ToyMachine


def learnt(machine: Shuffled, pieces: int, tells: bool = True) -> TetrisLearner:
    learner = GAME.open(machine.open).learner()
    assert isinstance(learner, TetrisLearner)
    Hand(machine, learner, tells).play(pieces)
    return learner


def check_true(found: RamMap, truth: RamMap) -> None:
    assert {one.id: frozenset(one.cells) for one in found.pieces} == {
        one.id: frozenset(one.cells) for one in truth.pieces
    }
    turns = {one.id: (one.clockwise, one.counterclockwise) for one in found.pieces}
    assert turns == {one.id: (one.clockwise, one.counterclockwise) for one in truth.pieces}


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_everything_open_ends_complete_and_true(seed: int) -> None:
    machine = Shuffled(seed, restless=seed % 2 == 1)
    learner = learnt(machine, 90)
    assert (learner.open, learner.blind) == ((), False)
    found = learner.finished()
    check_true(found, machine.truth)
    if machine.restless:
        assert found.document.grid.cell.mask == 0xFF00
    own = found.reader()
    ram = machine.ram.tobytes()
    assert np.array_equal(own.solid[own.playfield(ram)], machine.truth.reader().playfield(ram) >= 2)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "toy",
    [
        Toy(columns=12, rows=24, hidden=2, boxes=PENTOMINOES, turns=2),
        Toy(columns=6, rows=10, boxes=SMALL, kicks=((1, 0), (-1, 0))),
        Toy(columns=10, rows=18, turns=1),
        Toy(columns=9, rows=16, shows_piece=True),
    ],
    ids=["pentominoes", "small pieces with kicks", "pieces that do not turn", "pieces drawn into the grid"],
)
def test_any_board_and_any_pieces_are_learnt(toy: Toy) -> None:
    text = toy.map_text()
    pieces = text[text.index("pieces:\n") : text.index("phases:\n")]
    cell = ("cell: {empty: 0x00, kinds: {block: 0x07}}", "cell: {empty: learn, kinds: {block: learn}}")
    machine = ToyMachine(toy, seed=4)
    learner = GAME.open(parse_map(replaced(text, (pieces, "pieces: learn\n"), cell), "toy")).learner()
    assert isinstance(learner, TetrisLearner)
    Hand(machine, learner).play(130)
    assert learner.open == ()
    found = learner.finished()
    assert found.codes == {"empty": (0,), "block": (7,)}
    check_true(found, parse_map(text, "truth"))


def test_flags_are_never_part_of_a_code() -> None:
    open_text = Shuffled(0).open_text
    flagged = parse_map(
        replaced(open_text, ("    empty: learn\n", "    empty: learn\n    flags: {lit: 0x0101}\n")), "lit"
    )
    assert (TetrisMapMaker(flagged).bits, TetrisMapMaker(parse_map(open_text, "dark")).bits) == (0xFEFE, 0xFFFF)


def test_without_the_pads_a_turn_is_one_that_was_asked_for() -> None:
    machine = Shuffled(5)
    learner = learnt(machine, 100, tells=False)
    assert learner.open == ()
    check_true(learner.finished(), machine.truth)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("seed", [6, pytest.param(7, marks=pytest.mark.slow)])
def test_a_pilot_explores_and_then_plays_as_planned(seed: int) -> None:
    machine = Shuffled(seed)
    tempo = tempo_for_speed(10)
    pilot = Pilot(
        bridge_to(machine), Goal(150, games=None), GAME.open(machine.open), Skill(load_weights("dt10"), tempo)
    )
    chosen: list[Placement] = []
    pilot.on_plan.append(chosen.append)
    look, drawn = pilot.edition.depiction, [0, 0]  # frames with a piece in the air, by whether it is drawn
    assert look is not None

    def draw(view: View) -> None:
        snapshot = view.snapshot
        if closed and snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            drawn[len(look.cells(snapshot, snapshot.current)) == 4] += 1

    pilot.watchers.append(draw)
    closed: list[int] = []
    pilot.on_map.append(lambda ram_map: None if "pieces" in ram_map.learns else closed.append(pilot.tally.pieces))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (150, 0, 0)
    assert len(chosen) >= 40
    assert closed
    assert drawn[True]
    assert not drawn[False], "a view that was opened with the open map draws the pieces of the learnt one"
    assert tally.lines is not None
    check_true(pilot.edition.ram_map, machine.truth)


def test_random_memory_is_survived_and_nothing_is_believed_for_long() -> None:
    machine = Shuffled(8)
    learner = GAME.open(machine.open).learner()
    assert isinstance(learner, TetrisLearner)
    decoded = GAME.open(machine.open).decoder()
    rng = np.random.default_rng(8)
    for _ in range(3000):
        ram = bytearray(rng.bytes(2048))
        ram[0x20] = rng.integers(5)
        learner.observe(bytes(ram))
        assert decoded(bytes(ram)).next == ()
    assert learner.blind
    assert learner.finished().pieces == ()


@pytest.mark.slow
def test_what_contradicts_itself_is_learnt_again(caplog: pytest.LogCaptureFixture) -> None:
    first = Shuffled(9)
    learner = learnt(first, 110)
    assert learner.open == ()
    empty, moving, one, other = first.codes
    second = Shuffled(10, codes=(one, empty, moving, other))
    assert second.open_text == first.open_text
    Hand(second, learner).play(110)
    assert "contradicts itself (cells that count as full were filled); learning anew, time 1" in caplog.text
    assert learner.open == ()
    check_true(learner.finished(), second.truth)
