"""How often a person misses a placement: never without error, always if a tap that it needs is missed."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.tetris.board.board import rows_from
from emubot.games.tetris.explain.misdrops import TRIES, misdrops
from emubot.games.tetris.reach import Start, gravity_at, locks_of, reach, timeline
from emubot.games.tetris.rules import NES_NTSC, NES_PAL, SPAWN_ORIENTATION
from emubot.human_error import HumanError
from emubot.pad import Pad
from emubot.snapshot import Piece
from emubot.tempo import parse_taps

pytestmark = pytest.mark.jit


def ways(seed: int, level: int, taps: str, profile=NES_NTSC, most: int = 12):  # type: ignore[no-untyped-def]
    """A random stack, a piece, and ways to some of its locks, tucks and spins included."""
    rng, tempo = np.random.default_rng(seed), parse_taps(taps)
    heights = rng.integers(0, 9, 10)
    cells = np.arange(20)[::-1, None] < heights
    cells &= rng.random((20, 10)) < 0.9
    rows = rows_from(cells, np.zeros((2, 10)))
    start = Start(int(SPAWN_ORIENTATION[rng.integers(7)]), limiter=tempo.reaction, turn_limiter=tempo.reaction)
    gravity = gravity_at(level, profile)
    found = locks_of(reach(rows, start, gravity, tempo, profile), start.piece)
    for at in rng.permutation(len(found))[:most].tolist():
        yield (
            rows,
            start,
            timeline(rows, start, Piece(*found[at]), gravity, tempo, profile, soft_drop=False).placement.timeline,
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "taps", "profile"),
    [
        (0, "10hz", NES_NTSC),
        (18, "12hz", NES_NTSC),
        (19, "das", NES_NTSC),
        (29, "30hz", NES_NTSC),
        (18, "15hz", NES_PAL),
    ],
    ids=str,
)
def test_without_error_nothing_is_missed(level: int, taps: str, profile) -> None:  # type: ignore[no-untyped-def]
    tried = 0
    for seed in range(6):
        for rows, start, steps in ways(seed, level, taps, profile):
            assert misdrops(rows, start, level, steps, profile, HumanError(0, 0), 0).misses == 0
            tried += 1
    assert tried > 40


def test_a_direction_that_is_held_before_is_no_tap() -> None:
    """The charge of a direction that is held on carries the piece: nothing of it is to be timed."""
    tempo, rows = parse_taps("das"), rows_from(np.zeros((20, 10)), np.zeros((2, 10)))
    start = Start(int(SPAWN_ORIENTATION[0]), held=Pad.LEFT, das=16)
    gravity = gravity_at(18, NES_NTSC)
    found = locks_of(reach(rows, start, gravity, tempo, NES_NTSC), start.piece)
    assert len(found) > 10
    for place in found:
        steps = timeline(rows, start, Piece(*place), gravity, tempo, NES_NTSC, soft_drop=False).placement.timeline
        assert misdrops(rows, start, 18, steps, NES_NTSC, HumanError(0, 0), 0).misses == 0, place


def test_a_missed_tap_misses_and_no_tap_cannot() -> None:
    seen = set()
    for rows, start, steps in ways(3, 18, "12hz", most=40):
        has_taps = any(step.pad & (Pad.LEFT | Pad.RIGHT | Pad.A | Pad.B) for step in steps)
        missed = misdrops(rows, start, 18, steps, NES_NTSC, HumanError(0, 1), 0)
        assert missed.misses == (TRIES if has_taps else 0)
        seen.add(has_taps)
    assert seen == {False, True}


@pytest.mark.slow
def test_more_error_misses_more_and_a_seed_repeats() -> None:
    totals = []
    for frames in (0.5, 2, 6):
        found = [
            misdrops(rows, start, 19, steps, NES_NTSC, HumanError(frames, 0), 4).misses
            for rows, start, steps in ways(1, 19, "12hz", most=20)
        ]
        again = [
            misdrops(rows, start, 19, steps, NES_NTSC, HumanError(frames, 0), 4).misses
            for rows, start, steps in ways(1, 19, "12hz", most=20)
        ]
        assert found == again
        totals.append(sum(found))
    assert totals == sorted(totals)
    assert totals[-1] > 2 * totals[0]
