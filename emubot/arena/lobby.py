"""Clients and their matches: who plays and watches what, what they may ask, what they get; knows no socket."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from emubot.arena.access import Access, Role
from emubot.arena.catalogue import offers
from emubot.arena.limits import INPUTS_A_SECOND, MOST_MATCHES, TEXTS_A_SECOND, Allowance
from emubot.arena.match_link import MatchLink
from emubot.arena.request import Command, Hello, MatchRequest, Start, read_message
from emubot.arena.wire import unpack_input
from emubot.errors import UsageError

AWAY_SECONDS: Final = 30.0  # for which a match waits for a player whose connection was lost
_MOST_EVENTS: Final = 64  # waiting for one client


class Refused(Exception):
    """The connection is to be closed; the text says why."""


@dataclass(eq=False)
class Client:
    """A connection. `outgoing` waits for `news`, and has the events first and then the newest frame only."""

    role: Role | None = None
    seat: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    table: Table | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    inputs: Allowance = field(default_factory=lambda: Allowance(INPUTS_A_SECOND))
    texts: Allowance = field(default_factory=lambda: Allowance(TEXTS_A_SECOND))
    _events: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_EVENTS))
    _frame: bytes | None = None

    def tell(self, **words: Any) -> None:
        """Send an event."""
        self._events.append(json.dumps(words))
        self.news.set()

    def show(self, frame: bytes) -> None:
        """Send a frame; it replaces one that still waits."""
        self._frame = frame
        self.news.set()

    async def outgoing(self) -> list[str | bytes]:
        """Wait for news and return them in order."""
        await self.news.wait()
        self.news.clear()
        messages: list[str | bytes] = [*self._events]
        self._events.clear()
        if self._frame is not None:
            messages.append(self._frame)
            self._frame = None
        return messages


@dataclass(eq=False)
class Table:
    """A match, its player and its watchers."""

    number: int
    request: MatchRequest
    owner: Client
    state: dict[str, Any]  # the last event of the match, for who comes later
    leaving: asyncio.TimerHandle | None = None

    @property
    def clients(self) -> tuple[Client, ...]:
        """Everyone who gets its frames."""
        return (self.owner,)


class Lobby:
    """All clients and matches of a server. Methods are called in the event loop."""

    def __init__(self, access: Access, pace: float = 1.0) -> None:
        """`pace` is how many times as fast as a console the matches run."""
        self._access = access
        self.clients: set[Client] = set()
        self.opened = 0  # matches so far
        self._tables: dict[int, Table] = {}
        self._numbers = count(1)
        self._compiling: dict[str, dict[str, Any]] = {}
        self._link = MatchLink(self._on_frame, self._on_event, pace)

    def open(self) -> None:
        """Start the process of the matches, and compile what they need."""
        self._link.tell("warm", families=["tetris", "puyo"])

    def close(self) -> None:
        """End all matches."""
        self._link.close()

    def join(self) -> Client:
        """Returns a new client; it has no role before it says hello."""
        client = Client()
        self.clients.add(client)
        return client

    def leave(self, client: Client) -> None:
        """The connection is gone: the client's match pauses and waits for it."""
        self.clients.discard(client)
        table = client.table
        if table is not None and table.number in self._tables:
            self._link.tell("pause", match=table.number)
            table.leaving = asyncio.get_running_loop().call_later(AWAY_SECONDS, self._end, table)

    def hear_text(self, client: Client, text: str) -> None:
        """Do what a message asks. Raises Refused if the connection is to be closed."""
        if not client.texts.take():
            if client.texts.hopeless:
                raise Refused("too many messages")
            return
        try:
            message = read_message(text)
            if isinstance(message, Hello):
                self._greet(client, message)
            elif client.role is None:
                raise Refused("the first message must be a hello")
            elif client.role is not Role.OWNER:
                raise UsageError("Only the one who started the arena may do that.")
            elif isinstance(message, Start):
                self._start(client, message.match)
            else:
                self._command(client, message)
        except UsageError as wrong:
            if client.role is None:
                raise Refused("the first message must be a hello") from wrong
            client.tell(event="refused", message=str(wrong))

    def hear_input(self, client: Client, message: bytes) -> None:
        """Pass an input on to the client's match. Raises Refused if the connection is to be closed."""
        if client.role is None:
            raise Refused("the first message must be a hello")
        if not client.inputs.take():
            if client.inputs.hopeless:
                raise Refused("too many inputs")
            return
        try:
            unpack_input(message)
        except UsageError as wrong:
            raise Refused(str(wrong)) from wrong
        if client.table is not None:
            self._link.put(client.table.number, message)

    def _greet(self, client: Client, hello: Hello) -> None:
        role = self._access.role_of(hello.token)
        if role is None:
            raise Refused("the token is not that of this session")
        client.role = role
        client.tell(event="welcome", role=role.value, seat=client.seat, offers=offers())
        for words in self._compiling.values():
            client.tell(**words)
        if hello.seat is not None:
            self._take_seat_again(client, hello.seat)

    def _take_seat_again(self, client: Client, seat: str) -> None:
        """Give a match back to a player who was away."""
        for table in self._tables.values():
            if table.owner.seat == seat and table.leaving is not None:
                table.leaving.cancel()
                table.leaving = None
                table.owner, client.table = client, table
                client.tell(event="back", match=table.request.model_dump(mode="json"), state=table.state)

    def _start(self, client: Client, request: MatchRequest) -> None:
        request.check()
        if client.table is not None:
            self._end(client.table)
        if len(self._tables) >= MOST_MATCHES:
            raise UsageError(f"{MOST_MATCHES} matches are running, which is the most: end one first.")
        table = Table(next(self._numbers), request, client, {"event": "opening"})
        self._tables[table.number] = client.table = table
        self.opened += 1
        seed = secrets.randbelow(2**31) if request.seed is None else request.seed
        self._link.tell("open", match=table.number, request=request.model_dump(mode="json"), seed=seed)

    def _command(self, client: Client, command: Command) -> None:
        table = client.table
        if table is None:
            raise UsageError("There is no match: start one.")
        if command.type == "leave":
            self._end(table)
            client.tell(event="left")
        else:
            self._link.tell(command.type, match=table.number)

    def _end(self, table: Table) -> None:
        self._tables.pop(table.number, None)
        table.owner.table = None
        if table.leaving is not None:
            table.leaving.cancel()
        self._link.tell("close", match=table.number)

    def _on_frame(self, number: int, frame: bytes) -> None:
        table = self._tables.get(number)
        if table is not None:
            for client in table.clients:
                client.show(frame)

    def _on_event(self, words: dict[str, Any]) -> None:
        event = words["event"]
        if event == "crashed":
            self._crashed()
            return
        number = words.pop("match", None)
        if event in ("compiling", "ready"):
            self._compiling[words["family"]] = words
            self._tell_all(words)
            return
        table = self._tables.get(number)
        if table is None:
            if event == "failed":
                self._tell_all(words)
            return
        table.state = words
        for client in table.clients:
            client.tell(**words)
        if event == "failed":
            self._end(table)

    def _tell_all(self, words: dict[str, Any]) -> None:
        for client in self.clients:
            if client.role is not None:
                client.tell(**words)

    def _crashed(self) -> None:
        """The process of the matches has ended by itself."""
        self._compiling.clear()
        tables, self._tables = list(self._tables.values()), {}
        for table in tables:
            table.owner.table = None
            table.owner.tell(event="failed", message="The process that plays the matches has ended: start a new match.")
