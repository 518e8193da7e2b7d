"""The coach says of each placement what the review of the same game says, from whatever moment it is asked."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest

from emubot.arena.match import ArenaMatch
from emubot.arena.wire import Input
from emubot.judging.judge import JudgedMove, review
from emubot.judging.moves import moves_of
from emubot.pad import Pad
from emubot.review.sources import source_of
from emubot.session.request import SessionRequest
from emubot.weights import load_weights
from tests.arena.playing import begin, match_of, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("review")]

PIECES = {"blocks": 3, "pairs": 9, "capsules": 9, "columns": 9}
PADS = (Pad.NONE, Pad.DOWN, Pad.DOWN, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B)


class Heard:
    """What a coach tells."""

    def __init__(self) -> None:
        self.words: list[dict[str, Any]] = []
        self._come = threading.Condition()

    def __call__(self, **words: Any) -> None:
        with self._come:
            self.words.append(words)
            self._come.notify_all()

    def of(self, event: str) -> dict[int, dict[str, Any]]:
        return {words["piece"]: words for words in self.words if words["event"] == event}

    def wait_for(self, event: str, piece: int) -> None:
        with self._come:
            assert self._come.wait_for(lambda: piece in self.of(event), 120), f"no {event} of piece {piece}"


def press_at_random(match: ArenaMatch, draw: random.Random) -> None:
    if match.ticks % 4 == 0:
        match.put(Input(0, match.ticks, draw.choice(PADS)))
    match.tick()


@pytest.mark.parametrize(
    "game", ["capsules", *(pytest.param(game, marks=pytest.mark.slow) for game in ("blocks", "pairs", "columns"))]
)
def test_the_coach_marks_what_the_review_marks(game: str, tmp_path: Path) -> None:
    match, heard, draw = begin(match_of(side(game), seed=4)), Heard(), random.Random(game)
    for _ in range(25):
        press_at_random(match, draw)  # the coach is asked for in the middle of a piece
    match.coach(heard)
    while match.sides[0].pieces < PIECES[game] and not match.finished:
        before = match.sides[0].pieces
        press_at_random(match, draw)
        if match.sides[0].in_control:
            heard.wait_for("coach", match.sides[0].pieces)
        if match.sides[0].pieces > before:
            heard.wait_for("mark", before)
    match.close()
    match.replay().write(tmp_path / "coached.match.json")
    source = source_of(tmp_path / "coached.match.json", 0, None, SessionRequest())
    weights = load_weights(source.edition.game.facts.default_weights)
    found = review(source.edition, weights, moves_of(source.snapshots), "coached")
    told = {
        piece + 1: (words["mark"], words["why"], words["better"], words["cells"], words["locked"])
        for piece, words in heard.of("mark").items()
    }
    assert told == {
        one.move.number: (
            one.mark.value,
            one.why,
            one.best.name,
            [*map(list, one.best_cells)],
            [*map(list, one.cells)],
        )
        for one in found.judged
    }
    assert len(told) >= 2
    last = heard.of("mark")[max(heard.of("mark"))]
    assert last["marks"] == {mark.value: count for mark, count in found.marks.items()}
    assert last["accuracy"] == pytest.approx(found.accuracy)


def test_a_coach_that_is_dismissed_says_nothing_more() -> None:
    match, heard = begin(match_of(side("capsules"), seed=4)), Heard()
    match.coach(heard)
    while not match.sides[0].in_control:
        match.tick()
    heard.wait_for("coach", 0)
    match.coach(None)
    count = len(heard.words)
    draw = random.Random(1)
    while match.sides[0].pieces < 2:
        press_at_random(match, draw)
    match.close()
    assert len(heard.words) == count


@pytest.mark.parametrize(
    ("loss", "accuracy", "mark"),
    [(0.0, 1.0, "best"), (0.1, 0.99, "good"), (1.0, 0.85, "good"), (1.0, 0.84, "slip"), (9.0, 0.39, "blunder")],
)
def test_a_mark_is_made_from_what_was_lost(loss: float, accuracy: float, mark: str) -> None:
    nothing: Any = None
    judged = JudgedMove(nothing, nothing, nothing, loss, accuracy, ("makes a hole", "covers the well"), (), ())
    assert judged.mark.value == mark
    assert judged.why == ("makes a hole; covers the well" if loss else "")
