"""Where games of other start levels stand on the course of a game from level 18."""

from __future__ import annotations

import pytest

from emubot.games.tetris.evaluation.course import (
    FASTEST_FROM,
    MOST_LINES,
    course_of,
    course_of_goal,
    place_at,
    places_on_course,
    rewards_of,
)
from emubot.games.tetris.rules import GOAL_LINES, LINE_POINTS, NES_NTSC, NES_PAL
from emubot.games.tetris.scoring import level_after

COURSE = course_of(NES_NTSC)


def standing(start: int, lines: int) -> int:
    """Where a game is after so many single lines."""
    level = start
    for count in range(lines):
        level = level_after(level, count, 1)
    return int(place_at(lines, level, COURSE))


def test_a_game_from_level_18_stands_at_its_own_lines() -> None:
    assert [standing(18, lines) for lines in range(0, 390, 7)] == list(range(0, 390, 7))


@pytest.mark.parametrize(("lines", "place"), [(399, 279), (400, 270), (405, 275), (1543, 273)])
def test_beyond_its_lines_only_the_way_to_the_next_level_counts(lines: int, place: int) -> None:
    """A game without end counts as one at level 33, which has 270 to 279 lines."""
    assert place_at(lines, 33, COURSE) == place


def test_its_rewards_are_the_points_of_its_levels() -> None:
    level, rewards = 18, rewards_of("score")
    for lines in range(1, MOST_LINES):
        level = level_after(level, lines - 1, 1)
        assert (rewards[:, lines] * 1000).round().tolist() == [points * (level + 1) for points in LINE_POINTS]


def test_lines_beyond_a_goal_bring_nothing() -> None:
    rewards = rewards_of("goal")
    for before in range(GOAL_LINES):
        for removed in range(1, 5):
            assert rewards[removed, before + removed] == min(removed, GOAL_LINES - before)
    assert (rewards_of("lines")[4] == 4).all()


def test_a_lock_has_a_price_on_the_way_to_a_goal_alone() -> None:
    assert (rewards_of("goal")[0] < 0).all()
    assert not rewards_of("score")[0].any()
    assert not rewards_of("lines")[0].any()


def test_on_the_way_to_a_goal_the_lines_alone_count() -> None:
    assert (course_of_goal() == range(MOST_LINES + 1)).all()


@pytest.mark.parametrize(("start", "fastest_at"), [(0, 290), (9, 290), (15, 230), (18, 230), (19, 230)])
def test_what_counts_is_how_far_it_is_to_the_fastest_level(start: int, fastest_at: int) -> None:
    for to_go in (1, 10, 100, 200):
        assert standing(start, fastest_at - to_go) == FASTEST_FROM - to_go
    assert standing(start, fastest_at) == FASTEST_FROM
    assert standing(0, 0) == 0


def test_a_game_from_level_29_begins_where_others_end() -> None:
    assert [standing(29, lines) for lines in (0, 7, 30)] == [230, 237, 230]


def test_levels_of_pal_bring_their_own_points() -> None:
    """There level 19 is the fastest, which the course calls 230 lines."""
    rewards = rewards_of("score", NES_PAL)
    assert (rewards[4, [100, 229, 230, 239, 240]] * 1000).round().tolist() == [22800, 22800, 24000, 24000, 25200]
    assert places_on_course(NES_PAL, 18, 230)[:: 230 // 2] == [100, 215, 330]
