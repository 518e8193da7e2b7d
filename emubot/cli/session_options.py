"""The options for what to play, where and how, and the request made from them; opens nothing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from emubot.bridges import AS_SET, EmuSpeed
from emubot.cli.common import announce, milliseconds, share, whole
from emubot.errors import UsageError
from emubot.pilot.style import Style
from emubot.session import SessionRequest
from emubot.session.request import say_nothing
from emubot.tempo import FULL_SPEED, MAX_REACTION, Tempo, parse_taps, tempo_for_speed

_EMU_SPEEDS: Final[dict[str | None, EmuSpeed]] = {None: AS_SET, "1": 1.0, "2": 2.0, "max": None}
_WAIT: Final = 60  # seconds in which a person can start an emulator
# The choices in the menus of maps that options of the same name set: the numbers of an option's words, or None if the
# option takes the number itself.
MENU_CHOICES: Final[Mapping[str, Mapping[str, int] | None]] = {
    "level": None,
    "type": {"a": 0, "b": 1},
    "height": None,
    "colors": None,
    "pace": {"slow": 0, "medium": 1, "fast": 2},
    "items": {"off": 0, "on": 1},
}


def add_options(made: argparse.ArgumentParser) -> None:
    """Add the options for what to play, where and how."""
    what = add_source(made, "what to play")
    what.add_argument("--level", type=whole(0), metavar="N", help="start level (default 0; the map defines the levels)")
    what.add_argument(
        "--type",
        choices=_words("type"),
        help="a: play on (default); b: begin with garbage, the game's goal is 25 lines",
    )
    what.add_argument("--height", type=whole(0), metavar="N", help="--type b: the height of the garbage (default 0)")
    what.add_argument("--colors", type=whole(1), metavar="N", help="colours in play, if the menus offer a choice")
    what.add_argument("--pace", choices=_words("pace"), help="how fast pieces fall, if the menus offer a choice")
    what.add_argument("--items", choices=_words("items"), help="whether items come, if the menus offer a choice")
    what.add_argument(
        "--seed",
        type=whole(0),
        default=0,
        metavar="N",
        help="another seed gives another game: on a cartridge N extra frames before START, on the simulator the "
        "generator's seed (default 0)",
    )
    add_emulator(made)
    how = made.add_argument_group("how")
    how.add_argument("--weights", metavar="FILE|NAME", help="evaluation weights (default: the game's own)")
    budget = how.add_mutually_exclusive_group()
    budget.add_argument(
        "--nodes",
        type=whole(0),
        metavar="N",
        help="boards that a decision may value (tetris: default 25000, puyo: 40000, both below 16 ms; 0: two pieces by "
        "features, the default of matching)",
    )
    budget.add_argument(
        "--budget-ms",
        type=milliseconds,
        metavar="MS",
        help="time of a decision instead of --nodes: as many boards as this machine values in it, so results "
        "do not repeat",
    )
    how.add_argument(
        "--aim",
        metavar="AIM",
        help="what to play for: score (default); tetris also lines, or survive (lines, no points at the risk of the "
        "game); puyo also chain (one large chain), survive, or battle (default where two players meet)",
    )
    how.add_argument(
        "--aggression",
        type=share,
        metavar="0..1",
        help="how much risk of dying is taken for points (tetris; default 0.5; 0: hardly any, 1: more than pays)",
    )
    how.add_argument(
        "--see-next",
        type=whole(0, MAX_REACTION),
        default=0,
        metavar="FRAMES",
        help="frames before the bot sees the next piece (tetris): each piece sets out without it, and may change "
        "course then (default 0)",
    )
    how.add_argument(
        "--taps",
        metavar="12hz|das|PATTERN",
        help="an input rate instead of a speed: 10hz 12hz 15hz 20hz 30hz, das, or a pattern such as ..X.... "
        "(2 frames of reaction, one input every 5)",
    )


def add_source(made: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Add the options for the cartridge; returns their group."""
    from emubot.demos import IMAGES

    what = made.add_argument_group(title)
    source = what.add_mutually_exclusive_group()
    source.add_argument("--rom", type=Path, metavar="FILE", help="your own cartridge: an .nes file, or a .zip with one")
    source.add_argument("--demo", choices=tuple(IMAGES), help="the built-in demo cartridge of a game")
    return what


