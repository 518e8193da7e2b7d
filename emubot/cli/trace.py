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

_FLAGS = frozenset({"-q", "-v", "-vv", "--quiet", "--verbose", "--json", "--force"})  # may come before FILE
_DESCRIPTION = "Record, verify, show and export games. A recorded game has one row per frame."

_EPILOG = f"""\
{actions.listed("trace")}

FILE may also be an unfinished game, FILE.part: its rows up to its end are read.

examples:
  emubot trace record game.npz --demo tetris --pieces 100 --emu-speed max
  emubot trace verify game*.npz --json
  emubot trace verify game.npz --map own.yaml     a game recorded with your own map
  emubot trace show game.npz --frame 500
  emubot trace export game.npz --fm2 game.fm2     then in FCEUX: Movie, Movie Play"""


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
        made.error(f"{options.action} takes one FILE, not {len(options.files)}")
    if options.action == "show":
        return _show(options)
    if options.fm2 is None:
        made.error("export needs --fm2 OUT, the movie to write")
    return _export(options)


def _parser() -> common.Parser:
    made = common.parser("trace", _DESCRIPTION, _EPILOG)
    made.add_argument("action", choices=actions.names("trace"), help="what to do")
    made.add_argument("files", nargs="*", type=Path, default=[], metavar="FILE", help="recorded games")
    made.add_argument("--frame", type=common.whole(0), metavar="N", help="show: the row to print (default: the last)")
    made.add_argument(
        "--map", metavar="FILE|NAME", help="the map of the recording (default: the map that the file names)"
    )
    made.add_argument("--fm2", type=common.new_file, metavar="OUT", help="export: the movie to write")
    made.add_argument("--force", action="store_true", help="export: replace the file of --fm2 if it exists")
    made.add_argument("--rom", type=Path, metavar="FILE", help="export: the cartridge, needed if no map lists its MD5")
    common.add_json(made)
    return made


def _record(words: list[str]) -> int:
    """`trace record FILE ...` is `play --record FILE ...`."""
    from emubot.cli import play

    if "-h" in words or "--help" in words:
        return play.run(["--help"])
    file = next((word for word in words if word not in _FLAGS), "-")
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


def _export(options: argparse.Namespace) -> int:
    from emubot.atomic import check_output, write_whole
    from emubot.machine import FRAME_RATE_PAL
    from emubot.movie import LATER, fm2
    from emubot.trace import read_trace
    from emubot.version import __version__

    check_output(options.fm2, force=options.force)
    path = options.files[0]
    trace = read_trace(path)
    core = printable(trace.about.get("core") or "an unknown emulator")
    name, _, _ = core.partition(" ")
    if not len(trace.inputs):
        raise TraceError(
            f"{path} cannot become a movie, for it does not hold the pads since power-on: record it anew, "
            'with "emubot trace record --bridge libretro" and without going back to a state.'
        )
    if name not in LATER:
        raise TraceError(
            f"{path} cannot become a movie, for it was recorded in {core}, and how that starts beside FCEUX is not "
            f"known: record it in {' or '.join(LATER)}."
        )
    if trace.about.get("frame_rate") == round(FRAME_RATE_PAL, 4):
        raise TraceError(
            f"{path} cannot become a movie, for it was recorded on a PAL console, and how that starts beside FCEUX is "
            "not known: record it with a cartridge for NTSC."
        )
    rom, md5 = _cartridge_of(trace, path, options.rom)
    comments = [f"author emubot {__version__}", f"recorded in {core}"]
    text = fm2(trace.inputs, rom, md5, LATER[name], comments)
    write_whole(options.fm2, text.encode())
    if options.json:
        emit_json({"file": str(path), "fm2": str(options.fm2), "frames": len(trace.inputs), "rom": rom})
    elif not options.quiet:
        count = counted(len(trace.inputs), "frame")
        print(f"written: {options.fm2} ({count}); in FCEUX open {rom}, then Movie, Movie Play.")
    return 0


def _cartridge_of(trace: Trace, path: Path, file: Path | None) -> tuple[str, str]:
    """Returns name and MD5 of the trace's cartridge, from the file or from the maps."""
    from emubot.cartridge import load_cartridge
    from emubot.rammap import all_maps

    sha1 = trace.about.get("rom")
    if file is not None:
        cartridge = load_cartridge(file)
        if cartridge.sha1 != sha1:
            raise TraceError(f"{file} is not the cartridge of {path}: its SHA-1 is {cartridge.sha1}, not {sha1}.")
        return cartridge.name, cartridge.md5
    for identity in (identity for ram_map in all_maps() for identity in ram_map.identities):
        if identity.sha1 == sha1 and identity.md5:
            return identity.title, identity.md5
    raise TraceError(f"{path} is of a cartridge whose MD5 no map lists: name its file with --rom.")


def _print(shown: dict[str, Any]) -> None:
    about = ", ".join(printable(f"{name} {value}") for name, value in shown["about"].items())
    print(f"{counted(shown['frames'], 'frame')}, order {shown['order']}; {about or 'nothing said of its origin'}")
    new, held = shown["pads"]
    print(f"row {shown['row']}: pad new {new:02X} held {held:02X}")
    print("  ".join(f"{printable(name)} {value}" for name, value in shown["state"].items()))
    for line in shown["board"]:
        print(line)
