"""Game families, one package each, with the same room names in each; never imports a bridge."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, cast

from emubot.errors import UsageError
from emubot.text import did_you_mean

if TYPE_CHECKING:
    from emubot.games.edition import Edition
    from emubot.games.protocol import Game
    from emubot.rammap import RamMap

BUILT_IN: Final = {
    "tetris": "emubot.games.tetris.family",
    "puyo": "emubot.games.colours.puyo",
    "matching": "emubot.games.colours.matching",
}
_GROUP: Final = "emubot.games"


def names() -> list[str]:
    """Returns the names of all families, as lists show them: the built-in ones, then those of installed packages."""
    return list(dict.fromkeys([*BUILT_IN, *sorted(entry.name for entry in entry_points(group=_GROUP))]))


def game(name: str) -> Game:
    """Returns a family by its name. Raises UsageError if there is none, or if an installed one cannot be loaded."""
    if name in BUILT_IN:
        return cast("Game", import_module(BUILT_IN[name]).GAME)
    for entry in entry_points(group=_GROUP, name=name):
        try:
            return cast("Game", entry.load())
        except Exception as failure:  # a third-party package may raise anything; the message names it
            raise UsageError(
                f"The game {name!r} of the package {entry.value} cannot be loaded: {failure}."
            ) from failure
    known = names()
    raise UsageError(f"There is no game {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}.")


def open_edition(ram_map: RamMap) -> Edition:
    """Returns the family of a map as its cartridge plays it. Raises UsageError as `game`, MapError as `Game.open`."""
    return game(ram_map.family).open(ram_map)
