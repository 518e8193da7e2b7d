"""What falling blocks offer to the arena; knows no rule."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from emubot.games.offers import Bot, Demo, GameOffer, Offers

_LINES: Final = ((1, 1), (2, 6), (3, 12), (4, 24))  # cleared at once: a single unit, one, two and four rows
_MARGIN: Final = 0.05

OFFERS: Final = Offers(
    games=(
        GameOffer("blocks", "Falling blocks", "nes_tetris_usa", _LINES, margin=_MARGIN),
        GameOffer("blocks-pal", "Falling blocks, 50 Hz", "nes_tetris_europe", _LINES, margin=_MARGIN),
    ),
    bots=MappingProxyType({"gentle": Bot("lowest", 0), "easy": Bot("lowest-holes-bumps", 0), "middle": Bot(nodes=0)}),
    demos=(Demo("tetris", "falling blocks"),),
)
