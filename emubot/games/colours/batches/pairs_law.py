"""The rules and the timing of pairs by frames, as numbers for kernels; knows no field."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from emubot.games.colours.batches.air import Words
from emubot.games.colours.rules import Rules
from emubot.games.colours.scoring import Table, table_of
from emubot.games.colours.simulator.simulator import CHEAPER_EVERY, PENDING_LIMIT
from emubot.games.colours.timing import PAIRS
from emubot.jit import Scalar, inlined

_NO_LIMIT: Final = 2**62
_MOST_HALVINGS: Final = 60  # after which nothing is left of a price


class Law(NamedTuple):
    """The rules and the timing, as kernels take them."""

    colors: Scalar
    group: Scalar
    first: Scalar  # the first row that links
    spawn: Words  # orientation, column, row
    death: Words  # (cells, 2): row from the highest stored one, column
    table: Table
    price: Scalar  # points per nuisance puyo, and of the margin time
    margin: Scalar
    most_sent: Scalar
    most_pending: Scalar
    most_falling: Scalar
    offset: Scalar
    all_clear: Scalar
    gravity: Words
    soft_drop: Scalar
    settle: Scalar
    per_row: Scalar
    pop: Scalar
    nuisance_wait: Scalar
    spawn_delay: Scalar


def law_of(rules: Rules) -> Law:
    """Returns rules for kernels, with the timing of the demo cartridge."""
    hidden, spawn = rules.hidden_rows, rules.spawn
    return Law(
        rules.colors,
        rules.group_size,
        0 if rules.hidden_pops else hidden,
        np.array((spawn.orientation, spawn.column, spawn.row), dtype=np.int64),
        np.array([(row + hidden, column) for column, row in rules.death_cells], dtype=np.int64),
        table_of(rules),
        rules.nuisance_points,
        rules.margin_frames,
        _NO_LIMIT if rules.keeps_excess else rules.nuisance_cap,
        PENDING_LIMIT if rules.keeps_excess else rules.nuisance_cap,
        rules.nuisance_cap,
        int(rules.offset),
        rules.all_clear_points,
        np.array(PAIRS.gravity, dtype=np.int64),
        PAIRS.soft_drop,
        PAIRS.settle,
        PAIRS.per_row,
        PAIRS.pop,
        PAIRS.nuisance_wait,
        PAIRS.spawn_delay,
    )


@inlined
def price_at(law: Law, frames: Scalar) -> Scalar:
    """Returns the points per nuisance puyo: three quarters after the margin time, then halved every 16 seconds."""
    over = frames - law.margin
    if law.margin == 0 or over < 0:
        return law.price
    return max(1, law.price * 3 // 4 >> min(over // CHEAPER_EVERY, _MOST_HALVINGS))
