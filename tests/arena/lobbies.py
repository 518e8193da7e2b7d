"""A lobby with a scripted process of the matches in place of the real one, and what its clients say and hear."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from emubot.arena import lobby as lobby_module
from emubot.arena.access import Access, Role
from emubot.arena.connection import PageConnection
from emubot.arena.lobby import Lobby
from emubot.arena.orders import Open, OpenRecorded, OpenWall, Order, ToMatch, ToProcess
from emubot.arena.request import MatchRequest

MATCH = {"sides": [{"game": "blocks"}, {"game": "blocks", "bot": "easy"}], "seed": 3}


class FakeLink:
    """What a lobby tells the process of the matches."""

    def __init__(self, on_frame: Callable[[int, bytes], None], on_event: Callable[[dict[str, Any]], None], pace: float):
        self.on_frame, self.on_event = on_frame, on_event
        self.orders: list[ToProcess] = []
        self.inputs: list[tuple[int, bytes]] = []

    def tell(self, message: ToProcess) -> None:
        self.orders.append(message)

    def begin(self, order: Open | OpenRecorded, request: MatchRequest) -> None:
        self.orders.append(order)

    def begin_wall(self, order: OpenWall) -> None:
        self.orders.append(order)

    def put(self, match: int, message: bytes) -> None:
        self.inputs.append((match, message))

    def close(self) -> None:
        self.orders.clear()

    @property
    def opened(self) -> list[int]:
        """The matches that began."""
        return [message.match for message in self.orders if isinstance(message, Open)]

    @property
    def told(self) -> list[tuple[int, Order]]:
        """The orders to matches."""
        return [(message.match, message.order) for message in self.orders if isinstance(message, ToMatch)]

    def did(self, do: str) -> list[int]:
        return [match for match, order in self.told if order.type == do]


class Table:
    """A lobby with its fake link, and what a client says and hears."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lobby_module, "MatchPool", FakeLink)
        self.access = Access("127.0.0.1", 8000)
        self.lobby = Lobby(self.access)
        self.link: FakeLink = self.lobby._link  # type: ignore[assignment]

    def enter(self, role: Role = Role.OWNER, seat: str | None = None) -> PageConnection:
        client = self.lobby.join()
        words = {"type": "hello", "token": self.access.tokens[role]} | ({"seat": seat} if seat else {})
        self.lobby.hear_text(client, json.dumps(words))
        return client

    def say(self, client: PageConnection, **words: Any) -> None:
        self.lobby.hear_text(client, json.dumps(words))

    def start(self, client: PageConnection) -> int:
        self.say(client, type="start", match=MATCH)
        return self.link.opened[-1]


UNASKED = ("cockpit", "runs", "replays", "results", "sides")


def heard(client: PageConnection) -> list[Any]:
    """What waits for a client, in its order, inside an event loop or outside."""
    if not client.news.is_set():
        return []
    with pytest.raises(StopIteration) as done:
        client.outgoing().send(None)
    return [json.loads(one) if isinstance(one, str) else one for one in done.value.value]


def events(client: PageConnection) -> list[str]:
    return [words["event"] for words in heard(client) if isinstance(words, dict) and words["event"] not in UNASKED]


def repeat(times: int, act: Callable[[int], object]) -> None:
    for number in range(times):
        act(number)


def story_within(story: Callable[[], Awaitable[None]], away: float) -> None:
    """Run a story in an event loop in which absent players are given up soon."""
    before = lobby_module.AWAY_SECONDS
    lobby_module.AWAY_SECONDS = away  # type: ignore[misc]
    try:
        asyncio.run(story())  # type: ignore[arg-type]
    finally:
        lobby_module.AWAY_SECONDS = before  # type: ignore[misc]
