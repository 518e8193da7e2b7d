"""Slow, obvious twins of the features of a field of pairs: columns as lists of kinds from the floor up."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import groupby

from emubot.games.colours.rules import COLORS, COLUMNS, Rules
from tests.games.colours import field_twin as twin

Twin = Callable[[twin.Stacks, Rules], float]


def cell_count(rules: Rules) -> int:
    return COLUMNS * rules.stored_rows


def most_links(rules: Rules) -> int:
    """Counted cell by cell on a visible field full of one colour."""
    rows = rules.visible_rows
    return sum((x + 1 < COLUMNS) + (y + 1 < rows) for x in range(COLUMNS) for y in range(rows))


def coloured(stacks: twin.Stacks) -> list[tuple[int, int, int]]:
    return [(x, y, kind) for x, stack in enumerate(stacks) for y, kind in enumerate(stack) if 1 <= kind <= COLORS]


def colored_puyos(stacks: twin.Stacks, rules: Rules) -> float:
    return 1 - len(coloured(stacks)) / cell_count(rules)


def nuisance_puyos(stacks: twin.Stacks, rules: Rules) -> float:
    return 1 - sum(stack.count(7) for stack in stacks) / cell_count(rules)


def edges(stacks: twin.Stacks, rules: Rules) -> float:
    lost = 0
    for x, y, _ in coloured(stacks):
        if y < rules.visible_rows:
            outside = [not (0 <= i < COLUMNS and 0 <= j < rules.visible_rows) for i, j in twin.neighbours(x, y)]
            lost += sum(outside)
    return 1 - lost / (2 * cell_count(rules))


def spawn_distance(stacks: twin.Stacks, rules: Rules) -> float:
    column, level = rules.spawn.column, rules.visible_rows - 1 - rules.spawn.row
    steps = {(x, y): abs(x - column) + abs(y - level) for x in range(COLUMNS) for y in range(rules.stored_rows)}
    furthest = max(steps.values())
    near = sum(1 - steps[x, y] / furthest for x, stack in enumerate(stacks) for y in range(len(stack)))
    return 1 - near / cell_count(rules)


def color_runs(stacks: twin.Stacks, rules: Rules) -> float:
    seen = [stack[: rules.visible_rows] for stack in stacks]
    rows = [[stack[y] for stack in seen if y < len(stack)] for y in range(rules.visible_rows)]
    # Like the links of a column, its runs end where its rows cease to link.
    linking = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    lines = [*rows, *(stack[:linking] for stack in stacks)]
    runs = [(kind, len(list(run))) for line in lines for kind, run in groupby(line)]
    return sum(length - 1 for kind, length in runs if 1 <= kind <= COLORS) / most_links(rules)


def variance(values: list[int]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)


def color_variance(stacks: twin.Stacks, rules: Rules) -> float:
    total = 0.0
    for color in range(1, COLORS + 1):
        own = [(x, y) for x, y, kind in coloured(stacks) if kind == color]
        if own:
            across = variance([x for x, _ in own]) / ((COLUMNS - 1) / 2) ** 2
            along = variance([y for _, y in own]) / ((rules.stored_rows - 1) / 2) ** 2
            total += (across + along) / 2
    return 1 - total / COLORS


def links(stacks: twin.Stacks, rules: Rules) -> float:
    ends = 0
    for x in range(COLUMNS):
        for y in range(len(stacks[x])):
            color = twin.color_at(stacks, x, y, rules)
            ends += sum(bool(color) and twin.color_at(stacks, *cell, rules) == color for cell in twin.neighbours(x, y))
    return ends / 2 / (2 * most_links(rules))


def potential(stacks: twin.Stacks, rules: Rules) -> float:
    best = 0.0
    for color in range(1, COLORS + 1):
        for x in range(COLUMNS):
            reached = {cell for y in range(3) for cell in twin.neighbours(x, len(stacks[x]) + y)}
            if not any(twin.color_at(stacks, *cell, rules) == color for cell in reached):
                continue
            for added in range(1, 4):
                tried = [list(stack) for stack in stacks]
                tried[x] += [color] * added
                if len(tried[x]) > rules.visible_rows:
                    break
                chain, points = twin.resolve(tried, rules)
                if chain:
                    best = max(best, math.sqrt(points) / 100 * (1 - 0.15 * (added - 1)))
                    break
    return best


def room(stacks: twin.Stacks, rules: Rules) -> float:
    third = cell_count(rules) / 3
    return 1 - (max(0.0, sum(map(len, stacks)) - third) / (2 * third)) ** 2


def headroom(stacks: twin.Stacks, rules: Rules) -> float:
    return 1 - min(1.0, len(stacks[rules.spawn.column]) / rules.visible_rows) ** 4


def entered(stacks: twin.Stacks, limits: list[int], rules: Rules) -> set[int]:
    """The columns reached from the spawn column without passing one over its limit."""
    low = {x for x in range(COLUMNS) if len(stacks[x]) <= limits[x]}
    found = {rules.spawn.column} & low
    for _ in range(COLUMNS):
        found |= {x for x in low if x - 1 in found or x + 1 in found}
    return found


def access(stacks: twin.Stacks, rules: Rules, limits: list[int] | None = None) -> float:
    limits = limits or [rules.visible_rows - 1] * COLUMNS
    cut = 0
    for margin in range(3):
        reached = entered(stacks, [limit - margin for limit in limits], rules)
        cut += sum(rules.stored_rows - len(stacks[x]) for x in range(COLUMNS) if x not in reached)
    return 1 - cut / (3 * cell_count(rules))


def pillars(stacks: twin.Stacks, rules: Rules) -> float:
    heights = [len(stack) for stack in stacks]
    beside = [[heights[i] for i in (x - 1, x + 1) if 0 <= i < COLUMNS] for x in range(COLUMNS)]
    return 1 - sum(own - 3 >= max(others) for own, others in zip(heights, beside, strict=True)) / (COLUMNS // 2)


def total_height(stacks: twin.Stacks, rules: Rules) -> float:
    return 1 - sum(map(len, stacks)) / cell_count(rules)


def peak(stacks: twin.Stacks, rules: Rules) -> float:
    return 1 - max(map(len, stacks)) / rules.stored_rows


def chance(stacks: twin.Stacks, rules: Rules) -> float:
    """The mixing on unbounded numbers, the words of the board spelt out bit by bit."""
    state = 2**31 - 1
    for half in (stacks[:3], stacks[3:]):
        for bit in (1, 2, 4, 8):
            cells = [(x, y) for x, stack in enumerate(half) for y, kind in enumerate(stack) if kind & bit]
            word = sum(2 ** (16 * x + y) for x, y in cells)
            for part in (word % 2**24, word // 2**24):
                state = mixed(state ^ part)
    return mixed(state) / 2**31


def mixed(state: int) -> int:
    product = (state + 1) % 2**31 * 1_812_433_253
    return (product ^ product // 2**31) % 2**31


def popped(stacks: twin.Stacks, rules: Rules, laid: int) -> float:
    return (laid - len(coloured(stacks))) / cell_count(rules)


TWINS: dict[str, Twin] = {
    "colored_puyos": colored_puyos,
    "nuisance_puyos": nuisance_puyos,
    "edges": edges,
    "spawn_distance": spawn_distance,
    "color_runs": color_runs,
    "color_variance": color_variance,
    "links": links,
    "potential": potential,
    "room": room,
    "headroom": headroom,
    "access": access,
    "pillars": pillars,
    "total_height": total_height,
    "peak": peak,
    "chance": chance,
}
