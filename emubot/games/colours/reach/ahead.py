"""Where a piece with a map's own turns is after frames whose pads are sent but not used yet; plans nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.reach.reach import grid_of
from emubot.games.colours.rules import Rules
from emubot.games.colours.timing import PuyoTiming
from emubot.games.motion import Shapes, moved
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Phase, Piece, Snapshot


def predict_turned(
    snapshot: Snapshot, pads: Sequence[Pad], rules: Rules, timing: PuyoTiming, buttons: Buttons, shapes: Shapes
) -> Snapshot:
    """Does the same as `decode.predict` for a pair in play that turns by `shapes`."""
    if snapshot.current is None or snapshot.phase is not Phase.PLAYING:
        return snapshot
    counters = dict(snapshot.counters)
    fall = timing.fall(counters.get("level", 0))
    timer, held = counters.get("drop_timer", fall.gravity), Pad(counters.get("held_buttons", 0))
    grid = grid_of(cells_of(snapshot), rules, shapes)
    air = moved(grid, shapes, snapshot.current, fall, timer, held, pads, buttons)
    changed = {"drop_timer": air.timer, "held_buttons": int(pads[-1])}
    return replace(
        snapshot,
        phase=Phase.LOCKED if air.locked else Phase.PLAYING,
        state="locked" if air.locked else snapshot.state,
        current=Piece(int(shapes.shown[air.orientation]), air.column, air.row),
        counters=counters | {name: value for name, value in changed.items() if name in counters},
    )
