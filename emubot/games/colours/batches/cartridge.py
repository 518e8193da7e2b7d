"""Pairs and matching games on a cartridge, by placements or frame by frame; knows no emulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from emubot import games
from emubot.errors import UsageError
from emubot.games.batch import Batch, Console
from emubot.games.colours.batches.console import ConsoleBatch
from emubot.games.colours.batches.field_frames import FieldFrames
from emubot.games.colours.batches.matching import MatchingBatch
from emubot.games.colours.batches.matching_frames import MatchingFramesBatch
from emubot.games.colours.batches.pairs import PairsBatch
from emubot.games.colours.batches.pairs_frames import PairsFramesBatch
from emubot.games.colours.matching_rules import PACES
from emubot.games.colours.worlds import MatchingWorld, PuyoWorld
from emubot.games.offers import FRAMES
from emubot.games.placing import CartridgePlayer, PlacedBatch, PlacedGame
from emubot.tempo import parse_taps

_PAIRS, _MATCHING = "puyo", "matching"
_ITEMS: Final = ("", "items", 0)  # they follow rules that the environment does not have
_Asked = tuple[str, str, int | None]  # an option, the choice of a menu, and its number; None leaves it


def pairs_on(world: PuyoWorld, console: Console) -> Batch:
    """Returns one game of pairs. Raises UsageError for a cartridge of another game, of other rules or choices."""
    _check(world, console, _PAIRS)
    colors = ("colors", "colors", world.colors)
    if world.actions == FRAMES:
        choices = _choices(world, console, (_ITEMS, colors, ("start_level", "level", world.start_level)))
        return _framed(PairsFramesBatch(world, 1), world, console, choices)
    return _placed(PairsBatch(world, 1), world, console, _choices(world, console, (_ITEMS, colors)))


def pieces_on(world: MatchingWorld, console: Console) -> Batch:
    """Returns one game of capsules or columns; raises as `pairs_on` does."""
    _check(world, console, _MATCHING)
    stage, colors = ("stage", "level", world.stage), ("colors", "colors", world.colors)
    if world.actions == FRAMES:
        choices = _choices(world, console, (stage, colors, ("pace", "pace", PACES.index(world.pace))))
        return _framed(MatchingFramesBatch(world, 1), world, console, choices)
    return _placed(MatchingBatch(world, 1), world, console, _choices(world, console, (stage, colors)))


def _check(world: PuyoWorld | MatchingWorld, console: Console, family: str) -> None:
    ram_map = console.ram_map
    if ram_map.family != family or ram_map.profile != world.rules:
        raise UsageError(
            f"{ram_map.title} is a game of {ram_map.family} by {ram_map.profile or 'no rules that are known'}, and not "
            f"of {family} by {world.rules}."
        )
    if world.gravity:
        raise UsageError("A cartridge has its own gravity: leave the option out.")


def _choices(world: PuyoWorld | MatchingWorld, console: Console, asked: tuple[_Asked, ...]) -> Mapping[str, int]:
    """Returns the choices of the menus. Raises UsageError for an option that was given and that they do not offer."""
    ram_map = console.ram_map
    for option, choice, _ in asked:
        if option in world.given and choice not in ram_map.menu_choices:
            raise UsageError(f"The menus of {ram_map.title} offer no choice of {option}: leave the option out.")
    return {choice: number for _, choice, number in asked if number is not None and choice in ram_map.menu_choices}


def _framed(
    model: FieldFrames, world: PuyoWorld | MatchingWorld, console: Console, choices: Mapping[str, int]
) -> Batch:
    return ConsoleBatch(model, console, choices, world.frame_skip, world.cap)


def _placed(
    model: PlacedBatch, world: PuyoWorld | MatchingWorld, console: Console, choices: Mapping[str, int]
) -> Batch:
    player = CartridgePlayer(console, games.open_edition(console.ram_map), parse_taps(world.taps))
    return PlacedGame(model, console, player, choices)
