"""From options to an open session: cartridge, map, core, weights, pilot; shared by play, trace record and bench."""

from __future__ import annotations

import argparse
import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.cli.common import say, whole
from emubot.errors import CoreNotFound, UsageError
from emubot.tempo import FULL_SPEED, Tempo, parse_taps, tempo_for_speed

if TYPE_CHECKING:
    from emubot.bridges import Bridge
    from emubot.games.protocol import Game
    from emubot.rammap import RamMap
    from emubot.weights import Weights

DEMOS: Final = ("tetris",)
BRIDGES: Final = ("libretro", "simulated")
EMU_SPEEDS: Final = {"1": 1.0, "2": 2.0, "max": None}
HIGHEST_LEVEL: Final = 19


@dataclass(slots=True)
class Session:
    """Everything a pilot needs, opened; `core` is the emulator's own name and version."""

    game: Game
    ram_map: RamMap
    bridge: Bridge
    weights: Weights
    tempo: Tempo

    @property
    def title(self) -> str:
        """The cartridge's name as its map lists it, or the map's."""
        known = (identity.title for identity in self.ram_map.identities if identity.sha1 == self.ram_map.sha1)
        return next(known, self.ram_map.title)

    @property
    def about(self) -> dict[str, Any]:
        """What results and recordings say of where they come from."""
        from emubot import __version__

        facts = self.bridge.facts
        return {
            "emubot": __version__,
            "game": self.game.name,
            "map": self.ram_map.name,
            "bridge": facts.name,
            "core": facts.emulator,
            "rom": facts.rom_identity,
            "taps": self.tempo.name,
        }


def add_options(made: argparse.ArgumentParser) -> None:
    """The options that say what to play, where and how."""
    what = made.add_argument_group("what to play")
    source = what.add_mutually_exclusive_group()
    source.add_argument("--rom", type=Path, metavar="FILE", help="your own cartridge: an .nes file, or a .zip with one")
    source.add_argument("--demo", choices=DEMOS, help="the built-in demo cartridge of a game")
    levels = whole(0, HIGHEST_LEVEL)
    what.add_argument("--level", type=levels, default=0, metavar="N", help="start level 0-19 (default 0)")
    what.add_argument(
        "--seed",
        type=whole(0),
        default=0,
        metavar="N",
        help="another game: N extra frames before START on a cartridge, the generator's seed on a simulator",
    )
    what.add_argument("--pieces", type=whole(1), metavar="N", help="stop after N pieces, with new games as needed")
    what.add_argument("--games", type=whole(1), metavar="N", help="stop after N games (default 1, without --pieces)")
    where = made.add_argument_group("where")
    where.add_argument("--bridge", choices=BRIDGES, help="default: libretro; for --demo without a core: simulated")
    where.add_argument("--core", metavar="NAME|PATH", help="libretro core: nestopia, fceumm or a *_libretro file")
    where.add_argument("--map", metavar="FILE|NAME", help="address map (default: the one that lists the cartridge)")
    where.add_argument("--emu-speed", choices=EMU_SPEEDS, default="1", help="the emulator's speed (default 1)")
    how = made.add_argument_group("how")
    how.add_argument("--weights", metavar="FILE|NAME", help="evaluation weights (default: the game's own)")
    how.add_argument(
        "--taps",
        metavar="12hz|das|PATTERN",
        help="an input rate instead of a speed: 10hz 12hz 15hz 20hz 30hz, das, or a pattern such as ..X.... "
        "(2 frames of reaction, one input every 5)",
    )


def tempo_of(speed: int | None, taps: str | None) -> Tempo:
    """The tempo of a bot speed or of a tap rate; refuses both together."""
    if taps is not None and speed is not None:
        raise UsageError(f"Give a speed ({speed}) or --taps {taps}, not both: each sets how fast the pad is pressed.")
    return parse_taps(taps) if taps is not None else tempo_for_speed(FULL_SPEED if speed is None else speed)


def open_session(options: argparse.Namespace, tempo: Tempo) -> Session:
    """Open what the options ask for. Raises RomError, MapError, WeightsError, BridgeError or UsageError."""
    from emubot.games import game as family
    from emubot.rammap import load_map, map_for
    from emubot.weights import load_weights

    rom = _rom(options)
    cartridge = None
    if options.bridge == "simulated":
        if options.rom is not None:
            raise UsageError("The simulated bridge runs no cartridge: leave out --rom, or take --bridge libretro.")
        ram_map = load_map(options.map or family(options.demo or DEMOS[0]).default_map)
    else:
        from emubot.cartridge import load_cartridge

        cartridge = load_cartridge(rom)
        ram_map = load_map(options.map).for_identity(cartridge.sha1) if options.map else map_for(cartridge)
    game = family(ram_map.family)
    weights = load_weights(options.weights or game.default_weights)
    game.thinker(ram_map, weights, tempo)  # refuses weights of another game before an emulator is opened
    simulated = cartridge is None
    bridge = _simulated(game, ram_map, options) if simulated else _emulated(game, ram_map, cartridge, options)
    return Session(game, ram_map, bridge, weights, tempo)


def _rom(options: argparse.Namespace) -> Path:
    if options.rom is not None:
        return Path(options.rom)
    if options.demo is not None:
        from emubot.demos import image

        return image(options.demo)
    if options.bridge == "simulated":
        return Path()
    raise UsageError("Nothing to play: name your cartridge with --rom FILE, or take the built-in --demo tetris.")


def _emulated(game: Game, ram_map: RamMap, cartridge: Any, options: argparse.Namespace) -> Bridge:
    """A libretro core; the simulated bridge for a demo where no core is installed and none was asked for."""
    from emubot.bridges import open_bridge

    try:
        return open_bridge("libretro", rom=cartridge, core=options.core, emu_speed=EMU_SPEEDS[options.emu_speed])
    except CoreNotFound as missing:
        if options.demo is None or options.core is not None or options.bridge is not None:
            raise
        if not options.quiet:
            say(f"emubot: {missing}")
            say("emubot: playing the demo on the simulator instead (--bridge simulated).")
        return _simulated(game, ram_map, options)


def _simulated(game: Game, ram_map: RamMap, options: argparse.Namespace) -> Bridge:
    import numpy as np

    from emubot.bridges import open_bridge

    machine = game.simulator(ram_map, np.random.default_rng(options.seed))
    return open_bridge("simulated", machine=machine, emu_speed=EMU_SPEEDS[options.emu_speed])


def compile_kernels(game: Game, quiet: bool) -> None:
    """Load the compiled search, or compile it once with a progress line that says so."""
    from emubot.jit import is_warm, warm_up

    jobs = game.kernels()
    if quiet or is_warm():
        warm_up(jobs)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    title = "Compiling for this machine, first start only"
    done = TextColumn("{task.completed}/{task.total}")
    columns = (TextColumn("{task.description}"), BarColumn(), done, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=len(jobs))
        names = iter(range(len(jobs)))
        warm_up(jobs, lambda name: bar.update(task, description=f"{title}: {name}", completed=next(names)))
        bar.update(task, description=title, completed=len(jobs))


def set_up_logging(verbose: int, quiet: bool) -> None:
    """Warnings to stderr; with -v what the pilot notices, with -vv everything."""
    level = logging.ERROR if quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logging.basicConfig(stream=sys.stderr, level=level, format="emubot: %(message)s")
