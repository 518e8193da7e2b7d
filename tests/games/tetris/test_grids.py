"""Boards in every form that a map can state are learnt and played: packed bits, mirrored rows, rows by a table."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.rows import page_of
from emubot.games.tetris.family import GAME
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import parse_map
from emubot.rammap.writing import map_text
from emubot.tempo import tempo_for_speed
from tests.games.tetris.shuffled import Hand
from tests.games.tetris.toy_blocks import Toy, ToyMachine

TOY = Toy(columns=9, rows=16, hidden=1)
SHOWING = Toy(columns=9, rows=16, hidden=1, shows_piece=True)
BOARD, TABLE = 0x0400, 0x80
SIZE = f"  rows: {TOY.rows}\n  columns: {TOY.columns}\n"
HIDDEN_ENTRY = f"  hidden: [0x{TABLE:02X}]\n"
FORMS = {
    "bits": f"  at: 0x0403\n{SIZE}  row_stride: 3\n  column_stride: 1\n  hidden: [0x0400]\n"
    "  cell: {bits: 1, first: 5, empty: 0x00, kinds: {block: 0x01}}\n",
    "bits from the low end, mirrored": f"  at: 0x0405\n{SIZE}  row_stride: 4\n  column_stride: -1\n  hidden: [0x0401]\n"
    "  cell: {bits: 1, order: low, first: 3, empty: 0x00, kinds: {block: 0x01}}\n",
    "two bits with a margin": f"  at: 0x0404\n{SIZE}  row_stride: 4\n  column_stride: 1\n  hidden: [0x0400]\n"
    "  cell: {bits: 2, order: low, first: 2, empty: 0x02, kinds: {block: 0x03}}\n",
    "rows by number": f"{SIZE}  row_table: {{at: 0x81, times: 10, base: 0x0400, rows_in: {{at: 0x0400, bytes: 170}}}}\n"
    f"  column_stride: 1\n{HIDDEN_ENTRY}  cell: {{empty: 0x20, kinds: {{block: 0x31}}}}\n",
    "rows by address": f"{SIZE}  row_table: {{at: 0x82, bytes: 2, rows_in: {{at: 0x0400, bytes: 170}}}}\n"
    f"  column_stride: 1\n{HIDDEN_ENTRY}  cell: {{empty: 0x20, kinds: {{block: 0x31}}}}\n",
}  # fmt: skip


def text_of(toy: Toy, form: str) -> str:
    text = toy.map_text()
    shows = "  shows_piece: true\n" if toy.shows_piece else ""
    return text[: text.index("grid:\n")] + f"grid:\n{shows}{FORMS[form]}" + text[text.index("pieces:\n") :]


class Repacked(ToyMachine):
    """The toy, with a board in another form. Where rows have a table, each lock shuffles where they are."""

    def __init__(self, toy: Toy, form: str, seed: int) -> None:
        self.map = parse_map(text_of(toy, form), form)
        self._shuffle = np.random.default_rng(seed)
        self._rows, self._shuffled = np.arange(toy.hidden + toy.rows), -1
        super().__init__(toy, seed)

    def _write(self) -> None:
        super()._write()
        field = (self._shown_field() != 0).astype(np.uint8)
        table = self.map.document.grid.row_table
        if table is not None:
            if self.pieces != self._shuffled:
                self._shuffled = self.pieces
                self._shuffle.shuffle(self._rows)
            for place, row in enumerate(self._rows.tolist()):
                entry = row if table.bytes == 1 else BOARD + 10 * row
                for byte in range(table.bytes):
                    self.ram[TABLE + table.bytes * place + byte] = entry >> 8 * byte & 0xFF
        self.map.encode(self.ram, {}, field[self.toy.hidden :], field[: self.toy.hidden][::-1])


@pytest.mark.few(3)
@pytest.mark.jit
@pytest.mark.parametrize("toy", [TOY, SHOWING], ids=["plain", "showing"])
@pytest.mark.parametrize("form", FORMS)
def test_a_pilot_plays_without_a_fault(form: str, toy: Toy) -> None:
    machine = Repacked(toy, form, 3)
    edition, tempo = GAME.open(machine.map), tempo_for_speed(10)
    tally = Pilot(SimulatedBridge(machine), Goal(50, games=None), edition, Skill(tempo=tempo)).run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (50, 0, 0)
    assert machine.lines > 5


@pytest.mark.few(1)
@pytest.mark.parametrize("form", FORMS)
def test_its_pieces_and_codes_are_learnt(form: str) -> None:
    machine = Repacked(SHOWING, form, 4)
    text, codes = text_of(SHOWING, form), machine.map.codes
    opened = text[: text.index("pieces:\n")] + "pieces: learn\n" + text[text.index("phases:\n") :]
    for name in ("empty", "block"):
        opened = opened.replace(f"{name}: 0x{codes[name][0]:02X}", f"{name}: learn")
    learner = GAME.open(parse_map(opened, form)).learner()
    assert isinstance(learner, TetrisLearner)
    Hand(machine, learner).play(120)
    assert learner.open == ()
    found = learner.finished()
    assert found.codes == codes
    assert {one.id: {*one.cells} for one in found.pieces} == {one.id: {*one.cells} for one in machine.map.pieces}


@pytest.mark.few(2)
@pytest.mark.parametrize("form", FORMS)
def test_a_map_of_it_is_written_as_it_was_read(form: str) -> None:
    text = text_of(SHOWING, form).replace("tap: START", "tap: [START, A+B, SELECT]")
    ram_map = parse_map(text, form).learnt(codes={"block": [1]}, timing={"soft_drop": 3})
    written = parse_map(map_text(ram_map, {"grid.cell.kinds.block": "seen"}), form)
    assert written.data == ram_map.data
    assert written.document == ram_map.document
    assert written.document.menu is not None
    assert written.document.menu.steps[0].tap == (Pad.START, Pad.A | Pad.B, Pad.SELECT)
    assert (written.document.grid.shows_piece, written.codes["block"]) == (True, (1,))


def test_a_recording_has_the_table_and_all_bytes_of_rows() -> None:
    assert page_of(parse_map(text_of(TOY, "rows by address"), "toy")) == (TABLE, 0x0400 + 170 - TABLE)
    assert page_of(parse_map(text_of(TOY, "bits"), "toy")) == (0x0400, 16 * 3 + 2)
