"""Placements of pairs and of matching games on a cartridge; knows no emulator."""

from __future__ import annotations

from typing import Final

from emubot import games
from emubot.errors import UsageError
from emubot.games.batch import Batch, Console
from emubot.games.colours.batches.matching import MatchingBatch
from emubot.games.colours.batches.pairs import PairsBatch
from emubot.games.colours.worlds import MatchingWorld, PuyoWorld
from emubot.games.placing import CartridgePlayer, PlacedBatch, PlacedGame
from emubot.tempo import parse_taps

_PAIRS, _MATCHING = "puyo", "matching"
_NO_ITEMS: Final = {"items": 0}  # they follow rules that the environment does not have


def placed_pairs(world: PuyoWorld, console: Console) -> Batch:
    """Returns one game of pairs. Raises UsageError for a cartridge of another game or of other rules."""
    colors = {} if world.colors is None else {"colors": world.colors}
    return _placed(PairsBatch(world, 1), world, console, _PAIRS, {**_NO_ITEMS, **colors})


def placed_pieces(world: MatchingWorld, console: Console) -> Batch:
    """Returns one game of capsules or columns; raises as `placed_pairs` does."""
    return _placed(MatchingBatch(world, 1), world, console, _MATCHING, {"level": world.stage})


def _placed(
    model: PlacedBatch, world: PuyoWorld | MatchingWorld, console: Console, family: str, choices: dict[str, int]
) -> Batch:
    ram_map = console.ram_map
    if ram_map.family != family or ram_map.profile != world.rules:
        raise UsageError(
            f"{ram_map.title} is a game of {ram_map.family} by {ram_map.profile or 'no rules that are known'}, and not "
            f"of {family} by {world.rules}."
        )
    if world.gravity:
        raise UsageError("A cartridge has its own gravity: leave the option out.")
    player = CartridgePlayer(console, games.open_edition(ram_map), parse_taps(world.taps))
    known = {name: number for name, number in choices.items() if name in ram_map.menu_choices}
    return PlacedGame(model, console, player, known)
