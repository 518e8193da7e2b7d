"""`emubot play`: lets bots play a cartridge, with a live board or window, a recording and a report."""

from __future__ import annotations

import argparse
import contextlib
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot import interrupts
from emubot.cli import common, publishing, recordings
from emubot.cli.compiling import open_compiled
from emubot.cli.play_options import build_parser
from emubot.cli.played import Ending, report
from emubot.cli.session_options import request_by, tempo_of
from emubot.cli.showing import is_watched, shown
from emubot.cli.terminal import can_redraw
from emubot.errors import EmubotError, UsageError
from emubot.games.declared import demos, owners
from emubot.session.emulators import ATTACHED, OURS, runs_elsewhere
from emubot.session.request import SessionRequest
from emubot.tempo import FULL_SPEED
from emubot.text import nearest, printable, whole_number

if TYPE_CHECKING:
    from emubot.cli.play_gif import GamePicture
    from emubot.pilot import Match
    from emubot.pilot.recording import Recording

_CARTRIDGES: Final = (".nes", ".zip")  # a word with this suffix is a cartridge's file


def run(words: list[str], caption: str = "") -> int:
    """Run `emubot play WORDS` and return the exit code; `caption` names the player, above the board."""
    options = _parsed(words)
    options.caption = caption
    configured = options.speed if "speed" in options.configured else None
    options.speed, against_itself = _words(options.words, options)
    _pass_over(options)
    if options.speed is None and options.taps is None:
        options.speed = configured
    request = _request(options, options.speed, against_itself)
    if is_watched(options) and not _is_repeated(options, words):
        request = replace(request, at_once=request.emu_speed is not None, in_own_process=True)
    recordings.refuse_existing(options, against_itself)
    if options.gif is not None:
        from emubot.extras import GIF

        common.refuse_existing(options.gif, options.force)
        GIF.require()
    publishing.check(options)
    common.set_up_logging(options.verbose, options.quiet)
    if options.view in ("window", "web"):
        from emubot import extras

        (extras.WINDOW if options.view == "window" else extras.ARENA).require()
    if options.view == "window":
        from emubot.cli.window import check_display

        check_display()
    if options.discover:
        from emubot.cli.finding_out import find_out_first

        options.kept = find_out_first(request, options.quiet)
    return _play(options, request)


def _pass_over(options: argparse.Namespace) -> None:
    """Pass over those of the person's own defaults that do not go together with what the command line says."""
    attaches = options.rom is None and options.demo is None and (options.bridge is None or options.bridge in ATTACHED)
    if "bridge" in options.configured:
        named = options.rom is not None or options.demo is not None or options.core is not None
        if named == (options.bridge in ATTACHED):
            options.bridge = None
        attaches = not named
    if "core" in options.configured and (attaches or options.bridge not in (None, OURS)):
        options.core = None
    if "emu_speed" in options.configured and attaches:
        options.emu_speed = None
    if "view" in options.configured and (options.json or options.quiet or not can_redraw()):
        options.view = None


def _is_repeated(options: argparse.Namespace, words: list[str]) -> bool:
    """Returns whether a game is measured or recorded, or is to be the same again: then it waits for its kernels."""
    seeded = any(word.partition("=")[0] == "--seed" for word in words)
    return bool(seeded or options.json or options.record or options.gif)


def _parsed(words: list[str]) -> argparse.Namespace:
    """Returns the options. With a demo those of its family alone are known, so that a start loads no other family.

    Where these do not suffice, those of all families say what is wrong.
    """
    demo = next((after for word, after in pairwise(words) if word == "--demo"), None)
    families = None if demo is None or common.asks_for_help(words) else owners(demo)
    if families is not None:
        with contextlib.suppress(UsageError):
            return build_parser(families).parse(words)
    return build_parser().parse(words)


def _words(words: list[str], options: argparse.Namespace) -> tuple[int | None, bool]:
    """Returns the speed or None, and whether AIvsAI is given; these words of the plug-in come in any order and case.

    A cartridge's file among them is put into `options.rom`.
    """
    speed, against_itself = None, False
    for word in words:
        if word.lower() == "aivsai":
            against_itself = True
        elif (number := whole_number(word)) is not None and number <= FULL_SPEED and speed is None:
            speed = number
        elif Path(word).suffix.lower() in _CARTRIDGES or _is_file(word):
            if options.rom or options.demo:
                raise UsageError(f"{word!r} is a second cartridge: name one of {word}, --rom and --demo.")
            options.rom = Path(word)
        elif word in (known := demos()):
            raise UsageError(f"{word!r} is a built-in cartridge: --demo {word} plays it, and --rom FILE one of yours.")
        else:
            near = nearest(word, ["AIvsAI", *known])
            hint = f" (did you mean {'--demo ' if near in known else ''}{near}?)" if near else ""
            if _is_folder(word):
                raise UsageError(f"{printable(word)!r} is a folder: name the cartridge's FILE in it.")
            raise UsageError(
                f"{printable(word)!r} is not understood{hint}: play takes one speed from 0 to 10, AIvsAI, "
                "and a cartridge's FILE."
            )
    return speed, against_itself


