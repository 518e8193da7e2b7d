"""Invited people: what they see and play, and that they order nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emubot.arena.access import Access, Role
from emubot.arena.wire import Input, pack_input
from emubot.extras import Need
from emubot.pad import Pad
from tests.arena.lobbies import MATCH, Table, events, heard


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_invited_people_start_nothing(table: Table, role: Role) -> None:
    client = table.enter(role)
    table.say(client, type="start", match=MATCH)
    assert events(client) == ["welcome", "refused"]
    assert not table.link.opened


def test_invited_people_see_the_match_that_runs_and_the_next_one(table: Table) -> None:
    early = table.enter(Role.SPECTATOR)
    assert events(early) == ["welcome"]
    player = table.enter()
    first = table.start(player)
    late = table.enter(Role.SPECTATOR)
    assert events(early) == ["back"]
    assert events(late) == ["welcome", "back"]
    table.link.on_frame(first, b"\x01frame")
    assert heard(early)[-1:] == heard(late)[-1:] == [b"\x01frame"]
    second = table.start(player)
    heard(early)
    table.link.on_frame(first, b"\x01old")
    table.link.on_frame(second, b"\x01new")
    assert heard(early) == [b"\x01new"]
    assert table.access.tokens[Role.OWNER] not in str(table.link.orders)


def test_a_demo_is_for_its_own_page_alone_and_ends_with_it(table: Table) -> None:
    early, owner = table.enter(Role.SPECTATOR), table.enter()
    table.say(owner, type="start", match=MATCH, demo=True)
    (demo,) = table.link.opened
    late = table.enter(Role.SPECTATOR)
    table.link.on_frame(demo, b"\x01frame")
    assert heard(owner)[-1:] == [b"\x01frame"]
    table.link.on_frame(demo, b"\x01late")
    table.say(owner, type="leave")
    assert b"\x01late" not in heard(owner), "what comes after the demo is of the next game"
    assert [events(guest) for guest in (early, late)] == [["welcome"], ["welcome"]]
    table.say(owner, type="start", match=MATCH, demo=True)
    table.lobby.leave(owner)
    assert table.link.did("close") == table.link.opened
    assert events(table.enter(seat=owner.seat)) == ["welcome"]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_invited_people_are_told_that_the_match_was_left(table: Table, role: Role) -> None:
    owner, guest = table.enter(), table.enter(role)
    table.start(owner)
    for client in (owner, guest):
        heard(client)
    table.say(owner, type="leave")
    assert events(guest) == ["ended"]
    assert events(owner) == ["left"]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
@pytest.mark.parametrize(
    "words",
    [
        {"type": "day"},
        {"type": "race", "side": 0},
        {"type": "gif", "start": 0},
        {"type": "play-on", "tick": 0, "side": 0},
    ],
)
def test_invited_people_begin_and_draw_nothing(table: Table, role: Role, words: dict[str, Any]) -> None:
    table.start(table.enter())
    before = list(table.link.orders)
    guest = table.enter(role)
    heard(guest)
    table.say(guest, **words)
    assert events(guest) == ["refused"]
    assert table.link.orders == before


def test_the_links_are_qr_codes_where_other_machines_can_follow_them() -> None:
    pytest.importorskip("segno", reason="needs the extra qr")
    words = Access("10.0.0.2", 8000).invitations()
    assert set(words["pictures"]) == {"player", "spectator"}
    assert all(one.startswith("data:image/svg+xml") for one in words["pictures"].values())


def test_without_qr_codes_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    access = Access("10.0.0.2", 8000)
    monkeypatch.setattr(Need, "is_met", lambda need: False)
    words = access.invitations()
    assert words["pictures"] == {}
    assert "segno" in words["instead"]
    assert "pip install" in words["instead"]
    assert access.tokens[Role.OWNER] not in json.dumps(words)


def test_an_invited_player_has_the_second_side_and_no_other(table: Table) -> None:
    owner = table.enter()
    table.say(owner, type="start", match={"sides": [{"game": "pairs"}, {"game": "pairs"}]})
    number = table.link.opened[-1]
    left, right = (pack_input(Input(side, 1, Pad.A)) for side in (0, 1))
    table.lobby.hear_input(owner, left)
    table.lobby.hear_input(owner, right)
    assert table.link.inputs == [(number, left), (number, right)], "alone at the keyboard, the owner plays both"
    table.link.inputs.clear()
    guest, watcher = table.enter(Role.PLAYER), table.enter(Role.SPECTATOR)
    for client in (owner, guest, watcher):
        table.lobby.hear_input(client, left)
        table.lobby.hear_input(client, right)
    assert table.link.inputs == [(number, left), (number, right)]
    table.lobby.hear_input(guest, left)
    assert len(table.link.inputs) == 2


@pytest.mark.parametrize("do", ["pause", "resume", "rematch", "leave", "insight", "invite"])
def test_invited_people_command_nothing(table: Table, do: str) -> None:
    table.start(table.enter())
    before = list(table.link.orders)
    for role in (Role.PLAYER, Role.SPECTATOR):
        guest = table.enter(role)
        heard(guest)
        table.say(guest, type=do)
        assert events(guest) == ["refused"]
    assert table.link.orders == before


def test_invitations_hold_the_links_of_guests_and_never_the_own(table: Table) -> None:
    owner = table.enter()
    heard(owner)
    table.say(owner, type="invite")
    (words,) = heard(owner)
    assert words == {
        "event": "invitations",
        "player": table.access.url(Role.PLAYER),
        "spectator": table.access.url(Role.SPECTATOR),
        "overlay": table.access.url(Role.SPECTATOR, "?overlay"),
    }
    assert table.access.tokens[Role.OWNER] not in json.dumps(words)
