"""Tables: a match or a session, who has it, who watches it, and where orders and inputs for it go; knows no socket."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from emubot.arena.access import Role
from emubot.arena.catalogue import offers
from emubot.arena.clip_link import clip
from emubot.arena.connection import PageConnection, kind_of
from emubot.arena.match_pool import MatchPool
from emubot.arena.orders import Close, Order, Save, ToMatch
from emubot.arena.play_link import PlayLink
from emubot.arena.request import AskCoach, MatchRequest
from emubot.arena.review_link import review
from emubot.arena.wire import Input, unpack_input
from emubot.errors import UsageError

_LATEST: Final = frozenset({"statistics", "chance", "standings"})
_STATES: Final = frozenset({"opened", "over"})  # events that say where a table is; nobody needs the others later


@dataclass(eq=False)
class Table(ABC):
    """What is played at one table.

    `owner` is who started it; None: everybody who may command. For those who come later, `opened` is the event that
    described it, `state` the last one that said where it is: opening, opened or over, and `latest` the last one of
    each kind of _LATEST. A demo plays behind the first screen: no guest sees it, and nobody comes back to it.
    """

    number: int
    owner: PageConnection | None
    is_demo: bool = False
    guests: set[PageConnection] = field(default_factory=set)
    state: dict[str, Any] = field(default_factory=lambda: {"event": "opening"})
    opened: dict[str, Any] | None = None
    latest: dict[str, dict[str, Any]] = field(default_factory=dict)
    leaving: asyncio.TimerHandle | None = None
    _shown: dict[bytes, bytes] = field(default_factory=dict)

    def show(self, message: bytes) -> None:
        """Show everyone a frame or a picture, and keep it: an unchanged one is not sent twice."""
        self._shown[kind_of(message)] = message
        for client in self.clients:
            client.show(message)

    def note(self, event: str, words: dict[str, Any]) -> None:
        """Keep an event for those who come later."""
        if event == "opened":
            self.opened = words
            self.latest.clear()
        if event in _LATEST:
            self.latest[event] = words
        if event in _STATES:
            self.state = words

    def clip(self, start: int) -> None:
        """Have a picture drawn from this second on. Raises UsageError where there is no match to be drawn."""
        raise UsageError("Only matches are drawn: a session of a cartridge is recorded by emubot play --record.")

    def coach(self, order: AskCoach) -> None:
        """Judge a person's placements from now on. Raises UsageError where nobody plays a match."""
        raise UsageError("The coach judges the placements of a person in a match: start one.")

    def show_again(self, client: PageConnection) -> None:
        """Show the latest frame and picture to somebody who joins."""
        for message in self._shown.values():
            client.show(message)

    @property
    def clients(self) -> tuple[PageConnection, ...]:
        """Everyone who sees it."""
        return (*self.guests,) if self.owner is None else (self.owner, *self.guests)

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Returns what is played, for a page that joins."""

    @abstractmethod
    def tell(self, order: Order) -> None:
        """Send an order."""

    @abstractmethod
    def put(self, client: PageConnection, side: int, message: bytes) -> None:
        """Send an input, if this client may give it."""

    def sides_of(self, client: PageConnection) -> tuple[int, ...]:
        """Returns the sides that this client plays."""
        return ()

    @abstractmethod
    def close(self) -> None:
        """End it."""


@dataclass(eq=False)
class MatchTable(Table):
    """A match on our own simulators. An invited player has the last side that a person plays."""

    request: MatchRequest = field(kw_only=True)
    link: MatchPool = field(kw_only=True)
    day: str | None = None  # whose game it is
    was_helped: bool = False  # the coach has shown where to put pieces
    is_continued: bool = False  # from a recorded match
    _clip: asyncio.Task[None] | None = None

    def describe(self) -> dict[str, Any]:
        """Returns the request, and what its games are called."""
        return {"match": self.request.model_dump(mode="json"), "offers": offers()}

    def tell(self, order: Order) -> None:
        """Send an order to the match."""
        self.link.tell(ToMatch(match=self.number, order=order))

    def put(self, client: PageConnection, side: int, message: bytes) -> None:
        """Send an input of the client's own side."""
        if side in self.sides_of(client):
            self.link.put(self.number, message)

    def sides_of(self, client: PageConnection) -> tuple[int, ...]:
        """Returns the sides of people; an invited player has the last one if there are two."""
        persons = self.request.persons
        has_guest = any(guest.role is Role.PLAYER for guest in self.guests) and len(persons) > 1
        if client is self.owner:
            return persons[:-1] if has_guest else persons
        return persons[-1:] if has_guest and client.role is Role.PLAYER else ()

    def coach(self, order: AskCoach) -> None:
        """Judge the placements of people from now on."""
        if not self.request.persons:
            super().coach(order)
        self.was_helped = self.was_helped or order.shows == "before"
        self.tell(order)

    def note(self, event: str, words: dict[str, Any]) -> None:
        """Keep an event for those who come later; a new game has had no help."""
        super().note(event, words)
        if event == "opened":
            self.was_helped = False

    def clip(self, start: int) -> None:
        """Have the match drawn from this second on, for its owner; a picture that is being drawn goes on."""
        if self._clip is None or self._clip.done():
            self._clip = asyncio.get_running_loop().create_task(clip(self.file, start, self._save, self._tell_owner))

    @property
    def file(self) -> Path | None:
        """The file of a recorded match; None for one that is played."""
        return None

    def _save(self, path: Path) -> None:
        self.tell(Save(path=str(path), is_own=False))

    def _tell_owner(self, words: dict[str, Any]) -> None:
        if self.owner is not None:
            self.owner.tell(**words)

    def close(self) -> None:
        """End the match, and a picture that is being drawn."""
        self.tell(Close())
        if self._clip is not None:
            self._clip.cancel()


