"""The slow, obvious twins of the features of matching games: each by its definition, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, ROOM, SPARE
from emubot.games.colours.matching_rules import DIAGONALS, GROUPS, TARGET, Rules, color_of, entry_cells
from tests.games.colours.matching_board_twin import Cells, Spot

MOVES = ("cleared", "chain", "lines", "chance")  # not of a field alone


def twin_features(cells: Cells, rules: Rules, fallen: list[int], later: list[int]) -> dict[str, float]:
    """All features of a field but MOVES; `fallen` and `later` are rows by distance from the spawn, soon and later."""
    closed = twin_closed(cells, rules, later)
    aimed = [any(kind > TARGET for kind in column) for column in cells.T.tolist()]
    rows, columns = cells.shape
    at = {(y, x): int(cells[y, x]) for y in range(rows) for x in range(columns)}
    tops = [next((y for y in range(rows) if at[y, x]), rows) for x in range(columns)]
    heights = [rows - top for top in tops]
    found = dict.fromkeys((name for name in FEATURE_NAMES if name not in MOVES), 0.0)
    for (y, x), kind in at.items():
        above = [at[row, x] for row in range(y) if at[row, x]]
        if kind == 0:
            found["holes"] += bool(above)
            continue
        if kind > TARGET:
            others = [other for other in above if color_of(other) != color_of(kind)]
            found["targets"] += 1
            found["buried"] += len(others)
            found["covered"] += bool(others)
            found["high_targets"] += (rows - y) ** 2 / 16
            found["stifled"] += heights[x] ** 2 / 16 if others else 0
            found["shut"] += x in closed
        else:
            found["filled"] += 1
        below, beside = at.get((y + 1, x), 0), at.get((y, x + 1), 0)
        found["changes_down"] += bool(below) and not _alike(below, kind)
        found["changes_across"] += bool(beside) and not _alike(beside, kind)
    found["highest"] = max(heights)
    found["high"] = sum(height * height for height in heights) / 16
    found["entry"] = max(heights[column] for column, _ in entry_cells(rules)) ** 2 / 16
    found["roughness"] = sum(abs(one - other) for one, other in pairwise(heights))
    found["closed"] = len(closed)
    for x in range(columns):  # how much lower the piece could be on its whole way and still enter
        room = -1
        while room < ROOM and x not in twin_closed(cells, rules, [rows_ + room + 1 for rows_ in later]):
            room += 1
        if aimed[x]:
            run = 1
            while run < rules.match_size and _alike(at.get((tops[x] + run, x), 0), at[tops[x], x]):
                run += 1
            spare = tops[x] - (rules.match_size - run) - fallen[abs(x - rules.spawn.column)]
            found["sealed"] += (cells[:, x] > TARGET).sum() if spare < 0 else 0
            found["brink"] += max(0, SPARE - max(spare, -1)) ** 2
        found["tight" if aimed[x] else "narrow"] += (ROOM - room) ** 2
    for window in [] if rules.match == GROUPS else _windows(rows, columns, rules):
        _count(window, at, tops, found)
    return found


def _alike(one: int, other: int) -> bool:
    return color_of(one) == color_of(other) != 0


def _windows(rows: int, columns: int, rules: Rules) -> Iterator[list[Spot]]:
    directions = ((0, 1), (1, 0), (1, 1), (-1, 1))[: 4 if rules.match == DIAGONALS else 2]
    for dy, dx in directions:
        for y in range(rows):
            for x in range(columns):
                window = [(y + step * dy, x + step * dx) for step in range(rules.match_size)]
                if all(0 <= row < rows and 0 <= column < columns for row, column in window):
                    yield window


def _count(window: list[Spot], at: dict[Spot, int], tops: list[int], found: dict[str, float]) -> None:
    filled = [at[spot] for spot in window if at[spot]]
    gaps = [spot for spot in window if not at[spot]]
    if not filled or not gaps or any(y >= tops[x] for y, x in gaps):
        return
    if len({color_of(kind) for kind in filled}) > 1 or not color_of(filled[0]):
        return
    prefix = "target_" if any(kind > TARGET for kind in filled) else ""
    if len(gaps) == 1:
        [(y, x)] = gaps
        found[prefix + ("ready" if y == tops[x] - 1 else "unripe")] += 1
    elif len(gaps) == 2:
        found[prefix + "begun"] += 1
    elif len(gaps) == 3 and prefix:
        found["target_alone"] += 1


def twin_places(
    cells: Cells, rules: Rules, kinds: tuple[int, ...], fallen: list[int]
) -> set[frozenset[tuple[int, int, int]]]:
    """The cells filled by each straight drop; `fallen` are the rows by distance from the spawn."""
    results = set()
    for orientation in range(len(rules.shapes)):
        for step in (1, -1):
            for distance in range(rules.columns):
                column = rules.spawn.column + step * distance
                if not _clear(cells, rules, orientation, column, rules.spawn.row + fallen[distance]):
                    break
                row = rules.spawn.row + fallen[distance]
                while _clear(cells, rules, orientation, column, row + 1):
                    row += 1
                shape = zip(rules.shapes[orientation], kinds, strict=True)
                results.add(frozenset((column + dx, row + dy, kind) for (dx, dy), kind in shape if row + dy >= 0))
                if not _clear(cells, rules, orientation, column, rules.spawn.row + fallen[distance + 1]):
                    break
    return results


def twin_closed(cells: Cells, rules: Rules, fallen: list[int]) -> set[int]:
    """The columns that no upright piece enters."""
    upright = 1 if len(rules.shapes) == 4 else 0
    entered = set()
    for step in (1, -1):
        for distance in range(rules.columns):
            column = rules.spawn.column + step * distance
            if not _clear(cells, rules, upright, column, rules.spawn.row + fallen[distance]):
                break
            entered.add(column)
            if not _clear(cells, rules, upright, column, rules.spawn.row + fallen[distance + 1]):
                break
    return {*range(rules.columns)} - entered


def _clear(cells: Cells, rules: Rules, orientation: int, column: int, row: int) -> bool:
    """Whether a piece is between the walls, above the floor, and above the highest cell of each of its columns."""
    for dx, dy in rules.shapes[orientation]:
        x, y = column + dx, row + dy
        if not 0 <= x < rules.columns or y >= len(cells) or cells[: max(y + 1, 0), x].any():
            return False
    return True
