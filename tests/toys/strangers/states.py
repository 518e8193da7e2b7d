"""The values of a stranger's state byte, drawn from its seed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.toys.strangers.switches import Stranger

NAMES = ("title", "screen_1", "screen_2", "options", "play", "lock", "clear", "over", "demo")


def states_of(stranger: Stranger) -> Mapping[str, int]:
    """Returns the value of each state; some are the same where a switch says so."""
    rng = np.random.default_rng([stranger.seed, 3])
    step = int(rng.choice([1, 1, 1, 2, 16]))
    first = int(rng.integers(2)) * step
    numbers = [first + step * number for number in range(len(NAMES))]
    order = list(range(len(NAMES))) if rng.random() < 0.5 else rng.permutation(len(NAMES)).tolist()
    found = {name: numbers[place] for name, place in zip(NAMES, order, strict=True)}
    if stranger.between == "silent":
        found["lock"] = found["clear"] = found["play"]
    if stranger.demo_as_play:
        found["demo"] = found["play"]
    return found
