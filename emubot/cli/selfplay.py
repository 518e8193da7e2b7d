"""`emubot selfplay`: plays pieces by the rules alone and reports statistics; counts and draws nothing itself."""

from __future__ import annotations

import argparse
import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot import games
from emubot.cli import common
from emubot.cli.compiling import compile_self_play
from emubot.cli.game_options import add_rules, epilog_of, given, parsed
from emubot.cli.progress import progress, stopped_in_good_order
from emubot.cli.result import emit_json
from emubot.extras import PLOTS

if TYPE_CHECKING:
    from emubot.games.counts import Counts
    from emubot.trials.selfplay.ledger import Ledger
    from emubot.trials.selfplay.units import SelfPlay
    from emubot.trials.work import WorkUnit

_PATIENCE: Final = 1.0  # seconds that units get to end early; one that is still being loaded may take longer
_DESCRIPTION = (
    "Play pieces by the rules alone, as fast as possible, and report afterstates, chains, score and top-outs."
)
_EPILOG = """\
examples:
  emubot selfplay puyo --pieces 1000000 --rules famicom-1991 --colors 6 --weights reference --plot curve.png
  emubot selfplay tetris --pieces 200000 --jobs 2 --out run.json     the same command continues it later
  emubot selfplay puyo --pieces 5000000 --colors 6 --gravity 2 --taps 12hz --aim survive --out long.json
  emubot selfplay puyo --units 0:500 --out first.json                a part of a run; play the rest elsewhere
  emubot selfplay --sum first.json second.json --plot curve.png      add up the parts

The run is cut into units of --unit pieces. Each unit has its own seed and starts with an empty playfield, so results do
not depend on --jobs. Ctrl-C ends the run early and reports what was played; --out keeps the finished units only. A
second Ctrl-C ends at once."""

_USUAL: Final = ("--pieces", "--weights", "--seed", "--jobs", "--out", "--sum", "--plot", "--rules")


def run(words: list[str]) -> int:
    """Run `emubot selfplay WORDS` and return the exit code."""
    options = parsed(words, build_parser)
    if (options.game is None) == (options.sum is None):
        build_parser(None).error("give either a GAME or --sum FILE...")
    common.refuse_existing(options.plot, options.force)
    if options.sum is not None:
        common.refuse_existing(options.out, options.force)
    common.set_up_logging(options.verbose, options.quiet)
    if options.plot is not None:
        PLOTS.require()
    return _summed(options) if options.sum is not None else _played(options)


def build_parser(family: str | None) -> common.Parser:
    """Returns the parser of `emubot selfplay GAME` with the options of a family, or of all (None)."""
    made = common.parser("selfplay", _DESCRIPTION, epilog_of("selfplay", family, _EPILOG), _USUAL)
    made.add_argument("game", nargs="?", metavar="GAME", help=", ".join(games.names()))
    made.add_argument("--pieces", type=common.whole(1), metavar="N", help="how many pieces to play")
    made.add_argument("--weights", metavar="FILE|NAME", help="evaluation weights (default: the game's own)")
    made.add_argument(
        "--seed", type=common.whole(0), default=0, metavar="N", help="another seed gives another run (default 0)"
    )
    made.add_argument("--jobs", type=common.whole(1, 1024), default=1, metavar="N", help="processes (default 1)")
    made.add_argument("--unit", type=common.whole(1), metavar="N", help="pieces per unit (default 50000)")
    made.add_argument("--units", metavar="A:B", help="play only units A to B-1 of the run")
    made.add_argument(
        "--out", type=common.new_file, metavar="FILE.json", help="save finished units; continue where the file ends"
    )
    made.add_argument("--sum", nargs="+", type=Path, metavar="FILE", help="add up files of --out; play nothing")
    made.add_argument(
        "--plot", type=common.new_file, metavar="FILE.png", help="draw the distribution (needs the extra train)"
    )
    common.add_force(made, "--plot, or of --sum --out,")
    common.add_json(made)
    add_rules(made, family, "selfplay")
    return made


def _summed(options: argparse.Namespace) -> int:
    from emubot.games import game
    from emubot.games.counts import Counts
    from emubot.games.protocol import Measurable, require_part
    from emubot.trials.selfplay.ledger import read_ledger, write_ledger

    first, *others = options.sum
    total = read_ledger(first)
    for path in others:
        total = total.merged(read_ledger(path), str(path))
    if options.out is not None:
        write_ledger(total, options.out)
    family = require_part(game(total.settings.game), Measurable, "self-play")
    _report(family.self_play_measure, total, Counts(), {}, options)
    return 0


