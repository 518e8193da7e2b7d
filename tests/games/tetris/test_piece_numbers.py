"""A piece that memory names in several places, or by a pointer: stated and learnt, on the usual board and on others."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import MapError
from emubot.games.tetris.family import GAME
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase
from emubot.tempo import tempo_for_speed
from tests.games.tetris.shuffled import Hand
from tests.games.tetris.toy_blocks import PLAYING, Toy, ToyMachine

AT, SHOWN = 0x50, 0x54  # where the number of the piece in the air, and of the next one, are
TURNS = 4


@dataclass(frozen=True)
class Naming:
    """How a cartridge names its pieces: `times` is what type and rotation count, `base` is added."""

    piece: str
    next_piece: str
    base: int = 0
    times: tuple[int, int] = (TURNS, 1)
    is_pointer: bool = False

    def number(self, own: int) -> int:
        """The map's number of one of the toy's."""
        return self.base + self.times[0] * (own // TURNS) + self.times[1] * (own % TURNS)

    def bytes(self, own: int) -> tuple[int, int]:
        number = self.number(own)
        return (number & 0xFF, number >> 8) if self.is_pointer else (own // TURNS, own % TURNS)


NAMINGS = {
    "type and rotation": Naming(
        f"{{parts: [{{at: 0x{AT:02X}, times: 4}}, {{at: 0x{AT + 1:02X}}}]}}", f"{{at: 0x{SHOWN:02X}, scale: 4}}"
    ),
    "rotation first": Naming(
        f"{{parts: [{{at: 0x{AT:02X}}}, {{at: 0x{AT + 1:02X}, times: 16}}]}}", f"0x{SHOWN:02X}", times=(1, 16)
    ),
    "a pointer": Naming(f"{{at: 0x{AT:02X}, bytes: 2}}", f"{{at: 0x{SHOWN:02X}, bytes: 2}}", 0x8F31, (208, 52), True),
    "a pointer in parts": Naming(
        f"{{parts: [{{at: 0x{AT + 1:02X}, times: 256}}, {{at: 0x{AT:02X}}}]}}",
        f"{{at: 0x{SHOWN:02X}, bytes: 2}}", 0xFD00, (16, 4), True,
    ),
}  # fmt: skip
BOARDS = {
    "usual": Toy(hidden=2),
    "wide": Toy(columns=12, rows=22),
    "showing": Toy(columns=8, rows=16, shows_piece=True),
}


class Named(ToyMachine):
    """The toy with other numbers."""

    def __init__(self, toy: Toy, naming: Naming, seed: int) -> None:
        self.naming = naming
        super().__init__(toy, seed)

    def _write(self) -> None:
        super()._write()
        for at, own in ((AT, self.number), (SHOWN, self.queue[0])):
            self.ram[at : at + 2] = self.naming.bytes(own)


def text_of(toy: Toy, naming: Naming) -> str:
    text = toy.map_text().replace("  piece: 0x11\n", f"  piece: {naming.piece}\n")
    text = text.replace("  next_piece: 0x20\n", f"  next_piece: {naming.next_piece}\n")
    text = re.sub(r"\bid: (\d+)", lambda found: f"id: {naming.number(int(found[1]))}", text)
    return re.sub(r"clockwise: (\d+)", lambda found: f"clockwise: {naming.number(int(found[1]))}", text)


def opened(text: str) -> str:
    return text[: text.index("pieces:\n")] + "pieces: learn\n" + text[text.index("phases:\n") :]


@pytest.mark.few(4)
@pytest.mark.jit
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", NAMINGS)
def test_stated_pieces_are_played(name: str, board: str) -> None:
    toy, naming = BOARDS[board], NAMINGS[name]
    ram_map = parse_map(text_of(toy, naming), "toy")
    machine, edition = Named(toy, naming, 5), GAME.open(ram_map)
    pilot = Pilot(SimulatedBridge(machine), Goal(30, games=None), edition, Skill(tempo=tempo_for_speed(10)))
    shown: set[int] = set()
    pilot.watchers.append(lambda view: shown.update(view.snapshot.next if view.snapshot.phase is Phase.PLAYING else ()))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (30, 0, 0)
    assert len(shown) > 4, "the next piece is read, too"


@pytest.mark.few(2)
@pytest.mark.parametrize("board", ["usual", "showing"])
@pytest.mark.parametrize("name", NAMINGS)
def test_open_pieces_are_learnt(name: str, board: str) -> None:
    toy, naming = BOARDS[board], NAMINGS[name]
    text = text_of(toy, naming)
    learner = GAME.open(parse_map(opened(text), "toy")).learner()
    assert isinstance(learner, TetrisLearner)
    Hand(Named(toy, naming, 6), learner).play(120)
    assert learner.open == ()
    check(learner.finished(), parse_map(text, "toy"))


class Passing(ToyMachine):
    """In the first frames of each piece, memory has a number that no table lists."""

    def _write(self) -> None:
        super()._write()
        self.ram[AT] = self.number
        entered = self.toy.entry(self.number)[1]
        if self.state == PLAYING and self.y == entered and self.timer > self.toy.gravity[0] - 6:
            self.ram[AT] = 0xEE


@pytest.mark.jit
def test_a_number_that_no_table_lists_is_no_piece() -> None:
    toy = BOARDS["usual"]
    table = ", ".join(f"0x{one:02X}: {one}" for one in range(len(toy.cells)))
    text = toy.map_text().replace("  piece: 0x11\n", f"  piece: {{at: 0x{AT:02X}, table: {{{table}}}}}\n")
    edition, tempo = GAME.open(parse_map(opened(text), "toy")), tempo_for_speed(10)
    pilot = Pilot(SimulatedBridge(Passing(toy, 6)), Goal(130, games=None), edition, Skill(tempo=tempo))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, pilot.edition.ram_map.learns) == (130, 0, ())
    check(pilot.edition.ram_map, parse_map(text, "toy"))
    with pytest.raises(MapError, match="piece may be -9, and a number that is to be learnt is 0 or more: add"):
        GAME.open(parse_map(opened(text).replace("0x1B: 27}}", "0x1B: 27}, otherwise: -9}"), "toy"))


def check(found: RamMap, truth: RamMap) -> None:
    def listed(ram_map: RamMap) -> object:
        return {one.id: ({*one.cells}, one.clockwise.to, one.counterclockwise.to) for one in ram_map.pieces}

    assert listed(found) == listed(truth)
