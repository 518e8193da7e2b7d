"""`emubot trace export`: writes a recorded game as movies for other emulators; knows no file format, only prints."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from emubot.cli.result import emit_json
from emubot.errors import EmubotError, TraceError, UsageError
from emubot.text import counted, printable

if TYPE_CHECKING:
    from emubot.trace import Trace

_NAMES: Final = ("fm2", "bk2", "r08")
_WITH_CARTRIDGE: Final = ("fm2", "bk2")  # the movies that name their cartridge
_PLAY: Final = {
    "fm2": "in FCEUX open {rom}, then Movie, Movie Play",
    "bk2": "in BizHawk open {rom}, then File, Movie, Play Movie",
    "r08": "play it with tastm32.py --console nes --players 1,5",
}


class _Named(NamedTuple):
    """What movies say of their cartridge: MD5 of PRG and CHR, SHA-1 of the file; "" if it is not known."""

    rom: str
    md5: str
    file_sha1: str = ""


def wanted(options: argparse.Namespace) -> dict[str, Path]:
    """Returns the files of the movies to write, by format."""
    return {name: path for name in _NAMES if (path := getattr(options, name)) is not None}


def run(options: argparse.Namespace) -> int:
    """Write all movies of `trace export`, or none if one of them cannot be; returns the exit code."""
    from emubot.atomic import check_output, write_whole
    from emubot.trace import read_trace

    out = wanted(options)
    if len({path.resolve() for path in out.values()}) < len(out):
        raise UsageError("Two movies cannot be one file: name another one for each.")
    for path in out.values():
        check_output(path, force=options.force)
    trace = read_trace(options.files[0])
    movies, named = _movies(trace, options, out)
    for name, content in movies.items():
        write_whole(out[name], content)
    frames, lag = len(trace.inputs), _lag_frames(trace, options.map) if "r08" in out else None
    if options.json:
        shown: dict[str, Any] = {"file": str(options.files[0]), **{name: str(path) for name, path in out.items()}}
        shown |= {"frames": frames, "rom": named.rom}
        if "r08" in out:
            shown |= {"latches": frames - options.skip, "lag_frames": lag}
        emit_json(shown)
    elif not options.quiet:
        for name, path in out.items():
            count = counted(frames - options.skip, "latch", "latches") if name == "r08" else counted(frames, "frame")
            print(f"written: {path} ({count}); {_PLAY[name].format(rom=named.rom)}.")
        if "r08" in out:
            print(_latches(trace, lag))
    return 0


def _movies(trace: Trace, options: argparse.Namespace, out: dict[str, Path]) -> tuple[dict[str, bytes], _Named]:
    """Returns the content of each movie, and its cartridge. Raises TraceError or UsageError for what none can keep."""
    from emubot.movies import LATER, bk2, fm2, r08
    from emubot.version import __version__

    path = options.files[0]
    core = printable(trace.about.get("core") or "an unknown emulator")
    name, _, _ = core.partition(" ")
    _check(trace, path, core, name in LATER)
    needs_cartridge = options.rom is not None or any(name in out for name in _WITH_CARTRIDGE)
    named = _cartridge_of(trace, path, options.rom) if needs_cartridge else _Named("", "")
    comments = [f"author emubot {__version__}", f"recorded in {core}"]
    later = LATER[name]
    makers = {
        "fm2": lambda: fm2(trace.inputs, named.rom, named.md5, later, comments).encode(),
        "bk2": lambda: bk2(trace.inputs, named.rom, named.md5, later, comments, named.file_sha1),
        "r08": lambda: r08(trace.inputs, options.skip),
    }
    return {name: makers[name]() for name in out}, named


def _check(trace: Trace, path: Path, core: str, known: bool) -> None:
    from emubot.machine import FRAME_RATE_PAL
    from emubot.movies import LATER

    if not len(trace.inputs):
        raise TraceError(
            f"{path} cannot become a movie, for it does not hold the pads since power-on: record it anew, "
            'with "emubot trace record --bridge libretro", without a reset and without going back to a state.'
        )
    if not known:
        raise TraceError(
            f"{path} cannot become a movie, for it was recorded in {core}, and how that starts beside FCEUX is not "
            f"known: record it in {' or '.join(LATER)}."
        )
    if trace.about.get("frame_rate") == round(FRAME_RATE_PAL, 4):
        raise TraceError(
            f"{path} cannot become a movie, for it was recorded on a PAL console, and how that starts beside FCEUX is "
            "not known: record it with a cartridge for NTSC."
        )


def _cartridge_of(trace: Trace, path: Path, file: Path | None) -> _Named:
    """Returns what names the trace's cartridge, from the file or from the maps."""
    from emubot.cartridge import load_cartridge
    from emubot.rammap import all_maps

    sha1 = trace.about.get("rom")
    if file is not None:
        cartridge = load_cartridge(file)
        if cartridge.sha1 != sha1:
            raise TraceError(f"{file} is not the cartridge of {path}: its SHA-1 is {cartridge.sha1}, not {sha1}.")
        return _Named(cartridge.name, cartridge.md5, cartridge.file_sha1)
    for identity in (identity for ram_map in all_maps() for identity in ram_map.identities):
        if identity.sha1 == sha1 and identity.md5:
            return _Named(identity.title, identity.md5)
    raise TraceError(f"{path} is of a cartridge whose MD5 no map lists: name its file with --rom.")


def _lag_frames(trace: Trace, map_name: str | None) -> int | None:
    """Returns in how many rows the map's game counter stood still; None if the trace or its map has none."""
    from emubot.games.recorded import map_of
    from emubot.rammap import load_map

    try:
        clock = (load_map(map_name) if map_name else map_of(trace)).clock
    except EmubotError:
        return None
    addresses = trace.address.tolist()
    if clock not in addresses:
        return None
    column = addresses.index(clock)
    counter = np.append(trace.initial[column], trace.state[:, column])
    return int(np.count_nonzero(counter[1:] == counter[:-1]))


def _latches(trace: Trace, lag: int | None) -> str:
    """Returns what a person who plays the latches on a console must know of them."""
    counted_lag = (
        ""
        if lag is None
        else f"; the game's own counter stood still in {lag:,} of {counted(trace.frames, 'recorded frame')}"
    )
    return (
        "note: one latch for each frame, for a recording does not tell in which frames the game did not read its "
        f"pads{counted_lag}."
    )
