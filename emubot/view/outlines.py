"""One outline around all cells of a place, as closed lines of points; knows no looks and draws nothing."""

from __future__ import annotations

from collections.abc import Iterable

Point = tuple[float, float]
_EDGES = (
    (0, 0, 1, 0),
    (1, 0, 0, 1),
    (1, 1, -1, 0),
    (0, 1, 0, -1),
)  # clockwise: from a corner of a cell, in a direction


def outlines(cells: Iterable[tuple[int, int]], inset: float) -> list[list[Point]]:
    """Returns closed lines around these cells (column, row), in cells: clockwise, those around a hole the other way.

    They run inside the cells, so far from their borders.
    """
    filled = set(cells)
    edges = {
        (column + x, row + y, dx, dy)
        for column, row in filled
        for x, y, dx, dy in _EDGES
        if (column + dy, row - dx) not in filled
    }
    lines = []
    while edges:
        edge = first = min(edges)
        line: list[Point] = []
        while edge in edges:
            edges.remove(edge)
            x, y, dx, dy = edge
            ahead = ((x + dx, y + dy, *turn) for turn in ((-dy, dx), (dx, dy), (dy, -dx)))  # right first: the same cell
            following = next((one for one in ahead if one in edges), first)
            if following[2:] != (dx, dy):
                nx, ny = -dy - following[3], dx + following[2]  # inwards from both edges
                line.append((x + dx + inset * nx, y + dy + inset * ny))
            edge = following
        lines.append(line)
    return lines
