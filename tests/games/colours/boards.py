"""Random fields of pairs for tests, and the rules they are tried under."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import strategies as st

from emubot.games.colours.rules import COLORS, COLUMNS, NUISANCE, OBSTACLE, PROFILES, Rules
from tests.games.colours.field_twin import Stacks

FAMICOM, TSU = PROFILES["famicom-1991"], PROFILES["tsu"]
RULES: tuple[Rules, ...] = (
    FAMICOM,
    TSU,
    dataclasses.replace(FAMICOM, hidden_pops=True),
    dataclasses.replace(TSU, group_size=3),
    dataclasses.replace(TSU, group_size=5, death_cells=((2, 0), (3, 0))),
)

rules_tried = st.sampled_from(RULES)


@st.composite
def stacks(draw: st.DrawFn, rules: Rules) -> Stacks:
    """Columns of any height, few colours among them so that groups are common, now and then nuisance or an obstacle."""
    colors = draw(st.integers(1, COLORS))
    kinds = st.one_of(st.integers(1, colors), st.integers(1, colors), st.sampled_from([NUISANCE, OBSTACLE]))
    return [draw(st.lists(kinds, max_size=rules.stored_rows)) for _ in range(COLUMNS)]


def random_stacks(rng: np.random.Generator, rules: Rules) -> Stacks:
    """The same by a generator, quicker."""
    colors = int(rng.integers(2, COLORS + 1))
    kinds = [*range(1, colors + 1), NUISANCE, OBSTACLE]
    shares = [0.85 / colors] * colors + [0.12, 0.03]
    heights = rng.integers(0, rules.stored_rows + 1, size=COLUMNS)
    drawn = rng.choice(kinds, size=int(heights.sum()), p=shares).tolist()
    return [[drawn.pop() for _ in range(height)] for height in heights]
