"""Our families and their editions with every part that they have, as checkers see them."""

from __future__ import annotations

from typing import Any, Protocol, cast

from emubot import games
from emubot.games.edition import Depiction, Edition, GameRecorder, Simulator
from emubot.games.explainer import Explainer
from emubot.games.protocol import Compiled, Game, Measurable, Replayable
from emubot.games.thinker import Engine, EngineThinker
from emubot.games.thinking import Thinker
from emubot.rammap import RamMap, load_map


class WholeGame(Game, Replayable, Measurable, Compiled, Protocol):
    """A family that has every optional part."""


class WholeEdition(Edition, Protocol):
    """An edition with every part but foresight; tests ask for the explainer of those that have one."""

    @property
    def simulator(self) -> Simulator: ...

    @property
    def recorder(self) -> GameRecorder: ...

    @property
    def depiction(self) -> Depiction: ...

    @property
    def explainer(self) -> Explainer: ...


def whole_game(name: str) -> WholeGame:
    """One of our families, or an installed one that has every part."""
    game = games.game(name)
    for part in (Replayable, Measurable, Compiled):
        assert isinstance(game, part), f"{name} lacks {part.__name__}"
    return cast(WholeGame, game)


def whole_edition(ram_map: RamMap) -> WholeEdition:
    """The edition of a map."""
    edition = games.open_edition(ram_map)
    for name in ("simulator", "recorder", "depiction"):
        assert getattr(edition, name) is not None, f"{ram_map.family} lacks {name}"
    return cast(WholeEdition, edition)


def default_edition(name: str) -> WholeEdition:
    """The edition of a family's own map."""
    return whole_edition(load_map(games.game(name).facts.default_map))


def engine_of(thinker: Thinker) -> Engine[Any, Any]:
    """The engine of one of our thinkers."""
    assert isinstance(thinker, EngineThinker)
    return thinker.engine
