"""From what is wanted to an open session: cartridge, map, bridges, seats; shared by play, maps learn and bench."""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.cli.common import plays_versus, say, whole
from emubot.errors import CoreNotFound, UsageError
from emubot.tempo import FULL_SPEED, Tempo, parse_taps, tempo_for_speed

if TYPE_CHECKING:
    from emubot.bridges import Bridge
    from emubot.cartridge import Cartridge
    from emubot.games.protocol import Game
    from emubot.pilot import Goal, Pilot
    from emubot.rammap import RamMap
    from emubot.weights import Weights

EMU_SPEEDS: Final = {"1": 1.0, "2": 2.0, "max": None}
_ASKED: Final = ("level", "colors")  # options that menus may be asked for by the same name


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to play, where and how, as the options say it. `human` is the port (0 or 1) that a person plays."""

    rom: Path | None = None
    demo: str | None = None
    bridge: str | None = None
    core: str | None = None
    map: str | None = None
    emu_speed: str = "max"
    seed: int = 0
    tempos: tuple[Tempo, Tempo] = (tempo_for_speed(FULL_SPEED), tempo_for_speed(FULL_SPEED))
    weights: tuple[str | None, str | None] = (None, None)
    asked: dict[str, int] = field(default_factory=dict)
    mode: str | None = None
    against_itself: bool = False
    human: int | None = None
    by_hand: bool = False  # whether a person can reach the menus: in a window
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """One bot's place: its bridge and port, its weights and hands; `leads` where it also chooses in the menus."""

    bridge: Bridge
    port: int
    leads: bool
    weights: Weights
    tempo: Tempo


@dataclass(slots=True)
class Session:
    """Everything that pilots need, opened; `bridges` are to be closed."""

    game: Game
    ram_map: RamMap
    bridges: list[Bridge]
    seats: list[Seat]
    asked: dict[str, int]
    waited: int  # frames in the menus before the first button

    @property
    def title(self) -> str:
        """The cartridge's name as its map lists it, or the map's."""
        known = (identity.title for identity in self.ram_map.identities if identity.sha1 == self.ram_map.sha1)
        return next(known, self.ram_map.title)

    def about(self, seat: Seat) -> dict[str, Any]:
        """What results and recordings say of where they come from."""
        from emubot import __version__

        facts = seat.bridge.facts
        return {
            "emubot": __version__,
            "game": self.game.name,
            "map": self.ram_map.name,
            "bridge": facts.name,
            "core": facts.emulator,
            "rom": facts.rom_identity,
            "taps": seat.tempo.name,
            "player": seat.port,
            "asked": self.asked,
        }

    def goal(self, pieces: int | None, games: int | None) -> Goal:
        """That goal, with what was asked of the menus."""
        from emubot.pilot import Goal

        return Goal(pieces, games, self.asked, self.waited)

    def pilot(self, seat: Seat, goal: Goal) -> Pilot:
        """A pilot on that seat."""
        from emubot.pilot import Pilot

        return Pilot(
            seat.bridge, goal, self.game, self.ram_map, seat.weights, seat.tempo, port=seat.port, leads=seat.leads
        )

    def close(self) -> None:
        """Close every bridge."""
        with contextlib.ExitStack() as stack:
            for bridge in self.bridges:
                stack.callback(bridge.close)


def add_options(made: argparse.ArgumentParser) -> None:
    """The options that say what to play, where and how."""
    from emubot.bridges import known_bridges
    from emubot.demos import IMAGES

    what = made.add_argument_group("what to play")
    source = what.add_mutually_exclusive_group()
    source.add_argument("--rom", type=Path, metavar="FILE", help="your own cartridge: an .nes file, or a .zip with one")
    source.add_argument("--demo", choices=tuple(IMAGES), help="the built-in demo cartridge of a game")
    what.add_argument(
        "--level", type=whole(0), metavar="N", help="start level (default 0; what there is, the map says)"
    )
    what.add_argument("--colors", type=whole(1), metavar="N", help="colours in play, where the menus offer a choice")
    what.add_argument(
        "--seed",
        type=whole(0),
        default=0,
        metavar="N",
        help="another game: N extra frames before START on a cartridge, the generator's seed on a simulator",
    )
    where = made.add_argument_group("where")
    where.add_argument(
        "--bridge", choices=known_bridges(), help="default: libretro; for --demo without a core: simulated"
    )
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


