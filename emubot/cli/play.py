"""`emubot play`: lets bots play a cartridge, with a live board or window, a recording and a report."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot import interrupts
from emubot.cli import common, publishing, recordings
from emubot.cli.compiling import open_compiled
from emubot.cli.played import Ending, report
from emubot.cli.session_options import add_options, request_by, tempo_of
from emubot.cli.showing import is_watched, shown
from emubot.errors import EmubotError, UsageError
from emubot.games.declared import demos, owners
from emubot.session.emulators import runs_elsewhere
from emubot.session.request import SessionRequest
from emubot.tempo import FULL_SPEED, SPEEDS
from emubot.text import nearest, printable, whole_number

if TYPE_CHECKING:
    from emubot.pilot import Match
    from emubot.pilot.recording import Recording

_CARTRIDGES: Final = (".nes", ".zip")  # a word with this suffix is a cartridge's file
_DESCRIPTION = """\
Let the bot play a cartridge: it reads the game's RAM, thinks, and presses the controller, frame by frame.
SPEED is 0 (a child can follow) to 10 (the pad's limit, the default). With AIvsAI the bot plays against itself."""

_EPILOG = """\
examples:
  emubot play --demo tetris                     watch the bot play the built-in cartridge
  emubot play 5 FILE.nes --level 18             your own cartridge, medium speed, level 18
  emubot play FILE.nes --discover               a cartridge that emubot does not know yet
  emubot play 5 AIvsAI --demo puyo              two bots, one match after the other
  emubot play 3 --demo puyo --view window --human 1      you at port 1 against the bot
  emubot play --demo tetris --taps 12hz         a human's tap rate
  emubot play                                   in the emulator that is running
  emubot play 3 --bridge fceux --human 1        you at port 1 of that emulator against the bot
  emubot play 10 --demo tetris --emu-speed max --pieces 1000 --json

SPEED sets how fast the bot presses the pad; --emu-speed sets how fast the console runs.
{speeds}"""


def run(words: list[str], caption: str = "") -> int:
    """Run `emubot play WORDS` and return the exit code; `caption` names the player, above the board."""
    options = _parsed(words)
    options.caption = caption
    options.speed, against_itself = _words(options.words, options)
    request = _request(options, options.speed, against_itself)
    if is_watched(options) and not _is_repeated(options, words):
        request = replace(request, at_once=request.emu_speed is not None, in_own_process=True)
    recordings.refuse_existing(options, against_itself)
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


def _is_repeated(options: argparse.Namespace, words: list[str]) -> bool:
    """Returns whether a game is measured or recorded, or is to be the same again: then it waits for its kernels."""
    seeded = any(word.partition("=")[0] == "--seed" for word in words)
    return bool(seeded or options.json or options.record)


def _parsed(words: list[str]) -> argparse.Namespace:
    """Returns the options. With a demo those of its family alone are known, so that a start loads no other family.

    Where these do not suffice, those of all families say what is wrong.
    """
    demo = next((after for word, after in pairwise(words) if word == "--demo"), None)
    families = None if demo is None or not {"-h", "--help"}.isdisjoint(words) else owners(demo)
    if families is not None:
        with contextlib.suppress(UsageError):
            return _parser(families).parse_intermixed_args(words)
    return _parser().parse_intermixed_args(words)


def _parser(families: Sequence[str] | None = None) -> argparse.ArgumentParser:
    rows = [f"  {speed:5}  {reaction:8}  {period:6}" for speed, (reaction, period) in enumerate(SPEEDS)]
    speeds = "\n".join(["  SPEED  reaction  frames per input", *rows])
    made = common.parser("play", _DESCRIPTION, _EPILOG.format(speeds=speeds))
    made.add_argument(
        "words",
        nargs="*",
        metavar="SPEED|AIvsAI|FILE",
        help="bot speed 0-10 (default 10); AIvsAI: two bots; FILE: your own cartridge, as --rom FILE",
    )
    what = add_options(made, families)
    what.add_argument(
        "--discover",
        action="store_true",
        help="if no map knows the cartridge: find out by experiments how it works, which takes some minutes, keep the "
        "map among your own, and play",
    )
    players = made.add_argument_group("players")
    players.add_argument(
        "--mode", choices=("endless", "versus"), help="the mode to choose in the menus, if they offer one"
    )
    players.add_argument("--speed2", type=common.whole(0, 10), metavar="N", help="AIvsAI: the second bot's speed")
    players.add_argument("--weights2", metavar="FILE|NAME", help="AIvsAI: the second bot's weights")
    players.add_argument("--nodes2", type=common.whole(0), metavar="N", help="AIvsAI: the second bot's --nodes")
    players.add_argument(
        "--human",
        type=common.whole(1, 2),
        metavar="PORT",
        help="you play port 1 or 2, the bot the other: with --view window or web it goes to the game for two by "
        "itself, in a running emulator it says what to press",
    )
    until = made.add_argument_group("when to stop")
    until.add_argument(
        "--pieces",
        type=common.whole(1),
        metavar="N",
        help="stop when each player has placed N pieces, in new games as needed",
    )
    until.add_argument(
        "--games",
        type=common.whole(1),
        metavar="N",
        help="stop after N games (default without --pieces: 1; with --human: play on until you end it)",
    )
    watch = made.add_argument_group("view and recording")
    watch.add_argument(
        "--view",
        choices=("board", "window", "web", "none"),
        help="how to show the game: in the terminal, a window, or a page in the browser (default: board on a terminal, "
        "else none)",
    )
    watch.add_argument(
        "--overlay-only",
        action="store_true",
        help="with --view web: a page for a stream instead, with nothing behind the boards; always at port 7788 if it "
        "is free",
    )
    watch.add_argument("--feed", action="store_true", help=argparse.SUPPRESS)  # frames to stdout, for the arena
    watch.add_argument(
        "--overlay", action="store_true", help="draw plan and figures over the running emulator's picture (nintaco)"
    )
    publishing.add_option(watch)
    watch.add_argument(
        "--record",
        type=common.new_file,
        metavar="FILE.npz",
        help='record the game for "emubot trace"; later games are FILE-2, FILE-3, ..., a second player\'s FILE-player2',
    )
    watch.add_argument(
        "--force", action="store_true", help="replace the file of --record; later games take the next free number"
    )
    common.add_json(made)
    return made


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
            raise UsageError(
                f"{printable(word)!r} is not understood{hint}: play takes one speed from 0 to 10, AIvsAI, "
                "and a cartridge's FILE."
            )
    return speed, against_itself


def _is_file(word: str) -> bool:
    with contextlib.suppress(OSError, ValueError):  # a word may be too long for a name
        return Path(word).is_file()
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
        code, started = 0, time.perf_counter()
        failure: EmubotError | None = None
        try:
            recorded.extend(recordings.recordings(opened, match, options))
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
            seconds, unwritten = time.perf_counter() - started, recordings.closed(recorded)
        except BaseException as ended:
            seconds, unwritten = time.perf_counter() - started, recordings.closed(recorded)  # keep what was played
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
    report(opened, match, recorded, Ending(seconds, failure), options)
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
