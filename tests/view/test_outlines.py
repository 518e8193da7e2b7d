"""An outline goes around all cells of a place, and around nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from emubot.view.outlines import Point, outlines

places = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)


def area(line: list[Point]) -> float:
    """What a closed line encloses; below 0 if it goes the other way round, as around a hole."""
    ends = zip(line, [*line[1:], line[0]], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends) / 2


@given(places)
def test_it_encloses_as_much_as_the_cells_fill(cells: set[tuple[int, int]]) -> None:
    assert sum(map(area, outlines(cells, 0.0))) == len(cells)


@given(places)
def test_it_turns_at_each_corner_and_stays_inside(cells: set[tuple[int, int]]) -> None:
    for line in outlines(cells, 0.1):
        for (x1, y1), (x2, y2) in zip(line, [*line[1:], line[0]], strict=True):
            assert (x1 == x2) != (y1 == y2)
        assert all((int(x), int(y)) in cells for x, y in line)


def test_a_line_has_four_corners_and_an_l_six() -> None:
    assert [len(line) for line in outlines([(0, 0), (1, 0), (2, 0)], 0.1)] == [4]
    assert [len(line) for line in outlines([(0, 0), (1, 0), (1, 1)], 0.1)] == [6]
