"""`emubot trace`: records, verifies, shows and exports games; knows no file format and no rules, only prints."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emubot.cli import actions, common
from emubot.cli.result import emit_json
from emubot.errors import TraceError
from emubot.text import counted, printable

if TYPE_CHECKING:
    from emubot.games.edition import GameRecorder
    from emubot.games.protocol import Game
    from emubot.trace import Trace

# They may come before FILE.
_FLAGS = frozenset({"-q", "-v", "-vv", "--quiet", "--verbose", "--json", "--force", "--no-config"})
_SPEEDS = ("0.25", "0.5", "1", "2", "4", "max")
_DESCRIPTION = "Record, verify, show, play again and export games. A recorded game has one row per frame."

_EPILOG = f"""\
{actions.listed("trace")}

FILE may also be an unfinished game, FILE.part: its rows up to its end are read.

examples:
  emubot trace record game.npz --demo tetris --pieces 100 --emu-speed max
  emubot trace verify game*.npz --json
  emubot trace verify game.npz --map own.yaml     a game recorded with your own map
  emubot trace show game.npz --frame 500
  emubot trace play game.npz --speed 2
  emubot trace export game.npz --fm2 game.fm2     then in FCEUX: Movie, Movie Play
  emubot trace export game.npz --bk2 game.bk2 --r08 game.r08
  emubot trace export game.npz --ngf game.ngf     as NestrisChamps records a game"""


def run(words: list[str]) -> int:
    """Run `emubot trace WORDS` and return the exit code."""
    action = next((word for word in words if not word.startswith("-")), None)
    if action == "record":
        rest = words.copy()
        rest.remove(action)
        return _record(rest)
    made = build_parser()
    options = made.parse_intermixed_args(words)
    if not options.files:
        made.error(f"{options.action} needs a FILE")
    if options.action == "verify":
        return _verify(options)
    if len(options.files) > 1:
        made.error(f"{options.action} takes one FILE, not {len(options.files)}")
    if options.action == "show":
        return _show(options)
    if options.action == "play":
        from emubot.cli import trace_play

        return trace_play.run(options)
    from emubot.cli import trace_export

    movies = trace_export.wanted(options)
    if options.ngf is not None and movies:
        made.error("--ngf is no movie: export it by itself")
    if options.skip and options.r08 is None:
        made.error("--skip needs --r08 OUT: other movies have a line for each frame from power-on")
    if options.ngf is not None:
        from emubot.cli import trace_ngf

        return trace_ngf.export(options)
    if not movies:
        made.error("export needs --fm2 OUT, --bk2 OUT or --r08 OUT, the movie to write, or --ngf OUT")
    return trace_export.run(options)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot trace`."""
    made = common.parser("trace", _DESCRIPTION, _EPILOG)
    made.add_argument("action", choices=actions.names("trace"), help="what to do")
    made.add_argument("files", nargs="*", type=Path, default=[], metavar="FILE", help="recorded games")
    made.add_argument(
        "--frame",
        type=common.whole(0),
        metavar="N",
        help="show: the row to print (default: the last); play: the first to show (default 0)",
    )
    made.add_argument("--speed", choices=_SPEEDS, default="1", help="play: how fast (default 1, as it was played)")
    made.add_argument("--player", type=common.whole(1, 2), default=1, metavar="N", help="play: whose game (default 1)")
    made.add_argument(
        "--map", metavar="FILE|NAME", help="the map of the recording (default: the map that the file names)"
    )
    for name, player in (("fm2", "FCEUX"), ("bk2", "BizHawk"), ("r08", "a console, by TAStm32")):
        made.add_argument(
            f"--{name}", type=common.new_file, metavar="OUT", help=f"export: the movie to write for {player}"
        )
    made.add_argument(
        "--skip",
        type=common.whole(0),
        default=0,
        metavar="N",
        help="export --r08: leave out the first N frames, before the cartridge reads its pads (default 0)",
    )
    made.add_argument("--ngf", type=common.new_file, metavar="OUT", help="export: the NestrisChamps recording to write")
    made.add_argument("--force", action="store_true", help="export: replace a file that exists")
    made.add_argument("--rom", type=Path, metavar="FILE", help="export: the cartridge, needed if no map lists its MD5")
    common.add_json(made)
    return made


