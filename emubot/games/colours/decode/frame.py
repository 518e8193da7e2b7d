"""One decoded frame: its kinds, the links of its cells, and the piece after pads to come; knows no map, no address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from emubot.games.colours.board.control import Cells, Falling, control
from emubot.games.colours.board.turning import Turning
from emubot.games.colours.decode.codes import Kinds
from emubot.games.colours.matching_rules import Rules
from emubot.games.motion import Fall
from emubot.pad import Pad
from emubot.snapshot import Phase, Piece, Snapshot


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


class Translation:
    """Translates a map's kinds to the family's. Keeps the last result for an array that comes unchanged again."""

    def __init__(self, table: Kinds) -> None:
        self._table = table
        self._last: tuple[Kinds, Kinds] | None = None

    def __call__(self, kinds: Kinds) -> Kinds:
        """Returns the family's kinds, in an array that nobody writes to."""
        last = self._last
        if last is not None and last[0] is kinds:
            return last[1]
        translated: Kinds = self._table[kinds]
        translated.flags.writeable = False
        self._last = (kinds, translated)
        return translated


def after_pads(
    snapshot: Snapshot, piece: Piece, cells: Cells, turning: Turning, fall: Fall, pads: Sequence[Pad]
) -> Snapshot:
    """Returns the snapshot after frames under control with these pads; `piece` is the one in the air.

    A piece that locks in these frames stays where it locks, in the phase LOCKED. If a map has no held buttons, drop
    timer or repeat counter, they start from their initial values.
    """
    counters = snapshot.counters
    timer, repeat = counters.get("drop_timer", fall.gravity), counters.get("repeat", 0)
    falling = Falling((), piece.orientation, piece.column, piece.row, timer, repeat)
    held, locked, hidden = counters.get("held_buttons", 0), False, len(snapshot.hidden)
    for pad in pads:
        locked = locked or control(falling, cells, hidden, turning, fall, int(pad) & ~held, int(pad))
        held = int(pad)
    moved = {"drop_timer": falling.drop_timer, "repeat": falling.repeat, "held_buttons": held}
    return replace(
        snapshot,
        phase=Phase.LOCKED if locked else Phase.PLAYING,
        state="locked" if locked else snapshot.state,
        current=Piece(falling.orientation, falling.column, falling.row),
        counters={**counters, **{name: value for name, value in moved.items() if name in counters}},
    )
