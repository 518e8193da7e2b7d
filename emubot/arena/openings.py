"""Opens tables for what a page asks: matches, recorded matches, sessions; knows no client's rights."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from emubot.arena import cockpit, runs
from emubot.arena.form import Value
from emubot.arena.match_pool import MatchPool
from emubot.arena.orders import Open, OpenRecorded
from emubot.arena.play_link import PlayLink
from emubot.arena.replay import read_replay
from emubot.arena.request import Individual, MatchRequest, WatchGame
from emubot.arena.tables import MatchTable, PageConnection, ReplayTable, SessionTable


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

    def match(self, client: PageConnection, request: MatchRequest, is_demo: bool = False) -> MatchTable:
        """Returns the table of a match that begins. Raises UsageError for what is not offered."""
        request.check()
        table = MatchTable(next(self._numbers), client, is_demo, request=request, link=self._link)
        seed = secrets.randbelow(2**31) if request.seed is None else request.seed
        self._link.begin(Open(match=table.number, request=request, seed=seed), request)
        return table

    def replay(self, client: PageConnection, path: Path) -> ReplayTable:
        """Returns the table of a recorded match. Raises TraceError if the file holds none."""
        replay = read_replay(path)
        number = next(self._numbers)
        self._link.begin(OpenRecorded(match=number, path=str(path)), replay.request)
        return ReplayTable(number, client, request=replay.request, link=self._link, path=path)

    def session(self, client: PageConnection, message: WatchGame) -> SessionTable:
        """Returns the table of a session that begins. Raises UsageError for what is not offered."""
        return self._session(client, message.options, ["play", *cockpit.words_of(message.options)])

    def individual(self, client: PageConnection, message: Individual) -> SessionTable:
        """Returns the table at which an individual of a training plays. Raises UsageError if there is no such run."""
        which = ["--individual", str(message.individual), str(message.speed)]
        return self._session(client, {}, ["train", "watch", str(runs.path_of(message.name)), *which])

    def _session(self, client: PageConnection, options: Mapping[str, Value], words: list[str]) -> SessionTable:
        number = next(self._numbers)
        link = PlayLink(words, partial(self._on_frame, number), partial(self._on_event, number))
        return SessionTable(number, client, options=options, command=shlex.join(["emubot", *words]), link=link)