def wanted(options: argparse.Namespace, tempo: Tempo) -> Wanted:
    """What the options of `add_options` say, one player with this tempo."""
    asked = {name: getattr(options, name) for name in _ASKED if getattr(options, name) is not None}
    return Wanted(
        rom=options.rom,
        demo=options.demo,
        bridge=options.bridge,
        core=options.core,
        map=options.map,
        emu_speed=options.emu_speed,
        seed=options.seed,
        tempos=(tempo, tempo),
        weights=(options.weights, options.weights),
        asked=asked,
        quiet=options.quiet,
    )


def tempo_of(speed: int | None, taps: str | None) -> Tempo:
    """The tempo of a bot speed or of a tap rate; refuses both together."""
    if taps is not None and speed is not None:
        raise UsageError(f"Give a speed ({speed}) or --taps {taps}, not both: each sets how fast the pad is pressed.")
    return parse_taps(taps) if taps is not None else tempo_for_speed(FULL_SPEED if speed is None else speed)


def open_session(want: Wanted) -> Session:
    """Open what is wanted. Raises RomError, MapError, WeightsError, BridgeError or UsageError."""
    from emubot.games import game as family
    from emubot.rammap import load_map, map_for

    cartridge = _cartridge(want)
    if cartridge is not None:
        ram_map = load_map(want.map).for_identity(cartridge.sha1) if want.map else map_for(cartridge)
    elif want.bridge == "simulated":
        ram_map = load_map(want.map or family(want.demo or "tetris").default_map)
    else:
        return _attached(want, _third_party(want))
    game = family(ram_map.family)
    _refuse_early(want, game, ram_map)
    bridges = [_opened(want, game, ram_map, cartridge) for _ in range(_consoles(want, game))]
    return _seated(want, game, ram_map, bridges)


def _attached(want: Wanted, bridge: Bridge) -> Session:
    """A session on somebody else's bridge, whose cartridge is whatever runs there."""
    from emubot.games import game as family
    from emubot.rammap import load_map, map_for_identity

    try:
        ram_map = load_map(want.map) if want.map else map_for_identity(bridge.facts.rom_identity)
        game = family(ram_map.family)
        _refuse_early(want, game, ram_map)
        if _consoles(want, game) > 1:
            raise UsageError(f"AIvsAI on {ram_map.title} needs two consoles, and the {want.bridge} bridge is one.")
        return _seated(want, game, ram_map, [bridge])
    except BaseException:
        bridge.close()
        raise


def _cartridge(want: Wanted) -> Cartridge | None:
    from emubot.cartridge import load_cartridge
    from emubot.demos import image

    if want.bridge not in (None, "libretro"):
        if want.rom is not None:
            raise UsageError(
                f"The {want.bridge} bridge opens no cartridge file: leave out --rom, or take --bridge libretro."
            )
        return None
    if want.rom is None and want.demo is None:
        raise UsageError("Nothing to play: name your cartridge with --rom FILE, or take the built-in --demo tetris.")
    return load_cartridge(want.rom or image(want.demo or ""))


def _consoles(want: Wanted, game: Game) -> int:
    """Two where a game that has nothing for two is to be played against itself."""
    return 2 if want.against_itself and not plays_versus(game) else 1


def _refuse_early(want: Wanted, game: Game, ram_map: RamMap) -> None:
    """What cannot be played is told before an emulator is opened."""
    if want.human is not None and not plays_versus(game):
        raise UsageError(f"--human: {ram_map.title} has no game for two that a person and the bot could play.")
    if want.mode is not None and want.mode not in game.modes:
        names = ", ".join(game.modes) or "none"
        raise UsageError(f"--mode {want.mode}: {ram_map.title} has no such mode to choose; it has: {names}.")
    for tempo, weights in zip(want.tempos, want.weights, strict=True):
        game.thinker(ram_map, _weights(game, weights), tempo)  # refuses weights of another game
    ram_map.menu_step(bytes(ram_map.space_range[1]), _asked(want, game, ram_map))  # refuses what the menus cannot give
    if _for_two(want, game) and "mode" not in ram_map.asked and not want.by_hand:
        raise UsageError(
            f"The map {ram_map.name} does not know the way to the game for two: "
            "take --view window and choose it yourself."
        )


