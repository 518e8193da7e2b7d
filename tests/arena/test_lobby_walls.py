"""Walls of bots: who may begin them, with whose weights, and who sees them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from emubot.arena.access import Role
from emubot.arena.limits import MOST_MATCHES
from emubot.arena.orders import OpenWall
from emubot.arena.wire import Input, pack_input
from emubot.pad import Pad
from tests.arena.lobbies import Table, events, heard

WALL = {"game": "blocks", "seats": [{"entrant": "weights:lowest"}, {"entrant": "weights:pso", "bot": "full"}]}
STANDINGS: dict[str, Any] = {"event": "standings", "boards": [], "rows": [], "cross": None, "rate": None}


def test_a_wall_begins_and_its_table_reaches_those_who_come_later(table: Table) -> None:
    owner, early = table.enter(), table.enter(Role.SPECTATOR)
    heard(owner), heard(early)
    table.say(owner, type="wall", wall=WALL | {"seed": 5})
    (order,) = table.link.orders
    assert isinstance(order, OpenWall)
    assert (order.match, order.seed, [seat.bot for seat in order.request.seats]) == (1, 5, ["middle", "full"])
    back = next(words for words in heard(owner) if words["event"] == "back")
    assert (back["event"], back["titles"], back["wall"]["game"]) == ("back", ["lowest", "pso"], "blocks")
    table.link.on_event({**STANDINGS, "match": 1, "rate": 1.0})
    table.link.on_event({**STANDINGS, "match": 1, "rate": 2.0})
    assert [words["event"] for words in heard(early)] == ["back", "sides", "standings", "standings"]
    assert [words.get("rate") for words in heard(table.enter(Role.SPECTATOR)) if words["event"] == "standings"] == [2.0]
    table.say(owner, type="pause")
    assert table.link.did("pause") == [1]
    heard(owner)
    for words in ({"type": "save"}, {"type": "gif", "start": 0}):
        table.say(owner, **words)
        assert events(owner) == ["refused"]
    table.lobby.hear_input(owner, pack_input(Input(0, 1, Pad.A)))
    assert not table.link.inputs
    table.say(owner, type="leave")
    assert table.link.did("close") == [1]


@pytest.mark.slow
def test_a_wall_is_a_match_among_the_most_that_run(table: Table) -> None:
    owners = [table.enter() for _ in range(MOST_MATCHES + 1)]
    for owner in owners:
        heard(owner)
        table.say(owner, type="wall", wall=WALL)
    assert len(table.link.orders) == MOST_MATCHES
    assert events(owners[-1]) == ["refused"]


@pytest.mark.parametrize("entrant", ["weights:none", "weights:../lowest", "run:none", "lowest"])
def test_a_wall_has_weights_of_the_lists_alone(table: Table, entrant: str) -> None:
    owner = table.enter()
    heard(owner)
    table.say(owner, type="wall", wall=WALL | {"seats": [{"entrant": entrant}]})
    assert events(owner) == ["refused"]
    assert not table.link.orders


@pytest.mark.parametrize("words", [{"type": "wall", "wall": WALL}, {"type": "entrants"}])
def test_invited_people_build_no_wall(table: Table, words: dict[str, Any]) -> None:
    for role in (Role.PLAYER, Role.SPECTATOR):
        guest = table.enter(role)
        heard(guest)
        table.say(guest, **words)
        assert events(guest) == ["refused"]
    assert not table.link.orders


def test_whose_weights_there_are_is_told_without_a_path(table: Table) -> None:
    async def story() -> None:
        owner = table.enter()
        heard(owner)
        table.say(owner, type="entrants")
        await asyncio.wait_for(owner.news.wait(), 60)
        (words,) = heard(owner)
        found = {one["id"]: one for one in words["entrants"]}
        assert found["weights:nes_tetris"]["usual"]
        assert found["weights:pso"] == {
            "id": "weights:pso",
            "title": "pso",
            "family": "tetris",
            "kind": "shipped",
            "usual": False,
        }
        assert not any("/" in one["id"] or "/" in one["title"] for one in words["entrants"] if one["kind"] != "run")

    asyncio.run(story())
