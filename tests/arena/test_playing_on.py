"""A recorded match goes on from any of its frames: the same buttons play the same game; saved, it is one game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from emubot.arena.challenge import Challenge
from emubot.arena.match import PLAY_ON, ArenaMatch
from emubot.arena.player import ReplayPlayer
from emubot.arena.replay import Beginning, Replay, read_replay
from emubot.arena.request import MatchRequest, SideRequest
from emubot.arena.wire import Input, Stage
from emubot.errors import UsageError
from emubot.pad import Pad
from tests.arena.playing import begin, match_of, play, side
from tests.arena.test_replay import KEYS, played

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]

Shown = list[tuple[bytes, int | None, int, int, int]]
GAMES = [
    (side("blocks"),),
    (side("pairs"), side("pairs", "easy")),
    (side("blocks", "middle", level=9), side("pairs", "full")),
    (side("capsules", "full"), side("blocks", "full")),
]


def recorded(sides: tuple[SideRequest, ...], ticks: int = 4_000, seed: int = 11) -> Replay:
    match = begin(match_of(*sides, seed=seed))
    played(match, ticks)
    return match.replay()


def shown(match: ArenaMatch | ReplayPlayer) -> Shown:
    return [(one.board.cells, one.board.score, one.board.level, one.pieces, one.count) for one in match.sides]


def of_people(request: MatchRequest) -> MatchRequest:
    """The match with a person on each side: what a test presses is then all that is pressed."""
    return request.model_copy(update={"sides": tuple(one.model_copy(update={"bot": None}) for one in request.sides)})


def pressed_again(match: ArenaMatch, replay: Replay) -> None:
    """Press what was recorded from here on, tick by tick, and look at each frame."""
    player = ReplayPlayer(replay)
    player.go_to(match.log.ticks)
    assert shown(match) == shown(player)
    for number, tick in enumerate([*replay.played()][match.log.ticks :]):
        for one, pad in enumerate(tick.pads[: len(match.sides)]):
            match.put(Input(one, number + 1, pad))
        match.tick()
        player.step()
        assert shown(match) == shown(player), number


@pytest.mark.few(1)
@pytest.mark.parametrize("sides", [*GAMES[:2], *(pytest.param(one, marks=pytest.mark.slow) for one in GAMES[2:])])
def test_who_presses_what_was_recorded_plays_what_was_recorded(sides: tuple[SideRequest, ...]) -> None:
    replay = recorded(sides)
    request, draw = of_people(replay.request), random.Random(3)
    falls = [tick - 1 for tick, *_ in replay.falls[-1:]]  # when garbage waits
    for ticks in (1, *falls, *(draw.randrange(replay.ticks) for _ in range(3)), replay.ticks - 1):
        match = ArenaMatch(request, replay.seed, beginning=Beginning(replay, ticks))
        assert match.stage is Stage.COUNTDOWN
        play(match, PLAY_ON)
        pressed_again(match, replay)
        again = match.replay()
        assert (again.ticks, again.falls) == (replay.ticks, replay.falls), "the garbage that waited falls when it did"
        assert again.result["winner"] == replay.result["winner"]


def test_in_one_of_these_matches_garbage_waits_and_falls() -> None:
    assert any(recorded(sides).falls for sides in GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("taken", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_person_takes_a_side_and_a_bot_plays_the_other_one_to_the_end(taken: int, tmp_path: Path) -> None:
    replay = recorded((side("blocks", "easy"), side("pairs", "middle")))
    sides = [
        one.model_copy(update={"bot": None if number == taken else one.bot})
        for number, one in enumerate(replay.request.sides)
    ]
    request = replay.request.model_copy(update={"sides": tuple(sides)})
    for ticks in (500, 1_000, 1_511):
        match = ArenaMatch(request, replay.seed, beginning=Beginning(replay, ticks))
        assert [one.board.pieces for one in match.sides] == [one.pieces for one in match.sides]
        before = [one.board.pieces for one in match.sides]
        assert min(before) > 3
        play(match, PLAY_ON)
        match.put(Input(taken, 1, Pad.DOWN))
        play(match, 20_000)
        assert match.result()["winner"] == 1 - taken
        assert match.sides[1 - taken].board.pieces > before[1 - taken]
        assert match.sides[1 - taken].figures.misplaced <= 1, "it may have been too late for the piece in the air"
        path = tmp_path / f"{ticks}.match.json"
        match.replay().write(path)
        player = ReplayPlayer(read_replay(path))
        player.go_to(ticks)
        first = ReplayPlayer(replay)
        first.go_to(ticks)
        assert shown(player) == shown(first), "it begins as the recorded one"
        player.go_to(player.ticks)
        assert [one[:3] for one in shown(player)] == [one[:3] for one in shown(match)], "and ends as the live one"


@pytest.mark.slow
@pytest.mark.parametrize("mode", [pytest.param("free", marks=pytest.mark.slow), "arcade"])
def test_a_match_in_turns_goes_on_in_turn(mode: str) -> None:
    request = MatchRequest(sides=(side("pairs"), side("pairs", "strong")), challenge=mode)  # type: ignore[arg-type]
    match = Challenge(request, 5)
    begin(match)
    draw, states = random.Random(7), []
    for number in range(1_500):
        if number % 5 == 0:
            match.put(Input(0, number + 1, draw.choice(KEYS)))
        match.tick()
        states.append((match.log.ticks, match._active, match._time_left, match.turns))
    replay = match.replay()
    assert {state[1] for state in states} == {0, 1}
    for ticks, active, left, turns in states[200::130]:
        again = Challenge(request, 5, beginning=Beginning(replay, ticks))
        assert (again.log.ticks, again._active, again._time_left, again.turns) == (ticks, active, left, turns)
        player = ReplayPlayer(replay)
        player.go_to(ticks)
        assert shown(again) == shown(player)
        pieces = again.sides[1].board.pieces
        play(again, PLAY_ON)
        again.put(Input(0, 1, Pad.DOWN))
        play(again, 400)
        assert again.sides[1].board.pieces > pieces
        saved = again.replay()
        player = ReplayPlayer(saved)
        player.go_to(saved.ticks)
        assert [one[:3] for one in shown(player)] == [one[:3] for one in shown(again)]


def test_where_the_game_is_over_nobody_plays_on() -> None:
    replay = recorded((side("blocks"),), 20_000)
    with pytest.raises(UsageError, match="over in this frame"):
        ArenaMatch(replay.request, replay.seed, beginning=Beginning(replay, replay.ticks))
