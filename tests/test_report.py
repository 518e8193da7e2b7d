"""The figures under their documented names."""

from __future__ import annotations

from emubot.report import Tally, percentiles


def test_every_figure_is_reported() -> None:
    tally = Tally(
        pieces=1, misplaced=2, replans=3, lag_frames=4, games=5, lines=6, score=7, level=8, nodes=9, decision_ms=[10.0]
    )
    assert tally.as_dict() == {
        "pieces": 1,
        "misplaced": 2,
        "replans": 3,
        "lag_frames": 4,
        "games": 5,
        "lines": 6,
        "score": 7,
        "level": 8,
        "nodes": 9,
        "decision_ms": {"p50": 10.0, "p99": 10.0, "max": 10.0},
    }


def test_no_counter_means_no_figure() -> None:
    assert Tally().as_dict()["lag_frames"] is None


def test_percentiles() -> None:
    assert percentiles([float(number) for number in range(1, 102)]) == {"p50": 51.0, "p99": 100.0, "max": 101.0}
    assert percentiles([]) == {"p50": 0.0, "p99": 0.0, "max": 0.0}
