"""Opens tables for what a page asks: matches, recorded matches, sessions; knows no client's rights."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from emubot.arena import cockpit, day, entrants, recordings, results, runs
from emubot.arena.connection import PageConnection
from emubot.arena.form import Value
from emubot.arena.match_pool import MatchPool
from emubot.arena.orders import Ghost, GoOnFrom, Open, OpenRecorded, OpenWall
from emubot.arena.play_link import PlayLink
from emubot.arena.replay import read_replay
from emubot.arena.request import (
    AskRace,
    Individual,
    MatchRequest,
    OpenReplay,
    PlayDay,
    PlayOn,
    StartMatch,
    StartWall,
    WallRequest,
    WatchGame,
)
from emubot.arena.tables import MatchTable, ReplayTable, SessionTable, Table
from emubot.arena.wall_table import WallTable

Asked: TypeAlias = StartMatch | StartWall | WatchGame | Individual | PlayDay | OpenReplay


class Openings:
    """Makes tables with new numbers. `on_frame` and `on_event` get a session's messages, with its table's number."""

    def __init__(
        self,
        link: MatchPool,
        on_frame: Callable[[int, bytes], None],
        on_event: Callable[[int, dict[str, Any]], None],
    ) -> None:
        self._link, self._on_frame, self._on_event = link, on_frame, on_event
        self._numbers = count(1)

    def asked(self, client: PageConnection, message: Asked) -> tuple[Table, bool]:
        """Returns the table of what a page asks for, and whether the page does not know yet what is played there."""
        match message:
            case StartMatch():
                return self.match(client, message.match, message.demo), False
            case StartWall():
                return self.wall(client, message.wall), True
            case WatchGame():
                return self.session(client, message), False
            case Individual():
                return self.individual(client, message), False
            case PlayDay():
                return self.day(client), True
            case OpenReplay():
                return self.replay(client, recordings.path_of(message.name)), True

    def match(self, client: PageConnection, request: MatchRequest, is_demo: bool = False) -> MatchTable:
        """Returns the table of a match that begins. Raises UsageError for what is not offered."""
        request.check()
        table = MatchTable(next(self._numbers), client, is_demo, request=request, link=self._link)
        seed = secrets.randbelow(2**31) if request.seed is None else request.seed
        self._link.begin(Open(match=table.number, request=request, seed=seed), request)
        return table

    def wall(self, client: PageConnection, request: WallRequest) -> WallTable:
        """Returns the table of a wall that begins. Raises UsageError for what is not offered."""
        request.check()
        titles = tuple(entrants.title_of(seat.entrant) for seat in request.seats)
        table = WallTable(next(self._numbers), client, request=request, titles=titles, link=self._link)
        seed = secrets.randbelow(2**31) if request.seed is None else request.seed
        self._link.begin_wall(OpenWall(match=table.number, request=request, seed=seed))
        return table

    def day(self, client: PageConnection) -> MatchTable:
        """Returns the table of this day's game; the best game so far races along."""
        played = day.today()
        request = day.game_of(played)
        table = MatchTable(next(self._numbers), client, request=request, link=self._link, day=played)
        ghost = Ghost(path=str(results.best_game()))
        order = Open(match=table.number, request=request, seed=day.seed_of(played), fixed=True, ghost=ghost)
        self._link.begin(order, request)
        return table

    def from_recorded(self, client: PageConnection, path: Path, asked: AskRace | PlayOn) -> MatchTable:
        """Returns the table of a match that a recorded one is part of: a race against it, or one that goes on from it.

        Raises TraceError if the file holds none, UsageError for what cannot be played.
        """
        replay, number = read_replay(path), next(self._numbers)
        if isinstance(asked, AskRace):
            own = replay.request.sides[min(asked.side, len(replay.request.sides) - 1)]
            request = MatchRequest(sides=(own.model_copy(update={"bot": None}),), seed=replay.seed)
            ghost = Ghost(path=str(path), side=asked.side)
            order = Open(match=number, request=request, seed=replay.seed, fixed=True, ghost=ghost)
        else:
            request = asked.of(replay.request)
            beginning = GoOnFrom(path=str(path), ticks=asked.tick)
            order = Open(match=number, request=request, seed=replay.seed, fixed=True, beginning=beginning)
        self._link.begin(order, request)
        return MatchTable(number, client, request=request, link=self._link, is_continued=isinstance(asked, PlayOn))

    def replay(self, client: PageConnection, path: Path) -> ReplayTable:
        """Returns the table of a recorded match. Raises TraceError if the file holds none."""
        replay = read_replay(path)
        number = next(self._numbers)
        self._link.begin(OpenRecorded(match=number, path=str(path)), replay.request)
        return ReplayTable(number, client, request=replay.request, link=self._link, path=path)

    def session(self, client: PageConnection, message: WatchGame) -> SessionTable:
        """Returns the table of a session that begins.

        Raises UsageError for what is not offered, StorageError if there can be no folder for its recording.
        """
        if message.options.get("record"):
            recordings.make_folder()
        return self._session(client, message.options, ["play", *cockpit.words_of(message.options)])

    def individual(self, client: PageConnection, message: Individual) -> SessionTable:
        """Returns the table at which an individual of a training plays. Raises UsageError if there is no such run."""
        which = ["--individual", str(message.individual), str(message.speed)]
        return self._session(client, {}, ["train", "watch", str(runs.path_of(message.name)), *which])

    def _session(self, client: PageConnection, options: Mapping[str, Value], words: list[str]) -> SessionTable:
        number = next(self._numbers)
        link = PlayLink(words, partial(self._on_frame, number), partial(self._on_event, number))
        return SessionTable(number, client, options=options, command=shlex.join(["emubot", *words]), link=link)
