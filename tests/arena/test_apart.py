"""Matches whose bots decide in other processes: nobody waits for them, and each says when it is at full strength."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from emubot.arena import apart as apart_module
from emubot.arena.apart import Apart
from emubot.arena.challenge import Challenge
from emubot.arena.match import ArenaMatch
from emubot.arena.request import MatchRequest, SideRequest
from emubot.arena.wire import Input, Stage
from emubot.pad import Pad
from emubot.pilot.apart.mind import ApartMind
from tests.pilot.apart.test_planner import DelayedLink, Frames

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]
PERSON_AND_BOT = (SideRequest(game="blocks"), SideRequest(game="blocks", bot="strong"))


class Played:
    """A match whose bots' answers come `delay` frames later."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, request: MatchRequest, delay: Callable[[], int | None]) -> None:
        self.frames, self.full = Frames(), list[str]()

        def link(compiled: bool) -> Any:
            return DelayedLink(self.frames, compiled, delay)

        monkeypatch.setattr(apart_module, "ApartMind", partial(ApartMind, link=link))
        monkeypatch.setattr(apart_module, "is_compiled", lambda ram_map: self.frames.compiled)
        kind = ArenaMatch if request.challenge is None else Challenge
        self.match = kind(request, 1, Apart(request.pace == 1, self.full.append))

    def tick(self, count: int = 1) -> None:
        for _ in range(count):
            self.match.tick()
            self.frames.number += 1


def column(match: ArenaMatch, side: int) -> int | None:
    piece = match.sides[side].snapshot().current
    return None if piece is None else piece.column


def test_a_person_moves_at_once_and_the_bot_s_piece_falls_until_it_has_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(monkeypatch, MatchRequest(sides=PERSON_AND_BOT), lambda: 200)
    match = played.match
    spawned = column(match, 0)
    match.put(Input(0, 1, Pad.LEFT))
    played.tick(4)
    assert match.stage is Stage.PLAYING
    assert column(match, 0) != spawned
    before = match.sides[1].snapshot().current
    played.tick(180)
    after = match.sides[1].snapshot().current
    assert before is not None
    assert after is not None
    assert (after.column, after.orientation) == (before.column, before.orientation)
    assert after.row > before.row


def test_compiled_kernels_take_over_in_the_match_and_misplace_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(
        monkeypatch, MatchRequest(sides=(*PERSON_AND_BOT[1:], SideRequest(game="pairs", bot="full"))), lambda: 3
    )
    played.tick(1200)
    assert played.full == []
    played.frames.compiled = True
    played.tick(1800)
    assert sorted(played.full) == ["demo_pairs", "nes_tetris_usa"]
    for figures in played.match.figures():
        assert figures["pieces"] >= 10
        assert figures["misplaced"] == 0
    played.match.close()
    assert all(link.closed for link in played.frames.links)


def test_in_turns_a_bot_that_thinks_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(monkeypatch, MatchRequest(sides=PERSON_AND_BOT, challenge="free"), lambda: 4)
    match = played.match
    for number in range(4_000):
        match.put(Input(0, number, Pad.DOWN if number % 8 else Pad.NONE))
        played.tick()
        if match.finished or match.sides[1].pieces >= 4:
            break
    assert match.sides[1].pieces >= 4
    assert match.figures()[1]["misplaced"] == 0


def test_bots_among_themselves_play_the_same_however_late_their_decisions_are(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = []
    for delay in (0, 7):
        sides = (SideRequest(game="blocks", bot="middle"), SideRequest(game="pairs", bot="middle"))
        played = Played(monkeypatch, MatchRequest(sides=sides, pace=0), lambda delay=delay: delay)  # type: ignore[misc]
        played.tick(600)
        boards.append([side.board.cells for side in played.match.sides])
    assert boards[0] == boards[1]
