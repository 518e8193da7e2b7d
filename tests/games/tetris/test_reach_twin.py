"""Reach finds exactly the locks of a search over full states that drives the simulator, soft drop included."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.tetris.reach import Start, gravity_at, locks_of, reach
from emubot.games.tetris.rules import NES_NTSC, NES_PAL, Profile
from emubot.games.tetris.timing import timing_of
from emubot.tempo import parse_taps
from tests.games.tetris.reach_twin import locks_by_search, random_rows, random_start

pytestmark = pytest.mark.xdist_group("reach_twin")  # the search over full states is compiled once
TAPS = ["10hz", "12hz", "15hz", "20hz", "30hz"]


def compare(taps: str, level: int, boards: int, seed: int, profile: Profile = NES_NTSC) -> None:
    rng = np.random.default_rng([seed, level, *taps.encode()])
    tempo = parse_taps(taps)
    for board in range(boards):
        rows = random_rows(rng)
        start = random_start(rng, tempo, spawn=board % 3 > 0)
        expected, _ = locks_by_search(rows, start, level, tempo, timing=timing_of(profile))
        found = locks_of(reach(rows, start, gravity_at(level, profile), tempo, profile), start.piece)
        assert len(found) == len(set(found))
        assert set(found) == expected, (board, start, rows.tolist())


@pytest.mark.jit
@pytest.mark.parametrize("level", [9, 18, 19, 29])
@pytest.mark.parametrize("taps", TAPS)
def test_taps_reach_what_a_full_search_reaches(taps: str, level: int) -> None:
    compare(taps, level, boards=3, seed=1)


@pytest.mark.few(2)
@pytest.mark.jit
@pytest.mark.parametrize(("level", "boards"), [(9, 1), (18, 2), (19, 4), (29, 5)])
def test_das_reaches_what_a_full_search_reaches(level: int, boards: int) -> None:
    compare("das", level, boards, seed=2)


@pytest.mark.jit
@pytest.mark.parametrize(("taps", "level"), [("das", 18), ("das", 19), ("12hz", 18)])
def test_pal_reaches_what_a_full_search_reaches(taps: str, level: int) -> None:
    compare(taps, level, boards=3, seed=6, profile=NES_PAL)


@pytest.mark.jit
@pytest.mark.parametrize("taps", ["12hz"])
def test_taps_at_level_0(taps: str) -> None:
    compare(taps, 0, boards=1, seed=3)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(("level", "boards"), [(0, 60), (9, 400), (18, 480), (19, 500), (29, 500)])
@pytest.mark.parametrize("taps", TAPS)
def test_taps_on_many_boards(taps: str, level: int, boards: int) -> None:
    compare(taps, level, boards, seed=4)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(("level", "boards"), [(0, 10), (9, 40), (18, 100), (19, 100), (29, 150)])
def test_das_on_many_boards(level: int, boards: int) -> None:
    compare("das", level, boards, seed=5)


@pytest.mark.jit
@pytest.mark.parametrize("level", [18, 19, 29])
def test_with_das_nearly_nothing_is_reached_but_what_taps_reach(level: int) -> None:
    """The search taps the pieces to come, with DAS too (search/plies.py)."""
    rng = np.random.default_rng([7, level])
    tapped = held = 0
    for _ in range(12):
        rows = random_rows(rng)
        start = Start(random_start(rng, parse_taps("10hz"), spawn=True).orientation)
        by_taps, by_das = (
            set(locks_of(reach(rows, start, gravity_at(level, NES_NTSC), parse_taps(taps), NES_NTSC), start.piece))
            for taps in ("10hz", "das")
        )
        assert by_taps <= by_das, rows.tolist()
        tapped, held = tapped + len(by_taps), held + len(by_das)
    assert tapped >= 0.9 * held, (tapped, held)
