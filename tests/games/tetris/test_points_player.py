"""Which tables play: those of the aim and the way of moving, then of the nearest tap rate, then of the game's end."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.errors import WeightsError
from emubot.games.tetris.bounds import LINES, SCORE
from emubot.games.tetris.evaluation.layout import ENTRIES, POINTS_VERSION
from emubot.games.tetris.evaluation.points_player import points_player, tables_for
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, NES_PAL
from emubot.games.tetris.search.engine import BY_TABLES, LATE, Engine, engine_for, stage_of
from emubot.games.tetris.search.search import Position, Search
from emubot.packed import packed
from emubot.tempo import parse_taps
from emubot.weight_parts import FeatureSet, PointTables
from emubot.weights import Weights


def tables(taps: str, stop_lines: int, aim: str, mark: float, start_lines: int = 0) -> PointTables:
    """Tables whose first entry is a mark."""
    numbers = np.zeros(ENTRIES)
    numbers[0] = mark
    made = {"version": POINTS_VERSION, "aim": aim, "taps": taps, "stop_lines": stop_lines}
    made["start_lines"] = start_lines
    return PointTables.model_validate(made | {"entries": packed(numbers, 1.0)})


def weights(*points: PointTables) -> Weights:
    return Weights(game="tetris", features=FeatureSet(version=1, names=("holes",)), values=(-1.0,), points=points)


EVERYTHING = weights(
    tables("12hz", 230, SCORE, 1),
    tables("12hz", 0, SCORE, 2),
    tables("30hz", 330, SCORE, 3),
    tables("das", 230, SCORE, 4),
    tables("12hz", 0, LINES, 5),
    tables("12hz", 0, LINES, 6, start_lines=230),
)


@pytest.mark.parametrize(
    ("taps", "aim", "stop_lines", "mark"),
    [
        ("12hz", SCORE, 230, 1),
        ("12hz", SCORE, 200, 1),
        ("12hz", SCORE, 0, 2),
        ("10hz", SCORE, 230, 1),
        ("20hz", SCORE, 0, 3),  # every 3 frames is near to every 2
        ("15hz", SCORE, 0, 2),
        ("X...........", SCORE, 0, None),  # every 12 frames is not near to any
        ("das", SCORE, 0, 4),
        ("30hz", LINES, 0, None),
        ("12hz", LINES, 230, 5),
        ("das", LINES, 0, 5),  # pieces are tapped every 6 frames then
    ],
)
def test_the_tables_that_fit_best_play(taps: str, aim: str, stop_lines: int, mark: float | None) -> None:
    found = tables_for(EVERYTHING, parse_taps(taps), aim, stop_lines)
    assert (None if found is None else found.entries.numbers[0]) == mark


def test_weights_without_tables_have_none() -> None:
    assert tables_for(weights(), parse_taps("12hz")) is None


def test_tables_of_another_definition_are_refused() -> None:
    old = PointTables(version=99, aim="score", taps="12hz", stop_lines=0, entries=packed(np.zeros(3), 1.0))
    with pytest.raises(WeightsError, match=r"version 99 with 3 entries.*train them anew"):
        tables_for(weights(old), parse_taps("12hz"))


def test_a_player_may_learn_in_place_and_never_in_a_files_tables() -> None:
    own = np.zeros(ENTRIES, dtype=np.float32)
    assert points_player(own, parse_taps("12hz"), NES_NTSC).values is own
    kept = EVERYTHING.points[0].entries.numbers
    assert points_player(kept, parse_taps("12hz"), NES_NTSC).values is not kept


@pytest.mark.parametrize("stop_lines", [230, 40, 330, 0])
def test_the_end_that_the_tables_know_is_the_goal(stop_lines: int) -> None:
    engine = engine_for(weights(tables("12hz", 230, SCORE, 1)), parse_taps("12hz"), NES_NTSC, 1000, stop_lines)
    assert engine.budget == 1000
    assert engine.look.player.stop_lines == 230


def stages(engine: Engine, *standings: tuple[int, int]) -> list[int]:
    return [int(stage_of(lines, level, engine)) for lines, level in standings]


def test_late_tables_are_for_the_late_game_alone() -> None:
    assert tables_for(EVERYTHING, parse_taps("10hz"), LINES, late=True) is EVERYTHING.points[5]
    assert tables_for(EVERYTHING, parse_taps("10hz"), LINES) is EVERYTHING.points[4]
    assert tables_for(EVERYTHING, parse_taps("30hz"), LINES, late=True) is None


def test_late_tables_play_beyond_the_end_that_the_others_know() -> None:
    engine = engine_for(weights(EVERYTHING.points[0], EVERYTHING.points[5]), parse_taps("12hz"), NES_NTSC, 5000)
    assert stages(engine, (229, 28), (230, 29), (0, 29), (800, 86)) == [BY_TABLES, LATE, LATE, LATE]
    assert engine.late.player.values[0] == 6
    assert engine.late_budget == 5000


def test_tables_that_know_the_fastest_level_never_end() -> None:
    engine = engine_for(weights(EVERYTHING.points[2]), parse_taps("30hz"), NES_NTSC, 5000)
    assert engine.last_level == 33, "60 lines before 330"
    ends = engine_for(weights(EVERYTHING.points[2]), parse_taps("30hz"), NES_NTSC, 5000, 330)
    assert ends.last_level == 255, "a game that ends there too is played to that end"
    assert stages(engine, (0, 18), (230, 29), (330, 39), (1490, 155)) == [BY_TABLES] * 4
    on_pal = engine_for(weights(EVERYTHING.points[2]), parse_taps("30hz"), NES_PAL, 5000)
    assert on_pal.last_level == 23, "its level 19 is the fastest"


@pytest.mark.parametrize(
    ("taps", "stop_lines", "late_from", "mark", "last_level"),
    [
        ("12hz", 330, 210, 7, 255),  # the game ends where the tables' game does
        ("12hz", 0, 210, 7, 33),  # it goes on: 60 lines before their end
        ("12hz", 230, 400, 6, 255),  # it ends before
        ("10hz", 0, 400, 6, 255),  # another rate has its own reach
        ("das", 0, 400, 6, 255),
    ],
)
def test_tables_for_the_end_of_a_game_play_from_where_their_own_began(
    taps: str, stop_lines: int, late_from: int, mark: float, last_level: int
) -> None:
    own = weights(EVERYTHING.points[0], EVERYTHING.points[5], tables("12hz", 330, SCORE, 7, start_lines=210))
    engine = engine_for(own, parse_taps(taps), NES_NTSC, 1000, stop_lines)
    assert (engine.late_from, engine.late.player.values[0], engine.late_last_level) == (late_from, mark, last_level)
    late = [LATE, LATE] if late_from == 210 else [BY_TABLES, BY_TABLES]
    assert stages(engine, (209, 26), (210, 27), (229, 28), (230, 29)) == [BY_TABLES, *late, LATE]
    assert engine_for(own, parse_taps(taps), NES_NTSC, 1000, stop_lines, LINES).late.player.values[0] == 6


def test_without_tables_for_an_aim_those_for_the_score_play() -> None:
    own = weights(EVERYTHING.points[0], EVERYTHING.points[5])
    assert engine_for(own, parse_taps("12hz"), NES_NTSC, 5000, aim=LINES).look.player.values[0] == 1
    assert engine_for(EVERYTHING, parse_taps("12hz"), NES_NTSC, 5000, aim=LINES).look.player.values[0] == 5


@pytest.mark.jit
@pytest.mark.parametrize(
    ("lines", "level", "deep"), [(229, 28, True), (230, 29, False), (5, 29, False), (229, 22, True)]
)
def test_beyond_that_end_two_pieces_are_searched_by_features(lines: int, level: int, deep: bool) -> None:
    engine = engine_for(weights(tables("12hz", 230, SCORE, 1)), parse_taps("12hz"), NES_NTSC, 5000)
    position = Position(np.zeros(22, dtype=np.uint16), Start(2), 2, level, lines)
    _, nodes = Search(engine, parse_taps("12hz"), NES_NTSC).rank(position)
    assert (nodes > 5000) == deep


def test_without_fitting_tables_two_pieces_are_searched_by_features() -> None:
    assert engine_for(EVERYTHING, parse_taps("X..........."), NES_NTSC).budget == 0
    assert engine_for(EVERYTHING, parse_taps("12hz"), NES_NTSC, nodes=0).budget == 0
