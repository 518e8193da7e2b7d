"""`emubot compile`: compiles now what the first use of a game would compile; knows no kernel itself."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from emubot import games
from emubot.cli import common
from emubot.cli.compiling import compile_purpose
from emubot.cli.result import emit_json
from emubot.errors import MapError

if TYPE_CHECKING:
    from emubot.session.compiling import Purpose

_PAUSE: Final = 0.2  # seconds between two purposes, in which another process that waits gets its turn
_DESCRIPTION = "Compile now what the first use of each command would compile. What is compiled already is left out."
_EPILOG = """\
examples:
  emubot compile                          everything of all games
  emubot compile tetris                   all that commands need of falling blocks
  emubot compile --map mine.yaml          play by a map alone
  emubot compile --map mine.yaml tetris   play by a map, and then the rest of its family

emubot compiles by itself when something is needed that is not compiled, and the rest of the family after it. The
compiled code lies in the user's cache folder, or in EMUBOT_CACHE_DIR."""


def run(words: list[str]) -> int:
    """Run `emubot compile WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    common.set_up_logging(options.verbose, options.quiet)
    started, compiled, warm = time.perf_counter(), 0, 0
    for purpose in _purposes(options):
        if purpose.is_warm:
            warm += 1
            purpose.mark()
            continue
        if compiled:
            time.sleep(_PAUSE)
        compile_purpose(purpose, options.quiet)
        compiled += 1
    seconds = time.perf_counter() - started
    if options.json:
        emit_json({"compiled": compiled, "compiled_already": warm, "seconds": round(seconds, 1)})
    elif not options.quiet:
        print("Everything was compiled already." if not compiled else f"Compiled in {seconds:.0f} s.")
    return 0


def build_parser() -> common.Parser:
    """Returns the parser of `emubot compile`."""
    made = common.parser("compile", _DESCRIPTION, _EPILOG)
    made.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(games.names())}; without --map all of them")
    made.add_argument("--map", metavar="FILE|NAME", help="first what play by this address map needs")
    common.add_json(made)
    return made


def _purposes(options: argparse.Namespace) -> Iterator[Purpose]:
    """Yields what is to be compiled; a family is marked as whole after the last of its purposes."""
    from emubot.jit import mark
    from emubot.rammap import load_map
    from emubot.session.compiling import family_purpose, scope_of
    from emubot.session.purposes import by_map, of_family

    families = [games.game(name) for name in options.games or ([] if options.map else games.names())]
    if options.map is not None:
        yield from by_map(load_map(options.map))
    for family in families:
        with suppress(MapError):  # of a package whose map is missing
            yield from by_map(load_map(family.facts.default_map))
    for family in families:
        yield from of_family(family)
        mark(scope_of(family), family_purpose(family))
