"""The figures under their documented names."""

from __future__ import annotations

from emubot.report import Tally, percentiles


def test_every_figure_is_reported() -> None:
    tally = Tally(
        pieces=1,
        misplaced=2,
        replans=3,
        lag_frames=4,
        games=5,
        wins=11,
        lines=6,
        score=7,
        level=8,
        nodes=9,
        decision_ms=[10.0],
    )
    assert tally.as_dict() == {
        "pieces": 1,
        "misplaced": 2,
        "replans": 3,
        "lag_frames": 4,
        "games": 5,
        "wins": 11,
        "lines": 6,
        "score": 7,
        "level": 8,
        "nodes": 9,
        "decision_ms": {"p50": 10.0, "p99": 10.0, "max": 10.0},
    }


def test_two_players_figures_are_summed() -> None:
    first = Tally(pieces=1, misplaced=2, lag_frames=3, wins=1, score=10, level=8, decision_ms=[1.0])
    second = Tally(pieces=4, replans=5, lag_frames=None, games=2, score=20, level=6, decision_ms=[3.0])
    both = first + second
    assert (both.pieces, both.misplaced, both.replans, both.lag_frames) == (5, 2, 5, 3)
    assert (both.games, both.wins, both.score, both.level) == (2, 1, 30, 8)
    assert both.decision_ms == [1.0, 3.0]
    assert (Tally() + Tally()).lag_frames is None


def test_no_counter_means_no_figure() -> None:
    assert Tally().as_dict()["lag_frames"] is None


def test_percentiles() -> None:
    assert percentiles([float(number) for number in range(1, 102)]) == {"p50": 51.0, "p99": 100.0, "max": 101.0}
    assert percentiles([]) == {"p50": 0.0, "p99": 0.0, "max": 0.0}
