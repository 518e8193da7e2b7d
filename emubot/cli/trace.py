"""`emubot trace`: record, verify and show games frame by frame; knows no format and no rule, only how to tell them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.errors import TraceError

if TYPE_CHECKING:
    from emubot.games.protocol import Game
    from emubot.rammap import RamMap
    from emubot.trace import Trace

_DESCRIPTION = "Recorded games, one row a frame."

_EPILOG = """\
actions:
  record FILE    play and write what happened; takes the options of "emubot play"
  verify FILE... replay games on the simulator and compare every byte; exit code 1 if a row differs
  show FILE      print the board and the state in one row

examples:
  emubot trace record game.npz --demo tetris --pieces 100 --emu-speed max
  emubot trace verify game*.npz --json
  emubot trace verify game.npz --map own.yaml     recorded with a map of your own
  emubot trace show game.npz --frame 500"""


def run(words: list[str]) -> int:
    """Run `emubot trace WORDS` and return the exit code."""
    action = next((word for word in words if not word.startswith("-")), None)
    if action == "record":
        rest = words.copy()
        rest.remove(action)
        return _record(rest)
    made = _parser()
    options = made.parse_intermixed_args(words)
    if not options.files:
        made.error(f"{options.action} needs a FILE")
    if options.action == "verify":
        return _verify(options)
    if len(options.files) > 1:
        made.error(f"show takes one FILE, not {len(options.files)}")
    return _show(options)


def _parser() -> common.Parser:
    made = common.parser("trace", _DESCRIPTION, _EPILOG)
    made.add_argument("action", choices=("record", "verify", "show"), help="what to do")
    made.add_argument("files", nargs="*", type=Path, default=[], metavar="FILE", help="recorded games")
    made.add_argument("--frame", type=common.whole(0), metavar="N", help="show: the row (default: the last)")
    made.add_argument("--map", metavar="FILE|NAME", help="the map it was recorded with (default: the one it names)")
    common.add_json(made)
    return made


def _record(words: list[str]) -> int:
    """`trace record FILE ...` is `play --record FILE ...`."""
    from emubot.cli import play

    if "-h" in words or "--help" in words:
        return play.run(["--help"])
    file = next((word for word in words if word not in {"-q", "-v", "-vv", "--quiet", "--verbose", "--json"}), "-")
    if file.startswith("-"):
        _parser().error('record needs a FILE before the options of "emubot play"')
    common.new_file(file)
    words.remove(file)
    return play.run([*words, "--record", file])


def _verify(options: argparse.Namespace) -> int:
    from emubot.trace import read_trace

    frames = mismatches = 0
    first: dict[str, Any] | None = None
    for path in options.files:
        trace = read_trace(path)
        game = _game_of(trace, path)
        differing, row = game.verify(trace, _map_of(trace, options.map))
        frames += trace.frames
        mismatches += differing
        if differing and first is None:
            first = {"file": str(path), "row": row}
        if not options.json and not options.quiet:
            verdict = "no differences" if not differing else f"{differing:,} rows differ, the first is row {row}"
            print(f"{path}: {trace.frames:,} frames, {verdict}")
    if options.json:
        common.emit_json({"files": len(options.files), "frames": frames, "mismatches": mismatches, "first": first})
    elif not options.quiet and len(options.files) > 1:
        print(f"{len(options.files)} files, {frames:,} frames, {mismatches:,} mismatches")
    return 1 if mismatches else 0


def _game_of(trace: Trace, path: Path) -> Game:
    """The family whose simulator can replay this trace."""
    from emubot.games import game, names

    wanted = [trace.about["game"]] if trace.about.get("game") in names() else names()
    for name in wanted:
        family = game(name)
        if family.replays(trace):
            return family
    raise TraceError(f"{path} is of no game emubot can replay (known: {', '.join(names())}); was it cut or renamed?")


def _map_of(trace: Trace, wanted: str | None) -> RamMap | None:
    """The map of that name or file, for the cartridge of the trace; None where the family is to look for it."""
    from emubot.rammap import load_map

    return None if wanted is None else load_map(wanted).for_identity(str(trace.about.get("rom")))


def _show(options: argparse.Namespace) -> int:
    from emubot.trace import read_trace

    path = options.files[0]
    trace = read_trace(path)
    if not trace.frames:
        raise TraceError(f"{path} has no rows; record it again.")
    row = trace.frames - 1 if options.frame is None else options.frame
    if row >= trace.frames:
        raise TraceError(f"{path} has rows 0 to {trace.frames - 1}, not {row}; choose --frame from these.")
    shown = {
        "frames": trace.frames,
        "order": trace.order,
        "about": trace.about,
        "row": row,
        "pads": [int(buttons) for buttons in trace.pads[row]],
        "state": {name: int(trace.state[row, index]) for index, name in enumerate(trace.fields)},
        "board": list(_game_of(trace, path).draw(trace, row, _map_of(trace, options.map))),
    }
    if options.json:
        common.emit_json(shown)
    else:
        _print(shown)
    return 0


def _print(shown: dict[str, Any]) -> None:
    about = ", ".join(f"{name} {value}" for name, value in shown["about"].items()) or "nothing said of its origin"
    print(f"{shown['frames']:,} frames, order {shown['order']}; {about}")
    new, held = shown["pads"]
    print(f"row {shown['row']}: pad new {new:02X} held {held:02X}")
    print("  ".join(f"{name} {value}" for name, value in shown["state"].items()))
    for line in shown["board"]:
        print(line)