def _for_two(want: Wanted, game: Game) -> bool:
    """Whether two are to meet on one console."""
    return plays_versus(game) and (want.against_itself or want.human is not None)


def _asked(want: Wanted, game: Game, ram_map: RamMap) -> dict[str, int]:
    """What the menus are asked for; the game for two only where the map knows the way to it."""
    if _for_two(want, game):
        return {**want.asked, "mode": game.modes["versus"]} if "mode" in ram_map.asked else want.asked
    return {**want.asked, "mode": game.modes[want.mode]} if want.mode is not None else want.asked


def _weights(game: Game, name: str | None) -> Weights:
    from emubot.weights import load_weights

    return load_weights(name or game.default_weights)


def _seated(want: Wanted, game: Game, ram_map: RamMap, bridges: list[Bridge]) -> Session:
    places = [(bridge, 0, True) for bridge in bridges]
    knows_the_way = "mode" in ram_map.asked
    if _for_two(want, game) and not knows_the_way and not want.quiet:
        say("emubot: choose the game for two yourself, with the keys of port 1; the bot takes over when it begins.")
    if want.human is not None:  # port 1's player chooses in the menus
        places = [(bridges[0], 1 - want.human, want.human == 1 and knows_the_way)]
    elif _for_two(want, game):
        places = [(bridges[0], 0, knows_the_way), (bridges[0], 1, False)]
    seats = [
        Seat(bridge, port, leads, _weights(game, want.weights[number]), want.tempos[number])
        for number, (bridge, port, leads) in enumerate(places)
    ]
    simulated = bridges[0].facts.name == "simulated"
    return Session(game, ram_map, bridges, seats, _asked(want, game, ram_map), 0 if simulated else want.seed)


def _opened(want: Wanted, game: Game, ram_map: RamMap, cartridge: Cartridge | None) -> Bridge:
    """A libretro core; the simulated bridge where asked for, or for a demo where no core is installed."""
    from emubot.bridges import open_bridge

    if cartridge is None:
        return _simulated(want, game, ram_map)
    try:
        return open_bridge("libretro", rom=cartridge, core=want.core, emu_speed=EMU_SPEEDS[want.emu_speed])
    except CoreNotFound as missing:
        if want.demo is None or want.core is not None or want.bridge is not None:
            raise
        if not want.quiet:
            say(f"emubot: {missing}")
            say("emubot: playing the demo on the simulator instead (--bridge simulated).")
        return _simulated(replace(want, bridge="simulated"), game, ram_map)


def _simulated(want: Wanted, game: Game, ram_map: RamMap) -> Bridge:
    import numpy as np

    from emubot.bridges import open_bridge

    even = want.against_itself and not plays_versus(game)
    machine = game.simulator(ram_map, np.random.default_rng(want.seed), even)
    return open_bridge("simulated", machine=machine, emu_speed=EMU_SPEEDS[want.emu_speed])


def _third_party(want: Wanted) -> Bridge:
    from emubot.bridges import open_bridge

    return open_bridge(str(want.bridge))


def compile_kernels(game: Game, quiet: bool, self_play: bool = False) -> None:
    """Load the compiled search, or compile it once with a progress line that says so."""
    from emubot.jit import is_warm, kernel_scope, warm_up

    jobs, scope = game.kernels(self_play), kernel_scope(type(game).__module__)
    purpose = "self-play" if self_play else "play"
    if quiet or is_warm(scope, purpose):
        warm_up(jobs, scope, purpose=purpose)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    title = "Compiling for this machine, first start only"
    done = TextColumn("{task.completed}/{task.total}")
    columns = (TextColumn("{task.description}"), BarColumn(), done, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=len(jobs))
        done_before = iter(range(len(jobs)))

        def begins(name: str) -> None:
            bar.update(task, description=f"{title}: {name}", completed=next(done_before))

        warm_up(jobs, scope, begins, purpose)
        bar.update(task, description=title, completed=len(jobs))


def set_up_logging(verbose: int, quiet: bool) -> None:
    """Warnings to stderr; with -v what the pilot notices, with -vv everything."""
    level = logging.ERROR if quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logging.basicConfig(stream=sys.stderr, level=level, format="emubot: %(message)s")
