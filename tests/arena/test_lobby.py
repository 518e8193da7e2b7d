"""Clients and matches: who is let in, whose inputs go where, who comes back, and what ends."""

from __future__ import annotations

import asyncio
import json

import pytest

from emubot.arena.limits import INPUTS_A_SECOND, MOST_MATCHES, TEXTS_A_SECOND
from emubot.arena.lobby import Refused
from emubot.arena.wire import Input, pack_input
from emubot.pad import Pad
from tests.arena.lobbies import MATCH, Table, events, heard, repeat, story_within


def test_who_knows_the_token_is_welcome_and_gets_the_offers(table: Table) -> None:
    welcome, *others = heard(table.enter())
    assert [words["event"] for words in (welcome, *others)] == ["welcome", "cockpit", "runs", "replays", "results"]
    assert {"games", "bots"} <= set(welcome["offers"])


@pytest.mark.parametrize(
    "message",
    ['{"type": "hello", "token": "guess"}', '{"type": "leave"}', json.dumps({"type": "start", "match": MATCH}), "x"],
)
def test_nobody_else_gets_past_the_door(table: Table, message: str) -> None:
    client = table.lobby.join()
    with pytest.raises(Refused):
        table.lobby.hear_text(client, message)
    with pytest.raises(Refused):
        table.lobby.hear_input(client, pack_input(Input(0, 1, Pad.A)))
    assert not table.link.orders
    assert not table.link.inputs


def test_a_match_is_opened_and_what_it_shows_reaches_its_player_alone(table: Table) -> None:
    player, other = table.enter(), table.enter()
    number = table.start(player)
    heard(player), heard(other)
    table.link.on_event({"event": "opened", "match": number, "seed": 3})
    table.link.on_frame(number, b"\x01old")
    table.link.on_frame(number, b"\x01new")
    assert heard(player) == [{"event": "opened", "seed": 3}, b"\x01new"]
    assert heard(other) == []


def test_inputs_go_to_the_own_match_and_to_no_other(table: Table) -> None:
    one, two = table.enter(), table.enter()
    first, second = table.start(one), table.start(two)
    message = pack_input(Input(0, 1, Pad.A))
    table.lobby.hear_input(two, message)
    assert table.link.inputs == [(second, message)]
    table.lobby.hear_input(one, message)
    assert table.link.inputs[1:] == [(first, message)]


@pytest.mark.parametrize("do", ["pause", "resume", "rematch"])
def test_commands_reach_the_match(table: Table, do: str) -> None:
    player = table.enter()
    table.say(player, type=do)
    assert events(player) == ["welcome", "refused"]
    number = table.start(player)
    table.say(player, type=do)
    assert table.link.did(do) == [number]


def test_a_new_match_ends_the_one_before(table: Table) -> None:
    player = table.enter()
    first = table.start(player)
    second = table.start(player)
    assert first != second
    assert table.link.did("close") == [first]
    table.say(player, type="leave")
    assert table.link.did("close") == [first, second]


@pytest.mark.slow
def test_there_is_an_end_to_the_number_of_matches(table: Table) -> None:
    for _ in range(MOST_MATCHES):
        table.start(table.enter())
    late = table.enter()
    table.say(late, type="start", match=MATCH)
    assert events(late) == ["welcome", "refused"]
    assert len(table.link.opened) == MOST_MATCHES


def test_a_lost_connection_pauses_the_match_and_who_comes_back_has_it_again(table: Table) -> None:
    async def story() -> None:
        player = table.enter()
        number = table.start(player)
        table.lobby.leave(player)
        assert table.link.did("pause") == [number]
        for frame in (b"\x01before", b"\x01paused"):
            table.link.on_frame(number, frame)
        again = table.enter(seat=player.seat)
        told = heard(again)
        assert told[-1] == b"\x01paused"  # after all events
        (back,) = [words for words in told[:-1] if words["event"] == "back"]
        assert (back["event"], back["match"]["seed"]) == ("back", 3)
        table.say(again, type="resume")
        assert table.link.did("resume") == [number]
        await asyncio.sleep(0.05)
        assert not table.link.did("close")

    story_within(story, 0.02)


def test_a_match_that_is_over_and_saved_is_still_over_for_who_comes_back(table: Table) -> None:
    async def story() -> None:
        player = table.enter()
        number = table.start(player)
        for event in ("opened", "over", "saved", "said", "counted"):
            table.link.on_event({"event": event, "match": number})
        table.lobby.leave(player)
        (back,) = [words for words in heard(table.enter(seat=player.seat)) if words["event"] == "back"]
        assert (back["state"], back["opened"]) == ({"event": "over"}, {"event": "opened"})

    story_within(story, 0.5)


def test_who_stays_away_loses_the_match(table: Table) -> None:
    async def story() -> None:
        player = table.enter()
        number = table.start(player)
        table.lobby.leave(player)
        await asyncio.sleep(0.1)
        assert table.link.did("close") == [number]
        assert [words["event"] for words in heard(table.enter(seat=player.seat))] == [
            "welcome",
            "cockpit",
            "runs",
            "replays",
            "results",
        ]

    story_within(story, 0.02)


def test_nobody_takes_the_seat_of_somebody_who_is_there(table: Table) -> None:
    player = table.enter()
    table.start(player)
    thief = table.enter(seat=player.seat)
    assert events(thief) == ["welcome"]
    assert thief.table is None


def test_a_failure_ends_its_match_and_says_so(table: Table) -> None:
    player, other = table.enter(), table.enter()
    number = table.start(player)
    table.start(other)
    heard(player), heard(other)
    table.link.on_event({"event": "failed", "match": number, "message": "why"})
    assert heard(player) == [{"event": "failed", "message": "why"}]
    assert player.table is None
    assert heard(other) == []


def test_after_a_match_that_ended_another_can_begin(table: Table) -> None:
    player = table.enter()
    table.start(player)
    heard(player)
    table.link.on_event({"event": "failed", "match": 1, "message": "it has ended"})
    assert events(player) == ["failed"]
    table.start(player)
    assert len(table.link.opened) == 2


def test_how_far_the_bots_are_from_full_strength_reaches_their_own_match(table: Table) -> None:
    player, other = table.enter(), table.enter()
    number = table.start(player)
    for client in (player, other):
        heard(client)
    table.link.on_event({"event": "readiness", "match": number, "words": "compiling, 40%"})
    assert [words["words"] for words in heard(player)] == ["compiling, 40%"]
    assert heard(other) == []


def test_a_flood_of_texts_or_inputs_ends_the_connection(table: Table) -> None:
    player = table.enter()
    with pytest.raises(Refused, match="too many messages"):
        repeat(10 * TEXTS_A_SECOND, lambda _: table.say(player, type="pause"))
    other = table.enter()
    table.start(other)
    with pytest.raises(Refused, match="too many inputs"):
        repeat(10 * INPUTS_A_SECOND, lambda number: table.lobby.hear_input(other, pack_input(Input(0, number, Pad.A))))
    assert len(table.link.inputs) <= 3 * INPUTS_A_SECOND
