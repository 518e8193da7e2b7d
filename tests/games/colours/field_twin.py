"""A slow, obvious field of pairs: a list of columns, each a list of kinds from the floor up. The kernels' twin."""

from __future__ import annotations

import numpy as np

from emubot.games.colours.board.words import Cells
from emubot.games.colours.rules import COLUMNS, EMPTY, NUISANCE, OBSTACLE, SATELLITE, Rules

Stacks = list[list[int]]


def stacks_of(cells: Cells) -> Stacks:
    return [[int(kind) for kind in cells[::-1, column] if kind != EMPTY] for column in range(COLUMNS)]


def cells_of(stacks: Stacks, rules: Rules) -> Cells:
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    for column, stack in enumerate(stacks):
        for level, kind in enumerate(stack):
            cells[rules.stored_rows - 1 - level, column] = kind
    return cells


def drop(stacks: Stacks, column: int, kind: int, rules: Rules) -> None:
    """One puyo onto its column; above the stored rows it vanishes."""
    if len(stacks[column]) < rules.stored_rows:
        stacks[column].append(kind)


def drop_pair(stacks: Stacks, orientation: int, column: int, pivot: int, satellite: int, rules: Rules) -> None:
    dx, dy = SATELLITE[orientation]
    halves = [(dy, column + dx, satellite), (0, column, pivot)]
    for _, where, kind in sorted(halves, reverse=True):  # the lower one first
        drop(stacks, where, kind, rules)


def neighbours(x: int, y: int) -> list[tuple[int, int]]:
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def color_at(stacks: Stacks, x: int, y: int, rules: Rules) -> int:
    """The colour of a cell that can link, else 0."""
    rows = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    if not (0 <= x < COLUMNS and 0 <= y < min(rows, len(stacks[x]))):
        return 0
    kind = stacks[x][y]
    return 0 if kind in {NUISANCE, OBSTACLE} else kind


def groups(stacks: Stacks, rules: Rules) -> list[set[tuple[int, int]]]:
    found: list[set[tuple[int, int]]] = []
    seen: set[tuple[int, int]] = set()
    for x in range(COLUMNS):
        for y in range(len(stacks[x])):
            color = color_at(stacks, x, y, rules)
            if not color or (x, y) in seen:
                continue
            group, edge = {(x, y)}, [(x, y)]
            while edge:
                for cell in neighbours(*edge.pop()):
                    if cell not in group and color_at(stacks, *cell, rules) == color:
                        group.add(cell)
                        edge.append(cell)
            seen |= group
            if len(group) >= rules.group_size:
                found.append(group)
    return found


def last_for_all_above(table: tuple[int, ...], index: int) -> int:
    return table[min(index, len(table) - 1)]


def resolve(stacks: Stacks, rules: Rules) -> tuple[int, int]:
    """Pop until nothing does, in place; the length of the chain and its points."""
    chain = points = 0
    while found := groups(stacks, rules):
        chain += 1
        popped = set().union(*found)
        colors = {stacks[x][y] for x, y in popped}
        multiplier = last_for_all_above(rules.chain_power, chain - 1)
        multiplier += last_for_all_above(rules.color_bonus, len(colors) - 1)
        multiplier += sum(last_for_all_above(rules.group_bonus, max(len(group) - 4, 0)) for group in found)
        multiplier = min(max(multiplier, rules.least_multiplier), rules.most_multiplier)
        points += 10 * len(popped) * multiplier
        rows = rules.stored_rows if rules.hidden_pops else rules.visible_rows
        beside = {
            (x, y)
            for cell in popped
            for x, y in neighbours(*cell)
            if 0 <= x < COLUMNS and 0 <= y < min(rows, len(stacks[x])) and stacks[x][y] == NUISANCE
        }
        for x in range(COLUMNS):
            stacks[x] = [kind for y, kind in enumerate(stacks[x]) if (x, y) not in popped | beside]
    return chain, points
