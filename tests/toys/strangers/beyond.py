"""Falling blocks with two properties that no list has: a tool should leave them alone, or be right about them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from tests.toys.strangers.drawing import Draw, problem, switches
from tests.toys.strangers.switches import Stranger

# The board lies in memory twice, and another one counts after each piece; pieces have six cells; they rise from the
# floor; empty cells have a code and full ones have none; all rows move on in memory now and then; a generator changes a
# byte between the cells in every frame.
BEYOND = ("twice", "six", "upward", "inverted", "scrolls", "noise")
PAIRS = tuple(combinations(BEYOND, 2))


def beyond(seed: int) -> Stranger:
    """Returns the cartridge of this seed; of 15 seeds in a row each has another pair of properties."""
    draw = Draw(np.random.default_rng([seed, 4]))
    pair = PAIRS[seed % len(PAIRS)]
    while True:
        drawn = Stranger(seed, beyond=pair, **_with(pair, switches(draw), draw))
        if problem(drawn) is None:
            return drawn


def _with(pair: tuple[str, ...], drawn: Mapping[str, Any], draw: Draw) -> dict[str, Any]:
    changed = dict(drawn)
    if "twice" in pair or "scrolls" in pair:
        changed["pointers"] = "none"
    if "six" in pair:
        changed["piece_set"] = "six"
    if "upward" in pair:
        changed |= {"y_kind": "up", "up_drops": False}
    if "inverted" in pair:
        code = {"byte": draw.number(1, 0xFF), "half": draw.number(1, 0xF), "bit": 1}[changed["cells"]]
        changed |= {"empty": code, "first_code": 0, "code_each": False, "walls": 0}
    if "noise" in pair:
        changed |= {"gap": max(changed["gap"], 2), "stirs": True}
    return changed
