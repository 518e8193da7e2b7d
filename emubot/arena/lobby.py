"""Clients and tables: who may start, command, play and watch what, and what each of them gets; knows no socket."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, Final

from emubot.arena import catalogue, cockpit, keeper, recordings, train_form
from emubot.arena.access import Access, Role
from emubot.arena.connection import PageConnection
from emubot.arena.limits import MOST_MATCHES
from emubot.arena.match_pool import MatchPool
from emubot.arena.openings import Openings
from emubot.arena.orders import Save
from emubot.arena.request import (
    Anything,
    Ask,
    AskClip,
    AskCoach,
    AskRace,
    AskReview,
    AtSide,
    Compose,
    Do,
    Go,
    Hello,
    PlayOn,
    ToTrainings,
    read_message,
)
from emubot.arena.tables import ReplayTable, StandingTable, Table
from emubot.arena.trainings import Trainings
from emubot.arena.wire import unpack_input
from emubot.errors import EmubotError, UsageError

AWAY_SECONDS: Final = 30.0  # for which a match waits for a player whose connection was lost


class Refused(Exception):
    """The connection is to be closed; the text says why."""


class Lobby:
    """All clients and tables of a server. Methods are called in the event loop."""

    def __init__(self, access: Access, pace: float = 1.0) -> None:
        """`pace` is how many times as fast as a console the matches run."""
        self._access = access
        self.clients: set[PageConnection] = set()
        self.opened = 0  # matches and sessions so far
        self.shows: Path | None = None  # a recorded match that the first page opens
        self._tables: dict[int, Table] = {}
        self._standing: StandingTable | None = None
        self._looking: asyncio.Task[None] | None = None
        self._link = MatchPool(self._on_frame, self._on_event, pace)
        self.trainings = Trainings(self._tell_all)
        self._openings = Openings(self._link, self._on_frame, self._on_session_event)

    def open(self) -> None:
        """Start the process of the matches and compile what they need, unless there is only a session to show."""
        if self._standing is None:
            self._link.open()
            self._looking = asyncio.get_running_loop().create_task(self._link.watch())
        else:
            self._standing.loop = asyncio.get_running_loop()

    async def close(self) -> None:
        """End everything that is played, and stop what is trained: its finished generations are kept."""
        if self._looking is not None:
            self._looking.cancel()
        for table in list(self._tables.values()):
            table.close()
        self._link.close()
        await self.trainings.close()

    def show_session(self) -> StandingTable:
        """Returns the table of a session that this program plays: from now on pages show it, and start nothing."""
        self._standing = StandingTable(0, None, on_message=self._on_session)
        return self._standing

    def join(self) -> PageConnection:
        """Returns a new client; it has no role before it says hello."""
        client = PageConnection()
        self.clients.add(client)
        return client

    def leave(self, client: PageConnection) -> None:
        """The connection is gone: the client's match pauses and waits for it."""
        self.clients.discard(client)
        table = client.table
        if table is None:
            return
        table.guests.discard(client)
        _tell_sides(table)
        if table.is_demo:
            self._end(table)
        elif table.owner is client and table.number in self._tables:
            table.tell(Do(type="pause"))
            table.leaving = asyncio.get_running_loop().call_later(AWAY_SECONDS, self._end, table)

    def hear_text(self, client: PageConnection, text: str) -> None:
        """Do what a message asks. Raises Refused if the connection is to be closed."""
        if not client.texts.take():
            if client.texts.hopeless:
                raise Refused("too many messages")
            return
        try:
            message = read_message(text)
            if isinstance(message, Hello):
                self._greet(client, message)
                return
            if client.role is None:
                raise Refused("the first message must be a hello")
            if client.role is not Role.OWNER:
                raise UsageError("Only the one who started the arena may do that.")
            self._obey(client, message)
        except EmubotError as wrong:
            if client.role is None:
                raise Refused("the first message must be a hello") from wrong
            client.tell(event="refused", message=str(wrong))

    def hear_input(self, client: PageConnection, message: bytes) -> None:
        """Pass an input on to the client's table. Raises Refused if the connection is to be closed."""
        if client.role is None:
            raise Refused("the first message must be a hello")
        if not client.inputs.take():
            if client.inputs.hopeless:
                raise Refused("too many inputs")
            return
        try:
            side = unpack_input(message).side
        except UsageError as wrong:
            raise Refused(str(wrong)) from wrong
        if (table := client.table) is not None:
            table.put(client, side, message)

    def _greet(self, client: PageConnection, hello: Hello) -> None:
        role = self._access.role_of(hello.token)
        if role is None or client.role is not None:
            raise Refused("the token is not that of this session")
        client.role = role
        starts = role is Role.OWNER and self._standing is None
        client.tell(event="welcome", role=role.value, seat=client.seat, offers=catalogue.offers() if starts else None)
        if starts:
            forms = {"options": cockpit.options(), "training": train_form.options()}
            client.tell(event="cockpit", **{name: [one.data() for one in form] for name, form in forms.items()})
            client.tell(**self.trainings.listed())
            client.tell(event="replays", saved=recordings.saved())
            client.tell_all(keeper.listed())
            self._take_seat_again(client, hello.seat)
            if client.table is None and self.shows is not None:
                path, self.shows = self.shows, None
                self._begin(client, self._openings.replay(client, path), is_news=True)
        elif self._standing is not None:
            self._seat(client, self._standing)
        elif games := [number for number, table in self._tables.items() if not table.is_demo]:
            self._seat(client, self._tables[max(games)])

    def _take_seat_again(self, client: PageConnection, seat: str | None) -> None:
        """Give a match back to a player who was away."""
        for table in self._tables.values():
            if table.owner is not None and table.owner.seat == seat and table.leaving is not None:
                table.leaving.cancel()
                table.leaving = None
                table.owner, client.table = client, table
                self._describe(client, table)
                _tell_sides(table)

    def _seat(self, guest: PageConnection, table: Table) -> None:
        """Let somebody watch, or play along."""
        if guest.table is not None:
            guest.table.guests.discard(guest)
        guest.table = table
        table.guests.add(guest)
        self._describe(guest, table)
        _tell_sides(table)

    def _describe(self, client: PageConnection, table: Table) -> None:
        client.tell(event="back", opened=table.opened, state=table.state, **table.describe())
        client.tell_all(table.latest.values())
        table.show_again(client)

    def _obey(self, client: PageConnection, message: Anything) -> None:
        if isinstance(message, Compose):
            form = train_form if message.what == "train" else cockpit
            client.tell(event="command", what=message.what, text=form.command_line(message.options))
        elif isinstance(message, Ask | Do | AskClip | AskCoach):
            self._command(client, message)
        elif isinstance(message, Go | AtSide | AskReview | AskRace | PlayOn):
            if not isinstance(client.table, ReplayTable):
                raise UsageError("There is no recorded match: open one.")
            if isinstance(message, AskReview):
                client.table.review(message.side)
            elif isinstance(message, AskRace | PlayOn):
                table = self._openings.from_recorded(client, client.table.path, message)
                self._end(client.table)
                self._begin(client, table, is_news=True)
            else:
                client.table.tell(message)
        elif self._standing is not None:
            raise UsageError("This page shows a session and starts nothing: run emubot arena for that.")
        elif isinstance(message, ToTrainings):
            self.trainings.hear(client, message)
        elif not isinstance(message, Hello):  # which comes first or not at all
            if client.table is not None:
                self._end(client.table)
            if len(self._tables) >= MOST_MATCHES:
                raise UsageError(f"{MOST_MATCHES} matches are running, which is the most: end one first.")
            self._begin(client, *self._openings.asked(client, message))

    def _begin(self, client: PageConnection, table: Table, is_news: bool) -> None:
        """Open a table; `is_news`: its page does not know yet what is played there."""
        self._open(client, table)
        if is_news:
            self._describe(client, table)

    def _open(self, client: PageConnection, table: Table) -> None:
        self._tables[table.number] = client.table = table
        self.opened += 1
        for guest in [one for one in self.clients if one.role in (Role.PLAYER, Role.SPECTATOR) and not table.is_demo]:
            self._seat(guest, table)

    def _command(self, client: PageConnection, command: Ask | Do | AskClip | AskCoach) -> None:
        table = client.table
        if command.type == "invite":
            client.tell(event="invitations", **self._access.invitations())
        elif table is None:
            raise UsageError("There is no match: start one.")
        elif command.type == "leave":
            self._end(table)
            client.tell(event="left")
            client.tell(event="replays", saved=recordings.saved())
        elif isinstance(command, Ask):
            table.tell(Save(path=str(recordings.new_match())))
        elif isinstance(command, AskClip):
            table.clip(command.start)
        elif isinstance(command, AskCoach):
            table.coach(command)
        else:
            table.tell(command)

    def _end(self, table: Table) -> None:
        if self._tables.pop(table.number, None) is None:
            return
        if table.leaving is not None:
            table.leaving.cancel()
        for client in table.clients:
            client.rise()
        for guest in table.guests:
            guest.tell(event="ended")
        table.close()

    def _on_frame(self, number: int, frame: bytes) -> None:
        table = self._tables.get(number)
        if table is not None:
            table.show(frame)

    def _on_event(self, words: dict[str, Any]) -> None:
        """An event of the process of the matches."""
        event, number = words["event"], words.pop("match", None)
        if number in self._tables:
            self._spread(self._tables[number], words)
        elif event == "failed":
            self._tell_all(words)

    def _on_session_event(self, number: int, words: dict[str, Any]) -> None:
        if number in self._tables:
            self._spread(self._tables[number], words)

    def _on_session(self, table: Table, message: bytes) -> None:
        """A message of this program's own session."""
        if message[:1] == b"{":
            self._spread(table, json.loads(message))
        else:
            table.show(message[1:])

    def _spread(self, table: Table, words: dict[str, Any]) -> None:
        """Pass an event of a table on to everyone there."""
        event = words["event"]
        table.note(event, words)
        for client in table.clients:
            client.tell(**words)
        if event == "over" and table.owner is not None:
            table.owner.tell_all(keeper.count(table, words))
        if event == "failed":
            self._end(table)

    def _tell_all(self, words: dict[str, Any]) -> None:
        for client in self.clients:
            if client.role is Role.OWNER:
                client.tell(**words)


def _tell_sides(table: Table) -> None:
    """Tell everyone at a table which sides are theirs."""
    for client in table.clients:
        client.tell(event="sides", mine=table.sides_of(client))
