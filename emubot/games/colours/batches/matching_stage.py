"""A stage of a matching game by frames, and its timing, as numbers for kernels; knows no field."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from emubot.games.colours.batches.air import Words
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.simulator.matching_simulator import TARGET_POINTS
from emubot.games.colours.timing import MATCHING
from emubot.jit import Scalar, inlined


class Stage(NamedTuple):
    """What a game begins with, and the timing. Of `gravity` the first entry is that of the first pieces."""

    targets: Scalar
    rows: Scalar
    points: Scalar  # of a target, in the first step of a chain
    spawn: Words  # orientation, column, row
    gravity: Words
    pieces_per_speed_up: Scalar
    soft_drop: Scalar
    settle: Scalar
    vanish: Scalar
    per_row: Scalar
    spawn_delay: Scalar


def stage_of(rules: Rules, stage: int, pace: int) -> Stage:
    """Returns a stage with the timing of the demo cartridge."""
    spawn, first = rules.spawn, MATCHING.index(rules, pace, 0)
    gravity = [MATCHING.frames_per_row(first + ups) for ups in range(MATCHING.most_speed_ups + 1)]
    return Stage(
        rules.stage_targets(stage),
        rules.stage_rows(stage),
        TARGET_POINTS * (pace + 1),
        np.array((spawn.orientation, spawn.column, spawn.row), dtype=np.int64),
        np.array(gravity, dtype=np.int64),
        rules.pieces_per_speed_up,
        MATCHING.soft_drop,
        MATCHING.settle,
        MATCHING.vanish,
        MATCHING.per_row,
        MATCHING.spawn_delay,
    )


@inlined
def gravity_at(stage: Stage, pieces: Scalar) -> Scalar:
    """Returns the frames per row of the piece in the air, after so many pieces have entered."""
    return stage.gravity[min(max(pieces - 1, 0) // stage.pieces_per_speed_up, len(stage.gravity) - 1)]
