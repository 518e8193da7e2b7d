"""The options for what to play, where and how, and the request made from them; opens nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from emubot.bridges import AS_SET, EmuSpeed
from emubot.cli.common import Parser, announce, whole
from emubot.cli.game_options import add_shared
from emubot.errors import UsageError
from emubot.games.declared import all_options, demos, merged
from emubot.games.options import usual_of
from emubot.games.strength import Strength
from emubot.human_error import USUAL_ERROR, parse_human_error
from emubot.session import SessionRequest
from emubot.session.request import say_nothing
from emubot.tempo import FULL_SPEED, Tempo, parse_taps, tempo_for_speed

_EMU_SPEEDS: Final[dict[str | None, EmuSpeed]] = {None: AS_SET, "1": 1.0, "2": 2.0, "max": None}
_WAIT: Final = 60  # seconds in which a person can start an emulator
_BUDGET: Final = ("nodes", "budget_ms")  # one of them


def add_options(made: Parser, families: Sequence[str] | None = None) -> argparse._ArgumentGroup:
    """Add the options for what to play, where and how; those of games are of these families (None: all).

    Returns the group of what to play.
    """
    made.set_defaults(families=families)
    what = add_source(made, "what to play", families)
    declared = all_options(families)
    for own in declared.values():
        made.usual |= usual_of([*own.menus, *own.strength])
    for shared in merged({name: own.menus for name, own in declared.items()}):
        add_shared(what, shared)
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
    strength = merged({name: own.strength for name, own in declared.items()})
    # Usage cannot be written of a group without options (Python 3.11), and a family may have none of these.
    budget = how.add_mutually_exclusive_group() if any(one.option.name in _BUDGET for one in strength) else how
    for shared in strength:
        add_shared(budget if shared.option.name in _BUDGET else how, shared)
    how.add_argument(
        "--taps",
        metavar="12hz|das|PATTERN",
        help="an input rate instead of a speed: 10hz 12hz 15hz 20hz 30hz, das, or a pattern such as ..X.... "
        "(2 frames of reaction, one input every 5)",
    )
    how.add_argument(
        "--human-error",
        metavar="FRAMES[:SHARE]",
        help="press like a person: taps stray by so many frames (a standard deviation), and this share of them is "
        f"missed; or usual, which is {USUAL_ERROR}",
    )
    return what


def add_source(
    made: argparse.ArgumentParser, title: str, families: Sequence[str] | None = None
) -> argparse._ArgumentGroup:
    """Add the options for the cartridge, with the demos of these families (None: all); returns their group."""
    what = made.add_argument_group(title)
    source = what.add_mutually_exclusive_group()
    source.add_argument("--rom", type=Path, metavar="FILE", help="your own cartridge: an .nes file, or a .zip with one")
    source.add_argument("--demo", choices=tuple(demos(families)), help="the built-in demo cartridge of a game")
    return what


def add_emulator(made: argparse.ArgumentParser) -> None:
    """Add the options for the emulator and the map."""
    from emubot.bridges import known_bridges

    where = made.add_argument_group("where")
    where.add_argument(
        "--bridge",
        choices=known_bridges(),
        help="the emulator; default: libretro for --rom and --demo (simulated for --demo if no core is installed), "
        "otherwise the first running one of nintaco, fceux, retroarch, mesen and bizhawk",
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
    """Returns the request of the options of `add_options`, the same for both players, with this tempo."""
    menus, strength = _given(options)
    style = {name: strength[name] for name in ("aim", "aggression", "see_next", "threads") if name in strength}
    own = Strength(strength.get("nodes"), strength.get("budget_ms"), **style)
    return replace(
        place_by(options),
        seed=options.seed,
        tempos=(tempo, tempo),
        weights=(options.weights, options.weights),
        strengths=(own, own),
        aware=strength.get("rng") == "aware",
        human_error=None if options.human_error is None else parse_human_error(options.human_error),
        menu_choices=menus,
    )


def _given(options: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the choices in menus and those of strength that were given, by name.

    Raises UsageError if they do not go together in any family that has them; a demo's family is known.
    """
    families = all_options(options.families)
    played = families if options.demo is None else all_options([demos(options.families)[options.demo]])
    menus, strength = (
        {
            one.name: getattr(options, one.name)
            for own in families.values()
            for one in getattr(own, part)
            if getattr(options, one.name) not in (None, one.default)
        }
        for part in ("menus", "strength")
    )
    wrong = []
    for own in played.values():
        if {one.name for one in (*own.menus, *own.strength)} >= menus.keys() | strength.keys():
            try:
                own.check(menus | strength)
            except UsageError as refusal:
                wrong.append(refusal)
            else:
                return menus, strength
    if wrong:
        raise wrong[0]
    return menus, strength


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
