"""The environments of pairs and of matching games: their names, and what makes them; imports no kernels by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emubot.games.colours.worlds import MatchingWorld, PuyoMatchWorld, PuyoWorld
from emubot.games.offers import EnvironmentOffer

if TYPE_CHECKING:
    from emubot.games.batch import Batch, Console


def _alone(world: PuyoWorld, games: int) -> Batch:
    from emubot.games.colours.batches.pairs import PairsBatch

    return PairsBatch(world, games)


def _match(world: PuyoMatchWorld, games: int) -> Batch:
    from emubot.games.colours.batches.pairs import PairsBatch

    return PairsBatch(world, games, seats=2)


def _matching(world: MatchingWorld, games: int) -> Batch:
    from emubot.games.colours.batches.matching import MatchingBatch

    return MatchingBatch(world, games)


def _alone_on(world: PuyoWorld, console: Console) -> Batch:
    from emubot.games.colours.batches.cartridge import placed_pairs

    return placed_pairs(world, console)


def _matching_on(world: MatchingWorld, console: Console) -> Batch:
    from emubot.games.colours.batches.cartridge import placed_pieces

    return placed_pieces(world, console)


PAIRS: Final = (
    EnvironmentOffer("FamicomPuyo", "pairs without time: a step drops a pair", PuyoWorld, _alone, on_console=_alone_on),
    EnvironmentOffer(
        "FamicomPuyoMatch", "two players of pairs, who send nuisance to each other", PuyoMatchWorld, _match, seats=2
    ),
)
MATCHING: Final = (
    EnvironmentOffer(
        "Capsules",
        "lines of a colour without time: a step drops a piece",
        MatchingWorld,
        _matching,
        on_console=_matching_on,
    ),
)
