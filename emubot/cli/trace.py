"""`emubot trace`: record, verify and show games frame by frame; knows no format and no rule, only how to tell them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emubot.cli import common
from emubot.errors import TraceError

if TYPE_CHECKING:
    from emubot.games.protocol import Game
    from emubot.trace import Trace

_DESCRIPTION = """\
Recorded games: "record" plays and writes one row a frame, "verify" replays files on the simulator and compares every
byte, "show" prints the board at a frame."""

_EPILOG = """\
examples:
  emubot trace record game.npz --demo tetris --pieces 100 --emu-speed max
  emubot trace verify game*.npz --json
  emubot trace show game.npz --frame 500"""


def run(words: list[str]) -> int:
    """Run `emubot trace WORDS` and return the exit code."""
    if words and words[0] == "record":
        return _record(words[1:])
    options = _parser().parse_args(words)
    return _verify(options) if options.action == "verify" else _show(options)


def _parser() -> argparse.ArgumentParser:
    made = common.parser("trace", _DESCRIPTION, _EPILOG)
    actions = made.add_subparsers(dest="action", required=True, metavar="record|verify|show")
    actions.add_parser("record", help="play a cartridge and write what happened: takes all options of emubot play")
    verify = actions.add_parser("verify", help="replay recorded games on the simulator; exit code 1 if any row differs")
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE")
    common.add_json(verify)
    show = actions.add_parser("show", help="print what was recorded")
    show.add_argument("file", type=Path, metavar="FILE")
    show.add_argument("--frame", type=common.whole(0), metavar="N", help="the row to show (default: the last)")
    common.add_json(show)
    return made


def _record(words: list[str]) -> int:
    """`trace record FILE ...` is `play --record FILE ...`."""
    from emubot.cli import play

    if not words or words[0].startswith("-"):
        _parser().error('record needs a file first: emubot trace record FILE.npz, then the options of "emubot play"')
    return play.run([*words[1:], "--record", words[0]])


def _verify(options: argparse.Namespace) -> int:
    from emubot.trace import read_trace

    frames = mismatches = 0
    first: dict[str, Any] | None = None
    for path in options.files:
        trace = read_trace(path)
        game = _game_of(trace, path)
        differing, row = game.verify(trace)
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


def _show(options: argparse.Namespace) -> int:
    from emubot.trace import read_trace

    trace = read_trace(options.file)
    row = trace.frames - 1 if options.frame is None else options.frame
    if row >= trace.frames:
        raise TraceError(f"{options.file} has rows 0 to {trace.frames - 1}, not {row}.")
    values = {name: int(trace.state[row, index]) for index, name in enumerate(trace.fields)} if trace.frames else {}
    if options.json:
        common.emit_json(
            {"frames": trace.frames, "order": trace.order, "row": row, "about": trace.about, "state": values}
        )
        return 0
    _print(trace, options.file, row, values)
    return 0


def _print(trace: Trace, path: Path, row: int, values: dict[str, int]) -> None:
    about = ", ".join(f"{name} {value}" for name, value in trace.about.items()) or "nothing said"
    print(f"{trace.frames:,} frames, order {trace.order}; {about}")
    if not values:
        return
    new, held = (int(value) for value in trace.pads[row])
    print(f"row {row}: pad new {new:02X} held {held:02X}")
    print("  ".join(f"{name} {value}" for name, value in values.items()))
    for line in _game_of(trace, path).draw(trace, row):
        print(line)
