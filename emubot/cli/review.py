"""`emubot review`: what each placement of a game lost, and the worst moments as a page."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.cli.compiling import compile_kernels
from emubot.cli.progress import share_of_work
from emubot.cli.result import emit_json
from emubot.errors import UsageError
from emubot.human_error import USUAL_ERROR, parse_human_error
from emubot.session.request import SessionRequest
from emubot.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emubot.judging.judge import Person, Review

_DESCRIPTION = """\
Go through a game and say of each placement what it lost against the best one. GAME is a game recorded by "emubot play
--record" (.npz), a match that the arena saved (.match.json), a movie of FCEUX (.fm2) or BizHawk (.bk2), which is played
in a core, or a game that NestrisChamps recorded (.ngf)."""

_TAPS = "10hz"

_EPILOG = """\
examples:
  emubot review game.npz
  emubot review game.match.json --player 2 --out mine.html
  emubot review game.fm2 --rom FILE
  emubot review game.ngf

The page opens in a browser without a server: accuracy by phase, the loss of each placement, and the worst moments with
the better move and the reason beside them."""


def run(words: list[str]) -> int:
    """Run `emubot review WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(words)
    common.set_up_logging(options.verbose, options.quiet)
    from emubot.atomic import check_output, write_whole
    from emubot.judging.judge import review
    from emubot.judging.moves import moves_of
    from emubot.review.page import page
    from emubot.review.sources import source_of
    from emubot.weights import load_weights

    person = _person(options)
    out: Path = options.out or options.game.with_name(options.game.name.partition(".")[0] + "-review.html")
    check_output(out, force=options.force)
    request = SessionRequest(
        rom=options.rom, demo=options.demo, core=options.core, map=options.map, say=common.announce
    )
    source = source_of(options.game, options.player - 1, options.map, request)
    weights = load_weights(options.weights or source.edition.game.facts.default_weights)
    compile_kernels(source.edition, options.quiet)
    with share_of_work("Reviewing", "frames", options.quiet) as tell:
        found = review(
            source.edition,
            weights,
            moves_of(source.snapshots),
            source.title,
            lambda move: tell(move.frame, source.frames),
            options.nodes,
            person,
        )
    write_whole(out, page(found, options.worst).encode())
    _report(found, out, options)
    return 0


def _person(options: argparse.Namespace) -> Person | None:
    from emubot.judging.judge import Person
    from emubot.tempo import parse_taps

    if options.human_error is None:
        if options.taps is not None:
            raise UsageError("--taps says how a person taps whose misdrops are counted: add --human-error.")
        return None
    return Person(parse_taps(options.taps or _TAPS), parse_human_error(options.human_error))


def build_parser() -> common.Parser:
    """Returns the parser of `emubot review`."""
    made = common.parser("review", _DESCRIPTION, _EPILOG)
    made.add_argument("game", type=Path, metavar="GAME", help="the game to review")
    made.add_argument("--player", type=common.whole(1, 2), default=1, metavar="N", help="whose game (default 1)")
    made.add_argument("--out", type=common.new_file, metavar="FILE", help="the page (default: GAME-review.html)")
    made.add_argument("--force", action="store_true", help="replace the page if it exists")
    made.add_argument("--worst", type=common.whole(1, 100), default=10, metavar="N", help="moments shown (default 10)")
    made.add_argument("--weights", metavar="FILE|NAME", help="whose values judge (default: the game's own)")
    made.add_argument("--nodes", type=common.whole(0), metavar="N", help="boards that each judgement may value")
    made.add_argument(
        "--human-error",
        metavar="FRAMES[:SHARE]",
        help="say how often a person with this error misses the placements (falling blocks): taps stray by so many "
        f"frames (a standard deviation), and this share of them is missed; or usual, which is {USUAL_ERROR}",
    )
    made.add_argument(
        "--taps",
        metavar="12hz|das|PATTERN",
        help="with --human-error: how the person taps (default 10hz)",
    )
    made.add_argument("--map", metavar="FILE|NAME", help="the map of the recording (default: the one that it names)")
    movie = made.add_argument_group("a movie's cartridge")
    cartridge = movie.add_mutually_exclusive_group()
    cartridge.add_argument("--rom", type=Path, metavar="FILE", help="the cartridge's file")
    cartridge.add_argument("--demo", metavar="NAME", help="a built-in demo cartridge")
    movie.add_argument("--core", metavar="NAME|PATH", help="the libretro core")
    common.add_json(made)
    return made


def _report(found: Review, out: Path, options: argparse.Namespace) -> None:
    if options.json:
        emit_json(
            {
                "game": str(options.game),
                "page": str(out),
                "placements": len(found.judged),
                "skipped": found.skipped,
                "accuracy": found.accuracy,
                "phases": found.by_phase,
                "marks": {mark.value: count for mark, count in found.marks.items()},
                "unit": found.unit,
                "missed": dict(zip(("played", "best"), found.missed, strict=True)),
                "worst": list(_moments(found, options.worst)),
                "moves": [
                    {
                        "piece": one.move.number,
                        "frame": one.move.frame,
                        "accuracy": one.accuracy,
                        "mark": one.mark.value,
                        "best": one.best.name,
                        "why": list(one.remarks),
                    }
                    for one in found.judged
                ],
            }
        )
    elif not options.quiet:
        shown = "-" if found.accuracy is None else f"{100 * found.accuracy:.0f} %"
        common.say(f"{counted(len(found.judged), 'placement')}, accuracy {shown}.")
        played, best = found.missed
        if played is not None and best is not None:
            common.say(
                f"A person with this error misses {100 * played:.1f} % of the placements that were played, and "
                f"{100 * best:.1f} % of the best ones."
            )
        for one in found.worst(3):
            common.say(f"piece {one.move.number}, a {one.mark.value}: {one.why}.")
        common.say(f"written: {out}")


def _moments(found: Review, count: int) -> Iterator[dict[str, Any]]:
    for one in found.worst(count):
        yield {
            "piece": one.move.number,
            "frame": one.move.frame,
            "played": one.played.name,
            "best": one.best.name,
            "loss": one.loss,
            "accuracy": one.accuracy,
            "why": list(one.remarks),
            "missed": [None if seen is None else seen.misses / seen.tries for seen in one.missed],
            "locked": dataclasses.asdict(one.move.locked),
        }
