"""Plays until a row vanishes, to tell by it which of two readings of a table of rows is right; knows no names."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from emubot.discovery.drops import Drop, Dropper, GoneAstray
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History
from emubot.discovery.pieces import height, random_pads
from emubot.discovery.tables import RowTable, row_table
from emubot.pad import Pad

_GAMES: Final = 3
_PIECES: Final = 60  # of a game
_TRIES: Final = 5  # places that each piece is dropped at; the game goes on from the best one


def with_right_table(dropper: Dropper, state: bytes, geometry: Geometry) -> Geometry:
    """Returns the board with the reading of its table by which rows sink where others vanish.

    `state` is a moment with an empty board. Row numbers may be read from either end of their table; pointers may not.
    If no row vanishes, both readings are returned.
    """
    table = geometry.table
    if table is None or table.high is not None:
        return geometry
    starts = geometry.lattice.cells(geometry.rows)[:, 0] // geometry.lattice.packing.each
    other = row_table(dropper.lab.replay(state, [Pad.NONE]), starts, against=True)
    if other is None:
        return geometry
    images = _vanished(dropper, state, geometry, table)
    if images is None:
        return replace(geometry, other_table=other)
    return geometry if table.sinks(images, geometry.rows) else replace(geometry, table=other)


def _vanished(dropper: Dropper, state: bytes, geometry: Geometry, table: RowTable) -> History | None:
    """Returns an image with the table as it was, and one after it changed; None if no row vanished in a few games."""
    rng, still = np.random.default_rng(0), replace(geometry, table=None)  # rows do not move before
    for _ in range(_GAMES):
        here, first = state, dropper.lab.replay(state, [Pad.NONE])
        before = table.starts(first, geometry.rows)
        for _ in range(_PIECES):
            tried = list(_dropped(dropper, here, geometry, rng))
            for drop in tried:
                if (table.starts(drop.rested, geometry.rows) != before).any():
                    return np.concatenate([first, drop.rested])
            if not tried:
                break
            # A piece that is drawn stands in the cells; the next one must not be there yet.
            best = min(tried, key=lambda drop: height(still.filled(drop.last if geometry.drawn else drop.rested)[0]))
            here = best.next_state
    return None


def _dropped(dropper: Dropper, here: bytes, geometry: Geometry, rng: np.random.Generator) -> list[Drop]:
    turns, drops = [button for button in (Pad.A, Pad.B, Pad.UP) if button is not dropper.hand.at_once], []
    for _ in range(_TRIES):
        try:
            drops.append(dropper.drop(here, random_pads(dropper, geometry.lattice.columns, turns, rng, None)))
        except GoneAstray:
            continue
    return drops
