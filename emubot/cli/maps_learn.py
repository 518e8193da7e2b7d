"""`emubot maps learn`: plays, learns what a map leaves open, and writes the better map with its evidence."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.cli import common
from emubot.cli.compiling import compile_kernels
from emubot.cli.learn_watch import ALL_KNOWN, LearnerWatch
from emubot.cli.result import emit_json, reach
from emubot.cli.session_options import add_options, request_by, tempo_of
from emubot.session import session
from emubot.session.emulators import plays_versus, runs_elsewhere
from emubot.session.request import SessionRequest
from emubot.text import counted

if TYPE_CHECKING:
    from emubot.games.edition import Edition
    from emubot.learn import Duel, Prober, ProbeReport
    from emubot.pilot import Pilot
    from emubot.rammap import RamMap
    from emubot.session.seating import Seat

_DESCRIPTION = """\
Play a cartridge and find out what its address map leaves open (marked `learn`): the codes of cells and their bits, the
cells and turns of pieces, and of a pair which codes are colours, items or nuisance. Then write the better map, with the
evidence beside each value and all comments of its author."""

_EPILOG = """\
examples:
  emubot maps learn --rom FILE --out my_puyo.yaml      then: emubot play --rom FILE --map my_puyo.yaml
  emubot maps learn --demo puyo --map famicom_puyo     treat the demo cartridge as unknown
  emubot maps learn --rom FILE --probe                 measure rules and timing too

Without --out the map is printed. Exit code 1: a value in use is still open; play more pieces. Ctrl-C, a failing
emulator and a game in which no piece comes end the command early (exit codes 130, 3 and 1): it waits a minute of the
game for the first piece, ten minutes for another one, and still writes what it has learnt."""

_PIECES: Final = 100  # in an endless game two of these are items, which come every 48 pieces
_OPEN_LEFT: Final = 1
_SHA1: Final = re.compile(r"[0-9A-F]{40}")

_USUAL: Final = ("--rom", "--demo", "--map", "--bridge", "--pieces", "--out", "--probe", "--force")


def run(words: Sequence[str]) -> int:
    """Run `emubot maps learn WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(list(words))
    common.refuse_existing(options.out, options.force)
    common.set_up_logging(options.verbose, options.quiet)
    return _learn(options)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot maps learn`."""
    made = common.parser("maps learn", _DESCRIPTION, _EPILOG, _USUAL)
    made.add_argument("action", choices=("learn",), help=argparse.SUPPRESS)
    add_options(made)
    made.change("--emu-speed", None, "the emulator's speed (default max; of a running emulator: its own setting)")
    result = made.add_argument_group("length and output")
    result.add_argument(
        "--pieces", type=common.whole(1), default=_PIECES, metavar="N", help=f"pieces to play (default {_PIECES})"
    )
    result.add_argument("--out", type=common.new_file, metavar="FILE.yaml", help="the map to write (default: print it)")
    result.add_argument(
        "--probe",
        action="store_true",
        help="measure rules and timing too, and write them as `rules` and `timing`: points, waits, kicks, held "
        "buttons, and the gravity of every level that the menus offer",
    )
    common.add_force(result, "--out")
    common.add_json(made)
    return made


def _learn(options: argparse.Namespace) -> int:
    from emubot.errors import EmubotError, UsageError
    from emubot.learn import MapLearner, ProbeReport
    from emubot.text import printable

    request = request_by(options, tempo_of(None, options.taps))
    if options.emu_speed is None and not runs_elsewhere(request):
        request = replace(request, emu_speed=None)
    opened = session.reopened_if_cold(
        session.open_session(request), request, partial(compile_kernels, quiet=options.quiet)
    )
    with contextlib.closing(opened):
        seat, edition = opened.seats[0], opened.edition
        game, ram_map = edition.game, edition.ram_map
        pilot = opened.pilot(seat, opened.goal(None, None))
        learner = pilot.learner
        if learner is None:
            raise UsageError(f"The map {ram_map.name} leaves nothing open; name one that does with --map.")
        if not isinstance(learner, MapLearner):
            raise UsageError(f"The family {game.name} learns as it plays, but writes no maps: use emubot play.")
        prober = learner.prober() if options.probe else None
        if options.probe and prober is None:
            raise UsageError(f"The family {game.name} has no experiments: leave out --probe.")
        compile_kernels(edition, options.quiet)
        watch = LearnerWatch(learner, pilot.tally, ram_map, prober, quiet=options.quiet)
        pilot.on_map.append(watch.found)
        pilot.on_frame.append(watch.frame)
        identity = seat.bridge.facts.rom_identity or ""
        code, failure = 0, None
        try:
            code = _play(pilot, watch, options.pieces)
            if prober is not None and not code and not learner.open:
                code = _experiment(seat, prober, watch, options.quiet)
        except EmubotError as failed:
            if not watch.locked:
                raise
            failure = failed
        report = prober.report() if prober is not None else ProbeReport()
    sha1 = identity if _SHA1.fullmatch(identity) else None
    title = printable(options.rom.stem) if options.rom is not None else opened.title
    evidence, ram_map = dict(learner.evidence()), learner.finished()
    if prober is not None and not (code or failure or learner.open) and _knows_versus(game.open(ram_map)):
        duel = prober.duel(ram_map)
        if duel is not None:
            try:
                code = _fight(request, ram_map, duel, options.pieces)
            except EmubotError as failed:
                failure = failed
            ram_map, report = duel.finished(), report.joined(duel.report())
            evidence |= duel.evidence()
    ram_map = ram_map.learnt(rules=report.rules, timing=report.timing).only_for(sha1, title)
    learnt = _Learnt(ram_map, {**evidence, **report.evidence}, report, learner.open, watch.locked)
    left = _write(options, learnt, emit_json if failure is None else reach)
    if failure is not None:
        raise failure
    return code or left


def _play(pilot: Pilot, watch: LearnerWatch, pieces: int) -> int:
    """Play this many pieces, or until an interrupt; the caller writes what was learnt in both cases.

    Raises NotDiscovered if no piece comes any more.
    """
    try:
        while watch.locked < pieces:
            pilot.step()
            watch.check_patience()
    except KeyboardInterrupt:
        return common.INTERRUPTED
    finally:
        pilot.stop()
    return 0


def _experiment(seat: Seat, prober: Prober, watch: LearnerWatch, quiet: bool) -> int:
    """Run the family's experiments on the running game, with the map as learnt so far."""
    from emubot.bridges.image import image_reader
    from emubot.pad import Pad

    if not quiet:
        common.say("emubot: now the experiments; the bot loses some games on purpose.")
    bridge, ram_map = seat.bridge, watch.learner.finished()
    script, read = prober.script(ram_map), image_reader(bridge, ram_map.spaces)
    try:
        pad = next(script)
        while True:
            bridge.press(seat.port, pad)
            bridge.advance()
            ram = read()
            watch.show(ram, pad)
            pad = script.send(ram)
    except StopIteration:
        return 0
    except KeyboardInterrupt:
        return common.INTERRUPTED
    finally:
        bridge.press(seat.port, Pad.NONE)


