"""Where a game stands, in lines of the game that value tables are learnt on; knows no table and no board.

Tables of values are learnt in games of NES Tetris that start at level 18. What counts for them is how far it is to the
level at which pieces fall a row in each frame: there a game that started at level 18 has 230 lines. So a game of any
start level, and of another release, stands on the course of that game as many lines before it or behind it. Where they
fall two rows in each frame from some level on, tables for those levels have a course whose 230 lines are there.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.bounds import GOAL, SCORE
from emubot.games.tetris.rules import GOAL_LINES, LINE_POINTS, NES_NTSC, Profile
from emubot.games.tetris.scoring import level_after
from emubot.jit import Scalar, inlined

START_LEVEL: Final = 18
FASTEST_FROM: Final = 230  # lines of the course from which on a piece falls a row in each frame
FASTEST_LEVEL: Final = 29
END_FROM: Final = 200  # lines of the course; tables of games that begin there or later are for the end of a game alone
MOST_LINES: Final = 399  # see `place_at` for more
LEVELS: Final = 57  # higher ones count as the last of these, which the course does not reach
LINES_OF_A_LEVEL: Final = 10
PRICE_OF_A_LOCK: Final = 0.05  # in lines, on the way to a goal


@cache
def course_of(profile: Profile) -> NDArray[np.int64]:
    """Returns where a game stands, in lines of the course, by its level and its lines: int64 (LEVELS, MOST_LINES + 1).

    From the fastest level on, the level alone decides, and how far it is to the next one.
    """
    fastest = profile.fastest_level
    course = np.zeros((LEVELS, MOST_LINES + 1), dtype=np.int64)
    to_go = np.zeros(FASTEST_FROM + MOST_LINES + 2, dtype=np.int64)  # lines until the next level is the fastest
    for level in range(LEVELS - 1, -1, -1):
        if level >= fastest:
            course[level] = FASTEST_FROM + LINES_OF_A_LEVEL * (level - fastest) + np.arange(MOST_LINES + 1) % 10
            to_go[:] = 0
            continue
        here = np.zeros_like(to_go)
        for lines in range(len(here) - 2, -1, -1):
            risen = level_after(level, lines, 1) > level
            here[lines] = 1 + (to_go[lines + 1] if risen else here[lines + 1])
        to_go = here
        course[level] = FASTEST_FROM - to_go[: MOST_LINES + 1]
    course = np.clip(course, 0, MOST_LINES)
    course.setflags(write=False)
    return course


@inlined
def place_at(lines: Scalar, level: Scalar, course: NDArray[np.int64]) -> Scalar:
    """Returns where a game with so many lines at a level stands on a course.

    Beyond the course's lines the level is higher than the fastest, and only how far it is to the next one counts.
    """
    if lines > MOST_LINES:
        lines = MOST_LINES + 1 - LINES_OF_A_LEVEL + lines % LINES_OF_A_LEVEL
    return course[min(level, LEVELS - 1), lines]


def places_on_course(profile: Profile, start_level: int, stop_lines: int, start_lines: int = 0) -> list[int]:
    """Returns where on the course a game from this level and these lines stands before its first line and after each.

    `stop_lines` counts the lines that it began with, too.
    """
    level, places, course = start_level, [], course_of(profile)
    for lines in range(start_lines, min(stop_lines, start_lines + MOST_LINES) + 1):
        places.append(int(place_at(lines, level, course)))
        level = level_after(level, lines, 1)
    return places


def lines_until(level: int, start_level: int, start_lines: int = 0) -> int:
    """Returns how many lines a game from a level and these lines has when it comes to a higher level, line by line."""
    lines = start_lines
    while start_level < level:
        start_level = level_after(start_level, lines, 1)
        lines += 1
    return lines


@cache
def course_of_goal() -> NDArray[np.int64]:
    """Returns where a game of B-type stands, as `course_of` does: the lines alone decide, for its level stays."""
    course = np.tile(np.arange(MOST_LINES + 1), (LEVELS, 1))
    course.setflags(write=False)
    return course


@cache
def rewards_of(aim: str, profile: Profile = NES_NTSC) -> NDArray[np.float64]:
    """Returns what 0 to 4 lines bring, by the lines of the course after them: float64 (5, MOST_LINES + 1).

    For the aim `score` in thousands of points, as if the game had started at level 18. For others it is their number.
    Of a goal those beyond it count nothing, or the last ones would be put off for more at once; and a lock without a
    line has a price, or of two ways to the goal the later one would be as good.
    """
    lines = np.arange(MOST_LINES + 1)
    fastest = profile.fastest_level
    level = np.maximum(START_LEVEL, fastest + (lines - FASTEST_FROM) // LINES_OF_A_LEVEL)
    rewards: NDArray[np.float64] = np.array(LINE_POINTS)[:, None] / 1000 * (level + 1)
    if aim != SCORE:
        rewards = np.repeat(np.arange(len(LINE_POINTS), dtype=np.float64)[:, None], len(lines), axis=1)
    if aim == GOAL:
        rewards = np.maximum(rewards - np.maximum(lines - GOAL_LINES, 0), 0.0)
        rewards[0] = -PRICE_OF_A_LOCK
    rewards.setflags(write=False)
    return rewards
