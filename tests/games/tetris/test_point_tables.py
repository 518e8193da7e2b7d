"""Tables of points in weights: which set is replaced, what a set is for, and for which games there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emubot.errors import UsageError, WeightsError
from emubot.games.tetris.bounds import LINES, SCORE
from emubot.games.tetris.evaluation.layout import COLUMNS_AT, ENTRIES, LINES_AT, PHASE
from emubot.games.tetris.evaluation.network import BOUNDS, PARAMETERS
from emubot.games.tetris.evaluation.points_player import tables_for
from emubot.games.tetris.rules import NES_NTSC, NES_PAL
from emubot.games.tetris.trials import point_tables
from emubot.games.tetris.trials.game_start import GameStart
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.games.tetris.trials.network_games import FIRST_SQUARE
from emubot.games.tetris.trials.point_tables import Course, check, first, tables_of, with_tables
from emubot.tempo import parse_taps
from emubot.weights import MOST_SETS, Weights, load_weights

STACKER = load_weights("stacker")
COURSE = Course(NES_NTSC, parse_taps("12hz"), GameStart(18), 230, SCORE)


def course(**changes: Any) -> Course:
    return COURSE._replace(**changes)


def with_sets(*courses: Course) -> Weights:
    """The weights with sets whose entries are the number of their course."""
    found = STACKER
    for number, one in enumerate(courses, start=1):
        found = with_tables(found, one, np.full(ENTRIES, float(number)))
    return found


def test_a_set_stands_beside_those_of_other_tempos_ends_and_aims() -> None:
    others = [
        course(tempo=parse_taps("30hz")),
        course(tempo=parse_taps("das")),
        course(stop_lines=0),
        course(aim=LINES, stop_lines=0),
    ]
    found = with_sets(COURSE, *others)
    assert len(found.points) == 5
    again = with_tables(found, COURSE, np.full(ENTRIES, 7.0))
    assert [tables_of(again, one).entries.numbers[0] for one in (COURSE, *others)] == [7, 2, 3, 4, 5]  # type: ignore[union-attr]
    assert (again.values, again.features) == (STACKER.values, STACKER.features)
    assert tables_for(again, parse_taps("12hz"), SCORE, 230) is tables_of(again, COURSE)


def test_the_order_of_training_is_not_that_of_the_sets() -> None:
    sets = [COURSE, course(tempo=parse_taps("30hz")), course(aim=LINES)]
    one, other = with_sets(*sets), with_sets(*reversed(sets))
    assert [(each.aim, each.taps) for each in one.points] == [(each.aim, each.taps) for each in other.points]


@pytest.mark.parametrize("largest", [1.0, 1_600.0, 30_000.0])
def test_values_of_any_size_are_packed_as_finely_as_they_fit(largest: float) -> None:
    values = np.linspace(-largest, largest, ENTRIES)
    found = with_tables(STACKER, COURSE, values).points[0].entries
    np.testing.assert_allclose(found.numbers, values, atol=max(0.025, largest / 30_000))


def test_first_tables_are_finite_and_lower_for_lines() -> None:
    points, lines = first(STACKER, COURSE), first(STACKER, course(aim=LINES))
    assert points.shape == lines.shape == (3, ENTRIES + PARAMETERS)
    assert not points[1:].any()
    assert points[0].max() > 4 * lines[0].max() > 0, "a line brings more than four thousand points"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tempo": parse_taps("..X....")}, "not for ..X.... with 2 frames"),
        ({"tempo": parse_taps("X....")}, "for a tap rate such as 12hz or for das"),
        ({"start": GameStart(200)}, "from a start level of 0 to 56, not 200"),
        ({"stop_lines": 400}, "ends elsewhere"),
        ({"start": GameStart(29), "stop_lines": 199}, "from level 29 to 199 lines ends elsewhere"),
        ({"start": GameStart(29), "stop_lines": 50}, "ends elsewhere"),
    ],
)
def test_games_that_no_set_is_for_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        check(course(**changes))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"start": GameStart(19)},
        {"stop_lines": 330},
        {"start": GameStart(29), "stop_lines": 0, "aim": LINES},
        {"start": GameStart(9), "stop_lines": 0},
        {"start": GameStart(9)},
        {"profile": NES_PAL},
        {"profile": NES_PAL, "stop_lines": 0},
    ],
)
def test_games_of_other_levels_and_ends_have_tables(changes: dict[str, Any]) -> None:
    check(course(**changes))
    assert np.isfinite(first(STACKER, course(**changes))).all()


def test_weights_that_cannot_begin_are_refused() -> None:
    full = STACKER.model_copy(
        update={"points": tuple(with_sets(course(stop_lines=lines)).points[0] for lines in range(1, MOST_SETS + 1))}
    )
    with pytest.raises(UsageError, match="have 16 sets of tables"):
        first(full, COURSE)
    assert first(full, course(stop_lines=16)).any(), "its own set is replaced"
    with pytest.raises(WeightsError, match="for puyo, not for tetris"):
        first(load_weights("reference"), COURSE)
    with pytest.raises(UsageError, match="With --nodes 0 no tables of points play"):
        nes_trial({"nodes": 0}).begin_points(STACKER)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(("aim", "unit"), [(SCORE, 1000), (LINES, 1)])
def test_games_are_counted_in_the_unit_of_its_aim_and_moves_what_it_may(aim: str, unit: int) -> None:
    games = course(stop_lines=8, aim=aim)
    known = first(STACKER, games)
    block = point_tables.BlockSettings(2_000, 0.3, taught=True, coarse=True)
    learnt, brought, figures = point_tables.learnt(STACKER, games, known, 3, block)
    assert not learnt[:, ENTRIES:].any(), "no network yet"
    moved = np.flatnonzero(learnt[0, :ENTRIES] != known[0, :ENTRIES].astype(np.float32))
    assert (moved >= LINES_AT).any()
    assert (moved[moved < LINES_AT] % PHASE >= COLUMNS_AT).all(), "the surfaces rest"
    assert len(brought) > 20
    assert figures["reached"] > 0.8
    assert 6 <= figures["lines"] <= 11
    assert figures["loss"] > 0
    assert 0 <= figures["share_of_tetrises_from_0"] < 0.5
    assert figures["share_of_tetrises_from_100"] == 0, "no game came so far"
    assert 6 * unit <= brought.mean()
    assert brought.mean() == pytest.approx(figures["lines"]) or aim == SCORE
    again, _, _ = point_tables.learnt(STACKER, games, known, 3, block)
    assert again.tobytes() == learnt.tobytes()


@pytest.mark.slow
@pytest.mark.jit
def test_a_network_learns_beside_tables_that_rest() -> None:
    games = course(stop_lines=8)
    known = first(STACKER, games)
    block = point_tables.BlockSettings(2_000, 0.03, taught=False, coarse=False)
    learnt, brought, figures = point_tables.network_learnt(STACKER, games, known, 3, block)
    assert (learnt[0, :ENTRIES] == known[0, :ENTRIES]).all()
    assert learnt[1, ENTRIES:].all(), "each weight has its squares"
    assert len(brought) > 20
    assert figures["reached"] > 0.8
    found = with_tables(STACKER, games, point_tables.settled(learnt))
    network = tables_of(found, games).network  # type: ignore[union-attr]
    assert network is not None
    met = learnt[1, ENTRIES:] != FIRST_SQUARE
    assert 0.01 < met.mean() < 0.2, "few rows are met in two thousand pieces"
    np.testing.assert_allclose(network.numbers[met], learnt[0, ENTRIES:][met], atol=1e-3)
    assert not network.numbers[: BOUNDS[0]][~met[: BOUNDS[0]]].any()
    again, _, _ = point_tables.network_learnt(STACKER, games, known, 3, block)
    assert again.tobytes() == learnt.tobytes()


def test_tables_may_be_kept_for_a_network_to_learn_beside() -> None:
    weights = with_tables(STACKER, COURSE, np.linspace(-30, 30, ENTRIES))
    known = nes_trial({"taps": "12hz", "stop_lines": 230}).begin_points(weights, keep=True)
    np.testing.assert_allclose(known[0, :ENTRIES], np.linspace(-30, 30, ENTRIES), atol=0.03)
    with pytest.raises(UsageError, match="have no tables for these games to keep"):
        nes_trial({"taps": "12hz", "stop_lines": 230}).begin_points(STACKER, keep=True)


def test_a_network_of_another_emubot_is_refused() -> None:
    weights = with_tables(STACKER, COURSE, np.ones(ENTRIES + 5))
    with pytest.raises(WeightsError, match=f"has 5 weights; this emubot reads {PARAMETERS:,}"):
        tables_for(weights, parse_taps("12hz"), SCORE, 230)


def test_a_set_of_one_release_is_not_for_the_other_which_has_that_of_ntsc_until_then() -> None:
    pal = course(profile=NES_PAL)
    both = with_sets(COURSE, pal)
    assert [(each.rules, each.stop_lines) for each in both.points] == [("nes-ntsc", 230), ("nes-pal", 330)]
    for rules, weights, mark in (
        ("nes-ntsc", both, 1),
        ("nes-pal", both, 2),
        ("nes-pal", with_sets(COURSE), 1),
        ("nes-ntsc", with_tables(STACKER, pal, np.full(ENTRIES, 2.0)), None),
    ):
        found = tables_for(weights, parse_taps("12hz"), SCORE, rules=rules)
        assert (None if found is None else found.entries.numbers[0]) == mark
