"""`play --view`: shows the frames of a match in the chosen view; decides nothing about the game."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from emubot.cli import common
from emubot.cli.terminal import can_redraw
from emubot.tempo import FULL_SPEED

if TYPE_CHECKING:
    from emubot.pilot import Match, View
    from emubot.session.readiness import Readiness
    from emubot.session.session import Session
    from emubot.systems.keys import Keys
    from emubot.view.board import TerminalBoard


def is_watched(options: argparse.Namespace) -> bool:
    """Returns whether somebody watches the game, frame by frame."""
    if options.feed or options.view in ("window", "web"):
        return True
    return options.view in (None, "board") and not options.quiet and can_redraw()


@contextlib.contextmanager
def shown(
    opened: Session, match: Match, options: argparse.Namespace, human: int | None
) -> Iterator[Callable[[], None]]:
    """Yields a function that plays one frame and shows it in the chosen view; `human` is a person's port, or None."""
    from emubot.games.edition import part_of

    depiction, looks = opened.edition.depiction, opened.edition.game.looks
    drawn = not options.quiet and depiction is not None
    wanted = "feed" if options.feed else options.view or ("board" if drawn else "none")
    parts = [part for part in ("emubot", options.caption, opened.title, opened.bridges[0].facts.emulator) if part]
    title = " · ".join(parts)
    if wanted == "none" or (wanted == "board" and not can_redraw()):
        if options.caption and not options.quiet:
            common.announce(f"{options.caption}.")
        if options.quiet:
            yield match.step
            return
        from emubot.cli.progress import with_lines

        yield with_lines(looks, match)
    elif wanted in ("web", "feed"):
        from emubot.cli import feed

        shown_by = partial(feed.on_page, overlay=options.overlay_only) if wanted == "web" else feed.piped
        with shown_by(opened, match, human) as step:
            yield step
    elif wanted == "window":
        from emubot.cli.window import windowed

        speed = FULL_SPEED if options.speed is None else options.speed
        with windowed(title, opened, match, human, speed, keeps_states=options.record is None) as step:
            yield step
    else:
        from emubot.view.board import TerminalBoard

        if len(opened.bridges) > 1:
            parts.append(_dealing(opened))
        look = part_of(opened.edition, "depiction", depiction, "pieces to draw (--view board)")
        pixels = None
        if options.discover:  # where the bot reads the board can be seen
            from emubot.view.framing import framed_picture

            first = opened.seats[0]
            pixels = framed_picture(first.bridge, opened.edition.ram_map, [first.port])
        with TerminalBoard(parts, look, players=len(match.pilots), looks=looks, pixels=pixels) as board:
            for seat, pilot in enumerate(match.pilots):
                pilot.watchers.append(partial(_draw, board, seat, opened.readiness))
            from emubot.cli.viewer import keys_of

            with keys_of(board) as pressed:
                yield _obeying(match, opened, board, pressed) if pressed.are_there else match.step


def _obeying(match: Match, opened: Session, board: TerminalBoard, pressed: Keys) -> Callable[[], None]:
    """Returns a function that plays one frame, after it has obeyed the keys of whoever watches."""
    from emubot.bridges.protocol import Paced
    from emubot.cli.viewer import Viewer
    from emubot.cli.window import CLOSED

    paced = [bridge for bridge in opened.bridges if isinstance(bridge, Paced)]
    viewer = Viewer(pressed, board, paced if len(paced) == len(opened.bridges) else [])

    def step() -> None:
        viewer.look()
        if viewer.closed:
            match.stop()
            match.result = CLOSED
        else:
            match.step()

    return step


def _draw(board: TerminalBoard, seat: int, readiness: Readiness | None, view: View) -> None:
    if readiness is not None:
        board.note = readiness.words
    board.show(view.snapshot, view.chosen, view.tally, seat, view.called)


def _dealing(opened: Session) -> str:
    """Returns a phrase that says how two consoles side by side deal their pieces."""
    if opened.bridges[0].facts.name == "simulated":
        return "both get the same pieces"
    return "the first two pieces are the same, then each cartridge deals by its own timing"
