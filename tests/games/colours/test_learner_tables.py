"""What follows from the points of chains and from measured waits: numbers by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.learning.observation import Line
from emubot.games.colours.learning.score_tables import ScoreTables
from emubot.games.colours.rules import FAMICOM_1991, TSU, Rules
from emubot.games.colours.simulator import field


def points(rules: Rules, chain: int, sizes: tuple[int, ...], colors: int) -> int:
    """As the simulator's own rules say, on a field that has such groups."""
    cells = np.zeros((14, 6), dtype=np.uint8)
    groups, index = [], 0
    for number, size in enumerate(sizes):
        group = [((index + step) // 6, (index + step) % 6) for step in range(size)]
        for cell in group:
            cells[cell] = 1 + min(number, colors - 1)
        groups.append(group)
        index += size
    return field.points(cells, rules, chain, groups)


def watched(rules: Rules, *steps: tuple[int, tuple[int, ...], int]) -> ScoreTables:
    tables = ScoreTables(FAMICOM_1991)
    for chain, sizes, colors in steps:
        tables.add(chain, sizes, colors, points(rules, chain, sizes, colors))
    return tables


def test_entries_follow_from_steps_in_which_all_others_are_known() -> None:
    own = replace(FAMICOM_1991, chain_power=(0, 5, 17, 29), group_bonus=(0, 1, 4, 6), color_bonus=(0, 7, 11))
    tables = watched(
        own,
        (1, (4,), 1),
        (2, (4,), 1),
        (3, (6,), 1),  # two unknown entries, until the size is known from the next
        (1, (6,), 1),
        (2, (4, 4), 2),
        (2, (5,), 1),
    )
    assert {entry: number for entry, (number, _) in tables.entries().items()} == {
        ("chain_power", 1): 5,
        ("chain_power", 2): 17,
        ("group_bonus", 2): 4,
        ("group_bonus", 1): 1,
        ("color_bonus", 1): 7,
    }
    assert tables.contradictions() == 0
    power = tables.table("chain_power")
    assert power is not None
    assert (power.numbers, power.seen, power.rest) == ((0, 5, 17), (1, 2), "the rest as the entry before")


def test_what_fits_a_published_table_goes_on_like_it() -> None:
    tables = watched(TSU, *((chain, (4,), 1) for chain in range(1, 8)))
    power = tables.table("chain_power")
    assert power is not None
    assert power.numbers == TSU.chain_power
    assert power.seen == (1, 2, 3, 4, 5, 6)
    assert power.rest == "the rest as in tsu, which these fit"
    short = watched(TSU, (2, (4,), 1), (3, (4,), 1)).table("chain_power")
    assert short is not None
    assert short.numbers == FAMICOM_1991.chain_power, "so far both fit, and the profile comes first"
    assert tables.table("color_bonus") is None


def test_the_least_factor_says_only_that_a_bonus_is_small() -> None:
    own = replace(FAMICOM_1991, group_bonus=(0, 1, 5))
    tables = watched(own, (1, (5,), 1), (1, (6,), 1))
    assert dict(tables.bounds()) == {("group_bonus", 1): 1}
    found = tables.table("group_bonus")
    assert found is not None
    assert found.numbers[:3] == (0, 0, 5)
    more = watched(own, (1, (5,), 1), (1, (6,), 1), (2, (4,), 1), (2, (5,), 1)).table("group_bonus")
    assert more is not None
    assert more.numbers[:3] == (0, 1, 5)


def test_points_that_no_table_can_say_are_told_as_such() -> None:
    tables = watched(FAMICOM_1991, (2, (4,), 1), (2, (4,), 1))
    tables.add(2, (4,), 1, 40 * 9)
    assert tables.contradictions() == 1
    tables.add(2, (4,), 1, 333)
    assert tables.contradictions() == 1, "what is no multiple of ten a puyo is something else"


SIZES = st.integers(4, 12)


@settings(max_examples=50, deadline=None)
@given(
    steps=st.lists(
        st.tuples(
            st.integers(1, 9), st.lists(st.integers(4, 12), min_size=1, max_size=3).map(tuple), st.integers(1, 3)
        ),
        max_size=20,
    ),
    own=st.sampled_from([FAMICOM_1991, TSU, replace(TSU, chain_power=(0, 3, 9, 27, 81, 243))]),
)
def test_what_follows_is_true(steps: list[tuple[int, tuple[int, ...], int]], own: Rules) -> None:
    fitting = [(chain, sizes, min(colors, len(sizes))) for chain, sizes, colors in steps]
    tables = watched(own, *fitting)
    assert tables.contradictions() == 0
    for (name, index), (number, _) in tables.entries().items():
        table = getattr(own, name)
        assert number == table[min(index, len(table) - 1)], (name, index)


def line(*points_: tuple[int, int]) -> Line:
    made = Line()
    for x, y in points_:
        made.add(x, y)
    return made


@pytest.mark.parametrize(
    ("points_", "slope", "found"),
    [
        (((0, 20), (3, 26), (5, 30)), None, (20, 2)),
        (((0, 20),), None, None),
        (((0, 20),), 2, (20, 2)),
        (((4, 28),), 2, (20, 2)),
        (((0, 20), (2, 23)), None, None),
        (((0, 20), (0, 20), (0, 99), (3, 26)), None, (20, 2)),
        (((0, 20), (1, 25), (2, 40), (3, 26)), None, None),
        ((), 2, None),
    ],
)
def test_a_line_through_measured_waits(
    points_: tuple[tuple[int, int], ...], slope: int | None, found: tuple[int, int] | None
) -> None:
    assert line(*points_).fit(slope) == found
