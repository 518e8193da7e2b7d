"""Cartridges that are no games of falling pieces, though something moves, falls or fills cells: nothing fits them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.toys.strangers.drawing import Draw, problem, switches
from tests.toys.strangers.switches import KINDS, Stranger

NONGAMES = KINDS[1:]
_IN_PIXELS = ("pointing", "paddle", "jumping")


def nongame(seed: int) -> Stranger:
    """Returns the cartridge of this seed; eight seeds in a row are of eight kinds."""
    kind = NONGAMES[seed % len(NONGAMES)]
    draw = Draw(np.random.default_rng([seed, 5]))
    while True:
        drawn = Stranger(seed, **switches(draw))
        drawn = replace(
            drawn,
            kind=kind,
            drifts=draw.chance(0.5),
            speed=draw.number(2, 6) if kind == "scrolling" else draw.number(8, 30),
            demo=0,
            sprites=drawn.sprites or kind in _IN_PIXELS,
        )
        if problem(drawn) is None:
            return drawn
