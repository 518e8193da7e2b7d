"""`emubot maps discover`: runs the experiments with an unknown cartridge, and writes the draft of a map."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from emubot.cli import common
from emubot.cli.result import emit_json

if TYPE_CHECKING:
    from emubot.discovery.attempt import Discovery

_DESCRIPTION: Final = """\
Find out by experiments how an unknown cartridge works, and write its address map. The experiments start the cartridge,
press buttons until a piece follows the pad, and play the same moments again and again with other buttons. Then the bot
plays by what was found: 50 pieces must lock where they were meant to, or nothing is written. It takes some minutes."""

_EPILOG: Final = """\
examples:
  emubot play --rom FILE --discover                      the same, keeps the map among yours, and plays
  emubot maps discover --rom FILE --out my_map.yaml      writes the map to a file
  emubot play --rom FILE --map my_map.yaml
  emubot maps learn --rom FILE --map my_map.yaml --out better.yaml --probe      measures the timing, too

Without --out the map is printed. Exit code 1: the experiments did not show what a map needs, or the bot's play did not
confirm it; the sentence says what was found and what not. docs/how-to/maps.md says how to go on."""


def run(words: Sequence[str]) -> int:
    """Run `emubot maps discover WORDS` and return the exit code."""
    options = build_parser().parse_intermixed_args(list(words))
    common.refuse_existing(options.out, options.force)
    common.set_up_logging(options.verbose, options.quiet)
    return _discover(options)


def build_parser() -> common.Parser:
    """Returns the parser of `emubot maps discover`."""
    from emubot.cli.session_options import add_source
    from emubot.session.finding_out import WITH_STATES

    made = common.parser("maps discover", _DESCRIPTION, _EPILOG)
    made.add_argument("action", choices=("discover",), help=argparse.SUPPRESS)
    add_source(made, "what to experiment with")
    where = made.add_argument_group("where")
    where.add_argument("--bridge", choices=WITH_STATES, default=WITH_STATES[0], help="the emulator (default libretro)")
    where.add_argument("--core", metavar="NAME|PATH", help="libretro core: nestopia, fceumm or a *_libretro file")
    result = made.add_argument_group("output")
    result.add_argument("--out", type=common.new_file, metavar="MAP", help="the draft to write (default: print it)")
    common.add_force(result, "--out")
    common.add_json(made)
    return made


def _discover(options: argparse.Namespace) -> int:
    from emubot.atomic import write_whole
    from emubot.cli.compiling import compile_kernels
    from emubot.errors import UsageError
    from emubot.session.cartridges import cartridge_of
    from emubot.session.finding_out import find_out
    from emubot.session.request import SessionRequest, say_nothing

    tell = say_nothing if options.quiet else common.announce
    request = SessionRequest(rom=options.rom, demo=options.demo, bridge=options.bridge, core=options.core, say=tell)
    cartridge = cartridge_of(request)
    if cartridge is None:
        raise UsageError("Name the cartridge to experiment with: --rom FILE, or a --demo.")
    found = find_out(request, cartridge, lambda edition: compile_kernels(edition, options.quiet))
    if options.out is not None:
        write_whole(options.out, found.text.encode("utf-8"))
    if options.json:
        emit_json(_facts(found, options))
    elif options.out is None:
        print(found.text, end="")
    if found.left_open:
        tell(f"left open: {'; '.join(found.left_open)}.")
    if options.out is not None:
        source = f"--rom {options.rom}" if options.rom is not None else f"--demo {options.demo}"
        tell(f"wrote {options.out}; next: emubot play {source} --map {options.out}")
    return 0


def _facts(found: Discovery, options: argparse.Namespace) -> dict[str, Any]:
    from emubot.rammap.spaces import address_of

    return {
        "out": None if options.out is None else str(options.out),
        "rows": found.rows,
        "columns": found.columns,
        "values": {name: [f"0x{address_of(index):02X}" for index in indices] for name, indices in found.values.items()},
        "pieces": found.locks,
        "proved": found.proof.pieces,
        "left_open": list(found.left_open),
        "frames": found.frames,
        "map": found.text,
    }