def _record(words: list[str]) -> int:
    """`trace record FILE ...` is `play --record FILE ...`."""
    from emubot.cli import play

    if common.asks_for_help(words):
        return play.run(["--help-all" if "--help-all" in words else "--help"])
    file = next((word for word in words if word not in _FLAGS), "-")
    if file.startswith("-"):
        build_parser().error('record needs a FILE before the options of "emubot play"')
    common.new_file(file)
    words.remove(file)
    return play.run([*words, "--record", file])


def _verify(options: argparse.Namespace) -> int:
    from emubot.trace import read_trace

    frames = mismatches = 0
    first: dict[str, Any] | None = None
    for path in options.files:
        trace = read_trace(path)
        differing, row = _recorder_of(trace, _game_of(trace, path), options.map).verify(trace)
        frames += trace.frames
        mismatches += differing
        if differing and first is None:
            first = {"file": str(path), "row": row}
        if not options.json and not options.quiet:
            rows = f"{counted(differing, 'row')} differ{'s' if differing == 1 else ''}"
            verdict = f"{rows}, the first is row {row}" if differing else "no differences"
            print(f"{path}: {counted(trace.frames, 'frame')}, {verdict}")
    if options.json:
        emit_json({"files": len(options.files), "frames": frames, "mismatches": mismatches, "first": first})
    elif not options.quiet and len(options.files) > 1:
        count = f"{counted(len(options.files), 'file')}, {counted(frames, 'frame')}"
        print(f"{count}, {counted(mismatches, 'mismatch', 'mismatches')}")
    return 1 if mismatches else 0


def _family_of(trace: Trace) -> Game | None:
    """Returns the family whose simulator can replay this trace; None if the trace does not hold enough for that.

    Raises UsageError if the trace is of a family that cannot replay games.
    """
    from emubot.games.protocol import Replayable, require_part
    from emubot.games.recorded import game_of

    named = game_of(trace)
    if named is None:
        return None
    return named if require_part(named, Replayable, "recorded games").replays(trace) else None


def _game_of(trace: Trace, path: Path) -> Game:
    from emubot.games import names

    family = _family_of(trace)
    if family is None:
        raise TraceError(
            f"{path} holds no game that emubot can replay (known: {', '.join(names())}): its map tells too little, or "
            "it was cut; show and export may still read it."
        )
    return family


def _recorder_of(trace: Trace, game: Game, map_name: str | None) -> GameRecorder:
    """Returns what replays the trace, by the named map or else by that of the recording."""
    from emubot.games.edition import part_of
    from emubot.games.recorded import edition_of

    edition = edition_of(trace, game, map_name)
    return part_of(edition, "recorder", edition.recorder, "recorded games")


def _show(options: argparse.Namespace) -> int:
    from emubot.trace import read_trace

    path = options.files[0]
    trace = read_trace(path)
    if not trace.frames:
        raise TraceError(f"{path} has no rows; record it again.")
    row = trace.frames - 1 if options.frame is None else options.frame
    if row >= trace.frames:
        raise TraceError(f"{path} has rows 0 to {trace.frames - 1}, not {row}; choose --frame from these.")
    family = _family_of(trace)
    shown = {
        "frames": trace.frames,
        "order": trace.order,
        "about": trace.about,
        "row": row,
        "pads": [int(buttons) for buttons in trace.pads[row]],
        "state": {name: int(trace.state[row, index]) for index, name in enumerate(trace.fields)},
        "board": [] if family is None else list(_recorder_of(trace, family, options.map).draw(trace, row)),
    }
    if options.json:
        emit_json(shown)
    else:
        _print(shown)
    return 0


def _print(shown: dict[str, Any]) -> None:
    about = ", ".join(printable(f"{name} {value}") for name, value in shown["about"].items())
    print(f"{counted(shown['frames'], 'frame')}, order {shown['order']}; {about or 'nothing said of its origin'}")
    new, held = shown["pads"]
    print(f"row {shown['row']}: pad new {new:02X} held {held:02X}")
    print("  ".join(f"{printable(name)} {value}" for name, value in shown["state"].items()))
    for line in shown["board"]:
        print(line)
