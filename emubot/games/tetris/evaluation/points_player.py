"""The player in points for a tempo, a release and an aim, from weights with tables; knows no search."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.tetris.bounds import GOAL, LINES, SCORE
from emubot.games.tetris.evaluation.clearance import limits_of
from emubot.games.tetris.evaluation.course import END_FROM, MOST_LINES, course_of, course_of_goal, rewards_of
from emubot.games.tetris.evaluation.layout import ENTRIES, LINES_AT, PHASE_STARTS, POINTS_VERSION
from emubot.games.tetris.evaluation.network import PARAMETERS, network_of
from emubot.games.tetris.evaluation.points import PointsPlayer
from emubot.games.tetris.evaluation.surfaces import surface_qualities
from emubot.games.tetris.rules import NES_NTSC, Profile
from emubot.tempo import Tempo, parse_taps
from emubot.weight_parts import PointTables
from emubot.weights import Weights

# What the end of a game at its last line is worth, so that no last Tetris is waited for at the risk of a top-out.
# That of a goal is all that matters: its lines alone are worth as much.
STOP_WORTH: Final = {SCORE: 40.0, LINES: 0.0, GOAL: 25.0}
_NO_QUALITIES: Final = np.zeros(0, dtype=np.uint8)
_NO_QUALITIES.setflags(write=False)


def points_player(
    values: NDArray[np.float32],
    tempo: Tempo,
    profile: Profile,
    aim: str = SCORE,
    stop_lines: int = 0,
    network: NDArray[np.float32] | None = None,
    learnt: Profile | None = None,
) -> PointsPlayer:
    """Returns the player of these tables, float32 (ENTRIES,), for pieces that move by a tempo in a release.

    They were learnt in the release `learnt`, by default in the same, and its levels say what lines bring. Where pieces
    fall two rows a frame, tables of the release stand on its course (course.py) and only tables of that on its own.
    `network` are the parameters of a network (network.py), float32 (PARAMETERS,).

    Without entries it plays nothing and reads no file. Tables that can be written are used as they are, so they can
    learn; others are copied.
    """
    if not values.flags.writeable:
        values = values.copy()  # kernels are compiled for one kind of array only
    learnt = learnt or profile
    limits, rewards = limits_of(tempo, profile), rewards_of(aim, learnt)
    course = course_of_goal() if aim == GOAL else course_of(learnt if learnt == profile else profile.without_two_rows)
    qualities = surface_qualities() if len(values) else _NO_QUALITIES
    worth, rises = STOP_WORTH[aim], int(aim != GOAL)
    return PointsPlayer(values, limits, course, rewards, stop_lines, worth, qualities, rises, network_of(network))


def with_dearer_lines(entries: NDArray[np.float32], share: float, stop_lines: int) -> NDArray[np.float32]:
    """Returns a copy of the tables, float32 (ENTRIES,), in which every line costs this share more of what is to come.

    What a line costs is how much the value falls with it within its phase. The end of the game stays worth the same.
    """
    dearer, last = entries.copy(), min(stop_lines or MOST_LINES, MOST_LINES)
    lines = dearer[LINES_AT : LINES_AT + last + 1]
    prices = np.zeros(last + 1)
    for first, after in pairwise((*(start for start in PHASE_STARTS if start < last), last)):
        prices[first:after] = (lines[first] - lines[after - 1]) / max(after - 1 - first, 1)
    lines += share * np.cumsum(prices[::-1])[::-1].astype(np.float32)
    return dearer


def tables_for(
    weights: Weights,
    tempo: Tempo,
    aim: str = SCORE,
    stop_lines: int = 0,
    late: bool = False,
    rules: str = NES_NTSC.name,
    exact: bool = False,
) -> PointTables | None:
    """Returns the tables that fit best; None if the weights have none for this aim and this way of moving.

    Those of the same release come first, then those of NTSC; others fit no other release.
    `late` asks for those that were learnt in games from `END_FROM` on, which serve for nothing else.
    Tables learnt with DAS are for DAS alone. The frames between inputs may differ by one: what is safe at one rate is
    not at another; `exact` asks for the same rate and the same release. The nearest rate counts first, then DAS or
    taps, then where the games ended. Raises WeightsError if the tables have another definition.
    """
    fitting = [
        tables
        for tables in weights.points
        if tables.aim == aim
        and tables.rules in (rules, NES_NTSC.name)
        and (tables.start_lines >= END_FROM) == late
        and _moves_alike(parse_taps(tables.taps), tempo)
        and not (exact and (tables.rules != rules or _distance(tables, tempo, stop_lines)[:2] != (0, False)))
    ]
    if not fitting:
        return None
    tables = min(fitting, key=lambda tables: (tables.rules != rules, *_distance(tables, tempo, stop_lines)))
    if tables.version != POINTS_VERSION or tables.entries.count != ENTRIES:
        raise WeightsError(
            f"The tables of points are of version {tables.version} with {tables.entries.count:,} entries; this emubot "
            f"reads version {POINTS_VERSION} with {ENTRIES:,}: train them anew or use the emubot they were made with."
        )
    if tables.network is not None and tables.network.count != PARAMETERS:
        raise WeightsError(
            f"The network beside the tables of points has {tables.network.count:,} weights; this emubot reads "
            f"{PARAMETERS:,}: train it anew or use the emubot it was made with."
        )
    return tables


def _moves_alike(learnt: Tempo, tempo: Tempo) -> bool:
    return (tempo.das or not learnt.das) and abs(learnt.period - tempo.period) <= 1


def _distance(tables: PointTables, tempo: Tempo, stop_lines: int) -> tuple[int, bool, bool, int]:
    learnt = parse_taps(tables.taps)
    apart, kinds_differ = abs(learnt.period - tempo.period), learnt.das != tempo.das
    return apart, kinds_differ, bool(tables.stop_lines) != bool(stop_lines), abs(tables.stop_lines - stop_lines)
