"""The figures under their documented names."""

from __future__ import annotations

import pytest

from emubot.cli.played import describe_tally, worded
from emubot.games import game
from emubot.looks import NUMBERED
from emubot.pilot.tally import Tally, percentiles


def test_every_figure_is_reported() -> None:
    tally = Tally(
        pieces=1,
        misplaced=2,
        replans=3,
        adjustments=16,
        lag_frames=4,
        games=5,
        wins=11,
        completed=12,
        stages=17,
        lines=6,
        score=7,
        level=8,
        nodes=9,
        pauses=13,
        called=14,
        called_right=15,
        decision_ms=[10.0],
    )
    assert tally.as_dict() == {
        "pieces": 1,
        "misplaced": 2,
        "replans": 3,
        "adjustments": 16,
        "lag_frames": 4,
        "games": 5,
        "wins": 11,
        "completed": 12,
        "stages": 17,
        "lines": 6,
        "score": 7,
        "level": 8,
        "pauses": 13,
        "called": 14,
        "called_right": 15,
        "nodes": 9,
        "decision_ms": {"p50": 10.0, "p99": 10.0, "max": 10.0},
    }


def test_two_players_figures_are_summed() -> None:
    first = Tally(pieces=1, misplaced=2, lag_frames=3, wins=1, completed=2, score=10, level=8, decision_ms=[1.0])
    second = Tally(pieces=4, replans=5, lag_frames=None, games=2, score=20, level=6, decision_ms=[3.0])
    both = first + second
    assert (both.pieces, both.misplaced, both.replans, both.lag_frames) == (5, 2, 5, 3)
    assert (both.games, both.wins, both.completed, both.score, both.level) == (2, 1, 2, 30, 8)
    assert both.decision_ms == [1.0, 3.0]
    assert (Tally() + Tally()).lag_frames is None
    assert (Tally(stages=2) + Tally(stages=3)).stages == 5
    assert (Tally() + Tally()).stages is None, "a game without stages"


def test_the_stages_won_are_those_of_the_familys_summary() -> None:
    nothing = {"lines": None, "score": 0, "level": 0, "stages": 0}
    tally = Tally.for_summary(nothing, None)
    for stages in (3, 4):
        tally.add_game({**nothing, "stages": stages})
    assert tally.stages == 7


FIGURES = {"lines": "lines", "score": "score", "level": "level", "won": "wins", "completed": "completed"}


@pytest.mark.parametrize("summarised", FIGURES)
def test_what_one_map_cannot_tell_has_no_sum(summarised: str) -> None:
    known: dict[str, int | None] = {"lines": 5, "score": 700, "level": 3, "won": 1, "completed": 0}
    missing = FIGURES[summarised]
    first, second = Tally.for_summary(known | {summarised: None}, 0), Tally.for_summary(known, 0)
    assert getattr(first, missing) is None, "known before a game was played"
    for tally, summary in ((first, known | {summarised: None}), (second, known)):
        tally.add_game(summary)
        tally.add_game(summary)
    assert (first + second).as_dict()[missing] is None
    own = {"lines": 10, "score": 1400, "level": 3, "wins": 2, "completed": 0}
    assert {name: second.as_dict()[name] for name in own} == own
    rest = {"lines": 20, "score": 2800, "level": 3, "wins": 4, "completed": 0}
    del rest[missing]
    assert rest.items() <= (first + second).as_dict().items()


def test_a_sentence_leaves_out_what_is_not_known() -> None:
    assert worded(("{:,} lines", 1200), ("score {:,}", None), ("level {}", 0)) == "1,200 lines, level 0"


def test_a_tally_is_described_in_the_words_of_its_family() -> None:
    tally = Tally(pieces=1200, lines=None, score=34_000, level=7)
    assert describe_tally(game("puyo").looks, tally) == "1,200 pairs, score 34,000, level 7"
    named = Tally(pieces=2, lines=None, called=1, called_right=1)
    assert "1 pair called, 1 of them right" in describe_tally(game("puyo").looks, named)
    assert describe_tally(NUMBERED, Tally(pieces=2, lines=3, wins=1)) == "2 pieces, 3 lines, score 0, level 0, 1 won"
    assert describe_tally(NUMBERED, Tally(lines=25, completed=1)).endswith("25 lines, score 0, level 0, 1 completed")


def test_no_counter_means_no_figure() -> None:
    assert Tally().as_dict()["lag_frames"] is None


def test_percentiles() -> None:
    assert percentiles([float(number) for number in range(1, 102)]) == {"p50": 51.0, "p99": 100.0, "max": 101.0}
    assert percentiles([]) == {"p50": 0.0, "p99": 0.0, "max": 0.0}


def test_a_session_of_months_keeps_the_newest_decisions() -> None:
    tally = Tally()
    for number in range(100_000):
        tally.decided(float(number))
    assert 20_000 <= len(tally.decision_ms) < 40_000
    assert tally.decision_ms[-1] == 99_999.0
    assert percentiles(tally.decision_ms)["max"] == 99_999.0


def test_a_tally_is_shown_in_one_line_without_its_times() -> None:
    tally = Tally(pieces=50, lines=19, level=None, decision_ms=[1.5] * 5000)
    assert repr(tally).startswith("Tally(pieces=50, lines=19, score=0, games=0, ")
    assert "1.5" not in repr(tally)
    assert len(repr(tally)) < 200
