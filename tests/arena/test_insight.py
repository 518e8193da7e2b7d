"""Explanations while the game goes on: each names its piece, and one whose piece has gone is not made."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

from emubot.arena.insight import Insight
from emubot.errors import UsageError
from emubot.explanation import ExplainOptions, Explanation
from emubot.games.strength import Strength
from emubot.snapshot import Phase, Piece, Placement, Snapshot

HERE, THERE = Placement(0, 1, 19), Placement(1, 4, 18)


def frame(piece: bool = True) -> Snapshot:
    """A frame with a piece in the air, or between two pieces."""
    phase = Phase.PLAYING if piece else Phase.LOCKED
    return Snapshot(phase, "", np.zeros((20, 10), np.uint8), np.zeros((0, 10), np.uint8), Piece(0, 5, 0), (), {})


class SlowGame:
    """A family whose explanations wait until they are allowed."""

    def __init__(self) -> None:
        self.allowed = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        self.refuses = False

    def position(self, drawn: object) -> None:
        raise NotImplementedError

    def explain(self, *_: object) -> Explanation:
        self.begun.release()
        assert self.allowed.acquire(timeout=20)
        if self.refuses:
            raise UsageError("It cannot be explained.")
        return Explanation(frame(), "T", None, {}, "points", "", "", 0, ())


def watched() -> tuple[SlowGame, Insight, list[dict[str, Any]]]:
    told: list[dict[str, Any]] = []
    game, nothing = SlowGame(), SimpleNamespace()
    edition = SimpleNamespace(explainer=game, depiction=None)
    insight = Insight(edition, nothing, nothing, told.append)  # type: ignore[arg-type]
    return game, insight, told


def done(insight: Insight) -> None:
    insight._thread.shutdown()


def test_each_decision_is_told_once_and_names_its_piece() -> None:
    game, insight, told = watched()
    game.allowed.release(2)
    insight.see(frame(), None, 0)
    insight.see(frame(), HERE, 0)
    insight.see(frame(), HERE, 0)
    assert game.begun.acquire(timeout=20)
    insight.see(frame(piece=False), HERE, 1)
    insight.see(frame(), HERE, 1)
    done(insight)
    assert sorted((words["event"], words["piece"]) for words in told) == [
        *[("insight", 0), ("insight", 1)],
        *[("plan", 0), ("plan", 1)],
    ]


def test_a_new_plan_for_the_same_piece_is_explained_too() -> None:
    game, insight, told = watched()
    game.allowed.release(2)
    insight.see(frame(), HERE, 0)
    assert game.begun.acquire(timeout=20)
    insight.see(frame(), THERE, 0)
    done(insight)
    assert [words["event"] for words in told].count("insight") == 2


def test_decisions_that_another_one_follows_are_passed_over_and_the_last_is_not() -> None:
    game, insight, told = watched()
    insight.see(frame(), HERE, 0)
    assert game.begun.acquire(timeout=20)
    for piece in range(1, 6):
        insight.see(frame(), HERE, piece)
    game.allowed.release(9)
    done(insight)
    assert [words["piece"] for words in told if words["event"] == "insight"] == [0, 5]


def test_what_cannot_be_explained_is_said_once_and_is_of_no_piece() -> None:
    game, insight, told = watched()
    game.refuses = True
    game.allowed.release(9)
    insight.see(frame(), HERE, 0)
    while not any(words["event"] == "insight" for words in told):
        threading.Event().wait(0.01)
    insight.see(frame(), HERE, 1)
    done(insight)
    (said,) = [words for words in told if words["event"] == "insight"]
    assert (said["piece"], said["meaning"]) == (None, "It cannot be explained.")


def test_a_decision_is_explained_as_the_bot_thinks() -> None:
    asked: list[ExplainOptions] = []

    def explain(*words: Any) -> Explanation:
        asked.append(words[-1])
        return Explanation(frame(), "T", None, {}, "points", "", "", 0, ())

    edition = SimpleNamespace(explainer=SimpleNamespace(explain=explain), depiction=None)
    bot = Strength(7, aim="lines", aggression=0.2)
    insight = Insight(edition, SimpleNamespace(), SimpleNamespace(), lambda _: None, bot)  # type: ignore[arg-type]
    insight.see(frame(), HERE, 0)
    done(insight)
    assert [(one.nodes, one.aim, one.aggression) for one in asked] == [(7, "lines", 0.2)]
