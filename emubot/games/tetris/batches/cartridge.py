"""Placements of NES Tetris on a cartridge; knows no emulator."""

from __future__ import annotations

from emubot import games
from emubot.errors import UsageError
from emubot.games.batch import Batch, Console
from emubot.games.placing import CartridgePlayer, PlacedGame
from emubot.games.tetris.batches.placements import PlacementsBatch
from emubot.games.tetris.decode.map_checks import profile_of
from emubot.games.tetris.evaluation.names import GAME as NAME
from emubot.games.tetris.worlds import NesWorld
from emubot.tempo import parse_taps


def placed(world: NesWorld, console: Console) -> Batch:
    """Returns one A-type game of placements. Raises UsageError for a cartridge that is no NES Tetris of the release."""
    edition = games.open_edition(console.ram_map)
    if console.ram_map.family != NAME:
        raise UsageError(f"{console.ram_map.title} is no game of falling blocks, but one of {console.ram_map.family}.")
    profile = profile_of(console.ram_map)
    if profile is None or profile.name != world.release:
        has = "no release of NES Tetris" if profile is None else f"the release {profile.name}, not {world.release}"
        raise UsageError(f"The cartridge is {has}.")
    player = CartridgePlayer(console, edition, parse_taps(world.taps))
    return PlacedGame(PlacementsBatch(world, 1), console, player, {"level": world.start_level})
