"""`emubot arena`: serves games in the browser, and opens the page."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from emubot import interrupts
from emubot.cli import browser, common
from emubot.cli.result import emit_json
from emubot.errors import UsageError
from emubot.extras import ARENA, GIF
from emubot.listening import LOOPBACK, is_loopback
from emubot.text import counted

_DESCRIPTION = """\
Play in your browser: alone, against a person or the bot, or watch two bots. The page is served from this machine alone,
on 127.0.0.1, and needs no cartridge, no account and no connection to the outside."""

_EPILOG = """\
examples:
  emubot arena                     open the page in the browser
  emubot arena --no-open           print the address only
  emubot arena FILE                open a recorded match, step through it, and ask what the bot would do
  emubot arena FILE --gif OUT.gif  draw its first 20 seconds as an animated picture, and open no page

The address holds a key in its part after #: whoever has it may start games. Ctrl-C ends the arena."""


def run(words: list[str]) -> int:
    """Run `emubot arena WORDS` and return the exit code."""
    options = build_parser().parse(words)
    common.set_up_logging(options.verbose, options.quiet)
    if options.gif is not None:
        return _draw(options)
    ARENA.require()
    from emubot.arena.server import Arena

    if options.file is not None:
        from emubot.arena.replay import read_replay

        read_replay(options.file)  # refuses it before a page is opened
    if not is_loopback(options.host):
        common.say(
            f"emubot: {options.host} can be reached from your network, and what is sent is not encrypted: whoever "
            "listens there reads the keys in the links."
        )
    arena = Arena(options.host, options.port)

    arena.lobby.shows = None if options.file is None else options.file.absolute()

    with contextlib.ExitStack() as pages, interrupts.noted(arena.stop) as interrupted:

        def ready() -> None:
            common.say(f"emubot: the arena is at {arena.url}")
            common.say("emubot: Ctrl-C ends it.")
            if not options.no_open:
                pages.enter_context(browser.opened(arena.url))

        arena.run(ready)
    if options.json:
        emit_json({"url": arena.url.partition("#")[0], "matches": arena.lobby.opened})
    return common.INTERRUPTED if interrupted() else 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot arena`."""
    parser = common.parser("arena", _DESCRIPTION, _EPILOG)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="a recorded match to open (.match.json)")
    parser.add_argument("--port", type=common.whole(0, 65535), default=0, metavar="N", help="default: a free one")
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        metavar="HOST",
        help="the address to listen on, for people in your own network (default 127.0.0.1: this machine alone)",
    )
    parser.add_argument("--no-open", action="store_true", help="open no browser")
    picture = parser.add_argument_group("an animated picture of a recorded match, in place of the page")
    picture.add_argument("--gif", type=common.new_file, metavar="OUT", help="the file to write")
    picture.add_argument("--start", type=common.whole(0), default=0, metavar="N", help="its first second (default 0)")
    picture.add_argument("--seconds", type=common.whole(1, 600), default=20, metavar="N", help="length (default 20)")
    picture.add_argument("--force", action="store_true", help="replace the file if it exists")
    common.add_json(parser)
    return parser


def _draw(options: argparse.Namespace) -> int:
    """Write the animated picture."""
    from emubot.arena.gif import gif_of
    from emubot.arena.replay import read_replay
    from emubot.atomic import check_output, write_whole
    from emubot.cli.progress import progress

    if options.file is None:
        raise UsageError("--gif draws a recorded match: name its FILE.")
    GIF.require()
    check_output(options.gif, force=options.force)
    replay = read_replay(options.file)
    with progress(0, options.seconds * 30, "pictures", options.quiet) as drawn:
        content, count = gif_of(replay, options.start, options.seconds, drawn)
    write_whole(options.gif, content)
    if options.json:
        emit_json({"gif": str(options.gif), "pictures": count, "bytes": len(content)})
    else:
        print(f"written: {options.gif} ({counted(count, 'picture')})")
    return 0
