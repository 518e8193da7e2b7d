"""The slow, obvious twin of the board of matching games: cells as letters, objects as sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.colours.matching_rules import (
    DIAGONALS,
    GROUPS,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_UP,
    OBSTACLE,
    TARGET,
    color_of,
)

Cells = NDArray[Any]
Spot = tuple[int, int]

LETTERS = "RYBGPO"
_STEPS = {LINK_LEFT: (0, -1), LINK_RIGHT: (0, 1), LINK_UP: (-1, 0), LINK_DOWN: (1, 0)}


def drawn(*rows: str) -> Cells:
    """Cells from text, a word a row: letters are colours, small letters targets, # is an obstacle, . is empty."""
    kinds = {letter: index for index, letter in enumerate(LETTERS, 1)}
    kinds |= {letter.lower(): TARGET + index for index, letter in enumerate(LETTERS, 1)} | {".": 0, "#": OBSTACLE}
    return np.array([[kinds[letter] for letter in row] for row in rows], dtype=np.uint8)


def text(cells: Cells) -> list[str]:
    """The reverse of `drawn`."""
    letters = "." + LETTERS + "#?".ljust(TARGET - len(LETTERS)) + LETTERS.lower()
    return ["".join(letters[kind] for kind in row) for row in cells.tolist()]


def twin_lines(cells: Cells, match: int, size: int) -> list[set[Spot]]:
    """All lines (or groups), each as the set of its (row, column)."""
    colors = {(y, x): color_of(int(kind)) for (y, x), kind in np.ndenumerate(cells)}
    found: list[set[Spot]] = []
    if match == GROUPS:
        left = {spot for spot, color in colors.items() if color}
        while left:
            group, edge = set(), {left.pop()}
            while edge:
                y, x = spot = edge.pop()
                group.add(spot)
                near = {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & left
                same = {other for other in near if colors[other] == colors[spot]}
                left -= same
                edge |= same
            found += [group] if len(group) >= size else []
        return found
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1))[: 4 if match == DIAGONALS else 2]:
        for (y, x), color in colors.items():
            run: list[Spot] = []
            while color and colors.get((y + len(run) * dy, x + len(run) * dx)) == color:
                run.append((y + len(run) * dy, x + len(run) * dx))
            if run and colors.get((run[0][0] - dy, run[0][1] - dx)) != color and len(run) >= size:
                found.append(set(run))
    return found


def objects_of(cells: Cells, links: Cells) -> list[set[Spot]]:
    """What falls as one: single cells, and joined halves."""
    found = []
    for (y, x), kind in np.ndenumerate(cells):
        if kind and kind < OBSTACLE:
            dy, dx = _STEPS.get(int(links[y, x]), (0, 0))
            one = {(y, x), (y + dy, x + dx)}
            found += [one] if one not in found else []
    return found


def twin_fall(cells: Cells, links: Cells) -> int:
    """Let all objects fall a row that nothing supports, from the floor up; the number of cells that fell."""
    rows = len(cells)
    loose = objects_of(cells, links)
    held = {(y, x) for (y, x), kind in np.ndenumerate(cells) if kind >= OBSTACLE}
    while True:
        stays = [one for one in loose if any(y + 1 == rows or (y + 1, x) in held for y, x in one)]
        if not stays:
            break
        held |= set().union(*stays)
        loose = [one for one in loose if one not in stays]
    moving = sorted(set().union(*loose), reverse=True) if loose else []
    for y, x in moving:
        cells[y + 1, x], links[y + 1, x] = cells[y, x], links[y, x]
        cells[y, x] = links[y, x] = 0
    return len(moving)


def twin_resolve(cells: Cells, links: Cells, match: int, size: int) -> tuple[int, int, int, int, int]:
    """The field resolved in place; chain, lines, removed, targets, rows."""
    chain = lines = removed = targets = rows = 0
    while True:
        while twin_fall(cells, links):
            rows += 1
        found = twin_lines(cells, match, size)
        if not found:
            return chain, lines, removed, targets, rows
        chain, lines = chain + 1, lines + len(found)
        gone = set().union(*found)
        removed += len(gone)
        targets += sum(int(cells[spot] > TARGET) for spot in gone)
        for y, x in gone:
            if links[y, x]:
                dy, dx = _STEPS[int(links[y, x])]
                links[y + dy, x + dx] = 0
            cells[y, x] = links[y, x] = 0


@st.composite
def fields(draw: st.DrawFn, rows: int = 7, columns: int = 6, colors: int = 3) -> tuple[Cells, Cells]:
    """Any field with targets, obstacles and joined halves, floating ones too."""
    kinds = [0, 0, *range(1, colors + 1), *range(1, colors + 1), *range(TARGET + 1, TARGET + 1 + colors), OBSTACLE]
    flat = draw(st.lists(st.sampled_from(kinds), min_size=rows * columns, max_size=rows * columns))
    cells = np.array(flat, dtype=np.uint8).reshape(rows, columns)
    links = np.zeros_like(cells)
    for y in range(rows):
        for x in range(columns):
            if not 0 < cells[y, x] < OBSTACLE or links[y, x]:
                continue
            way = draw(st.sampled_from((0, LINK_RIGHT, LINK_DOWN)))
            dy, dx = _STEPS.get(way, (0, 0))
            if not way or y + dy == rows or x + dx == columns:
                continue
            if 0 < cells[y + dy, x + dx] < OBSTACLE and not links[y + dy, x + dx]:
                links[y, x], links[y + dy, x + dx] = way, LINK_LEFT if way == LINK_RIGHT else LINK_UP
    return cells, links
