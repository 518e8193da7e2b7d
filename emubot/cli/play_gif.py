"""`play --gif`: keeps the boards of a game while it is played, and draws them at its end; decides nothing."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from emubot.cli.progress import progress
from emubot.snapshot import Phase

if TYPE_CHECKING:
    from emubot.arena.wire import Board
    from emubot.games.edition import Depiction
    from emubot.pilot import Match, View
    from emubot.session import Session


@dataclass(slots=True, eq=False)
class GamePicture:
    """The boards of a match, from its first piece on, each of all players; `close` draws and writes them."""

    path: Path
    opened: Session
    seconds: int
    quiet: bool
    look: Depiction
    boards: list[list[Board]] = field(default_factory=list)
    written: bool = False
    _latest: dict[int, View] = field(default_factory=dict)
    _frames: int = 0

    def see(self, seat: int, view: View) -> None:
        """Take note of a player's frame."""
        if seat in self._latest:  # all players have shown the last frame
            self._keep()
            self._latest.clear()
        self._latest[seat] = view

    def close(self) -> None:
        """Draw and write the picture; nothing if there was no game. Raises StorageError."""
        from emubot.arena.gif import animated
        from emubot.atomic import write_whole

        self._keep()
        boards, self.boards = self.boards, []
        if not boards:
            return
        looks = self.opened.edition.game.looks
        titles = [self.opened.title, *(seat.skill.tempo.name for seat in self.opened.seats[1:])]
        rate = self.opened.bridges[0].facts.frame_rate
        with progress(0, len(boards), "pictures", self.quiet) as drawn:
            content = animated(boards, len(boards), [looks] * len(titles), titles, rate, drawn)
        write_whole(self.path, content)
        self.written = True

    def _keep(self) -> None:
        """Keep the boards of the last frame, if the picture shows it."""
        from emubot.arena.gif import EVERY
        from emubot.arena.shown import fill_board
        from emubot.arena.wire import Board

        views = [self._latest[seat] for seat in sorted(self._latest)]
        begun = self._frames or any(view.snapshot.phase is Phase.PLAYING for view in views)
        if not begun or len(views) < len(self.opened.seats):
            return
        self._frames += 1
        most = self.seconds * self.opened.bridges[0].facts.frame_rate / EVERY
        if self._frames % EVERY == 0 or len(self.boards) >= most:
            return
        boards = []
        for view in views:
            boards.append(Board())
            looks = self.opened.edition.game.looks
            fill_board(boards[-1], looks, self.look, view.snapshot, pieces=view.tally.pieces)
        self.boards.append(boards)


def picture_of(opened: Session, match: Match, options: argparse.Namespace) -> GamePicture:
    """Returns what draws the match. Raises UsageError if its pieces cannot be drawn."""
    from emubot.games.edition import part_of

    look = part_of(opened.edition, "depiction", opened.edition.depiction, "pieces to draw (--gif)")
    picture = GamePicture(options.gif, opened, options.gif_seconds, options.quiet, look)
    for seat, pilot in enumerate(match.pilots):
        pilot.watchers.append(partial(picture.see, seat))
    return picture
