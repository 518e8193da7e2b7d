"""What the page may ask for, and one sentence for all else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.arena.catalogue import PRESETS, offered, offers
from emubot.arena.consoles import open_consoles
from emubot.arena.request import Ask, Do, Hello, MatchRequest, PlayOn, SideRequest, StartMatch, read_message
from emubot.errors import UsageError

MATCH = {
    "sides": [{"game": "blocks"}, {"game": "pairs", "bot": "full", "rules": {"colors": 6}, "attack": 50}],
    "seed": 3,
}


def test_the_frame_rates_of_games_are_those_of_their_simulators() -> None:
    """By them the page offers what can meet."""
    for name, offer in offered().items():
        (seat,) = open_consoles(MatchRequest(sides=(SideRequest(game=name),)), seed=1)
        assert seat[0].bridge.facts.frame_rate == offer.game.frame_rate


def test_a_match_is_read() -> None:
    message = read_message(json.dumps({"type": "start", "match": MATCH}))
    assert isinstance(message, StartMatch)
    assert message.match.persons == (0,)
    assert message.match.sides[1].rules == {"colors": 6}
    message.match.check()
    assert MatchRequest.model_validate_json(message.match.model_dump_json()) == message.match


@pytest.mark.parametrize("command", [Do(type="pause"), Do(type="rematch"), Ask(type="leave"), Ask(type="save")])
def test_a_command_is_read(command: Do | Ask) -> None:
    assert read_message(command.model_dump_json()) == command


def test_in_turns_a_person_plays_on_for_the_person_alone() -> None:
    turns = MatchRequest.model_validate_json(json.dumps({**MATCH, "challenge": "free"}))
    assert PlayOn(type="play-on", tick=0, side=0).of(turns) == turns
    with pytest.raises(UsageError, match="for the person only"):
        PlayOn(type="play-on", tick=0, side=1).of(turns)


def test_a_hello_is_read() -> None:
    assert read_message('{"type": "hello", "token": "x"}') == Hello(type="hello", token="x")


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[]",
        "null",
        '{"type": "shutdown"}',
        '{"type": "pause", "match": 7}',
        '{"type": "start", "match": {"sides": []}}',
        '{"type": "start", "match": {"sides": [{"game": "../../etc/passwd"}]}}',
        '{"type": "start", "match": {"sides": [{"game": "blocks", "rom": "x"}]}}',
        '{"type": "start", "match": {"sides": [{"game": "blocks", "attack": 1000}]}}',
        '{"type": "start", "match": {"sides": [{"game": "blocks", "attack": "50"}]}}',
        '{"type": "start", "match": {"sides": [{"game": "blocks"}], "seed": -1}}',
        '{"type": "start", "match": {"sides": [{"game": "a"}, {"game": "a"}, {"game": "a"}]}}',
    ],
)
def test_all_else_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError):
        read_message(wrong)


@given(st.text(max_size=200) | st.recursive(st.none() | st.integers() | st.text(max_size=8), st.lists).map(json.dumps))
def test_any_text_is_a_message_or_refused(text: str) -> None:
    said = ""
    try:
        read_message(text)
    except UsageError as wrong:
        said = str(wrong)
    assert "\n" not in said


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "blocks", "bot": "deity"}, "no bot 'deity'"),
        ({"game": "blocks", "rules": {"colors": 5}}, "no rule 'colors'"),
        ({"game": "pairs", "rules": {"colors": 7}}, "colors is 4 to 6, not 7"),
    ],
)
def test_what_is_not_offered_is_refused(side: dict[str, object], words: str) -> None:
    request = MatchRequest.model_validate_json(json.dumps({"sides": [side]}))
    with pytest.raises(UsageError, match=words):
        request.check()


def test_offers_have_every_game_and_bot_and_no_trade_mark() -> None:
    told = json.dumps(offers())
    assert [game["id"] for game in offers()["games"]] == [*offered()]
    assert [bot["id"] for bot in offers()["bots"]] == [*PRESETS]
    titles = " ".join(game["title"] for game in offers()["games"]).lower()
    assert "tetris" not in titles
    assert "puyo" not in titles
    assert "/" not in told, "no path"
