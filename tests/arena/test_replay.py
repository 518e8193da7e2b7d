"""A match that was written down is played again to the byte, whatever was pressed; files that are none are refused."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from emubot.arena.challenge import Challenge
from emubot.arena.match import ArenaMatch
from emubot.arena.player import ReplayPlayer
from emubot.arena.replay import Replay, read_replay
from emubot.arena.request import MatchRequest, SideRequest
from emubot.arena.wire import Input
from emubot.errors import TraceError, UsageError
from emubot.pad import Pad
from tests.arena.playing import begin, match_of, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]

KEYS = (Pad.LEFT, Pad.RIGHT, Pad.DOWN, Pad.A, Pad.B, Pad.NONE, Pad.DOWN)


def played(match: ArenaMatch, ticks: int) -> list[tuple[bytes, int | None, int]]:
    """Plays with random keys; returns what both sides showed in the end."""
    draw = random.Random(7)
    shown = []
    for number in range(ticks):
        if match.finished:
            break
        if number % 5 == 0:
            for one in match.request.persons:
                match.put(Input(one, number + 1, draw.choice(KEYS)))
        match.tick()
    shown += [(one.board.cells, one.board.score, one.board.level) for one in match.sides]
    return shown


def replayed(replay: Replay) -> list[tuple[bytes, int | None, int]]:
    player = ReplayPlayer(replay)
    player.go_to(player.ticks)
    return [(one.board.cells, one.board.score, one.board.level) for one in player.sides]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "sides",
    [
        (side("blocks"),),
        (side("pairs"), side("pairs", "easy")),
        (side("blocks", "middle", level=9), side("pairs", "strong")),
        (side("pairs"), side("blocks")),
    ],
)
def test_the_same_pads_play_the_same_match(sides: tuple[SideRequest, ...], tmp_path: Path) -> None:
    match = begin(match_of(*sides, seed=11))
    shown = played(match, 3_000)
    path = tmp_path / "new" / "game.match.json"
    match.replay().write(path)
    assert replayed(read_replay(path)) == shown


@pytest.mark.slow
def test_a_match_with_garbage_too() -> None:
    """Blocks fill up by nuisance that pairs send: what falls is in the file."""
    for seed in range(20):
        match = begin(match_of(side("blocks", "gentle"), side("pairs", "full"), seed=seed))
        shown = played(match, 6_000)
        replay = match.replay()
        if replay.falls:
            assert replayed(replay) == shown
            return
    pytest.fail("in no match garbage fell")


@pytest.mark.few(1)
@pytest.mark.parametrize("mode", ["free", "arcade"])
def test_a_challenge_too(mode: str) -> None:
    request = MatchRequest(sides=(side("pairs"), side("pairs", "strong")), challenge=mode)  # type: ignore[arg-type]
    match = begin(Challenge(request, 5))
    shown = played(match, 2_500)
    assert match.sides[0].board.pieces >= 3
    assert replayed(match.replay()) == shown


def test_going_back_and_forth_shows_the_same() -> None:
    match = begin(match_of(side("pairs", "strong")))
    played(match, 900)
    player = ReplayPlayer(match.replay())
    frames: dict[int, bytes] = {}
    for tick in (700, 150, 400, 700, 0, 150):
        player.go_to(tick)
        assert player.at == tick
        assert frames.setdefault(tick, player.frame()) == player.frame()


def test_the_next_piece_and_what_the_bot_would_do_with_it() -> None:
    match = begin(match_of(side("blocks", "middle")))
    played(match, 900)
    player = ReplayPlayer(match.replay())
    player.go_to_next_piece(0)
    assert player.sides[0].board.in_control
    advice = player.advice(0)
    assert advice["placements"][0]["chosen"]
    assert len(advice["placements"][0]["cells"]) == 4
    while player.sides[0].board.in_control:
        player.step()
    with pytest.raises(UsageError, match="No piece is in the air"):
        player.advice(0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1, 2]",
        '{"format": "emubot match 2"}',
        json.dumps({"format": "emubot match 1", "steps": [[9, 0, 0, 1]]}),
    ],
)
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.match.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TraceError, match="is no recorded match"):
        read_replay(path)
    with pytest.raises(TraceError, match="There is no file"):
        read_replay(tmp_path / "none")