def _played(options: argparse.Namespace) -> int:
    from emubot.games import game
    from emubot.games.protocol import Measurable, require_part
    from emubot.trials.selfplay.ledger import Ledger, held, read_ledger, settings_of
    from emubot.trials.selfplay.run import plan
    from emubot.trials.selfplay.units import UNIT
    from emubot.version import __version__
    from emubot.weights import load_weights

    family = game(options.game)
    wanted = options.weights or family.facts.default_weights
    weights = load_weights(wanted)
    played_by = require_part(family, Measurable, "self-play")
    asked = given(options, family.name, "selfplay")
    rules, chosen = played_by.self_play_settings(options.rules, asked)
    name, unit = Path(wanted).stem, options.unit or UNIT
    settings = settings_of(family.name, rules, chosen, name, weights, unit, __version__)
    with held(options.out) if options.out is not None else contextlib.nullcontext():
        ledger = Ledger(settings)
        if options.out is not None and options.out.exists():
            kept = read_ledger(options.out)
            ledger.agree(kept.settings, str(options.out))
            ledger = kept
        units, done = plan(ledger, options.seed, weights, options.pieces, options.units, options.out is not None)
        compile_self_play(family, options.quiet)
        # Refuses wrong rules, colours or weights, and compiles what worker processes will load.
        played_by.self_play(0, 1, weights, options.rules, asked)
        started = time.perf_counter()
        rest, stopped = _run(ledger, units, done, options)
        seconds = time.perf_counter() - started
    played = ledger.counts.pieces + rest.pieces - done
    timing = {
        "seconds": round(seconds, 3),
        "pieces_per_second": round(played / seconds, 1) if seconds else 0.0,
        "interrupted": stopped,
    }
    _report(played_by.self_play_measure, ledger, rest, timing, options)
    return common.INTERRUPTED if stopped else 0


def _run(
    ledger: Ledger, units: list[WorkUnit[SelfPlay]], done: int, options: argparse.Namespace
) -> tuple[Counts, bool]:
    """Play the units. Returns the counts of the units that are not whole, and whether the run was stopped."""
    from emubot.trials.executors import end, workers
    from emubot.trials.selfplay.ledger import write_ledger
    from emubot.trials.selfplay.run import play
    from emubot.trials.selfplay.slate import slate_for

    wanted = sum(unit.work.pieces for unit in units)
    shown = played = 0
    at_once = min(options.jobs, max(len(units), 1))
    with (
        slate_for(units) as slate,
        progress(done, done + wanted, "pieces", options.quiet) as advance,
        workers(at_once) as executor,
        stopped_in_good_order(options.quiet, "stopping; what was played is reported") as stopping,
    ):

        def look() -> bool:
            """Show how far all units are; returns whether to stop, and lets those under way end early."""
            nonlocal shown
            shown, before = slate.pieces(), shown
            advance(shown - before)
            if stopping():
                slate.stop()
            return stopping()

        def finished(pieces: int) -> None:
            nonlocal played
            played += pieces
            if options.out is not None:
                write_ledger(ledger, options.out)

        rest = play(ledger, units, executor, at_once, finished, look, slate.play, _PATIENCE)
        look()
        if played < wanted:
            end(executor)
    return rest, played < wanted


def _report(measure: str, ledger: Ledger, rest: Counts, timing: dict[str, Any], options: argparse.Namespace) -> None:
    from emubot.trials.selfplay.summary import curve, figures, published, text

    settings = ledger.settings
    family = games.game(settings.game).options
    told = figures(ledger, rest, measure, family.marks, published(settings, family.published)) | timing
    chosen = "".join(f", {name} {value}" for name, value in settings.options.items())
    seeds = f", seed {', '.join(told['units'])}" if told["units"] else ""
    title = f"{settings.game}, rules {settings.rules}{chosen}, weights {settings.weights}{seeds}"
    if options.json:
        emit_json(told)
    elif not options.quiet:
        for line in [title, "", *text(told)]:
            print(line)
    if options.plot is not None:  # last: the results are printed even if the picture cannot be written
        from emubot.view.plots import draw_distribution

        measure, theirs = told["measure"], told.get("published")
        fit = f"Gaussian: mean {told[f'mean_{measure}']:.2f}, sd {told[f'sd_{measure}']:.2f}"
        mark = None if theirs is None else (f"published maximum {theirs['highest']}", float(theirs["highest"]))
        draw_distribution(options.plot, told["histogram"], curve(told), fit, measure, title, mark)
