"""Our families with every part that they have, as checkers see them."""

from __future__ import annotations

from typing import Protocol, cast

from emubot import games
from emubot.games.protocol import Compiled, Depictable, Game, Measurable, Replayable, Simulated


class WholeGame(Game, Simulated, Replayable, Depictable, Measurable, Compiled, Protocol):
    """A family that has every optional part."""


def whole_game(name: str) -> WholeGame:
    """One of our families, or an installed one that has every part."""
    game = games.game(name)
    for part in (Simulated, Replayable, Depictable, Measurable, Compiled):
        assert isinstance(game, part), f"{name} lacks {part.__name__}"
    return cast(WholeGame, game)
