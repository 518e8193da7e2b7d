"""The environments of pairs and of matching games: their names, and what makes them; imports no kernels by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emubot.errors import UsageError
from emubot.games.colours.worlds import MatchingWorld, PuyoMatchWorld, PuyoWorld
from emubot.games.offers import FRAMES, EnvironmentOffer

if TYPE_CHECKING:
    from emubot.games.batch import Batch, Console

_SEATS: Final = 2  # of a match


def _by_frames(world: PuyoWorld | MatchingWorld) -> bool:
    if world.actions == FRAMES and world.gravity:
        raise UsageError("By frames a game has its own gravity: leave the option out.")
    return world.actions == FRAMES


def _alone(world: PuyoWorld, games: int) -> Batch:
    return _pairs(world, games, 1)


def _match(world: PuyoMatchWorld, games: int) -> Batch:
    return _pairs(world, games, _SEATS)


def _pairs(world: PuyoWorld, games: int, seats: int) -> Batch:
    if _by_frames(world):
        from emubot.games.colours.batches.pairs_frames import PairsFramesBatch

        return PairsFramesBatch(world, games, seats)
    from emubot.games.colours.batches.pairs import PairsBatch

    return PairsBatch(world, games, seats)


def _matching(world: MatchingWorld, games: int) -> Batch:
    if _by_frames(world):
        from emubot.games.colours.batches.matching_frames import MatchingFramesBatch

        return MatchingFramesBatch(world, games)
    from emubot.games.colours.batches.matching import MatchingBatch

    return MatchingBatch(world, games)


def _alone_on(world: PuyoWorld, console: Console) -> Batch:
    from emubot.games.colours.batches.cartridge import pairs_on

    return pairs_on(world, console)


def _matching_on(world: MatchingWorld, console: Console) -> Batch:
    from emubot.games.colours.batches.cartridge import pieces_on

    return pieces_on(world, console)


PAIRS: Final = (
    EnvironmentOffer("FamicomPuyo", "pairs, by placements or frame by frame", PuyoWorld, _alone, on_console=_alone_on),
    EnvironmentOffer(
        "FamicomPuyoMatch",
        "two players of pairs, who send nuisance to each other",
        PuyoMatchWorld,
        _match,
        seats=_SEATS,
    ),
)
MATCHING: Final = (
    EnvironmentOffer(
        "Capsules",
        "lines of a colour, by placements or frame by frame",
        MatchingWorld,
        _matching,
        on_console=_matching_on,
    ),
)
