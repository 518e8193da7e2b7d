"""One decoded frame of a matching game, with the links of its cells; knows no map and no address."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emubot.games.colours.decode.matching_codes import Kinds
from emubot.games.colours.matching_rules import Rules
from emubot.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class MatchingSnapshot(Snapshot):
    """A snapshot with the links of the cells: `links` as `playfield`, `hidden_links` as `hidden` (rules.py)."""

    links: Kinds
    hidden_links: Kinds


def field_of(snapshot: Snapshot) -> tuple[Kinds, Kinds]:
    """Returns the cells and the links of a snapshot: uint8 (stored rows, columns), the topmost hidden row first.

    A snapshot that has no links, such as a drawn one, has all cells single.
    """
    cells = np.concatenate((snapshot.hidden[::-1], snapshot.playfield))
    if not isinstance(snapshot, MatchingSnapshot):
        return cells, np.zeros_like(cells)
    return cells, np.concatenate((snapshot.hidden_links[::-1], snapshot.links))


def kinds_of(snapshot: Snapshot, rules: Rules) -> tuple[int, ...]:
    """Returns the kinds of the piece in the air, half 1 first; 0 for each if there is none."""
    return tuple(snapshot.counters.get(f"kind_{part}", 0) for part in range(1, rules.piece_cells + 1))
