"""The loop of `play --view window`: plays a frame, shows it, obeys the keys; draws nothing itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from emubot.cli.played import worded
from emubot.games.edition import part_of
from emubot.snapshot import Phase, Piece
from emubot.tempo import FULL_SPEED, tempo_for_speed
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.pilot import Match, View
    from emubot.session.session import Session
    from emubot.view.window import Controls

CLOSED = "closed"
_Cells = list[tuple[int, int, str]]


def check_display() -> None:
    """Raise UsageError if there is no display for a window, or no pygame."""
    from emubot.view.window.sdl import check_display

    check_display()


def check_window(opened: Session) -> None:
    """Raise UsageError if a window cannot show this session, or if the user's bindings are wrong."""
    from emubot.view.window import load_bindings
    from emubot.view.window.sources import pictured

    load_bindings()
    for bridge in opened.bridges:
        pictured(bridge)


@contextlib.contextmanager
def windowed(
    title: str, opened: Session, match: Match, human: int | None, speed_now: int, keeps_states: bool
) -> Iterator[Callable[[], None]]:
    """Yields a function that plays one frame and shows it.

    `human` is the port that the window's keys play, or None. `speed_now` is the bots' speed before the first use of the
    speed keys. `keeps_states` is false if going back in time would spoil a recording.
    """
    from emubot.cli.window_person import WindowPerson
    from emubot.view.window import Window, load_bindings

    watched = [_Watched(opened) for _ in match.pilots]
    for pilot, watch in zip(match.pilots, watched, strict=True):
        pilot.watchers.append(watch.see)
    speed = _Speed(match, speed_now)
    chooses = human is None and not any(seat.leads for seat in opened.seats)  # only in the menus
    bindings = load_bindings()
    with Window(
        opened.bridges,
        title,
        screens=[opened.edition.ram_map.screen(seat.port) for seat in opened.seats],
        bindings=bindings,
        human=0 if chooses else human,
        on_speed=speed.change,
        keeps_states=keeps_states,
    ) as window:
        person = WindowPerson(window, bindings, opened, match, human) if chooses or human is not None else None

        def shown() -> Controls:
            if person is not None:
                person.tell()
            return window.frame([watch.overlay for watch in watched], [watch.figures for watch in watched])

        def step() -> None:
            match.step()
            controls = shown()
            while controls.paused and not controls.quit:
                controls = shown()
            if controls.quit and not match.finished:
                match.stop()
                match.result = CLOSED

        yield step


class _Watched:
    """What the window shows of one pilot's latest frame."""

    def __init__(self, opened: Session) -> None:
        self._edition = edition = opened.edition
        self._readiness = opened.readiness
        self._depicted = part_of(edition, "depiction", edition.depiction, "pieces to draw (--view window)")
        self.overlay: _Cells = []
        self.figures = ""

    def see(self, view: View) -> None:
        chosen, tally = view.chosen, view.tally
        self.overlay = []
        if chosen is not None and view.snapshot.phase is Phase.PLAYING:
            there = Piece(chosen.orientation, chosen.column, chosen.row)
            looks = self._edition.game.looks
            cells = self._depicted.cells(view.snapshot, there)
            self.overlay = [(cell.column, cell.row, looks.kind(cell.kind).colour) for cell in cells]
        latest = tally.decision_ms[-1] if tally.decision_ms else 0.0
        now = self._edition.summary(view.snapshot)
        pieces = counted(tally.pieces, self._edition.game.looks.piece)
        lines = None if now["lines"] is None else counted(now["lines"], "line")
        figures = worded(pieces, lines, ("score {:,}", now["score"]), between=" · ")
        # There is room for one of them.
        self.figures = (self._readiness and self._readiness.words) or f"{figures} · thinking {latest:,.1f} ms"


class _Speed:
    """The common speed of all bots; the keys change it during play."""

    def __init__(self, match: Match, speed: int) -> None:
        self._match = match
        self._speed = speed

    def change(self, by: int) -> int:
        self._speed = min(max(self._speed + by, 0), FULL_SPEED)
        for pilot in self._match.pilots:
            pilot.set_tempo(tempo_for_speed(self._speed))
        return self._speed
