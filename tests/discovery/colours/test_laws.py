"""What vanishes is inferred from moves: each rule from fields in which it and no other one foretells what came."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emubot.discovery.colours.codes import Codes, is_fresh, sorted_codes
from emubot.discovery.colours.findings import Links
from emubot.discovery.colours.laws import after, laws_of
from emubot.discovery.colours.moves import Move, fallen
from emubot.games.colours import matching_rules
from tests.discovery.colours.drawn import NUISANCE, TARGET_1, TARGET_2, TARGET_3, WALL, board, field, move

FIELD = field(8, 6)
NONE = Codes({}, (), (), ())


def judged(moves: list[Move], parts: int = 2, codes: Codes = NONE) -> set[tuple[str, str, int, int]]:
    laws = laws_of(FIELD, parts, codes, [moves]).laws
    return {(law.family, law.match, law.size, law.hidden) for law in laws}


SQUARE_GOES = move("RR.... RG....", ((5, 1, 1), (7, 2, 2)), ".GG...")
THREE_STAY = move("RRR...", ((7, 3, 2), (6, 3, 3)), "...B.. RRRG..")
LINE_OF_3 = move("RR....", ((7, 2, 1), (6, 2, 2)), "..G...")
SQUARE_STAYS = move("RR.... RG....", ((5, 1, 1), (7, 2, 2)), ".R.... RR.... RGG...")
DIAGONAL_STAYS = move("R..... GR.... BGR...", ((4, 0, 3), (7, 3, 3)), "B..... R..... GR.... BGRB..")


def test_lines_that_are_no_groups_and_no_diagonals() -> None:
    assert judged([LINE_OF_3, SQUARE_STAYS, DIAGONAL_STAYS]) == {("matching", "lines", 3, 0)}


def test_diagonals_too() -> None:
    falls = move("R..... GR.... BG....", ((7, 2, 1), (6, 2, 3)), "G..... BGB...")
    assert judged([LINE_OF_3, SQUARE_STAYS, falls]) == {("matching", "diagonals", 3, 0)}


def test_groups_of_four() -> None:
    assert judged([SQUARE_GOES, THREE_STAY]) == {("puyo", "groups", 4, hidden) for hidden in (0, 1, 2)}


def test_a_group_that_stays_in_the_highest_row_shows_how_many_are_hidden() -> None:
    tall = "GBGBRG GBGBRB BGBGBG BGBGBG GBGBGB GBGBGB BGBGBG"
    stays = move(tall, ((0, 4, 1), (0, 5, 1)), f"....RR {tall}")
    assert judged([SQUARE_GOES, THREE_STAY, stays]) == {("puyo", "groups", 4, hidden) for hidden in (1, 2)}


def test_nuisance_may_come_on_top_and_goes_with_its_neighbours() -> None:
    codes = Codes({}, (NUISANCE,), (), ())
    pops = move("RRRn..", ((6, 2, 1), (7, 4, 2)), "....Gn")
    assert judged([pops, THREE_STAY], codes=codes) == {("puyo", "groups", 4, hidden) for hidden in (0, 1, 2)}
    below = move("RRRn..", ((6, 2, 1), (7, 4, 2)), "..n.G.")
    assert judged([below, THREE_STAY], codes=codes) == {("puyo", "groups", 4, hidden) for hidden in (0, 1, 2)}


def test_moves_that_no_rule_foretells_are_left_out_but_not_too_many() -> None:
    odd = move("RR....", ((7, 2, 2), (6, 2, 2)), "......")
    assert judged([odd, *[LINE_OF_3, SQUARE_STAYS, DIAGONAL_STAYS] * 4]) == {("matching", "lines", 3, 0)}
    assert judged([odd, odd, LINE_OF_3, SQUARE_STAYS]) == set()


def test_targets_have_the_colours_with_which_they_went() -> None:
    begins = move("rgb...", ((7, 4, 1), (6, 4, 1)), "....R. rgb.R.")
    first = move("RR.... rgb...", ((4, 0, 1), (7, 4, 2)), ".R.... .gb.G.")
    second = move("GG.... rgb...", ((5, 1, 2), (4, 1, 2)), "G..... r.b...")
    codes = sorted_codes(FIELD, [[begins, first, second]])
    assert codes.targets == {TARGET_1: {1}, TARGET_2: {2}, TARGET_3: {3}}, "the third has the colour that is left"


def test_what_never_goes_is_no_target_and_what_comes_later_is_nuisance() -> None:
    begins = move("#.....", ((7, 1, 1), (7, 2, 1)), "#RR.n.")
    codes = sorted_codes(FIELD, [[begins]])
    assert (codes.targets, codes.walls, codes.nuisance) == ({}, (WALL,), (NUISANCE,))


def test_a_new_stage_is_no_move() -> None:
    assert is_fresh(move("r.....", ((7, 1, 1), (7, 2, 1)), "..r..."), [TARGET_1])
    assert is_fresh(move("r.....", ((7, 1, 1), (7, 2, 1)), "......"), [TARGET_1])
    assert is_fresh(move("r.....", ((7, 1, 1), (7, 2, 1)), None), [TARGET_1])
    assert not is_fresh(move("rr....", ((7, 1, 1), (7, 2, 1)), "r....."), [TARGET_1])


@pytest.mark.parametrize(("cells", "rows"), [(((0, 0, 1), (0, 1, 1)), (5, 5)), (((-1, 3, 1), (0, 3, 2)), (6, 7))])
def test_a_piece_falls_in_one(cells: tuple[tuple[int, int, int], ...], rows: tuple[int, int]) -> None:
    assert tuple(row for row, _, _ in fallen(board("R..... RG....").filled, cells)) == rows


def test_a_field_that_is_too_large_for_a_family_has_no_law_of_it() -> None:
    wide = move("RR............", ((7, 2, 1), (6, 2, 2)), "..G...........")
    assert not laws_of(field(8, 14), 2, NONE, [[wide]]).laws
    high = replace(SQUARE_GOES, before=board("RR.... RG....", 22), after=board(".GG...", 22))
    high = replace(high, cells=tuple((row + 14, column, kind) for row, column, kind in high.cells))
    assert {law.family for law in laws_of(field(22, 6), 2, NONE, [[high]]).laws} == {"puyo"}


def test_a_half_that_is_linked_to_what_lies_below_the_field_vanishes_alone() -> None:
    """Such a field is read a row too low; the kernels check no index."""
    joined = replace(FIELD, links=Links(0xE0, (0, 0x20, 0x40, 0x60, 0x80)))
    line = move("RR....", ((7, 2, 1), (6, 2, 2)), "..G...")
    line.before.sides[7, :2] = matching_rules.LINK_DOWN
    laws = laws_of(joined, 2, NONE, [[line]]).laws
    assert {(law.match, law.size) for law in laws} == {("lines", 3), ("diagonals", 3), ("groups", 3)}
    stays = move("R.....", ((7, 2, 1), (6, 2, 2)), None)
    stays.before.sides[7, 0] = matching_rules.LINK_DOWN
    _, links = after(laws[0], joined, stays)
    assert not links[7, 0], "a link that leads outside must not reach the kernels"


def test_a_piece_that_is_read_outside_the_field_tells_nothing() -> None:
    below = move("RR....", ((8, 2, 1), (7, 2, 2)), "..G...")
    assert fallen(below.before.filled, below.cells) == below.cells
    assert judged([below]) == set()
