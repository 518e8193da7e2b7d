"""Fields, pieces and placements of matching games as text; knows no search and no value.

A field is lines of cells, the floor last: r y b g p o are colours, capitals their targets, # is a wall, . is empty. A
character after a cell says where its other half is, > < ^ or v, or with * that the cell is of the piece in the air;
blanks do not count. A piece is the letters of its cells: flat from left to right, else downwards.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.explain.notation import EMPTY_CELL, numbered
from emubot.games.colours.looks import MATCHING
from emubot.games.colours.matching_rules import (
    COLORS,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_STEP,
    LINK_UP,
    NO_LINK,
    OBSTACLE,
    OPPOSITE,
    TARGETS,
    Rules,
)
from emubot.text import printable

KINDS: Final = EMPTY_CELL + "".join(kind.mark for kind in MATCHING.kinds[1:])  # by kind
IN_AIR: Final = KINDS[: COLORS + 1]
AIR_MARK: Final = "*"
_COLORS: Final = KINDS[1 : COLORS + 1]
_JOINTS: Final = {NO_LINK: " ", LINK_LEFT: "<", LINK_RIGHT: ">", LINK_UP: "^", LINK_DOWN: "v"}
_LINKS: Final = {mark: link for link, mark in _JOINTS.items() if link != NO_LINK}
_DRAWN: Final = {KINDS[kind]: kind for kind in (*range(OBSTACLE + 1), *TARGETS)}

Cells = NDArray[np.uint8]
Air = list[tuple[int, int, int]]  # the cells of the piece in the air: column, row, kind


def lines_of(cells: NDArray[Any]) -> tuple[str, ...]:
    """Returns the cells of a field (rows, columns) as text."""
    return tuple("".join(KINDS[kind] for kind in row) for row in cells.tolist())


def joints_of(links: NDArray[Any]) -> tuple[str, ...]:
    """Returns the second character of each cell (explanation.Notation)."""
    return tuple("".join(_JOINTS[link] for link in row) for row in links.tolist())


def piece_name(kinds: tuple[int, ...]) -> str:
    """Returns a piece's letters, half 1 first."""
    return "".join(KINDS[kind] for kind in kinds)


def piece_of(text: str, rules: Rules) -> tuple[int, ...]:
    """Returns the kinds of a piece such as "rb". Raises UsageError for other letters or another number of them."""
    kinds = tuple(_COLORS.find(letter) + 1 for letter in text.lower())
    if len(kinds) != rules.piece_cells or not all(kinds):
        order = "from left to right" if rules.piece_cells == 2 else "downwards"
        raise UsageError(
            f"{printable(text, 40)!r} is no piece: name its {rules.piece_cells} cells {order} by the letters {_COLORS}."
        )
    return kinds


def placement_name(kinds: tuple[int, ...], place: tuple[int, ...], rules: Rules) -> str:
    """Returns a placement in words: columns count from the left, rows from the floor, both from 1.

    A half above the stored rows is not named.
    """
    orientation, column, row = place
    shape = zip(rules.shapes[orientation], kinds, strict=True)
    cells = sorted((row + dy, column + dx, KINDS[kind]) for (dx, dy), kind in shape if row + dy >= -rules.hidden_rows)
    rows = sorted({rules.visible_rows - y for y, _, _ in cells})
    columns = sorted({x + 1 for _, x, _ in cells})
    between = " on " if len(rows) > 1 else " "
    return f"{between.join(letter for _, _, letter in cells)}, {numbered('column', columns)}, {numbered('row', rows)}"


def field_of_lines(lines: tuple[str, ...], rules: Rules) -> tuple[Cells, Cells, Air]:
    """Returns cells and links of the field (stored rows, columns), and the cells of the piece in the air.

    Lines above the highest one that is drawn are empty. Raises UsageError for lines that are no such field.
    """
    if not 1 <= len(lines) <= rules.stored_rows:
        raise UsageError(
            f"A field of the rules {rules.name} has 1 to {rules.stored_rows} lines of {rules.columns} cells, not "
            f"{len(lines)}; the floor is the last."
        )
    shape = (rules.stored_rows, rules.columns)
    cells, links = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
    in_air: Air = []
    for number, line in enumerate(lines, start=1):
        row = rules.stored_rows - len(lines) + number - 1
        drawn = _cells_of(line)
        if (
            drawn is None
            or len(drawn) != rules.columns
            or any(mark in _LINKS and not rules.joined for _, mark in drawn)
        ):
            raise UsageError(_wanted(number, line, rules))
        for column, (kind, mark) in enumerate(drawn):
            if mark == AIR_MARK:
                in_air.append((column, row - rules.hidden_rows, kind))
            else:
                cells[row, column], links[row, column] = kind, _LINKS.get(mark, NO_LINK)
    _join(cells, links)
    return cells, links, in_air


def _cells_of(line: str) -> list[tuple[int, str]] | None:
    """Returns the kind and the mark of each cell; None if there is another character."""
    found: list[tuple[int, str]] = []
    for letter in line:
        kind, mark = found[-1] if found else (0, "")
        if letter in _DRAWN:
            found.append((_DRAWN[letter], ""))
        elif letter in _LINKS or letter == AIR_MARK:
            if mark or not 0 < kind <= COLORS:
                return None
            found[-1] = (kind, letter)
        elif not letter.isspace():
            return None
    return found


def _wanted(number: int, line: str, rules: Rules) -> str:
    """Returns what should be drawn instead of a line."""
    capitals = f"{_COLORS.upper()} for their targets, " if rules.targets else ""
    joints = "> < ^ or v after a cell for where its other half is, " if rules.joined else ""
    return (
        f"Line {number} of the field is {printable(line, 40)!r}: draw {rules.columns} cells, {_COLORS} for colours, "
        f"{capitals}# for a wall, . for empty, {joints}and * after a cell of the piece in the air."
    )


def _join(cells: Cells, links: Cells) -> None:
    """Join both halves where one is marked. Raises UsageError if there is no other half."""
    rows, columns = cells.shape
    for row, column in np.argwhere(links).tolist():
        link = int(links[row, column])
        dx, dy = LINK_STEP[link]
        y, x = row + dy, column + dx
        whole = 0 <= y < rows and 0 <= x < columns and 0 < cells[y, x] <= COLORS
        if not whole or links[y, x] not in (NO_LINK, OPPOSITE[link]):
            raise UsageError(
                f"The cell in column {column + 1}, row {rows - row}, is marked "
                f"{_JOINTS[link]}, and there is no cell that could be its other half: draw one, or no mark."
            )
        links[y, x] = OPPOSITE[link]