def add_emulator(made: argparse.ArgumentParser) -> None:
    """Add the options for the emulator and the map."""
    from emubot.bridges import known_bridges

    where = made.add_argument_group("where")
    where.add_argument(
        "--bridge",
        choices=known_bridges(),
        help="the emulator; default: libretro for --rom and --demo (simulated for --demo if no core is installed), "
        "otherwise the first running one of nintaco, fceux and retroarch",
    )
    where.add_argument("--core", metavar="NAME|PATH", help="libretro core: nestopia, fceumm or a *_libretro file")
    where.add_argument(
        "--core-process",
        choices=("on", "off"),
        default="on",
        help="run the emulator in a child process, so that a crash of the core does not end emubot (default on)",
    )
    where.add_argument("--map", metavar="FILE|NAME", help="address map (default: the one that lists the cartridge)")
    where.add_argument(
        "--emu-speed",
        choices=[speed for speed in _EMU_SPEEDS if speed],
        help="the emulator's speed (default 1; of a running emulator: its own setting)",
    )
    add_where(where)
    where.add_argument(
        "--wait",
        type=whole(0),
        default=_WAIT,
        metavar="SECONDS",
        help=f"how long to wait until an emulator is started (default {_WAIT})",
    )


def request_by(options: argparse.Namespace, tempo: Tempo) -> SessionRequest:
    """Returns the request of the options of `add_options`, with this tempo for both players."""
    if options.height is not None and options.type != "b":
        raise UsageError("--height is the height of the garbage in B-type: add --type b, or leave it out.")
    if options.type == "b" and (options.aim is not None or options.aggression is not None):
        raise UsageError("B-type is played with two pieces of lookahead: leave out --aim and --aggression.")
    return replace(
        place_by(options),
        seed=options.seed,
        tempos=(tempo, tempo),
        weights=(options.weights, options.weights),
        nodes=options.nodes,
        budget_ms=options.budget_ms,
        style=Style(options.aim, options.aggression, options.see_next),
        menu_choices=_menu_choices(options),
    )


def _menu_choices(options: argparse.Namespace) -> dict[str, int]:
    """Returns the number of each choice in the menus that an option sets."""
    given = {name: getattr(options, name) for name in MENU_CHOICES if getattr(options, name) is not None}
    return {name: found if (words := MENU_CHOICES[name]) is None else words[found] for name, found in given.items()}


def _words(choice: str) -> tuple[str, ...]:
    """Returns the words of the option that sets a choice in the menus."""
    return tuple(MENU_CHOICES[choice] or ())


def place_by(options: argparse.Namespace) -> SessionRequest:
    """Returns a request with the cartridge, emulator and map of `add_source` and `add_emulator` alone."""
    return SessionRequest(
        rom=options.rom,
        demo=options.demo,
        bridge=options.bridge,
        core=options.core,
        map=options.map,
        emu_speed=_EMU_SPEEDS[options.emu_speed],
        host=options.host,
        port=options.port,
        wait=options.wait,
        core_process=options.core_process == "on",
        say=say_nothing if options.quiet else announce,
    )


def tempo_of(speed: int | None, taps: str | None) -> Tempo:
    """Returns the tempo of a bot speed or of a tap rate. Raises UsageError if both are given."""
    if taps is not None and speed is not None:
        raise UsageError(f"Give a speed ({speed}) or --taps {taps}, not both: each sets how fast the pad is pressed.")
    return parse_taps(taps) if taps is not None else tempo_for_speed(FULL_SPEED if speed is None else speed)


def add_where(made: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add the options for where a running emulator listens."""
    made.add_argument("--host", help="where a running emulator listens (default 127.0.0.1)")
    made.add_argument("--port", type=whole(1, 65535), metavar="N", help="its port (default: the emulator's usual one)")
