"""The challenge: turns alternate, the person's piece waits, the time is the person's, and the arcade throws garbage."""

from __future__ import annotations

import pytest

from emubot.arena.catalogue import CHALLENGES
from emubot.arena.challenge import MODES, TURNS_A_LEVEL, Challenge
from emubot.arena.request import MatchRequest
from emubot.arena.wire import Input
from emubot.errors import UsageError
from emubot.pad import Pad
from tests.arena.playing import begin, play, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]

RATE = 60.0988


def challenge(mode: str, game: str = "blocks", bot: str = "full", level: int = 0) -> Challenge:
    rules = {"level": level} if level else {}
    request = MatchRequest(sides=(side(game, None, **rules), side(game, bot, **rules)), challenge=mode)  # type: ignore[arg-type]
    made = Challenge(request, 3)
    begin(made)
    return made


def turn(match: Challenge) -> int:
    """Play until the turn changes; returns the frames that it took."""
    active, frames = match._active, 0
    while match._active == active and not match.finished:
        match.tick()
        frames += 1
        assert frames < 3_000
    return frames


def test_every_mode_is_offered() -> None:
    assert set(MODES) == set(CHALLENGES)


@pytest.mark.parametrize("game", ["blocks", "pairs"])
def test_without_a_limit_the_piece_waits_until_it_is_dropped(game: str) -> None:
    match = challenge("free", game, level=9)
    waiting = match.sides[0]
    place = list(waiting.board.lists[0])
    assert place
    play(match, 2_000)
    assert list(waiting.board.lists[0]) == place, "it hangs where it came"
    assert match.sides[1].board.pieces == 0
    match.put(Input(0, 1, Pad.LEFT))
    match.put(Input(0, 2, Pad.NONE))
    play(match, 3)
    assert [cell.column for cell in waiting.board.lists[0]] == [cell.column - 1 for cell in place]
    match.put(Input(0, 3, Pad.DOWN))
    turn(match)
    assert waiting.board.pieces == 1
    turn(match)
    assert match.sides[1].board.pieces == 1
    assert match._active == 0


@pytest.mark.parametrize(("mode", "seconds"), [("easy", 10), ("hard", 5), ("extreme", 2), ("arcade", 2)])
def test_when_the_time_is_up_the_piece_drops_where_it_stands(mode: str, seconds: int) -> None:
    match = challenge(mode, "pairs")
    match.put(Input(0, 1, Pad.RIGHT))
    match.put(Input(0, 2, Pad.NONE))
    play(match, 5)
    columns = {cell.column for cell in match.sides[0].board.lists[0]}
    frames = 5 + turn(match)
    assert seconds * RATE < frames < seconds * RATE + 90, "the limit, and the way down"
    cells = match.sides[0].board.cells
    filled = {index % 6 for index, kind in enumerate(cells) if kind}
    assert filled == columns


def test_a_bot_shows_its_move_after_half_a_second_and_takes_no_longer_than_that_takes() -> None:
    match = challenge("free")
    match.put(Input(0, 1, Pad.DOWN))
    turn(match)
    assert 30 <= turn(match) <= 90


def test_the_arcade_grows_quicker_down_to_seven_tenths() -> None:
    mode = MODES["arcade"]
    frames = [mode.frames(level, RATE) for level in (0, 1, 5, 13, 50)]
    assert frames == [round(seconds * RATE) for seconds in (2, 1.9, 1.5, 0.7, 0.7)]
    match = challenge("arcade", "pairs")
    match.turns = 3 * TURNS_A_LEVEL
    assert match.level == 3


@pytest.mark.parametrize(("mode", "thrown"), [("arcade", 24), ("hard", 0)])
def test_clears_throw_garbage_in_the_arcade_alone(mode: str, thrown: int, monkeypatch: pytest.MonkeyPatch) -> None:
    match = challenge(mode, "pairs")
    got: list[int] = []
    mine, other = (own.machine for own in match._own)
    monkeypatch.setattr(mine, "sent", lambda: [1170])
    monkeypatch.setattr(other, "receive", got.append)
    match.put(Input(0, 1, Pad.DOWN))
    turn(match)
    assert sum(got) == thrown


def test_who_only_drops_loses_to_the_bot() -> None:
    match = challenge("extreme", "pairs", "strong")
    for _ in range(60):
        match.put(Input(0, 1, Pad.DOWN))
        turn(match)
        match.put(Input(0, 2, Pad.NONE))
        if match.finished:
            break
    assert match.result()["winner"] == 1


def test_it_needs_a_person_and_a_bot() -> None:
    for sides in ((side("pairs"), side("pairs")), (side("pairs", "full"), side("pairs", "full")), (side("pairs"),)):
        with pytest.raises(UsageError, match="one of a person and one of a bot"):
            Challenge(MatchRequest(sides=sides, challenge="free"), 1)
