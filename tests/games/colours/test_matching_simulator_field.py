"""The events in a field of the matching simulator: lines, falls, targets, halves from the other player."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board import matching_cells as board
from emubot.games.colours.board.groups import marks_for
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, Rules, rules_of
from emubot.games.colours.simulator import matching_field as happens
from emubot.games.colours.simulator.generator import Generator
from tests.games.colours.matching_board_twin import Cells, drawn, fields

GROUPED = rules_of("capsules", {"match": "groups"})


@settings(deadline=None)  # the first example compiles
@given(fields(), st.sampled_from((CAPSULES, COLUMNS, GROUPED)))
def test_lines_and_falls_are_those_of_the_kernels(field: tuple[Cells, Cells], rules: Rules) -> None:
    cells, links = field
    marks = marks_for(*cells.shape)
    lines = happens.lines(cells, rules)
    assert len(lines) == board.mark_lines(cells, rules.match, rules.match_size, marks)
    marked = np.argwhere(marks.seen == marks.stamp[0] + 1).tolist()
    assert {cell for line in lines for cell in line} == {*map(tuple, marked)}
    kept, joints = cells.copy(), links.copy()
    removed, targets = board.remove_marked(kept, joints, marks)
    assert happens.mark(cells, links, lines) == targets
    assert happens.remove(cells) == removed
    assert (cells.tolist(), links.tolist()) == (kept.tolist(), joints.tolist())
    while board.fall_a_row(kept, joints):
        assert happens.fall_a_row(cells, links)
        assert (cells.tolist(), links.tolist()) == (kept.tolist(), joints.tolist())
    assert not happens.fall_a_row(cells, links)


def test_lines_come_in_the_order_of_the_documentation() -> None:
    cells = drawn("RRRRBBBB", "R......B", "R......B", "RYYYYY.B")
    firsts = [line[0] for line in happens.lines(cells, CAPSULES)]
    assert firsts == [(0, 0), (0, 4), (3, 1), (0, 0), (0, 7)]


def test_where_no_colour_suits_the_first_free_cell_gets_the_target() -> None:
    cells = np.full((16, 8), 11, dtype=np.uint8)
    cells[:6] = 0
    cells[10, 4] = 0
    cells[8, 4], cells[12, 4], cells[10, 2] = 11, 12, 13
    happens.plant(cells, CAPSULES, 0, 1, Generator(5))
    assert cells[10, 4] == 12


def test_a_half_over_a_filled_cell_is_lost() -> None:
    cells, links = np.zeros((16, 8), dtype=np.uint8), np.zeros((16, 8), dtype=np.uint8)
    cells[0, ::2] = 12
    for seed in range(1, 40):
        filled = cells.copy()
        happens.garbage(filled, links, [1, 2, 3], Generator(seed * 77))
        added = [int(kind) for kind in filled[0] if kind in (1, 2, 3)]
        assert added in ([], [1, 2, 3], [2, 3, 1], [3, 1, 2])
