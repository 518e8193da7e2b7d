"""Slow, obvious twins of the features of a field that a chain is built on."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

from emubot.games.colours.rules import COLORS, COLUMNS, NUISANCE, Rules
from tests.games.colours import field_twin as twin
from tests.games.colours.field_twin import Stacks

Trigger = tuple[int, int, int, int]  # row, puyos needed, steps of the chain, colour


def triggers(stacks: Stacks, rules: Rules) -> list[Trigger]:
    """Every column and colour where one to three puyos on the column, all in rows that link, set off a chain."""
    rows = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    found = []
    for color in range(1, COLORS + 1):
        for column in range(COLUMNS):
            for added in (1, 2, 3):
                after = [list(stack) for stack in stacks]
                after[column] += [color] * added
                if len(after[column]) > rows:
                    break
                if chain := twin.resolve(after, rules)[0]:
                    found.append((len(stacks[column]), added, chain, color))
                    break
    return found


def kind(stacks: Stacks, x: int, y: int) -> int:
    """The colour of a cell, hidden or not; 0 for none."""
    inside = 0 <= x < COLUMNS and 0 <= y < len(stacks[x])
    return stacks[x][y] if inside and 1 <= stacks[x][y] <= COLORS else 0


def equal(stacks: Stacks, dx: int, dy: int) -> int:
    """How many cells have the same colour in the cell so many columns to the right and rows higher."""
    return sum(
        0 < kind(stacks, x, y) == kind(stacks, x + dx, y + dy) for x in range(COLUMNS) for y in range(len(stacks[x]))
    )


def shape(stacks: Stacks, rules: Rules) -> dict[str, float]:
    """The features of the shape by name."""
    linked = twin.groups(stacks, dataclasses.replace(rules, group_size=1))
    heights = [len(stack) for stack in stacks]
    mean = sum(heights) / COLUMNS
    wells = 0
    for x, height in enumerate(heights):
        beside = [heights[at] for at in (x - 1, x + 1) if 0 <= at < COLUMNS]
        wells += max(0, min(beside) - height)
    kinds = [one for stack in stacks for one in stack]
    over = max(0, heights[rules.spawn.column] - 8)
    return {
        "link_pairs": sum(len(group) == 2 for group in linked),
        "threes": sum(len(group) == 3 for group in linked),
        "wells": wells,
        "roughness": sum((one - other) ** 2 for one, other in pairwise(heights)),
        **{f"column_{x + 1}": heights[x] - mean for x in range(COLUMNS)},
        "diagonals_down": equal(stacks, 1, -1),
        "diagonals_up": equal(stacks, 1, 1),
        "two_above": equal(stacks, 0, 2),
        "three_above": equal(stacks, 0, 3),
        "across": equal(stacks, 2, 0),
        "building_puyos": sum(one <= COLORS for one in kinds),
        "building_nuisance": kinds.count(NUISANCE),
        "spawn_height": over**2,
    }