def _is_file(word: str) -> bool:
    with contextlib.suppress(OSError, ValueError):  # a word may be too long for a name
        return Path(word).is_file()
    return False


def _is_folder(word: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return Path(word).is_dir()
    return False


def _request(options: argparse.Namespace, speed: int | None, against_itself: bool) -> SessionRequest:
    if not against_itself and (options.speed2, options.weights2, options.nodes2) != (None, None, None):
        raise UsageError("--speed2, --weights2 and --nodes2 are the second bot's: add AIvsAI.")
    if options.overlay_only and options.view != "web":
        raise UsageError("--overlay-only is a page: add --view web.")
    if options.overlay_only and options.human is not None:
        raise UsageError("--overlay-only shows what the bot plays, and takes no keys: leave out --human.")
    if options.mode == "endless" and (against_itself or options.human is not None):
        for_two = "AIvsAI is a game for two" if against_itself else "--human is a game for two, you against the bot"
        raise UsageError(f"{for_two}: leave out --mode endless.")
    request = request_by(options, tempo_of(speed, options.taps))
    own = other = request.strengths[0]
    if request.aware and own.is_styled:
        raise UsageError("--rng aware chooses the pieces itself: leave out --see-next, --threads, --aim, --aggression.")
    if request.aware and request.human_error is not None:
        raise UsageError("--rng aware times every frame: leave out --human-error.")
    second = request.tempos[1] if options.speed2 is None else tempo_of(options.speed2, None)
    if options.nodes2 is not None:
        other = replace(own, nodes=options.nodes2, milliseconds=None)
    if options.human is not None and (against_itself or not (_is_played(options) or runs_elsewhere(request))):
        raise UsageError(
            "--human needs --view window or web, or a running emulator, and no AIvsAI: you play one port and the bot "
            "the other."
        )
    return replace(
        request,
        tempos=(request.tempos[0], second),
        weights=(options.weights, options.weights2 or options.weights),
        strengths=(own, other),
        mode=options.mode,
        against_itself=against_itself,
        human=None if options.human is None else options.human - 1,
        by_hand=options.view == "window",
    )


def _is_played(options: argparse.Namespace) -> bool:
    """Returns whether the view takes a person's keys."""
    return options.feed or (options.view in ("window", "web") and not options.overlay_only)


def _play(options: argparse.Namespace, request: SessionRequest) -> int:
    opened = open_compiled(request, options.view == "window", options.quiet)
    with contextlib.closing(opened):
        endless = options.pieces or request.human is not None  # a person ends it, game after game
        match = opened.match(options.pieces, options.games or (None if endless else 1))
        if options.overlay:
            from emubot.cli.overlay import draw_over

            draw_over(opened, match)
        recorded: list[Recording] = []
        pictures: list[GamePicture] = []
        code, started = 0, time.perf_counter()
        failure: EmubotError | None = None
        try:
            recorded.extend(recordings.recordings(opened, match, options))
            if options.gif is not None:
                from emubot.cli.play_gif import picture_of

                pictures.append(picture_of(opened, match, options))
            with publishing.published(opened, match, options), shown(opened, match, options, request.human) as step:
                try:
                    while not match.finished:
                        step()
                        interrupts.check()
                    match.release()
                except BaseException as ended:
                    if not _is_interrupt(ended):
                        raise
                    code = _interrupted(match)
            seconds, unwritten = time.perf_counter() - started, recordings.closed([*recorded, *pictures])
        except BaseException as ended:
            seconds, unwritten = (
                time.perf_counter() - started,
                recordings.closed([*recorded, *pictures]),
            )  # keep what was played
            if match.frames and _is_interrupt(ended):
                code = _interrupted(match)
            elif match.frames and isinstance(ended, EmubotError):
                failure = ended
                match.abandon()
            else:
                recordings.tell(unwritten)
                raise
        if failure is None and unwritten:
            failure = unwritten.pop(0)
        recordings.tell(unwritten)
    drawn = [str(picture.path) for picture in pictures if picture.written]
    report(opened, match, recorded, Ending(seconds, failure, drawn), options)
    if failure is not None:
        raise failure
    return code


def _is_interrupt(error: BaseException) -> bool:
    """Returns whether a signal ended the game: compiled code may report an interrupt as another failure."""
    return isinstance(error, KeyboardInterrupt) or (interrupts.came() and not isinstance(error, EmubotError))


def _interrupted(match: Match) -> int:
    """End a match that was interrupted, and return the exit code."""
    if not match.finished:
        match.result = "interrupted"
    match.stop()
    return common.INTERRUPTED
