"""Nuisance that no map tells of: from the opponent's points until it has fallen."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from emubot.games.colours.decode.inference import Pending
from emubot.games.colours.rules import FAMICOM_1991, NUISANCE
from emubot.snapshot import Phase, Piece, Snapshot

_PAIRS = itertools.count()


def shot(opponent_score: int, nuisance: int = 0, **counters: int) -> Snapshot:
    """The first frame of another pair."""
    playfield = np.zeros((13, 6), dtype=np.uint8)
    playfield.ravel()[:nuisance] = NUISANCE
    told = {"opponent_score": opponent_score, "pivot": next(_PAIRS), **counters}
    return Snapshot(Phase.PLAYING, "playing", playfield, np.zeros((1, 6), np.uint8), Piece(0, 2, 0), (1, 2), told)


def test_the_map_is_believed_first() -> None:
    assert Pending(FAMICOM_1991).on_its_way(shot(99_990, pending=7)) == 7


def test_seventy_points_send_one_and_thirty_are_the_most() -> None:
    pending = Pending(FAMICOM_1991)
    assert pending.on_its_way(shot(1000)) == 0, "what was gained before is not known to be on its way"
    assert pending.on_its_way(shot(1000 + 69)) == 0
    assert pending.on_its_way(shot(1069 + 710)) == 10
    assert pending.on_its_way(shot(1779 + 140)) == 12, "another attack before the first one fell"
    assert pending.on_its_way(shot(90_000)) == 30


def test_what_fell_is_not_awaited_any_more() -> None:
    pending = Pending(FAMICOM_1991)
    assert [pending.on_its_way(shot(*seen)) for seen in ((0, 0), (700, 0), (700, 10), (700, 10))] == [0, 10, 0, 0]


def test_another_game_and_a_long_wait_end_it() -> None:
    pending = Pending(FAMICOM_1991)
    assert [pending.on_its_way(shot(score)) for score in (0, 700, 0)] == [0, 10, 0]
    pending = Pending(FAMICOM_1991)
    assert [pending.on_its_way(shot(score)) for score in (0, *[700] * 6)] == [0, 10, 10, 10, 10, 10, 0]


def test_a_pair_that_is_decided_several_times_forgets_nothing() -> None:
    pending = Pending(FAMICOM_1991)
    pending.on_its_way(shot(0))
    pair = shot(700)
    assert [pending.on_its_way(pair) for _ in range(9)] == [10] * 9
    more = replace(pair, counters={**pair.counters, "opponent_score": 1400})
    assert [pending.on_its_way(more) for _ in range(9)] == [20] * 9, "another attack while the pair is in the air"
    assert [pending.on_its_way(shot(1400)) for _ in range(3)] == [20] * 3
    assert pending.on_its_way(shot(1400, nuisance=20)) == 0


def test_alone_nothing_comes() -> None:
    alone = shot(0)
    without = Snapshot(alone.phase, alone.state, alone.playfield, alone.hidden, alone.current, alone.next, {})
    assert Pending(FAMICOM_1991).on_its_way(without) == 0


def test_what_is_expected_between_two_pairs_is_what_the_next_one_is_told() -> None:
    """However often it is asked for."""
    scores = np.random.default_rng(3).integers(0, 3, size=60).cumsum() * 140
    pending, forgetful = Pending(FAMICOM_1991), Pending(FAMICOM_1991)
    told = []
    for index, score in enumerate(scores):
        seen = shot(int(score) if index % 25 else 0, nuisance=index // 7 % 3)
        assert [pending.expected(seen) for _ in range(6)] == [pending.on_its_way(seen)] * 6
        told.append(forgetful.on_its_way(seen))
    assert len(set(told)) > 5
    assert pending.expected(shot(0, pending=7)) == 7
