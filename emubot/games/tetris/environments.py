"""The environments of falling blocks: their names, and what makes their games; imports no kernels by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emubot.games.offers import PLACEMENTS, EnvironmentOffer
from emubot.games.tetris.worlds import NesWorld, TextbookWorld

if TYPE_CHECKING:
    from emubot.games.batch import Batch, Console


def _nes(world: NesWorld, games: int) -> Batch:
    if world.actions == PLACEMENTS:
        from emubot.games.tetris.batches.placements import PlacementsBatch

        return PlacementsBatch(world, games)
    from emubot.games.tetris.batches.frames import FramesBatch

    return FramesBatch(world, games)


def _nes_cartridge(world: NesWorld, console: Console) -> Batch:
    if world.actions == PLACEMENTS:
        from emubot.games.tetris.batches.cartridge import placed

        return placed(world, console)
    from emubot.games.tetris.batches.console import ConsoleBatch

    return ConsoleBatch(world, console)


def _textbook(world: TextbookWorld, games: int) -> Batch:
    from emubot.games.tetris.batches.textbook import TextbookBatch

    return TextbookBatch(world, games)


ENVIRONMENTS: Final = (
    EnvironmentOffer("NESTetris", "falling blocks as NES Tetris plays them", NesWorld, _nes, on_console=_nes_cartridge),
    EnvironmentOffer("TextbookTetris", "falling blocks without time: a step drops a piece", TextbookWorld, _textbook),
)