@dataclass(eq=False)
class ReplayTable(MatchTable):
    """A recorded match: nobody plays it."""

    path: Path = field(kw_only=True)
    _review: asyncio.Task[None] | None = None

    @property
    def file(self) -> Path | None:
        """The file of the recorded match."""
        return self.path

    def review(self, side: int) -> None:
        """Have a side's game reviewed, and the page shown to everyone there; a review that is being made goes on."""
        if self._review is None or self._review.done():
            if side >= len(self.request.sides):
                raise UsageError("This match has one side.")
            self._review = asyncio.get_running_loop().create_task(review(self.path, side, self._spread))

    def coach(self, order: AskCoach) -> None:
        """Raise UsageError: nobody plays it."""
        raise UsageError("A recorded match has no coach: its review says the same of each placement.")

    def _spread(self, words: dict[str, Any]) -> None:
        for client in self.clients:
            client.tell(**words)

    def describe(self) -> dict[str, Any]:
        """Returns the request, and the name of the recording."""
        return {**super().describe(), "replay": self.path.name}

    def sides_of(self, client: PageConnection) -> tuple[int, ...]:
        """Returns none."""
        return ()

    def close(self) -> None:
        """End it, and a review that is being made."""
        super().close()
        if self._review is not None:
            self._review.cancel()


@dataclass(eq=False)
class SessionTable(Table):
    """A session of `emubot play` in a child; its owner plays the person's port, if there is one."""

    options: Mapping[str, Any] = field(kw_only=True)
    command: str = field(kw_only=True)
    link: PlayLink = field(kw_only=True)

    def describe(self) -> dict[str, Any]:
        """Returns the options and their command line."""
        return {"options": dict(self.options), "command": self.command}

    def tell(self, order: Order) -> None:
        """Send an order to the child."""
        self.link.tell(order)

    def put(self, client: PageConnection, side: int, message: bytes) -> None:
        """Send an input to the child."""
        if client is self.owner:
            self.link.put(message)

    def close(self) -> None:
        """End the child."""
        self.link.close()


@dataclass(eq=False)
class StandingTable(Table):
    """The session of the program that serves the page. Nobody ends it from the page.

    The program sets `orders`, and calls `receive` with its messages (feed.py), from any thread.
    """

    on_message: Callable[[Table, bytes], None] = field(kw_only=True)
    orders: Callable[[Order | Input], object] = field(default=lambda _: None, kw_only=True)
    loop: asyncio.AbstractEventLoop | None = None

    def describe(self) -> dict[str, Any]:
        """Returns that it is this program's session."""
        return {"standing": True}

    def tell(self, order: Order) -> None:
        """Send an order to the session."""
        self.orders(order)

    def put(self, client: PageConnection, side: int, message: bytes) -> None:
        """Send an input to the session."""
        if client.role is Role.OWNER:
            self.orders(unpack_input(message))

    def close(self) -> None:
        """The session ends by itself."""

    def receive(self, message: bytes) -> None:
        """Pass a message of the session on to all pages."""
        if self.loop is None or self.loop.is_closed():
            return
        self.loop.call_soon_threadsafe(self.on_message, self, message)
