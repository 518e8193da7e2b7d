"""`emubot play`: one session at the pad, with a live board, a recording, a report."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from emubot.cli import common, session
from emubot.errors import EmubotError, UsageError

if TYPE_CHECKING:
    from emubot.pilot import Pilot
    from emubot.recording import Recording

_DESCRIPTION = """\
Play a cartridge with the bot: it reads the game's RAM, thinks, and presses the controller, frame by frame.
SPEED is 0 (a child can follow) to 10 (the pad's limit, the default)."""

_EPILOG = """\
examples:
  emubot play --demo tetris                     watch the bot play the built-in cartridge
  emubot play 5 --rom FILE --level 18           your own cartridge, medium speed, level 18
  emubot play --demo tetris --taps 12hz         a human's tap rate
  emubot play 10 --demo tetris --emu-speed max --pieces 1000 --json

SPEED is how fast the pad is pressed; --emu-speed, another thing, is how fast the console runs."""

_INTERRUPTED = 130


def run(words: list[str]) -> int:
    """Run `emubot play WORDS` and return the exit code."""
    options = _parser().parse_intermixed_args(words)
    speed = _speed(options.words)
    tempo = session.tempo_of(speed, options.taps)
    session.set_up_logging(options.verbose, options.quiet)
    return _play(options, tempo)


def _parser() -> argparse.ArgumentParser:
    made = common.parser("play", _DESCRIPTION, _EPILOG)
    made.add_argument("words", nargs="*", metavar="SPEED", help="bot speed 0-10 (default 10)")
    session.add_options(made)
    watch = made.add_argument_group("what you see and keep")
    watch.add_argument("--view", choices=("board", "none"), help="default: board on a terminal")
    watch.add_argument(
        "--record",
        type=common.new_file,
        metavar="FILE.npz",
        help='write the game for "emubot trace"; games after the first get -2, -3, ...',
    )
    common.add_json(made)
    return made


def _speed(words: list[str]) -> int | None:
    """The plug-in's words, in any order and case."""
    speed = None
    for word in words:
        if word.lower() == "aivsai":
            raise UsageError("AIvsAI needs a game for two, which this version does not play yet; leave it out.")
        if not word.isdecimal() or not 0 <= int(word) <= 10 or speed is not None:
            raise UsageError(f"{word!r} is not understood: play takes one speed from 0 to 10.")
        speed = int(word)
    return speed


def _play(options: argparse.Namespace, tempo: Any) -> int:
    opened = session.open_session(options, tempo)
    with contextlib.closing(opened.bridge):
        session.compile_kernels(opened.game, options.quiet)
        pilot = _pilot(opened, options)
        recording = _recording(opened, pilot, options)
        code, started = 0, time.perf_counter()
        with _board(opened, pilot, options), _terminated_like_interrupted():
            try:
                pilot.run()
            except KeyboardInterrupt:
                pilot.result, code = "interrupted", _INTERRUPTED
                pilot.stop()
            except EmubotError:
                if recording is not None:
                    recording.close()  # what was played until the emulator failed
                raise
        seconds = time.perf_counter() - started
        if recording is not None:
            recording.close()
    _report(opened, pilot, recording, seconds, options)
    return code


def _pilot(opened: session.Session, options: argparse.Namespace) -> Pilot:
    from emubot.pilot import Goal, Pilot

    games = options.games if options.games or options.pieces else 1
    waited = 0 if opened.bridge.facts.name == "simulated" else options.seed
    asked = {"level": options.level} if "level" in opened.ram_map.asked else {}
    goal = Goal(options.pieces, games, asked, waited)
    return Pilot(opened.bridge, goal, opened.game, opened.ram_map, opened.weights, opened.tempo)


def _recording(opened: session.Session, pilot: Pilot, options: argparse.Namespace) -> Recording | None:
    if options.record is None:
        return None
    from emubot.recording import Recording

    about = {**opened.about, "level": options.level, "seed": options.seed}
    return Recording(options.record, pilot, opened.game, opened.ram_map, "nmi-game", about)


@contextlib.contextmanager
def _board(opened: session.Session, pilot: Pilot, options: argparse.Namespace) -> Iterator[None]:
    wanted = options.view or ("board" if sys.stderr.isatty() and not options.quiet else "none")
    if wanted == "none":
        yield
        return
    from emubot.view.board import TerminalBoard

    facts = opened.bridge.facts
    with TerminalBoard(f"emubot · {opened.title} · {facts.emulator}", opened.game) as board:
        pilot.watchers.append(lambda view: board.show(view.snapshot, view.chosen, view.tally))
        yield


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM ends a session in good order, as Ctrl-C does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _report(
    opened: session.Session, pilot: Pilot, recording: Recording | None, seconds: float, options: argparse.Namespace
) -> None:
    player = pilot.tally.as_dict()
    facts = opened.bridge.facts
    result = {
        "game": opened.game.name,
        "bridge": facts.name,
        "core": facts.emulator,
        "frames": pilot.frames,
        **player,
        "fps": round(pilot.frames / seconds, 1) if seconds else 0.0,
        "result": pilot.result,
        "players": [player],
    }
    if recording is not None:
        result["recorded"] = [str(path) for path in recording.paths]
    if options.json:
        common.emit_json(result)
    elif not options.quiet:
        common.say(
            f"{pilot.result}: {player['pieces']:,} pieces, {player['lines']:,} lines, score {player['score']:,}, "
            f"level {player['level']}, {player['misplaced']} misplaced, in {pilot.frames:,} frames on {facts.emulator}."
        )
        for path in result.get("recorded", []):
            common.say(f"recorded: {path}")