def _knows_versus(edition: Edition) -> bool:
    """Returns whether there is a game for two that the map can select in the menus."""
    return plays_versus(edition) and "mode" in edition.ram_map.menu_choices


def _fight(request: SessionRequest, ram_map: RamMap, duel: Duel, pieces: int) -> int:
    """Play games for two of the bot against itself, with the map as learnt so far."""
    from emubot.pilot import Match

    request.say("now games for two, for what they do to each other.")
    opened = session.open_session(replace(request, against_itself=True))
    opened.use(opened.edition.game.open(ram_map))
    with contextlib.closing(opened):
        goal = opened.goal(None, None)
        match = Match([opened.pilot(seat, goal) for seat in opened.seats], pieces)
        match.pilots[0].on_frame.append(lambda ram, _: duel.frame(ram))
        try:
            match.run()
        except KeyboardInterrupt:
            match.stop()
            return common.INTERRUPTED
    return 0


@dataclass(frozen=True, slots=True)
class _Learnt:
    """Everything that is written and printed at the end."""

    ram_map: RamMap
    evidence: Mapping[str, str]
    report: ProbeReport
    open: tuple[str, ...]
    pieces: int


def _write(options: argparse.Namespace, learnt: _Learnt, tell: Callable[[dict[str, Any]], None]) -> int:
    """Write and print what was learnt; `tell` takes the JSON object."""
    from emubot.errors import StorageError
    from emubot.rammap import write_map
    from emubot.rammap.writing import map_text

    ram_map = learnt.ram_map
    pieces = counted(learnt.pieces, "piece")
    header = f"Learnt by emubot from {ram_map.name} in {pieces}; the remarks say how each value is known."
    notes = [*learnt.report.notes, *(f"not seen: {what}" for what in learnt.report.unseen.values())]
    header = "\n".join([header, *notes])
    if options.out is not None:
        try:
            write_map(ram_map, options.out, learnt.evidence, header)
        except StorageError:  # print the map: a full disk must not lose what was learnt
            common.say(map_text(ram_map, learnt.evidence, header))
            raise
    if options.json:
        tell(_facts(options.out, learnt))
    elif options.out is None:
        print(map_text(ram_map, learnt.evidence, header), end="")
    if not options.quiet:
        for line in notes:
            common.say(f"emubot: {line}.")
        left = f"still open: {', '.join(learnt.open)}" if learnt.open else ALL_KNOWN
        never = f"; never seen: {', '.join(ram_map.learns)}" if ram_map.learns else ""
        where = f"{options.out}: " if options.out else ""
        common.say(f"emubot: {where}{pieces}, {left}{never}.")
    return _OPEN_LEFT if learnt.open else 0


def _facts(out: Path | None, learnt: _Learnt) -> dict[str, Any]:
    return {
        "map": learnt.ram_map.name,
        "out": None if out is None else str(out),
        "pieces": learnt.pieces,
        "open": list(learnt.open),
        "never_seen": list(learnt.ram_map.learns),
        "rules": learnt.report.rules,
        "timing": learnt.report.timing,
        "notes": learnt.report.notes,
        "not_seen": learnt.report.unseen,
        "evidence": dict(learnt.evidence),
    }
